"""The tool pipeline from "dry run" on.

Validation, visibility and the guards come first (`guards.py`): their failures are corrections without events. From
here on every `tool.started` has exactly one `tool.finished`. Effects come before announcements: apply, save, events.
"""

from __future__ import annotations

from collections.abc import Awaitable
from dataclasses import asdict, dataclass, replace
from functools import partial
from urllib.parse import urlsplit

from agent.calls.kinds import Json
from agent.calls.phrase import say
from agent.calls.tool import ToolCall, ToolResult
from agent.calls.values import ToolContext, ToolError, ToolOutcome
from agent.loop.draft.commit import commit_write
from agent.loop.draft.receipts import add_receipt, call_key, is_progress, log_call
from agent.loop.draft.sync import (
    adopt_newer,
    draft_event,
    note_change,
    refresh,
    remember_classes,
    store,
)
from agent.loop.errors import RUN_CANCELLED, RunCancelled
from agent.loop.events import Event, ToolFinished
from agent.loop.output.blocks import next_number
from agent.loop.output.tool_events import tool_finished, tool_started
from agent.loop.outside.cancellation import await_or_cancel
from agent.loop.outside.deps import Deps
from agent.loop.state.agent_state import AgentState, HealthPart
from agent.loop.state.conversation import PastValue
from agent.loop.state.run import Call
from schedules.planner.draft.state import ScheduleState
from taskclasses.kernel.canonical_json import digest_of

SIGNALS = 5
PAST_VALUES = 100
"""Values that a conversation remembers of what was written beside the draft."""


@dataclass(frozen=True)
class Ticket:
    """Holds one call on its way: its ids, who wants it and why."""

    call: ToolCall
    call_id: str
    preparing_id: str | None = None
    thought: str = ""
    system: bool = False


def context_of(state: AgentState, deps: Deps, ticket: Ticket, *, dry_run: bool = False) -> ToolContext:
    """Returns what the tool may know."""
    now = deps.clock()
    risk = state.draft.accepted_risk
    return ToolContext(
        now=now,
        now_cell=deps.calendar.now_cell(now) if deps.calendar else None,
        calendar=deps.calendar,
        locale=state.locale,
        verdict=state.verdict,
        previous_signal=state.health.signals[-1] if state.health.signals else "",
        previous_count=state.health.stagnation,
        left_out=frozenset(risk.unplaced_item_ids if risk else ()),
        queue=state.tools.queue,
        active=state.tools.active,
        mode=state.run.optimization_mode,
        active_optimize_only=state.run.active_optimize_only,
        dry_run=dry_run,
        call_id=effect_key(state, ticket.call.name, ticket.call.arguments),
        caps={
            "searches_left": max(0, deps.limits.web_searches - state.tools.searches),
            "fetches_left": max(0, deps.limits.web_fetches - state.tools.fetches),
            "bytes_left": max(0, deps.limits.web_bytes - state.tools.fetched_bytes),
        },
        scope=tuple(state.conversation.scope),
        ports=deps.tool_ports,
        compute=deps.compute,
    )


def effect_key(state: AgentState, name: str, arguments: Json) -> str:
    """Names the effect of a call: the same for a run that is taken up again, whatever number its card has then."""
    made = sum(row.source == "write_receipt" and row.name == name for row in state.run.receipts)
    return f"{state.conversation.goals}:{name}:{made}:{digest_of(arguments)}"


async def dry_run(state: AgentState, deps: Deps, ticket: Ticket) -> ToolOutcome:
    """Runs the call on the newest draft; nothing is kept."""
    await adopt_newer(state, deps)
    return await deps.registry.run(ticket.call, state.schedule, context_of(state, deps, ticket, dry_run=True))


