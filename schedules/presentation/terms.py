"""Exceptions and lesson changes as JSON values of the API."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, cast

from schedules.mapping import stored_lesson
from schedules.models import ScheduleEvent
from schedules.planner.grid import Calendar, week_and_weekday
from schedules.terms.departures import departure_of, lesson_place
from schedules.terms.exceptions import KEPT_FREE, ExceptionValues, TermExceptions
from schedules.terms.shapes import ExceptionFields, ExceptionObject, KeptFreeTime, LessonChangeObject, TermDay

EXCEPTION_COLUMNS = (
    "kind", "name", "first_date", "last_date", "study_allowed", "lessons_held", "follows_date", "parity",
    "section_from", "section_to", "note",
)  # fmt: skip
SECTIONS = ("section_from", "section_to")
"""The columns that only time kept free has, and not all of it."""


def exception_json(image: Mapping[str, Any]) -> ExceptionObject:
    """Returns an exception; one that is yet to be made has the id 0."""
    return cast(ExceptionObject, {"id": image.get("id", 0), **{name: image.get(name) for name in EXCEPTION_COLUMNS}})


def term_days(days: Iterable[int], term: TermExceptions, calendar: Calendar) -> list[TermDay]:
    """Returns the days on which an exception counts."""
    found = [(day, row) for day in days if (row := term.on(day)) is not None]
    return [
        {
            "date": calendar.date_of(day).isoformat(),
            "day_of_week": week_and_weekday(day)[1],
            "kind": row.kind,
            "name": row.name,
            "study_allowed": day not in term.closed_days,
            "follows_date": None if row.follows is None else calendar.date_of(row.follows).isoformat(),
        }
        for day, row in found
    ]


def kept_free_times(days: Iterable[int], term: TermExceptions, calendar: Calendar) -> list[KeptFreeTime]:
    """Returns what is kept free of study on some days."""
    kept = [row for row in term.rows if row.kind == KEPT_FREE]
    return [
        {
            "date": calendar.date_of(day).isoformat(),
            "day_of_week": week_and_weekday(day)[1],
            "section_from": row.sections[0],
            "section_to": row.sections[1],
            "name": row.name,
        }
        for day in days
        for row in kept
        if day in row.days
    ]


def lesson_change_json(event: ScheduleEvent) -> LessonChangeObject:
    """Returns what the student did to a lesson that departs from the pattern by it."""
    change = changed_lesson_json({"id": event.pk, **stored_lesson(event)})
    assert change is not None, "only changed lessons are listed"
    return change


def changed_lesson_json(lesson: dict[str, Any]) -> LessonChangeObject | None:
    """Returns what the student did to a lesson; None when it stands as the weekly pattern has it."""
    departure = departure_of(lesson) if lesson["change"] else None
    if departure is None:
        return None
    return {
        **departure,
        "id": lesson.get("id", 0),
        "course_id": lesson["course_id"],
        "name": lesson["name"],
        "to": lesson_place(lesson) if lesson["held"] else None,
    }


def fields_of(values: ExceptionValues) -> ExceptionFields:
    """Returns an exception that a student may take over."""
    return {
        "kind": values.kind,
        "name": values.name,
        "first_date": values.first_date.isoformat(),
        "last_date": values.last_date.isoformat(),
        "study_allowed": values.study_allowed,
        "lessons_held": values.lessons_held,
        "follows_date": values.follows_date.isoformat() if values.follows_date else None,
        "parity": values.parity,
        "section_from": values.section_from,
        "section_to": values.section_to,
        "note": values.note,
    }
