"""Shapes of the JSON that the timetable's endpoints answer."""

from __future__ import annotations

from typing import Literal

from typing_extensions import TypedDict

from schedules.planner.shapes import (
    Brief,
    CostTable,
    ExplanationRow,
    HybridEntry,
    LeftOver,
    PlacementRow,
    WeekDay,
    WeekPlan,
)
from taskclasses.shapes import ClockText, Conflict, DateText, ImportRow, Instant, Uuid, Weekday


class SemesterObject(TypedDict):
    """`section_times` = first and last minute of each section; `today` is null outside the semester.

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


class Week(TypedDict):
    week: int
    first_date: DateText
    events: list[Brief]


class Today(TypedDict):
    """`week` is 0 outside the semester."""

    date: DateText
    week: int
    day_of_week: Weekday
    events: list[Brief]


class Planned(TypedDict):
    """What the planner found; `bound` is never above the best possible total, `gap` the share between them."""

    task_class_ids: list[int]
    placements: list[PlacementRow]
    unplaced: list[LeftOver]
    cost: CostTable
    explanations: list[ExplanationRow]
    bound: int
    gap: float
    hybrid_entries: list[HybridEntry]
    candidate_plans: list[WeekPlan]


class AppliedItem(TypedDict):
    task_item_id: int
    task_class_id: int
    event_id: int
    embedded: bool
    week: int
    day_of_week: Weekday
    section_from: int
    section_to: int


class AppliedBatchAnswer(TypedDict):
    batch_id: int
    applied: list[AppliedItem]


class PersistedDiff(TypedDict):
    """`batch_id` is null when there was nothing to write."""

    batch_id: int | None
    applied: list[AppliedItem]
    moved: list[AppliedItem]
    removed: list[AppliedItem]


class ReleasedItems(TypedDict):
    released_task_item_ids: list[int]


class ReleasedItem(TypedDict):
    task_item_id: int
    event_id: int


class BatchChange(TypedDict):
    task_item_id: int
    change: Literal["place", "move", "unplace"]


class BatchObject(TypedDict):
    """`changes` are of items; `lessons` counts the course lessons that the write made, changed or deleted."""

    batch_id: int
    source: str
    conversation_id: Uuid | None
    created_at: Instant
    undone_at: Instant | None
    can_undo: bool
    changes: list[BatchChange]
    lessons: int


class Arrangement(TypedDict):
    """One weekly meeting; `pattern` is it in words."""

    weeks: list[int]
    day_of_week: Weekday
    start_section: int
    end_section: int
    location: str
    pattern: str


class CourseObject(TypedDict):
    """A course in the words of the JSON form of courses; `lessons` = how many it has, cancelled ones included."""

    id: int
    semester_id: int
    course_name: str
    teacher: str
    location: str
    color_index: int
    is_allow_tasks: bool
    note: str
    lessons: int
    arrangements: list[Arrangement]


class WrittenCourse(TypedDict):
    """`batch_id` is null for a trial: then `course` is as it stands. The last three count lessons."""

    course: CourseObject
    batch_id: int | None
    released_task_item_ids: list[int]
    added: int
    changed: int
    removed: int


class DeletedLessons(TypedDict):
    """`batch_id` is null for a trial; `course_ids` are the courses that went, or would go."""

    batch_id: int | None
    released_task_item_ids: list[int]
    lessons: int
    course_ids: list[int]


class UndoneBatch(TypedDict):
    batch_id: int
    undone_at: Instant
    task_item_ids: list[int]


class MissingMeeting(TypedDict):
    """A weekly meeting imported before, in the weeks that the file no longer has; `event_ids` are its lessons."""

    name: str
    day_of_week: Weekday
    section_from: int
    section_to: int
    weeks: list[int]
    event_ids: list[int]


class ImportReport(TypedDict):
    """`missing` is told of files that hold a whole timetable (`ics`, `wakeup`); nothing is deleted for it.

    `batch_id` is null when nothing was written.
    """

    dry_run: bool
    batch_id: int | None
    events: int
    duplicates: int
    rows: list[ImportRow]
    conflicts: list[Conflict]
    missing: list[MissingMeeting]
