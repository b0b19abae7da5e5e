"""Every plan obeys the hard rules, keeps its promises, and does not depend on the order of its input."""

from __future__ import annotations

import copy
import random
from collections import Counter
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from bench.planner.problems import SIZES, problem_document
from schedules.planner.codec import plan_to_json, problem_from_json
from schedules.planner.grid import Place
from schedules.planner.problem import Placement, PlanClass, Problem
from schedules.planner.rules.placement import Situation, broken_rules, first_broken
from schedules.planner.rules.violations import Rule
from schedules.planner.solver.rough_build import Plan, plan, plan_with_bound
from tests.kits.budgets import tried
from tests.kits.planner.checking import board_of, subject_of
from tests.kits.planner.slow_cost import slow_total
from tests.kits.planner.strategies import random_document

seeds = st.integers(min_value=0, max_value=10**9)
quick = tried(60)


@given(seeds)
@quick
def test_it_obeys_every_hard_rule(seed: int) -> None:
    problem = problem_from_json(random_document(seed))
    found = plan(problem)
    board = board_of(problem, found.placements)
    situation = Situation(now=problem.now, planner=True)
    for placement in found.placements:
        item = problem.item_by_id[placement.task_item_id]
        if item.pinned is None:
            subject = subject_of(problem.class_of_item[item.id], item)
            assert broken_rules(board, subject, placement.place, situation=situation) == []
        else:
            assert placement.place == item.pinned
    listed = Counter(one.task_item_id for one in (*found.placements, *found.unplaced))
    assert listed == Counter(problem.item_by_id.keys())


def starts(problem: Problem, task_class: PlanClass, length: int) -> list[Place]:
    days = range(task_class.start_day, task_class.end_day + 1)
    return [Place(day, s, length) for day in days for s in range(1, problem.grid.sections - length + 2)]


@given(seeds)
@quick
def test_it_leaves_out_no_item_that_has_a_legal_place_and_names_the_usual_obstacle(seed: int) -> None:
    problem = problem_from_json(random_document(seed))
    found = plan(problem)
    board = board_of(problem, found.placements)
    situation = Situation(now=problem.now, planner=True)
    for left in found.unplaced:
        item, task_class = problem.item_by_id[left.task_item_id], problem.class_of_item[left.task_item_id]
        broken: Counter[Rule] = Counter()
        for place in starts(problem, task_class, item.duration):
            violation = first_broken(board, subject_of(task_class, item), place, situation=situation)
            assert violation is not None, "an item was left out although it has a legal place"
            broken[violation.rule] += 1
        counted = {r: n for r, n in broken.items() if r not in (Rule.NOT_ALIGNED, Rule.CROSSES_DAY_PART)}
        order = list(Rule)
        usual = min(counted, key=lambda r: (-counted[r], order.index(r)), default=Rule.OUTSIDE_CLASS_WINDOW)
        assert (left.rule, left.missing_sections) == (usual, item.duration)


@given(seeds)
@quick
def test_it_costs_what_a_second_reading_of_the_objective_says(seed: int) -> None:
    document = random_document(seed)
    found = plan_with_bound(problem_from_json(document))
    written = plan_to_json(found)
    assert slow_total(document, written) == found.cost.total == sum(found.cost.parts.values())
    for part, value in found.cost.parts.items():
        assert sum(one["cost"] for one in written["explanations"] if one["part"] == part) == value


def shuffled(document: dict[str, Any], seed: int) -> dict[str, Any]:
    rng = random.Random(seed)
    other = copy.deepcopy(document)
    for rows in (other["occupied"], other["task_classes"], *(c["items"] for c in other["task_classes"])):
        rng.shuffle(rows)
    return other


@given(seeds)
@quick
def test_it_does_not_depend_on_the_order_of_the_arrays(seed: int) -> None:
    document = random_document(seed)
    one, other = (plan_with_bound(problem_from_json(some)) for some in (document, shuffled(document, seed)))
    assert plan_to_json(one) == plan_to_json(other)


@given(seeds)
@quick
def test_it_is_never_worse_than_the_constructive_pass(seed: int) -> None:
    problem = problem_from_json(random_document(seed))
    assert plan(problem).cost.total <= plan(problem, budget=0).cost.total


def legal(problem: Problem, found: Plan, moved: dict[int, Place]) -> tuple[Placement, ...] | None:
    """The placements with some items elsewhere, if all of those stand legally."""
    placements = []
    for one in found.placements:
        place = moved.get(one.task_item_id, one.place)
        host = problem.host_at(place)
        placements.append(Placement(one.task_item_id, one.task_class_id, place, host.event_id if host else None))
    board = board_of(problem, tuple(placements))
    situation = Situation(now=problem.now, planner=True)
    for item_id, place in moved.items():
        subject = subject_of(problem.class_of_item[item_id], problem.item_by_id[item_id])
        if broken_rules(board, subject, place, situation=situation):
            return None
    return tuple(placements)


@given(seeds)
@tried(12)
def test_no_single_relocation_and_no_exchange_lowers_the_cost(seed: int) -> None:
    document = random_document(seed)
    problem = problem_from_json(document)
    found = plan(problem)
    free = [one for one in found.placements if problem.item_by_id[one.task_item_id].pinned is None]
    moves: list[dict[int, Place]] = []
    for one in free:
        task_class = problem.class_of_item[one.task_item_id]
        moves += [{one.task_item_id: place} for place in starts(problem, task_class, one.place.length)]
        for other in free:
            if other.task_item_id > one.task_item_id:
                there = Place(other.place.day, other.place.first, one.place.length)
                here = Place(one.place.day, one.place.first, other.place.length)
                moves.append({one.task_item_id: there, other.task_item_id: here})
    for moved in moves:
        placements = legal(problem, found, moved)
        if placements is not None:
            rows = [{"task_item_id": p.task_item_id, **where(p.place)} for p in placements]
            assert slow_total(copy.deepcopy(document), {"placements": rows}) >= found.cost.total


def where(place: Place) -> dict[str, int]:
    return {"week": (place.day - 1) // 7 + 1, "day_of_week": (place.day - 1) % 7 + 1, "section_from": place.first}


def test_a_class_that_found_no_room_is_seated_before_the_others() -> None:
    """Class 9 of this term is laid last and would lose its last items to classes that could stand elsewhere."""
    problem = problem_from_json(problem_document(SIZES["large"], 11))
    assert plan(problem, budget=0).unplaced == ()
