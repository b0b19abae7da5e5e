"""Waiting for something outside while the student may ask to stop."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import TypeVar

from agent.loop.errors import RunCancelled
from agent.loop.outside.deps import Deps

T = TypeVar("T")


async def await_or_cancel(start: Callable[[], Awaitable[T]], deps: Deps, *, until: float | None = None) -> T:
    """Returns what is started gives. It is dropped with `RunCancelled` as soon as a cancel is seen, with `TimeoutError`
    at `until` (time of the event loop)."""
    if deps.cancelled():
        raise RunCancelled
    clock, poll = asyncio.get_running_loop().time, deps.limits.cancel_poll_s
    task = asyncio.ensure_future(start())
    try:
        while not task.done():
            left = poll if until is None else until - clock()
            if left <= 0:
                raise TimeoutError
            await asyncio.wait({task}, timeout=min(left, poll))
            if not task.done() and deps.cancelled():
                raise RunCancelled
        return task.result()
    finally:
        if not task.done():
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError, Exception):
                await task