async def run_read(state: AgentState, deps: Deps, ticket: Ticket, draft: ScheduleState | None) -> Call:
    """Runs a read, analysis, queue, web or control call on a draft, from its start to its result. The web is not
    waited for when the student asks to stop."""
    key = call_key(state, ticket.call.name, ticket.call.arguments)
    earlier = _earlier(state, key, ticket)
    began = await start(state, deps, ticket)
    if earlier is not None:
        outcome = ToolOutcome(draft, earlier.data)
    else:
        try:
            outcome = await _run(state, deps, ticket, draft)
        except RunCancelled:
            await _record_refusal(state, deps, ticket, ToolError(RUN_CANCELLED, say("已停止本次任务")), began)
            raise
    result = deps.registry.result(ticket.call_id, ticket.call, outcome, locale=state.locale, before=draft)
    call = record(state, ticket, outcome, result, key=key, repeated=earlier is not None)
    await store(state, deps)
    await finish(deps, result, began)
    return call


async def _run(state: AgentState, deps: Deps, ticket: Ticket, draft: ScheduleState | None) -> ToolOutcome:
    def started() -> Awaitable[ToolOutcome]:
        return deps.registry.run(ticket.call, draft, context_of(state, deps, ticket))

    return await (await_or_cancel(started, deps) if ticket.call.tool.kind == "web" else started())


def _earlier(state: AgentState, key: str, ticket: Ticket) -> Call | None:
    """Returns the earlier equal call of this goal at the same revision, if it succeeded and its data is still held."""
    if key not in state.run.repeats or not ticket.call.tool.repeatable:
        return None
    for call in reversed(state.run.calls):
        if call.tool == ticket.call.name and call.status == "done" and call.arguments == ticket.call.arguments:
            return call if call.data else None
    return None


async def start(state: AgentState, deps: Deps, ticket: Ticket) -> float:
    """Announces that the tool runs now; returns the start for its duration."""
    shown = deps.registry.announce(ticket.call, state.schedule, locale=state.locale)
    deps.tally.tool_calls += 1
    arguments, preparing_id = ticket.call.arguments, ticket.preparing_id
    await deps.emit(tool_started("execute", ticket.call_id, arguments, shown, preparing_id=preparing_id))
    return deps.timer()


async def finish(deps: Deps, result: ToolResult, began: float) -> None:
    await deps.emit(_compose_finished(deps, result, began))


def _compose_finished(deps: Deps, result: ToolResult, began: float) -> ToolFinished:
    return tool_finished("execute", result, duration_ms=round((deps.timer() - began) * 1000))


def record(
    state: AgentState, ticket: Ticket, outcome: ToolOutcome, result: ToolResult, *, key: str, repeated: bool = False
) -> Call:
    """Writes an executed call into the goal: react log, receipt, and what it means for the other parts."""
    call, tool = ticket.call, ticket.call.tool
    revision = None if state.schedule is None else state.schedule.revision
    entry = Call(
        n=len(state.run.calls) + 1,
        tool=call.name,
        kind=tool.kind,
        arguments=call.arguments,
        status=result.status,
        thought=ticket.thought[:300],
        observation=result.observation_text,
        summary=_own_words(outcome, result),
        data=dict(outcome.data),
        error_code=result.error_code,
        rule=str(outcome.error.rule) if outcome.error is not None else "",
        system=ticket.system,
        step_index=state.plan.current,
        revision=revision,
        repeated=repeated,
    )
    log_call(state, entry, verdict=tool.takes_verdict)
    state.run.repeats[key] = state.run.repeats.get(key, 0) + 1
    if result.status == "done" and not repeated:
        _take_effects(state, ticket, outcome)
    if tool.observes and result.status != "blocked":
        add_receipt(
            state,
            source="tool_observation",
            name=call.name,
            arguments=call.arguments,
            success=result.success,
            summary=entry.summary,
            call_id=ticket.call_id,
        )
    return entry


def _own_words(outcome: ToolOutcome, result: ToolResult) -> str:
    """Returns the line that stands for a call in prompts: the card's title, but never that of a page, whose words it
    is."""
    address = outcome.data.get("final_url")
    return result.summary if address is None else f"已读取 {urlsplit(str(address)).hostname}"


