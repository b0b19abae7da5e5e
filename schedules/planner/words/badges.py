"""What an entry of a week, a preview or a list says besides its place: the one way to tell it."""

from __future__ import annotations

from typing import Protocol

from schedules.planner.shapes import EntryBadge


class BadgedClass(Protocol):
    """Names a task class as entries name it; `ClassFact` and `ClassMeta` both are one."""

    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    @property
    def seal(self) -> str: ...
    @property
    def color_index(self) -> int: ...
    @property
    def item_ids(self) -> tuple[int, ...]: ...


def task_badge(
    owner: BadgedClass | None, item_id: int, *, pinned: bool = False, by_hand: bool = False, progress: str = "open"
) -> EntryBadge:
    """Returns the badge of an item; that of nothing for an item whose class is not known."""
    if owner is None:
        return course_badge(None, None)
    items = owner.item_ids
    return {
        "task_class_id": owner.id,
        "task_class_name": owner.name,
        "task_order": items.index(item_id) + 1 if item_id in items else 0,
        "task_total": len(items),
        "seal": owner.seal,
        "course_id": 0,
        "exam_id": 0,
        "color_index": owner.color_index,
        "pinned": pinned,
        "by_hand": by_hand,
        "progress": progress,
    }


def course_badge(course_id: int | None, color_index: int | None, exam_id: int | None = None) -> EntryBadge:
    """Returns the badge of a lesson, an exam, or an event that belongs to no course."""
    return {
        "task_class_id": 0,
        "task_class_name": "",
        "task_order": 0,
        "task_total": 0,
        "seal": "",
        "course_id": course_id or 0,
        "exam_id": exam_id or 0,
        "color_index": color_index,
        "pinned": False,
        "by_hand": False,
        "progress": "",
    }
