"""The XLSX form of courses: each sheet is the same table as in CSV, or a week with a column for each weekday.

The reader is an optional extra of the project (`xlsx` in pyproject.toml). A workbook is a zip of XML: what it may
unpack to is bounded before it is opened, and defusedxml refuses entities that would grow without an end.
"""

from __future__ import annotations

import io
import re
import zipfile
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from datetime import datetime
from importlib import import_module
from itertools import islice
from typing import Any

from schedules.calendars.readers.any_table import rows_of_any_table
from schedules.calendars.readers.course_table import EMPTY, NEEDED
from schedules.calendars.readers.csv_courses import LINES_MAX
from schedules.calendars.readers.number_lists import MONTHS
from schedules.calendars.rows import ROWS_MAX, NotCourses, Outcome, RowNote
from schedules.planner.grid import Calendar

UNPACKED_MAX, MEMBERS_MAX, SHEETS_MAX = 8 * 1024 * 1024, 500, 30
COLUMNS_MAX, MERGES_MAX, MERGED_ROWS_MAX = 64, 5_000, 100
"""What is read of a line of a sheet, of its merged cells, and of the rows of one of them."""
_MERGED = re.compile(
    rb"<(?:\w{1,20}:)?mergeCell\s[^>]{0,100}?ref=[\"']([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})[\"']"
)
EAST_ASIAN = frozenset({*range(27, 37), *range(50, 59)})
"""Numbers of formats for days and times that files in Chinese do not spell out, and that the library takes for none."""
EAST_ASIAN_DAYS = frozenset({28, 29, 51, 53, 54, 58})
"""Those of 1月16日."""
QUOTED = re.compile(r'"[^"]*"|\[[^\]]*\]|\\.')
Box = tuple[int, int, int, int]
"""First row, first column, last row and last column, counted from 0."""
Sheet = tuple[str, list[list[str]], list[Box]]
"""Title, words and merged cells."""


def rows_of_xlsx(data: bytes, calendar: Calendar) -> Iterable[Outcome]:
    """Returns all rows and row errors of a workbook; raises `NotCourses` at once."""
    try:
        reader = import_module("openpyxl")
        import_module("defusedxml")
    except ImportError:
        raise NotCourses("服务器没有安装 XLSX 支持", code="xlsx_not_enabled") from None
    _refuse_bomb(data)
    return rows_of_sheets(_sheets(reader, data), calendar)


def rows_of_sheets(sheets: Iterable[Sheet], calendar: Calendar) -> list[Outcome]:
    """Returns all rows and row errors of the sheets of a workbook; raises `NotCourses`."""
    outcomes: list[Outcome] = []
    refused: list[tuple[str, NotCourses]] = []
    for title, table, boxes in [sheet for sheet in sheets if any(map(any, sheet[1]))]:
        try:
            outcomes += _rows_of_sheet(table, boxes, calendar, max((row.row for row in outcomes), default=0))
        except NotCourses as error:
            refused.append((title, error))
    if not outcomes:
        raise refused[0][1] if refused else NotCourses(EMPTY, NEEDED)
    number = max(row.row for row in outcomes)
    message, values = "工作表「{name}」里没有找到课表，没有导入", [{"name": title} for title, _ in refused]
    return [*outcomes, *(RowNote(number + at, "sheet", "", message, told) for at, told in enumerate(values, 1))]


def _rows_of_sheet(lines: list[list[str]], boxes: list[Box], calendar: Calendar, after: int) -> list[Outcome]:
    # Empty rows do not count, neither as rows of the table nor among those that a cell covers.
    kept = [row for row, line in enumerate(lines) if any(line)]
    spans = {
        (bisect_left(kept, top), left): (bisect_right(kept, bottom) - bisect_left(kept, top), right - left + 1)
        for top, left, bottom, right in boxes
        if top < len(lines) and left < len(lines[top]) and lines[top][left]
    }
    return list(islice(rows_of_any_table([lines[row] for row in kept], calendar, spans, after=after), ROWS_MAX + 1))


def _refuse_bomb(data: bytes) -> None:
    """Refuses a file that would unpack to too much: members give back no more bytes than the directory says, so its sum
    bounds what can come out."""
    try:
        members = zipfile.ZipFile(io.BytesIO(data)).infolist()
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError):
        raise NotCourses("不是有效的 XLSX 文件") from None
    if len(members) > MEMBERS_MAX or sum(member.file_size for member in members) > UNPACKED_MAX:
        raise NotCourses("XLSX 文件解压后过大")


def _sheets(reader: Any, data: bytes) -> Iterator[Sheet]:
    """Yields title and words of each sheet that is shown, and which of its cells are merged."""
    try:
        book = reader.load_workbook(io.BytesIO(data), read_only=True, data_only=True, keep_links=False)
        texts: dict[str, str] = {}
        for sheet in book.worksheets[:SHEETS_MAX]:
            if sheet.sheet_state != "visible":
                continue
            lines = sheet.iter_rows(max_row=LINES_MAX, max_col=COLUMNS_MAX)
            table = [[_cell_words(cell, reader, book.epoch, texts) for cell in line] for line in lines]
            with sheet._get_source() as source:  # a sheet that is read line by line does not tell them itself
                yield sheet.title, table, list(islice(_boxes(source.read(UNPACKED_MAX)), MERGES_MAX))
    except Exception as error:  # the library raises whatever it stumbles over in a broken workbook
        raise NotCourses("不是有效的 XLSX 文件") from error


def _boxes(sheet: bytes) -> Iterator[Box]:
    for left, top, right, bottom in _MERGED.findall(sheet):
        first_row = int(top) - 1
        last_row = min(int(bottom) - 1, first_row + MERGED_ROWS_MAX - 1)
        first_column, last_column = _column(left), min(_column(right), COLUMNS_MAX - 1)
        if 0 <= first_row <= last_row and first_column <= last_column:
            yield first_row, first_column, last_row, last_column


def _column(letters: bytes) -> int:
    number = 0
    for letter in letters:
        number = 26 * number + letter - ord("A") + 1
    return number - 1


def _cell_words(cell: Any, reader: Any, epoch: datetime, texts: dict[str, str]) -> str:
    """Returns the words of a cell; cells that share a long text in the file share its words in `texts` too."""
    value = cell.value
    if isinstance(value, str):
        if value not in texts:
            texts[value] = words_of_value(value)
        return texts[value]
    if value is None:
        return ""
    form = cell.style_array.numFmtId
    if form in EAST_ASIAN and isinstance(value, int | float):
        value = reader.utils.datetime.from_excel(value, epoch)
    return words_of_value(value, form, cell.number_format)


def words_of_value(value: Any, form: int = 0, spelled: str = "") -> str:
    """Returns the words of a value; of a day as its format shows it, for one without a year was a range when it was
    typed: 1-16 is shown as 1月16日. A format has a number, and is spelled out or known by that."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if not isinstance(value, datetime) or (value.hour, value.minute, value.second) != (0, 0, 0):
        return str(value).strip()
    shown = QUOTED.sub("", spelled).lower()
    if form in EAST_ASIAN_DAYS or ("y" not in shown and "d" in shown):
        return f"{value.month}月{value.day}日"
    return f"{MONTHS[value.month - 1]}-{value:%y}" if "d" not in shown and "m" in shown else f"{value:%Y-%m-%d}"
