"""Wishes are charged the same by every reading of the objective, bind nothing, and cost nothing once they are gone."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schedules.planner.advice.wish_report import wish_standings
from schedules.planner.codec import plan_to_json, problem_from_json
from schedules.planner.cost.objective import evaluate
from schedules.planner.diagnosis.health import analyze_health
from schedules.planner.draft.adapter import cost_of
from schedules.planner.draft.codec import state_from_json, state_to_json
from schedules.planner.draft.from_problem import draft_of
from schedules.planner.draft.operations import MoveOp, SwapOp
from schedules.planner.draft.state import ScheduleState
from schedules.planner.grid import Place, week_and_weekday
from schedules.planner.problem import Placement, Problem
from schedules.planner.rules.placement import Situation, broken_rules
from schedules.planner.soft_limits import KINDS, SoftLimit
from schedules.planner.solver.bounds.exact import solve_exact
from schedules.planner.solver.layout import Evaluator
from schedules.planner.solver.rough_build import plan, plan_with_bound
from tests.kits.budgets import tried
from tests.kits.planner.checking import board_of, subject_of
from tests.kits.planner.slow_cost import slow_total
from tests.kits.planner.strategies import random_document

seeds = st.integers(min_value=0, max_value=10**9)
LOW, HIGH = (2, 5, 1, 1, 1, 1), (8, 10, 3, 7, 3, 9)
"""Least and largest value by kind."""


def wished(seed: int) -> dict[str, Any]:
    """A random problem with one to four random wishes."""
    document, rng = random_document(seed), random.Random(f"wishes {seed}")
    classes = [None, *(row["id"] for row in document["task_classes"])]
    document["wishes"] = []
    for _ in range(rng.randint(1, 4)):
        number = rng.randrange(len(KINDS))
        document["wishes"].append(
            {
                "kind": KINDS[number],
                "value": rng.randint(LOW[number], HIGH[number]),
                "class_id": rng.choice(classes),
                "hard_only": KINDS[number] != "blocks_a_day" and rng.random() < 0.3,
            }
        )
    return document


def literal_cost(problem: Problem, placements: tuple[Placement, ...]) -> int:
    """The sentences of the reference, wish by wish and section by section."""
    total, stands = 0, {one.task_item_id: one for one in (*placements, *problem.pins)}
    for wish in {(one.kind, one.value, one.class_id, one.hard_only) for one in problem.wishes}:
        kind, value, class_id, hard_only = wish
        for one in stands.values():
            owner, item = problem.class_of_item[one.task_item_id], problem.item_by_id[one.task_item_id]
            heavy = "high" in (owner.rules.cognitive_intensity, owner.rules.difficulty_level)
            if class_id not in (None, owner.id) or (hard_only and not heavy) or item.pinned is not None:
                continue
            parts = problem.grid.day_parts
            for section in range(one.place.first, one.place.last + 1):
                total += 60 * (kind == "earliest_section" and section < value)
                total += 60 * (kind == "latest_section" and section > value)
                total += 60 * (kind == "light_weekday" and week_and_weekday(one.place.day)[1] == value)
                if kind == "day_part" and value <= len(parts):
                    total += 60 * (not parts[value - 1][0] <= section <= parts[value - 1][1])
            if kind == "finish_early":
                total += 400 * max(0, one.place.day - (owner.end_day - value))
    for class_id in {one.class_id for one in problem.wishes if one.kind == "blocks_a_day"}:
        limit = min(one.value for one in problem.wishes if (one.kind, one.class_id) == ("blocks_a_day", class_id))
        for day in {one.place.day for one in stands.values()}:
            here = [one for one in stands.values() if one.place.day == day]
            if class_id is None:
                sections = sum(one.place.length for one in here)
            else:
                mine = [one for one in here if one.task_class_id == class_id]
                sections = 2 * sum(problem.item_by_id[one.task_item_id].blocks for one in mine)
            over = max(0, sections - 2 * limit)
            total += 20 * over * (over + 1)
    return total


@given(seeds)
@tried(60)
def test_the_planner_the_objective_and_the_sentences_agree(seed: int) -> None:
    document = wished(seed)
    problem = problem_from_json(document)
    found = plan_with_bound(problem)
    cost = evaluate(problem, found.placements)
    assert cost.parts["wish"] == literal_cost(problem, found.placements)
    assert found.cost == cost
    assert found.cost.total == slow_total(document, plan_to_json(found)) + cost.parts["wish"]
    assert 0 <= found.bound <= found.cost.total


@given(seeds)
@tried(40)
def test_the_cost_that_is_kept_is_the_literal_one_after_any_move(seed: int) -> None:
    problem, rng = problem_from_json(wished(seed)), random.Random(seed)
    found = plan(problem)
    evaluator = Evaluator(problem, found.placements)
    at = {one.task_item_id: one for one in found.placements}
    for one in found.placements:
        if problem.item_by_id[one.task_item_id].pinned is None:
            last = problem.grid.sections - one.place.length + 1
            place = Place(rng.randint(1, problem.grid.days), rng.randint(1, last), one.place.length)
            taken = {(other.place.day, section) for other in at.values() for section in other.place.sections}
            if any(
                (place.day, section) in taken or (place.day, section) in problem.owner for section in place.sections
            ):
                continue
            evaluator.place(one.task_item_id, place)
            at[one.task_item_id] = Placement(one.task_item_id, one.task_class_id, place)
        assert evaluator.total == evaluate(problem, tuple(at.values())).total


@given(seeds)
@tried(60)
def test_a_wish_breaks_no_rule_and_leaves_nothing_out(seed: int) -> None:
    problem = problem_from_json(wished(seed))
    found, plain = plan(problem), plan(replace(problem, wishes=()))
    board, situation = board_of(problem, found.placements), Situation(now=problem.now, planner=True)
    for one in found.placements:
        item = problem.item_by_id[one.task_item_id]
        if item.pinned is None:
            subject = subject_of(problem.class_of_item[item.id], item)
            assert broken_rules(board, subject, one.place, situation=situation) == []
        else:
            assert one.place == item.pinned
    lost = [sum(row.missing_sections for row in one.unplaced) for one in (found, plain)]
    assert lost[0] <= lost[1]


@given(seeds)
@tried(40)
def test_taking_the_wishes_back_restores_the_plan_and_its_cost(seed: int) -> None:
    document = wished(seed)
    problem = problem_from_json(document)
    without = problem_from_json({key: value for key, value in document.items() if key != "wishes"})
    back = replace(problem, wishes=())
    assert back == without
    assert plan_to_json(plan_with_bound(back)) == plan_to_json(plan_with_bound(without))
    placements = plan(problem).placements
    cost, plain = evaluate(problem, placements), evaluate(back, placements)
    # Where a class is to be done earlier its work is spread over the days until then.
    spread = {"target"} if any(wish.kind == "finish_early" for wish in problem.wishes) else set()
    told = {part: value for part, value in cost.parts.items() if part not in {"wish", *spread}}
    assert told == {part: value for part, value in plain.parts.items() if part not in spread}


WEEK = {"weeks": 2, "sections": 12, "day_parts": [[1, 4], [5, 8], [9, 12]]}
CLASS = {
    "name": "数学",
    "strategy": "steady",
    "start": {"week": 1, "day_of_week": 1},
    "end": {"week": 2, "day_of_week": 7},
    "allow_filler_course": False,
    "excluded_slots": [],
    "excluded_days_of_week": [],
    "subject_type": "quantitative",
    "difficulty_level": "high",
    "cognitive_intensity": "high",
}


def small(*wishes: SoftLimit, items: int = 8, classes: int = 2) -> Problem:
    rows = [
        {
            **CLASS,
            "id": number,
            "items": [
                {"id": 10 * number + order, "order": order + 1, "duration": 2, "name": "", "pinned": None}
                for order in range(items)
            ],
        }
        for number in range(1, classes + 1)
    ]
    document = {"version": 1, "semester": WEEK, "now": None, "occupied": [], "task_classes": rows}
    return replace(problem_from_json(document), wishes=wishes)


WISHES = {
    "nothing hard before ten": (SoftLimit("earliest_section", 3, hard_only=True), lambda place: place.first >= 3),
    "no late evenings": (SoftLimit("latest_section", 8), lambda place: place.last <= 8),
    "mornings": (SoftLimit("day_part", 1), lambda place: place.last <= 4),
    "keep Sunday light": (SoftLimit("light_weekday", 7), lambda place: place.day not in (7, 14)),
    "finish a week early": (SoftLimit("finish_early", 7), lambda place: place.day <= 7),
}


@pytest.mark.parametrize("name", WISHES)
def test_a_wish_that_can_be_met_is_met(name: str) -> None:
    wish, holds = WISHES[name]
    found = plan(small(wish, items=6))
    assert all(holds(one.place) for one in found.placements)
    assert found.cost.parts["wish"] == 0


@pytest.mark.parametrize("items", [4, 8, 10])
@pytest.mark.parametrize("days", [7, 14, 30])
def test_what_is_to_be_done_earlier_is_spread_over_the_days_until_then(items: int, days: int) -> None:
    problem = small(SoftLimit("finish_early", days), items=items)
    longer = replace(problem, grid=replace(problem.grid, weeks=8), task_classes=tuple(
        replace(row, rules=replace(row.rules, end_day=56)) for row in problem.task_classes
    ))  # fmt: skip
    found = plan(longer)
    assert found.cost.parts["wish"] == 0
    used = {one.place.day for one in found.placements if one.task_class_id == 1}
    assert max(used) - min(used) > (56 - days) // 2, "evenly, not all at once"


def test_at_most_one_block_a_day_is_met_where_there_are_days_enough() -> None:
    found = plan(small(SoftLimit("blocks_a_day", 1), items=6))
    days = [one.place.day for one in found.placements]
    assert len(days) == len(set(days)) == 12


@pytest.mark.parametrize("wish", [row[0] for row in WISHES.values()] + [SoftLimit("blocks_a_day", 1, 1)])
def test_the_exact_solver_has_the_same_objective(wish: SoftLimit) -> None:
    problem = small(wish, SoftLimit("blocks_a_day", 1), items=3)
    found = solve_exact(problem, seconds=10, workers=1)
    assert found.plan.cost == evaluate(problem, found.plan.placements)
    assert found.plan.cost.total <= plan(problem).cost.total


def moved_against(wish: SoftLimit) -> ScheduleState:
    """A plan made without a wish, looked at with it."""
    problem = small(items=5)
    return replace(draft_of(problem, plan(problem).placements), wishes=(wish,))


@pytest.mark.parametrize("wish", [SoftLimit("day_part", 2), SoftLimit("blocks_a_day", 1), SoftLimit("finish_early", 5)])
def test_the_diagnosis_names_what_lies_against_a_wish_and_offers_steps_that_lower_it(wish: SoftLimit) -> None:
    state = moved_against(wish)
    found = analyze_health(state)
    assert [row for row in found["issues"] if row["issue_id"].startswith("issue_wish")]
    steps = [row for row in found["decision"]["candidates"] if row["tool"]]
    assert steps
    before = cost_of(state)
    for row in steps:
        after = cost_of((MoveOp if row["tool"] == "move" else SwapOp)(**row["arguments"]).apply(state))
        assert row["after"]["cost_total"] == after.total < before.total


def test_a_draft_carries_its_wishes_through_its_document() -> None:
    state = moved_against(SoftLimit("light_weekday", 7, 1))
    assert state_from_json(state_to_json(state)) == state
    plain = replace(state, wishes=())
    assert "wishes" not in state_to_json(plain)
    assert state_from_json(state_to_json(plain)) == plain


@given(seeds)
@tried(60)
def test_a_daily_limit_is_told_as_met_where_it_costs_nothing(seed: int) -> None:
    document = random_document(seed)
    for row in document["task_classes"]:
        for item in row["items"]:
            item["duration"], item["pinned"] = 1, None
    document["wishes"] = []
    problem = problem_from_json(document)
    draft = draft_of(problem, plan(problem, budget=0).placements)
    for class_id in (None, *draft.scope):
        wish = SoftLimit("blocks_a_day", 1, class_id)
        wishing = replace(draft, wishes=(wish,))
        [standing] = wish_standings(wishing)
        assert standing.met == (cost_of(wishing).parts["wish"] == 0)
