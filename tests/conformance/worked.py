"""The worked example and what the planner answers to it."""

from __future__ import annotations


def course(event_id: int, weekday: int, first: int, embeddable: bool = False) -> dict[str, object]:
    return {
        "event_id": event_id,
        "name": str(event_id),
        "week": 1,
        "day_of_week": weekday,
        "section_from": first,
        "section_to": first + 1,
        "type": "course",
        "can_be_embedded": embeddable,
        "guest_task_item_id": None,
    }


def worked_example() -> dict[str, object]:
    def task_class(
        number: int, name: str, strategy: str, last: int, intensity: str, items: list[int]
    ) -> dict[str, object]:
        return {
            "id": number,
            "name": name,
            "strategy": strategy,
            "start": {"week": 1, "day_of_week": 1},
            "end": {"week": 1, "day_of_week": last},
            "allow_filler_course": True,
            "excluded_slots": [6],
            "excluded_days_of_week": [],
            "subject_type": None,
            "difficulty_level": intensity,
            "cognitive_intensity": intensity,
            "items": [
                {"id": i, "order": n, "duration": 2, "name": str(i), "pinned": None} for n, i in enumerate(items, 1)
            ],
        }

    return {
        "version": 1,
        "semester": {"weeks": 20, "sections": 12, "day_parts": [[1, 4], [5, 8], [9, 12]]},
        "now": None,
        "occupied": [course(901, 1, 1), course(902, 1, 5), course(900, 2, 3, embeddable=True)],
        "task_classes": [
            task_class(5, "概率论复习", "steady", 4, "high", [101, 102]),
            task_class(6, "六级词汇", "rapid", 7, "low", [201, 202, 203]),
        ],
    }


def placements(*rows: tuple[int, int, int, int | None]) -> list[dict[str, object]]:
    return [
        {
            "task_item_id": item,
            "task_class_id": 5 if item < 200 else 6,
            "week": 1,
            "day_of_week": weekday,
            "section_from": first,
            "section_to": first + 1,
            "embed_course_event_id": host,
        }
        for item, weekday, first, host in rows
    ]
