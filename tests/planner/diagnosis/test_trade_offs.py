"""Where no step makes a plan better, the diagnosis tells what could be given up; each wish tells its price."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache

import pytest

from schedules.planner.codec import problem_from_json
from schedules.planner.diagnosis.health import analyze_health
from schedules.planner.diagnosis.trade_offs import effect_words, wish_costs
from schedules.planner.draft.adapter import cost_of
from schedules.planner.draft.from_problem import draft_of
from schedules.planner.draft.operations import MoveOp
from schedules.planner.draft.state import ScheduleState
from schedules.planner.soft_limits import SoftLimit
from schedules.planner.solver.rough_build import plan
from tests.kits.planner.strategies import random_document


@cache
def planned(seed: int) -> ScheduleState:
    document, rng = random_document(seed), random.Random(seed)
    wish = {"kind": "light_weekday", "value": rng.randint(1, 7), "class_id": None, "hard_only": False}
    problem = problem_from_json({**document, "wishes": [wish]})
    return draft_of(problem, plan(problem).placements)


def traded() -> list[tuple[ScheduleState, dict[str, object]]]:
    states = [planned(seed) for seed in range(60, 100)]
    return [(state, row) for state in states for row in analyze_health(state)["decision"].get("trade_offs", ())]


def test_a_trade_off_is_a_legal_move_that_takes_the_problem_away_and_its_parts_are_what_it_changes() -> None:
    found = traded()
    assert found
    for state, row in found:
        after = MoveOp(*row["arguments"].values()).apply(state)  # type: ignore[attr-defined]
        assert isinstance(after, ScheduleState)
        changed = cost_of(after).total - cost_of(state).total
        assert sum(row["parts"].values()) == changed > -5  # type: ignore[attr-defined]
        assert row["summary"] == effect_words(row, "zh")


def test_only_a_plan_that_no_step_makes_better_is_told_of_trade_offs() -> None:
    for seed in range(60, 100):
        found = analyze_health(planned(seed))
        if found["decision"]["forced_reason"] != "no_improving_candidate":
            assert "trade_offs" not in found["decision"]


@pytest.mark.parametrize(
    ("row", "chinese", "english"),
    [
        (
            {"days_later": 2, "day_part": [3, 2], "parts": {"fit": -60, "target": 40}},
            "晚 2 天，分布没那么均匀，但不在晚上",
            "2 days later, spread less evenly, but not in the evening",
        ),
        ({"days_later": -1, "day_part": [2, 3], "parts": {"fit": 20}}, "要在晚上，但早一天",
         "in the evening, but a day earlier"),
        ({"days_later": 0, "day_part": [1, 1], "parts": {"load": 3}}, "没有明显差别", "no clear difference"),
    ],
)  # fmt: skip
def test_effects_are_told_in_plain_words(row: dict[str, object], chinese: str, english: str) -> None:
    assert effect_words(row, "zh") == chinese
    assert effect_words(row, "en") == english


def test_the_price_of_a_wish_is_a_move_that_only_the_wish_speaks_against() -> None:
    priced = 0
    for seed in range(60, 100):
        state = planned(seed)
        for day in range(1, 8):
            wish = SoftLimit("light_weekday", day)
            wished = replace(state, wishes=(wish,))
            trade = wish_costs(wished)[wish]
            without = replace(state, wishes=())
            if trade is None:
                continue
            priced += 1
            moved = MoveOp(*trade.step.arguments(lambda day, of=state: of.window.index_of(day) or 0).values())
            after = moved.apply(without)
            assert isinstance(after, ScheduleState)
            assert cost_of(after).total < cost_of(without).total
            beside = moved.apply(wished)
            assert isinstance(beside, ScheduleState)
            assert cost_of(beside).total > cost_of(wished).total - 5
    assert priced
