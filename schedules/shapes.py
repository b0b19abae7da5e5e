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
    batch_id: int
    source: str
    conversation_id: Uuid | None
    created_at: Instant
    undone_at: Instant | None
    can_undo: bool
    changes: list[BatchChange]


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
    """`missing` is told of files that hold a whole timetable (`ics`, `wakeup`); nothing is deleted for it."""

    dry_run: bool
    events: int
    duplicates: int
    rows: list[ImportRow]
    conflicts: list[Conflict]
    missing: list[MissingMeeting]
