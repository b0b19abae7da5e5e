"""The registry: every tool by name, and the stages of a call one by one.

Stages: 1 `validate`, 2 `refused_here` (packs, mode), 3 the loop's policy, 4 `run` as a dry run, 5 permission with
`card`, 6 `run` again at the same revision, 7 receipt, 8 `result` is published. The loop drives them, because policy,
permission, receipts and events are its own; `call` runs 1, 2 and 6 in a row.
Nothing here raises for a wrong call: a refusal is a value.
"""

from __future__ import annotations

import asyncio
import difflib
import inspect
import logging
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from agent.calls.phrase import say
from agent.calls.ports import Ports
from agent.tools import packs
from agent.tools.argument_schema import invalid, json_schema, read_arguments
from agent.tools.cards.confirm import confirm_card
from agent.tools.cards.planning import planning_result, planning_started
from agent.tools.cards.result import execution_result, started
from agent.tools.catalogue import catalogue
from agent.tools.types import Json, Outcome, Tool, ToolContext, ToolError, ToolExecutionResult, ValidatedCall
from agent.tools.words.labels import RULES
from schedules.planner.draft.state import ScheduleState
from taskclasses.kernel.i18n import text

log = logging.getLogger("agent.tools")


class Registry:
    """Immutable after construction; safe to share between runs."""

    def __init__(self, tools: Iterable[Tool]) -> None:
        self.tools = tuple(tools)
        self._by_name = {name: tool for tool in self.tools for name in (tool.name, *tool.aliases)}
        expected = sum(1 + len(tool.aliases) for tool in self.tools)
        assert len(self._by_name) == expected, "two tools share a name"

    def resolve(self, name: str) -> Tool | None:
        """The tool of that name or older name."""
        return self._by_name.get(name)

    def validate(self, name: str, arguments: object, draft: ScheduleState | None = None) -> ValidatedCall | ToolError:
        """Stage 1. With a draft, days and sections are held against its window and grid as well."""
        tool = self.resolve(name) if isinstance(name, str) else None
        if tool is None:
            return self._unknown(str(name))
        read = read_arguments(tool.args, {} if arguments is None else arguments)
        if isinstance(read, ToolError):
            return read
        args, values = read
        outside = args.bounds(draft) if draft is not None else []
        return invalid(outside) if outside else ValidatedCall(tool, values, args)

    def _unknown(self, name: str) -> ToolError:
        near = difflib.get_close_matches(name, list(self._by_name), n=3)
        details: Json = {"name": name[:80], "nearest": near}
        lines = (say("相近的工具：{names}", names="、".join(near)),) if near else ()
        return ToolError("unknown_tool", say("没有名为 {name} 的工具", name=name[:80]), lines=lines, details=details)

    def visible(self, active: Mapping[str, Sequence[str]], active_optimize_only: bool = False) -> tuple[Tool, ...]:
        """The tools that may be called with these packs."""
        return packs.visible(self.tools, active, active_optimize_only)

    def refused_here(self, call: ValidatedCall, ctx: ToolContext) -> ToolError | None:
        """Stage 2: why the call may not be made with these packs and in this mode."""
        tool = call.tool
        label = say(tool.label)
        if not packs.is_active(tool, ctx.active):
            area = {"domain": tool.domain, "pack": tool.pack}
            return ToolError("tool_not_visible", say("「{tool}」所在的工具包没有打开", tool=label), details=area)
        if not ctx.active_optimize_only:
            return None
        if tool.name not in packs.OPTIMIZE_TOOLS:
            return ToolError("not_in_mode", say("改进方案期间不能使用「{tool}」", tool=label))
        if tool.writes and not self.is_candidate(ctx.verdict, tool.name, call.arguments):
            return ToolError("not_a_candidate", say("改进方案期间只能选择体检给出的候选操作"))
        return None

    @staticmethod
    def is_candidate(verdict: Json | None, name: str, arguments: Json) -> bool:
        """Whether a call is an offered candidate: same tool, equal arguments, a verdict that is not stale."""
        if not verdict or verdict.get("stale"):
            return False
        offered = verdict.get("decision", {}).get("candidates", [])
        wanted = same_swap(name, arguments)
        return any(
            one["tool"] == name and same_swap(name, one["arguments"]) == wanted for one in offered if one["tool"]
        )

    @staticmethod
    def context(**fields: Any) -> ToolContext:
        return ToolContext(**fields)

    @staticmethod
    def ports(**callables: Any) -> Ports:
        return Ports(**callables)

    async def run(self, call: ValidatedCall, draft: ScheduleState | None, ctx: ToolContext) -> Outcome:
        """The tool itself, on this very draft. A dry run is the same call; only `sql_write` reads `ctx.dry_run`.

        Cancellation passes through; any other exception becomes `internal_error` with its trace in the log.
        """
        if call.tool.needs_draft and draft is None:
            return Outcome(draft, {}, error=ToolError("draft_missing", say("还没有载入排程草稿")))
        try:
            if draft is not None and (outside := call.args.bounds(draft)):
                return Outcome(draft, {}, error=invalid(outside))
            outcome = call.tool.run(draft, call.args, ctx)
            found: Outcome = await outcome if inspect.isawaitable(outcome) else outcome
        except asyncio.CancelledError:
            raise
        except Exception:
            log.exception("tool %s failed", call.name)
            return Outcome(draft, {}, error=ToolError("internal_error", say("处理时出现内部错误")))
        return found

    def started(self, call_id: str, call: ValidatedCall, draft: ScheduleState | None, *, locale: str) -> Json:
        """Summary, argument view and intent of a call that is about to run."""
        return started(call, draft, locale)

    def card(
        self, call_id: str, call: ValidatedCall, outcome: Outcome, draft: ScheduleState | None, *, locale: str
    ) -> Json:
        """What a consent card shows: the dry run of the call on `draft`."""
        return confirm_card(call_id, call, outcome, draft, locale)

    def result(
        self,
        call_id: str,
        call: ValidatedCall,
        outcome: Outcome,
        *,
        locale: str,
        before: ScheduleState | None = None,
    ) -> ToolExecutionResult:
        """Observation and card of an executed call; `before` is the draft the call started from."""
        return execution_result(call_id, call, outcome, locale=locale, before=before or outcome.draft)

    def refusal(
        self,
        call_id: str,
        call: ValidatedCall | tuple[str, Json],
        error: ToolError,
        *,
        locale: str,
        draft: ScheduleState | None = None,
    ) -> ToolExecutionResult:
        """The result of a call that was refused before it ran; `call` may be (name, arguments) as received."""
        if isinstance(call, tuple):
            call = self._as_received(*call)
        return execution_result(call_id, call, Outcome(draft, {}, error=error), locale=locale, before=draft)

    def _as_received(self, name: str, arguments: Json) -> ValidatedCall:
        tool = self.resolve(name) or unknown_tool(name)
        received = arguments if isinstance(arguments, dict) else {}
        return ValidatedCall(tool, received, tool.args.model_construct(), checked=False)

    def error(self, code: str, message: str, /, **values: object) -> ToolError:
        """A policy's own refusal; `message` is a message of the catalogue."""
        return ToolError(code, say(message, **values))

    async def call(
        self, name: str, arguments: object, draft: ScheduleState | None, ctx: ToolContext
    ) -> tuple[Outcome, ToolExecutionResult]:
        """Stages 1, 2 and 6 in a row, for callers without a student to ask."""
        call = self.validate(name, arguments, draft)
        given: Json = dict(arguments) if isinstance(arguments, Mapping) else {}
        refused = call if isinstance(call, ToolError) else self.refused_here(call, ctx)
        call_id = ctx.call_id or "execute.tool.1"
        if refused is not None or isinstance(call, ToolError):
            error = refused if isinstance(refused, ToolError) else self.error("internal_error", "处理时出现内部错误")
            outcome = Outcome(draft, {}, error=error)
            received = (name, given) if isinstance(call, ToolError) else call
            return outcome, self.refusal(call_id, received, error, locale=ctx.locale, draft=draft)
        outcome = await self.run(call, draft, ctx)
        return outcome, self.result(call_id, call, outcome, locale=ctx.locale, before=draft)

    def started_planning(self, call_id: str, classes: list[Json], *, locale: str) -> Json:
        """The rough build announces itself; `classes` are `{id, name}`."""
        return planning_started(classes, locale)

    def result_planning(
        self,
        call_id: str,
        data: Json,
        error: ToolError | None,
        *,
        locale: str,
        before: ScheduleState | None = None,
        after: ScheduleState | None = None,
    ) -> ToolExecutionResult:
        """The rough build's result card."""
        return planning_result(call_id, data, error, locale=locale, before=before, after=after)

    def default_active(self, mode: str, domain: str = "schedule") -> packs.Active:
        return packs.default_active(mode, domain)

    def open(
        self, active: Mapping[str, Sequence[str]], domain: str, wanted: Sequence[str], merge: bool, mode: str
    ) -> packs.Active:
        return packs.opened(active, domain, wanted, merge=merge, mode=mode)

    def packs(self) -> dict[str, tuple[str, ...]]:
        """Domains and their optional packs."""
        return dict(packs.OPTIONAL_PACKS)

    def catalogue(self, tools: Iterable[Tool]) -> str:
        return catalogue(tools)

    def schemas(self, tools: Iterable[Tool] | None = None) -> list[Json]:
        """Function schemas for native tool calling."""
        return [
            {"name": tool.name, "description": tool.purpose, "parameters": json_schema(tool.args)}
            for tool in (self.tools if tools is None else tools)
        ]

    def label(self, name: str, locale: str) -> str:
        tool = self.resolve(name)
        return text(tool.label, locale) if tool else text("智能排程", locale) if name == "smart_planning" else name

    def rule_label(self, rule: str, locale: str) -> str:
        """A placement rule in general words; empty for no rule."""
        return text(RULES[rule], locale) if rule in RULES else ""


def same_swap(name: str, arguments: Json) -> Json:
    """swap(a, b) is swap(b, a)."""
    if name != "swap" or not {"task_a", "task_b"} <= set(arguments):
        return arguments
    return {**arguments, "task_a": min(arguments["task_a"], arguments["task_b"]),
            "task_b": max(arguments["task_a"], arguments["task_b"])}  # fmt: skip


def unknown_tool(name: str) -> Tool:
    from agent.tools.cards.result import legacy_tool

    return legacy_tool(name)
