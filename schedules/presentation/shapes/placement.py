"""Shapes of the JSON of plans, of what writes of places answer, and of the batches to undo."""

from __future__ import annotations

from typing import Literal

from typing_extensions import TypedDict

from schedules.planner.shapes import (
    CostTable,
    ExplanationRow,
    HybridEntry,
    LeftOver,
    PlacementRow,
    WeekPlan,
)
from taskclasses.shapes import (
    Instant,
    PlaceWarning,
    Uuid,
    Weekday,
)


class Planned(TypedDict):
    """Tells what the planner found; `bound` is never above the best possible total, `gap` the share between them."""

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
    """Holds what was applied; `warnings` are preferences that the places break."""

    batch_id: int
    applied: list[AppliedItem]
    warnings: list[PlaceWarning]


class PersistedDiff(TypedDict):
    """Holds what a write of a difference did; `batch_id` is null when there was nothing to write."""

    batch_id: int | None
    applied: list[AppliedItem]
    moved: list[AppliedItem]
    removed: list[AppliedItem]
    warnings: list[PlaceWarning]


class ReleasedItems(TypedDict):
    released_task_item_ids: list[int]


class ReleasedItem(TypedDict):
    task_item_id: int
    event_id: int


class KeptItem(TypedDict):
    """Tells who keeps an applied item; `batch_id` is null when that was so already."""

    task_item_id: int
    pinned: bool
    by_hand: bool
    batch_id: int | None


class BatchChange(TypedDict):
    task_item_id: int
    change: Literal["place", "move", "unplace", "mark", "pin", "unpin"]


class BatchObject(TypedDict):
    """Holds a batch; `changes` are of items; `lessons` counts the course lessons that the write made, changed or
    deleted."""

    batch_id: int
    source: str
    conversation_id: Uuid | None
    created_at: Instant
    undone_at: Instant | None
    can_undo: bool
    changes: list[BatchChange]
    lessons: int


class UndoneBatch(TypedDict):
    batch_id: int
    undone_at: Instant
    task_item_ids: list[int]
