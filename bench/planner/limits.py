"""Time of conditions on the places of a full term: `python -m bench.planner.limits [ITEMS ...]`.

Per number of items a plan of 20 weeks is held to a condition of each kind. Printed, never asserted.
"""

from __future__ import annotations

import sys
import time
from dataclasses import replace

from bench.planner.problems import Shape, problem_document
from schedules.planner.codec import problem_from_json
from schedules.planner.draft.from_problem import draft_of
from schedules.planner.draft.state import ScheduleState
from schedules.planner.replan.conditions import Limit, Times
from schedules.planner.replan.limits import keep_to
from schedules.planner.solver.rough_build import plan

CLASSES, WEEKS, LESSONS = 5, 20, (8, 12)


def planned(items: int) -> ScheduleState:
    """Returns the draft of a plan of so many items."""
    shape = Shape(CLASSES, items // CLASSES, WEEKS, LESSONS)
    problem = problem_from_json(problem_document(shape, 1))
    classes = tuple(
        replace(one, rules=replace(one.rules, start_day=1, end_day=7 * WEEKS)) for one in problem.task_classes
    )
    problem = replace(problem, task_classes=classes)
    return draft_of(problem, plan(problem, budget=0).placements)


def conditions(state: ScheduleState) -> dict[str, Limit]:
    """Returns a condition of each kind, of all items."""
    ids = frozenset(entry.source_id for entry in state.items())
    first = tuple(entry.source_id for entry in state.items())[:50]
    return {
        "a_day 1": Limit(ids, a_day=1),
        "a_day 2": Limit(ids, a_day=2),
        "a_week 10": Limit(ids, a_week=10),
        "sections_a_day 4": Limit(ids, sections_a_day=4),
        "days_between 1": Limit(ids, days_between=1),
        "days_between 1 in each class": Limit(ids, days_between=1, each_class=True),
        "sections_between 2": Limit(ids, sections_between=2),
        "after_lessons 1": Limit(ids, after_lessons=1),
        "between_lessons": Limit(ids, between_lessons=True),
        "within weekdays": Limit(ids, within=(Times(frozenset({1, 2, 3, 4, 5})),)),
        "without Mondays": Limit(ids, without=(Times(frozenset({1})),)),
        "one_day": Limit(ids, one_day=True),
        "one_day of 5": Limit(frozenset(first[:5]), one_day=True),
        "order": Limit(frozenset(first), order=first[::-1]),
        "even": Limit(ids, even=True),
        "even of a class": Limit(frozenset(first[: len(ids) // CLASSES]), even=True),
    }


def main() -> None:
    sizes = [int(one) for one in sys.argv[1:]] or [40, 80, 225]
    print(f"{'items':>5} {'condition':<28} {'CPU ms':>6} {'moves':>5} {'left':>5}")
    for items in sizes:
        state = planned(items)
        for name, limit in conditions(state).items():
            begin = time.process_time()
            done = keep_to(state, [limit])
            spent = 1000 * (time.process_time() - begin)
            print(f"{items:>5} {name:<28} {spent:6.0f} {len(done.changes):>5} {len(done.left):>5}")


if __name__ == "__main__":
    main()
