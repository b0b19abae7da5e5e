"""The part of the view that shows the draft: its items with their places, its cost, its last rough build."""

from __future__ import annotations

from collections.abc import Collection

from agent.loop.draft.sync import cost_of
from agent.loop.outside.deps import Deps
from agent.loop.state.agent_state import AgentState
from agent.loop.view_document import DraftView, RoughBuildView, SlotView, TaskView, WishView
from schedules.planner.draft.feasibility import items_under_exams
from schedules.planner.draft.misfits import misfits_of
from schedules.planner.draft.state import ScheduleState, TaskEntry
from schedules.planner.grid import week_and_weekday
from schedules.planner.shapes import CostTable
from schedules.planner.soft_limits import SoftLimit


def draft_json(state: AgentState, deps: Deps) -> DraftView | None:
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
        "tasks": [task_json(schedule, entry, missed=deps.tally.missed) for entry in items],
        "under_exams": [{"item_id": entry.source_id, "exam": exam.name} for entry, exam in items_under_exams(schedule)],
        "misfits": [
            {"item_id": one.entry.source_id, "rules": [rule.value for rule in one.rules]}
            for one in misfits_of(schedule)
        ],
        "cost": cost_json(state, deps),
        "wishes": [wish_json(limit) for limit in schedule.wishes],
    }


def wish_json(limit: SoftLimit) -> WishView:
    return {"kind": limit.kind, "value": limit.value, "class_id": limit.class_id, "hard_only": limit.hard_only}


def cost_json(state: AgentState, deps: Deps) -> CostTable | None:
    cost = cost_of(state, deps)
    return None if cost is None else {"total": cost["total"], "parts": cost["parts"]}


def task_json(schedule: ScheduleState, entry: TaskEntry, *, missed: Collection[int]) -> TaskView:
    is_missed = entry.status == "existing" and entry.source_id in missed
    return {
        "state_id": entry.state_id,
        "item_id": entry.source_id,
        "name": entry.name,
        "class_id": entry.task_class_id or 0,
        "order": entry.task_order or 0,
        "status": entry.status,
        "slot": slot_json(schedule, entry),
        "duration": entry.duration,
        "mark": entry.mark or ("missed" if is_missed else ""),
    }


def slot_json(schedule: ScheduleState, entry: TaskEntry) -> SlotView | None:
    if entry.slot is None:
        return None
    week, weekday = week_and_weekday(schedule.window.day_of(entry.slot.day))
    return {
        "day": entry.slot.day,
        "week": week,
        "day_of_week": weekday,
        "slot_start": entry.slot.slot_start,
        "slot_end": entry.slot.slot_end,
        "host_event_id": schedule.host_event_of(entry),
    }


def rough_build_json(state: AgentState) -> RoughBuildView | None:
    record, report = state.draft.rough_build, state.draft.report
    if record is None and report is None:
        return None
    return {
        "class_ids": record.class_ids if record else [],
        "placed": record.placed if record else 0,
        "left": record.left if record else [],
        "report": report,
    }
