"""analyze_rhythm: the same rhythm, drilled down per class and day; it offers nothing and decides nothing."""

from __future__ import annotations

from typing import Any

from schedules.planner.diagnosis.issues import CRITICAL, Issue, free_sections, in_order, plan_issues, rhythm_info
from schedules.planner.diagnosis.metric_schema import RHYTHM_SCHEMA
from schedules.planner.diagnosis.plan_facts import Picture, picture_of
from schedules.planner.diagnosis.rhythm_days import DayShape, rhythm_metrics, two_decimals
from schedules.planner.draft.state import ScheduleState
from schedules.planner.grid import day_json


def analyze_rhythm(
    state: ScheduleState,
    *,
    locale: str = "zh",
    category: str | None = None,
    include_pending: bool = True,
    detail: str = "summary",
) -> dict[str, Any]:
    """Reports an overview, a row per class, a row per day, the rhythm issues and what to do about them.

    `category` (an exact class name) filters the class rows and marks the days that hold it; metrics always see the
    whole plan. `include_pending=False` leaves pending items out of the class rows. `detail="summary"` lists days with
    a block only, `full` every day from today on.
    """
    picture = picture_of(state)
    found = [issue for issue in plan_issues(picture) if issue.dimension == "rhythm"]
    issues = in_order([*found, *rhythm_info(found)])
    return {
        "tool": "analyze_rhythm",
        "success": True,
        "revision": state.revision,
        "metric_schema": dict(RHYTHM_SCHEMA),
        "metrics": {
            "overview": rhythm_metrics(picture.days),
            "subjects": _subjects(picture, category, include_pending),
            "days": day_rows(picture, category=category, every=detail == "full"),
        },
        "issues": [issue.to_json() for issue in issues],
        "next_actions": [_action(issue) for issue in issues if issue.driver],
    }


def day_rows(picture: Picture, *, category: str | None = None, every: bool = True) -> list[dict[str, Any]]:
    """Returns one row per day from today on; `every=False` only those that have a block."""
    scene = picture.scene
    days = range(scene.first_day, scene.state.window.last_day + 1)
    empty = DayShape(scene.state.grid, ())
    rows = []
    for day in days:
        shape = picture.shapes.get(day, empty)
        if shape.blocks or every:
            rows.append(_day_row(picture, day, shape, category))
    return rows


def _day_row(picture: Picture, day: int, shape: DayShape, category: str | None) -> dict[str, Any]:
    state = picture.scene.state
    names = {meta.id: meta.name for meta in state.task_classes}
    sequence = [names[block.class_id] for block in shape.blocks]
    row: dict[str, Any] = {
        "day": picture.scene.index_of(day),
        **day_json(day),
        "switch_count": shape.switch_count,
        "pairs": len(shape.pairs),
        "fragmentation": two_decimals(shape.switch_count, len(shape.pairs)),
        "max_block": shape.max_block,
        "heavy_adjacent": bool(shape.heavy_pairs),
        "heavy_pairs": len(shape.heavy_pairs),
        "high_run": shape.high_run,
        "own_sections": sum(block.place.length for block in shape.blocks if not block.guest),
        "course_sections": picture.scene.constants.base[day].bit_count(),
        "free_sections": free_sections(picture, day, shape.blocks),
        "sequence": sequence,
    }
    if category is not None:
        row["has_category"] = category in sequence
    return row


def _subjects(picture: Picture, category: str | None, include_pending: bool) -> list[dict[str, Any]]:
    state = picture.scene.state
    rows = []
    for meta in state.task_classes:
        entries = [entry for entry in state.items() if entry.task_class_id == meta.id]
        placed = sum(bool(entry.slots) for entry in entries)
        pending = len(entries) - placed if include_pending else 0
        if category is not None and meta.name != category:
            continue
        rows.append(
            {
                "task_class_id": meta.id,
                "category": meta.name,
                "task_count": placed + pending,
                "placed_count": placed,
                "pending_count": pending,
                "subject_type": meta.rules.subject_type,
                "difficulty_level": meta.rules.difficulty_level,
                "cognitive_intensity": meta.rules.cognitive_intensity,
            }
        )
    return rows


def _action(issue: Issue) -> dict[str, Any]:
    switching = "switch" in issue.issue_id
    return {
        "action_id": f"na_{issue.issue_id}",
        "priority": 1 if issue.severity == CRITICAL else 2,
        "intent": "reduce_switch" if switching else "smooth_rhythm",
        "day_range": list(issue.days),
        "tools": ["analyze_health"],
    }
