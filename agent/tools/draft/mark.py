"""The student's word about items: mark_items. It is stored beside the draft, as a batch that can be undone."""

from __future__ import annotations

import logging
from functools import partial

from agent.calls.kinds import Json
from agent.calls.phrase import Phrase, join_phrases, say
from agent.calls.values import ToolContext, ToolError, ToolOutcome, WrittenValue
from agent.tools.arguments.progress import MarkArgs
from agent.tools.draft.refusals import task_words
from agent.tools.draft.replan import refuse_tasks
from agent.tools.saving import not_saved, save
from agent.tools.words import observations
from agent.tools.words.labels import PROGRESS
from schedules.planner.draft.rebase import rebase
from schedules.planner.draft.state import ScheduleState, TaskEntry
from schedules.planner.facts import ItemFact
from taskclasses.kernel.errors import CodedError

log = logging.getLogger("agent.tools")

NAME = "mark_items"
NOT_NOW: dict[str, str] = {
    "not_begun": "{tasks} 还没有开始",
    "not_placed": "{tasks} 没有安排时间，谈不上没做",
    "bad_rest": "{tasks} 剩下的节数要比原来少",
}
"""Why something cannot be said of an item now (40090)."""


async def mark_items(draft: ScheduleState, args: MarkArgs, ctx: ToolContext) -> ToolOutcome:
    """Checks, asks, writes once, and brings the draft along. With `ctx.dry_run` nothing is saved."""
    task_ids = args.task_ids or []
    error = refuse_tasks(draft, task_ids)
    entries = [entry for one in dict.fromkeys(task_ids) if (entry := draft.task(one)) is not None]
    gone = await _find_gone(draft, args, ctx)
    if len(gone) < len({*(args.task_item_ids or ())}):
        error = error or ToolError("task_not_found", say("没有这个任务项"))
    told = [*(_mark_json(one, args) for one in entries), *(_mark_json_gone(one, args) for one in gone)]
    data: Json = {"operation": NAME, "progress": args.progress, "marks": told}
    if error is not None or ctx.ports.check_marks is None or ctx.ports.mark_items is None:
        return ToolOutcome(draft, data, error=error or not_saved())
    marks = [
        {"task_item_id": one["task_item_id"], "progress": args.progress, "sections_left": args.sections_left}
        for one in told
    ]
    translate = partial(_translate, draft)
    if ctx.dry_run:
        changed = await save(ctx.ports.check_marks(marks), f"check of marks {ctx.call_id}", translate)
        said_before = None if changed else ToolError("no_change", say("已经这样标过了"))
        return ToolOutcome(draft, data, error=changed if isinstance(changed, ToolError) else said_before)
    answer = await save(ctx.ports.mark_items(marks, call_id=ctx.call_id), f"marks {ctx.call_id}", translate)
    if isinstance(answer, ToolError):
        return ToolOutcome(draft, data, error=answer)
    after = await _follow(draft, ctx)
    done = {**data, "batch_id": answer["batch_id"], "freed": _find_freed(draft, after, entries)}
    return ToolOutcome(after, done, written=_written_values(entries, gone, marks))


def _written_values(entries: list[TaskEntry], gone: list[ItemFact], marks: list[Json]) -> tuple[WrittenValue, ...]:
    """Returns what is said of each item now, and what was before."""
    was = [_value(one.mark, one.duration) for one in entries] + [_value(one.mark, one.sections) for one in gone]
    now = [_value(one["progress"], one["sections_left"]) for one in marks]
    items = [one["task_item_id"] for one in marks]
    return tuple(WrittenValue(item, "progress", *sides) for item, *sides in zip(items, was, now, strict=True))


def _value(mark: str, sections: int | None) -> Json:
    return {"progress": mark or "open", **({"sections_left": sections} if mark == "partial" else {})}


async def _find_gone(draft: ScheduleState, args: MarkArgs, ctx: ToolContext) -> list[ItemFact]:
    """Returns the items that are named by the id of their row, since the draft does not hold them."""
    if not args.task_item_ids or ctx.ports.load_facts is None:
        return []
    facts = await ctx.ports.load_facts(sorted(draft.needed_classes))
    wanted = {*args.task_item_ids}
    return [item for row in facts.task_classes for item in row.items if item.id in wanted]


async def _follow(draft: ScheduleState, ctx: ToolContext) -> ScheduleState:
    """Returns the draft on the new rows; it sees them when it next looks at the timetable otherwise."""
    if ctx.ports.load_facts is None:
        return draft
    try:
        facts = await ctx.ports.load_facts(sorted(draft.needed_classes))
    except Exception:  # the marks are saved all the same
        log.exception("the draft could not follow marks %s", ctx.call_id)
        return draft
    return rebase(draft, facts, now=ctx.now_cell).state


def _mark_json(entry: TaskEntry, args: MarkArgs) -> Json:
    left = None
    if args.progress == "partial":
        left = args.sections_left or (entry.duration + 1) // 2
    return {
        "task_id": entry.state_id,
        "task_item_id": entry.source_id,
        "name": entry.name,
        "duration": entry.duration,
        "progress": args.progress,
        "sections_left": left,
    }


def _mark_json_gone(fact: ItemFact, args: MarkArgs) -> Json:
    left = args.sections_left or (fact.sections + 1) // 2 if args.progress == "partial" else None
    return {
        "task_id": 0,
        "task_item_id": fact.id,
        "name": fact.content,
        "duration": fact.sections,
        "progress": args.progress,
        "sections_left": left,
    }


def _find_freed(before: ScheduleState, after: ScheduleState, entries: list[TaskEntry]) -> list[int]:
    """Returns items that gave back the cells they had ahead."""
    return [
        entry.state_id
        for entry in entries
        if entry.slots and ((now := after.by_item(entry.source_id)) is None or not now.slots)
    ]


def _translate(draft: ScheduleState, refusal: CodedError) -> ToolError:
    if refusal.code == 40036:
        return ToolError("task_not_found", say("没有这个任务项"))
    if refusal.code != 40090:
        return not_saved()
    facts = refusal.data or {}
    reason = str(facts.get("reason", ""))
    found = [entry for item in facts.get("task_item_ids", ()) if (entry := draft.by_item(item)) is not None]
    words: Phrase = say(NOT_NOW.get(reason, "{tasks} 现在不能这样标"), tasks=join_phrases(map(task_words, found)))
    return ToolError(f"mark_{reason}", words, details={"task_ids": [entry.state_id for entry in found]})


def observe(outcome: ToolOutcome) -> str:
    if outcome.error is not None:
        return observations.failure_text(outcome.error)
    data = outcome.data
    rows = [
        observations.task(one) + (f"（还剩{one['sections_left']}节）" if one["sections_left"] else "")
        for one in data["marks"]
    ]
    told = [f"已标记「{PROGRESS[data['progress']]}」：" + "、".join(rows)]
    if data.get("freed"):
        told.append(f"空出原来时间的有{len(data['freed'])}项")
    return "。".join(told) + "。"
