"""Time of analyze_health with candidates on medium drafts: 6 classes of 16 items, 8 weeks, 18 lessons a week.

    python -m bench.health [SEEDS]

Per seed a constructive plan and a badly scattered one are diagnosed three times; the best time counts. Printed, never
asserted: the aim is 50 ms, the limit 150 ms.
"""

from __future__ import annotations

import sys
import time
from random import Random
from typing import Any

from schedules.planner.class_rules import ClassRules
from schedules.planner.diagnosis.health import analyze_health
from schedules.planner.draft.adapter import apply_plan, problem_of
from schedules.planner.draft.load import load_state
from schedules.planner.draft.operations import PlaceOp
from schedules.planner.draft.state import ScheduleState
from schedules.planner.facts import ClassFact, EventFact, Facts, ItemFact
from schedules.planner.grid import Grid, Place
from schedules.planner.solver.rough_build import plan
from tests.kits.planner.legal_places import legal_places

WEEKS, CLASSES, ITEMS, LESSONS = 8, 6, 16, 18
GRID = Grid(20, 12, ((1, 4), (5, 8), (9, 12)))
LEVELS = ("low", "medium", "high")


def medium(seed: int) -> Facts:
    rng = Random(seed)
    week = rng.sample([(day, first) for day in range(1, 6) for first in (1, 3, 5, 7, 9)], LESSONS)
    events = []
    for number, (day, first) in enumerate(week * WEEKS):
        place = Place(7 * (number // LESSONS) + day, first, 2)
        events.append(EventFact(number + 1, f"course {number % LESSONS}", "course", None, number % 5 == 0, place))
    return Facts(1, 1, GRID, 1, tuple(events), tuple(_class(rng, one) for one in range(1, CLASSES + 1)))


def _class(rng: Random, class_id: int) -> ClassFact:
    return ClassFact(
        id=class_id,
        name=f"class {class_id}",
        total_slots=None,
        rules=ClassRules(
            strategy=rng.choice(("steady", "steady", "rapid")),
            start_day=1 + rng.randint(0, 10),
            end_day=7 * WEEKS - rng.randint(0, 10),
            allow_filler_course=rng.random() < 0.6,
            excluded_slots=(6,),
            subject_type=rng.choice(("quantitative", "memory", "reading")),
            difficulty_level=rng.choice(LEVELS),
            cognitive_intensity=rng.choice(LEVELS),
        ),
        items=tuple(ItemFact(100 * class_id + n, n, f"item {n}", 2, False) for n in range(1, ITEMS + 1)),
    )


def scattered(state: ScheduleState, rng: Random) -> ScheduleState:
    """Every item somewhere early, in order."""
    for entry in list(state.items()):
        places = list(legal_places(state, entry.state_id, planner=True))
        if places:
            place, _ = rng.choice(places[: max(1, len(places) // 8)])
            state = PlaceOp(entry.state_id, state.window.index_of(place.day), place.first).apply(state)
    return state


def measured(state: ScheduleState) -> tuple[float, dict[str, Any]]:
    left = frozenset(entry.source_id for entry in state.items() if entry.status == "pending")
    best = float("inf")
    found: dict[str, Any] = {}
    for _ in range(3):
        begin = time.perf_counter()
        found = analyze_health(state, left_out=left)
        best = min(best, time.perf_counter() - begin)
    return 1000 * best, found


def main() -> None:
    seeds = int(sys.argv[1]) if len(sys.argv) > 1 else 8
    times = []
    print(f"{'seed':>4} {'draft':<12} {'ms':>6} {'cost':>7} {'issues':>6}  verdict")
    for seed in range(seeds):
        empty = load_state(medium(seed), scope=range(1, CLASSES + 1), now=(1, 1))
        planned = apply_plan(empty, plan(problem_of(empty), budget=0))
        for name, state in (("constructive", planned), ("scattered", scattered(empty, Random(seed)))):
            spent, found = measured(state)
            times.append(spent)
            total = found["metrics"]["cost"]["total"]
            print(f"{seed:>4} {name:<12} {spent:6.1f} {total:>7} {len(found['issues']):>6}  {found['verdict']}")
    times.sort()
    print(f"median {times[len(times) // 2]:.1f} ms, worst {times[-1]:.1f} ms over {len(times)} drafts")


if __name__ == "__main__":
    main()
