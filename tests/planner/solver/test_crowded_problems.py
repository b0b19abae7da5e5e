"""Where not everything fits, nearly as few sections are left over as in a proven optimum."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from bench.planner.problems import NASTY, problem_document
from schedules.planner.codec import problem_from_json
from schedules.planner.solver.bounds.cheap_bound import bound_of
from schedules.planner.solver.layout import Layout
from schedules.planner.solver.overflow import UNIT, SharedCells
from schedules.planner.solver.replace_class import Alone, full_freedom, near_freedom
from schedules.planner.solver.replace_classes import WAYS_MAX, regret_of_last
from schedules.planner.solver.rough_build import plan
from schedules.planner.solver.tables import Tables
from tests.kits.planner.proven import PROVEN


@pytest.mark.parametrize(("kind", "seed"), PROVEN)
def test_hardly_more_sections_are_left_over_than_must_be(kind: str, seed: int) -> None:
    found = plan(problem_from_json(problem_document(NASTY[kind], seed)))
    missing = sum(left.missing_sections for left in found.unplaced)
    assert PROVEN[kind, seed] <= missing <= PROVEN[kind, seed] + 1


@pytest.mark.parametrize(("kind", "seed"), PROVEN)
def test_the_room_of_all_classes_never_promises_too_great_a_loss(kind: str, seed: int) -> None:
    layout = Layout(Tables(problem_from_json(problem_document(NASTY[kind], seed))))
    owners = layout.tables.classes
    days = range(min(one.day_range.start for one in owners), max(one.day_range.stop for one in owners))
    group = [Alone(layout, owner, full_freedom(owner), days) for owner in owners]
    lost = SharedCells(layout, group, days).overflow_cost(tuple(one.entering for one in group), days.start)
    alone = sum(one.least // UNIT for one in group)
    assert alone + lost // UNIT <= PROVEN[kind, seed]


@pytest.mark.parametrize(("kind", "seed"), PROVEN)
def test_the_lower_bound_leaves_no_more_over_than_must_be(kind: str, seed: int) -> None:
    problem = problem_from_json(problem_document(NASTY[kind], seed))
    assert bound_of(Layout(Tables(problem))) // UNIT <= PROVEN[kind, seed]


@pytest.mark.parametrize("seed", range(20))
def test_only_combinations_that_are_followed_are_made_of_the_steps_of_crowded_classes(seed: int) -> None:
    rng = Random(seed)
    ways = [(rng.randint(0, 9), (number,), ()) for number in range(rng.randint(20, WAYS_MAX))]
    steps = sorted((rng.randint(0, 40), state, None, 0) for state in range(rng.randint(100, 2000)))
    sums = sorted(way[0] + step[0] for way in ways for step in steps)
    assert regret_of_last(ways, steps) == sums[WAYS_MAX - 1]


def weekend_class(number: int, lengths: list[int], **fields: Any) -> dict[str, Any]:
    return {
        "id": number,
        "name": str(number),
        "start": {"week": 1, "day_of_week": 6},
        "end": {"week": 1, "day_of_week": 7},
        "allow_filler_course": False,
        "excluded_slots": [],
        "excluded_days_of_week": [],
        "subject_type": None,
        "difficulty_level": None,
        "cognitive_intensity": "low",
        "items": [
            {"id": 100 * number + order, "order": order, "duration": length, "name": str(order), "pinned": None}
            for order, length in enumerate(lengths, 1)
        ],
        **fields,
    }


def test_several_long_items_in_a_row_are_left_out_for_short_ones_behind_them() -> None:
    """One long item of class 1 would keep out a short one of each class; the other short one is a guest."""
    problem = problem_from_json(
        {
            "version": 1,
            "semester": {"weeks": 1, "sections": 8, "day_parts": [[1, 4], [5, 8]]},
            "now": None,
            "occupied": [
                {
                    "event_id": 900,
                    "name": "900",
                    "week": 1,
                    "day_of_week": 6,
                    "section_from": 5,
                    "section_to": 6,
                    "type": "course",
                    "can_be_embedded": True,
                    "guest_task_item_id": None,
                }
            ],
            "task_classes": [
                weekend_class(1, [4, 4, 4, 2, 2], strategy="steady", excluded_slots=[1], allow_filler_course=True),
                weekend_class(2, [2, 1, 1, 2, 3, 2], strategy="rapid"),
            ],
        }
    )
    assert {one.task_item_id for one in plan(problem).unplaced} == {101, 102, 103}


def test_the_effort_of_a_big_class_without_room_counts_all_states_that_are_looked_at() -> None:
    """The budget of the search counts effort: what is not counted has no end where many big classes lack room."""
    term = {"start": {"week": 1, "day_of_week": 1}, "end": {"week": 20, "day_of_week": 7}}
    big_class = weekend_class(1, [2] * 100, strategy="rapid", **term)
    layout = Layout(
        Tables(
            problem_from_json(
                {
                    "version": 1,
                    "semester": {"weeks": 20, "sections": 4, "day_parts": [[1, 4]]},
                    "now": None,
                    "occupied": [],
                    "task_classes": [big_class],
                    "limits": {},
                }
            )
        )
    )
    owner = layout.tables.classes[0]
    freedom = near_freedom(layout, owner)
    before = layout.tables.effort
    Alone(layout, owner, freedom, owner.day_range)
    assert freedom.leave_out
    assert layout.tables.effort - before >= (len(owner.items) + 1) * len(owner.day_range)
