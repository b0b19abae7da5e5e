"""The registry: every tool by name, and the stages of a call one by one.

Stages: 1 `validate`, 2 `refuse_here` (packs, mode), 3 the loop's policy, 4 `run` as a dry run, 5 permission with
`card`, 6 `run` again at the same revision, 7 receipt, 8 `result` is published. The loop drives them, because policy,
permission, receipts and events are its own.
Nothing here raises for a wrong call: a refusal is a value.
"""

from __future__ import annotations

import asyncio
import difflib
import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from agent.calls.kinds import Json
from agent.calls.phrase import say
from agent.calls.tool import ConsentCard, ToolAnnouncement, ToolCall, ToolResult, ToolTraits, plain_name
from agent.calls.values import BuildReport, ToolContext, ToolError, ToolOutcome
from agent.loop.outside.deps import Active
from agent.tools import packs
from agent.tools.argument_schema import invalid, json_schema, read_arguments
from agent.tools.cards.arguments import argument_view
from agent.tools.cards.confirm import confirm_card
from agent.tools.cards.operation import operation_extra
from agent.tools.cards.parts.kit import Content, Lang
from agent.tools.cards.planning import NAME as PLANNING
from agent.tools.cards.planning import lost_planning, planning_announcement, planning_result
from agent.tools.cards.result import announcement, committed_result, execution_result, legacy_tool
from agent.tools.catalogue import catalogue
from agent.tools.lenient_arguments import FORMS, KnownDraft, drop_path, mend_arguments
from agent.tools.types import Tool
from agent.tools.words.labels import RULES
from agent.tools.words.wishes import wish_words
from schedules.planner.diagnosis.trade_offs import NO_COSTS, WishCosts
from schedules.planner.draft.state import ScheduleState
from schedules.planner.grid import Calendar
from taskclasses.kernel.i18n import text
from taskclasses.kernel.telemetry import tracing

log = logging.getLogger("agent.tools")


def _class_title(tool: Tool, created: bool | None) -> str:
    """Returns what a write of classes did."""
    if tool.name == "delete_task_class":
        return "任务类已删除"
    return "任务类已创建" if created else "任务类已更新"


