"""Many readers and many waiting conversations on one server, from one event loop over plain sockets."""

from __future__ import annotations

import asyncio
import json
import re
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.kits.provider.openai_server import OpenAIServer, Step, Wait, chunk, deltas

FIRST, SECOND = "前半句，", "后半句。"
PATIENT = {
    "AGENT_CHAT_DEADLINE": "900",
    "AGENT_LIMIT_SILENCE_S": "900",
    "AGENT_LIMIT_FIRST_DELTA_S": "900",
}
"""The budgets of a server whose model is slower than any."""
_MAKE = """
import json, sys
from django.contrib.auth.models import User
from smartmate.accounts.tokens import token_create
print(json.dumps([token_create(user=User.objects.create_user(name))[1] for name in json.loads(sys.stdin.read())]))
"""


def half_said(go: threading.Event) -> list[Step]:
    """The answer of a model that says the second half of its sentence when it may."""
    return [chunk(content='{"route":"direct_reply","speak":"' + FIRST), Wait(go), *deltas([SECOND + '"}'])]


def wait_for(endpoint: OpenAIServer, go: threading.Event) -> None:
    """Every conversation from now on waits for `go`."""
    endpoint.fallback = lambda body: half_said(go)


@dataclass
class Stream:
    """One open stream; `half` is set when the first half of the sentence has come."""

    head: bytes = b""
    body: bytes = b""
    half: asyncio.Event = field(default_factory=asyncio.Event)
    over: asyncio.Event = field(default_factory=asyncio.Event)

    async def half_or_over(self) -> None:
        waits = [asyncio.create_task(event.wait()) for event in (self.half, self.over)]
        await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        for wait in waits:
            wait.cancel()

    @property
    def whole(self) -> bool:
        """All events from the first to the last came once, and then the end."""
        ids = [int(found) for found in re.findall(rb"^id: (\d+)$", self.body, re.M)]
        return self.body.endswith(b"data: [DONE]\n\n") and ids == list(range(len(ids)))


class Crowd:
    """Readers of one server. `token` and `body` are those of each request."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.streams: list[Stream] = []
        self._tasks: list[asyncio.Task[None]] = []

    def open(self, token: str, path: str, body: Any = None) -> Stream:
        stream = Stream()
        self.streams.append(stream)
        self._tasks.append(asyncio.create_task(self._read(stream, request(token, path, body))))
        return stream

    async def _read(self, stream: Stream, raw: bytes) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        try:
            writer.write(raw)
            stream.head = await reader.readuntil(b"\r\n\r\n")
            if b"chunked" not in stream.head.lower():
                stream.body = await reader.read()
                return
            while size := int((await reader.readline()).strip() or b"0", 16):
                stream.body += (await reader.readexactly(size + 2))[:-2].replace(b": ping\n\n", b"")
                if FIRST.encode() in stream.body:
                    stream.half.set()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            stream.over.set()
            writer.close()

    async def all_at_half(self) -> None:
        await asyncio.gather(*(stream.half_or_over() for stream in self.streams))

    async def all_ended(self) -> None:
        await asyncio.gather(*self._tasks)


def request(token: str, path: str, body: Any = None) -> bytes:
    """A request for a stream: POST with a JSON body, else GET."""
    raw = b"" if body is None else json.dumps(body).encode()
    lines = [
        f"{'GET' if body is None else 'POST'} /api/v1{path} HTTP/1.1",
        "Host: 127.0.0.1",
        f"Authorization: Bearer {token}",
        "Content-Type: application/json",
        f"Content-Length: {len(raw)}",
        "Connection: close",
    ]
    return "\r\n".join([*lines, "", ""]).encode() + raw


def make_tokens(server: Any, names: Sequence[str]) -> list[str]:
    """A token of each of some fresh accounts, all made by one command; nobody knows a password of theirs."""
    made: list[str] = json.loads(server.manage("shell", "-v0", "-c", _MAKE, stdin=json.dumps(names)).stdout)
    return made


def threads(pid: int) -> int:
    return len(list(Path(f"/proc/{pid}/task").iterdir()))


def memory(pid: int) -> int:
    """Resident bytes of a process."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * 4096
