"""Deleting a class: show what goes with it, delete once, bring the draft along."""

from __future__ import annotations

import logging

from agent.calls.kinds import Json
from agent.calls.phrase import say
from agent.calls.values import Change, ToolContext, ToolError, ToolOutcome
from agent.tools.arguments.task_class import DeleteClassArgs
from agent.tools.saving import not_saved, save
from agent.tools.task_class.values import item_rows
from agent.tools.task_class.write import APPLIED, translate_refusal
from agent.tools.words import observations
from schedules.planner.draft.rebase import rebase
from schedules.planner.draft.state import ScheduleState

log = logging.getLogger("agent.tools")

NAME = "delete_task_class"


async def delete_task_class(draft: ScheduleState | None, args: DeleteClassArgs, ctx: ToolContext) -> ToolOutcome:
    """Deletes a class with its items, those on the timetable too. With `ctx.dry_run` nothing is deleted."""
    if ctx.ports.task_class_book is None:
        return ToolOutcome(draft, {}, error=not_saved())
    book = await ctx.ports.task_class_book(args.task_class_id)
    current = book["current"]
    if current is None and ctx.dry_run:
        missing = ToolError("class_not_found", say("没有编号为 {id} 的任务类", id=args.task_class_id))
        return ToolOutcome(draft, {}, error=missing)
    data = _describe(args.task_class_id, current or {})
    change = Change("class_delete", None, None, args.task_class_id, data["name"])
    if ctx.dry_run:
        return ToolOutcome(draft, data, changes=(change,))
    return await _delete(draft, data, change, ctx)


def _describe(class_id: int, row: Json) -> Json:
    items = row.get("items") or []
    return {
        "task_class_id": class_id,
        "deleted": True,
        "name": row.get("name", ""),
        "items": len(items),
        "applied": sum(item.get("status") == APPLIED for item in items),
        "confirm_fields": item_rows(items, []),
    }


async def _delete(draft: ScheduleState | None, data: Json, change: Change, ctx: ToolContext) -> ToolOutcome:
    """Deletes a class; the same call id again gives the first result, also when the class is gone by then."""
    remove = ctx.ports.delete_task_class
    if remove is None:
        return ToolOutcome(draft, data, error=not_saved())
    removing = remove(data["task_class_id"], call_id=ctx.call_id)
    answer = await save(removing, f"class deletion {ctx.call_id}", translate_refusal)
    if isinstance(answer, ToolError):
        return ToolOutcome(draft, data, error=answer)
    scope = tuple(one for one in (draft.scope if draft else ctx.scope) if one != data["task_class_id"])
    after = draft
    try:
        if draft is not None and ctx.ports.load_facts is not None:
            facts = await ctx.ports.load_facts(sorted(draft.needed_classes - {data["task_class_id"]}))
            after = rebase(draft, facts, scope=scope).state
    except Exception:  # the class is gone all the same; the draft sees it when it next looks at the timetable
        log.exception("the draft could not follow class deletion %s", ctx.call_id)
    return ToolOutcome(after, {**data, "scope": list(scope)}, changes=(change,))


def observe(outcome: ToolOutcome) -> str:
    data, error = outcome.data, outcome.error
    if error is not None:
        return observations.dump({"tool": NAME, "success": False, "error_code": error.code, "error": error.message})
    told = ("task_class_id", "name", "items", "applied", "scope")
    return observations.dump({"tool": NAME, "success": True, **{key: data[key] for key in told if key in data}})
