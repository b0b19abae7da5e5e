"""The bound never exceeds what any plan costs, proven optima included."""

from __future__ import annotations

import pytest
from hypothesis import example as with_example
from hypothesis import given
from hypothesis import strategies as st

from schedules.planner.codec import problem_from_json
from schedules.planner.solver.bounds.cheap_bound import NEVER, SpotStarts, bound_of
from schedules.planner.solver.bounds.exact import solve_exact
from schedules.planner.solver.layout import Layout
from schedules.planner.solver.rough_build import plan, plan_with_bound
from schedules.planner.solver.tables import Tables
from tests.kits.budgets import tried
from tests.kits.planner.examples import example
from tests.kits.planner.strategies import random_document

seeds = st.integers(min_value=0, max_value=10**9)


@given(seeds)
@with_example(64).via("an item between two others of its day has no room")
@with_example(4300).via("three items of a day need more sections than it has")
@tried(60)
def test_it_is_never_above_the_cost(seed: int) -> None:
    problem = problem_from_json(random_document(seed))
    found = plan_with_bound(problem)
    assert 0 <= found.bound <= found.cost.total
    assert bound_of(Layout(Tables(problem))) <= found.cost.total
    assert found.gap == pytest.approx((found.cost.total - found.bound) / max(found.cost.total, 1), abs=1e-4)


@pytest.mark.parametrize("seed", [3, 5, 8, 13, 21, 34])
def test_a_proven_optimum_lies_between_bound_and_plan(seed: int) -> None:
    problem = problem_from_json(random_document(seed))
    found = plan_with_bound(problem)
    exact = solve_exact(problem, seconds=10, workers=1, warm=False)
    assert exact.proven
    assert found.bound <= exact.plan.cost.total <= found.cost.total
    assert exact.plan.bound == exact.plan.cost.total


def test_the_progress_of_the_solver_falls_to_the_cost_of_its_plan() -> None:
    exact = solve_exact(problem_from_json(random_document(3)), seconds=10, workers=1, warm=False)
    totals = [total for _, total, _ in exact.progress]
    assert totals == sorted(totals, reverse=True)
    assert totals[-1] == exact.plan.cost.total
    assert all(0 <= bound <= totals[-1] for _, _, bound in exact.progress)


def test_the_example_is_solved_to_its_optimum() -> None:
    problem = problem_from_json(example())
    assert plan(problem).cost.total == 65 == solve_exact(problem, seconds=10, workers=1, warm=False).plan.cost.total


@given(st.lists(st.tuples(st.integers(1, 12), st.integers(0, 9)), unique_by=lambda one: one[0]), st.integers(0, 13))
def test_the_shortened_starts_hold_the_cheapest_for_a_target_outside_the_day(
    starts: list[tuple[int, int]], fall: int
) -> None:
    every = sorted(starts)
    short = SpotStarts(every)
    for some, costs in ((short.rising, range(14)), (short.falling, range(13, -1, -1))):
        rows = [min(cost, fall) for cost in costs]
        cheapest = [min((fit + rows[first] for first, fit in group), default=None) for group in (every, some)]
        assert cheapest[0] == cheapest[1]
    assert short.least_fit == min((fit for _, fit in every), default=NEVER)
