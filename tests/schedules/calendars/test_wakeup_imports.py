"""Backups of the WakeUp timetable app."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schedules.calendars.files import rows_of_file
from schedules.calendars.rows import CourseRow, NotCourses, Outcome, RowError
from tests.kits.timetable.terms import FILES, calendar

pytestmark = pytest.mark.storeless

SAMPLE = (FILES / "term.wakeup_schedule").read_text(encoding="utf-8")
HEADER, NODES, SETTINGS, COURSES, ARRANGEMENTS = SAMPLE.splitlines()
MEETING = json.loads(ARRANGEMENTS)[0]


def read(*, arrangements: Any = None, settings: Any = None, courses: Any = None, nodes: Any = None) -> list[Outcome]:
    given_parts = (nodes, settings, courses, arrangements)
    kept = [NODES, SETTINGS, COURSES, ARRANGEMENTS]
    lines = [json.dumps(part) if part is not None else line for part, line in zip(given_parts, kept, strict=True)]
    return rows_of_file("wakeup", "\n".join((HEADER, *lines)).encode(), calendar())


def test_a_backup_is_read_with_odd_and_even_weeks_and_own_times() -> None:
    maths, odd, even, own = rows_of_file("wakeup", SAMPLE.encode(), calendar())
    weeks = range(1, 17)
    assert maths == CourseRow(1, "概率论", "教3-201", False, tuple(weeks), 1, 1, 2, "张三")
    assert odd == CourseRow(2, "概率论", "", False, tuple(weeks[::2]), 3, 1, 2)
    assert isinstance(even, CourseRow)
    assert (even.course_name, even.weeks, even.section_from, even.section_to) == ("毛概", tuple(weeks[1::2]), 3, 4)
    assert isinstance(own, CourseRow)
    assert (own.day_of_week, own.section_from, own.section_to, own.notes) == (7, 9, 10, ())


def test_other_times_and_another_start_only_warn() -> None:
    even = rows_of_file("wakeup", SAMPLE.encode(), calendar())[2]
    assert isinstance(even, CourseRow)
    assert [note.code for note in even.notes] == ["semester_mismatch"]
    assert even.notes[0].sentence("en") == "node: period 3 is 10:05-10:50 in the file and 10:15-11:00 in the semester"
    for start in ("2025-09-01", "", None, 5, "\ud800"):
        rows = read(settings={"startDate": start})
        assert [row.notes[0].column for row in rows if isinstance(row, CourseRow)] == ["startDate"] * 4
        json.dumps(
            [row.notes[0].sentence("zh") for row in rows if isinstance(row, CourseRow)], ensure_ascii=False
        ).encode()


@pytest.mark.parametrize(
    ("changes", "code", "column"),
    [
        ({"id": 99}, "missing_field", "id"),
        ({"id": None}, "missing_field", "id"),
        ({"id": "0"}, "bad_number", "id"),
        ({"id": []}, "bad_number", "id"),
        ({"day": 0}, "bad_weekday", "day"),
        ({"day": None}, "missing_field", "day"),
        ({"startNode": 12}, "section_outside_day", "startNode, step"),
        ({"step": 0}, "bad_range", "step"),
        ({"step": 10**12}, "section_outside_day", "startNode, step"),
        ({"type": 3}, "bad_weeks", "type"),
        ({"endWeek": 21}, "week_outside_semester", "startWeek, endWeek"),
        ({"startWeek": 9, "endWeek": 8}, "bad_range", "endWeek"),
        ({"startWeek": 2, "endWeek": 2, "type": 1}, "bad_weeks", "type"),
        ({"room": "x" * 256}, "missing_field", "room"),
        ({"ownTime": True, "startTime": "", "endTime": "09:00"}, "missing_field", "startTime"),
        ({"ownTime": True, "startTime": "25:00", "endTime": "09:00"}, "bad_number", "startTime"),
        ({"ownTime": True, "startTime": "10:00", "endTime": "09:00"}, "bad_range", "endTime"),
        ({"ownTime": True, "startTime": "12:00", "endTime": "13:30"}, "no_section_for_time", "startTime, endTime"),
    ],
)
def test_a_bad_arrangement_names_its_key_and_hides_no_other(changes: dict[str, Any], code: str, column: str) -> None:
    bad, good = read(arrangements=[{**MEETING, **changes}, MEETING])
    assert isinstance(bad, RowError)
    assert (bad.row, bad.code, bad.column) == (1, code, column)
    assert isinstance(good, CourseRow)


def test_a_course_without_a_name_is_told_by_its_key() -> None:
    (bad, *_) = read(courses=[{"id": 0}, {"id": 1, "courseName": 5}])
    assert isinstance(bad, RowError)
    assert (bad.code, bad.column) == ("missing_field", "courseName")


@pytest.mark.parametrize(
    "data",
    [b"", b"{}", b"[]\n[]\n{}\n[]\n[]\n[]", b"{}\n[]\n{}\n[]", b"{}\n[]\n{}\n[]\nx", b"{}\n{}\n{}\n[]\n[]", b"\xff\xff",
     b"{}\n[]\n{}\n[]\n" + b"[" * 100_000],
    ids=range(8),
)  # fmt: skip
def test_a_file_that_is_no_backup_is_refused_whole(data: bytes) -> None:
    with pytest.raises(NotCourses):
        rows_of_file("wakeup", data, calendar())


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 10**13) | st.floats(allow_nan=False) | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["id", "node", "day"]), inner, max_size=3)
    ),
    max_leaves=5,
)


@given(st.lists(JSON, max_size=3), st.lists(JSON, max_size=3), st.dictionaries(st.sampled_from(sorted(MEETING)), JSON))
def test_any_values_are_rows_or_errors(nodes: Any, courses: Any, changes: dict[str, Any]) -> None:
    outcomes = read(
        nodes=nodes, courses=[*json.loads(COURSES), *courses], arrangements=[{**MEETING, **changes}, *nodes]
    )
    assert len(outcomes) == 1 + len(nodes)
