"""The diagnosis of planner output: same cost, sound document, metrics equal to a literal second reading."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby, pairwise
from typing import Any

import pytest

from schedules.planner.codec import problem_from_json
from schedules.planner.diagnosis.health import analyze_health
from schedules.planner.draft.adapter import cost_of
from schedules.planner.draft.codec import state_from_json, state_to_json
from schedules.planner.draft.from_problem import draft_of, facts_of
from schedules.planner.draft.load import load_state
from schedules.planner.draft.state import ScheduleState
from schedules.planner.problem import Problem, ProblemError
from schedules.planner.replan.anew import plan_anew
from schedules.planner.solver.rough_build import Plan, plan
from tests.kits.planner.examples import example
from tests.kits.planner.strategies import random_document
from tests.kits.planner.worlds import applied


def _with_begun(problem: Problem) -> Problem:
    """The problem with its pins before now told to have begun, as those of a draft are."""
    classes = []
    for one in problem.task_classes:
        items = (replace(item, begun=bool(item.pinned and item.pinned.cell < problem.now)) for item in one.items)
        classes.append(replace(one, items=tuple(items)))
    return replace(problem, task_classes=tuple(classes))


def planned(seeds: range) -> Iterator[tuple[Problem, Plan, ScheduleState]]:
    for seed in seeds:
        try:
            problem = _with_begun(problem_from_json(random_document(seed)))
        except ProblemError:
            continue
        found = plan(problem, budget=500)
        yield problem, found, draft_of(problem, found.placements)


def test_a_plan_is_diagnosed_at_its_own_cost() -> None:
    for _, found, state in planned(range(60)):
        diagnosis = analyze_health(state, detail="full")
        assert json.loads(json.dumps(diagnosis)) == diagnosis
        assert diagnosis["metrics"]["cost"] == {"total": found.cost.total, "parts": dict(found.cost.parts)}
        assert diagnosis["metrics"]["feasibility"]["pending_count"] == len(found.unplaced)
        assert diagnosis["revision"] == 0
        assert state_from_json(state_to_json(state)) == state


def test_a_fully_placed_plan_is_never_a_question_after_it_was_applied_and_reloaded() -> None:
    for problem, found, state in planned(range(60)):
        if found.unplaced:
            continue
        rows = applied(facts_of(problem), state)
        reloaded = load_state(rows, scope=[row.id for row in problem.task_classes], now=problem.now)
        diagnosis = analyze_health(reloaded)
        assert diagnosis["verdict"] == "close"
        assert diagnosis["decision"]["forced_reason"] == ""


def test_the_class_that_ends_first_is_fitted_first() -> None:
    document = example()
    monday, tuesday = ({"week": 1, "day_of_week": day} for day in (1, 2))
    for task_class, end in zip(document["task_classes"], (tuesday, monday), strict=True):
        task_class |= {"end": end, "excluded_slots": [1, 2, 3, 5, 6], "items": task_class["items"][:1]}
    problem = problem_from_json(document)
    assert analyze_health(draft_of(problem, ()))["metrics"]["feasibility"] == {
        "is_feasible": True,
        "capacity_gap": 0,
        "reason_code": "enough_capacity",
        "pending_count": 2,
        "required_sections": 4,
    }


@pytest.mark.parametrize("first", range(0, 60, 20))
def test_the_rhythm_metrics_equal_a_literal_second_reading(first: int) -> None:
    for problem, _, state in planned(range(first, first + 20)):
        assert analyze_health(state)["metrics"]["rhythm"] == literal_rhythm(problem, state)


def literal_rhythm(problem: Problem, state: ScheduleState) -> dict[str, Any]:
    """domain.md 7.1 and 7.2 once more, from the cells of each day."""
    days: dict[int, list[Any]] = {}
    for entry in state.items():
        place = state.place_of(entry)
        if place is not None and problem.now[0] <= place.day and state.window.contains(place.day):
            days.setdefault(place.day, []).append((place.first, place.last, entry))
    rows = [_literal_day(problem, state, day, sorted(days[day], key=lambda row: row[0])) for day in sorted(days)]
    switches = [row["switches"] for row in rows]
    most = max(switches, default=0)
    chains = [size for row in rows for size in row["chains"]]
    pairs = sum(row["pairs"] for row in rows)
    choppy = sum(n >= 3 or (n >= 2 and n / row["pairs"] >= 0.55) for n, row in zip(switches, rows, strict=True))
    pressed = sum(row["max_block"] >= 5 or row["high_run"] >= 4 for row in rows)
    return {
        "avg_switches_per_day": _rounded(sum(switches), len(rows)),
        "max_switch_count": most,
        "max_switch_day": next((row["day"] for row in rows if row["switches"] == most and most), 0),
        "avg_block_size": _rounded(sum(chains), len(chains)),
        "longest_same_subject_run": max(chains, default=0),
        "heavy_adjacent_days": sum(row["heavy"] > 0 for row in rows),
        "high_intensity_days": sum(row["any_high"] for row in rows),
        "long_high_intensity_days": sum(row["high_run"] >= 4 for row in rows),
        "fragmented_count": choppy,
        "compressed_run_count": pressed,
        "block_balance": choppy - pressed,
        "same_type_transition_ratio": _rounded(sum(row["same"] for row in rows), pairs) if pairs else 1.0,
    }


def _rounded(numerator: int, denominator: int) -> float:
    return int(numerator / denominator * 100 + 0.5 + 1e-9) / 100 if denominator else 0


def _literal_day(problem: Problem, state: ScheduleState, day: int, blocks: list[Any]) -> dict[str, Any]:
    part = problem.grid.part_of
    high = {
        meta.id: "high" in (meta.rules.difficulty_level, meta.rules.cognitive_intensity) for meta in state.task_classes
    }
    subject = {meta.id: meta.rules.subject_type for meta in state.task_classes}
    links = [part(a[1]) == part(b[0]) and b[0] - a[1] - 1 < 2 for a, b in pairwise(blocks)]
    joined = [(a[2], b[2]) for a, b, link in zip(blocks, blocks[1:], links, strict=False) if link]
    classes = [(a.task_class_id, b.task_class_id) for a, b in joined]
    chains, size = [], 0
    for index, (first, last, entry) in enumerate(blocks):
        same = index > 0 and links[index - 1] and blocks[index - 1][2].task_class_id == entry.task_class_id
        if index > 0 and not same:
            chains.append(size)
            size = 0
        size += last - first + 1
    chains.append(size)
    heavy = {s for first, last, entry in blocks if high[entry.task_class_id] for s in range(first, last + 1)}
    runs = [
        len(list(run))
        for low, top in problem.grid.day_parts
        for covered, run in groupby(range(low, top + 1), key=lambda s: s in heavy)
        if covered
    ]
    return {
        "day": state.window.index_of(day),
        "pairs": len(joined),
        "switches": sum(a != b for a, b in classes),
        "heavy": sum(a != b and high[a] and high[b] for a, b in classes),
        "same": sum(subject[a] is not None and subject[a] == subject[b] for a, b in classes),
        "any_high": bool(heavy),
        "chains": chains,
        "max_block": max(chains),
        "high_run": max(runs, default=0),
    }


def test_a_plan_of_the_planner_would_gain_nothing_by_planning_anew() -> None:
    for _, found, state in planned(range(40)):
        decision = analyze_health(state, anew=True)["decision"]
        if "new_plan" in decision:
            assert decision["new_plan"] == {"better_percent": 0, "moves": 0, "problems": []}, found


def test_a_plan_that_no_step_helps_is_told_what_planning_it_anew_would_gain() -> None:
    document = example()
    weekdays = [task_class["excluded_days_of_week"] for task_class in document["task_classes"]]
    for days in weekdays:
        days[:] = [3, 4, 5, 6, 7]
    crowded = plan(problem_from_json(document)).placements
    for days in weekdays:
        days.clear()
    state = draft_of(problem_from_json(document), crowded)
    diagnosis = analyze_health(state, anew=True)
    assert diagnosis["verdict"] == "close"
    told, anew = diagnosis["decision"]["new_plan"], plan_anew(state)
    before, after = cost_of(state).total, cost_of(anew.state).total
    assert told["better_percent"] == 100 * (before - after) // before > 10
    assert told["moves"] == len(anew.changes)
    assert all(row["days_before"] != row["days_after"] for row in told["problems"])
