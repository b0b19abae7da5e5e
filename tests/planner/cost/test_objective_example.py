"""The worked example comes out number by number."""

from __future__ import annotations

import pytest

from schedules.planner.codec import placements_from_json, problem_from_json
from schedules.planner.cost.constants import constants_of
from schedules.planner.cost.objective import Cost, evaluate, terms_of
from schedules.planner.grid import Place
from schedules.planner.problem import Placement
from tests.kits.planner.examples import BEST_PLAN, FIRST_PLAN, VARIANT_PLAN, example, item, plan_document, variant


def cost_of(document: dict, rows: list[tuple[int, int, int, int]]) -> Cost:
    problem = problem_from_json(document)
    return evaluate(problem, placements_from_json(plan_document(rows), problem))


def non_zero(cost: Cost) -> dict[str, int]:
    return {name: value for name, value in cost.parts.items() if value}


def test_it_finds_the_constants_of_the_example() -> None:
    constants = constants_of(problem_from_json(example()))
    steady, rapid = constants.classes[5], constants.classes[6]
    assert (steady.available_sections, steady.allow, steady.apart, steady.zone) == (36, 1, True, 0)
    assert steady.segments[0].targets == (8, 26)
    assert (rapid.allow, rapid.zone, rapid.segments[0].rapid_step) == (3, 1, 20)
    assert [rapid.depth(day) for day in (6, 7)] == [0, 1]


@pytest.mark.parametrize(
    ("document", "rows", "parts"),
    [
        (example(), FIRST_PLAN, {"target": 92, "load": 48, "switch": 6}),
        (example(), BEST_PLAN, {"target": 21, "load": 44}),
        (variant(), VARIANT_PLAN, {"target": 92, "load": 56, "switch": 6, "heavy_adjacent": 60, "long_run": 40}),
    ],
)
def test_it_costs_the_example_part_by_part(document: dict, rows: list, parts: dict[str, int]) -> None:
    cost = cost_of(document, rows)
    assert non_zero(cost) == parts
    assert cost.total == sum(parts.values())
    assert tuple(cost.parts) == tuple(term.name for term in terms_of(problem_from_json(document)))


def test_it_explains_every_point() -> None:
    cost = cost_of(variant(), VARIANT_PLAN)
    heavy = [entry for entry in cost.explanations if entry.part == "heavy_adjacent"]
    assert [(entry.day, entry.task_item_ids) for entry in heavy] == [(3, (102, 203))]
    assert sum(entry.cost for entry in cost.explanations) == cost.total


def test_it_charges_an_item_that_is_left_out_above_all_else() -> None:
    cost = cost_of(example(), FIRST_PLAN[1:])
    assert cost.parts["unplaced"] == 2 * 10_000_000 + 1000
    assert cost.explanations[-1].day is None


@pytest.mark.parametrize(
    ("strategy", "count", "day", "target"),
    [("rapid", 40, 4, 3 * 2), ("rapid", 1, 40, 2000), ("steady", 20, 56, 2000)],
    ids=["at least two a day", "a late rapid item", "a steady item far from its target"],
)
def test_the_target_part_has_a_floor_and_a_cap(strategy: str, count: int, day: int, target: int) -> None:
    document = example()
    items = [item(1000 + k, k) for k in range(1, count + 1)]
    document["task_classes"][0] |= {"strategy": strategy, "end": {"week": 8, "day_of_week": 7}, "items": items}
    placed = [Placement(1001, 5, Place(day, 1, 2))]
    assert evaluate(problem_from_json(document), placed).parts["target"] == target
