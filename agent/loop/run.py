"""The one loop.

`run_loop(state, request, deps)` drives the nodes from a request to a pause or an end. What happens where:

- The caller appends `message.started` (idx 0) and, when the request answers an interaction, `interaction.resolved`
  (idx 1) when it creates the run. The loop emits everything else through `deps.emit`, in order, except the closing
  events.
- To pause: the state is saved before `run_loop` returns `LoopEnd.interaction`. The caller then commits the run row
  with the row of the interaction, frees the conversation's claim, and appends `LoopEnd.after_commit` in order:
  `confirm.requested` or `interrupt.raised`, the status events after it, and the terminal event. An end or a failure
  returns the same way (failure in plan or execute: `interrupt.raised`, `run.failed`).
- `state` is changed in place and is the value to archive in SQL. A failed run leaves the last saved step, so that a
  `connection_recover` resumes it: a step either happened whole or is done again on the unchanged draft.
- `LeaseLost` (raised by `save` or `emit`) passes through: another worker owns the run, stop without another word.
- `HandedOver` is raised behind a saved step once `deps.leaving` says so: the run goes on there (`Request.taken_up`).
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from agent.loop.draft.sync import store
from agent.loop.errors import RUN_CANCELLED, RUN_DEADLINE, HandedOver, LeaseLost, RunCancelled, RunFailure
from agent.loop.events import Event
from agent.loop.interactions import NodeName, OpenInteraction, Request, effect_of
from agent.loop.nodes.base import End, Next, Node, Pause
from agent.loop.nodes.chat import ChatNode
from agent.loop.nodes.deliver import DeliverNode
from agent.loop.nodes.enter import enter
from agent.loop.nodes.execute import ExecuteNode
from agent.loop.nodes.pause import ConfirmNode, InterruptNode
from agent.loop.nodes.plan import PlanNode
from agent.loop.nodes.rest import goes_on, take_up_rest, tell_dropped_rest
from agent.loop.nodes.rough_build import RoughBuildNode
from agent.loop.output.blocks import speak
from agent.loop.output.endings import Counts, cancelled_goal, end_status, read_end, run_failed, run_finished
from agent.loop.output.questions import event_of, recovery
from agent.loop.output.statuses import status_event
from agent.loop.outside.deps import Deps
from agent.loop.outside.model import CauseKind, FailedCall, ModelError
from agent.loop.state.agent_state import AgentState
from agent.loop.state.run import Outcome
from taskclasses.kernel.i18n import text
from taskclasses.kernel.telemetry import tracing


@dataclass(frozen=True)
class LoopEnd:
    """Tells how the run left the loop: its closing events, the last of them terminal.

    `interaction` is what a pause or a failure asks, for the caller to write, else None; `result` the goal's outcome
    when it ended. `failed_calls` are those of the model, whether the run could go on or not.
    """

    after_commit: list[Event]
    counts: Counts
    interaction: OpenInteraction | None = None
    result: Outcome | None = None
    failed_calls: Sequence[FailedCall] = ()

    @property
    def run_status(self) -> str:
        return read_end(self.after_commit).status

    @property
    def outcome(self) -> str:
        return read_end(self.after_commit).outcome

    @property
    def code(self) -> str:
        return read_end(self.after_commit).code


log = logging.getLogger("agent.loop")
REFUSED = "助手还没有设置好：模型服务不接受当前的密钥，请联系管理员。"
ELSEWHERE = "助手还没有设置好：模型的地址或名称不对，请联系管理员。"
LASTING: Mapping[CauseKind, str] = {
    "unauthorized": REFUSED,
    "forbidden": REFUSED,
    "not_found": ELSEWHERE,
    "wrong_address": ELSEWHERE,
    "unpaid": "模型服务的额度已经用完，请联系管理员。",
    "context_overflow": "这段对话对模型来说太长了，请新开一个对话再试。",
}
"""Causes that another try does not remove, and who or what does."""

NODES: Mapping[NodeName, Node] = MappingProxyType(
    {
        "chat": ChatNode(),
        "plan": PlanNode(),
        "confirm": ConfirmNode(),
        "rough_build": RoughBuildNode(),
        "execute": ExecuteNode(),
        "interrupt": InterruptNode(),
        "deliver": DeliverNode(),
    }
)


async def run_loop(state: AgentState, request: Request, deps: Deps) -> LoopEnd:
    """Runs to the next pause or end. Raises only `LeaseLost`, `HandedOver` and `asyncio.CancelledError`."""
    state.run.outbox = []
    message = ""
    deps.tally.saved = state.checkpoint()
    try:
        return await _drive(state, request, deps)
    except (LeaseLost, HandedOver, asyncio.CancelledError):
        raise
    except RunFailure as error:
        code, detail = error.code, error.detail
    except ModelError as error:
        code, detail = error.code, str(error.cause)
        if error.cause.kind in LASTING:
            message = text(LASTING[error.cause.kind], state.locale)
    except Exception:
        log.exception("run %s failed", deps.run_id)
        code, detail = "internal_error", ""
    return await _end_failed_run(state, request, deps, code, detail, message)


async def _drive(state: AgentState, request: Request, deps: Deps) -> LoopEnd:
    began = deps.timer()
    node = await enter(state, request, deps)
    # A save on the way in does not make the answer heard: a recovery then takes the request up from its beginning.
    state.run.node, state.run.run_id = node, deps.run_id
    await store(state, deps)
    while True:
        if deps.leaving():
            raise HandedOver
        node = _between_nodes(state, deps, node, began)
        try:
            with tracing.span(f"node {node}"):
                found: Next = await NODES[node].step(state, deps)
        except RunCancelled:
            found = _cancel(state, node)
        if isinstance(found, End) and goes_on(state):
            found = await _take_up_rest(state, deps, began)
        if isinstance(found, Pause | End):
            await store(state, deps)
            return _end_paused_run(state, deps, found) if isinstance(found, Pause) else _end_run(deps, found.outcome)
        node = state.run.node = found
        await store(state, deps)


async def _take_up_rest(state: AgentState, deps: Deps, began: float) -> Next:
    """Begins what the message wants besides; where the student stopped the run, or its time was over, while the goal
    before it was told, says that it is not begun."""
    done, state.run.outcome = state.run.outcome, None
    _between_nodes(state, deps, "chat", began)
    if state.run.outcome is not None:
        await speak(state, deps, "deliver", tell_dropped_rest(state))
        return End(state.run.outcome)
    state.run.outcome = done
    take_up_rest(state, deps)
    return "chat"


def _between_nodes(state: AgentState, deps: Deps, node: NodeName, began: float) -> NodeName:
    """Sends everything but the closing words to Deliver after a cancel or the run's deadline."""
    if node == "deliver" or state.run.outcome is not None:
        return node
    if deps.cancelled():
        return _cancel(state, node)
    if deps.timer() - began > deps.limits.run_s and node not in ("interrupt", "confirm"):
        message = text("这次处理用的时间太长，先停在这里。", state.locale)
        state.run.outcome = Outcome(status="exhausted", stage=node, code=RUN_DEADLINE, user_message=message)
        return "deliver"
    return node


