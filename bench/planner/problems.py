"""Seeded problems for the planner's bench: four sizes and the nasty variants, as problem documents."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

DEFAULT_PARTS = ((1, 4), (5, 8), (9, 12))
OTHER_PARTS = ((1, 5), (6, 9), (10, 11))
LEVELS = ("low", "medium", "high", None)
SUBJECTS = ("quantitative", "memory", "reading", "mixed", None)


@dataclass(frozen=True)
class Shape:
    """What a generated problem looks like; `lessons` is the range of double lessons a week."""

    classes: int
    items: int
    weeks: int
    lessons: tuple[int, int]
    parts: tuple[tuple[int, int], ...] = DEFAULT_PARTS
    filler_share: float = 0.15
    fillers_allowed: bool | None = None
    mixed_lengths: bool = False
    pin_share: float = 0.0
    now_day: int | None = None
    level: str | None = None
    strategy: str | None = None

    @property
    def sections(self) -> int:
        return self.parts[-1][1]


SIZES: dict[str, Shape] = {
    "small": Shape(3, 8, 2, (12, 20)),
    "medium": Shape(6, 16, 8, (14, 22)),
    "double": Shape(12, 16, 16, (14, 22)),
    "large": Shape(12, 30, 20, (14, 22)),
}
NASTY: dict[str, Shape] = {
    "fillers": Shape(4, 10, 3, (18, 26), filler_share=0.5, fillers_allowed=True),
    "pins_and_past": Shape(4, 10, 3, (14, 22), pin_share=0.3, now_day=5),
    "all_high": Shape(4, 10, 3, (14, 22), level="high"),
    "all_rapid": Shape(4, 10, 3, (14, 22), strategy="rapid"),
    "mixed_lengths": Shape(4, 9, 2, (14, 22), mixed_lengths=True),
    "eleven_sections": Shape(4, 9, 2, (12, 18), mixed_lengths=True, parts=OTHER_PARTS),
    "too_small": Shape(4, 9, 1, (14, 20), mixed_lengths=True),
}


def problem_document(shape: Shape, seed: int) -> dict[str, Any]:
    """The problem of a shape and a seed, always the same one."""
    rng = random.Random(f"{shape}/{seed}")
    owned: set[tuple[int, int]] = set()
    occupied = _lessons(shape, rng, owned)
    now = None if shape.now_day is None else {**_day(shape.now_day), "section": 3}
    return {
        "version": 1,
        "semester": {"weeks": shape.weeks, "sections": shape.sections, "day_parts": [list(p) for p in shape.parts]},
        "now": now,
        "occupied": occupied,
        "task_classes": [_task_class(shape, rng, number, owned) for number in range(1, shape.classes + 1)],
    }


def _day(day: int) -> dict[str, int]:
    return {"week": (day - 1) // 7 + 1, "day_of_week": (day - 1) % 7 + 1}


def _lessons(shape: Shape, rng: random.Random, owned: set[tuple[int, int]]) -> list[dict[str, Any]]:
    """Weekly double lessons, mostly on working days before the evening, some in odd or even weeks only."""
    blocks = (shape.sections + 1) // 2
    cells = [(day, block) for day in range(1, 8) for block in range(blocks)]
    weights = [(1.0 if day <= 5 else 0.05) * (3 if block < 4 else 1) for day, block in cells]
    pattern: dict[tuple[int, int], tuple[bool, int]] = {}
    wanted = rng.randint(*shape.lessons)
    while len(pattern) < wanted:
        cell = rng.choices(cells, weights)[0]
        pattern.setdefault(cell, (rng.random() < shape.filler_share, rng.choice((0, 0, 0, 1, 2))))
    found: list[dict[str, Any]] = []
    for (weekday, block), (filler, parity) in pattern.items():
        first, last = 2 * block + 1, min(shape.sections, 2 * block + 2)
        for week in range(1, shape.weeks + 1):
            if parity and week % 2 != parity % 2:
                continue
            owned |= {((week - 1) * 7 + weekday, section) for section in range(first, last + 1)}
            found.append(
                {
                    "event_id": len(found) + 1,
                    "name": f"lesson {weekday}-{block}",
                    "week": week,
                    "day_of_week": weekday,
                    "section_from": first,
                    "section_to": last,
                    "type": "course",
                    "can_be_embedded": filler,
                    "guest_task_item_id": None,
                }
            )
    return found


def _task_class(shape: Shape, rng: random.Random, number: int, owned: set[tuple[int, int]]) -> dict[str, Any]:
    days, blocks = 7 * shape.weeks, (shape.sections + 1) // 2
    start = rng.randint(1, max(1, days // 3)) if days > 14 else rng.randint(1, 3)
    end = rng.randint(max(start + 6, 2 * days // 3), days) if days > 14 else rng.randint(days - 3, days)
    return {
        "id": number,
        "name": f"class {number}",
        "strategy": shape.strategy or rng.choice(("steady", "steady", "rapid")),
        "start": _day(start),
        "end": _day(end),
        "allow_filler_course": rng.random() < 0.5 if shape.fillers_allowed is None else shape.fillers_allowed,
        "excluded_slots": sorted(rng.sample(range(1, blocks + 1), rng.choice((0, 1, 1, 2)))),
        "excluded_days_of_week": rng.choice(([], [], [7], [6, 7], [rng.randint(1, 7)])),
        "subject_type": rng.choice(SUBJECTS),
        "difficulty_level": shape.level or rng.choice(LEVELS),
        "cognitive_intensity": shape.level or rng.choice(LEVELS),
        "items": _items(shape, rng, number, (start, end), owned),
    }


def _items(
    shape: Shape, rng: random.Random, number: int, dates: tuple[int, int], owned: set[tuple[int, int]]
) -> list[dict[str, Any]]:
    start, end = dates
    items, last = [], start
    for index in range(shape.items):
        duration = rng.choice((1, 2, 2, 2, 3, 4)) if shape.mixed_lengths else 2
        pinned = None
        day, first = max(last + 1, start + (end - start) * index // shape.items), rng.choice((1, 3, 5, 7))
        cells = {(day, section) for section in range(first, first + duration)}
        if rng.random() < shape.pin_share and day <= end and not cells & owned:
            owned |= cells
            pinned, last = {**_day(day), "section_from": first}, day
        row = {"id": 1000 * number + index, "order": index + 1, "duration": duration, "name": f"item {index + 1}"}
        items.append({**row, "pinned": pinned})
    return items
