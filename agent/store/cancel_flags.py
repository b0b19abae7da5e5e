"""Requests to stop as the process that executes runs sees them: one look at Redis for all runs of an event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from weakref import WeakKeyDictionary

from redis import RedisError

from agent.store import keys
from agent.store.connection import async_client

LOOK_S, LOOK_LIMIT_S = 0.25, 1.0


class CancelFlags:
    """Watches the runs of one event loop. It looks while there is one."""

    def __init__(self) -> None:
        self._watched: dict[str, Callable[[], None]] = {}
        self._looking: asyncio.Task[None] | None = None

    @contextmanager
    def watch(self, run_id: str, tell: Callable[[], None]) -> Iterator[None]:
        """Calls `tell` once the run is asked to stop."""
        self._watched[run_id] = tell
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self._look())
        try:
            yield
        finally:
            self._watched.pop(run_id, None)

    async def _look(self) -> None:
        client = async_client()
        while self._watched:
            await asyncio.sleep(LOOK_S)
            run_ids = list(self._watched)
            if not run_ids:
                return
            with suppress(RedisError, OSError, TimeoutError):
                async with asyncio.timeout(LOOK_LIMIT_S):
                    found = await client.mget([keys.cancel(run_id) for run_id in run_ids])
                for run_id, flag in zip(run_ids, found, strict=True):
                    if flag and (tell := self._watched.pop(run_id, None)):
                        tell()


_of_loops: WeakKeyDictionary[asyncio.AbstractEventLoop, CancelFlags] = WeakKeyDictionary()


def cancel_flags() -> CancelFlags:
    """Returns the flags of the running event loop."""
    return _of_loops.setdefault(asyncio.get_running_loop(), CancelFlags())
