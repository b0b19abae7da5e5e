"""The structured snapshot from which a call's messages are rendered.

Only a backend without a language model reads it. All keys are always present and JSON-able.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from agent.loop.capacity.gate import gate_closed, why_it_does_not_fit
from agent.loop.deps import Deps
from agent.loop.draft.sync import cost_of, places_of
from agent.loop.model import Stage
from agent.loop.state import AgentState
from schedules.planner.draft.state import ScheduleState, TaskEntry
from schedules.planner.grid import Calendar, week_and_weekday

Json = dict[str, Any]
TURNS, CLASSES, ITEMS = 12, 30, 100


def build_view(state: AgentState, deps: Deps, stage: Stage, *, classes: Sequence[Json], tools: Sequence[str]) -> Json:
    """The whole picture for one call of `stage`."""
    run, plan = state.run, state.plan
    return {
        "stage": stage,
        "now": now_json(deps.clock(), deps.calendar),
        "locale": state.locale,
        "dialogue": [{"role": turn.role, "text": turn.text} for turn in state.conversation.dialogue[-TURNS:]],
        "request": run.request,
        "turns": [{"text": turn.text, "via": turn.via} for turn in run.turns],
        "message": run.turns[-1].text if run.turns else run.request,
        "classes": [class_json(row, complete=row["id"] in state.conversation.scope) for row in classes[:CLASSES]],
        "semester": semester_json(deps.calendar),
        "scope": list(state.conversation.scope),
        "draft": draft_json(state, deps),
        "mode": run.optimization_mode,
        "active_optimize_only": run.active_optimize_only,
        "needs_rough_build": plan.needs_rough_build,
        "already_built": state.built_classes,
        "rough_build": rough_build_json(state),
        "verdict": verdict_json(state),
        "shortage": why_it_does_not_fit(state, deps) if gate_closed(state) else [],
        "plan": plan.model_dump(include={"steps", "current"}) if plan.steps else None,
        "tools": list(tools),
        "last_results": results_json(state),
        "receipts": [
            row.model_dump(include={"step_index", "source", "name", "success", "summary"}) for row in run.receipts
        ],
        "interaction": run.interaction.model_dump() if run.interaction else None,
        "rejected": [{"name": row.name, "arguments": row.arguments} for row in run.rejected],
        "accepted_risk": state.draft.accepted_risk.model_dump() if state.draft.accepted_risk else None,
        "correction": run.correction.model_dump(include={"kind", "error"}) if run.correction else None,
        "notes": list(run.notes),
        "goal": goal_json(state, deps),
    }


def now_json(now: datetime, calendar: Calendar | None) -> Json:
    """Date, week, weekday and the section that has begun last (0 before the first)."""
    if calendar is None:
        return {"date": now.date().isoformat(), "week": 0, "day_of_week": now.isoweekday(), "section": 0}
    day, section = calendar.now_cell(now)
    week, weekday = week_and_weekday(day)
    date = now.astimezone(calendar.zone).date().isoformat()
    return {"date": date, "week": week, "day_of_week": weekday, "section": section - 1}


def class_json(row: Json, *, complete: bool) -> Json:
    items = row.get("items") or []
    shown = items if complete or len(items) <= ITEMS else []
    return {
        "id": row["id"],
        "name": row["name"],
        "start_date": row.get("start_date") or "",
        "end_date": row.get("end_date") or "",
        "sections": row.get("total_slots") or 0,
        "item_count": row.get("item_count", len(items)),
        "items": [{"id": item["id"], "order": item["order"], "content": item["content"]} for item in shown[:ITEMS]],
        "mode": row.get("mode") or "",
        "strategy": row.get("strategy") or "",
        "subject_type": row.get("subject_type") or "",
        "difficulty_level": row.get("difficulty_level") or "",
        "cognitive_intensity": row.get("cognitive_intensity") or "",
    }


def semester_json(calendar: Calendar | None) -> Json | None:
    if calendar is None:
        return None
    return {
        "first_monday": calendar.first_monday.isoformat(),
        "weeks": calendar.weeks,
        "sections": calendar.grid.sections,
        "day_parts": [list(part) for part in calendar.grid.day_parts],
    }


def draft_json(state: AgentState, deps: Deps) -> Json | None:
    schedule = state.schedule
    if schedule is None:
        return None
    items = list(schedule.items())
    week, weekday = week_and_weekday(schedule.window.first_day)
    return {
        "revision": schedule.revision,
        "placed": sum(1 for entry in items if entry.status == "existing"),
        "suggested": sum(1 for entry in items if entry.status == "suggested"),
        "pending": sum(1 for entry in items if entry.status == "pending"),
        "courses": sum(1 for entry in schedule.tasks if not entry.is_item),
        "window": {"first": {"week": week, "day_of_week": weekday}, "total_days": schedule.window.total_days},
        "tasks": [task_json(schedule, entry) for entry in items],
        "cost": cost_of(state, deps),
    }


def task_json(schedule: ScheduleState, entry: TaskEntry) -> Json:
    slot = None
    if entry.slot is not None:
        week, weekday = week_and_weekday(schedule.window.day_of(entry.slot.day))
        slot = {
            "day": entry.slot.day,
            "week": week,
            "day_of_week": weekday,
            "slot_start": entry.slot.slot_start,
            "slot_end": entry.slot.slot_end,
            "host_event_id": schedule.host_event_of(entry),
        }
    return {
        "state_id": entry.state_id,
        "item_id": entry.source_id,
        "name": entry.name,
        "class_id": entry.task_class_id,
        "order": entry.task_order,
        "status": entry.status,
        "slot": slot,
        "duration": entry.duration,
    }


def rough_build_json(state: AgentState) -> Json | None:
    record, report = state.draft.rough_build, state.draft.report
    if record is None and report is None:
        return None
    return {
        "class_ids": record.class_ids if record else [],
        "placed": record.placed if record else 0,
        "left": record.left if record else [],
        "report": report,
    }


def verdict_json(state: AgentState) -> Json | None:
    if state.health.verdict is None:
        return None
    return {**state.health.verdict, "stale": state.verdict is None}


def results_json(state: AgentState) -> list[Json]:
    return [
        {
            "tool": call.tool,
            "arguments": call.arguments,
            "status": call.status,
            "data": call.data,
            "observation": call.observation,
            "error_code": call.error_code,
            "rule": call.rule,
            "system": call.system,
            "step_index": call.step_index,
            "revision": call.revision,
        }
        for call in state.run.calls
        if call.status != "rejected"
    ]


def goal_json(state: AgentState, deps: Deps) -> Json:
    """What the goal changed so far, measured against its start."""
    run = state.run
    return {
        "start_revision": run.start_revision,
        "cost_before": run.start_cost,
        "cost_after": cost_of(state, deps),
        "changes": goal_changes(state),
        "left": [entry.name for entry in state.schedule.items() if not entry.slots] if state.schedule else [],
        "outcome": run.outcome.model_dump(include={"status", "code", "user_message"}) if run.outcome else None,
    }


def goal_changes(state: AgentState) -> list[Json]:
    """Changes from the goal's start to now, sorted by task id."""
    schedule = state.schedule
    if schedule is None:
        return []
    changes, present, before = [], places_of(schedule), state.run.start_places
    for entry in schedule.items():
        key = str(entry.source_id)
        if before.get(key) != present.get(key):
            changes.append(
                {
                    "op": "place" if key not in before else "unplace" if key not in present else "move",
                    "task_id": entry.state_id,
                    "task_item_id": entry.source_id,
                    "task_class_id": entry.task_class_id,
                    "name": entry.name,
                    "before": _place_json(schedule, before.get(key), entry),
                    "after": _place_json(schedule, present.get(key), entry),
                }
            )
    return sorted(changes, key=lambda change: int(change["task_id"]))


def _place_json(schedule: ScheduleState, place: list[int] | None, entry: TaskEntry) -> Json | None:
    if place is None:
        return None
    day, first, host = place
    week, weekday = week_and_weekday(day)
    return {
        "day": schedule.window.index_of(day),
        "week": week,
        "day_of_week": weekday,
        "section_from": first,
        "section_to": first + entry.duration - 1,
        "embed_course_event_id": host or None,
    }
