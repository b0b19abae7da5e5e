"""Seeded random problem documents in the planner's JSON format, from tiny to medium and nasty."""

from __future__ import annotations

import random
from typing import Any

Json = dict[str, Any]
GRIDS = [
    (12, [[1, 4], [5, 8], [9, 12]]),
    (11, [[1, 5], [6, 9], [10, 11]]),
    (8, [[1, 4], [5, 8]]),
    (16, [[1, 5], [6, 9], [10, 13], [14, 16]]),
    (3, [[1, 3]]),
]


def _place(dice: random.Random, weeks: int) -> Json:
    return {"week": dice.randint(1, weeks), "day_of_week": dice.randint(1, 7)}


def _courses(dice: random.Random, weeks: int, sections: int, density: float) -> list[Json]:
    events = []
    for week in range(1, weeks + 1):
        for weekday in range(1, 8):
            section = 1
            while section <= sections:
                length = dice.choice([1, 2, 2, 2, 3])
                last = section + length - 1
                if last <= sections and dice.random() < density:
                    kind = dice.choice(["course", "course", "course", "task"])
                    events.append(
                        {
                            "event_id": 1000 + len(events),
                            "name": f"课{len(events)}",
                            "week": week,
                            "day_of_week": weekday,
                            "section_from": section,
                            "section_to": last,
                            "type": kind,
                            "can_be_embedded": kind == "course" and dice.random() < 0.4,
                            "guest_task_item_id": None,
                        }
                    )
                section = last + 1
    return events


def _task_class(dice: random.Random, number: int, weeks: int, sections: int, items: int) -> Json:
    first, last = sorted([_place(dice, weeks) for _ in range(2)], key=lambda p: (p["week"], p["day_of_week"]))
    if dice.random() < 0.15:
        last = {"week": weeks + 2, "day_of_week": 3}
    level = [None, "low", "medium", "high"]
    return {
        "id": number,
        "name": f"班{number}",
        "strategy": dice.choice(["steady", "rapid"]),
        "start": first,
        "end": last,
        "allow_filler_course": dice.random() < 0.5,
        "excluded_slots": sorted(dice.sample(range(1, (sections + 1) // 2 + 1), dice.choice([0, 0, 1]))),
        "excluded_days_of_week": sorted(dice.sample(range(1, 8), dice.choice([0, 0, 1, 2]))),
        "excluded_cells": [
            {"day_of_week": dice.randint(1, 7), "block": dice.randint(1, (sections + 1) // 2)}
            for _ in range(dice.choice([0, 0, 1, 3]))
        ],
        "subject_type": dice.choice([None, "quantitative", "memory", "reading", "mixed"]),
        "difficulty_level": dice.choice(level),
        "cognitive_intensity": dice.choice(level),
        "items": [
            {
                "id": number * 100 + k,
                "order": k,
                "duration": dice.choice([1, 2, 2, 2, 3, 4]) if sections >= 4 else dice.choice([1, 2]),
                "name": f"项{k}",
                "pinned": None,
            }
            for k in range(1, items + 1)
        ],
    }


def _pin_some(dice: random.Random, problem: Json, sections: int) -> None:
    """Pins on free cells that no other pin and no course owns; order and class rules are not looked at."""
    taken = {
        (e["week"], e["day_of_week"], s)
        for e in problem["occupied"]
        for s in range(e["section_from"], e["section_to"] + 1)
    }
    for task_class in problem["task_classes"]:
        for item in task_class["items"]:
            if dice.random() > 0.15:
                continue
            place = _place(dice, problem["semester"]["weeks"])
            first = dice.randint(1, max(1, sections - item["duration"] + 1))
            cells = {(place["week"], place["day_of_week"], s) for s in range(first, first + item["duration"])}
            if not cells & taken and first + item["duration"] - 1 <= sections:
                taken |= cells
                item["pinned"] = {**place, "section_from": first}


def _closed(seed: int, weeks: int) -> list[Json]:
    """Holidays without study, with a third of the seeds."""
    dice = random.Random(f"closed {seed}")
    return [_place(dice, weeks) for _ in range(dice.choice([0, 0, 0, 0, 1, 2]))]


def random_problem(seed: int) -> Json:
    dice = random.Random(seed)
    sections, parts = dice.choice(GRIDS)
    weeks = dice.randint(1, 4)
    problem: Json = {
        "version": 1,
        "semester": {"weeks": weeks, "sections": sections, "day_parts": parts, "closed_days": _closed(seed, weeks)},
        "now": dice.choice([None, {**_place(dice, weeks), "section": dice.randint(1, sections + 1)}]),
        "occupied": _courses(dice, weeks, sections, dice.choice([0.0, 0.2, 0.5, 0.9])),
        "task_classes": [
            _task_class(dice, n, weeks, sections, dice.randint(0, 7)) for n in range(1, dice.randint(1, 4) + 1)
        ],
    }
    if dice.random() < 0.4:
        _pin_some(dice, problem, sections)
    return problem
