"""Shapes of the JSON of semesters."""

from __future__ import annotations

from typing_extensions import TypedDict

from schedules.planner.shapes import (
    CellPoint,
    WeekDay,
)
from taskclasses.shapes import (
    ClockText,
    DateText,
)


class SemesterObject(TypedDict):
    """Holds a semester; `section_times` = first and last minute of each section; `today` is null outside the semester.

    `shared` = published by staff, not the student's own; `current` = what is read and written when none is named.
    """

    id: int
    name: str
    first_monday: DateText
    weeks: int
    section_times: list[list[ClockText]]
    day_parts: list[list[int]]
    time_zone: str
    today: WeekDay | None
    shared: bool
    current: bool


class TermObject(SemesterObject):
    """Holds the semester that is read and written; nothing can be placed on its `closed_days`: holidays without study.

    `kept_free`: cells that the student wants free of study, where only a place of the student's own may be.
    """

    closed_days: list[WeekDay]
    kept_free: list[CellPoint]
