"""The tight bound never exceeds what any plan costs, proven optima included, whatever the prices of the cells are."""

from __future__ import annotations

import random

import pytest
from hypothesis import example as with_example
from hypothesis import given
from hypothesis import strategies as st

from bench.planner.problems import NASTY, SIZES, problem_document
from schedules.planner.codec import problem_from_json
from schedules.planner.cost.weights import WEIGHTS
from schedules.planner.solver.bounds.cheap_bound import bound_of
from schedules.planner.solver.bounds.exact import solve_exact
from schedules.planner.solver.bounds.tight_bound.relaxation import FRACTION, CellRelaxation, tight_bound_of, tighten
from schedules.planner.solver.layout import Layout
from schedules.planner.solver.rough_build import plan, plan_with_bound, seat_placements
from schedules.planner.solver.tables import Tables
from tests.kits.budgets import tried
from tests.kits.planner.examples import example
from tests.kits.planner.proven import PROVEN
from tests.kits.planner.strategies import random_document

UNIT = WEIGHTS["unplaced_section"]
seeds = st.integers(min_value=0, max_value=10**9)


@given(seeds)
@with_example(64)
@with_example(100102).via("between two items of a day one is left out")
@with_example(4300)
@tried(60)
def test_it_is_never_above_the_cost(seed: int) -> None:
    problem = problem_from_json(random_document(seed))
    found = plan_with_bound(problem)
    tight = tighten(problem, found, steps=12)
    assert found.bound <= tight.bound <= tight.cost.total == found.cost.total
    assert 0 <= tight_bound_of(Layout(Tables(problem)), steps=3) <= found.cost.total


@given(seeds, st.sampled_from([1, 30, 1000, UNIT]))
@tried(40)
def test_it_holds_at_any_prices(seed: int, dearest: int) -> None:
    problem = problem_from_json(random_document(seed))
    found = plan_with_bound(problem)
    relaxation, rng = CellRelaxation(Layout(Tables(problem))), random.Random(seed)
    for prices in relaxation.prices.values():
        prices[:] = [rng.randint(0, dearest * FRACTION) / FRACTION for _ in prices]
    assert relaxation.value() <= found.cost.total


@pytest.mark.parametrize("seed", [3, 5, 8, 13, 21, 34])
def test_a_proven_optimum_lies_between_bound_and_plan(seed: int) -> None:
    problem = problem_from_json(random_document(seed))
    exact = solve_exact(problem, seconds=10, workers=1, warm=False)
    assert exact.proven
    found = tighten(problem, plan_with_bound(problem))
    assert found.bound <= exact.plan.cost.total <= found.cost.total


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_small_problems_of_the_bench_are_bounded_by_their_optimum(seed: int) -> None:
    problem = problem_from_json(problem_document(SIZES["small"], seed))
    exact = solve_exact(problem, seconds=20, workers=2)
    assert tighten(problem, plan_with_bound(problem)).bound <= exact.plan.cost.total


@pytest.mark.parametrize(("kind", "seed"), PROVEN)
def test_it_leaves_no_more_over_than_must_be(kind: str, seed: int) -> None:
    problem = problem_from_json(problem_document(NASTY[kind], seed))
    found = plan_with_bound(problem)
    assert tighten(problem, found, steps=20).bound // UNIT <= PROVEN[kind, seed]


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_on_medium_problems_it_is_near_the_cost(seed: int) -> None:
    problem = problem_from_json(problem_document(SIZES["medium"], seed))
    found = plan_with_bound(problem)
    tight = tighten(problem, found)
    assert tight.gap < 0.07 < found.gap


def test_a_problem_without_free_items_is_its_own_bound() -> None:
    problem = problem_from_json({**example(), "task_classes": []})
    layout = Layout(Tables(problem))
    assert tight_bound_of(layout) == bound_of(layout) == layout.total


def test_more_steps_never_loosen_it() -> None:
    problem = problem_from_json(problem_document(SIZES["small"], 1))
    layout = Layout(Tables(problem))
    seat_placements(layout, plan(problem).placements)
    bounds = [tight_bound_of(layout, steps=steps) for steps in (1, 2, 5, 10, 40)]
    assert bounds == sorted(bounds)
