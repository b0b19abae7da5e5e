"""A reader that does not take what is sent is cut, and only that reader (api.md 6.7)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator

import pytest

from agent import sse


async def test_a_write_that_does_not_complete_ends_the_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sse, "WRITE_LIMIT_S", 0.05)
    closed, never = asyncio.Event(), asyncio.Event()

    async def body() -> AsyncGenerator[bytes, None]:
        try:
            while True:
                yield b"id: 0\ndata: {}\n\n"
        finally:
            closed.set()

    async def connection() -> None:
        async for _ in sse._written(body()):
            await never.wait()  # the socket takes nothing

    with pytest.raises(asyncio.CancelledError):
        await asyncio.create_task(connection())
    await asyncio.wait_for(closed.wait(), 20)
