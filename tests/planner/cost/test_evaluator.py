"""The incremental cost is the literal one after every change, and a question changes nothing."""

from __future__ import annotations

import random
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from schedules.planner.codec import problem_from_json
from schedules.planner.cost.objective import evaluate
from schedules.planner.grid import Place
from schedules.planner.problem import Placement, Problem
from schedules.planner.solver.layout import Evaluator
from schedules.planner.solver.rough_build import plan
from tests.kits.budgets import tried
from tests.kits.planner.strategies import random_document

seeds = st.integers(min_value=0, max_value=10**9)
quick = tried(50)


def placements_of(evaluator: Evaluator) -> list[Placement]:
    problem = evaluator.problem
    found = []
    for item_id, item in problem.item_by_id.items():
        place = evaluator.place_of(item_id) if item.pinned is None else None
        if place is not None:
            host = problem.host_at(place)
            class_id = problem.class_of_item[item_id].id
            found.append(Placement(item_id, class_id, place, host.event_id if host else None))
    return found


def free_place(problem: Problem, evaluator: Evaluator, item_id: int, rng: random.Random) -> Place | None:
    """A place on cells of nobody, aligned or not, across day parts or not."""
    length = problem.item_by_id[item_id].duration
    taken = {
        (one.place.day, s) for one in (*problem.pins, *placements_of(evaluator)) for s in one.place.sections
    } | set(problem.owner)
    for _ in range(20):
        day, first = rng.randint(1, problem.grid.days), rng.randint(1, problem.grid.sections)
        place = Place(day, first, length)
        if problem.grid.contains(place) and not any((day, s) in taken for s in place.sections):
            return place
    return None


@given(seeds)
@quick
def test_it_equals_the_literal_cost_after_any_writes(seed: int) -> None:
    problem = problem_from_json(random_document(seed))
    evaluator, rng = Evaluator(problem), random.Random(seed)
    free = [item.id for _, item in problem.each_item() if item.pinned is None]
    assert evaluator.total == evaluate(problem, []).total
    for _ in range(12 if free else 0):
        item_id = rng.choice(free)
        place = free_place(problem, evaluator, item_id, rng)
        before = evaluator.total
        if place is None or rng.random() < 0.2:
            delta = evaluator.unplace(item_id)
        else:
            delta = evaluator.place(item_id, place)
        assert evaluator.total == before + delta == evaluate(problem, placements_of(evaluator)).total


@given(seeds)
@quick
def test_undoing_a_move_and_asking_for_an_exchange_restore_the_cost(seed: int) -> None:
    problem = problem_from_json(random_document(seed))
    found = plan(problem)
    evaluator, rng = Evaluator(problem, found.placements), random.Random(seed)
    placed = [p.task_item_id for p in found.placements if problem.item_by_id[p.task_item_id].pinned is None]
    assert evaluator.total == found.cost.total
    for one, other in pairwise(placed):
        if problem.item_by_id[one].duration == problem.item_by_id[other].duration:
            asked = evaluator.swap_delta(one, other)
            assert evaluator.swap_delta(other, one) == asked
            here, there = evaluator.place_of(one), evaluator.place_of(other)
            assert here is not None
            assert there is not None
            evaluator.unplace(other)
            evaluator.place(one, there)
            evaluator.place(other, here)
            assert evaluator.total == found.cost.total + asked
            evaluator.unplace(one)
            evaluator.place(other, there)
            evaluator.place(one, here)
        place = free_place(problem, evaluator, one, rng)
        if place is not None:
            home = evaluator.place_of(one)
            assert home is not None
            assert evaluator.place(one, place) + evaluator.place(one, home) == 0
        assert evaluator.total == found.cost.total
