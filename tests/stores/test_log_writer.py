"""Events that come while an append is under way go out together: in order, none twice, none lost without a word."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
import redis

from agent.loop.events import Stamped
from agent.store.event_log import AppendRefused, EventLog
from agent.store.log_writer import AHEAD, LogWriter

Pieces = Callable[..., list[Stamped]]


class Gated(EventLog):
    """A log on a server that answers when it is let, and fails when it is told."""

    def __init__(self, client: Any) -> None:
        super().__init__(client)
        self.gate = asyncio.Event()
        self.batches: list[int] = []
        self.failures: list[Exception] = []

    async def append(self, events: Any, **rest: Any) -> int:
        self.batches.append(len(events))
        await self.gate.wait()
        if self.failures:
            raise self.failures.pop(0)
        return await super().append(events, **rest)


@pytest.fixture
async def gated(client: Any) -> Gated:
    return Gated(client)


async def test_the_first_waits_for_nobody_and_the_rest_go_together(gated: Gated, run_id: str, pieces: Pieces) -> None:
    writer = LogWriter(gated, fence=1)
    for piece in pieces(20):
        writer.add(piece)
        await asyncio.sleep(0)
    gated.gate.set()
    await writer.flush()
    assert gated.batches == [1, 19]
    assert await gated.read(run_id, 0, 100) == pieces(20)


async def test_a_failure_is_told_once_and_its_events_go_out_before_later_ones(
    gated: Gated, run_id: str, pieces: Pieces
) -> None:
    writer, events = LogWriter(gated, fence=1), pieces(4)
    gated.failures = [redis.ConnectionError("gone")]
    gated.gate.set()
    writer.add(events[0])
    with pytest.raises(redis.ConnectionError):
        await writer.flush()
    for event in events[1:]:
        writer.add(event)
    await writer.flush()
    assert await gated.read(run_id, 0, 100) == events


async def test_who_adds_hears_what_became_of_an_earlier_event(gated: Gated, run_id: str, pieces: Pieces) -> None:
    writer, events = LogWriter(gated, fence=1), pieces(3)
    gated.gate.set()
    await gated.raise_fence(run_id, 2)
    writer.add(events[0])
    assert writer._sending is not None
    await asyncio.wait({writer._sending})
    with pytest.raises(AppendRefused, match="stale"):
        writer.add(events[1])
    assert await gated.read(run_id, 0, 100) == []


async def test_a_slow_server_fills_the_writer(gated: Gated, pieces: Pieces) -> None:
    writer = LogWriter(gated, fence=1)
    for piece in pieces(AHEAD + 1):
        assert not writer.full
        writer.add(piece)
        await asyncio.sleep(0)
    assert writer.full
    gated.gate.set()
    await writer.flush()
    assert not writer.full