class Registry:
    """Finds, judges and runs the tools; immutable after construction, safe to share between runs."""

    def __init__(self, tools: Iterable[Tool]) -> None:
        self.tools = tuple(tools)
        self._by_name = {name: tool for tool in self.tools for name in (tool.name, *tool.aliases)}
        expected = sum(1 + len(tool.aliases) for tool in self.tools)
        assert len(self._by_name) == expected, "two tools share a name"

    def resolve(self, name: str) -> Tool | None:
        """Returns the tool of that name or older name."""
        return self._by_name.get(name)

    def validate(self, name: str, arguments: object, draft: ScheduleState | None = None) -> ToolCall | ToolError:
        """Judges a call at stage 1. With a draft, days and sections are held against its window and grid as well."""
        tool = self.resolve(name) if isinstance(name, str) else None
        if tool is None:
            return self._unknown(str(name))
        read = read_arguments(tool.args, {} if arguments is None else arguments)
        if isinstance(read, ToolError):
            return read
        args, values = read
        # What is about the whole term runs on a draft that has more classes than this one, and is held against that.
        outside = args.bounds(draft) if draft is not None and not tool.whole_term else []
        traits = tool if tool.kind_of is None else replace(tool, kind=tool.kind_of(args))
        return invalid(outside) if outside else ToolCall(traits, values, args)

    def fit(
        self, name: str, arguments: Json, draft: ScheduleState | None = None, calendar: Calendar | None = None
    ) -> tuple[ToolCall | ToolError, tuple[str, ...]]:
        """Judges at stage 1 what a model wrote: as `validate`, after forms that can mean one thing only are read as
        that, dates of the calendar among them. Parameters that the tool has not are dropped when the call fits without
        them; the second part names them."""
        tool = self.resolve(name) or self.resolve(plain_name(name)) or self._find_labelled(name)
        if tool is not None and calendar is not None and isinstance(arguments, Mapping):
            arguments = tool.args.in_term(arguments, calendar)
        strict = self.validate(tool.name if tool else name, arguments, draft)
        if tool is None or isinstance(strict, ToolCall) or strict.code != "invalid_args":
            return strict, ()
        mended = mend_arguments(tool.args, arguments, KnownDraft(draft, calendar))
        found = self.validate(tool.name, mended, draft)
        if isinstance(found, ToolCall):
            return found, ()
        unknown = [str(row["field"]) for row in found.listed if row.get("problem") == "unknown"]
        for path in unknown:
            mended = drop_path(mended, path)
        without = self.validate(tool.name, mended, draft) if unknown else found
        return (without, tuple(unknown)) if isinstance(without, ToolCall) else (_explain(found), ())

    def _find_labelled(self, name: str) -> Tool | None:
        """Returns the tool that students know by these words."""
        found = [tool for tool in self.tools if tool.label == name.strip()]
        return found[0] if len(found) == 1 else None

    def _unknown(self, name: str) -> ToolError:
        near = difflib.get_close_matches(name, list(self._by_name), n=3)
        details: Json = {"name": name[:80], "nearest": near}
        lines = (say("相近的工具：{names}", names="、".join(near)),) if near else ()
        return ToolError("unknown_tool", say("没有名为 {name} 的工具", name=name[:80]), lines=lines, details=details)

    def entry(self, call: ToolCall) -> Tool:
        """Returns the entry of a validated call's tool."""
        return self._by_name[call.name]

    def visible(self, active: Mapping[str, Sequence[str]], active_optimize_only: bool = False) -> tuple[Tool, ...]:
        """Returns the tools that may be called with these packs."""
        return packs.visible(self.tools, active, active_optimize_only)

    def refuse_here(self, call: ToolCall, ctx: ToolContext) -> ToolError | None:
        """Tells at stage 2 why the call may not be made with these packs and in this mode."""
        tool = self.entry(call)
        label = say(tool.label)
        if not packs.is_active(tool, ctx.active):
            area = {"domain": tool.domain, "pack": tool.pack}
            return ToolError("tool_not_visible", say("「{tool}」所在的工具包没有打开", tool=label), details=area)
        if not ctx.active_optimize_only:
            return None
        if not tool.improves:
            return ToolError("not_in_mode", say("改进方案期间不能使用「{tool}」", tool=label))
        if tool.writes and not self.is_candidate(ctx.verdict, tool.name, call.arguments):
            return ToolError("not_a_candidate", say("改进方案期间只能选择体检给出的候选操作"))
        return None

    @staticmethod
    def is_candidate(verdict: Json | None, name: str, arguments: Json) -> bool:
        """Tells whether a call is an offered candidate: same tool, equal arguments, a verdict that is not stale."""
        if not verdict or verdict.get("stale"):
            return False
        offered = verdict.get("decision", {}).get("candidates", [])
        wanted = same_swap(name, arguments)
        return any(
            one["tool"] == name and same_swap(name, one["arguments"]) == wanted for one in offered if one["tool"]
        )

    async def run(self, call: ToolCall, draft: ScheduleState | None, ctx: ToolContext) -> ToolOutcome:
        """Runs the tool itself on this very draft. A dry run is the same call; only `sql_write` reads `ctx.dry_run`.

        Cancellation passes through; any other exception becomes `internal_error` with its trace in the log.
        """
        tool = self.entry(call)
        if tool.needs_draft and draft is None:
            return ToolOutcome(draft, {}, error=ToolError("draft_missing", say("还没有载入排程草稿")))
        try:
            if draft is not None and (outside := call.args.bounds(draft)):
                return ToolOutcome(draft, {}, error=invalid(outside))
            with tracing.span(f"tool {tool.name}"):
                outcome = tool.run(draft, call.args, ctx)
                found = outcome if isinstance(outcome, ToolOutcome) else await outcome
        except asyncio.CancelledError:
            raise
        except Exception:
            log.exception("tool %s failed", call.name)
            return ToolOutcome(draft, {}, error=ToolError("internal_error", say("处理时出现内部错误")))
        return found

    def announce(self, call: ToolCall, draft: ScheduleState | None, *, locale: str) -> ToolAnnouncement:
        """Returns summary, argument view and intent of a call that is about to run."""
        return announcement(self.entry(call), call.arguments, draft, locale)

    def card(
        self, call_id: str, call: ToolCall, outcome: ToolOutcome, draft: ScheduleState | None, *, locale: str
    ) -> ConsentCard:
        """Returns what a consent card shows: the dry run of the call on `draft`."""
        return confirm_card(call_id, self.entry(call), call.arguments, outcome, draft=draft, locale=locale)

    def result(
        self,
        call_id: str,
        call: ToolCall,
        outcome: ToolOutcome,
        *,
        locale: str,
        before: ScheduleState | None = None,
    ) -> ToolResult:
        """Returns observation and card of an executed call; `before` is the draft the call started from."""
        before = before or outcome.draft
        view = argument_view(call.arguments, lang=Lang(locale, before), draft=before)
        return execution_result(call_id, self.entry(call), outcome, arguments=view, locale=locale, before=before)

    def refusal(
        self, call_id: str, call: ToolCall, error: ToolError, *, locale: str, draft: ScheduleState | None = None
    ) -> ToolResult:
        """Returns the result of a call that was refused before it ran."""
        return self.result(call_id, call, ToolOutcome(draft, {}, error=error), locale=locale, before=draft)

    def lost(self, call_id: str, name: str, error: ToolError, *, arguments: Json | None, locale: str) -> ToolResult:
        """Returns the result of a call whose end nobody saw, also of one this version does not know; `arguments` is the
        view that its start showed."""
        view = arguments or argument_view({}, lang=Lang(locale), draft=None)
        if name == PLANNING:
            return lost_planning(call_id, error, arguments=view, locale=locale)
        tool, outcome = self.resolve(name) or legacy_tool(name), ToolOutcome(None, {}, error=error)
        return execution_result(call_id, tool, outcome, arguments=view, locale=locale, before=None)

    def compose_committed(
        self, call_id: str, tool: Tool, *, created: bool | None, arguments: Json | None, locale: str
    ) -> ToolResult:
        """Returns the result of a write that was committed but never told; `created` tells of a class whether it is
        new."""
        view = arguments or argument_view({}, lang=Lang(locale), draft=None)
        of_class = tool.domain == "taskclass"
        extra = {} if of_class else operation_extra(Lang(locale), {"operation": tool.name}, [])
        title = _class_title(tool, created) if of_class else "变动已写入" if tool.kind_of is not None else "进度已标记"
        content = Content(text(title, locale), text("处理被中断", locale), extra=extra)
        return committed_result(call_id, tool, content, arguments=view, locale=locale)

    def announce_planning(self, classes: Mapping[int, str], *, locale: str) -> ToolAnnouncement:
        """Announces the rough build; `classes` are names by id."""
        return planning_announcement(classes, locale)

    def compose_planning(
        self,
        call_id: str,
        report: BuildReport,
        error: ToolError | None,
        *,
        locale: str,
        before: ScheduleState | None = None,
        after: ScheduleState | None = None,
        costs: WishCosts = NO_COSTS,
    ) -> ToolResult:
        """Returns the rough build's result card."""
        return planning_result(call_id, report, error, locale=locale, before=before, after=after, costs=costs)

    def default_active(self, mode: str, domain: str = "schedule") -> Active:
        return packs.default_active(mode, domain)

    def open(
        self, active: Mapping[str, Sequence[str]], domain: str, wanted: Sequence[str], merge: bool, mode: str
    ) -> Active:
        return packs.open_packs(active, domain, wanted, merge=merge, mode=mode)

    def packs(self) -> dict[str, tuple[str, ...]]:
        """Returns domains and their optional packs."""
        return dict(packs.OPTIONAL_PACKS)

    def verdict_tool(self) -> ToolTraits:
        """Returns the tool that judges the whole draft."""
        return next(tool for tool in self.tools if tool.takes_verdict)

    def catalogue(self, tools: Iterable[ToolTraits]) -> str:
        return catalogue(self._by_name[tool.name] for tool in tools)

    def schemas(self, names: Iterable[str] | None = None) -> list[Json]:
        """Returns function schemas for native tool calling, of the tools with these names or of all."""
        return [_function(tool) for tool in (self.tools if names is None else map(self._by_name.__getitem__, names))]

    def label(self, name: str, locale: str) -> str:
        tool = self.resolve(name)
        return text(tool.label, locale) if tool else text("智能排程", locale) if name == "smart_planning" else name

    def rule_label(self, rule: str, locale: str) -> str:
        """Returns a placement rule in general words; empty for no rule."""
        return text(RULES[rule], locale) if rule in RULES else ""

    def wish_label(self, wish: Json, classes: Mapping[int, str], locale: str) -> str:
        """Says a wish in words: `wish` as its JSON; `classes` are names by id."""
        return wish_words(wish, classes, locale)


@lru_cache(maxsize=128)
def _function(tool: Tool) -> Json:
    """Makes the schema of a function once: schemas never change, prompts are built every round."""
    return {"name": tool.name, "description": tool.purpose, "parameters": json_schema(tool.args)}


def same_swap(name: str, arguments: Json) -> Json:
    """Writes swap(b, a) as swap(a, b): they are the same."""
    if name != "swap" or not {"task_a", "task_b"} <= set(arguments):
        return arguments
    return {**arguments, "task_a": min(arguments["task_a"], arguments["task_b"]),
            "task_b": max(arguments["task_a"], arguments["task_b"])}  # fmt: skip


def _explain(error: ToolError) -> ToolError:
    """Returns an error that tells a model how days, items and sections are written, where something else stands."""
    rows = [
        {**row, "expected": f"{row.get('expected')}（{FORMS[name]}）"}
        if (name := str(row.get("field")).rpartition(".")[2]) in FORMS and row.get("problem") == "type"
        else row
        for row in error.listed
    ]
    return replace(error, listed=tuple(rows))
