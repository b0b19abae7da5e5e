"""The class write: check everything, show what would change, save once, bring the draft along.

The checks are those of `taskclasses.spec`; the write itself is a port. A dry run ends before the port is asked.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from agent.calls.kinds import Json
from agent.calls.phrase import Phrase, Verbatim, join_phrases, one_line, say
from agent.calls.values import Change, ToolContext, ToolError, ToolOutcome
from agent.tools.arguments.task_class import UpsertArgs
from agent.tools.saving import not_saved, save
from agent.tools.task_class.capacity import dates_of, space_for
from agent.tools.task_class.values import changed_rows, given_values, merge_class, nest_values, written_values
from agent.tools.words import observations
from schedules.planner.draft.load import load_state
from schedules.planner.draft.rebase import rebase
from schedules.planner.draft.state import ScheduleState
from schedules.planner.grid import Calendar
from taskclasses.kernel.errors import CodedError
from taskclasses.spec import FieldIssue, validate_class

log = logging.getLogger("agent.tools")

NAME = "upsert_task_class"
APPLIED = 2
REFUSALS = {40040: "class_not_found", 40034: "item_applied"}
TOO_MANY = 40006
"""Tells that the student has as many classes as one may have."""


@dataclass(frozen=True)
class ClassWritePlan:
    """Holds one call thought through: the class as stored, as it would be, and what the checks say."""

    args: UpsertArgs
    current: Json | None
    merged: Json
    issues: tuple[FieldIssue, ...]
    shown: tuple[FieldIssue, ...]
    """The same issues in the student's language."""
    dates: Json | None

    @property
    def errors(self) -> list[FieldIssue]:
        return [one for one in self.issues if one.severity == "error"]

    @property
    def rows(self) -> list[Json]:
        return changed_rows(self.current, self.merged, given_items=self.args.items is not None)

    def data(self) -> Json:
        return {
            "validation": {"ok": not self.errors, "issues": [one.to_json() for one in self.issues]},
            "normalized": list(self.args.normalized),
            "shown_issues": [one.to_json() for one in self.shown],
            "created": self.current is None,
            "class": self.merged,
            "confirm_fields": self.rows,
            "source": self.args.source,
            "dates": self.dates,
        }


async def upsert_task_class(draft: ScheduleState | None, args: UpsertArgs, ctx: ToolContext) -> ToolOutcome:
    """Validates, tries and writes a class. With `ctx.dry_run` nothing is saved."""
    if ctx.ports.task_class_book is None or ctx.calendar is None:
        return ToolOutcome(draft, {}, error=not_saved())
    book = await ctx.ports.task_class_book(args.id)
    if args.id is not None and book["current"] is None:
        missing = ToolError("class_not_found", say("没有编号为 {id} 的任务类", id=args.id))
        return ToolOutcome(draft, {}, error=missing)
    plan = await plan_write(args, book, ctx, ctx.calendar)
    error = check_write(plan, ctx)
    if error is not None:
        return ToolOutcome(draft, plan.data(), error=error)
    change = Change(
        op="class_update" if plan.current else "class_create",
        task_id=None,
        task_item_id=None,
        task_class_id=args.id,
        name=plan.merged["name"],
    )
    if ctx.dry_run:
        return ToolOutcome(draft, plan.data(), changes=(change,))
    return await save_class(draft, plan, change, ctx)


async def plan_write(args: UpsertArgs, book: Json, ctx: ToolContext, calendar: Calendar) -> ClassWritePlan:
    current = book["current"]
    merged = merge_class(args, current)
    name = merged.get("name")
    same_name = any(row["name"] == name and row["id"] != args.id for row in book["classes"])
    values = nest_values(merged)

    def issues(locale: str, space: int | None) -> list[FieldIssue]:
        return validate_class(
            values,
            blocks=calendar.grid.blocks,
            first_day=calendar.first_monday,
            last_day=calendar.last_day,
            today=date.fromisoformat(book["today"]),
            current=current,
            same_name=same_name,
            room=space,
            locale=locale,
        )

    found = issues("zh", None)
    errors = any(one.severity == "error" for one in found)
    space = None if errors else await space_for(merged, args.id, ctx, calendar)
    dates = dates_of(merged, calendar) if not errors and merged.get("start_date") and merged.get("end_date") else None
    return ClassWritePlan(args, current, merged, tuple(issues("zh", space)), tuple(issues(ctx.locale, space)), dates)


def check_write(plan: ClassWritePlan, ctx: ToolContext) -> ToolError | None:
    """Tells why the write may not be asked for."""
    foreign = foreign_items(plan)
    if plan.errors or foreign:
        return validation_failed(plan, foreign)
    applied = [row for row in removed_items(plan) if row.get("status") == APPLIED]
    if applied:
        names = join_phrases(Verbatim(f"「{one_line(row['content'])}」") for row in applied)
        details: Json = {"item_ids": [row["id"] for row in applied]}
        return ToolError("item_applied", say("{items}已写入课表，不能删除", items=names), details=details)
    if ctx.dry_run and plan.current is not None and not plan.rows:
        return ToolError("no_change", say("任务类没有变化"))
    return None


