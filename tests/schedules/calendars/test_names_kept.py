"""Names in timetables that students type or bring: what looks like a time and is none, other forms of characters."""

from __future__ import annotations

import pytest

from schedules.calendars.files import rows_of_file
from schedules.calendars.rows import CourseRow
from tests.kits.timetable.terms import calendar

EACH, ODD = tuple(range(1, 17)), tuple(range(1, 17, 2))


def only_row(form: str, text: str) -> CourseRow:
    (row,) = rows_of_file(form, text.encode(), calendar())
    assert isinstance(row, CourseRow), row
    return row


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ("思政 1-16周 综合楼108 周红", ("思政", "周红", "综合楼108", EACH)),
        ("思政 1-16周 教1-01 周红", ("思政", "周红", "教1-01", EACH)),
        ("思政 1-16 周 教1-01 周红", ("思政", "周红", "教1-01", EACH)),
        ("思政 周红 1-16周 教1-01", ("思政", "周红", "教1-01", EACH)),
        ("英语 1-16周 单明 教1-101", ("英语", "单明", "教1-101", EACH)),
        ("英语 1-16周 单 教1-101", ("英语", "", "教1-101", ODD)),
        ("英语 1-16周 单周 单明", ("英语", "单明", "", ODD)),
        ("英语 1-16 周(单) 教1-101", ("英语", "", "教1-101", ODD)),
    ],
)
def test_a_teacher_whose_name_begins_like_a_time_is_one(cell: str, expected: tuple[object, ...]) -> None:
    row = only_row("paste", f"\t周一\t周二\t周三\n1-2节\t{cell}\t\t")
    assert (row.course_name, row.teacher, row.location, row.weeks) == expected
