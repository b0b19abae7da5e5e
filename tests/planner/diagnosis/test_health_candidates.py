"""Candidates hold what they promise: accepted by the real write, `after` is the next diagnosis, the cost falls."""

from __future__ import annotations

import copy
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schedules.planner.diagnosis.health import analyze_health
from schedules.planner.draft.adapter import cost_of
from schedules.planner.draft.operations import MoveOp, PlaceOp, SwapOp, UnplaceOp
from schedules.planner.draft.state import ScheduleState
from tests.kits.budgets import tried
from tests.kits.planner.crowded import crowded, left_out
from tests.kits.planner.legal_places import legal_places
from tests.kits.planner.worlds import random_state

STEPS_MAX = 60


def diagnosed(state: ScheduleState, **previous: Any) -> dict[str, Any]:
    return analyze_health(state, left_out=left_out(state), **previous)


def chosen(state: ScheduleState, candidate: dict[str, Any]) -> ScheduleState:
    op = (MoveOp if candidate["tool"] == "move" else SwapOp)(**candidate["arguments"])
    return op.apply(state)


SEEDS = range(40)
any_draft = given(seed=st.integers(0, 10_000))
bounded = tried(40)


@any_draft
@bounded
def test_every_candidate_is_accepted_and_its_after_is_the_next_diagnosis(seed: int) -> None:
    state = crowded(seed)
    found = diagnosed(state)
    for candidate in found["decision"]["candidates"]:
        if candidate["tool"] == "":
            continue
        after = diagnosed(chosen(state, candidate))
        told = candidate["after"]
        rhythm = after["metrics"]["rhythm"]
        drivers = [issue for issue in after["issues"] if issue["severity"] != "info"]
        assert told["can_close"] == (not drivers)
        assert told["primary_problem"] == after["decision"]["primary_problem"]
        assert told["primary_issue_id"] == after["decision"]["primary_issue_id"]
        assert told["cost_total"] == after["metrics"]["cost"]["total"]
        assert told["cost_total"] == found["metrics"]["cost"]["total"] - candidate["score"]
        assert {name: told[name] for name in told.keys() & rhythm.keys()} == {
            name: rhythm[name] for name in told.keys() & rhythm.keys()
        }


@any_draft
@bounded
def test_following_the_first_candidate_ends_in_close_with_a_strictly_falling_cost(seed: int) -> None:
    state, signal, count = crowded(seed), "", 0
    before = None
    for _ in range(STEPS_MAX):
        found = diagnosed(state, previous_signal=signal, previous_count=count)
        cost, decision = found["metrics"]["cost"]["total"], found["decision"]
        assert before is None or cost < before
        before, signal, count = cost, decision["improvement_signal"], decision["stagnation_count"]
        if found["verdict"] != "continue":
            break
        state = chosen(state, decision["candidates"][0])
    assert found["verdict"] in ("close", "infeasible")
    assert cost == cost_of(state).total


@any_draft
@bounded
def test_everything_derived_follows_from_the_verdict_and_it_is_deterministic(seed: int) -> None:
    state = crowded(seed)
    found = analyze_health(state)
    assert found == analyze_health(copy.deepcopy(state))
    decision, verdict = found["decision"], found["verdict"]
    candidates = decision["candidates"]
    assert decision["should_continue_optimize"] == (verdict == "continue")
    assert found["metrics"]["can_close"] == (verdict == "close")
    assert decision["is_forced_imperfection"] == (decision["forced_reason"] != "")
    operations = {"close": "close", "ask_user": "ask_user", "infeasible": "ask_user"}
    assert decision["recommended_operation"] == (operations.get(verdict) or candidates[0]["tool"])
    assert (not candidates) == (verdict in ("ask_user", "infeasible"))
    for candidate in candidates:
        if candidate["tool"] == "swap":
            arguments = candidate["arguments"]
            assert arguments["task_a"] < arguments["task_b"]
            assert candidate["candidate_id"] == f"swap_{arguments['task_a']}_{arguments['task_b']}"
    assert len(candidates) <= 6


@any_draft
@bounded
def test_taking_a_step_back_restores_the_cost(seed: int) -> None:
    state = crowded(seed)
    for candidate in diagnosed(state)["decision"]["candidates"]:
        if candidate["tool"] != "move":
            continue
        entry = state.task(candidate["arguments"]["task_id"])
        assert entry is not None
        slot = entry.slots[0]
        back = MoveOp(entry.state_id, slot.day, slot.slot_start).apply(chosen(state, candidate))
        assert cost_of(back) == cost_of(state)
        assert back.tasks == state.tasks


def test_three_equal_signals_close_by_stagnation() -> None:
    states = (crowded(seed) for seed in SEEDS)
    state = next(one for one in states if diagnosed(one)["verdict"] == "continue")
    first = diagnosed(state)["decision"]
    second = diagnosed(state, previous_signal=first["improvement_signal"], previous_count=first["stagnation_count"])
    third = diagnosed(state, previous_signal=first["improvement_signal"], previous_count=2)
    assert (second["verdict"], second["decision"]["stagnation_count"]) == ("continue", 2)
    assert (third["verdict"], third["decision"]["forced_reason"]) == ("close", "stagnation")


def carried_off(seed: int) -> ScheduleState:
    """A draft whose applied items stand elsewhere than on the timetable, where they can."""
    rng = Random(seed)
    _, state = random_state(rng)
    for entry in list(state.items()):
        if entry.status != "existing" or entry.task_class_id not in state.scope:
            continue
        lifted = UnplaceOp(entry.state_id).apply(state)
        places = [place for place, _ in legal_places(lifted, entry.state_id) if place != state.place_of(entry)]
        if places:
            place = rng.choice(places)
            state = PlaceOp(entry.state_id, state.window.index_of(place.day), place.first).apply(lifted)
    return state


@pytest.mark.parametrize("seed", [8, 26, 27])
def test_a_step_home_to_the_timetable_is_costed_as_the_given_item_it_becomes(seed: int) -> None:
    state = carried_off(seed)
    home = 0
    for candidate in diagnosed(state)["decision"]["candidates"][:-1]:
        after = chosen(state, candidate)
        assert candidate["after"]["cost_total"] == cost_of(after).total
        home += sum(new.status == "existing" != old.status for new, old in zip(after.tasks, state.tasks, strict=True))
    assert home
