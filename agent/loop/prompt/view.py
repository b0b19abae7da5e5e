"""Builds the view of a model call from the state."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from agent.calls.kinds import Json
from agent.loop.capacity.gate import is_gate_closed, why_it_does_not_fit
from agent.loop.draft.goal_changes import goal_changes
from agent.loop.outside.deps import Deps
from agent.loop.outside.model import Stage
from agent.loop.prompt.draft_view import cost_json, draft_json, rough_build_json
from agent.loop.prompt.past_values import past_values_json
from agent.loop.state.agent_state import AgentState
from agent.loop.state.conversation import Asked, WeekPlace
from agent.loop.state.plan import GoalStep
from agent.loop.view_document import (
    AcceptedRiskView,
    AnswerView,
    AskedView,
    CallView,
    ClassView,
    CorrectionView,
    DialogueTurnView,
    GoalChangeView,
    GoalView,
    LogChangeView,
    NowView,
    OutcomeView,
    PlanStepView,
    PlanView,
    ReceiptView,
    ResultView,
    SemesterView,
    View,
    WeekPlaceView,
)
from schedules.planner.grid import Calendar, week_and_weekday
from schedules.planner.shapes import CostTable
from taskclasses.shapes import ClassObject

TURNS, CLASSES, ITEMS = 12, 30, 100
"""Turns that are shown, classes that are shown with their items, and items of one class."""
LOGGED = 20
"""Changes of the draft that a view holds."""


def build_view(
    state: AgentState, deps: Deps, stage: Stage, *, classes: Sequence[ClassObject], tools: Sequence[str]
) -> View:
    """Builds the whole picture for one call of `stage`."""
    run = state.run
    return {
        "stage": stage,
        "now": now_json(deps.clock(), deps.calendar),
        "locale": state.locale,
        "dialogue": dialogue_json(state),
        "request": run.request,
        "rest": run.rest,
        "turns": [{"text": turn.text, "via": turn.via, "option": turn.option} for turn in run.turns],
        "message": run.turns[-1].text if run.turns else run.request,
        "resumes": run.resumes,
        "last_change": last_change_json(state),
        "draft_log": draft_log_json(state),
        "past_values": past_values_json(state, classes),
        "classes": _classes_json(state, classes),
        "semester": semester_json(deps.calendar),
        "scope": list(state.conversation.scope),
        "scope_given": run.scope_given,
        "draft": draft_json(state, deps),
        "mode": run.optimization_mode,
        "active_optimize_only": run.active_optimize_only,
        "needs_rough_build": state.plan.needs_rough_build,
        "already_built": state.built_classes,
        "rough_build": rough_build_json(state),
        "verdict": verdict_json(state),
        "shortage": why_it_does_not_fit(state, deps) if is_gate_closed(state) else [],
        "plan": plan_json(state),
        "tools": list(tools),
        "last_results": results_json(state),
        "receipts": receipts_json(state),
        "interaction": answer_json(state),
        "rejected": [{"name": row.name, "arguments": row.arguments} for row in run.rejected],
        "accepted_risk": accepted_risk_json(state),
        "correction": correction_json(state),
        "notes": list(run.notes),
        "goal": goal_json(state, deps),
    }


def dialogue_json(state: AgentState) -> list[DialogueTurnView]:
    return [
        {
            "role": turn.role,
            "text": turn.text,
            "asks": asked_json(turn.asks),
            "item_ids": turn.item_ids,
            "wrote": turn.wrote,
        }
        for turn in state.conversation.dialogue[-TURNS:]
    ]


def asked_json(asked: Asked | None) -> AskedView | None:
    return None if asked is None else {"topic": asked.topic, "about": asked.about}


def draft_log_json(state: AgentState) -> list[list[LogChangeView]]:
    entries = [entry for entry in state.draft.log if entry.who in ("agent", "student") and entry.changes]
    return [
        [
            {
                "goal": entry.goal, "item_id": change["task_item_id"], "class_id": change["task_class_id"],
                "name": change["name"], "before": change["before"], "after": change["after"],
            }
            for change in entry.changes
        ]
        for entry in entries[-LOGGED:]
    ]  # fmt: skip


def last_change_json(state: AgentState) -> GoalChangeView | None:
    change = state.conversation.last_change
    if change is None:
        return None
    return {
        "kind": change.kind,
        "item_id": change.item_id,
        "before": week_place_json(change.before),
        "after": week_place_json(change.after),
        "told": change.told,
    }


def week_place_json(place: WeekPlace | None) -> WeekPlaceView | None:
    if place is None:
        return None
    return {
        "week": place.week,
        "day_of_week": place.day_of_week,
        "section_from": place.section_from,
        "section_to": place.section_to,
    }


def now_json(now: datetime, calendar: Calendar | None) -> NowView:
    """Returns date, week, weekday and the section that has begun last (0 before the first)."""
    if calendar is None:
        return {"date": now.date().isoformat(), "week": 0, "day_of_week": now.isoweekday(), "section": 0}
    day, section = calendar.now_cell(now)
    week, weekday = week_and_weekday(day)
    date = now.astimezone(calendar.zone).date().isoformat()
    return {"date": date, "week": week, "day_of_week": weekday, "section": section - 1}


def latest_classes(state: AgentState, classes: Sequence[ClassObject]) -> list[ClassObject]:
    """Returns those of a student's classes, which are told by id, that he means most likely: the ones in question and
    the newest of the others."""
    scope = state.conversation.scope
    newest = {row["id"] for row in [row for row in classes if row["id"] not in scope][-CLASSES:]}
    return [row for row in classes if row["id"] in scope or row["id"] in newest]


def _classes_json(state: AgentState, classes: Sequence[ClassObject]) -> list[ClassView]:
    """Returns every class, for a name that is not known would be taken for one like it; only the latest with items."""
    scope, latest = state.conversation.scope, {row["id"] for row in latest_classes(state, classes)}
    return [class_json(row, complete=row["id"] in scope, items_shown=row["id"] in latest) for row in classes]


def class_json(row: ClassObject, *, complete: bool, items_shown: bool = True) -> ClassView:
    items = row["items"]
    shown = items if items_shown and (complete or len(items) <= ITEMS) else []
    return {
        "id": row["id"],
        "name": row["name"],
        "start_date": row["start_date"] or "",
        "end_date": row["end_date"] or "",
        "sections": row["total_slots"] or 0,
        "item_count": len(items),
        "items": [{"id": item["id"], "order": item["order"], "content": item["content"]} for item in shown[:ITEMS]],
        "mode": row["mode"] or "",
        "strategy": row["strategy"] or "",
        "subject_type": row["subject_type"] or "",
        "difficulty_level": row["difficulty_level"] or "",
        "cognitive_intensity": row["cognitive_intensity"] or "",
        "excluded_days": list(row["excluded_days_of_week"]),
        "excluded_blocks": list(row["excluded_slots"]),
        "excluded_cells": [[cell["day_of_week"], cell["block"]] for cell in row.get("excluded_cells") or ()],
        "filler": bool(row.get("allow_filler_course")),
    }


def semester_json(calendar: Calendar | None) -> SemesterView | None:
    if calendar is None:
        return None
    return {
        "first_monday": calendar.first_monday.isoformat(),
        "weeks": calendar.weeks,
        "sections": calendar.grid.sections,
        "day_parts": [list(part) for part in calendar.grid.day_parts],
        "starts": [f"{begin:%H:%M}" for begin, _ in calendar.section_times],
    }


def verdict_json(state: AgentState) -> Json | None:
    if state.health.verdict is None:
        return None
    return {**state.health.verdict, "stale": state.verdict is None}


def plan_json(state: AgentState) -> PlanView | None:
    plan = state.plan
    if not plan.steps:
        return None
    return {"steps": steps_json(plan.steps), "current": plan.current}


def steps_json(steps: Sequence[GoalStep]) -> list[PlanStepView]:
    return [
        {"content": step.content, "done_when": step.done_when, "kind": step.kind, "class_ids": step.class_ids}
        for step in steps
    ]


def results_json(state: AgentState) -> list[ResultView]:
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


def receipts_json(state: AgentState) -> list[ReceiptView]:
    return [
        {
            "step_index": row.step_index,
            "source": row.source,
            "name": row.name,
            "success": row.success,
            "summary": row.summary,
        }
        for row in state.run.receipts
    ]


def answer_json(state: AgentState) -> AnswerView | None:
    answer = state.run.interaction
    if answer is None:
        return None
    call = answer.call
    return {
        "type": answer.type,
        "subject": answer.subject,
        "action": answer.action,
        "message": answer.message,
        "option": answer.option,
        "question": answer.question,
        "topic": answer.topic,
        "call": None if call is None else CallView(name=call["name"], arguments=call["arguments"]),
        "steps": steps_json(answer.steps),
        "seen": answer.seen,
        "results_at": answer.results_at,
    }


def accepted_risk_json(state: AgentState) -> AcceptedRiskView | None:
    risk = state.draft.accepted_risk
    if risk is None:
        return None
    return {
        "gap_sections": risk.gap_sections,
        "unplaced_item_ids": risk.unplaced_item_ids,
        "at": risk.at,
        "by": risk.by,
    }


def correction_json(state: AgentState) -> CorrectionView | None:
    correction = state.run.correction
    return None if correction is None else {"kind": correction.kind, "error": correction.error}


def outcome_json(state: AgentState) -> OutcomeView | None:
    outcome = state.run.outcome
    if outcome is None:
        return None
    return {"status": outcome.status, "code": outcome.code, "user_message": outcome.user_message}


def goal_json(state: AgentState, deps: Deps) -> GoalView:
    """Returns what the goal changed so far, measured against its start."""
    run = state.run
    cost = run.start_cost
    start = None if cost is None else CostTable(total=cost["total"], parts=cost["parts"])
    return {
        "number": state.conversation.goals,
        "start_revision": run.start_revision,
        "cost_before": start,
        "cost_after": cost_json(state, deps),
        "changes": goal_changes(state),
        "left": [entry.name for entry in state.schedule.items() if not entry.slots] if state.schedule else [],
        "outcome": outcome_json(state),
    }
