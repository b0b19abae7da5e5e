"""Handwritten views: a student with two classes, one of them with a draft of three placed items."""

from __future__ import annotations

import copy
import json
from typing import Any

from agent.llm.offline.backend import answer

ALL_TOOLS = [
    "context_tools_add", "context_tools_remove", "get_overview", "query_available_slots", "query_target_tasks",
    "query_range", "get_task_info", "list_tasks", "find_first_free", "place", "move", "swap", "batch_move", "unplace",
    "analyze_health", "upsert_task_class",
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
    }


def task_class(class_id, name, **fields):
    row = {"id": class_id, "name": name, "start_date": "2026-03-16", "end_date": "2026-03-29", "sections": 12}
    return row | {"item_count": 6, "items": [], "mode": "auto", "strategy": "steady"} | fields


BASE: dict[str, Any] = {
    "stage": "chat",
    "now": {"date": "2026-03-05", "week": 1, "day_of_week": 4, "section": 3},
    "locale": "zh",
    "dialogue": [],
    "request": "",
    "turns": [],
    "message": "",
    "classes": [task_class(5, "概率论复习"), task_class(6, "线性代数")],
    "semester": {"first_monday": "2026-03-02", "weeks": 20, "sections": 12, "day_parts": [[1, 4], [5, 8], [9, 12]]},
    "scope": [],
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
        "cost": {"total": 254, "parts": {"target": 92, "load": 56, "heavy_adjacent": 60, "switch": 6, "cluster": 0}},
    },
    "mode": "local_adjust",
    "active_optimize_only": False,
    "needs_rough_build": False,
    "already_built": [],
    "rough_build": None,
    "verdict": None,
    "plan": None,
    "tools": ALL_TOOLS,
    "last_results": [],
    "receipts": [],
    "interaction": None,
    "rejected": [],
    "accepted_risk": None,
    "correction": None,
    "notes": [],
    "goal": {"start_revision": 7, "cost_before": None, "cost_after": None, "changes": [], "left": [], "outcome": None},
}


def view(message="", *replies, stage="chat", **changes):
    """BASE with a message, later turns of the goal, and other changes."""
    made = copy.deepcopy(BASE)
    turns = [{"text": message, "via": "message"}, *({"text": reply, "via": "reply"} for reply in replies)]
    made |= {"stage": stage, "request": message, "turns": turns, "message": turns[-1]["text"]}
    return made | changes


def result(tool, arguments=None, *, status="done", data=None, **fields):
    row = {"tool": tool, "arguments": arguments or {}, "status": status, "data": data or {}, "observation": ""}
    return row | {"error_code": "", "rule": "", "system": False, "step_index": 0, "revision": 7} | fields


def decide(made):
    """The decision of a view as a dict."""
    return json.loads(answer(made))


def execute(message, *replies, **changes):
    return decide(view(message, *replies, stage="execute", **changes))


def chat(message, **changes):
    return decide(view(message, **changes))
