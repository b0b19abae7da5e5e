"""The backup file of the WakeUp timetable app: five lines, each a JSON value.

Time-table header, times of the nodes (sections), settings, courses, arrangements. An arrangement is one row, numbered
from 1. Unknown keys are ignored.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import date, time, timedelta
from typing import Any

from schedules.calendars.clock import sections_at
from schedules.calendars.json_courses import name_of, number_of, quote, read_row
from schedules.calendars.rows import BadRow, NotCourses, Outcome, RowError, RowNote, text_of
from schedules.planner.grid import Calendar, minute_of

WEEK_TYPES = ("all", "odd", "even")
CLOCK = re.compile(r"([01]?[0-9]|2[0-3]):([0-5][0-9])")
DATE = re.compile(r"([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})")
COLUMNS = {
    "course_name": "courseName", "location": "room", "day_of_week": "day", "start_section": "startNode",
    "end_section": "step", "start_section, end_section": "startNode, step", "start_week": "startWeek",
    "end_week": "endWeek", "start_week, end_week": "startWeek, endWeek", "week_type": "type",
}  # fmt: skip
"""Columns of the JSON form, which judges the numbers, as this file calls them."""


def rows_of_wakeup(data: bytes, calendar: Calendar) -> Iterator[Outcome]:
    """Returns all rows and row errors of a file; raises `NotCourses` at once."""
    nodes, settings, courses, arrangements = _values(text_of(data))
    names = {course["id"]: course for course in _objects(courses, "id")}
    times = {node["node"]: (node.get("startTime"), node.get("endTime")) for node in _objects(nodes, "node")}
    return _rows(arrangements, names, times, settings.get("startDate"), calendar)


def _values(text: str) -> tuple[list[Any], dict[str, Any], list[Any], list[Any]]:
    lines = [line for line in text.split("\n") if line.strip()]
    try:
        _, nodes, settings, courses, arrangements = (json.loads(line) for line in lines)
    except (ValueError, RecursionError):
        raise NotCourses("不是有效的 WakeUp 文件") from None
    if not isinstance(settings, dict) or not all(isinstance(part, list) for part in (nodes, courses, arrangements)):
        raise NotCourses("不是有效的 WakeUp 文件")
    return nodes, settings, courses, arrangements


def _objects(values: list[Any], key: str) -> Iterator[Mapping[str, Any]]:
    """Returns the objects that are known by the integer `key`."""
    return (value for value in values if isinstance(value, dict) and type(value.get(key)) is int)


def _rows(
    arrangements: list[Any], names: Mapping[int, Any], times: Mapping[int, Any], start: Any, calendar: Calendar
) -> Iterator[Outcome]:
    monday = _first_monday(start)
    for number, arrangement in enumerate(arrangements, 1):
        row = _row(number, arrangement, names, calendar)
        if isinstance(row, RowError):
            yield row
            continue
        nodes = () if arrangement.get("ownTime") is True else range(row.section_from, row.section_to + 1)
        notes = (*_other_start(number, start, calendar), *_other_times(number, nodes, times, calendar))
        yield replace(row, notes=notes, first_monday=monday)


def _row(number: int, arrangement: Any, names: Mapping[int, Any], calendar: Calendar) -> Any:
    """Returns the row or the row error of an arrangement."""
    course: Any = None
    try:
        if not isinstance(arrangement, dict):
            raise BadRow("missing_field", "arrangements", "应为对象")
        course = names.get(number_of(arrangement, "id"))
        if course is None:
            raise BadRow("missing_field", "id", "找不到这门课程")
        first, last = _sections(arrangement, calendar)
        kind = number_of(arrangement, "type")
    except BadRow as bad:
        named = BadRow(bad.code, COLUMNS.get(bad.column, bad.column), bad.message, **bad.values)
        return named.of(number, name_of({"course_name": (course or {}).get("courseName")}), quote(arrangement))
    values = {
        "course_name": course.get("courseName"),
        "location": arrangement.get("room"),
        "teacher": arrangement.get("teacher"),
    }
    meeting = {
        "start_week": arrangement.get("startWeek"),
        "end_week": arrangement.get("endWeek"),
        "week_type": WEEK_TYPES[kind] if 0 <= kind < len(WEEK_TYPES) else "",
        "day_of_week": arrangement.get("day"),
        "start_section": first,
        "end_section": last,
    }
    return read_row(number, values, meeting, calendar.grid, source=quote({**values, **arrangement}), columns=COLUMNS)


def _first_monday(start: Any) -> date | None:
    """Returns the Monday of the file's first week, None when it tells of none."""
    found = DATE.fullmatch(start) if isinstance(start, str) else None
    try:
        day = date(int(found[1]), int(found[2]), int(found[3])) if found else None
        return None if day is None else day - timedelta(days=day.weekday())
    except (ValueError, OverflowError):
        return None


def _sections(arrangement: Mapping[str, Any], calendar: Calendar) -> tuple[int, int]:
    if arrangement.get("ownTime") is not True:
        first, step = number_of(arrangement, "startNode"), number_of(arrangement, "step")
        return first, first + step - 1
    begin, end = (_clock(arrangement, column) for column in ("startTime", "endTime"))
    if end <= begin:
        raise BadRow("bad_range", "endTime", "结束时间不晚于开始时间")
    found = sections_at(calendar.section_times, minute_of(begin), minute_of(end))
    if found is None:
        raise BadRow(
            "no_section_for_time",
            "startTime, endTime",
            "{begin} 到 {end} 不对应任何节次",
            begin=f"{begin:%H:%M}",
            end=f"{end:%H:%M}",
        )
    return found


def _clock(arrangement: Mapping[str, Any], column: str) -> time:
    value = arrangement.get(column)
    if value in (None, ""):
        raise BadRow("missing_field", column, "缺少该字段")
    found = CLOCK.fullmatch(value) if isinstance(value, str) else None
    if found is None:
        raise BadRow("bad_number", column, "应为 HH:MM 时间")
    return time(int(found[1]), int(found[2]))


def _other_start(number: int, start: Any, calendar: Calendar) -> list[RowNote]:
    """Returns a note when week 1 of the file is not week 1 of the semester."""
    found = DATE.fullmatch(start) if isinstance(start, str) else None
    if found and (int(found[1]), int(found[2]), int(found[3])) == calendar.first_monday.timetuple()[:3]:
        return []
    values = {"file": found[0] if found else "?", "semester": calendar.first_monday.isoformat()}
    return [_mismatch(number, "startDate", "文件的第一周从 {file} 开始，学期从 {semester} 开始", values)]


def _other_times(number: int, nodes: Iterable[int], times: Mapping[int, Any], calendar: Calendar) -> list[RowNote]:
    """Returns a note when a node of the row has other times than the section of its number."""
    for node in nodes:
        section = tuple(f"{clock:%H:%M}" for clock in calendar.section_times[node - 1])
        if node in times and times[node] != section:
            told = all(isinstance(clock, str) and CLOCK.fullmatch(clock) for clock in times[node])
            values = {"node": node, "file": "-".join(times[node]) if told else "?", "semester": "-".join(section)}
            return [_mismatch(number, "node", "第{node}节在文件中是 {file}，在学期中是 {semester}", values)]
    return []


def _mismatch(number: int, column: str, message: str, values: Mapping[str, object]) -> RowNote:
    return RowNote(number, "semester_mismatch", column, message, values)
