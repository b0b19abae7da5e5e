"""Time and moves of re-planning with least change: `python -m bench.planner.replan [SEEDS]`.

Per seed a medium and a large problem are planned, then disturbed: a lesson on a seated place, a day that is lost, a
`now` that passes the first days, further items, a further class, too little room. Printed, never asserted.
"""

from __future__ import annotations

import copy
import sys
import time
from collections.abc import Callable
from random import Random
from typing import Any

from bench.planner.problems import SIZES, problem_document
from schedules.planner.codec import problem_from_json
from schedules.planner.grid import week_and_weekday
from schedules.planner.problem import Placement
from schedules.planner.solver.replan import plan_keeping
from schedules.planner.solver.rough_build import plan

MOVES = 6
SHAPES = {name: SIZES[name] for name in ("medium", "large")}
Change = Callable[[dict[str, Any], tuple[Placement, ...], Random], None]


def _lesson(document: dict[str, Any], number: int, day: int, section: int) -> None:
    week, day_of_week = week_and_weekday(day)
    where = {"week": week, "day_of_week": day_of_week, "section_from": section, "section_to": section}
    kind = {"type": "course", "can_be_embedded": False, "guest_task_item_id": None}
    document["occupied"].append({"event_id": 10**6 + number, "name": "new", **where, **kind})


def _close(document: dict[str, Any], day: int, sections: range) -> None:
    week, day_of_week = week_and_weekday(day)
    rows = [e for e in document["occupied"] if (e["week"], e["day_of_week"]) == (week, day_of_week)]
    taken = {s for e in rows for s in range(e["section_from"], e["section_to"] + 1)}
    for section in sections:
        if section not in taken:
            _lesson(document, len(document["occupied"]), day, section)


def one_lesson(document: dict[str, Any], seated: tuple[Placement, ...], rng: Random) -> None:
    place = rng.choice(seated).place
    _close(document, place.day, range(place.first, place.last + 1))


def lost_day(document: dict[str, Any], seated: tuple[Placement, ...], rng: Random) -> None:
    _close(document, rng.choice(seated).place.day, range(1, 13))


def lost_week(document: dict[str, Any], seated: tuple[Placement, ...], rng: Random) -> None:
    week = week_and_weekday(rng.choice(seated).place.day)[0]
    for day in range(7 * week - 6, 7 * week + 1):
        _close(document, day, range(1, 13))


def passed_now(document: dict[str, Any], seated: tuple[Placement, ...], rng: Random) -> None:
    week, day_of_week = week_and_weekday(rng.choice(seated[: len(seated) // 4]).place.day)
    document["now"] = {"week": week, "day_of_week": day_of_week, "section": 1}


def more_items(document: dict[str, Any], seated: tuple[Placement, ...], rng: Random) -> None:
    for number in range(3):
        items = rng.choice(document["task_classes"])["items"]
        order = rng.randint(1, len(items))
        items.append({**items[0], "id": 10**6 + number, "order": order, "pinned": None})


def more_class(document: dict[str, Any], seated: tuple[Placement, ...], rng: Random) -> None:
    fresh = copy.deepcopy(rng.choice(document["task_classes"]))
    fresh["id"] = 10**6
    for item in fresh["items"]:
        item |= {"id": item["id"] + 10**6, "pinned": None}
    document["task_classes"].append(fresh)


CHANGES: tuple[Change, ...] = (one_lesson, lost_day, lost_week, passed_now, more_items, more_class)


def main() -> None:
    seeds = int(sys.argv[1]) if len(sys.argv) > 1 else 4
    print(f"{'shape':<7} {'seed':>4} {'change':<11} {'ms':>6} {'broken':>6} {'moves':>5} {'left':>5} {'cost':>7}")
    for name, shape in SHAPES.items():
        for seed in range(seeds):
            document = problem_document(shape, seed)
            seated = plan(problem_from_json(document), budget=0).placements
            for change in CHANGES:
                other = copy.deepcopy(document)
                change(other, seated, Random(seed))
                problem = problem_from_json(other)
                begin = time.perf_counter()
                done = plan_keeping(problem, keep=seated, max_moves=MOVES)
                spent = 1000 * (time.perf_counter() - begin)
                moved = sum(move.after is not None for move in done.moves)
                broken = sum(move.reason != "makes_room" for move in done.moves)
                left, cost = len(done.plan.unplaced), done.plan.cost.total % 10**6
                print(
                    f"{name:<7} {seed:>4} {change.__name__:<11} {spent:6.0f} {broken:>6} {moved:>5} {left:>5} {cost:>7}"
                )


if __name__ == "__main__":
    main()
