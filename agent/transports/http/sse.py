"""Server-sent events: POST chat starts a run and follows it, GET attaches to one. Plain async views (wire.md 6.3)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import suppress
from typing import Any, TypeVar
from weakref import ReferenceType, ref

from django.conf import settings
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.views.decorators.csrf import csrf_exempt

from agent.loop.events import Stamped
from agent.models import Run
from agent.runs import anything_left, run_follow_batches, run_start
from agent.runs.readers import Reader
from agent.selectors import run_get
from agent.store.threads import in_thread
from agent.transports.wire.bodies import STARTING, STREAM_HEADERS, ChatBody, read_ask
from agent.transports.wire.frames import DONE, PING, RETRY, sse_frame
from taskclasses.kernel.answers import answers
from taskclasses.kernel.auth import identity_of
from taskclasses.kernel.envelope import error_response
from taskclasses.kernel.errors import CodedError
from taskclasses.kernel.rest import query_int
from taskclasses.kernel.telemetry.metrics import READER_CUTS, READERS

R = TypeVar("R", bound=HttpResponseBase)
MEDIA = "text/event-stream; charset=utf-8"
PING_S = 5.0
CARRY_LIMIT = 16 * 1024 * 1024
WRITE_BYTES = 256 * 1024
FROM_MAX = 2**31
FRAMES = {
    "text/event-stream": {"type": "string", "description": "frames: `framings.sse` of /api/v1/schema/events.json"}
}


@answers(None, *STARTING, body=ChatBody, media=FRAMES, headers=STREAM_HEADERS)
@csrf_exempt
async def chat(request: HttpRequest) -> HttpResponseBase:
    """Answers POST /agent/chat. Everything that can be refused is refused as JSON, before the first byte of the
    stream."""
    if request.method != "POST":
        return _not_allowed(request, "POST")
    user_id = int(identity_of(request).user.pk)
    ask = read_ask(request, route="chat")
    reader = await Reader.open(user_id)
    try:
        started = await run_start(user_id=user_id, ask=ask)
    except BaseException:
        await reader.close()
        raise
    headers = {"Idempotent-Replayed": "true"} if started.replayed else {}
    return _stream(started.run, start=0, reader=reader, headers=headers)


chat.rate_kind = "run"  # type: ignore[attr-defined]
chat.idempotency_own = True  # type: ignore[attr-defined]


@answers(None, 40076, media=FRAMES, nothing="the run has ended and no event is left", headers=STREAM_HEADERS)
@csrf_exempt
async def stream(request: HttpRequest, run_id: str) -> HttpResponseBase:
    """Answers GET /agent/runs/{run_id}/stream; 204 when the run has ended and nothing is left."""
    if request.method not in ("GET", "HEAD"):
        return _not_allowed(request, "GET, HEAD")
    user_id = int(identity_of(request).user.pk)
    run = await in_thread(run_get)(user_id, run_id)
    start = _start(request)
    if not await anything_left(run, start=start):
        return HttpResponse(status=204)
    if request.method == "HEAD":
        return _name(StreamingHttpResponse(_no_pieces(), content_type=MEDIA), run)
    return _stream(run, start=start, reader=await Reader.open(user_id), opening=RETRY)


def _start(request: HttpRequest) -> int:
    """Reads where the stream begins; `Last-Event-ID` wins over `from`: an EventSource repeats its URL when it
    reconnects."""
    last = request.headers.get("Last-Event-ID", "").strip()
    if last.isascii() and last.isdigit() and len(last) < 11:
        return int(last) + 1
    return query_int(request, "from", default=0, low=0, high=FROM_MAX)


def _not_allowed(request: HttpRequest, allowed: str) -> HttpResponse:
    identity_of(request)
    return error_response(CodedError(40500), request, headers={"Allow": allowed})


def _stream(
    run: Run, *, start: int, reader: Reader, opening: bytes = b"", headers: dict[str, str] | None = None
) -> StreamingHttpResponse:
    response = StreamingHttpResponse(
        _limit_write_time(_body(run, start, reader, opening)),
        content_type=MEDIA,
    )
    return _name(response, run, **(headers or {}))


def _name(response: R, run: Run, **headers: str) -> R:
    """Adds the headers of a stream of this run (wire.md 6.8)."""
    named = {
        "Cache-Control": "no-cache, no-transform",
        "X-Accel-Buffering": "no",
        "X-Conversation-ID": str(run.conversation_id),
        "X-Run-ID": str(run.pk),
        "X-Event-Version": "1",
        **headers,
    }
    for name, value in named.items():
        response[name] = value
    return response


async def _no_pieces() -> AsyncGenerator[bytes, None]:
    """Yields nothing: a body whose length nobody tells, for who asks for the headers alone."""
    pieces: tuple[bytes, ...] = ()
    for piece in pieces:
        yield piece


async def _body(run: Run, start: int, reader: Reader, opening: bytes) -> AsyncGenerator[bytes, None]:
    """Yields frames and pings until the terminal event, or until the connection has carried its share."""
    created, carried = int(run.created_at.timestamp()), 0
    if opening:
        yield opening
    async for batch in _with_pings(run_follow_batches(run, start=start), reader):
        if batch is None:
            yield PING
            continue
        for piece in _pieces([sse_frame(event, created=created) for event in batch]):
            carried += len(piece)
            yield piece
        if batch[-1].terminal:
            yield DONE
            return
        if carried > CARRY_LIMIT:
            READER_CUTS.labels("share").inc()
            return


def _pieces(frames: Sequence[bytes]) -> list[bytes]:
    """Returns frames joined into writes of a bounded size; a frame is never split."""
    pieces: list[list[bytes]] = [[]]
    size = 0
    for frame in frames:
        if size and size + len(frame) > WRITE_BYTES:
            pieces.append([])
            size = 0
        pieces[-1].append(frame)
        size += len(frame)
    return [b"".join(piece) for piece in pieces]


async def _with_pings(
    batches: AsyncGenerator[Sequence[Stamped], None], reader: Reader
) -> AsyncIterator[Sequence[Stamped] | None]:
    """Yields batches as they come, and None every `PING_S` seconds from the opening on, whatever else is sent."""
    clock = asyncio.get_running_loop().time
    ping_at = clock() + PING_S
    coming: asyncio.Task[Any] | None = None
    READERS.labels("sse").inc()
    try:
        while True:
            coming = coming or asyncio.ensure_future(anext(batches))
            await asyncio.wait({coming}, timeout=max(0.0, ping_at - clock()))
            if clock() >= ping_at:
                ping_at += PING_S
                await reader.renew()
                yield None
            if coming.done():
                task, coming = coming, None
                try:
                    batch = task.result()
                except StopAsyncIteration:
                    return
                yield batch
    finally:
        if coming is not None:
            coming.cancel()
            with suppress(asyncio.CancelledError, StopAsyncIteration):
                await coming
        try:
            await batches.aclose()
            await reader.close()
        finally:
            READERS.labels("sse").dec()


def _cut_slow_reader(writing: ReferenceType[asyncio.Task[Any]]) -> None:
    READER_CUTS.labels("slow").inc()
    task = writing()
    if task is not None:
        task.cancel("the reader is too slow")


async def _limit_write_time(body: AsyncGenerator[bytes, None]) -> AsyncIterator[bytes]:
    """Hands pieces on; a write that does not complete in time cuts the connection."""
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    assert task is not None
    # A task that was cut holds this body by its exception: held by it in turn, both would wait for the collector.
    writing = ref(task)
    del task
    try:
        async for piece in body:
            cut = loop.call_later(settings.AGENT_WRITE_LIMIT_S, _cut_slow_reader, writing)
            try:
                yield piece
            finally:
                cut.cancel()
    finally:
        await body.aclose()
