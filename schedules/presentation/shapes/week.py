"""Shapes of the JSON of a week and of today."""

from __future__ import annotations

from typing import Literal

from typing_extensions import TypedDict

from schedules.exams.shapes import ExamObject
from schedules.planner.shapes import (
    WeeklyEventBrief,
)
from schedules.presentation.shapes.progress import DonePart, MissedItem
from schedules.terms.shapes import Departure, KeptFreeTime, TermDay
from taskclasses.shapes import (
    ClockText,
    DateText,
    ProgressText,
    Weekday,
)


class WeekEvent(WeeklyEventBrief):
    """Holds an event; `change` is null for a lesson as the weekly pattern has it, and for a task."""

    change: Departure | None


FeedKind = Literal["course", "task", "exam"]


class Week(TypedDict):
    """Holds a week; `fallen_out` = lessons that are not held, at their place in the pattern; `parts` = what was done in
    part, where it stood; `days` = dates with an exception."""

    week: int
    first_date: DateText
    events: list[WeekEvent]
    fallen_out: list[WeekEvent]
    parts: list[DonePart]
    days: list[TermDay]
    kept_free: list[KeptFreeTime]


class TodayItem(TypedDict):
    """Holds an item of today; `host_event_id` is that of the lesson it is done in, else 0."""

    task_item_id: int
    task_class_id: int
    class_name: str
    name: str
    section_from: int
    section_to: int
    start_time: ClockText
    end_time: ClockText
    host_event_id: int
    host_name: str
    progress: ProgressText
    sections_left: int | None


class Gap(TypedDict):
    """Holds a run of free sections inside a part of the day."""

    section_from: int
    section_to: int
    sections: int
    start_time: ClockText
    end_time: ClockText


class TodayNow(TypedDict):
    """Tells what is on now; `section` is 0 between and outside the sections."""

    time: ClockText
    section: int
    current: list[WeekEvent]
    next: WeekEvent | None


class DayAhead(TypedDict):
    date: DateText
    week: int
    day_of_week: Weekday
    lessons: int
    items: int
    events: list[WeekEvent]


class DueClass(TypedDict):
    """Holds a class that ends soon, and what of it is not done."""

    task_class_id: int
    name: str
    end_date: DateText
    days_left: int
    items_left: int
    sections_left: int


class TodayMore(TypedDict):
    """Tells what today is made of beside its events."""

    lessons: list[WeekEvent]
    exams: list[WeekEvent]
    items: list[TodayItem]
    gaps: list[Gap]
    now: TodayNow
    next_days: list[DayAhead]
    missed: list[MissedItem]
    due: list[DueClass]


class Today(TodayMore):
    """Holds today; `week` is 0 outside the semester; `exams_ahead` are those of today and all that come, with the days
    left."""

    date: DateText
    week: int
    day_of_week: Weekday
    events: list[WeekEvent]
    fallen_out: list[WeekEvent]
    parts: list[DonePart]
    days: list[TermDay]
    kept_free: list[KeptFreeTime]
    exams_ahead: list[ExamObject]
