"""A language model behind the OpenAI-compatible chat-completions protocol, streamed.

The official client opens the stream (addresses, credentials, proxies, TLS); the events are read by `sse_lines` and
`chunks`. Deadlines, retries, what is learned from refusals and the mapping of failures are ours.
"""

from __future__ import annotations

import asyncio
import logging
import random
import weakref
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from typing import Any

import openai

from agent.llm.openai.chunks import ChunkReader
from agent.llm.openai.failures import Failure, failure_of
from agent.llm.openai.knowledge import NOTHING, Knowledge, Learned, key_of
from agent.llm.openai.profiles import Profile, profile_for
from agent.llm.openai.request import named_parameter, request_body, suspects_of, wants_thinking
from agent.llm.openai.sse_lines import EventReader, WholeBody
from agent.loop.outside.limits import STAGE_SETTINGS, StageSettings
from agent.loop.outside.model import Cause, Delta, ModelError, ModelRequest, Reasoning, Stage, Waiting

log = logging.getLogger("agent.llm")
ATTEMPTS = 3
THINKING_S = 120.0
"""How much longer a call may take whose model thinks first."""
SHOWN = {"full": 200_000, "summary": 300, "off": 0}
"""Characters of a call's thoughts that the student sees, by the profile's `shown`."""
MOST_REDIRECTS = 3
"""Redirects that are followed to an answer; a circle of them is a wrong address."""
MOST_REQUESTS = 10
"""Requests of one call, with those that were sent again without a parameter."""


@dataclass(frozen=True, slots=True)
class Timing:
    """Holds seconds: to the first delta, between deltas, and for what may follow the finish reason (usage)."""

    first_delta: float = 30.0
    silence: float = 60.0
    tail: float = 2.0


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Tells where the model is. An empty `base_url` is the client's own default."""

    model: str
    base_url: str = ""
    api_key: str = field(default="", repr=False)


