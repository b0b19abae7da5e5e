"""Re-planning of the draft when something happens in the term: replan; what it would do: preview_replan.

A date of a class, a lesson or an exam that moved, time that stays free are written first; the draft follows. All else
changes the draft alone. Marks have a tool of their own.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from agent.calls.kinds import Json
from agent.calls.phrase import Verbatim, join_phrases, one_line, say
from agent.calls.ports import ChangedRows, RowChange
from agent.calls.values import ToolContext, ToolError, ToolOutcome
from agent.tools.arguments.progress import PreviewArgs, ReplanArgs
from agent.tools.draft.mutation import changes_between, write_data
from agent.tools.draft.refusals import refuse_fixed, task_not_found
from agent.tools.saving import save
from agent.tools.words import observations
from agent.tools.words.replan import left_sentences, reason_text, sentences, stays_count, stays_in_place
from schedules.planner.draft.progress import MISSED
from schedules.planner.draft.rebase import rebase
from schedules.planner.draft.state import ScheduleState
from schedules.planner.grid import Outside
from schedules.planner.replan.asks import KEPT, carry_out, places_of, tell_kept
from schedules.planner.replan.least_change import Replanned
from schedules.planner.replan.limits import find_possible, keep_to
from schedules.planner.replan.wishes import keep_free, leave_places
from taskclasses.kernel.i18n import text

NAME, PREVIEW = "replan", "preview_replan"
REFUSED = {
    "event_not_found": "那天没有叫「{name}」的课",
    "exam_not_found": "没有叫「{name}」的考试",
    "several_match": "叫「{name}」的不止一个",
    "outside_semester": "新的时间不在学期内",
    "bad_date_range": "日期范围无效",
    "bad_request": "日期或时间不合适",
    "too_large": "校历里的条目太多了",
}
"""Why a change of rows is refused, in words."""


async def replan_draft(draft: ScheduleState, args: ReplanArgs, ctx: ToolContext) -> ToolOutcome:
    """Returns the draft by least change, or why nothing can move."""
    named = [*(args.task_ids or ()), *(one for limit in args.limits or () for one in limit.task_ids or ())]
    error = refuse_tasks(draft, named)
    if error is not None or ctx.calendar is None:
        return ToolOutcome(draft, {"operation": NAME}, error=error or ToolError("draft_missing", say("还没有学期")))
    base, written = draft, ChangedRows()
    change = args.change(ctx.calendar)
    if change is not None:
        if change.kind == "keep_free":
            change = replace(change, name=change.name or text("留空", ctx.locale))
        written = await _write_rows(draft, change, ctx)
        if written.facts is None:
            return ToolOutcome(draft, {"operation": NAME}, error=_not_written(written, change))
        renewed = rebase(draft, written.facts, now=ctx.now_cell, take_up=True)
        base, lost = renewed.state, [one.item_id for one in renewed.dropped]
        written = replace(written, displaced=(*written.displaced, *lost))
    if args.kind == "limits":
        limits = [one.limit(base, ctx.calendar) for one in args.limits or ()]
        waiting = [entry.source_id for entry in args.items(base)]
        done = await ctx.compute(keep_to, base, limits, waiting, others_stay=args.others_stay)
        possible = await ctx.compute(find_possible, base, limits) if done.left and not waiting else None
        if possible is not None:
            return ToolOutcome(draft, {"operation": NAME, "possible": list(possible)}, error=_impossible(*possible))
    else:
        done = await ctx.compute(
            carry_out,
            base,
            args.ask(base),
            ctx.calendar,
            missed=await missed_items(base, ctx),
            displaced=written.displaced,
            followers=written.followers,
        )
    changes = changes_between(draft, done.state)
    if not changes and not written.told:
        left = [_left_json(done, item, rule) for item, rule in done.left.items()]
        return ToolOutcome(draft, {"operation": NAME, "left": left}, error=nothing_moves(done))
    data = {**_told_of(draft, done, args.kind, ctx), **({"written": written.told} if written.told else {})}
    for key, locale in (("told", "zh"), ("shown", ctx.locale)):
        data[key] = [*written.told.get(locale, ()), *data[key]]
    return ToolOutcome(done.state, data, changes=changes)


async def preview_replan(draft: ScheduleState, args: PreviewArgs, ctx: ToolContext) -> ToolOutcome:
    """Returns what a re-planning would move; the draft stays as it is, and nothing is written."""
    if (error := _outside_semester(args, ctx)) is not None:
        return ToolOutcome(draft, {"operation": PREVIEW}, error=error)
    if args.dates is None:
        outcome = await replan_draft(draft, args, replace(ctx, dry_run=True))
        unmoved = outcome.error is not None and outcome.error.code == "no_change"
        if outcome.error is not None and not unmoved:
            return replace(outcome, draft=draft)
        if not unmoved:
            written = outcome.data.get("written", {})
            told = {key: outcome.data[key][len(written.get(locale, ())) :]
                    for key, locale in (("told", "zh"), ("shown", ctx.locale))}  # fmt: skip
            return ToolOutcome(draft, {**outcome.data, **told, "operation": PREVIEW})
    if ctx.calendar is None:
        return ToolOutcome(draft, {}, error=ToolError("draft_missing", say("还没有学期")))
    done = Replanned(draft, draft, {}, {})
    if args.dates is not None:
        base = args.ask(draft)
        asks = [replace(base, first_date=day, last_date=day) for day in map(date.fromisoformat, args.dates)]
        places = [place for ask in asks for place in places_of(draft, ask, ctx.calendar)]
        done = await (
            ctx.compute(keep_free, draft, places)
            if args.task_class_id is None
            else ctx.compute(leave_places, draft, places, args.task_class_id)
        )
        done = tell_kept(done, places) if args.task_class_id is None else done
    return ToolOutcome(draft, _told_of(draft, done, args.kind, ctx, PREVIEW))


def _outside_semester(args: PreviewArgs, ctx: ToolContext) -> ToolError | None:
    """Tells that a day to keep free lies outside the semester, as the writing of it would, or all days of an
    illness."""
    if ctx.calendar is None:
        return None
    days = [date.fromisoformat(day) for day in args.dates or ()]
    outside = any(isinstance(ctx.calendar.day_of(day), Outside) for day in days)
    if args.kind == "ill" and args.from_date is not None:
        first, last = date.fromisoformat(args.from_date), date.fromisoformat(args.to_date or args.from_date)
        outside = last < ctx.calendar.first_monday or ctx.calendar.last_day < first
    return ToolError("outside_semester", say(REFUSED["outside_semester"])) if outside else None


def _told_of(draft: ScheduleState, done: Replanned, kind: str, ctx: ToolContext, name: str = NAME) -> Json:
    """Returns the facts of a re-planning: what moves and why, what stays, what finds no place."""
    assert ctx.calendar is not None
    return {
        **write_data(name, draft, done.state, changes_between(draft, done.state)),
        "kind": kind,
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


async def _write_rows(draft: ScheduleState, change: RowChange, ctx: ToolContext) -> ChangedRows:
    """Returns the rows after the change; without facts, and with no code, it could not be saved."""
    if ctx.ports.change_rows is None:
        return ChangedRows()
    needed = sorted(draft.needed_classes)
    writing = ctx.ports.change_rows(change, needed, call_id=ctx.call_id, dry_run=ctx.dry_run)
    written = await save(writing, f"re-planning {ctx.call_id}")
    return ChangedRows() if isinstance(written, ToolError) else written


def _not_written(refused: ChangedRows, change: RowChange) -> ToolError:
    words = REFUSED.get(refused.refused, "没有保存成功，可以稍后重试")
    lines = (say("有：{names}", names=join_phrases(Verbatim(f"「{one_line(one)}」") for one in refused.known)),)
    code = refused.refused or "persist_failed"
    return ToolError(code, say(words, name=one_line(change.name)), lines=lines if refused.known else ())


def refuse_tasks(draft: ScheduleState, task_ids: tuple[int, ...] | list[int]) -> ToolError | None:
    """Tells why these are not all items of a class."""
    for task_id in task_ids:
        entry = draft.task(task_id)
        if entry is None:
            return task_not_found(draft, task_id)
        if not entry.is_item:
            return refuse_fixed(entry)
    return None


async def missed_items(draft: ScheduleState, ctx: ToolContext) -> tuple[int, ...]:
    """Returns the items of the draft that count as missed now; one that the draft has moved on already is picked up."""
    standing = [entry for entry in draft.items() if entry.status == "existing"]
    if ctx.ports.missed_items is None:
        return tuple(entry.source_id for entry in standing if entry.mark == MISSED)
    return tuple(await ctx.ports.missed_items([entry.source_id for entry in standing]))


IMPOSSIBLE = {
    "a_day": "这个数量排不开：一天至少要放 {n} 项",
    "a_week": "这个数量排不开：一周至少要放 {n} 项",
    "sections_a_day": "这个数量排不开：一天至少要放 {n} 节",
    "days_between": "间隔排不开：两项之间最多隔 {n} 天",
}
"""Why a number cannot be kept: more are needed on the fullest day, in the fullest week; fewer days lie between two."""


def _impossible(name: str, number: int) -> ToolError:
    return ToolError("no_place", say(IMPOSSIBLE[name], n=number), details={"possible": number})


def nothing_moves(done: Replanned) -> ToolError:
    lines = tuple(Verbatim(told) for told in left_sentences(done, "zh"))
    if set(done.left.values()) <= {KEPT}:
        return ToolError("no_change", say("现在不用改"), lines=lines)
    return ToolError("no_place", say("没有空的位置"), lines=lines, details={"left": len(done.left)})


def _left_json(done: Replanned, item: int, rule: str) -> Json:
    entry = done.state.by_item(item)
    found = {"task_id": 0, "name": ""} if entry is None else {"task_id": entry.state_id, "name": entry.name}
    return {**found, "rule": rule, "stays": stays_in_place(done, item)}


def observe(outcome: ToolOutcome) -> str:
    """Returns what moved, why, and what found no place."""
    if outcome.error is not None:
        return observations.failure_text(outcome.error)
    data = outcome.data
    rows = []
    for one in data["changes"]:
        reason = data["reasons"].get(str(one["task_id"]), "")
        ends = [observations.place(one[end], full=True) if one[end] else "待安排" for end in ("before", "after")]
        rows.append(f"{observations.task(one)} {ends[0]} → {ends[1]}{f'（{reason}）' if reason else ''}")
    preview = data["operation"] == PREVIEW
    told = ["只是预演，什么都没有写入"] if preview else []
    told += [one.rstrip("。") for one in data.get("written", {}).get("zh", ())] if not preview else []
    moved = "会重新安排" if preview else "已重新安排"
    told += [f"{moved}{len(rows)}项：" + "；".join(rows)] if rows else ["计划不用改"]
    for words, stays in (("不合所说的条件，留在原处：", True), ("放不下：", False)):
        named = [observations.task(one) for one in data["left"] if one.get("stays", False) is stays]
        told += [words + "、".join(named)] if named else []
    waiting = () if preview else (f"待安排{data['counts']['pending']}项",)
    return "。".join([*told, f"其余{data['stays']}项不动", *waiting]) + "。"