def _take_effects(state: AgentState, ticket: Ticket, outcome: ToolOutcome) -> None:
    """Takes over what a successful call changes beside the draft: queue, packs, web counters, the verdict."""
    if outcome.queue is not None:
        state.tools.queue = outcome.queue
    if outcome.active is not None:
        state.tools.active = {domain: list(packs) for domain, packs in outcome.active.items()}
    tool = ticket.call.tool
    if tool.counts_as == "search":
        state.tools.searches += 1
    if tool.counts_as == "fetch":
        state.tools.fetches += 1
        state.tools.fetched_bytes += int(outcome.data.get("size", 0))
    if tool.takes_verdict:
        take_verdict(state, dict(outcome.data))


def take_verdict(state: AgentState, verdict: Json) -> None:
    """Takes a fresh diagnosis. Active-optimise mode ends with every verdict but `continue`."""
    decision = verdict.get("decision", {})
    signal = str(decision.get("improvement_signal", ""))
    state.health = HealthPart(
        verdict={key: value for key, value in verdict.items() if key != "names"},
        revision=None if state.schedule is None else state.schedule.revision,
        signals=[*state.health.signals, signal][-SIGNALS:],
        stagnation=int(decision.get("stagnation_count", 0)),
    )
    if verdict.get("verdict") != "continue":
        state.run.active_optimize_only = False


async def apply_write(state: AgentState, deps: Deps, ticket: Ticket, outcome: ToolOutcome) -> Call:
    """Applies a dry-run write at the dry run's revision; a draft that moves meanwhile is tried on once more."""
    began = await start(state, deps, ticket)
    for attempt in (1, 2):
        before = state.schedule
        if ticket.call.tool.kind == "sql_write":
            outcome = await deps.registry.run(ticket.call, before, context_of(state, deps, ticket))
        if await commit_write(state, deps, partial(_settle, state, deps, ticket, outcome, before, began)):
            return state.run.calls[-1]
        if ticket.call.tool.kind == "sql_write":
            await refresh(state, deps, stage="execute")
            outcome = replace(outcome, draft=state.schedule)
        elif attempt == 1:
            outcome = await deps.registry.run(
                ticket.call, state.schedule, context_of(state, deps, ticket, dry_run=True)
            )
    return await _stale(state, deps, ticket, began)


def _settle(
    state: AgentState, deps: Deps, ticket: Ticket, outcome: ToolOutcome, before: ScheduleState | None, began: float
) -> list[Event]:
    """Makes the write part of the state: draft, log, receipt. Answers what tells of it."""
    done = outcome.error is None
    if done:
        state.draft.schedule = outcome.draft
        if outcome.data.get("deleted"):
            _record_class_deletion(state, deps, int(outcome.data["task_class_id"]))
        elif _writes_class(ticket):
            _record_class_write(state, deps, outcome.data)
        elif ticket.call.tool.kind == "sql_write":
            state.health, deps.tally.classes = HealthPart(), None
        _remember_values(state, ticket, outcome)
        if outcome.draft is not None and (before is None or outcome.draft.revision != before.revision):
            note_change(state, deps, before, who="agent")
    result = deps.registry.result(ticket.call_id, ticket.call, outcome, locale=state.locale, before=before)
    key = call_key(state, ticket.call.name, ticket.call.arguments)
    call = record(state, ticket, outcome, result, key=key)
    if _writes_class(ticket) and not done:
        _record_class_refusal(state, outcome)
    _write_receipt(state, ticket, call, success=done, progress=done and is_progress(state, before))
    told: list[Event] = [_compose_finished(deps, result, began)]
    if state.schedule is not None and (before is None or before.revision != state.schedule.revision):
        told.append(draft_event(state, before, source="tool", stage="execute"))
    return told


def _remember_values(state: AgentState, ticket: Ticket, outcome: ToolOutcome) -> None:
    """Remembers how what was written beside the draft was before, for a later wish to take it back."""
    goal, tool = state.conversation.goals, ticket.call.name
    new = [PastValue(goal=goal, tool=tool, **asdict(value)) for value in outcome.written]
    state.conversation.past_values = [*state.conversation.past_values, *new][-PAST_VALUES:]


def _writes_class(ticket: Ticket) -> bool:
    """Tells whether it is a class that is written, not something else beside the draft."""
    return ticket.call.tool.kind == "sql_write" and ticket.call.tool.domain == "taskclass"


