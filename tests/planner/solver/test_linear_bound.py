"""The bound of the linear programme never exceeds what any plan costs, proven optima included, whatever the solver's
prices are."""

from __future__ import annotations

import random
from collections import defaultdict
from typing import Any

import pytest
from hypothesis import example as with_example
from hypothesis import given
from hypothesis import strategies as st

from bench.planner.problems import SIZES, problem_document
from schedules.planner.codec import problem_from_json
from schedules.planner.solver.bounds.exact import ExactModel, solve_exact
from schedules.planner.solver.bounds.linear_bound import _bound_at, _Solver, load_solver, tighten_linear
from schedules.planner.solver.bounds.tight_bound.relaxation import tighten
from schedules.planner.solver.rough_build import plan, plan_with_bound
from schedules.planner.solver.tables import Tables
from tests.kits.budgets import tried
from tests.kits.planner.examples import example
from tests.kits.planner.strategies import random_document

seeds = st.integers(min_value=0, max_value=10**9)


@given(seeds)
@with_example(64)
@with_example(4300)
@tried(30)
def test_it_is_never_above_the_cost(seed: int) -> None:
    problem = problem_from_json(random_document(seed))
    found = plan_with_bound(problem)
    tight = tighten_linear(problem, found, seconds=20)
    assert found.bound <= tight.bound <= tight.cost.total == found.cost.total


@given(seeds, st.sampled_from([1, 30, 1000]))
@tried(20)
def test_it_holds_at_any_prices(seed: int, dearest: int) -> None:
    problem, rng = problem_from_json(random_document(seed)), random.Random(seed)
    model = ExactModel(_Solver(load_solver()), Tables(problem)).model.model
    prices: Any = defaultdict(lambda: rng.uniform(-dearest, dearest))
    assert _bound_at(model, prices) <= plan(problem).cost.total


@pytest.mark.parametrize("seed", [3, 5, 8, 13, 21, 34])
def test_a_proven_optimum_lies_between_bound_and_plan(seed: int) -> None:
    problem = problem_from_json(random_document(seed))
    exact = solve_exact(problem, seconds=10, workers=1, warm=False)
    assert exact.proven
    assert tighten_linear(problem, plan_with_bound(problem), seconds=20).bound <= exact.plan.cost.total


def test_it_is_tighter_than_prices_on_cells() -> None:
    problem = problem_from_json(problem_document(SIZES["small"], 0))
    found = plan_with_bound(problem)
    assert tighten(problem, found).bound < tighten_linear(problem, found, seconds=20).bound == 460


def test_without_time_and_without_items_the_bound_stays_as_it_was() -> None:
    problem = problem_from_json(problem_document(SIZES["small"], 0))
    found = plan_with_bound(problem)
    assert tighten_linear(problem, found, seconds=1e-9) == found
    empty = problem_from_json({**example(), "task_classes": []})
    found = plan_with_bound(empty)
    assert tighten_linear(empty, found, seconds=20) == found
