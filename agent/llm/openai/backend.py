"""A language model behind the OpenAI-compatible chat-completions protocol, streamed.

The official client opens the stream (addresses, credentials, proxies, TLS); the events are read by `sse_lines` and
`chunks`. Deadlines, the single retry and the mapping of failures are ours.
"""

from __future__ import annotations

import asyncio
import logging
import weakref
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from typing import Any

import openai

from agent.llm.openai.chunks import ChunkReader
from agent.llm.openai.failures import Failure, failure_of
from agent.llm.openai.profiles import Profile, profile_for
from agent.llm.openai.sse_lines import EventReader
from agent.loop.limits import STAGE_SETTINGS, StageSettings
from agent.loop.model import Cause, Delta, ModelError, ModelRequest, Stage

log = logging.getLogger("agent.llm")
ATTEMPTS = 2


@dataclass(frozen=True, slots=True)
class Timing:
    """Seconds: to the first delta, between deltas, and for what may follow the finish reason (usage)."""

    first_delta: float = 30.0
    silence: float = 60.0
    tail: float = 2.0


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where the model is. An empty `base_url` is the client's own default."""

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
    ) -> None:
        self.name = endpoint.model
        self._endpoint = endpoint
        self._stages = stages
        self._profiles = profiles or {}
        self._timing = timing
        self._clients: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, openai.AsyncOpenAI] = (
            weakref.WeakKeyDictionary()
        )
        self._plain_only: set[str] = set()

    async def aclose(self) -> None:
        """Closes the connections of the running event loop."""
        client = self._clients.pop(asyncio.get_running_loop(), None)
        if client is not None:
            await client.close()

    async def stream(self, request: ModelRequest) -> AsyncGenerator[Delta, None]:
        """The deltas of one call; raises ModelError. Closing it closes the HTTP stream."""
        call = _Call.begin(request, self._stages[request.stage], self._timing)
        for attempt in range(1, ATTEMPTS + 1):
            try:
                async with aclosing(self._attempt(call)) as deltas:
                    async for delta in deltas:
                        yield delta
                return
            except Exception as error:
                # The transport below the client has exception classes of its own that depend on the client's version.
                failure = self._learned(call.timed(failure_of(error)), call)
            cause = replace(failure.cause, attempts=attempt)
            log.warning("model call failed: %s stage=%s attempt=%d %s", failure.code, request.stage, attempt, cause)
            if not await self._may_retry(failure, call, attempt):
                raise ModelError(failure.code, cause) from None

    async def _may_retry(self, failure: Failure, call: _Call, attempt: int) -> bool:
        if failure.pause is None or call.spoke or attempt >= ATTEMPTS:
            return False
        if asyncio.get_running_loop().time() + failure.pause >= call.ends:
            return False
        await asyncio.sleep(failure.pause)
        call.open_window()
        return True

    def _learned(self, failure: Failure, call: _Call) -> Failure:
        """A refused request is tried once more without the fields that not every endpoint knows."""
        model = call.model(self._endpoint)
        if failure.cause.status in (400, 422) and failure.code == "llm_bad_request" and model not in self._plain_only:
            self._plain_only.add(model)
            return replace(failure, pause=0.0)
        return failure

    async def _attempt(self, call: _Call) -> AsyncGenerator[Delta, None]:
        model = call.model(self._endpoint)
        profile = profile_for(model, self._profiles)
        body = request_body(call.request, call.settings, profile, plain=model in self._plain_only)
        completions = self._client().chat.completions.with_streaming_response
        opening = completions.create(model=model, stream=True, **body)
        response = await call.bounded(opening.__aenter__())
        try:
            async with aclosing(_read_deltas(response.iter_bytes(), ChunkReader(profile), call)) as deltas:
                async for delta in deltas:
                    yield delta
        finally:
            await response.close()

    def _client(self) -> openai.AsyncOpenAI:
        loop = asyncio.get_running_loop()
        client = self._clients.get(loop)
        if client is None:
            client = openai.AsyncOpenAI(
                base_url=self._endpoint.base_url or None,
                api_key=self._endpoint.api_key or "none",
                max_retries=0,
                timeout=openai.Timeout(connect=5.0, read=self._timing.silence, write=10.0, pool=5.0),
            )
            self._clients[loop] = client
        return client


