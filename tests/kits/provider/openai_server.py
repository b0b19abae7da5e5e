"""A scripted OpenAI-compatible HTTP server on a loopback port, for tests of everything above the network.

    server.script([text("Hello"), decision({"route": ...}), status(429, retry_after="1"), hang()])

Each `POST .../chat/completions` takes the next answer of the script; a request too many gets a 418. A script entry is a
list of steps; the constructors below make the usual ones. An answer may be a callable that gets the request body and
returns the steps. Everything runs in one daemon thread with its own event loop; the real client is used against it.
"""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Raw:
    """Bytes of the response body, exactly as they are."""

    data: bytes


@dataclass(frozen=True)
class Head:
    """Status line and headers; the default is a 200 event stream."""

    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)


class Cut:
    """The connection is dropped here, in the middle of the response."""


class Hang:
    """Nothing more is sent; the connection stays open until the client or the server closes it."""


@dataclass(frozen=True)
class Wait:
    """What follows is sent once the gate is open."""

    gate: threading.Event


Step = Raw | Head | Cut | Hang | Wait
Answer = Iterable[Step] | Callable[[dict[str, Any]], Iterable[Step]]


def event(document: Any) -> Raw:
    """One `data:` event with a JSON document, or with the text itself."""
    data = document if isinstance(document, str) else json.dumps(document, ensure_ascii=False)
    return Raw(b"data: " + data.encode("utf-8", "surrogatepass") + b"\n\n")


def chunk(finish: str | None = None, **delta: Any) -> Raw:
    """A chat.completion.chunk with one choice."""
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return event({"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]})


def usage(prompt: int = 100, completion: int = 10, cached: int = 0, reasoning: int = 0) -> Raw:
    """The chunk without choices that carries the token counts."""
    counts = {
        "prompt_tokens": prompt,
        "completion_tokens": completion,
        "total_tokens": prompt + completion,
        "prompt_tokens_details": {"cached_tokens": cached},
        "completion_tokens_details": {"reasoning_tokens": reasoning},
    }
    return event({"id": "c1", "object": "chat.completion.chunk", "choices": [], "usage": counts})


DONE = event("[DONE]")


def deltas(pieces: Iterable[str], *, reasoning: Iterable[str] = (), finish: str | None = "stop") -> list[Step]:
    """A whole answer in the given pieces. `finish` None leaves the finish reason out."""
    steps: list[Step] = [chunk(role="assistant", content="")]
    steps += [chunk(reasoning_content=piece) for piece in reasoning]
    steps += [chunk(content=piece) for piece in pieces]
    if finish is not None:
        steps.append(chunk(finish=finish))
    return [*steps, usage(), DONE]


def text(answer: str, *, size: int = 12, finish: str | None = "stop") -> list[Step]:
    """A whole answer in pieces of `size` characters."""
    return deltas([answer[at : at + size] for at in range(0, len(answer), size)], finish=finish)


def decision(document: Any, *, size: int = 12) -> list[Step]:
    """A decision as JSON text."""
    return text(json.dumps(document, ensure_ascii=False), size=size)


def status(code: int, *, body: Any = None, retry_after: str | None = None) -> list[Step]:
    """A refusal with the usual error document; `body` replaces it."""
    headers = {"Content-Type": "application/json"} | ({"Retry-After": retry_after} if retry_after is not None else {})
    document = body if body is not None else {"error": {"message": "provider text", "type": "error", "code": str(code)}}
    return [Head(code, headers), Raw(json.dumps(document).encode())]


def silence(*before: Step) -> list[Step]:
    """The given steps, then nothing."""
    return [*before, Hang()]


def cut(*before: Step) -> list[Step]:
    """The given steps, then the connection is dropped."""
    return [*before, Cut()]


class OpenAIServer:
    """Started by `start()` or as a context manager; `base_url` is what the client is given."""

    def __init__(self) -> None:
        self.requests: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.fallback: Answer | None = None
        self.base_url = ""
        self.closed_early = threading.Event()
        self._answers: list[Answer] = []
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="openai-server", daemon=True)
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    def script(self, answers: Iterable[Answer]) -> None:
        """Adds answers to the end of the script."""
        self._answers.extend(answers)

    def reset(self) -> None:
        """Forgets script and requests, so that one server can serve many tests."""
        self.requests.clear()
        self.headers.clear()
        self._answers.clear()
        self.fallback = None
        self.closed_early.clear()

    @property
    def left(self) -> int:
        """Answers of the script that nobody has asked for yet."""
        return len(self._answers)

    def start(self) -> OpenAIServer:
        self._thread.start()
        self._server = asyncio.run_coroutine_threadsafe(
            asyncio.start_server(self._connected, "127.0.0.1", 0, limit=1 << 24), self._loop
        ).result(10)
        self.base_url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}/v1"
        return self

    def stop(self) -> None:
        asyncio.run_coroutine_threadsafe(self._shut(), self._loop).result(10)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
        self._loop.close()

    def __enter__(self) -> OpenAIServer:
        return self.start()

    def __exit__(self, *exc: object) -> None:
        self.stop()

    async def _shut(self) -> None:
        if self._server is not None:
            self._server.close()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        try:
            while await self._exchange(reader, writer):
                pass
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            self._tasks.discard(task)
            writer.close()

    async def _exchange(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """One request and its response; False when the connection is over."""
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:] if line)}
        body = json.loads(await reader.readexactly(int(headers.get("content-length", "0"))) or b"{}")
        self.requests.append(body)
        self.headers.append(headers)
        return await self._respond(self._next(body), reader, writer)

    def _next(self, body: dict[str, Any]) -> list[Step]:
        answer = self._answers.pop(0) if self._answers else self.fallback
        if answer is None:
            return status(418)
        return list(answer(body) if callable(answer) else answer)

    async def _respond(self, steps: list[Step], reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        if not (steps and isinstance(steps[0], Head)) and not (steps and isinstance(steps[0], Cut)):
            steps = [Head(), *steps]
        for step in steps:
            if isinstance(step, Cut):
                writer.transport.abort()
                return False
            if isinstance(step, Hang):
                await reader.read(1)  # returns when the client leaves
                self.closed_early.set()
                return False
            if isinstance(step, Wait):
                await _opened(step.gate)
                continue
            writer.write(_head(step) if isinstance(step, Head) else _frame(step.data))
            await writer.drain()
            await asyncio.sleep(0)  # each step reaches the client on its own
        writer.write(b"0\r\n\r\n")
        await writer.drain()
        return True


async def _opened(gate: threading.Event) -> None:
    """Waits for a gate without a thread: hundreds of answers may wait at once."""
    for _ in range(6_000):
        if gate.is_set():
            return
        await asyncio.sleep(0.1)


def _head(step: Head) -> bytes:
    headers = {"Content-Type": "text/event-stream; charset=utf-8", "Transfer-Encoding": "chunked"} | dict(step.headers)
    lines = [f"HTTP/1.1 {step.status} Scripted", *(f"{name}: {value}" for name, value in headers.items())]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def _frame(data: bytes) -> bytes:
    return f"{len(data):x}\r\n".encode() + data + b"\r\n" if data else b""


def serve() -> Iterator[OpenAIServer]:
    """For a pytest fixture: `yield from serve()`."""
    with OpenAIServer() as server:
        yield server
