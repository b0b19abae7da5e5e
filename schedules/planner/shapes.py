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


class EntryBadge(TypedDict):
    """Tells what every entry says of the task or course it belongs to; none is 0, "" and, for the colour, null.

    `task_order` of `task_total` is the place of the item among those of its class. `color_index` is a place in the row
    of colours of task classes, for a lesson or an exam in that of courses. `pinned`: the student wants the item to
    stay; `by_hand`: the student chose its place. `progress` of an item is open, done, partial or missed.
    """

    task_class_id: int
    task_class_name: str
    task_order: int
    task_total: int
    seal: str
    course_id: int
    exam_id: int
    color_index: int | None
    pinned: bool
    by_hand: bool
    progress: str


class Guest(EntryBadge):
    """Holds the item that an event hosts."""

    id: int
    name: str
    type: Literal["task"]


class PlacedGuest(Guest):
    """Holds the item that an event of the timetable hosts, with its own sections, which may be fewer."""

    section_from: int
    section_to: int


class NoGuest(TypedDict):
    """Stands for no guest: an event that hosts none has an empty object."""


class WeeklyEventBrief(EntryBadge):
    """Holds one event of a week (WeeklyEventBrief)."""

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
    embedded_task_info: PlacedGuest | Guest | NoGuest
    section_from: int
    section_to: int
    task_item_id: int


class WeekPlan(TypedDict):
    week: int
    events: list[WeeklyEventBrief]


class HybridEntry(EntryBadge):
    """Holds one occupied range of the window (wire.md 3.2).

    `task_item_id` and `task_class_id` are those of a suggestion alone; `item_id` and `class_id` name every item.
    """

    week: int
    day_of_week: int
    section_from: int
    section_to: int
    name: str
    type: str
    status: str
    task_item_id: int
    event_id: int
    item_id: int
    class_id: int
    can_be_embedded: bool
    block_for_suggested: bool
    context_tag: str


class UnplacedItem(EntryBadge):
    """Holds an item without a place and the rule that took it."""

    task_item_id: int
    name: str
    order: int
    sections: int
    rule: str


class PreviewOfDraft(TypedDict):
    """Holds everything of a preview that follows from the draft alone."""

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
    """Tells what a plan costs, whole and by part; lower is better."""

    total: int
    parts: dict[str, int]


class ExplanationRow(TypedDict):
    part: str
    cost: int
    week: int | None
    day_of_week: int | None
    task_item_ids: list[int]


class PlaceText(WeekDay):
    """Holds a place with its date and clock times; `host_name` is that of the lesson it is in."""

    date: str
    section_from: int
    section_to: int
    start_time: str
    end_time: str
    embed_course_event_id: int | None
    host_name: str


class NamedItem(TypedDict):
    """Holds an item, its number in its class, and its length."""

    task_item_id: int
    task_class_id: int
    class_name: str
    name: str
    order: int
    sections: int


class UnplacedRow(NamedItem):
    """Holds an item without a place; `rule` took its place or found none; empty when nobody tried."""

    rule: str
    reason: str


class DifferenceRow(UnplacedRow):
    before: PlaceText | None
    after: PlaceText | None


class LoadRow(WeekDay):
    """Holds sections of own study on free cells, on a day where they differ."""

    date: str
    lessons: int
    before: int
    after: int


class Difference(TypedDict):
    """Holds a draft beside the timetable; `changed` counts new, moved and removed. `benefits`: fact -> by how much."""

    changed: int
    new: list[DifferenceRow]
    moved: list[DifferenceRow]
    removed: list[DifferenceRow]
    unplaced: list[UnplacedRow]
    load: list[LoadRow]
    benefits: dict[str, int]
