"""One model call: request, deltas with deadlines and cancel, the record of what it cost."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from agent.loop.events import SystemMessage
from agent.loop.interactions import NodeName
from agent.loop.model_call.incremental_json import clean
from agent.loop.model_call.marks import Restart, ThoughtSplitter
from agent.loop.model_call.recital import Recital
from agent.loop.output.blocks import ReasoningBlock, next_block
from agent.loop.output.plain_words import PlainWords
from agent.loop.outside.cancellation import Watch
from agent.loop.outside.deps import Deps
from agent.loop.outside.limits import StageSettings
from agent.loop.outside.model import (
    Cause,
    Delta,
    FailedCall,
    Finish,
    ModelError,
    ModelRequest,
    Reasoning,
    Stage,
    Switched,
    Text,
    Usage,
    Waiting,
)
from agent.loop.prompt.files import Prompt
from agent.loop.state.agent_state import AgentState
from taskclasses.kernel.i18n import text
from taskclasses.kernel.telemetry import tracing

BY_ANOTHER = "原来的模型暂时连不上，已换用备用模型继续。"
BY_RULES = "模型暂时都连不上，先按固定规则继续：能排程、移动、查空闲，不能自由回答。"
AT_ONCE = 32
"""Deltas that are taken one after the other, when they are there, before others of the event loop have their turn."""
MORE_ROOM = 3.0
"""How much more room an answer gets that was cut at its limit."""
Listener = Callable[[str | None], Awaitable[bool]]
"""Gets each piece of the answer; False ends the call early, nothing more is wanted. None: what came so far was thought
and no answer."""


@dataclass
class Reply:
    """Tells what came back. `finish_reason`: stop, length, the code of a failure, or empty when the call was left
    early."""

    text: str = ""
    finish_reason: str = ""
    usage: Usage = field(default_factory=Usage)
    first_delta_ms: int = 0
    latency_ms: int = 0

    @property
    def truncated(self) -> bool:
        """Tells whether the answer was cut at the token limit."""
        return self.finish_reason == "length"


async def _ignore(piece: str | None) -> bool:
    return True


class _Thoughts:
    """Shows thoughts as a student reads them: nothing recited from the prompt, days, items and tools by their names."""

    def __init__(self, state: AgentState, deps: Deps, prompt: Prompt, events: NodeName) -> None:
        self._block = ReasoningBlock(state, deps, events)
        self._recital = Recital(prompt.messages[0]["content"])
        self._plain = PlainWords(state, deps, days=prompt.stage not in ("chat", "deep_answer"))

    async def add(self, piece: str) -> None:
        await self._block.add(self._plain.feed(self._recital.feed(piece)))

    async def close(self) -> None:
        await self._block.add(self._plain.feed(self._recital.end()) + self._plain.end())
        await self._block.close()


class _Pieces:
    """Takes the answer as it arrives: thoughts go to their block, everything else is kept and told to the listener."""

    def __init__(self, reasoning: _Thoughts, listener: Listener) -> None:
        self._reasoning, self._listener, self._splitter = reasoning, listener, ThoughtSplitter()
        self.kept: list[str] = []

    async def take(self, text: str) -> bool:
        return await self._pass_on(self._splitter.feed(text))

    async def restart(self) -> None:
        """Drops what came so far."""
        self._splitter = ThoughtSplitter()
        await self._reasoning.close()
        if self.kept:
            await self._pass_on([Restart()])

    async def end(self) -> None:
        await self._pass_on(self._splitter.end())

    async def _pass_on(self, deltas: Sequence[Reasoning | Text | Restart]) -> bool:
        for delta in deltas:
            if isinstance(delta, Reasoning):
                await self._reasoning.add(delta.text)
                continue
            await self._reasoning.close()
            if isinstance(delta, Restart):
                self.kept.clear()
                await self._listener(None)
                continue
            self.kept.append(delta.text)
            if not await self._listener(delta.text):
                return False
        return True


async def ask(
    state: AgentState,
    deps: Deps,
    prompt: Prompt,
    *,
    events: NodeName,
    listener: Listener = _ignore,
    room: float = 1.0,
) -> Reply:
    """Streams one answer. Reasoning becomes events of stage `events`; text goes to `listener`. `room` widens the
    stage's limit of tokens.

    Raises `ModelError`, and `RunCancelled` as soon as a cancel is seen. A stream that ends without saying why was cut.
    """
    with tracing.span("model call", stage=prompt.stage, model=deps.model.name):
        return await _stream_answer(state, deps, prompt, events, listener, room)


async def _stream_answer(
    state: AgentState, deps: Deps, prompt: Prompt, events: NodeName, listener: Listener, room: float
) -> Reply:
    request = _request(state, deps, prompt, room)
    reasoning = _Thoughts(state, deps, prompt, events)
    reply, pieces, began = Reply(), _Pieces(reasoning, listener), deps.timer()
    stream, watch = deps.model.stream(request), Watch(deps)
    try:
        async for delta in _limit_time(stream, watch, deps, _deadline(deps, prompt.stage)):
            if isinstance(delta, Waiting):
                continue
            if isinstance(delta, Switched):
                await pieces.restart()
                await _tell_switch(state, deps, delta, events)
                continue
            if not reply.first_delta_ms:
                reply.first_delta_ms = max(1, round((deps.timer() - began) * 1000))
            if isinstance(delta, Reasoning):
                await reasoning.add(clean(delta.text))
            elif isinstance(delta, Usage):
                reply.usage = delta
            elif isinstance(delta, Finish):
                reply.finish_reason = delta.reason
            elif isinstance(delta, Text) and delta.text and not await pieces.take(clean(delta.text)):
                break
        else:
            if not reply.finish_reason:
                raise ModelError("llm_truncated", Cause("truncated"))
            await pieces.end()
    except ModelError as error:
        reply.finish_reason = error.code
        failed = FailedCall(prompt.stage, request.call_index, deps.model.name, error.code, error.cause)
        deps.tally.failed_calls.append(failed)
        raise
    finally:
        watch.close()
        await reasoning.close()
        await _close_stream(stream)
        reply.text = "".join(pieces.kept)
        reply.latency_ms = round((deps.timer() - began) * 1000)
        _record(deps, prompt, reply, request.call_index)
    return reply


async def _tell_switch(state: AgentState, deps: Deps, switch: Switched, stage: NodeName) -> None:
    """Tells in one line, once in a run, who answers now."""
    if deps.tally.switched == switch.offline:
        return
    deps.tally.switched = switch.offline
    words = BY_RULES if switch.offline else BY_ANOTHER
    block = next_block(state, stage, "system")
    message = text(words, state.locale)
    await deps.emit(SystemMessage(stage=stage, block_id=block, code="model_switched", level="warning", content=message))


def _request(state: AgentState, deps: Deps, prompt: Prompt, room: float) -> ModelRequest:
    deps.tally.model_calls += 1
    settings = deps.limits.stages[prompt.stage]
    return ModelRequest(
        stage=prompt.stage,
        messages=prompt.messages,
        view=prompt.view,
        temperature=settings.temperature,
        max_tokens=round(settings.max_tokens * room),
        thinking=_choose_thinking(state, prompt.stage, settings),
        deadline_s=settings.deadline_s,
        call_index=deps.tally.model_calls,
        tools=deps.registry.schemas(prompt.catalogue) if prompt.stage == "execute" else (),
        open_tools=prompt.tools if prompt.stage == "execute" else (),
    )


def _choose_thinking(state: AgentState, stage: Stage, settings: StageSettings) -> bool | None:
    """Chooses whether to think: the request's wish wins for deep answers, plans and rounds; then the stage's setting,
    then the chat's wish."""
    if stage in ("deep_answer", "plan", "execute") and state.run.thinking != "auto":
        return state.run.thinking == "true"
    if settings.thinking is None:
        return state.run.wants_thinking or None
    return settings.thinking


