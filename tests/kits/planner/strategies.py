"""Random problems: small, odd and nasty ones."""

from __future__ import annotations

import random
from typing import Any

GRIDS: list[list[list[int]]] = [
    [[1, 4], [5, 8], [9, 12]],
    [[1, 4], [5, 8], [9, 12]],
    [[1, 4], [5, 8], [9, 12]],
    [[1, 5], [6, 9], [10, 11]],
    [[1, 4], [5, 8]],
    [[1, 1]],
    [[1, 16]],
    [[1, 3], [4, 6], [7, 10], [11, 13]],
]
PROFILES = [None, "low", "medium", "high"]


def _day(day: int) -> dict[str, int]:
    return {"week": (day - 1) // 7 + 1, "day_of_week": (day - 1) % 7 + 1}


def _closed(seed: int, weeks: int) -> list[dict[str, int]]:
    """Holidays without study, with a third of the seeds."""
    rng = random.Random(f"closed {seed}")
    days = rng.sample(range(1, 7 * weeks + 1), rng.choice([0, 0, 0, 0, 1, 3]))
    return [_day(day) for day in sorted(days)]


def random_document(seed: int) -> dict[str, Any]:
    """A legal problem document; every feature occurs with some seed."""
    rng = random.Random(seed)
    parts = rng.choice(GRIDS)
    sections, weeks = parts[-1][1], rng.choice([1, 1, 2, 2, 3])
    owner: dict[tuple[int, int], int] = {}
    occupied = _lessons(rng, sections, weeks, owner)
    hosts = {e["event_id"]: e for e in occupied if e["can_be_embedded"]}
    classes = [
        _class(rng, number, sections, weeks, owner, hosts) for number in rng.sample(range(1, 60), rng.randint(0, 4))
    ]
    for host in hosts.values():
        if host["guest_task_item_id"] is None and rng.random() < 0.05:
            host["guest_task_item_id"] = 990_000 + host["event_id"]
    now = None
    if rng.random() < 0.3:
        now = {**_day(rng.randint(1, 7 * weeks)), "section": rng.randint(1, sections + 1)}
    return {
        "version": 1,
        "semester": {"weeks": weeks, "sections": sections, "day_parts": parts, "closed_days": _closed(seed, weeks)},
        "now": now,
        "occupied": occupied,
        "task_classes": classes,
    }


def _lessons(rng: random.Random, sections: int, weeks: int, owner: dict[tuple[int, int], int]) -> list[dict[str, Any]]:
    found = []
    for number in range(rng.choice([0, 5, 10, 20, 60])):
        day, length = rng.randint(1, 7 * weeks), rng.choice([1, 2, 2, 2, 3, 4])
        first = rng.randint(1, sections)
        last = min(sections, first + length - 1)
        if any((day, section) in owner for section in range(first, last + 1)):
            continue
        owner |= {(day, section): number for section in range(first, last + 1)}
        embed = rng.random() < 0.3
        found.append(
            {
                "event_id": number,
                "name": f"lesson {number}",
                **_day(day),
                "section_from": first,
                "section_to": last,
                "type": "course" if embed or rng.random() < 0.8 else "task",
                "can_be_embedded": embed,
                "guest_task_item_id": None,
            }
        )
    return found


def _class(
    rng: random.Random,
    number: int,
    sections: int,
    weeks: int,
    owner: dict[tuple[int, int], int],
    hosts: dict[int, dict[str, Any]],
) -> dict[str, Any]:
    blocks = (sections + 1) // 2
    start = rng.randint(-3, 7 * weeks)
    mixed = rng.random() < 0.5
    items = []
    for order in range(rng.choice([0, 1, 2, 4, 6, 9])):
        duration = rng.choice([1, 2, 3, 4]) if mixed else 2
        pinned = _pin(rng, number * 100 + order, duration, sections, weeks, owner, hosts)
        items.append(
            {"id": number * 100 + order, "order": order + 1, "duration": duration, "name": "", "pinned": pinned}
        )
    rng.shuffle(items)
    return {
        "id": number,
        "name": f"class {number}",
        "strategy": rng.choice(["steady", "rapid"]),
        "start": _day(start),
        "end": _day(start + rng.choice([0, 2, 6, 13, 20, 30])),
        "allow_filler_course": rng.random() < 0.5,
        "excluded_slots": rng.sample(range(1, blocks + 1), rng.choice([0, 0, 0, min(1, blocks), blocks // 2])),
        "excluded_days_of_week": rng.sample(range(1, 8), rng.choice([0, 0, 1, 2])),
        "excluded_cells": [
            {"day_of_week": rng.randint(1, 7), "block": rng.randint(1, blocks)} for _ in range(rng.choice([0, 0, 1, 4]))
        ],
        "subject_type": rng.choice([None, "memory"]),
        "difficulty_level": rng.choice(PROFILES),
        "cognitive_intensity": rng.choice(PROFILES),
        "items": items,
    }


def _pin(
    rng: random.Random,
    item_id: int,
    duration: int,
    sections: int,
    weeks: int,
    owner: dict[tuple[int, int], int],
    hosts: dict[int, dict[str, Any]],
) -> dict[str, int] | None:
    if rng.random() > 0.2 or duration > sections:
        return None
    day, first = rng.randint(1, 7 * weeks), rng.randint(1, sections - duration + 1)
    cells = [(day, section) for section in range(first, first + duration)]
    owners = {owner.get(cell) for cell in cells}
    if owners == {None}:
        owner |= dict.fromkeys(cells, -item_id - 1)
    else:
        host = hosts.get(next(iter(owners)) or -1) if len(owners) == 1 else None
        if host is None or host["guest_task_item_id"] is not None:
            return None
        host["guest_task_item_id"] = item_id
    return {**_day(day), "section_from": first}
