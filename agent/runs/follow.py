"""Reading a run: the same events for every reader, live or ended (wire.md 5.6, 6.6, 6.7)."""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any

from agent.loop.events import Stamped, StreamReset
from agent.models import Run
from agent.selectors import items_until, reset_context
from agent.store.archive import archives
from agent.store.connection import async_client
from agent.store.event_log import EventLog
from agent.store.tails import tails
from agent.store.threads import in_thread
from taskclasses.kernel.telemetry.metrics import STREAM_RESETS

AHEAD, AHEAD_BYTES = 200, 256 * 1024
RECHECK_S = 5.0


@dataclass(frozen=True)
class EventPage:
    """Holds some events of a run, and whether more are there already."""

    events: Sequence[Stamped]
    next_offset: int
    has_more: bool
    complete: bool
    """The terminal event has been given, here or before."""


async def run_follow(run: Run, *, start: int = 0) -> AsyncIterator[Stamped]:
    """Yields the events of a run from idx `start` to its terminal event, waiting for those to come.

    Ends at once when nothing is left. A place the log no longer holds is bridged by `stream.reset`.
    """
    async with aclosing(run_follow_batches(run, start=start)) as batches:
        async for batch in batches:
            for stamped in batch:
                yield stamped


async def run_follow_batches(run: Run, *, start: int = 0) -> AsyncGenerator[Sequence[Stamped], None]:
    """Yields as `run_follow` does, but everything that is there is given at once, up to `AHEAD` events or
    `AHEAD_BYTES`."""
    log, position = EventLog(async_client()), start
    stored = await archives.load(str(run.pk))
    if stored is None:
        async with tails().open(str(run.pk)) as tail:
            while stored is None:
                events: Sequence[Stamped] = await tail.wait(position, AHEAD, size=AHEAD_BYTES, timeout_s=RECHECK_S)
                if not events:
                    mine = tail.take_turn(RECHECK_S)
                    stored = await archives.load(str(run.pk)) if mine else archives.held(str(run.pk))
                    continue
                events = await _bridge_gap(log, run, position, events)
                yield events
                position = events[-1].idx + 1
                if events[-1].terminal:
                    return
    while position < stored.end:
        events = await _bridge_gap(log, run, position, stored.read(position, AHEAD, AHEAD_BYTES))
        yield events
        position = events[-1].idx + 1


async def run_page(run: Run, *, start: int, limit: int) -> EventPage:
    """Returns at most `limit` events or `AHEAD_BYTES` from idx `start`, without waiting."""
    log = EventLog(async_client())
    stored = await archives.load(str(run.pk))
    if stored is None:
        found = await log.read(str(run.pk), start, limit, size=AHEAD_BYTES)
    else:
        found = stored.read(start, limit, AHEAD_BYTES)
    events = (await _bridge_gap(log, run, start, found))[:limit]
    end = await log.next_idx(str(run.pk)) if stored is None else stored.end
    if events:
        following = events[-1].idx + 1
        return EventPage(events, following, following < end, events[-1].terminal)
    closed = stored.end if stored is not None else await log.end(str(run.pk))
    return EventPage((), min(start, end), False, closed is not None and closed <= start)


async def anything_left(run: Run, *, start: int) -> bool:
    """Tells whether anything is left: False when the run has ended and no event from idx `start` on exists."""
    stored = await archives.load(str(run.pk))
    end = await EventLog(async_client()).end(str(run.pk)) if stored is None else stored.end
    return end is None or start < end


async def _bridge_gap(log: EventLog, run: Run, start: int, events: Sequence[Stamped]) -> Sequence[Stamped]:
    """Returns `events` up to a gap, or behind a reset when the first of them is later than asked for."""
    if not events or events[0].idx <= start:
        return _before_gap(events)
    held = await log.checkpoint(str(run.pk))
    until, opened = held if held is not None else (events[0].idx - 1, None)
    reset = await in_thread(_reset)(run, start, until, opened)
    return [reset, *_before_gap([event for event in events if event.idx > until])]


def _before_gap(events: Sequence[Stamped]) -> Sequence[Stamped]:
    """Returns the events that follow each other; what lies behind a gap is asked for next, and bridged then."""
    if not events or events[-1].idx - events[0].idx == len(events) - 1:
        return events
    return [event for place, event in enumerate(events) if event.idx == events[0].idx + place]


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
    return event.stamp(idx=until, ts=time.time(), run_id=str(run.pk), conversation_id=str(run.conversation_id))
