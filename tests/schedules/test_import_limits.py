"""A file is read no further than its limits, whatever its form."""

from __future__ import annotations

import json

import pytest

from schedules.calendars.files import rows_of_file
from schedules.calendars.json_courses import rows_of_document
from schedules.calendars.readers import csv_courses
from schedules.calendars.rows import ROWS_MAX, TooMany, collect_rows
from schedules.models import Semester


class CountedRows(list[int]):
    """A list that counts how many of its values were looked at."""

    looked_at = 0

    def __iter__(self):  # type: ignore[no-untyped-def]
        for value in super().__iter__():
            self.looked_at += 1
            yield value


def test_rows_of_a_document_are_looked_at_up_to_the_limit_only(semester: Semester) -> None:
    courses = CountedRows([1] * 100_000)
    with pytest.raises(TooMany):
        collect_rows(rows_of_document({"courses": courses}, semester.calendar.grid))
    assert courses.looked_at == ROWS_MAX + 1


@pytest.mark.parametrize("line", ["x,1,1-2,1-16", ",,,", ""], ids=["rows", "blank cells", "blank lines"])
def test_lines_of_a_table_are_read_up_to_the_limit_only(
    semester: Semester, line: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = []

    def counted(*arguments: object, **options: object):  # type: ignore[no-untyped-def]
        for found in reader(*arguments, **options):
            read.append(1)
            yield found

    reader = csv_courses.csv.reader
    monkeypatch.setattr(csv_courses.csv, "reader", counted)
    table = "课程名称,星期,节次,周数\n" + f"{line}\n" * 100_000
    with pytest.raises(TooMany):
        rows_of_file("csv", table.encode(), semester.calendar)
    assert len(read) <= csv_courses.LINES_MAX + 2


def test_a_file_of_rows_that_are_none_is_refused_by_their_number(semester: Semester) -> None:
    with pytest.raises(TooMany, match="rows"):
        rows_of_file("json", json.dumps({"courses": [1] * 100_000}).encode(), semester.calendar)


@pytest.mark.parametrize("form", ["html", "csv"])
def test_a_week_is_read_up_to_a_length_that_no_timetable_has(semester: Semester, form: str) -> None:
    days, line = [f"星期{day}" for day in "一二三四五六日"], "1," * 90
    if form == "html":
        cell = "<br>".join([line] * 160)
        lines = [f"<th>{day}</th>" for day in days], [f"<td>{cell}</td>"] * 7
        table = "".join(f"<tr>{''.join(cells)}</tr>" for cells in lines)
        file = f"<table>{table}</table>"
    else:
        cell = '"{}"'.format("\n".join([line] * 160))
        file = f"{','.join(days)}\n{','.join([cell] * 7)}\n"
    with pytest.raises(TooMany, match="text"):
        rows_of_file(form, file.encode(), semester.calendar)
