"""Plans of random problems before the independent judge, and the judge itself before the worked example."""

from __future__ import annotations

import json
import random

import pytest

from schedules.planner.codec import plan_to_json, problem_from_json
from schedules.planner.solver.rough_build import plan_with_bound
from tests.conformance.judge import Term, judge, price
from tests.conformance.problems import random_problem
from tests.conformance.worked import placements, worked_example


def test_the_judge_prices_the_worked_example() -> None:
    term = Term(worked_example())
    first = placements((101, 1, 3, None), (102, 3, 3, None), (201, 1, 7, None), (202, 2, 3, 900), (203, 3, 1, None))
    best = placements((101, 2, 5, None), (102, 4, 1, None), (201, 1, 3, None), (202, 1, 7, None), (203, 2, 3, 900))
    assert sum(price(term, {"placements": first, "unplaced": []}).values()) == 146
    assert sum(price(term, {"placements": best, "unplaced": []}).values()) == 65


def test_the_planner_finds_the_optimum_of_the_worked_example() -> None:
    document = plan_to_json(plan_with_bound(problem_from_json(worked_example())))
    assert judge(worked_example(), document) == []
    assert document["cost"]["total"] == 65


@pytest.mark.parametrize("seed", range(120))
def test_it_builds_a_plan_that_the_judge_accepts(seed: int) -> None:
    problem = random_problem(seed)
    assert judge(problem, plan_to_json(plan_with_bound(problem_from_json(problem)))) == []


@pytest.mark.parametrize("seed", range(30))
def test_the_order_of_the_input_does_not_matter(seed: int) -> None:
    problem = random_problem(seed)
    shuffled = json.loads(json.dumps(problem))
    dice = random.Random(seed)
    dice.shuffle(shuffled["occupied"])
    dice.shuffle(shuffled["task_classes"])
    for task_class in shuffled["task_classes"]:
        dice.shuffle(task_class["items"])
    plans = [json.dumps(plan_to_json(plan_with_bound(problem_from_json(p)))) for p in (problem, shuffled)]
    assert plans[0] == plans[1]
