"""Every diagnosis, whatever its verdict, is a JSON document of exactly the promised fields and types."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from schedules.planner.diagnosis.health import analyze_health
from schedules.planner.diagnosis.rhythm import analyze_rhythm
from schedules.planner.draft.operations import UnplaceOp
from schedules.planner.draft.state import ScheduleState
from tests.kits.planner.crowded import crowded, left_out

RHYTHM = {
    "avg_switches_per_day": float,
    "max_switch_count": int,
    "max_switch_day": int,
    "avg_block_size": float,
    "longest_same_subject_run": int,
    "heavy_adjacent_days": int,
    "high_intensity_days": int,
    "long_high_intensity_days": int,
    "fragmented_count": int,
    "compressed_run_count": int,
    "block_balance": int,
    "same_type_transition_ratio": float,
}
PARTS = "target cluster load buffer switch heavy_adjacent long_run fit slack unplaced"
METRICS: dict[str, Any] = {
    "rhythm": RHYTHM,
    "tightness": {
        "locally_movable_task_count": int,
        "avg_local_alternative_slots": float,
        "cross_class_swap_options": int,
        "forced_heavy_adjacent_days": int,
        "tightness_level": re.compile("loose|tight|locked"),
    },
    "profile": dict.fromkeys(
        (
            "total_subjects",
            "missing_subject_type_count",
            "missing_difficulty_count",
            "missing_cognitive_count",
            "missing_complete_profile_count",
        ),
        int,
    ),
    "feasibility": {
        "is_feasible": bool,
        "capacity_gap": int,
        "reason_code": re.compile("enough_capacity|replan_needed|capacity_insufficient"),
        "pending_count": int,
        "required_sections": int,
    },
    "cost": {"total": int, "parts": dict.fromkeys(PARTS.split(), int)},
    "can_close": bool,
}
SCOPE = {"day_range": [int], "task_ids": [int]}
ISSUE = {
    "issue_id": re.compile(
        r"issue_(feasibility_capacity_gap|pending_items|rhythm_(heavy_adjacent|switch|switch_warn|long_block|crowded)"
        r"_day_\d+|load_overfull_day_\d+|(slack|fit)_class_\d+|semantic_profile_missing|rhythm_info)"
    ),
    "dimension": re.compile("feasibility|rhythm|tightness|profile"),
    "severity": re.compile("critical|warning|info"),
    "fixed": bool,
    "trigger": {"metric": str, "operator": re.compile(">=|>|=|<"), "threshold": int, "actual": int},
    "cost": int,
    "scope": SCOPE,
}
ROW = {"description": str, "unit": str, "direction": re.compile("(lower|higher)_is_better|neutral")}
AFTER = {
    "can_close": bool,
    "primary_problem": str,
    "primary_issue_id": str,
    "heavy_adjacent_days": int,
    "max_switch_count": int,
    "same_type_transition_ratio": float,
    "cost_total": int,
}
CANDIDATE = {
    "candidate_id": re.compile(r"move_\d+_\d+_\d+|swap_\d+_\d+|close"),
    "tool": re.compile("move|swap|"),
    "arguments": dict,
    "summary": str,
    "effect": re.compile("improve|partial_improve|close"),
    "score": int,
    "after": AFTER,
}
DECISION = {
    "should_continue_optimize": bool,
    "primary_problem": str,
    "primary_issue_id": str,
    "problem_scope": (None, SCOPE),
    "is_forced_imperfection": bool,
    "forced_reason": re.compile("|locked|no_improving_candidate|stagnation"),
    "recommended_operation": re.compile("move|swap|close|ask_user"),
    "improvement_signal": re.compile(
        r"cost=\d+\|critical=\d+\|warning=\d+\|heavy_days=\d+\|max_switch=\d+\|tightness=(loose|tight|locked)\|gap=\d+"
    ),
    "stagnation_count": int,
    "candidates": [CANDIDATE],
}
DOCUMENT = {
    "tool": re.compile("analyze_health"),
    "success": bool,
    "revision": int,
    "verdict": re.compile("infeasible|ask_user|close|continue"),
    "metrics": METRICS,
    "issues": [ISSUE],
    "decision": DECISION,
    "metric_schema": dict,
}
ARGUMENTS = {"move": {"task_id", "new_day", "new_slot_start"}, "swap": {"task_a", "task_b"}, "": set[str]()}


def differences(value: Any, shape: Any, path: str = "") -> list[str]:
    """Where a value is not of a shape: a type, a pattern, an object of exactly these keys, a list of one shape."""
    if isinstance(shape, dict):
        if not isinstance(value, dict) or value.keys() != shape.keys():
            return [f"{path}: {value!r}"]
        return [one for key in shape for one in differences(value[key], shape[key], f"{path}.{key}")]
    if isinstance(shape, list):
        found = value if isinstance(value, list) else [value]
        return [one for index, row in enumerate(found) for one in differences(row, shape[0], f"{path}[{index}]")]
    if isinstance(shape, tuple):
        return [] if value is shape[0] else differences(value, shape[1], path)
    if isinstance(shape, re.Pattern):
        return [] if isinstance(value, str) and shape.fullmatch(value) else [f"{path}: {value!r}"]
    fits = type(value) is shape or (shape is float and type(value) is int)
    return [] if fits else [f"{path}: {value!r}"]


def leaves(shape: dict[str, Any]) -> set[str]:
    """The names of all fields that are no objects."""
    inner = [leaves(value) if isinstance(value, dict) else {key} for key, value in shape.items()]
    return set().union(*inner)


def variations(state: ScheduleState) -> list[dict[str, Any]]:
    """A draft with its leftovers open, agreed to be left out, diagnosed for the third time, and with an item lifted."""
    agreed = analyze_health(state, left_out=left_out(state))
    signal = agreed["decision"]["improvement_signal"]
    again = analyze_health(state, left_out=left_out(state), previous_signal=signal, previous_count=2)
    loose = (UnplaceOp(entry.state_id).apply(state) for entry in state.items() if entry.status == "suggested")
    lifted = next(loose, state)
    return [analyze_health(state), agreed, again, analyze_health(lifted, left_out=left_out(state))]


@pytest.fixture(scope="module")
def documents() -> list[dict[str, Any]]:
    return [one for seed in range(60) for one in variations(crowded(seed))]


def test_every_field_is_there_and_of_its_type_and_none_beside(documents: list[dict[str, Any]]) -> None:
    assert {one["verdict"] for one in documents} == {"infeasible", "ask_user", "close", "continue"}
    assert {one["decision"]["forced_reason"] for one in documents} >= {"", "stagnation", "locked"}
    for document in documents:
        assert differences(json.loads(json.dumps(document, allow_nan=False)), DOCUMENT) == []


def test_the_arguments_of_a_candidate_are_those_of_its_tool(documents: list[dict[str, Any]]) -> None:
    for document in documents:
        for candidate in document["decision"]["candidates"]:
            assert candidate["arguments"].keys() == ARGUMENTS[candidate["tool"]]
            assert all(type(value) is int for value in candidate["arguments"].values())


def test_every_metric_is_described_in_both_tools() -> None:
    state = crowded(1)
    health, rhythm = analyze_health(state), analyze_rhythm(state, detail="full")
    assert health["metric_schema"].keys() == leaves(METRICS)
    assert rhythm["metric_schema"].keys() >= RHYTHM.keys()
    for row in (*health["metric_schema"].values(), *rhythm["metric_schema"].values()):
        assert differences(row, ROW) == []


def test_the_parts_sum_to_the_cost_and_the_issues_are_in_order(documents: list[dict[str, Any]]) -> None:
    severities = ["critical", "warning", "info"]
    dimensions = ["feasibility", "rhythm", "tightness", "profile"]
    for document in documents:
        cost = document["metrics"]["cost"]
        assert cost["total"] == sum(cost["parts"].values())
        keys = [
            (severities.index(i["severity"]), dimensions.index(i["dimension"]), -i["cost"]) for i in document["issues"]
        ]
        assert keys == sorted(keys)
        assert len({issue["issue_id"] for issue in document["issues"]}) == len(keys)
