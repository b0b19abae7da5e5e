"""Reading a run: the same events for every reader, live or ended (api.md 5.6, 6.6, 6.7)."""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any

from agent.loop.events import Stamped, StreamReset
from agent.models import Run
from agent.selectors import items_until, reset_context
from agent.store import archive
from agent.store.connection import async_client
from agent.store.event_log import EventLog
from agent.store.tails import tails
from agent.store.threads import in_thread
from taskclasses.kernel.metrics import STREAM_RESETS

AHEAD, AHEAD_BYTES = 200, 256 * 1024
RECHECK_S = 5.0


@dataclass(frozen=True)
class Page:
    """Some events of a run, and whether more are there already."""

    events: Sequence[Stamped]
    next_offset: int
    has_more: bool
    complete: bool
    """The terminal event has been given, here or before."""


async def run_follow(run: Run, *, start: int = 0) -> AsyncIterator[Stamped]:
    """The events of a run from idx `start` to its terminal event, waiting for those to come.

    Ends at once when nothing is left. A place the log no longer holds is bridged by `stream.reset`.
    """
    async with aclosing(run_follow_batches(run, start=start)) as batches:
        async for batch in batches:
            for stamped in batch:
                yield stamped


async def run_follow_batches(run: Run, *, start: int = 0) -> AsyncGenerator[Sequence[Stamped], None]:
    """As `run_follow`, but everything that is there is given at once, up to `AHEAD` events or `AHEAD_BYTES`."""
    log, position = EventLog(async_client()), start
    stored = await _archived(str(run.pk))
    if not stored:
        async with tails().open(str(run.pk)) as tail:
            while not stored:
                events: Sequence[Stamped] = await tail.wait(position, AHEAD, size=AHEAD_BYTES, timeout_s=RECHECK_S)
                if not events:
                    stored = await _archived(str(run.pk))
                    continue
                events = await _bridged(log, run, position, events)
                yield events
                position = events[-1].idx + 1
                if events[-1].terminal:
                    return
    while position <= stored[-1].idx:
        events = await _bridged(log, run, position, _batch(stored, position, AHEAD))
        yield events
        position = events[-1].idx + 1


async def run_page(run: Run, *, start: int, limit: int) -> Page:
    """At most `limit` events or `AHEAD_BYTES` from idx `start`, without waiting."""
    log = EventLog(async_client())
    stored = await _archived(str(run.pk))
    found = _batch(stored, start, limit) if stored else await log.read(str(run.pk), start, limit, size=AHEAD_BYTES)
    events = (await _bridged(log, run, start, found))[:limit]
    end = stored[-1].idx + 1 if stored else await log.next_idx(str(run.pk))
    if events:
        following = events[-1].idx + 1
        return Page(events, following, following < end, events[-1].terminal)
    return Page((), min(start, end), False, stored is not None)


async def anything_left(run: Run, *, start: int) -> bool:
    """False when the run has ended and no event from idx `start` on exists."""
    stored = await _archived(str(run.pk))
    end = stored[-1].idx + 1 if stored else await EventLog(async_client()).end(str(run.pk))
    return end is None or start < end


async def _bridged(log: EventLog, run: Run, start: int, events: Sequence[Stamped]) -> Sequence[Stamped]:
    """`events` as they are, or behind a reset when the first of them is later than asked for."""
    if not events or events[0].idx <= start:
        return events
    held = await log.checkpoint(str(run.pk))
    until, opened = held if held is not None else (events[0].idx - 1, None)
    reset = await in_thread(_reset)(run, start, until, opened)
    return [reset, *(event for event in events if event.idx > until)]


def _reset(run: Run, start: int, until: int, opened: dict[str, Any] | None) -> Stamped:
    STREAM_RESETS.inc()
    context = reset_context(run)
    event = StreamReset(
        stage="chat",
        block_id="chat.reset",
        folded_from=start,
        folded_to=until,
        items=items_until(run, until),
        open_block=opened,
        **context,
    )
    return event.stamped(idx=until, ts=time.time(), run_id=str(run.pk), conversation_id=str(run.conversation_id))


def _batch(stored: Sequence[Stamped], start: int, limit: int) -> Sequence[Stamped]:
    """What `EventLog.read` would give of an archive: bounded by number and by bytes as stored."""
    found: list[Stamped] = []
    taken = 0
    for event in (event for event in stored if event.idx >= start):
        taken += len(event.to_line().encode())
        if len(found) == limit or (found and taken > AHEAD_BYTES):
            break
        found.append(event)
    return found


async def _archived(run_id: str) -> Sequence[Stamped] | None:
    """The archive of an ended run, None while it has none. What is archived never changes."""
    held = _cache.get(run_id)
    if held is None:
        held = await in_thread(archive.get)(run_id)
        if held:
            _cache.put(run_id, held)
    return held or None


class _Recent:
    """The archives read last; an archive is small beside the cost of inflating it for every poll."""

    def __init__(self, size: int = 32) -> None:
        self._held: dict[str, Sequence[Stamped]] = {}
        self._size = size

    def get(self, run_id: str) -> Sequence[Stamped] | None:
        return self._held.get(run_id)

    def put(self, run_id: str, events: Sequence[Stamped]) -> None:
        if len(self._held) >= self._size:
            self._held.pop(next(iter(self._held)))
        self._held[run_id] = events


_cache = _Recent()