class OpenAIModel:
    """Streams answers of one endpoint. One HTTP client per event loop, opened at the first call."""

    def __init__(
        self,
        endpoint: Endpoint,
        *,
        stages: Mapping[Stage, StageSettings] = STAGE_SETTINGS,
        profiles: Mapping[str, Profile] | None = None,
        timing: Timing = Timing(),
        knowledge: Knowledge | None = None,
    ) -> None:
        self.name = endpoint.model
        self._endpoint = endpoint
        self._stages = stages
        self._profiles = profiles or {}
        self._timing = timing
        self._clients: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, openai.AsyncOpenAI] = (
            weakref.WeakKeyDictionary()
        )
        self._knowledge = knowledge or Knowledge()

    async def aclose(self) -> None:
        """Closes the connections of the running event loop."""
        client = self._clients.pop(asyncio.get_running_loop(), None)
        if client is not None:
            await client.close()

    async def stream(self, request: ModelRequest) -> AsyncGenerator[Delta, None]:
        """Yields the deltas of one call; raises ModelError. Closing it closes the HTTP stream."""
        call = _CallDeadlines.begin(request, self._stages[request.stage], self._timing)
        model = call.model(self._endpoint)
        key = key_of(self._endpoint.base_url, model)
        call.learned = await self._knowledge.of(key)
        attempt, requests = 1, 0
        while True:
            requests += 1
            try:
                async with aclosing(self._attempt(call, model)) as deltas:
                    async for delta in deltas:
                        yield delta
                await self._note_answer(call, key)
                return
            except Exception as error:
                # The transport below the client has exception classes of its own that depend on the client's version.
                failure = call.tell_deadline(failure_of(error))
            cause = replace(failure.cause, attempts=requests)
            log.warning("model call failed: %s stage=%s attempt=%d %s", failure.code, request.stage, requests, cause)
            if requests < MOST_REQUESTS and await self._may_change(failure, call, key):
                call.open_window()
                continue
            pause = call.pause_before(failure, attempt)
            if pause is None:
                raise ModelError(failure.code, cause) from None
            attempt += 1
            call.open_window(pause)
            yield Waiting(pause)
            await asyncio.sleep(pause)

    async def _may_change(self, failure: Failure, call: _CallDeadlines, key: str) -> bool:
        """Tells whether a refused request may be sent without something: what the error names, else all that is
        suspect."""
        if failure.cause.kind == "context_overflow" and failure.cause.context:
            await self._knowledge.put(key, replace(call.learned, context=failure.cause.context))
        if (
            failure.code != "llm_bad_request"
            or failure.cause.status not in (400, 422)
            or call.spoke
            or call.body is None
        ):
            return False
        if failure.cause.kind == "context_overflow":
            return False
        name = named_parameter(failure.said, failure.parameter, call.body)
        if name and name not in call.learned.refused:
            call.learned = call.learned.refuse(name)
            await self._knowledge.put(key, call.learned)
            return True
        if call.trial:
            call.learned, call.trial = call.learned.blame(call.trial), ()
            call.suspected = call.learned.suspects
            await self._knowledge.put(key, call.learned)
            return True
        suspects = suspects_of(call.body)
        if call.suspected or not suspects:
            return False
        call.suspected = suspects
        return True

    async def _note_answer(self, call: _CallDeadlines, key: str) -> None:
        """Notes that the model answered: what was left out on suspicion is to blame, what was put back is not."""
        learned = call.learned.clear(call.trial)
        if call.suspected:
            learned = replace(learned, suspects=call.suspected)
        if call.reasoned and wants_thinking(call.request, call.settings) is False:
            learned = replace(learned, thinks=True)
        if learned != call.learned or call.trial:
            await self._knowledge.put(key, learned)

    async def _attempt(self, call: _CallDeadlines, model: str) -> AsyncGenerator[Delta, None]:
        profile = profile_for(model, self._profiles)
        learned = call.learned
        call.trial = () if call.suspected else learned.trial()
        left_out = {*learned.refused, *call.suspected, *learned.suspects} - {*call.trial}
        body = call.body = request_body(call.request, call.settings, profile, learned, left_out=frozenset(left_out))
        completions = self._client().chat.completions.with_streaming_response
        opening = completions.create(model=model, stream=True, **body)
        response = await call.wait_for(opening.__aenter__())
        reader = ChunkReader(profile, stage=call.request.stage, calls_wanted="tools" in body)
        try:
            events = WholeBody() if _is_document(response.headers) else EventReader()
            async with aclosing(_read_deltas(response.iter_bytes(), reader, call, events)) as deltas:
                async for delta in deltas:
                    if isinstance(delta, Reasoning):
                        call.note_thought()
                        delta = call.cut_thought(delta, profile)
                    yield delta
        finally:
            await response.close()

    def _client(self) -> openai.AsyncOpenAI:
        loop = asyncio.get_running_loop()
        client = self._clients.get(loop)
        if client is None:
            timeout = openai.Timeout(connect=5.0, read=self._timing.silence, write=10.0, pool=5.0)
            client = openai.AsyncOpenAI(
                base_url=self._endpoint.base_url or None,
                api_key=self._endpoint.api_key or "none",
                max_retries=0,
                timeout=timeout,
                http_client=openai.DefaultAsyncHttpxClient(timeout=timeout, max_redirects=MOST_REDIRECTS),
            )
            self._clients[loop] = client
        return client


