"""A local web server that behaves badly, and a network edge that pretends it is on the public internet.

Only the edge is replaced: names resolve to what a test says, and a connection to a judged public address ends at the
local server. Any attempt to connect to an address that is not public would be seen in `connected`.
"""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import httpcore

from agent.outbound.network import Edge

PUBLIC = "93.184.216.34"
Handler = Callable[[asyncio.StreamWriter, str], Awaitable[None]]


class FakeEdge(Edge):
    """`names` maps a host to the answers of its successive lookups; the last answer repeats."""

    def __init__(self, port: int, names: dict[str, list[list[str]]] | None = None) -> None:
        super().__init__()
        self.port = port
        self.names = names or {}
        self.lookups: list[str] = []
        self.connected: list[str] = []

    async def resolve(self, host: str, port: int) -> list[str]:
        self.lookups.append(host)
        answers = self.names.get(host)
        if answers is None:
            return await super().resolve(host, port) if host[0].isdigit() or ":" in host else [PUBLIC]
        return answers.pop(0) if len(answers) > 1 else answers[0]

    async def connect(self, address: str, port: int) -> httpcore.AsyncNetworkStream:
        self.connected.append(address)
        return await self._backend.connect_tcp("127.0.0.1", self.port, timeout=5.0)


DATA = Path(__file__).parent / "data"
CERTIFICATE, KEY = DATA / "site.test.cert.pem", DATA / "site.test.key.pem"
"""A self-signed certificate for `site.test` with its key, for the TLS tests only."""


def trusting() -> ssl.SSLContext:
    """A client context that trusts the certificate of `site.test` and checks host names."""
    return ssl.create_default_context(cafile=str(CERTIFICATE))


def tls() -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(CERTIFICATE, KEY)
    return context


@asynccontextmanager
async def serving(handler: Handler, *, secure: bool = False):
    """A server whose handler writes the raw answer to (writer, path); yields its port and the requests it saw."""
    seen: list[bytes] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            seen.append(head)
            await handler(writer, head.split()[1].decode())
            await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=tls() if secure else None)
    try:
        yield server.sockets[0].getsockname()[1], seen
    finally:
        server.close()


def answer(body: bytes = b"", *, status: str = "200 OK", **headers: str) -> bytes:
    """A whole HTTP/1.1 answer; `content_type=...` becomes `Content-Type: ...`."""
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", "Connection: close"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


def page(words: str, title: str = "页面") -> bytes:
    return f"<html><head><title>{title}</title></head><body><p>{words}</p></body></html>".encode()