def _cancel(state: AgentState, node: NodeName) -> NodeName:
    state.run.outcome = cancelled_goal(node, RUN_CANCELLED, state.locale)
    state.run.pending = None
    return "deliver"


def _end_paused_run(state: AgentState, deps: Deps, pause: Pause) -> LoopEnd:
    pending, locale = pause.interaction, state.locale
    closing: list[Event] = [event_of(pending)]
    if pending.type == "confirm":
        closing.append(status_event(locale, "confirm", "plan_confirm" if pending.subject == "plan" else "tool_confirm"))
        closing.append(status_event(locale, "interrupt", "confirm"))
    else:
        closing.append(status_event(locale, "interrupt", "ask_user"))
    closing.append(run_finished("waiting", "paused", counts=_counts(deps)))
    return _build_end(deps, closing, interaction=pending)


def _end_run(deps: Deps, outcome: Outcome) -> LoopEnd:
    finished = run_finished(end_status(outcome), outcome.status, outcome.code, counts=_counts(deps))
    return _build_end(deps, [finished], result=outcome)


def _build_end(deps: Deps, closing: list[Event], **more: Any) -> LoopEnd:
    return LoopEnd(closing, _counts(deps), failed_calls=tuple(deps.tally.failed_calls), **more)


def _counts(deps: Deps) -> Counts:
    return Counts(deps.tally.iterations, deps.tally.tool_calls, deps.tally.corrections)


async def _end_failed_run(
    state: AgentState, request: Request, deps: Deps, code: str, detail: str, message: str = ""
) -> LoopEnd:
    """Goes back to the last saved step; a failure in plan or execute can be taken up again from there, and so can an
    answer that was accepted but not yet heard, and the reading of a goal that is not all of the message: sent again, it
    would be done again."""
    log.warning("run %s ends with %s: %s", deps.run_id, code, detail[:500])
    stage = state.run.node
    if deps.tally.saved is not None:
        state.restore(deps.tally.saved.checkpoint())
    closing: list[Event] = []
    pending = None
    answers = request.resume is not None and effect_of(request.resume) != "new_goal"
    unheard = answers and state.run.run_id != deps.run_id
    said_more = stage == "chat" and (answers or state.run.request != request.message.strip())
    if unheard or (said_more and state.run.run_id == deps.run_id) or stage in ("plan", "execute"):
        pending = recovery(state, deps, code)
        closing.append(event_of(pending))
        try:
            if not unheard:
                await store(state, deps)
        except RunFailure as error:
            log.warning("run %s: no recovery can be offered: %s", deps.run_id, error)
            closing, pending = [], None
    closing.append(run_failed(stage, code, state.locale, message=message))
    return _build_end(deps, closing, interaction=pending)
