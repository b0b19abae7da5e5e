"""The worked diagnosis, number by number, through the command line."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from tests.kits.planner.examples import VARIANT_PLAN, plan_document, variant

NAMES = {101: "事件与概率", 102: "随机变量"}

EXPECTED: dict[str, Any] = {
    "tool": "analyze_health",
    "success": True,
    "revision": 0,
    "verdict": "continue",
    "metrics": {
        "rhythm": {
            "avg_switches_per_day": 0.33,
            "max_switch_count": 1,
            "max_switch_day": 3,
            "avg_block_size": 2.0,
            "longest_same_subject_run": 2,
            "heavy_adjacent_days": 1,
            "high_intensity_days": 3,
            "long_high_intensity_days": 1,
            "fragmented_count": 0,
            "compressed_run_count": 1,
            "block_balance": -1,
            "same_type_transition_ratio": 1.0,
        },
        "tightness": {
            "locally_movable_task_count": 3,
            "avg_local_alternative_slots": 4.0,
            "cross_class_swap_options": 1,
            "forced_heavy_adjacent_days": 0,
            "tightness_level": "loose",
        },
        "profile": {
            "total_subjects": 2,
            "missing_subject_type_count": 0,
            "missing_difficulty_count": 0,
            "missing_cognitive_count": 0,
            "missing_complete_profile_count": 0,
        },
        "feasibility": {
            "is_feasible": True,
            "capacity_gap": 0,
            "reason_code": "enough_capacity",
            "pending_count": 0,
            "required_sections": 0,
        },
        "cost": {
            "total": 254,
            "parts": {
                "target": 92,
                "cluster": 0,
                "load": 56,
                "buffer": 0,
                "switch": 6,
                "heavy_adjacent": 60,
                "long_run": 40,
                "fit": 0,
                "slack": 0,
                "unplaced": 0,
            },
        },
        "can_close": False,
    },
    "issues": [
        {
            "issue_id": "issue_rhythm_heavy_adjacent_day_3",
            "dimension": "rhythm",
            "severity": "warning",
            "fixed": False,
            "trigger": {"metric": "heavy_pairs", "operator": ">=", "threshold": 1, "actual": 1},
            "cost": 60,
            "scope": {"day_range": [3], "task_ids": [5, 8]},
        },
        {
            "issue_id": "issue_rhythm_long_block_day_3",
            "dimension": "rhythm",
            "severity": "warning",
            "fixed": False,
            "trigger": {"metric": "high_run", "operator": ">=", "threshold": 4, "actual": 4},
            "cost": 40,
            "scope": {"day_range": [3], "task_ids": [5, 8]},
        },
    ],
}
MOVES = [(5, 4, 1, 130), (8, 2, 5, 122), (5, 3, 7, 118), (8, 3, 5, 106), (8, 4, 1, 94)]
SIGNAL = "cost=254|critical=0|warning=2|heavy_days=1|max_switch=1|tightness=loose|gap=0"


def candidate(task: int, day: int, start: int, score: int) -> dict[str, Any]:
    return {
        "candidate_id": f"move_{task}_{day}_{start}",
        "tool": "move",
        "arguments": {"task_id": task, "new_day": day, "new_slot_start": start},
        "effect": "improve",
        "score": score,
        "after": {
            "can_close": True,
            "primary_problem": "",
            "primary_issue_id": "",
            "heavy_adjacent_days": 0,
            "max_switch_count": 0,
            "same_type_transition_ratio": 1.0,
            "cost_total": 254 - score,
        },
    }


CLOSE = {
    "candidate_id": "close",
    "tool": "",
    "arguments": {},
    "effect": "close",
    "score": 0,
    "after": {
        "can_close": False,
        "primary_problem": "第3天两门高强度内容相邻",
        "primary_issue_id": "issue_rhythm_heavy_adjacent_day_3",
        "heavy_adjacent_days": 1,
        "max_switch_count": 1,
        "same_type_transition_ratio": 1.0,
        "cost_total": 254,
    },
}


def diagnosed(folder: Path, plan: dict[str, Any], **options: str) -> dict[str, Any]:
    problem = variant()
    for item in problem["task_classes"][0]["items"]:
        item["name"] = NAMES[item["id"]]
    (folder / "problem.json").write_text(json.dumps(problem), encoding="utf-8")
    (folder / "plan.json").write_text(json.dumps(plan), encoding="utf-8")
    out = StringIO()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.stdout", out)
        call_command("diagnose_plan", str(folder / "problem.json"), str(folder / "plan.json"), **options)
    found: dict[str, Any] = json.loads(out.getvalue())
    return found


def test_it_reproduces_the_worked_diagnosis(tmp_path: Path) -> None:
    found = diagnosed(tmp_path, plan_document(VARIANT_PLAN))
    decision, schema = found.pop("decision"), found.pop("metric_schema")
    assert found == EXPECTED
    summaries = [row.pop("summary") for row in decision["candidates"]]
    assert decision == {
        "should_continue_optimize": True,
        "primary_problem": "第3天两门高强度内容相邻",
        "primary_issue_id": "issue_rhythm_heavy_adjacent_day_3",
        "problem_scope": {"day_range": [3], "task_ids": [5, 8]},
        "is_forced_imperfection": False,
        "forced_reason": "",
        "recommended_operation": "move",
        "improvement_signal": SIGNAL,
        "stagnation_count": 1,
        "candidates": [*(candidate(*row) for row in MOVES), CLOSE],
    }
    assert summaries[0] == "把[5]随机变量移到第4天1-2节：高强度相邻 1→0 天，评分 254→124"
    assert summaries[-1] == "保持现状并收口"
    fields = [set(group) if isinstance(group, dict) else set() for group in EXPECTED["metrics"].values()]
    assert set.union(*fields) - {"parts"} <= set(schema)


def test_it_speaks_english_and_lists_every_day_when_asked(tmp_path: Path) -> None:
    found = diagnosed(tmp_path, plan_document(VARIANT_PLAN), locale="en", detail="full")
    assert [row["sequence"] for row in found["metrics"]["days"]][:3] == [
        ["概率论复习", "数据结构刷题"],
        ["数据结构刷题"],
        ["数据结构刷题", "概率论复习"],
    ]
    assert found["decision"]["primary_problem"].isascii()


def test_items_without_a_place_make_it_ask(tmp_path: Path) -> None:
    found = diagnosed(tmp_path, plan_document(VARIANT_PLAN[:-1]))
    assert (found["verdict"], found["decision"]["recommended_operation"]) == ("ask_user", "ask_user")
    assert found["decision"]["candidates"] == []


@pytest.mark.parametrize(
    "rows", [[(101, 1, 1, 2)], [(101, 2, 5, 6), (201, 2, 6, 7)], [(101, 5, 1, 1)], [(999, 1, 3, 4)]]
)
def test_a_plan_that_cannot_stand_is_refused(tmp_path: Path, rows: list[tuple[int, int, int, int]]) -> None:
    with pytest.raises(CommandError) as caught:
        diagnosed(tmp_path, plan_document(rows))
    assert caught.value.returncode == 2
