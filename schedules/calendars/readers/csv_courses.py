"""The CSV form of courses: a header row, then one weekly meeting a row, or a week with a column for each weekday.

UTF-8 (with or without a byte order mark), GB18030 and Big5 are read, with comma, semicolon or tab between the cells.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator

from schedules.calendars.csv_export import read_as_text
from schedules.calendars.readers.any_table import rows_of_any_table
from schedules.calendars.rows import ROWS_MAX, NotCourses, Outcome, TooMany, text_of
from schedules.planner.grid import Calendar

DELIMITERS = ",;\t"
LINES_MAX = 10_000
"""Lines of a table that are read, blank ones included."""


def rows_of_csv(data: bytes, calendar: Calendar) -> Iterable[Outcome]:
    """Returns all rows and row errors of a file, one by one as they are asked for; raises `NotCourses`, `TooMany` at
    once."""
    return rows_of_any_table(list(_lines(text_of(data))), calendar)


def _lines(text: str) -> Iterator[list[str]]:
    """Yields the lines of a table as cells; raises `TooMany` where it goes on for too long, `NotCourses` if broken."""
    header = text.lstrip("\r\n").partition("\n")[0]
    delimiter = max(DELIMITERS, key=header.count)
    table = csv.reader(io.StringIO(text.lstrip("\r\n"), newline=""), delimiter=delimiter, strict=True)
    try:
        for number, line in enumerate(table):
            if number > LINES_MAX:
                raise TooMany("rows", ROWS_MAX)
            yield [read_as_text(cell) for cell in line]
    except csv.Error:
        raise NotCourses("不是有效的 CSV 文件") from None
