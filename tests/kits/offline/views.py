"""Handwritten views: a student with two classes, one of them with a draft of three placed items."""

from __future__ import annotations

import copy
import json
from types import UnionType
from typing import Any, get_args, get_origin, get_type_hints

from typing_extensions import is_typeddict

from agent.llm.offline.backend import answer
from agent.loop.view_document import View

ALL_TOOLS = [
    "context_tools_add", "context_tools_remove", "get_overview", "query_available_slots", "query_target_tasks",
    "query_range", "get_task_info", "list_tasks", "find_first_free", "place", "move", "swap", "batch_move", "unplace",
    "batch_unplace", "query_timetable",
    "analyze_health", "upsert_task_class", "replan", "mark_items",
]  # fmt: skip


def task(state_id, name, order, *, status="suggested", class_id=5, day=4, first=3):
    week, day_of_week = 3 + (day - 1) // 7, (day - 1) % 7 + 1
    slot = {"day": day, "week": week, "day_of_week": day_of_week, "slot_start": first, "slot_end": first + 1}
    return {
        "state_id": state_id,
        "item_id": 100 + state_id,
        "name": name,
        "class_id": class_id,
        "order": order,
        "status": status,
        "slot": None if status == "pending" else slot | {"host_event_id": None},
        "duration": 2,
        "mark": "",
    }


def task_class(class_id, name, **fields):
    row = {"id": class_id, "name": name, "start_date": "2026-03-16", "end_date": "2026-03-29", "sections": 12}
    row |= {"item_count": 6, "items": [], "mode": "auto", "strategy": "steady"}
    return row | {"subject_type": "", "difficulty_level": "", "cognitive_intensity": "",
                  "excluded_days": [], "excluded_blocks": [], "excluded_cells": [],
                  "filler": False} | fields  # fmt: skip


def misfits(value, kind, path="view"):
    """Where a value is not what a type of the view's document says: other keys, or another type."""
    kinds = get_args(kind)
    if kind is Any:
        return []
    if isinstance(kind, UnionType):
        return min((misfits(value, one, path) for one in kinds), key=len)
    if is_typeddict(kind):
        hints = get_type_hints(kind)
        if not isinstance(value, dict) or set(value) != set(hints):
            return [f"{path}: {sorted(value) if isinstance(value, dict) else value!r} is no {kind.__name__}"]
        return [found for key, hint in hints.items() for found in misfits(value[key], hint, f"{path}.{key}")]
    if get_origin(kind) is list and isinstance(value, list):
        return [found for at, row in enumerate(value) for found in misfits(row, kinds[0], f"{path}[{at}]")]
    if get_origin(kind) is dict and isinstance(value, dict):
        return [found for key, row in value.items() for found in misfits(row, kinds[1], f"{path}.{key}")]
    return [] if type(value) is (get_origin(kind) or kind) else [f"{path}: {value!r} is no {kind}"]


