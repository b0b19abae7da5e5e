"""The write of several classes at once: each is checked as alone, all are saved together or none.

One wish of a student ("no Sundays") is one card, however many classes it changes.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence

from agent.calls.kinds import Json
from agent.calls.phrase import Verbatim, join_phrases, one_line, say
from agent.calls.values import Change, ToolContext, ToolError, ToolOutcome
from agent.tools.arguments.task_class import UpdateClassesArgs
from agent.tools.saving import not_saved, save
from agent.tools.task_class.values import given_values, written_values
from agent.tools.task_class.write import (
    ClassWritePlan,
    check_write,
    plan_write,
    rebase_draft,
    tell_model,
    translate_refusal,
)
from schedules.planner.draft.state import ScheduleState

log = logging.getLogger("agent.tools")

NAME = "batch_update_task_classes"


async def batch_update_task_classes(
    draft: ScheduleState | None, args: UpdateClassesArgs, ctx: ToolContext
) -> ToolOutcome:
    """Validates, tries and writes the changes of several classes. With `ctx.dry_run` nothing is saved."""
    book, calendar = ctx.ports.task_class_book, ctx.calendar
    if book is None or calendar is None:
        return ToolOutcome(draft, {}, error=not_saved())
    plans, unknown = list[ClassWritePlan](), list[int]()
    for one in args.each():
        found = await book(one.id)
        if found["current"] is None:
            unknown.append(one.id or 0)
        else:
            plans.append(await plan_write(one, found, ctx, calendar))
    if unknown:
        missing = say("没有编号为 {id} 的任务类", id=unknown[0])
        return ToolOutcome(draft, {}, error=ToolError("class_not_found", missing, details={"unknown_ids": unknown}))
    error = _check_all(plans, ctx)
    if error is not None:
        return ToolOutcome(draft, _tell(args, plans), error=error)
    changed = [plan for plan in plans if plan.rows] or plans
    if ctx.dry_run:
        return ToolOutcome(draft, _tell(args, changed), changes=_changes(changed))
    return await _save(draft, args, changed, ctx)


def _check_all(plans: Sequence[ClassWritePlan], ctx: ToolContext) -> ToolError | None:
    """Tells why the write may not be asked for: what is wrong with any class; that none would change."""
    found = [(plan, error) for plan in plans if (error := check_write(plan, ctx)) is not None]
    wrong = [(plan, error) for plan, error in found if error.code != "no_change"]
    if not wrong:
        return found[0][1] if len(found) == len(plans) else None
    if len(wrong) == 1 and len(plans) == 1:
        return wrong[0][1]
    lines = [
        say("「{name}」：{reason}", name=one_line(str(plan.merged["name"])), reason=line)
        for plan, error in wrong
        for line in error.lines or (error.reason,)
    ]
    names = join_phrases(Verbatim(f"「{one_line(str(plan.merged['name']))}」") for plan, _ in wrong)
    return ToolError(wrong[0][1].code, say("{names}需要修正，都没有写入", names=names), lines=tuple(lines))


def _changes(plans: Sequence[ClassWritePlan]) -> tuple[Change, ...]:
    return tuple(
        Change(op="class_update", task_id=None, task_item_id=None, task_class_id=plan.args.id, name=plan.merged["name"])
        for plan in plans
    )


def _tell(args: UpdateClassesArgs, plans: Sequence[ClassWritePlan]) -> Json:
    """Returns the facts of the write: each class as alone, and the rows and issues of all with their class."""
    each = [{"id": plan.args.id, **plan.data()} for plan in plans]
    return {
        "classes": each,
        "created": False,
        "validation": {
            "ok": not any(plan.errors for plan in plans),
            "issues": [{**issue, "task_class_id": one["id"]} for one in each for issue in one["validation"]["issues"]],
        },
        "normalized": list(args.normalized),
        "shown_issues": [{**issue, "class": one["class"]["name"]} for one in each for issue in one["shown_issues"]],
        "confirm_fields": [{**row, "class": one["class"]["name"]} for one in each for row in one["confirm_fields"]],
    }


async def _save(
    draft: ScheduleState | None, args: UpdateClassesArgs, plans: Sequence[ClassWritePlan], ctx: ToolContext
) -> ToolOutcome:
    """Writes all classes in one transaction; the same call id again gives the first result."""
    write, data = ctx.ports.update_task_classes, _tell(args, plans)
    if write is None:
        return ToolOutcome(draft, data, error=not_saved())
    given = [given_values(plan.args, plan.current) for plan in plans]
    answer = await save(write(given, call_id=ctx.call_id), f"class writes {ctx.call_id}", translate_refusal)
    if isinstance(answer, ToolError):
        return ToolOutcome(draft, data, error=answer)
    ids, after, unplaced = answer["task_class_ids"], draft, list[Json]()
    try:
        after, unplaced = await rebase_draft(draft, ids, ctx)
    except Exception:  # the classes are saved all the same; the draft sees them when it next looks at the timetable
        log.exception("the draft could not follow class writes %s", ctx.call_id)
    data = {**data, **answer, "unplaced": unplaced, "scope": sorted({*(after.scope if after else ctx.scope), *ids})}
    data["draft_revision"] = after.revision if after else None
    written = tuple(
        value
        for plan in plans
        for value in written_values(plan.args.id or 0, plan.current, plan.merged, given_items=False)
    )
    return ToolOutcome(after, data, changes=_changes(plans), written=written)


TOLD = ("task_class_ids", "validation", "normalized", "scope", "draft_revision", "unplaced")


def observe(outcome: ToolOutcome) -> str:
    return tell_model(NAME, TOLD, outcome)
