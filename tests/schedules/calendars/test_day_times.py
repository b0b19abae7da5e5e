"""Tables that tell when a course meets by the clock, or count the sections of each part of the day from 1."""

from __future__ import annotations

import pytest

from schedules.calendars.files import rows_of_file
from schedules.calendars.rows import CourseRow, RowError
from schedules.planner.grid import Calendar
from tests.kits.timetable.terms import calendar

TWO_PARTS = "08:00-08:45 08:55-09:40 10:00-10:45 10:55-11:40 14:00-14:45 14:55-15:40 15:50-16:35 16:40-17:25"


def sections_of_heads(heads: list[str], *, of: Calendar | None = None) -> list[tuple[int, int] | str]:
    """Returns the sections of a course in each row of a week with these heads, or the code of what is wrong."""
    lines = [f"{head}\t\t课{at} 1-8周\t" for at, head in enumerate(heads)]
    table = "\n".join(("\t" * heads[0].count("\t") + "节次\t周一\t周二\t周三", *lines))
    rows = rows_of_file("csv", table.encode(), of or calendar())
    assert [row.course_name for row in rows] == [f"课{at}" for at in range(len(heads))]
    return [(row.section_from, row.section_to) if isinstance(row, CourseRow) else row.code for row in rows]


@pytest.mark.parametrize(
    ("heads", "sections"),
    [
        (["08:00-09:40", "10:15-11:55", "19:00 - 21:35"], [(1, 2), (3, 4), (9, 11)]),
        (["8：00—9：40", "2:00-3:40 PM", "9:00 AM to 11:00 AM"], [(1, 2), (5, 6), (2, 3)]),
        (["12:05-13:30", "8:00"], ["no_section_for_time", "missing_field"]),
        (["第三节 08:00-08:45", "1 08:00 08:45"], [(3, 3), (1, 1)]),
        (["第五大节(09,10,11小节)", "第一大节(01,02小节)08:00-09:40"], [(9, 11), (1, 2)]),
        (["上午1-2节", "上午3-4节", "下午1-2节", "晚上1节"], [(1, 2), (3, 4), (5, 6), (9, 9)]),
        (["上午1-2节", "下午5-6节", "晚上9-10节"], [(1, 2), (5, 6), (9, 10)]),
        (["上午\t1", "上午\t2", "下午\t1", "下午\t2", "晚上\t1"], [(1, 1), (2, 2), (5, 5), (6, 6), (9, 9)]),
        (["上午\t1", "下午\t5", "下午\t6"], [(1, 1), (5, 5), (6, 6)]),
    ],
)
def test_the_heads_of_rows_name_sections_by_number_by_the_clock_or_within_a_part(
    heads: list[str], sections: list[tuple[int, int] | str]
) -> None:
    assert sections_of_heads(heads) == sections


@pytest.mark.parametrize(
    ("when", "sections"),
    [
        ("周二14:00-15:40 1-16周", (5, 6)),
        ("1-16周 周二 14:00~15:40", (5, 6)),
        ("周二下午1-2节 1-16周", (5, 6)),
        ("周二下午第5-6节 1-16周", (5, 6)),
        ("周二 第5-6节(14:00-15:40) 1-16周", (5, 6)),
        ("周二 晚上第1节 1-16周", (9, 9)),
    ],
)
def test_a_course_list_tells_a_time_by_the_clock_or_within_a_part(when: str, sections: tuple[int, int]) -> None:
    (row,) = rows_of_file("csv", f"课程,上课时间\n英语,{when}\n".encode(), calendar())
    assert isinstance(row, CourseRow)
    assert (row.day_of_week, row.weeks) == (2, tuple(range(1, 17)))
    assert (row.section_from, row.section_to) == sections


def test_columns_of_clock_times_stand_for_those_of_sections() -> None:
    table = "课程,星期,开始时间,结束时间,周数\n英语,二,14:00,15:40,1-16\n体育,三,12:00,13:00,1-16\n美术,四,午,晚,1-16"
    english, *bad = rows_of_file("csv", table.encode(), calendar())
    assert isinstance(english, CourseRow)
    assert (english.section_from, english.section_to) == (5, 6)
    assert [(row.course_name, row.code) for row in bad if isinstance(row, RowError)] == [
        ("体育", "no_section_for_time"),
        ("美术", "bad_number"),
    ]


@pytest.mark.parametrize("times", ["12:30,13:05", "2026-03-02,2026-06-28"])
@pytest.mark.parametrize("columns", [("节次", "3-4"), ("开始节数,结束节数", "3,4")])
def test_numbers_of_sections_count_beside_columns_of_times(columns: tuple[str, str], times: str) -> None:
    table = f"课程,星期,{columns[0]},开始时间,结束时间,周数\n英语,二,{columns[1]},{times},1-16"
    (row,) = rows_of_file("csv", table.encode(), calendar())
    assert isinstance(row, CourseRow)
    assert (row.section_from, row.section_to) == (3, 4)


def test_a_part_that_the_section_table_does_not_set_apart_is_not_guessed() -> None:
    of = calendar(times=TWO_PARTS)
    assert sections_of_heads(["上午1-2节", "下午1-2节", "晚上1节", "晚上7节"], of=of) == [
        (1, 2), (5, 6), "bad_number", (7, 7)
    ]  # fmt: skip


def test_a_day_of_an_exam_beside_a_lesson_is_no_time_of_it() -> None:
    cell = "高数<br>周一第1,2节{第1-16周}<br>张三<br>教1-101<br>2027年01月11日(14:00-16:00)<br>体育馆"
    page = f"<table><tr><td></td><td>周一</td><td>周二</td><td>周三</td></tr><tr><td>1</td><td>{cell}</td></tr></table>"
    row = rows_of_file("html", page.encode(), calendar())[0]
    assert isinstance(row, CourseRow)
    assert (row.section_from, row.section_to, row.teacher, row.location) == (1, 2, "张三", "教1-101")
