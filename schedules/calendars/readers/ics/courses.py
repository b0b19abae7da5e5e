"""The iCalendar form of courses: every VEVENT is expanded inside the semester.

A VEVENT is one row, numbered from 1; where its lessons lie on several weekdays or at several times, several rows have
its number. Lessons that are cancelled in the file are interrupted in the timetable.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import date, datetime, time, timedelta
from typing import Any

import icalendar
import recurring_ical_events

from schedules.calendars.clock import sections_between
from schedules.calendars.json_courses import course_row
from schedules.calendars.readers.ics.lines import EMBEDDABLE, KIND, EventLines, events_of, unfold_lines
from schedules.calendars.readers.ics.rules import RuleLimits
from schedules.calendars.rows import (
    NAME_MAX,
    OCCURRENCES_MAX,
    SOURCE_MAX,
    BadRow,
    CourseRow,
    Outcome,
    RowError,
    RowNote,
    TooMany,
    text_of,
)
from schedules.planner.grid import Calendar, Outside, week_and_weekday

Event = Any
"""An `icalendar.Event`; what a property holds depends on its name, and the checks below make sure of it."""
NUMBER = "X-SMARTMATE-NUMBER"
"""Tells of an occurrence which VEVENT of the file it comes from."""
LENGTH_MAX = timedelta(days=1)
Lesson = tuple[int, int, int, int, bool]
"""(VEVENT, weekday, first section, last section, interrupted); a row lists the weeks it meets in."""


def rows_of_ics(data: bytes, calendar: Calendar) -> list[Outcome]:
    """Returns all rows, notes and row errors of a file; raises `NotCourses` and `TooMany`."""
    first = datetime.combine(calendar.first_monday, time(), calendar.zone)
    last = datetime.combine(calendar.last_day + timedelta(days=1), time(), calendar.zone)
    limits = RuleLimits(last)
    outcomes: list[Outcome] = []
    events: list[Event] = []
    told = events_of(text_of(unfold_lines(data)), calendar.time_zone)
    for lines in told:
        try:
            events.append(_event(lines))
        except BadRow as bad:
            outcomes.append(bad.of(lines.number))
        except _AllDay:
            outcomes.append(RowNote(lines.number, "all_day", "DTSTART", "全天事件不是课程，已跳过"))
        except _Moment:
            outcomes.append(RowNote(lines.number, "moment", "DTEND", "只有一个时刻，比如作业截止，不是课程，已跳过"))
        except _Exam as exam:
            outcomes.append(RowNote(lines.number, "exam", "", "考试没有导入：{when}", {"when": str(exam)}))
    left = OCCURRENCES_MAX
    for series in _series(events):
        number = _number(series[0])
        try:
            found = _expand_series(series, limits, first, last)
        except BadRow as bad:
            outcomes.append(bad.of(number))
            continue
        left -= len(found)
        if left < 0:
            raise TooMany("occurrences", OCCURRENCES_MAX)
        outcomes += _rows(found, calendar) or [RowNote(number, "semester_mismatch", "DTSTART", "不在本学期内，已跳过")]
    return [
        _quote_lines(outcome, told[outcome.row - 1]) for outcome in sorted(outcomes, key=lambda outcome: outcome.row)
    ]


def _quote_lines(outcome: Outcome, lines: EventLines) -> Outcome:
    """Returns an outcome with the lines that it was read from."""
    source = "; ".join(line for line in lines.lines if not line.startswith("UID"))[:SOURCE_MAX]
    if isinstance(outcome, CourseRow):
        return replace(outcome, source=source)
    name = next((line.partition(":")[2] for line in lines.lines if line.upper().startswith("SUMMARY")), "")
    return replace(outcome, source=source, course_name=name[:NAME_MAX])


class _AllDay(Exception):
    pass


class _Moment(Exception):
    """Tells that an event begins and ends at once, as what is due does in the calendars of learning platforms."""


class _Exam(Exception):
    """Tells when an exam is that we wrote ourselves: it has a list of its own and is no lesson."""


def _event(lines: EventLines) -> Event:
    """Returns the event that its lines tell of, with all that an expansion relies on; raises `BadRow`, `_AllDay`,
    `_Moment`, `_Exam`."""
    if lines.fault is not None:
        raise lines.fault
    try:
        event: Event = icalendar.Event.from_ical("\r\n".join(("BEGIN:VEVENT", *lines.lines, "END:VEVENT")))
    except Exception as error:  # the library raises whatever it stumbles over in a broken line
        raise BadRow("missing_field", "VEVENT", "内容无效") from error
    if event.errors:
        column = event.errors[0][0] or "VEVENT"
        recurs = column in ("RRULE", "RDATE", "EXDATE")
        raise BadRow("unsupported_recurrence" if recurs else "bad_number", column, "内容无效")
    if "EXRULE" in event:
        raise BadRow("unsupported_recurrence", "EXRULE", "不支持的重复规则")
    if "DTSTART" not in event:
        raise BadRow("missing_field", "DTSTART", "缺少该字段")
    start = event["DTSTART"].dt
    if not isinstance(start, date):
        raise BadRow("bad_number", "DTSTART", "内容无效")
    if not isinstance(start, datetime):
        raise _AllDay
    if not str(event.get("SUMMARY", "")).strip():
        raise BadRow("missing_field", "SUMMARY", "缺少该字段")
    length = _length(event, start)
    if length == timedelta():
        raise _Moment
    if length < timedelta():
        raise BadRow("bad_range", "DTEND", "结束时间不晚于开始时间")
    if _says(event, KIND, "EXAM"):
        raise _Exam(f"{start:%Y-%m-%d %H:%M}–{start + length:%H:%M}")
    if length > LENGTH_MAX:
        raise BadRow("no_section_for_time", "DTEND", "超过一天的事件不是课程")
    event[NUMBER] = lines.number
    return event


def _length(event: Event, start: datetime) -> timedelta:
    """Tells how long an event lasts: no time where nothing says it (RFC 5545, 3.6.1), less where its end is a day."""
    if "DTEND" in event:
        end = event["DTEND"].dt
        return end - start if isinstance(end, datetime) else -LENGTH_MAX
    length = event["DURATION"].dt if "DURATION" in event else None
    return length if isinstance(length, timedelta) else timedelta()


def _number(event: Event) -> int:
    return int(event[NUMBER])


def _series(events: Iterable[Event]) -> Iterator[list[Event]]:
    """Yields each event with the overrides of its occurrences, which name it by its UID.

    Events that share a UID without being overrides are lessons of their own: some school systems give all the same.
    """
    masters: dict[str, list[Event]] = defaultdict(list)
    overrides: dict[str, list[Event]] = defaultdict(list)
    for event in events:
        uid = str(event.get("UID", "")) or f"number {_number(event)}"
        (overrides if "RECURRENCE-ID" in event else masters)[uid].append(event)
    for uid, found in masters.items():
        yield from ([event] for event in found[:-1])
        yield [found[-1], *overrides.pop(uid, [])]
    yield from overrides.values()


def _expand_series(series: list[Event], limits: RuleLimits, first: datetime, last: datetime) -> list[Event]:
    """Returns the occurrences of a series between two moments; raises `BadRow`."""
    # The library walks through the rule of a series once more for each override that brings rules or dates of its own.
    walks = 1 + sum(1 for event in series[1:] if {"RRULE", "RDATE", "EXDATE"} & set(event))
    calendar = icalendar.Calendar()
    calendar.subcomponents = list(series)
    try:
        for event in series:
            rules = event.get("RRULE", [])
            for rule in rules if isinstance(rules, list) else [rules]:
                limits.bound(rule, event["DTSTART"].dt, walks)
        return list(recurring_ical_events.of(calendar).between(first, last))
    except BadRow:
        raise
    except Exception as error:  # the libraries raise whatever they stumble over in dates that do not fit together
        raise BadRow("unsupported_recurrence", "RRULE", "不支持的重复规则") from error


def _rows(occurrences: Iterable[Event], calendar: Calendar) -> list[Outcome]:
    """Makes one row of occurrences that differ only in their week; a VEVENT is told once what is wrong with its
    times."""
    weeks: dict[Lesson, set[int]] = defaultdict(set)
    told: dict[int, Event] = {}
    errors: dict[int, RowError] = {}
    for occurrence in occurrences:
        number = _number(occurrence)
        begin, end = (occurrence[name].dt.astimezone(calendar.zone) for name in ("DTSTART", "DTEND"))
        day = calendar.day_of(begin.date())
        if isinstance(day, Outside):
            continue
        sections = sections_between(calendar.section_times, begin, end)
        if sections is None:
            values = {"begin": f"{begin:%m-%d %H:%M}", "end": f"{end:%m-%d %H:%M}"}
            message = "{begin} 到 {end} 不对应任何节次"
            errors.setdefault(number, RowError(number, "no_section_for_time", "DTSTART, DTEND", message, values))
            continue
        week, weekday = week_and_weekday(day)
        told[number] = occurrence
        interrupted = str(occurrence.get("STATUS", "")).upper() == "CANCELLED"
        weeks[number, weekday, *sections, interrupted].add(week)
    return [*errors.values(), *(_row(lesson, found, told[lesson[0]], calendar) for lesson, found in weeks.items())]


def _row(lesson: Lesson, weeks: set[int], event: Event, calendar: Calendar) -> CourseRow | RowError:
    number, weekday, first, last, interrupted = lesson
    course = {
        "course_name": str(event["SUMMARY"]),
        "location": str(event.get("LOCATION", "")),
        "is_allow_tasks": _says(event, EMBEDDABLE, "TRUE"),
    }
    meeting = {"weeks": sorted(weeks), "day_of_week": weekday, "start_section": first, "end_section": last}
    try:
        row = course_row(number, course, meeting, calendar.grid)
    except BadRow as bad:
        return replace(
            bad.of(number), column={"course_name": "SUMMARY", "location": "LOCATION"}.get(bad.column, bad.column)
        )
    return replace(row, interrupted=interrupted, task=_says(event, KIND, "TASK"))


def _says(event: Event, name: str, value: str) -> bool:
    return str(event.get(name, "")).upper() == value
