"""Cells of a week grid whose lines tell a time together with other words, and several times of one course."""

from __future__ import annotations

from typing import Any

import pytest

from schedules.calendars.files import rows_of_file
from schedules.calendars.rows import CourseRow, RowError, UnknownForm
from tests.kits.timetable.terms import calendar

FIRST, SECOND = tuple(range(1, 9)), tuple(range(9, 17))


def read(cell: str) -> list[Any]:
    """The rows of a week whose first two sections of Monday hold the cell."""
    days = "".join(f"<th>星期{day}</th>" for day in "一二三四五")
    words = cell.replace("\n", "<br>")
    page = f"<table><tr><th></th>{days}</tr><tr><th>1-2</th><td>{words}</td>{'<td></td>' * 4}</tr></table>"
    return rows_of_file("html", page.encode(), calendar())


@pytest.mark.storeless
@pytest.mark.parametrize(
    ("cell", "weeks"),
    [
        (
            "高等数学★\n(1-2节)1-16周/校区:主/场地:教1-101/教师:张三/教学班:(2026-2027-1)-M01-01/周学时:4",
            FIRST + SECOND,
        ),
        (
            "高等数学 ☆\n(1-2 节)1-2 周，4-6 周 (双),7-8 周/教1-101/张三/2025 级网络 1 班/考试/无/讲授:56",
            (1, 2, 4, 6, 7, 8),
        ),
        ("100172102 高等数学[01]\n张三\n1-5周(单),9-16周,星期1,第1节-第2节,教1-101", (1, 3, 5, *SECOND)),
        ("高等数学\n[1-16周] 张三\n教1-101", FIRST + SECOND),
        ("高等数学\n张三 1-16周\n教1-101", FIRST + SECOND),
        ("高等数学\n张三([1-8周])\n教1-101", FIRST),
    ],
)
def test_a_line_may_tell_a_time_with_what_belongs_to_it(cell: str, weeks: tuple[int, ...]) -> None:
    (row,) = read(cell)
    assert isinstance(row, CourseRow)
    assert (row.course_name, row.teacher, row.location.split()[-1]) == ("高等数学", "张三", "教1-101")
    assert (row.day_of_week, row.section_from, row.section_to, row.weeks) == (1, 1, 2, weeks)
    assert "高等数学" in row.source


@pytest.mark.storeless
@pytest.mark.parametrize(
    "cell",
    [
        "高等数学\n张三\n1-8周\n教1-101\n9-16周\n教2-202",
        "高等数学\n1-8周\n张三\n教1-101\n9-16周\n张三\n教2-202",
        "高等数学\n张三\n1-8周 教1-101, 9-16周 教2-202",
        "高等数学\n张三\n1-8周 教1-101\n9-16周 教2-202",
        "高等数学\n(1-2节)1-8周/场地:教1-101/教师:张三\n高等数学\n(1-2节)9-16周/场地:教2-202/教师:张三",
    ],
)
def test_a_course_with_a_room_for_each_of_its_times_has_one_name(cell: str) -> None:
    told = [(row.course_name, row.teacher, row.location, row.weeks) for row in read(cell)]
    assert told == [("高等数学", "张三", "教1-101", FIRST), ("高等数学", "张三", "教2-202", SECOND)]


@pytest.mark.storeless
def test_teachers_that_take_turns_have_their_weeks_each() -> None:
    told = [
        (row.course_name, row.teacher, row.location, row.weeks)
        for row in read("线代\n张三(1-8周),李四(9-16周)\n教1-101")
    ]
    assert told == [("线代", "张三", "教1-101", FIRST), ("线代", "李四", "教1-101", SECOND)]


@pytest.mark.storeless
def test_odd_weeks_behind_a_name_are_offered_as_such() -> None:
    odd, even = read("高等数学（单周）教1-101 张三\n线性代数（双周）教1-102 李四")
    assert isinstance(odd, RowError)
    assert (odd.course_name, even.course_name) == ("高等数学", "线性代数")
    assert odd.offers[0].row.weeks == tuple(range(1, 21, 2))
    assert even.offers[0].row.weeks == tuple(range(2, 21, 2))
    assert (odd.offers[0].row.teacher, odd.offers[0].row.location) == ("张三", "教1-101")


@pytest.mark.storeless
def test_the_number_of_a_class_behind_a_name_is_no_section() -> None:
    rows = read("100172102 线性代数[01]\n钱七\n1-8周\n教1-101\n100172103 概率论[02]\n孙八\n9-16周\n教1-102")
    assert [(row.course_name, row.teacher) for row in rows] == [("线性代数", "钱七"), ("概率论", "孙八")]


@pytest.mark.storeless
def test_a_pasted_list_tells_a_course_in_each_of_its_lines() -> None:
    lines = [
        "2026 春 课表",
        "1. 高等数学 周一1-2节 1-16周 教1-101 张三",
        "2、大学英语：周二第3、4节，周四第1、2节，1-16周(单)，外语楼305",
        "- 体育 周五7-8节",
    ]
    title, maths, first, second, sports = rows_of_file("paste", "\n".join(lines).encode(), calendar())
    assert [(row.course_name, row.code) for row in (title, sports) if isinstance(row, RowError)] == [
        ("2026 春 课表", "missing_field"),
        ("体育", "missing_field"),
    ]
    assert (maths.course_name, maths.teacher, maths.location) == ("高等数学", "张三", "教1-101")
    assert (maths.day_of_week, maths.section_from, maths.section_to, maths.weeks) == (1, 1, 2, FIRST + SECOND)
    assert [(row.day_of_week, row.section_from, row.location) for row in (first, second)] == [
        (2, 3, "外语楼305"),
        (4, 1, "外语楼305"),
    ]
    assert first.weeks == second.weeks == tuple(range(1, 17, 2))


@pytest.mark.storeless
@pytest.mark.parametrize(
    "text", ["周一开会", "高等数学 教1-101", "https://jw.example.edu.cn/kb?gnmkdm=N2151", "1-16周 周报"]
)
def test_a_text_whose_lines_tell_no_meeting_is_no_timetable(text: str) -> None:
    with pytest.raises(UnknownForm):
        rows_of_file("paste", text.encode(), calendar())