@dataclass(slots=True)
class _Call:
    """The deadlines of one call, on the clock of the event loop."""

    request: ModelRequest
    settings: StageSettings
    timing: Timing
    ends: float
    due: float = 0.0
    spoke: bool = False

    @classmethod
    def begin(cls, request: ModelRequest, settings: StageSettings, timing: Timing) -> _Call:
        whole = request.deadline_s if request.deadline_s is not None else settings.deadline_s
        call = cls(request, settings, timing, ends=asyncio.get_running_loop().time() + whole)
        call.open_window()
        return call

    def model(self, endpoint: Endpoint) -> str:
        return self.settings.model or endpoint.model

    def timed(self, failure: Failure) -> Failure:
        """The failure with the time that ran out, when one did: to the first word, between words, or of all."""
        if failure.code != "llm_timeout" or failure.cause.status:
            return failure
        over = asyncio.get_running_loop().time() >= self.ends
        return replace(failure, cause=Cause("deadline" if over else "silence" if self.spoke else "no_answer"))

    def open_window(self) -> None:
        self._within(self.timing.first_delta)

    def heard(self, reader: ChunkReader) -> None:
        """Called when the deltas of a block have been passed on: a slow reader is not the provider's silence."""
        self._within(self.timing.tail if reader.finish_reason else self.timing.silence)

    def _within(self, seconds: float) -> None:
        self.due = min(self.ends, asyncio.get_running_loop().time() + seconds)

    async def bounded(self, awaitable: Any) -> Any:
        async with asyncio.timeout_at(self.due):
            return await awaitable


async def _read_deltas(blocks: AsyncIterator[bytes], reader: ChunkReader, call: _Call) -> AsyncGenerator[Delta, None]:
    """Deltas until the answer is complete; the text of a block is passed on before the next one is awaited."""
    events = EventReader()
    while not reader.done:
        block = await _next_block(blocks, reader, call)
        heard = False
        for event in events.end() if block is None else events.feed(block):
            deltas = reader.read(event)
            heard = heard or bool(deltas)
            call.spoke = call.spoke or reader.spoke
            for delta in deltas:
                yield delta
        if block is None:
            break
        if heard or reader.finish_reason:
            call.heard(reader)
    for delta in reader.end():
        yield delta


async def _next_block(blocks: AsyncIterator[bytes], reader: ChunkReader, call: _Call) -> bytes | None:
    """The next bytes, None at the end. Once the finish reason is known a broken or silent tail is the end too."""
    try:
        block: bytes = await call.bounded(anext(blocks))
    except StopAsyncIteration:
        return None
    except Exception as error:
        if reader.finish_reason:
            return None
        failure = failure_of(error)
        cut = reader.spoke and failure.code == "llm_unavailable"
        raise (Failure("llm_truncated", Cause("truncated")) if cut else failure) from None
    return block


def request_body(
    request: ModelRequest, settings: StageSettings, profile: Profile, *, plain: bool = False
) -> dict[str, Any]:
    """The arguments of the call. `plain` leaves out what not every endpoint knows."""
    thinking = request.thinking if request.thinking is not None else settings.thinking
    switch = {} if thinking is None else profile.thinking_on if thinking else profile.thinking_off
    extra = {**profile.extra_body, **switch}
    tokens = request.max_tokens if request.max_tokens is not None else settings.max_tokens
    # The messages travel as extra fields: the client would walk through each of them to rename keys that none has.
    messages = [dict(message) for message in request.messages]
    body: dict[str, Any] = {
        "messages": [],
        "extra_body": {"messages": messages, profile.max_tokens_param: tokens, **extra},
    }
    if profile.temperature:
        body["temperature"] = request.temperature if request.temperature is not None else settings.temperature
    if profile.json_mode and request.decides and not plain:
        body["response_format"] = {"type": "json_object"}
    if profile.stream_usage and not plain:
        body["stream_options"] = {"include_usage": True}
    return body


__all__ = ["Endpoint", "OpenAIModel", "Timing", "request_body"]
