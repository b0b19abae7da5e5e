"""Re-planning of the draft when something happens in the term: replan.

Only the draft changes. What happened is the student's word: marks and dates of classes have tools of their own.
"""

from __future__ import annotations

from agent.calls.kinds import Json
from agent.calls.phrase import Verbatim, say
from agent.calls.values import ToolContext, ToolError, ToolOutcome
from agent.tools import observations
from agent.tools.arguments.progress import ReplanArgs
from agent.tools.draft.mutation import changes_between, write_data
from agent.tools.draft.refusals import refuse_fixed, task_not_found
from agent.tools.words.replanned import left_sentences, reason_text, sentences, stays_count
from schedules.planner.draft.state import ScheduleState
from schedules.planner.progress import MISSED
from schedules.planner.replan.asks import carry_out
from schedules.planner.replan.least_change import Replanned

NAME = "replan"


async def replan_draft(draft: ScheduleState, args: ReplanArgs, ctx: ToolContext) -> ToolOutcome:
    """The draft by least change, or why nothing can move."""
    error = refuse_tasks(draft, args.task_ids or ())
    if error is not None or ctx.calendar is None:
        return ToolOutcome(draft, {"operation": NAME}, error=error or ToolError("draft_missing", say("还没有学期")))
    done = carry_out(draft, args.ask(draft), ctx.calendar, missed=await missed_items(draft, ctx))
    changes = changes_between(draft, done.state)
    if not changes:
        return ToolOutcome(draft, {"operation": NAME}, error=nothing_moves(done))
    data: Json = {
        **write_data(NAME, draft, done.state, changes),
        "kind": args.kind,
        "stays": stays_count(done),
        "left": [_left_json(done, item, rule) for item, rule in done.left.items()],
        "reasons": {
            str(entry.state_id): reason_text(reason, "zh")
            for item, reason in done.reasons.items()
            if (entry := done.state.by_item(item)) is not None
        },
        "told": sentences(done, ctx.calendar, "zh"),
        "shown": sentences(done, ctx.calendar, ctx.locale),
    }
    return ToolOutcome(done.state, data, changes=changes)


def refuse_tasks(draft: ScheduleState, task_ids: tuple[int, ...] | list[int]) -> ToolError | None:
    """Why these are not all items of a class."""
    for task_id in task_ids:
        entry = draft.task(task_id)
        if entry is None:
            return task_not_found(draft, task_id)
        if not entry.is_item:
            return refuse_fixed(entry)
    return None


async def missed_items(draft: ScheduleState, ctx: ToolContext) -> tuple[int, ...]:
    """The items of the draft that count as missed now; one that the draft has moved on already is picked up."""
    standing = [entry for entry in draft.items() if entry.status == "existing"]
    if ctx.ports.missed_items is None:
        return tuple(entry.source_id for entry in standing if entry.mark == MISSED)
    return tuple(await ctx.ports.missed_items([entry.source_id for entry in standing]))


def nothing_moves(done: Replanned) -> ToolError:
    if not done.left:
        return ToolError("no_change", say("现在不用改"))
    lines = tuple(Verbatim(told) for told in left_sentences(done, "zh"))
    return ToolError("no_place", say("没有空的位置"), lines=lines, details={"left": len(done.left)})


def _left_json(done: Replanned, item: int, rule: str) -> Json:
    entry = done.state.by_item(item)
    found = {"task_id": 0, "name": ""} if entry is None else {"task_id": entry.state_id, "name": entry.name}
    return {**found, "rule": rule}


def observe(outcome: ToolOutcome) -> str:
    """What moved, why, and what found no place."""
    if outcome.error is not None:
        return observations.failure_text(outcome.error)
    data = outcome.data
    rows = []
    for one in data["changes"]:
        reason = data["reasons"].get(str(one["task_id"]), "")
        ends = [observations.place(one[end], full=True) if one[end] else "待安排" for end in ("before", "after")]
        rows.append(f"{observations.task(one)} {ends[0]} → {ends[1]}{f'（{reason}）' if reason else ''}")
    told = [f"已重新安排{len(rows)}项：" + "；".join(rows)]
    if data["left"]:
        told.append("放不下：" + "、".join(observations.task(one) for one in data["left"]))
    return "。".join([*told, f"其余{data['stays']}项不动", f"待安排{data['counts']['pending']}项"]) + "。"
