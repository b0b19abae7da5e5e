"""The newest events of followed runs: one subscription per event loop brings each event to all readers of its run.

What is appended is published (`agent.store.event_log`). A message can be lost with the connection, so a tail knows only
what came without a gap since its subscription was confirmed; everything else is read from the log.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections import deque
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any
from weakref import WeakKeyDictionary

from django.conf import settings
from redis import RedisError
from redis.asyncio.client import PubSub

from agent.loop.events import Stamped
from agent.store import keys
from agent.store.connection import async_client, make_listener
from agent.store.event_log import EventLog, take_bounded

logger = logging.getLogger("agent.store")
KEPT, KEPT_BYTES = 400, 512 * 1024
LOOK_S, RETRY_S = 1.0, 0.5
# Two tasks use one connection: when it breaks, one of them may find the other at work on it.
FAILURES = (RedisError, OSError, RuntimeError)


class Tail:
    """Holds the newest events of one run, contiguous, shared by all its readers on one event loop."""

    def __init__(self, log: EventLog, run_id: str) -> None:
        self.readers = 0
        self._log = log
        self._run_id = run_id
        self._kept: deque[tuple[Stamped, int]] = deque()
        self._size = 0
        self._next: int | None = None
        self._told = 0
        self._news = asyncio.Event()
        self._turn = 0.0

    def take_turn(self, every_s: float) -> bool:
        """Returns True for the first reader who asks in so many seconds: what is asked of SQL is asked for all."""
        now = asyncio.get_running_loop().time()
        if now < self._turn + every_s:
            return False
        self._turn = now
        return True

    def push(self, events: Sequence[tuple[Stamped, int]]) -> None:
        """Takes events with their sizes as stored; what came before a gap is dropped."""
        if self._next is not None and events[0][0].idx != self._next:
            self._clear()
        self._kept.extend(events)
        self._size += sum(size for _, size in events)
        while len(self._kept) > KEPT or (self._size > KEPT_BYTES and len(self._kept) > 1):
            self._size -= self._kept.popleft()[1]
        self._next = self._told = events[-1][0].idx + 1
        self._wake()

    def learn(self, end: int) -> None:
        """Learns that the log ends at idx `end`: readers who were not told of it look for themselves."""
        if end > self._told:
            self._told = end
            self.restart()

    def restart(self) -> None:
        """Makes every reader look at the log again: messages may have been missed."""
        self._clear()
        self._wake()

    async def wait(self, start: int, limit: int, *, size: int | None = None, timeout_s: float) -> list[Stamped]:
        """Reads as `EventLog.read` does, but waits up to `timeout_s` for something to come."""
        clock = asyncio.get_running_loop().time
        end = clock() + timeout_s
        while True:
            news = self._news
            if self._next != start and (found := await self._look(start, limit, size)):
                return found
            if clock() >= end:
                return []
            with suppress(TimeoutError):
                async with asyncio.timeout_at(end):
                    await news.wait()

    async def _look(self, start: int, limit: int, size: int | None) -> list[Stamped]:
        kept = bool(self._kept) and self._kept[0][0].idx <= start
        found = [] if kept else await self._log.read(self._run_id, start, limit, size=size)
        # A log that was lost behind its last message holds nothing of what is kept here.
        return found or take_bounded((row for row in self._kept if row[0].idx >= start), limit, size)

    def _clear(self) -> None:
        self._kept.clear()
        self._size, self._next = 0, None

    def _wake(self) -> None:
        self._news.set()
        self._news = asyncio.Event()


class Tails:
    """Keeps the tails of one event loop, and the one connection that feeds them. It is open while there is a reader."""

    def __init__(self) -> None:
        self._tails: dict[str, Tail] = {}
        self._subscribed: set[str] = set()
        self._subscription: PubSub | None = None
        self._order = asyncio.Lock()
        self._tasks: set[asyncio.Task[None]] = set()
        self._feeding: asyncio.Task[None] | None = None

    @asynccontextmanager
    async def open(self, run_id: str) -> AsyncIterator[Tail]:
        """Opens the tail of a run for one more reader."""
        tail = self._tails.get(run_id)
        if tail is None:
            tail = self._tails[run_id] = Tail(EventLog(async_client()), run_id)
            self._adjust_soon()
        tail.readers += 1
        if self._feeding is None or self._feeding.done():
            self._feeding = asyncio.create_task(self._feed())
        try:
            yield tail
        finally:
            tail.readers -= 1
            if not tail.readers:
                del self._tails[run_id]
                self._adjust_soon()

    def _adjust_soon(self) -> None:
        task = asyncio.create_task(self._adjust())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _adjust(self) -> None:
        """Subscribes to the tails that are open, and to no other. Where that fails, readers look for themselves."""
        async with self._order:
            subscription, wanted = self._subscription, set(self._tails)
            if subscription is None:
                return
            try:
                if wanted - self._subscribed:
                    await subscription.subscribe(*map(keys.live, wanted - self._subscribed))
                if self._subscribed - wanted:
                    await subscription.unsubscribe(*map(keys.live, self._subscribed - wanted))
            except FAILURES as error:
                logger.warning("the subscription to runs could not be changed: %s", error)
            else:
                self._subscribed = wanted

    async def _feed(self) -> None:
        """Passes messages on until the last tail is closed; a lost connection is made anew."""
        clock = asyncio.get_running_loop().time
        while self._tails:
            client = make_listener(settings.REDIS_URL)
            try:
                async with client.pubsub() as self._subscription:
                    await self._adjust()
                    looked = clock()
                    while self._tails and self._subscribed:
                        self._take(await self._subscription.get_message(timeout=LOOK_S))
                        if clock() >= looked + LOOK_S:
                            looked = clock()
                            await self._look()
                    await self._subscription.unsubscribe()
            except FAILURES as error:
                logger.warning("the subscription to %d runs was lost: %s", len(self._tails), error)
                for tail in self._tails.values():
                    tail.restart()
                await asyncio.sleep(RETRY_S)
            finally:
                self._subscription, self._subscribed = None, set()
                await client.aclose()

    async def _look(self) -> None:
        """Asks the logs where they end: a message may be lost, and an older release publishes none."""
        run_ids = list(self._tails)
        for run_id, end in zip(run_ids, await EventLog(async_client()).ends(run_ids), strict=True):
            if run_id in self._tails:
                self._tails[run_id].learn(end)

    def _take(self, message: Any) -> None:
        tail = self._tails.get(keys.run_of_live(message["channel"])) if message else None
        if tail is None:
            return
        if message["type"] == "subscribe":
            tail.restart()
        elif message["type"] == "message":
            tail.push([_parse_line(line) for line in message["data"].split("\n")])


def _parse_line(line: str) -> tuple[Stamped, int]:
    return Stamped.from_document(json.loads(line)), len(line.encode())


_of_loops: WeakKeyDictionary[asyncio.AbstractEventLoop, Tails] = WeakKeyDictionary()


def tails() -> Tails:
    """Returns the tails of the running event loop."""
    return _of_loops.setdefault(asyncio.get_running_loop(), Tails())