def foreign_items(plan: ClassWritePlan) -> list[int]:
    """Returns ids in the given list that are no items of this class."""
    known = {row["id"] for row in (plan.current or {}).get("items") or []}
    return [one.id for one in plan.args.items or () if one.id is not None and one.id not in known]


def removed_items(plan: ClassWritePlan) -> list[Json]:
    if plan.current is None or plan.args.items is None:
        return []
    kept = {one.id for one in plan.args.items}
    return [row for row in plan.current["items"] if row["id"] not in kept]


def validation_failed(plan: ClassWritePlan, foreign: list[int]) -> ToolError:
    count = len(plan.errors) + len(foreign)
    shown = [one for one in plan.shown if one.severity == "error"]
    lines: list[Any] = [Verbatim(one.message) for one in shown]
    lines += [say("任务项 {id} 不属于该任务类", id=item_id) for item_id in foreign]
    details: Json = {"unknown_item_ids": foreign} if foreign else {}
    reason = say("{n} 处需要修正", n=count)
    return ToolError("validation_failed", reason, lines=tuple(lines), details=details)


async def save_class(
    draft: ScheduleState | None, plan: ClassWritePlan, change: Change, ctx: ToolContext
) -> ToolOutcome:
    """Writes a class; the same call id again gives the first result."""
    write = ctx.ports.upsert_task_class
    if write is None:
        return ToolOutcome(draft, plan.data(), error=not_saved())
    writing = write(given_values(plan.args, plan.current), call_id=ctx.call_id)
    answer = await save(writing, f"class write {ctx.call_id}", translate_refusal)
    if isinstance(answer, ToolError):
        return ToolOutcome(draft, plan.data(), error=answer)
    class_id, after = answer["task_class_id"], draft
    unplaced: list[Json] = []
    try:
        after, unplaced = await rebase_draft(draft, [class_id], ctx)
    except Exception:  # the class is saved all the same; the draft sees it when it next looks at the timetable
        log.exception("the draft could not follow class write %s", ctx.call_id)
    data = {**plan.data(), **answer, "unplaced": unplaced}
    data["scope"] = sorted({*(after.scope if after else ctx.scope), class_id})
    data["draft_revision"] = after.revision if after else None
    written = written_values(class_id, plan.current, plan.merged, given_items=plan.args.items is not None)
    return ToolOutcome(after, data, changes=(replace(change, task_class_id=class_id),), written=written)


def translate_refusal(refusal: CodedError) -> ToolError:
    """Translates a refusal of the use case itself, which judged the rows under lock."""
    if refusal.code == TOO_MANY:
        told = say("已经有 {n} 个任务类，到上限了，先删掉用不着的", n=refusal.data["limit"])
        return ToolError("validation_failed", told)
    code = REFUSALS.get(refusal.code)
    if code is None:
        return not_saved()
    message: Phrase = say("没有这个任务类") if code == "class_not_found" else say("任务项已写入课表，不能删除")
    return ToolError(code, message)


async def rebase_draft(
    draft: ScheduleState | None, class_ids: Sequence[int], ctx: ToolContext
) -> tuple[ScheduleState | None, list[Json]]:
    """Returns the draft on the new rows with the classes in its scope, and the placements that were lost on the way."""
    if ctx.ports.load_facts is None:
        return draft, []
    scope = tuple(sorted({*(draft.scope if draft else ctx.scope), *class_ids}))
    facts = await ctx.ports.load_facts(sorted({*scope, *(draft.needed_classes if draft else ())}))
    if draft is None:
        return load_state(facts, scope=scope, now=ctx.now_cell), []
    found = rebase(draft, facts, scope=scope)
    lost = [
        {"task_id": one.state_id, "name": entry.name, "rule": one.rule}
        for one in found.dropped
        if not one.stays and (entry := found.state.task(one.state_id))
    ]
    gone = [
        {"task_id": entry.state_id, "name": entry.name, "rule": ""}
        for entry in draft.items()
        if entry.status == "suggested" and found.state.by_item(entry.source_id) is None
    ]
    return found.state, lost + gone


TOLD = ("task_class_id", "created", "item_ids", "validation", "normalized", "scope", "draft_revision", "unplaced")


def observe(outcome: ToolOutcome) -> str:
    return tell_model(NAME, TOLD, outcome)


def tell_model(name: str, keys: Sequence[str], outcome: ToolOutcome) -> str:
    """Returns what the model reads of a class write: these parts of it, or why it failed."""
    data, error = outcome.data, outcome.error
    if error is None:
        return observations.dump({"tool": name, "success": True, **{key: data[key] for key in keys if key in data}})
    found: Json = {"tool": name, "success": False, "error_code": error.code, "error": error.message}
    checked: Json = {key: data[key] for key in ("validation", "normalized") if key in data}
    return observations.dump({**found, **error.details, **checked})