BASE: View = {
    "stage": "chat",
    "now": {"date": "2026-03-05", "week": 1, "day_of_week": 4, "section": 3},
    "locale": "zh",
    "dialogue": [],
    "request": "",
    "rest": "",
    "turns": [],
    "message": "",
    "resumes": False,
    "last_change": None,
    "draft_log": [],
    "past_values": [],
    "classes": [task_class(5, "概率论复习"), task_class(6, "线性代数")],
    "semester": {
        "first_monday": "2026-03-02",
        "weeks": 20,
        "sections": 12,
        "day_parts": [[1, 4], [5, 8], [9, 12]],
        "starts": [
            "08:00",
            "08:55",
            "10:15",
            "11:10",
            "14:00",
            "14:55",
            "16:15",
            "17:10",
            "19:00",
            "19:55",
            "20:50",
            "21:45",
        ],
    },
    "scope": [],
    "scope_given": False,
    "draft": {
        "revision": 7,
        "placed": 0,
        "suggested": 3,
        "pending": 1,
        "courses": 20,
        "window": {"first": {"week": 3, "day_of_week": 1}, "total_days": 14},
        "tasks": [
            task(7, "第1章 随机事件", 1, day=2),
            task(8, "第2章 随机变量", 2),
            task(9, "第3章 大数定律", 3, status="pending"),
            task(12, "第1章 行列式", 1, class_id=6, day=5),
        ],
        "under_exams": [],
        "misfits": [],
        "cost": {"total": 254, "parts": {"target": 92, "load": 56, "heavy_adjacent": 60, "switch": 6, "cluster": 0}},
        "wishes": [],
    },
    "mode": "local_adjust",
    "active_optimize_only": False,
    "needs_rough_build": False,
    "already_built": [],
    "rough_build": None,
    "verdict": None,
    "shortage": [],
    "plan": None,
    "tools": ALL_TOOLS,
    "last_results": [],
    "receipts": [],
    "interaction": None,
    "rejected": [],
    "accepted_risk": None,
    "correction": None,
    "notes": [],
    "goal": {
        "number": 1,
        "start_revision": 7,
        "cost_before": None,
        "cost_after": None,
        "changes": [],
        "left": [],
        "outcome": None,
    },
}


def view(message="", *replies, stage="chat", **changes):
    """BASE with a message, later turns of the goal, and other changes."""
    made, said = copy.deepcopy(BASE), (message, *replies)
    turns = [{"text": text, "via": "reply" if at else "message", "option": None} for at, text in enumerate(said)]
    made |= {"stage": stage, "request": message, "turns": turns, "message": turns[-1]["text"]}
    made |= changes
    wrong = misfits(made, View)
    assert not wrong, wrong
    return made


def result(tool, arguments=None, *, status="done", data=None, **fields):
    row = {"tool": tool, "arguments": arguments or {}, "status": status, "data": data or {}, "observation": ""}
    return row | {"error_code": "", "rule": "", "system": False, "step_index": 0, "revision": 7} | fields


def dialogue(*turns):
    """What was said: words of the student, and decisions for what the policy said to that."""
    spoken = {"asks": None, "item_ids": [], "wrote": []}
    said = [{"role": "user", "text": turn} if isinstance(turn, str) else told(turn) for turn in turns]
    return [spoken | turn for turn in said]


def told(decision):
    """A decision as the turn that the loop makes of it."""
    return {"role": "assistant", "text": decision["speak"], "asks": decision.get("asks")}


def place(week, day_of_week, first):
    day = 7 * (week - 3) + day_of_week
    at = {"day": day, "week": week, "day_of_week": day_of_week, "section_from": first, "section_to": first + 1}
    return at | {"embed_course_event_id": None}


def change(task_id, name, *, before=None, after=None):
    """What became of an item; `before` and `after` are a week, a weekday and a first section."""
    op = "move" if before and after else "place" if after else "unplace"
    row = {"op": op, "task_id": task_id, "task_item_id": 100 + task_id, "task_class_id": 5, "name": name}
    return row | {"before": before and place(*before), "after": after and place(*after)}


def goal(*changes, before=None, after=None, left=()):
    """What a goal did, with the totals of the cost before and after it."""
    cost = [total and {"total": total, "parts": {}} for total in (before, after)]
    made = {"changes": list(changes), "cost_before": cost[0], "cost_after": cost[1], "left": list(left)}
    return BASE["goal"] | made


def risk(gap):
    return {"gap_sections": gap, "unplaced_item_ids": [], "at": "2026-03-05T02:00:00Z", "by": "能排多少排多少"}


def shortage(missing):
    """A rough build that did not fit."""
    return {"class_ids": [], "placed": 0, "left": [], "report": {"missing": missing}}


def decide(made):
    """The decision of a view as a dict."""
    return json.loads(answer(made))


def execute(message, *replies, **changes):
    return decide(view(message, *replies, stage="execute", **changes))


def chat(message, **changes):
    return decide(view(message, **changes))
