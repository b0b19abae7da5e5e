"""All readers of a run share one tail: nothing is missed, nothing comes twice, on every server."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from typing import Any

import pytest

from agent.loop.events import Stamped
from agent.store import keys, tails
from agent.store.connection import async_client, close_async_client
from agent.store.event_log import EventLog
from agent.store.tails import Tail, Tails

Pieces = Callable[..., list[Stamped]]
PATIENT, COMMANDS = 20.0, 3
BESIDE = 20
"""Connections by which the tests beside this one may change the count; fewer than one for each of its runs."""


@pytest.fixture
async def log(url: str, settings: Any) -> AsyncIterator[EventLog]:
    """The log on the client that the tails of this loop use too."""
    settings.REDIS_URL, settings.REDIS_CONNECTIONS = url, COMMANDS
    yield EventLog(async_client())
    await close_async_client()


@pytest.fixture
async def live() -> Tails:
    return tails.tails()


async def subscribers(run_id: str) -> int:
    """Connections that hear of a run, as the server counts them."""
    (_, count), *_ = await async_client().pubsub_numsub(keys.live(run_id))
    return int(count)


async def until(look: Callable[[], Any]) -> None:
    for _ in range(int(PATIENT * 100)):
        if await look():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("it did not happen in time")


async def reads(live: Tails, run_id: str, count: int, start: int = 0) -> list[int]:
    seen: list[int] = []
    async with live.open(run_id) as tail:
        while len(seen) < count:
            found = await tail.wait(start + len(seen), 3, timeout_s=PATIENT)
            seen += [event.idx for event in found]
    return seen


async def test_waiting_ends_when_an_event_comes(log: EventLog, live: Tails, run_id: str, pieces: Pieces) -> None:
    async with live.open(run_id) as tail:
        waiting = asyncio.create_task(tail.wait(0, 10, timeout_s=PATIENT))
        await until(lambda: subscribers(run_id))
        await log.append(pieces(1), fence=1)
        assert await waiting == pieces(1)
        assert await tail.wait(1, 10, timeout_s=0.01) == []


async def test_what_was_there_before_is_given_first(log: EventLog, live: Tails, run_id: str, pieces: Pieces) -> None:
    await log.append(pieces(5), fence=1)
    async with live.open(run_id) as tail:
        assert await tail.wait(2, 2, timeout_s=PATIENT) == pieces(5)[2:4]


async def test_many_readers_see_the_same_events(log: EventLog, live: Tails, run_id: str, pieces: Pieces) -> None:
    readers = [asyncio.create_task(reads(live, run_id, 20)) for _ in range(5)]
    for piece in pieces(20):
        await log.append([piece], fence=1)
    readers += [asyncio.create_task(reads(live, run_id, 20)) for _ in range(5)]
    assert await asyncio.gather(*readers) == [list(range(20))] * 10


async def test_readers_who_wait_are_given_the_very_same_event(
    log: EventLog, live: Tails, run_id: str, pieces: Pieces
) -> None:
    """What one reader has encoded need not be encoded for the next."""
    async with live.open(run_id) as tail:
        await until(lambda: subscribers(run_id))
        await log.append(pieces(1), fence=1)
        assert await tail.wait(0, 10, timeout_s=PATIENT) == pieces(1)
        readers = [asyncio.create_task(tail.wait(1, 10, timeout_s=PATIENT)) for _ in range(3)]
        await log.append(pieces(1, first=1), fence=1)
        found = [events[0] for events in await asyncio.gather(*readers)]
    assert found[0] is found[1] is found[2]


async def test_readers_of_many_runs_share_one_connection(log: EventLog, live: Tails, run_id: str, pieces: Any) -> None:
    before = len(await async_client().client_list())
    events = [replace(piece, run_id=f"{run_id}-{number}") for number, piece in enumerate(pieces(1) * 30)]
    readers = [asyncio.create_task(reads(live, event.run_id, 1)) for event in events for _ in range(4)]
    for event in events:
        await until(lambda event=event: subscribers(event.run_id))
    assert len(await async_client().client_list()) <= before + COMMANDS + BESIDE
    for event in events:
        await log.append([event], fence=1)
    assert await asyncio.gather(*readers) == [[0]] * 120


async def test_the_subscription_ends_with_the_last_reader(log: EventLog, live: Tails, run_id: str) -> None:
    async with live.open(run_id):
        async with live.open(run_id):
            await until(lambda: subscribers(run_id))
        assert await subscribers(run_id) == 1

    async def gone() -> bool:
        return not await subscribers(run_id)

    await until(gone)


async def test_a_reader_behind_the_kept_events_reads_the_log(
    log: EventLog, live: Tails, run_id: str, pieces: Pieces, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tails, "KEPT", 3)
    async with live.open(run_id) as tail:
        await until(lambda: subscribers(run_id))
        for piece in pieces(10):
            await log.append([piece], fence=1)
        assert await tail.wait(0, 100, timeout_s=PATIENT) == pieces(10)
        assert await tail.wait(8, 100, timeout_s=PATIENT) == pieces(10)[8:]


def sized(events: list[Stamped]) -> list[tuple[Stamped, int]]:
    return [(event, len(event.to_line().encode())) for event in events]


async def test_a_message_that_was_lost_leaves_no_gap(log: EventLog, run_id: str, pieces: Pieces) -> None:
    """Nobody heard of the events 3 and 4, which the log holds."""
    tail = Tail(log, run_id)
    await log.append(pieces(6), fence=1)
    tail.push(sized(pieces(3)))
    tail.push(sized(pieces(1, first=5)))
    assert await tail.wait(3, 100, timeout_s=PATIENT) == pieces(6)[3:]


async def test_what_nobody_published_is_found(log: EventLog, live: Tails, run_id: str, pieces: Pieces) -> None:
    """A worker of an older release appends without a word."""
    async with live.open(run_id) as tail:
        await until(lambda: subscribers(run_id))
        waiting = asyncio.create_task(tail.wait(0, 10, timeout_s=PATIENT))
        (piece,) = pieces(1)
        await async_client().xadd(keys.events(run_id), {"e": piece.to_line()}, id="0-1")
        await async_client().hset(keys.meta(run_id), "next", 1)
        assert await waiting == [piece]


async def test_a_log_that_was_lost_is_read_on_at_a_later_place(
    log: EventLog, live: Tails, run_id: str, pieces: Pieces
) -> None:
    async with live.open(run_id) as tail:
        await until(lambda: subscribers(run_id))
        await log.append(pieces(2), fence=1)
        assert await tail.wait(0, 100, timeout_s=PATIENT) == pieces(2)
        await log.forget(run_id)
        await log.append(pieces(1, first=5_002), fence=2)
        await log.forget(run_id)
        assert [event.idx for event in await tail.wait(2, 100, timeout_s=PATIENT)] == [5_002]


async def test_an_idle_reader_outlives_five_seconds(log: EventLog, live: Tails, run_id: str, pieces: Pieces) -> None:
    """redis-py ends a blocking read after 5 s unless it is told not to."""
    async with live.open(run_id) as tail:
        waiting = asyncio.create_task(tail.wait(0, 10, timeout_s=PATIENT))
        done, _ = await asyncio.wait({waiting}, timeout=5.6)
        assert not done
        await log.append(pieces(1), fence=1)
        assert await asyncio.wait_for(waiting, 10) == pieces(1)
