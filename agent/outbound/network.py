"""The network edge of page fetching: one lookup, a connection to one of the checked addresses, nothing else.

The HTTP library asks this backend for a connection to a *name*; the backend resolves the name once, has all addresses
judged, and connects to an address. Host header, SNI and certificate stay those of the name.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterable
from typing import Any

import httpcore

from agent.calls.ports import WebFailure
from agent.outbound.address import check_addresses

CONNECT_SECONDS = 5.0


class Edge:
    """Holds the two things that touch the outside. Tests replace them; the judgement between them stays."""

    def __init__(self) -> None:
        self._backend = httpcore.AnyIOBackend()

    async def resolve(self, host: str, port: int) -> list[str]:
        """Resolves all addresses of a name, in the system's order."""
        loop = asyncio.get_running_loop()
        found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        return list(dict.fromkeys(str(row[4][0]) for row in found))

    async def connect(self, address: str, port: int) -> httpcore.AsyncNetworkStream:
        """Opens a TCP connection to an address that was judged."""
        return await self._backend.connect_tcp(address, port, timeout=CONNECT_SECONDS)


class PinnedBackend(httpcore.AsyncNetworkBackend):
    """Connects by name only to addresses that are all public; sockets of other kinds are refused."""

    def __init__(self, edge: Edge) -> None:
        self._edge = edge

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 - the library's own signature
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        async with asyncio.timeout(CONNECT_SECONDS):
            try:
                addresses = check_addresses(await self._edge.resolve(host, port))
            except OSError:
                raise httpcore.ConnectError("the name does not resolve") from None
            return await self._first(addresses, port)

    async def _first(self, addresses: list[str], port: int) -> httpcore.AsyncNetworkStream:
        failure: Exception | None = None
        for address in addresses:
            try:
                return await self._edge.connect(address, port)
            except (httpcore.ConnectError, httpcore.ConnectTimeout, OSError) as error:
                failure = error
        raise httpcore.ConnectError("no address answers") from failure

    async def connect_unix_socket(
        self,
        path: str,
        timeout: float | None = None,  # noqa: ASYNC109 - the library's own signature
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        raise WebFailure("web_blocked_url", reason="scheme")

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)
