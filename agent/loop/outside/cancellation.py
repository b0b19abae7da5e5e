"""Waiting for something outside while the student may ask to stop."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import TypeVar

from agent.loop.errors import RunCancelled
from agent.loop.outside.deps import Deps

T = TypeVar("T")


async def await_or_cancel(start: Callable[[], Awaitable[T]], deps: Deps) -> T:
    """Returns what is started gives. It is dropped with `RunCancelled` as soon as a cancel is seen."""
    if deps.cancelled():
        raise RunCancelled
    task = asyncio.ensure_future(start())
    try:
        while not task.done():
            await asyncio.wait({task}, timeout=deps.limits.cancel_poll_s)
            if not task.done() and deps.cancelled():
                raise RunCancelled
        return task.result()
    finally:
        if not task.done():
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError, Exception):
                await task


class Watch:
    """Waits many times in the caller's own task, each time as `await_or_cancel`, with one timer for all of them: a task
    and a timer for each piece of a stream would cost more than the piece."""

    def __init__(self, deps: Deps) -> None:
        self._deps, self._loop = deps, asyncio.get_running_loop()
        self._poll = deps.limits.cancel_poll_s
        self._limit: asyncio.Timeout | None = None
        self._until = 0.0
        self._timer = self._loop.call_later(self._poll, self._look)

    def close(self) -> None:
        self._timer.cancel()

    async def wait(self, start: Callable[[], Awaitable[T]], *, until: float) -> T:
        """Returns what is started gives. It is dropped with `RunCancelled`, with `TimeoutError` at `until` (time of the
        event loop)."""
        if self._deps.cancelled():
            raise RunCancelled
        if self._loop.time() >= until:
            raise TimeoutError
        self._until = until
        if until < self._timer.when():
            self._timer.cancel()
            self._timer = self._loop.call_at(until, self._look)
        try:
            async with asyncio.timeout(None) as self._limit:
                return await start()
        except TimeoutError:
            if self._deps.cancelled():
                raise RunCancelled from None
            raise
        finally:
            self._limit = None

    def _look(self) -> None:
        now = self._loop.time()
        if self._limit is not None and (now >= self._until or self._deps.cancelled()):
            self._limit.reschedule(now)
            self._limit = None
        next_look = now + self._poll
        self._timer = self._loop.call_at(min(next_look, self._until) if self._until > now else next_look, self._look)
