"""Execute: one round of acting with tools."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, ClassVar

from agent.calls.phrase import say
from agent.calls.tool import ToolCall
from agent.calls.values import Change, ToolError, ToolOutcome
from agent.loop.capacity.gate import gate_question, is_gate_closed, topic_of
from agent.loop.capacity.scope import scope_question, widen_scope, widened_draft
from agent.loop.draft.receipts import clear_corrections
from agent.loop.draft.sync import adopt_newer, refresh, remember_start, tell_log
from agent.loop.interactions import NodeName
from agent.loop.model_call.corrections import DecisionRefused, correct
from agent.loop.model_call.decisions import ExecuteDecision
from agent.loop.model_call.lenient_json import DecisionError
from agent.loop.model_call.plain_decision import plain_decision
from agent.loop.model_call.streamed_decision import Heard, hear
from agent.loop.nodes.base import Next
from agent.loop.nodes.enter import hand_over, hands_over
from agent.loop.output.blocks import is_said_again
from agent.loop.output.questions import question, tool_card, words_of
from agent.loop.output.statuses import announce
from agent.loop.outside.deps import Deps
from agent.loop.phrases import writes_a_class
from agent.loop.prompt.checked_text import told_truly
from agent.loop.state.agent_state import AgentState
from agent.loop.state.run import Outcome
from agent.loop.tool_call.guards import check_not_done, check_not_rejected, validate
from agent.loop.tool_call.pipeline import (
    Ticket,
    apply_write,
    dry_run,
    failed_dry_run,
    refuse,
    run_read,
    run_system,
)
from schedules.planner.draft.state import ScheduleState
from taskclasses.kernel.i18n import text

STEP_LENGTH = 24


class ExecuteNode:
    name: ClassVar[NodeName] = "execute"

    async def step(self, state: AgentState, deps: Deps) -> Next:
        state.run.phase = "executing"
        await adopt_newer(state, deps)
        turn = await self._rough_build_first(state, deps)
        if turn is not None:
            return turn
        await self._loaded_draft(state, deps)
        if state.run.approved is not None:
            return await self._run_approved(state, deps)
        if state.run.active_optimize_only and state.verdict is None and state.schedule is not None:
            await announce(state, deps, "execute", "diagnosing")
            await run_system(state, deps, deps.registry.verdict_tool().name)
        self._open_tools(state, deps)
        ended = _limit_reached(state, deps)
        if ended is not None:
            state.run.outcome = ended
            return "deliver"
        return await self._round(state, deps)

    @staticmethod
    async def _loaded_draft(state: AgentState, deps: Deps) -> None:
        """Loads (a) the draft, which a goal that acts has, and tells the model what the student did to it."""
        if state.schedule is None:
            await refresh(state, deps, stage="execute")
            remember_start(state, deps)
        tell_log(state)

    @staticmethod
    async def _rough_build_first(state: AgentState, deps: Deps) -> Next | None:
        """Runs (b) a rough build that is wanted as soon as there is a scope; without one the student is asked."""
        if not state.plan.build_due or state.run.approved is not None:
            return None
        if state.conversation.scope:
            return "rough_build"
        state.run.pending = await scope_question(state, deps)
        return "interrupt" if state.run.pending is not None else None

    async def _run_approved(self, state: AgentState, deps: Deps) -> Next:
        """Runs (c) a call the student agreed to, from the dry run on, without the model and without a round."""
        approved = state.run.approved
        assert approved is not None
        state.run.approved = None
        if any(row.call_id == approved.call_id and row.success for row in state.run.receipts):
            return "execute"
        call = deps.registry.validate(approved.name, approved.arguments)
        assert isinstance(call, ToolCall), "the call was valid when consent was asked"
        ticket = Ticket(call, approved.call_id)
        if call.tool.kind == "draft_write" and is_gate_closed(state):
            error = ToolError("health_negotiation_required", say("时间窗放不下全部内容，先决定怎么处理"))
            await refuse(state, deps, ticket, error)
            return "execute"
        if call.tool.whole_term:
            await widen_scope(state, deps)
        outcome = await dry_run(state, deps, ticket)
        if outcome.error is not None:
            await failed_dry_run(state, deps, ticket, outcome)
        elif outcome.changes_digest != approved.changes_digest:
            await deps.close_interaction(approved.interaction_id, "superseded")
            state.run.pending = tool_card(state, deps, ticket.call, ticket.call_id, outcome)
            return "confirm"
        else:
            await apply_write(state, deps, ticket, outcome)
        return "execute"

    @staticmethod
    def _open_tools(state: AgentState, deps: Deps) -> None:
        """Opens (e) the packs of the hook, once; without one a goal begins with the packs of its mode."""
        hook, mode = state.plan.hook, state.run.optimization_mode
        if hook is not None:
            state.plan.hook = None
            state.tools.active = deps.registry.open(state.tools.active, hook.domain, hook.packs, False, mode)
        elif not state.tools.active and not state.tools.opened:
            domain = "taskclass" if writes_a_class(state.run.request) else "schedule"
            if domain == "taskclass" or state.schedule is not None:
                state.tools.active = deps.registry.default_active(mode, domain)
        state.tools.opened = True

    async def _round(self, state: AgentState, deps: Deps) -> Next:
        run = state.run
        run.rounds += 1
        run.idle_rounds += 1
        deps.tally.iterations += 1
        if run.correction is None:
            await announce(state, deps, "execute", "executing", **_step_words(state))
        heard = await hear(state, deps, stage="execute")
        run.correction, run.news = None, []
        if run.interaction is not None:
            run.interaction = run.interaction.model_copy(update={"seen": True})
        try:
            known = frozenset(heard.prompt.catalogue) if heard.prompt else frozenset()
            decision = ExecuteDecision.read(heard.decision(), tools=known, told=run.reminders)
            decision = plain_decision(state, deps, decision)
            call = validate(state, deps, decision)
            said = told_truly(state, deps, decision.speak, asks=decision.action == "ask_user")
            again = decision.action != "ask_user" and is_said_again(state, said)
            decision = replace(decision, speak="" if again else said)
            return await self._dispatch(state, deps, heard, decision, call)
        except (DecisionError, DecisionRefused) as error:
            going_on = await correct(state, deps, heard, error, stage="execute")
            return "execute" if going_on else "deliver"
        except Exception:
            await heard.withdraw()
            raise

    async def _dispatch(
        self, state: AgentState, deps: Deps, heard: Heard, decision: ExecuteDecision, call: ToolCall | None
    ) -> Next:
        if call is not None:
            return await self._call(state, deps, heard, decision, call)
        ends = decision.action in ("done", "next_plan")
        await heard.accept(decision.speak, asks=decision.asks)
        if decision.action == "ask_user":
            clear_corrections(state)
            asked = words_of(state, decision.speak)
            state.run.pending = question(
                state,
                deps,
                asked,
                resume_node="execute",
                options=decision.options,
                streamed=bool(decision.speak),
                topic=topic_of(state, asked, decision.asks),
            )
            return "interrupt"
        if decision.abort is not None and hands_over(state, decision.abort):
            return await hand_over(state, deps, decision.abort)
        if decision.action == "abort" and decision.abort is not None:
            state.run.outcome = Outcome(
                status="aborted",
                stage="execute",
                code=decision.abort.code,
                user_message=decision.abort.user_message,
                internal_reason=decision.abort.internal_reason,
            )
            return "deliver"
        if ends and state.plan.last and state.plan.needs_rough_build and any(row.success for row in state.run.receipts):
            state.plan.build_after_write = False
            return "execute"
        if decision.action == "done" or (decision.action == "next_plan" and state.plan.last):
            state.run.outcome = Outcome(status="completed", stage="execute")
            if decision.action == "next_plan" and state.plan.steps:
                state.plan.current = len(state.plan.steps) - 1
            return "deliver"
        if decision.action == "next_plan":
            state.plan.current += 1
            state.run.active_optimize_only = False
            clear_corrections(state)
        return "execute"

    async def _call(
        self, state: AgentState, deps: Deps, heard: Heard, decision: ExecuteDecision, call: ToolCall
    ) -> Next:
        """Runs (j) a validated, visible, safe call, or asks for consent."""
        if not call.tool.writes:
            draft = await widened_draft(state, deps) if call.tool.whole_term else state.schedule
            ticket = await self._announce_call(state, deps, heard, decision, call)
            heard.announced = None
            await run_read(state, deps, ticket, draft)
            return "execute"
        if call.tool.kind == "draft_write" and is_gate_closed(state):
            await heard.accept(decision.speak)
            await heard.drop()
            state.run.pending = gate_question(state, deps)
            return "interrupt"
        if call.tool.whole_term:
            await widen_scope(state, deps)
        outcome = await dry_run(state, deps, Ticket(call, "execute.tool.0"))
        check_not_done(state, call, outcome)
        if outcome.error is None:
            check_not_rejected(state, call, outcome.changes_digest)
        ticket = await self._announce_call(state, deps, heard, decision, call)
        return await self._write(state, deps, heard, ticket, outcome)

    @staticmethod
    async def _announce_call(
        state: AgentState, deps: Deps, heard: Heard, decision: ExecuteDecision, call: ToolCall
    ) -> Ticket:
        await heard.accept(decision.speak)
        intent = deps.registry.announce(call, state.schedule, locale=state.locale).intent
        announced = await heard.intend(call.name, intent)
        return Ticket(call, announced.call_id, announced.preparing_id, decision.reason or decision.speak)

    @staticmethod
    async def _write(state: AgentState, deps: Deps, heard: Heard, ticket: Ticket, outcome: ToolOutcome) -> Next:
        if outcome.error is None and not _is_permitted(state, deps, ticket.call, outcome):
            await heard.drop()
            state.run.pending = tool_card(state, deps, ticket.call, ticket.call_id, outcome)
            return "confirm"
        heard.announced = None
        if outcome.error is not None:
            await failed_dry_run(state, deps, ticket, outcome)
        else:
            await apply_write(state, deps, ticket, outcome)
        return "execute"


def _is_permitted(state: AgentState, deps: Deps, call: ToolCall, outcome: ToolOutcome) -> bool:
    """Tells whether no card is needed: the student said so for the whole goal, or the call is an offered candidate of
    the current verdict that leaves alone what the student placed by hand.

    What the student keeps where it is never moves without a card of its own, and what no draft holds is not taken away.
    """
    if call.tool.always_asks or moves_kept_items(state.schedule, outcome.changes):
        return False
    if call.tool.kind == "sql_write" and _has_read_the_web(state):
        return False
    if state.run.always_execute:
        return True
    offered = deps.registry.is_candidate(state.verdict, call.name, call.arguments)
    return state.run.active_optimize_only and call.tool.improves and offered and not _moves_by_hand(state, call)


def _has_read_the_web(state: AgentState) -> bool:
    """Tells whether words of strangers are in the prompts of this goal: what is stored beside the draft may be their
    wish, which no consent of the student's covers."""
    return bool(state.tools.searches or state.tools.fetches)


