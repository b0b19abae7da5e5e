"""The JSON of the new 正方 system: `kbList` with one meeting each, `sjkList` with courses that have no fixed time.

Of a meeting `kcmc` is the course, `xqj` the weekday, `jcs` (or `jcor`, `jc`) the sections, `zcd` the weeks, `cdmc` the
room, `xm` the teacher; other keys are ignored. Meetings are numbered from 1, those without a fixed time behind them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar

from schedules.calendars.json_courses import name_of, quote, read_row
from schedules.calendars.readers.meeting_text import bare_name, read_weekday
from schedules.calendars.readers.number_lists import sections_of, weeks_of
from schedules.calendars.rows import NAME_MAX, BadRow, NotCourses, Outcome, RowNote
from schedules.planner.grid import Grid

T = TypeVar("T")
PRACTICE = ("sjkList", "jxhjkcList")
"""Lists of courses that have no fixed time."""
SECTIONS = ("jcs", "jcor", "jc")
COLUMNS = {
    "course_name": "kcmc", "day_of_week": "xqj", "sections": "jcs", "start_section": "jcs", "end_section": "jcs",
    "start_section, end_section": "jcs", "weeks": "zcd", "location": "cdmc", "teacher": "xm",
}  # fmt: skip
"""Columns of the JSON form, which judges the numbers, as this file calls them."""


def is_zhengfang(document: Any) -> bool:
    return isinstance(document, Mapping) and "kbList" in document


def rows_of_zhengfang(document: Any, grid: Grid) -> Iterator[Outcome]:
    """Returns all rows, notes and row errors of a document; raises `NotCourses` at once."""
    meetings = document.get("kbList") if isinstance(document, Mapping) else None
    if not isinstance(meetings, list):
        raise NotCourses("应为数组", ("kbList",))
    practice = [course for name in PRACTICE if isinstance(document.get(name), list) for course in document[name]]
    return _rows(meetings, practice, grid)


def _rows(meetings: list[Any], practice: list[Any], grid: Grid) -> Iterator[Outcome]:
    for number, meeting in enumerate(meetings, 1):
        if (
            isinstance(meeting, Mapping)
            and meeting.get("kcmc")
            and all(meeting.get(key) == "" for key in ("xqj", "jcs"))
        ):
            yield _without_time(number, meeting)
        elif isinstance(meeting, Mapping):
            yield from _meetings(number, meeting, grid)
        else:
            yield BadRow("missing_field", "kbList", "应为对象").of(number, source=quote(meeting))
    for number, course in enumerate(practice, len(meetings) + 1):
        yield _without_time(number, course)


def _without_time(number: int, course: Any) -> RowNote:
    name = course.get("kcmc") if isinstance(course, Mapping) else None
    known = name_of({"course_name": name[:NAME_MAX] if isinstance(name, str) else None})
    message = "没有固定的上课时间，已跳过"
    return RowNote(number, "no_fixed_time", "sjkList", message, course_name=known, source=quote(course))


def _meetings(number: int, meeting: Mapping[str, Any], grid: Grid) -> Iterator[Outcome]:
    name = meeting.get("kcmc")
    course = {
        "course_name": bare_name(name) if isinstance(name, str) else name,
        "location": meeting.get("cdmc"),
        "teacher": meeting.get("xm"),
    }
    sections = next((meeting[key] for key in SECTIONS if meeting.get(key)), None)
    told = {key: meeting[key] for key in ("kcmc", "xqj", "xqjmc", *SECTIONS, "zcd", "cdmc", "xm") if key in meeting}
    weekday, weeks = (
        _read(read_weekday, meeting.get("xqj") or meeting.get("xqjmc"), "day_of_week"),
        _read(weeks_of, meeting.get("zcd"), "weeks"),
    )
    runs = _read(sections_of, sections, "sections")
    for first, last in [(runs, runs)] if isinstance(runs, BadRow) else runs:
        arrangement = {"weeks": weeks, "day_of_week": weekday, "start_section": first, "end_section": last}
        yield read_row(number, course, arrangement, grid, source=quote(told), columns=COLUMNS)


def _read(read: Callable[[str], T], value: Any, column: str) -> T | BadRow:
    """Reads what is read, or the `BadRow` that reading raised."""
    if value is None or value == "":
        return BadRow("missing_field", column, "缺少该字段")
    if isinstance(value, bool) or not isinstance(value, str | int):
        return BadRow("missing_field", column, "应为文字")
    try:
        return read(str(value)) if isinstance(value, str) or abs(value) < 10**9 else read("?")
    except BadRow as bad:
        return bad
