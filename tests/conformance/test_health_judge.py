"""Diagnoses of good and of spoiled plans before a second, literal implementation of the diagnosis."""

from __future__ import annotations

from typing import Any

import pytest

from schedules.planner.codec import placement_to_json, placements_from_json, plan_to_json, problem_from_json
from schedules.planner.diagnosis.health import analyze_health
from schedules.planner.draft.adapter import placements_of
from schedules.planner.draft.from_problem import draft_of
from schedules.planner.draft.operations import MoveOp, SwapOp
from schedules.planner.solver.rough_build import plan_with_bound
from tests.conformance.bad_plans import packed, packed_problem, roomy_problem, spoiled
from tests.conformance.health_judge import diagnose
from tests.conformance.health_term import HealthTerm, plan_of
from tests.conformance.judge import Json
from tests.conformance.problems import random_problem
from tests.conformance.worked import placements, worked_example

BEYOND = {"primary_problem", "summary", "metric_schema", "trade_offs", "misfits"}
"""Sentences, and what the product tells beside the diagnosis; tests/planner judges both."""


def bare(value: Any) -> Any:
    """The part of a document that the judge tells too."""
    if isinstance(value, dict):
        return {key: bare(one) for key, one in value.items() if key not in BEYOND}
    return [bare(one) for one in value] if isinstance(value, list) else value


def product(problem: Json, document: Json, signal: str = "", count: int = 0) -> Json:
    known = problem_from_json(problem)
    draft = draft_of(known, placements_from_json(document, known))
    return bare(analyze_health(draft, previous_signal=signal, previous_count=count, detail="full"))


def heavy_example() -> tuple[Json, Json]:
    """The worked example whose second class is demanding and uses no fillers."""
    problem: Any = worked_example()
    for task_class in problem["task_classes"]:
        task_class["subject_type"] = "quantitative"
    problem["task_classes"][1] |= {
        "name": "数据结构刷题",
        "cognitive_intensity": "high",
        "difficulty_level": "high",
        "allow_filler_course": False,
    }
    rows = placements((101, 1, 3, None), (102, 3, 3, None), (201, 1, 7, None), (202, 2, 1, None), (203, 3, 1, None))
    return problem, {"placements": rows}


def test_the_judge_tells_the_worked_example() -> None:
    found = diagnose(*heavy_example())
    offered = [(row["candidate_id"], row["score"]) for row in found["decision"]["candidates"]]
    assert offered == [
        ("move_5_4_1", 130),
        ("move_8_2_5", 122),
        ("move_5_3_7", 118),
        ("move_8_3_5", 106),
        ("move_8_4_1", 94),
        ("close", 0),
    ]
    signal = "cost=254|critical=0|warning=2|heavy_days=1|max_switch=1|tightness=loose|gap=0"
    assert found["decision"]["improvement_signal"] == signal


def test_the_worked_example_is_diagnosed_alike() -> None:
    assert product(*heavy_example()) == bare(diagnose(*heavy_example()))


def test_a_third_equal_signal_closes_alike() -> None:
    problem, document = heavy_example()
    signal = diagnose(problem, document)["decision"]["improvement_signal"]
    found = diagnose(problem, document, signal, 2)
    assert (found["verdict"], found["decision"]["forced_reason"]) == ("close", "stagnation")
    assert product(problem, document, signal, 2) == bare(found)


@pytest.mark.parametrize("seed", range(8))
def test_it_diagnoses_the_plans_of_the_planner_like_the_judge(seed: int) -> None:
    problem = random_problem(seed)
    document = plan_to_json(plan_with_bound(problem_from_json(problem)))
    assert product(problem, document) == bare(diagnose(problem, document))


@pytest.mark.parametrize("seed", [*range(1, 16), 122, 174])
def test_it_diagnoses_spoiled_plans_like_the_judge(seed: int) -> None:
    problem = roomy_problem(seed)
    document = spoiled(problem, plan_to_json(plan_with_bound(problem_from_json(problem))), seed)
    assert product(problem, document) == bare(diagnose(problem, document))


@pytest.mark.parametrize(("seed", "days"), [*((one, 10) for one in (1, 2, 5, 7, 8, 11, 21)), (4, 49), (5, 49)])
def test_it_diagnoses_packed_plans_like_the_judge(seed: int, days: int) -> None:
    """More problems, items and places than are looked at: what is left out is the same on both sides."""
    problem = packed_problem(seed, days=days)
    document = packed(problem, seed, reach=6 if days == 10 else 60)
    assert product(problem, document) == bare(diagnose(problem, document))


@pytest.mark.parametrize("seed", [3, 6])
def test_the_last_steps_before_it_closes_are_judged_alike(seed: int) -> None:
    """Where hardly anything is left to gain, what is just not worth a step is the same on both sides."""
    problem = packed_problem(seed)
    documents = [packed(problem, seed)]
    while (found := product(problem, documents[-1]))["verdict"] == "continue":
        documents.append(stepped(problem, documents[-1], found["decision"]["candidates"][0]))
    assert found["verdict"] == "close"
    for document in documents[-3:]:
        assert product(problem, document) == bare(diagnose(problem, document))


def stepped(problem: Json, document: Json, candidate: Json) -> Json:
    """The plan after a candidate, by the real write."""
    known = problem_from_json(problem)
    draft = draft_of(known, placements_from_json(document, known))
    op = (MoveOp if candidate["tool"] == "move" else SwapOp)(**candidate["arguments"])
    rows = [placement_to_json(one) for one in placements_of(op.apply(draft))]
    return plan_of(HealthTerm(problem), rows)


@pytest.mark.parametrize(("week", "last"), [(0, 7), (30, 137)])
def test_the_window_reaches_from_the_earliest_start_to_the_latest_end_cut_to_the_semester(week: int, last: int) -> None:
    """A class that misses the semester counts too: before it the window begins with it, after it ends with it."""
    problem = heavy_example()[0]
    for task_class in problem["task_classes"]:
        task_class["start"], task_class["end"] = {"week": 1, "day_of_week": 4}, {"week": 1, "day_of_week": 7}
    outside = {"week": week, "day_of_week": 2}
    lost = {**problem["task_classes"][0], "id": 7, "items": [], "start": outside, "end": outside}
    problem["task_classes"].append(lost)
    found = product(problem, {"placements": []})
    assert found["metrics"]["days"][-1]["day"] == last
    assert found == bare(diagnose(problem, {"placements": []}))