def _moves_by_hand(state: AgentState, call: ToolCall) -> bool:
    """Tells whether the call is about an item that stands where the student put it."""
    named = {call.arguments.get(key) for key in ("task_id", "task_a", "task_b")}
    entries = [state.schedule.task(one) for one in named if isinstance(one, int)] if state.schedule else []
    return any(entry is not None and entry.source_id in state.draft.by_hand for entry in entries)


def moves_kept_items(schedule: ScheduleState | None, changes: Iterable[Change]) -> bool:
    """Tells whether the changes take an item that the student keeps from its place."""
    entries = (schedule.task(change.task_id) for change in changes if schedule and change.task_id is not None)
    return any(entry is not None and entry.kept for entry in entries)


def _limit_reached(state: AgentState, deps: Deps) -> Outcome | None:
    run, limits = state.run, deps.limits
    if run.rounds >= limits.rounds:
        message = text("这次任务的步数用完了，先停在这里。继续说一声就可以接着做。", state.locale)
        return Outcome(status="exhausted", stage="execute", code="round_exhausted", user_message=message)
    if run.idle_rounds >= limits.idle_rounds:
        message = text("连续多步没有新的进展，先停在这里。", state.locale)
        return Outcome(status="exhausted", stage="execute", code="no_progress", user_message=message)
    return None


def _step_words(state: AgentState) -> dict[str, Any]:
    """Tells which step of how many is at work; without a plan the request stands for the only step."""
    steps, current = state.plan.steps, state.plan.current
    words = steps[current].content if steps else state.run.request
    words = " ".join(words.split())
    short = words if len(words) <= STEP_LENGTH else words[: STEP_LENGTH - 1] + "…"
    return {"k": current + 1, "n": max(1, len(steps)), "step": short}
