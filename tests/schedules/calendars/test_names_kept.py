"""Names in timetables that students type or bring: what looks like a time and is none, other forms of characters."""

from __future__ import annotations

import pytest

from schedules.calendars.files import rows_of_file
from schedules.calendars.rows import CourseRow
from tests.kits.timetable.terms import calendar

EACH, ODD = tuple(range(1, 17)), tuple(range(1, 17, 2))


def only_row(form: str, text: str, encoding: str = "utf-8") -> CourseRow:
    (row,) = rows_of_file(form, text.encode(encoding), calendar())
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
        ("思政 1-16周 教1-01 周一鸣", ("思政", "周一鸣", "教1-01", EACH)),
        ("思政 1-16周 周天宇 教1-01", ("思政", "周天宇", "教1-01", EACH)),
        ("思政 周日红 1-16周 教1-01", ("思政", "周日红", "教1-01", EACH)),
        ("思政 周一第1-2节 1-16周 教1-01 周天宇", ("思政", "周天宇", "教1-01", EACH)),
        ("思政 1-16周 周一一二节 周天宇", ("思政", "周天宇", "", EACH)),
        ("英语 1-16周 单 教1-101", ("英语", "", "教1-101", ODD)),
        ("英语 1-16周 单周 单明", ("英语", "单明", "", ODD)),
        ("英语 1-16 周(单) 教1-101", ("英语", "", "教1-101", ODD)),
    ],
)
def test_a_teacher_whose_name_begins_like_a_time_is_one(cell: str, expected: tuple[object, ...]) -> None:
    row = only_row("paste", f"\t周一\t周二\t周三\n1-2节\t{cell}\t\t")
    assert (row.course_name, row.teacher, row.location, row.weeks) == expected
    assert (row.day_of_week, row.section_from, row.section_to) == (1, 1, 2)


CELL = "線性代數 1-8,9-16週 理學大樓 301 陳衛東"
TRADITIONAL = [
    ("csv", "課程名稱,星期,節次,週數,地點,教師\n線性代數,週一,1-2節,1-16週,理學大樓 301,陳衛東"),
    ("csv", "科目名稱,星期,節次,週次,單雙週,教室,任課教師\n線性代數,一,第1-2節,1-16,,理學大樓 301,陳衛東"),
    ("paste", "課程名稱\t上課時間\t地點\t授課教師\n線性代數\t[1-16週]星期一[1-2節]\t理學大樓 301\t陳衛東"),
    ("paste", "\t週一\t週二\t週三\n第1-2節\t線性代數 1-16週 陳衛東 理學大樓 301\t\t"),
    ("paste", f"節次\t禮拜一\t禮拜二\t禮拜三\n1\t{CELL}\t\t\n2\t{CELL}\t\t"),
    ("html", "<table><tr><th><th>週一<th>週二<th>週三<tr><th>第1-2節"
             "<td>線性代數<br>教師：陳衛東<br>週次：1-16週<br>地點：理學大樓 301<td><td></table>"),
]  # fmt: skip


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "gb18030", "cp950"])
@pytest.mark.parametrize(("form", "text"), TRADITIONAL)
def test_a_timetable_in_traditional_characters_is_read_and_its_names_stay(form: str, text: str, encoding: str) -> None:
    row = only_row(form, text, encoding)
    assert (row.course_name, row.teacher, row.location) == ("線性代數", "陳衛東", "理學大樓 301")
    assert (row.day_of_week, row.section_from, row.section_to, row.weeks) == (1, 1, 2, EACH)


def test_weeks_of_one_parity_are_read_in_traditional_characters() -> None:
    table = "課程名稱,星期,節次,週數,單雙週\n大數據,二,3-4節,1-16週,單週"
    assert only_row("csv", table).weeks == ODD
    assert only_row("csv", table.replace("1-16週,單週", "1-16週(單),")).weeks == ODD


@pytest.mark.parametrize("encoding", ["gb18030", "utf-8"])
def test_names_that_could_be_big5_too_stay_as_they_are(encoding: str) -> None:
    row = only_row("csv", "course_name,day,sections,weeks,teacher\n材料力学,1,1-2,1-16,丁毙", encoding)
    assert (row.course_name, row.teacher) == ("材料力学", "丁毙")
