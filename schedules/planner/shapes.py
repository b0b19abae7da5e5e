"""Shapes of the JSON documents that the planner writes."""

from __future__ import annotations

from typing import Literal

from typing_extensions import TypedDict


class WeekDay(TypedDict):
    week: int
    day_of_week: int


class CellPoint(WeekDay):
    section: int


DayRange = TypedDict("DayRange", {"from": WeekDay, "to": WeekDay})


class Guest(TypedDict, total=False):
    """The item that an event hosts; empty when it hosts none."""

    id: int
    name: str
    type: Literal["task"]


class Brief(TypedDict):
    """One event of a week (WeeklyEventBrief)."""

    id: int
    order: int
    day_of_week: int
    name: str
    start_time: str
    end_time: str
    location: str
    type: str
    span: int
    status: Literal["normal", "interrupted"]
    embedded_task_info: Guest
    section_from: int
    section_to: int
    task_item_id: int


class WeekPlan(TypedDict):
    week: int
    events: list[Brief]


class HybridEntry(TypedDict):
    """One occupied range of the window (wire.md 3.2)."""

    week: int
    day_of_week: int
    section_from: int
    section_to: int
    name: str
    type: str
    status: str
    task_item_id: int
    task_class_id: int
    event_id: int
    can_be_embedded: bool
    block_for_suggested: bool
    context_tag: str


class UnplacedItem(TypedDict):
    """An item without a place and the rule that took it."""

    task_item_id: int
    task_class_id: int
    name: str
    order: int
    sections: int
    rule: str


class PreviewOfDraft(TypedDict):
    """Everything of a preview that follows from the draft alone."""

    summary: str
    candidate_plans: list[WeekPlan]
    hybrid_entries: list[HybridEntry]
    task_class_ids: list[int]
    revision: int
    window: DayRange
    now: CellPoint | None
    unplaced_items: list[UnplacedItem]


class PlacementRow(TypedDict):
    task_item_id: int
    task_class_id: int
    week: int
    day_of_week: int
    section_from: int
    section_to: int
    embed_course_event_id: int | None


class LeftOver(TypedDict):
    task_item_id: int
    task_class_id: int
    rule: str
    missing_sections: int


class CostTable(TypedDict):
    total: int
    parts: dict[str, int]


class ExplanationRow(TypedDict):
    part: str
    cost: int
    week: int | None
    day_of_week: int | None
    task_item_ids: list[int]