def _record_class_write(state: AgentState, deps: Deps, data: Json) -> None:
    """Records that classes were created or changed: they join the scope, the old diagnosis and the accepted risk are
    void."""
    class_ids = [int(one) for one in data.get("task_class_ids") or [data["task_class_id"]]]
    state.conversation.scope = sorted({*state.conversation.scope, *class_ids})
    remember_classes(state)
    state.draft.built = [built for built in state.draft.built if built not in class_ids]
    state.draft.accepted_risk = None
    state.draft.report = None
    state.plan.build_after_write = False
    state.health = HealthPart()
    state.tools.last_class_write = {"ok": True, "task_class_id": class_ids[-1], "issues": []}
    deps.tally.classes = None


def _record_class_deletion(state: AgentState, deps: Deps, class_id: int) -> None:
    """Records that a class is gone: it leaves the scope, what was found out about the plan before is void."""
    state.conversation.scope = [known for known in state.conversation.scope if known != class_id]
    remember_classes(state)
    state.draft.built = [built for built in state.draft.built if built != class_id]
    state.draft.accepted_risk = None
    state.draft.report = None
    state.health = HealthPart()
    deps.tally.classes = None


def _record_class_refusal(state: AgentState, outcome: ToolOutcome) -> None:
    failures = int((state.tools.last_class_write or {}).get("failures", 0)) + 1
    issues = (outcome.data.get("validation") or {}).get("issues", [])
    state.tools.last_class_write = {"ok": False, "issues": issues, "failures": failures}


async def _stale(state: AgentState, deps: Deps, ticket: Ticket, began: float) -> Call:
    error = ToolError("stale_draft", say("草稿在写入前又变了，这次没有改动"))
    return await _record_refusal(state, deps, ticket, error, began)


async def refuse(state: AgentState, deps: Deps, ticket: Ticket, error: ToolError) -> Call:
    """Refuses a call that a policy stops, or whose dry run failed: start and result, nothing written."""
    began = await start(state, deps, ticket)
    return await _record_refusal(state, deps, ticket, error, began)


def _write_receipt(state: AgentState, ticket: Ticket, call: Call, *, success: bool, progress: bool = True) -> None:
    add_receipt(
        state,
        source="write_receipt",
        name=call.tool,
        arguments=call.arguments,
        success=success,
        summary=call.summary,
        call_id=ticket.call_id,
        progress=progress,
    )


async def _record_refusal(state: AgentState, deps: Deps, ticket: Ticket, error: ToolError, began: float) -> Call:
    result = deps.registry.refusal(ticket.call_id, ticket.call, error, locale=state.locale, draft=state.schedule)
    outcome = ToolOutcome(state.schedule, {}, error=error)
    key = call_key(state, ticket.call.name, ticket.call.arguments)
    call = record(state, ticket, outcome, result, key=key)
    if result.status != "blocked" and ticket.call.tool.writes:
        _write_receipt(state, ticket, call, success=False)
    await store(state, deps)
    await finish(deps, result, began)
    return call


async def failed_dry_run(state: AgentState, deps: Deps, ticket: Ticket, outcome: ToolOutcome) -> Call:
    """Refuses a write that cannot succeed, and never shows a card: its refusal is an ordinary observation."""
    began = await start(state, deps, ticket)
    result = deps.registry.result(ticket.call_id, ticket.call, outcome, locale=state.locale, before=state.schedule)
    key = call_key(state, ticket.call.name, ticket.call.arguments)
    call = record(state, ticket, outcome, result, key=key)
    if outcome.queue is not None:
        state.tools.queue = outcome.queue
    if _writes_class(ticket):
        _record_class_refusal(state, outcome)
    _write_receipt(state, ticket, call, success=False)
    await store(state, deps)
    await finish(deps, result, began)
    return call


async def run_system(state: AgentState, deps: Deps, name: str) -> Call:
    """Runs a call the backend starts itself: its card is visible, it costs no round."""
    call = deps.registry.validate(name, {}, state.schedule)
    assert isinstance(call, ToolCall), f"{name} needs no arguments"
    ticket = Ticket(call, f"execute.tool.{next_number(state, 'execute.tool')}", system=True)
    return await run_read(state, deps, ticket, state.schedule)
