"""The worked example of the objective, as documents."""

from __future__ import annotations

import copy
from typing import Any


def place(week: int, weekday: int, first: int, last: int) -> dict[str, int]:
    return {"week": week, "day_of_week": weekday, "section_from": first, "section_to": last}


def lesson(event_id: int, name: str, weekday: int, first: int, last: int, *, embed: bool = False) -> dict[str, Any]:
    return {
        "event_id": event_id,
        "name": name,
        **place(1, weekday, first, last),
        "type": "course",
        "can_be_embedded": embed,
        "guest_task_item_id": None,
    }


def item(item_id: int, order: int, duration: int = 2, pinned: dict[str, int] | None = None) -> dict[str, Any]:
    return {"id": item_id, "order": order, "duration": duration, "name": f"item {item_id}", "pinned": pinned}


EXAMPLE: dict[str, Any] = {
    "version": 1,
    "semester": {"weeks": 20, "sections": 12, "day_parts": [[1, 4], [5, 8], [9, 12]]},
    "now": None,
    "occupied": [
        lesson(901, "高等数学", 1, 1, 2),
        lesson(902, "大学物理", 1, 5, 6),
        lesson(900, "思修", 2, 3, 4, embed=True),
    ],
    "task_classes": [
        {
            "id": 5,
            "name": "概率论复习",
            "strategy": "steady",
            "start": {"week": 1, "day_of_week": 1},
            "end": {"week": 1, "day_of_week": 4},
            "allow_filler_course": True,
            "excluded_slots": [6],
            "excluded_days_of_week": [],
            "subject_type": "quantitative",
            "difficulty_level": "high",
            "cognitive_intensity": "high",
            "items": [item(101, 1), item(102, 2)],
        },
        {
            "id": 6,
            "name": "六级词汇",
            "strategy": "rapid",
            "start": {"week": 1, "day_of_week": 1},
            "end": {"week": 1, "day_of_week": 7},
            "allow_filler_course": True,
            "excluded_slots": [6],
            "excluded_days_of_week": [],
            "subject_type": "memory",
            "difficulty_level": "low",
            "cognitive_intensity": "low",
            "items": [item(201, 1), item(202, 2), item(203, 3)],
        },
    ],
}

FIRST_PLAN = [(101, 1, 3, 4), (102, 3, 3, 4), (201, 1, 7, 8), (202, 2, 3, 4), (203, 3, 1, 2)]
BEST_PLAN = [(101, 2, 5, 6), (102, 4, 1, 2), (201, 1, 3, 4), (202, 1, 7, 8), (203, 2, 3, 4)]
VARIANT_PLAN = [(101, 1, 3, 4), (102, 3, 3, 4), (201, 1, 7, 8), (202, 2, 1, 2), (203, 3, 1, 2)]


def example() -> dict[str, Any]:
    return copy.deepcopy(EXAMPLE)


def variant() -> dict[str, Any]:
    """The example with a second high class that uses no fillers."""
    document = example()
    document["task_classes"][1] |= {
        "name": "数据结构刷题",
        "allow_filler_course": False,
        "subject_type": "quantitative",
        "difficulty_level": "high",
        "cognitive_intensity": "high",
    }
    return document


def plan_document(rows: list[tuple[int, int, int, int]]) -> dict[str, Any]:
    return {"placements": [{"task_item_id": i, **place(1, d, a, b)} for i, d, a, b in rows]}