@dataclass(slots=True)
class _CallDeadlines:
    """Holds the deadlines of one call, on the clock of the event loop."""

    request: ModelRequest
    settings: StageSettings
    timing: Timing
    ends: float
    due: float = 0.0
    spoke: bool = False
    reasoned: bool = False
    learned: Learned = NOTHING
    trial: tuple[str, ...] = ()
    suspected: tuple[str, ...] = ()
    body: dict[str, Any] | None = None
    longest: float = 0.0
    told: int = 0

    @classmethod
    def begin(cls, request: ModelRequest, settings: StageSettings, timing: Timing) -> _CallDeadlines:
        whole = request.deadline_s if request.deadline_s is not None else settings.deadline_s
        call = cls(request, settings, timing, ends=asyncio.get_running_loop().time() + whole)
        call.longest = call.ends + THINKING_S
        call.open_window()
        return call

    def model(self, endpoint: Endpoint) -> str:
        return self.settings.model or endpoint.model

    def tell_deadline(self, failure: Failure) -> Failure:
        """Returns the failure with the time that ran out, when one did: to the first word, between words, or of all."""
        if failure.code != "llm_timeout" or failure.cause.status:
            return failure
        over = asyncio.get_running_loop().time() >= self.ends
        return replace(failure, cause=Cause("deadline" if over else "silence" if self.spoke else "no_answer"))

    def open_window(self, pause: float = 0.0) -> None:
        self._within(self.timing.first_delta + pause)

    def pause_before(self, failure: Failure, attempt: int) -> float | None:
        """Returns the time to wait before the next attempt, None when none is to be made: something was heard, the
        attempts are used up, or the deadline comes first. The provider's own time is kept to."""
        if failure.pause is None or self.spoke or attempt >= ATTEMPTS:
            return None
        backoff = failure.pause * 2 ** (attempt - 1) * random.uniform(0.5, 1.5)  # noqa: S311  spreads retries, guards nothing
        pause = failure.pause if failure.asked else backoff
        return pause if asyncio.get_running_loop().time() + pause < self.ends else None

    def note_thought(self) -> None:
        """Gives the answer back the time spent in thought, within bounds."""
        self.reasoned = True
        whole = self.request.deadline_s if self.request.deadline_s is not None else self.settings.deadline_s
        self.ends = min(self.longest, max(self.ends, asyncio.get_running_loop().time() + whole))

    def cut_thought(self, delta: Reasoning, profile: Profile) -> Reasoning:
        """Returns as much of a thought as is to be seen; a thought that is not shown is still a sign of life."""
        room = SHOWN[profile.shown]
        text = delta.text[: max(0, room - self.told)]
        cut = room > 0 and self.told <= room < self.told + len(delta.text)
        self.told += len(delta.text)
        return Reasoning(text + "…" if cut else text)

    def note_heard(self, reader: ChunkReader) -> None:
        """Notes that the deltas of a block have been passed on: a slow reader is not the provider's silence."""
        self._within(self.timing.tail if reader.finish_reason else self.timing.silence)

    def _within(self, seconds: float) -> None:
        self.due = min(self.ends, asyncio.get_running_loop().time() + seconds)

    async def wait_for(self, awaitable: Any) -> Any:
        async with asyncio.timeout_at(self.due):
            return await awaitable


async def _read_deltas(
    blocks: AsyncIterator[bytes], reader: ChunkReader, call: _CallDeadlines, events: EventReader | WholeBody
) -> AsyncGenerator[Delta, None]:
    """Yields deltas until the answer is complete; the text of a block is passed on before the next one is awaited."""
    begun = False
    while not reader.done:
        block = await _next_block(blocks, reader, call)
        heard = False
        if block is not None and not begun:
            begun = bool(block.strip())
            if block.lstrip().startswith(b"<"):
                raise Failure("llm_unavailable", Cause("wrong_address"))  # a page, which no model writes
        for event in events.end() if block is None else events.feed(block):
            deltas = reader.read(event)
            heard = heard or bool(deltas)
            call.spoke = call.spoke or reader.spoke
            for delta in deltas:
                yield delta
        if block is None:
            break
        if heard or reader.finish_reason:
            call.note_heard(reader)
    for delta in reader.end():
        yield delta


def _is_document(headers: Mapping[str, str]) -> bool:
    """Tells whether the answer is one document although a stream was asked for: whole, or an error."""
    return headers.get("content-type", "").partition(";")[0].strip().lower() == "application/json"


async def _next_block(blocks: AsyncIterator[bytes], reader: ChunkReader, call: _CallDeadlines) -> bytes | None:
    """Returns the next bytes, None at the end. Once the finish reason is known a broken or silent tail is the end
    too."""
    try:
        block: bytes = await call.wait_for(anext(blocks))
    except StopAsyncIteration:
        return None
    except Exception as error:
        if reader.finish_reason:
            return None
        failure = failure_of(error)
        cut = reader.spoke and failure.code == "llm_unavailable"
        raise (Failure("llm_truncated", Cause("truncated")) if cut else failure) from None
    return block


__all__ = ["Endpoint", "OpenAIModel", "Timing"]