def _deadline(deps: Deps, stage: Stage) -> float:
    return deps.limits.stages[stage].deadline_s


async def _limit_time(
    stream: AsyncIterator[Delta], watch: Watch, deps: Deps, deadline_s: float
) -> AsyncIterator[Delta]:
    """Yields the deltas; `llm_timeout` when the first one, the next one or the whole call takes too long. A pause
    before another attempt and time spent in thought are not taken from the answer."""
    loop = asyncio.get_running_loop()
    ends = loop.time() + deadline_s
    longest = ends + deps.limits.thinking_s
    allowed, late = deps.limits.first_delta_s, Cause("no_answer")
    for number in count():
        if number % AT_ONCE == 0:
            await asyncio.sleep(0)
        until = min(ends, loop.time() + allowed)
        try:
            delta = await watch.wait(lambda: anext(stream), until=until)
        except StopAsyncIteration:
            return
        except TimeoutError:
            raise ModelError("llm_timeout", Cause("deadline") if until == ends else late) from None
        yield delta
        if isinstance(delta, Waiting):
            allowed = deps.limits.first_delta_s + delta.seconds
            continue
        if isinstance(delta, Switched):
            ends, allowed = loop.time() + deadline_s, deps.limits.first_delta_s
            continue
        if isinstance(delta, Reasoning):
            ends = min(longest, max(ends, loop.time() + deadline_s))
        allowed, late = deps.limits.silence_s, Cause("silence")


async def _close_stream(stream: AsyncIterator[Delta]) -> None:
    """Ends the provider's stream; a failure to do so changes nothing any more."""
    close = getattr(stream, "aclose", None)
    if close is not None:
        with contextlib.suppress(Exception):
            await close()


def _record(deps: Deps, prompt: Prompt, reply: Reply, call_index: int) -> None:
    usage, sizes = reply.usage, prompt.sizes
    stats: dict[str, Any] = {
        "kind": "context_stats",
        "run_id": deps.run_id,
        "call_index": call_index,
        "stage": prompt.stage,
        "model": deps.model.name,
        "msg0": sizes[0],
        "msg1": sizes[1],
        "msg2": sizes[2],
        "msg3": sizes[3],
        "total": sum(sizes),
        "budget": deps.limits.context_tokens,
        "prompt_tokens": usage.prompt,
        "cached_tokens": usage.cached,
        "completion_tokens": usage.completion,
        "reasoning_tokens": usage.reasoning,
        "first_delta_ms": reply.first_delta_ms,
        "latency_ms": reply.latency_ms,
        "finish_reason": reply.finish_reason,
        "compacted": prompt.compacted,
        "attempt": prompt.attempt,
    }
    deps.journal(stats)
