"""The executing side of one process: detached runs, heartbeat and sweep, apart from whoever asked for them."""

from __future__ import annotations

import asyncio
import logging
import os
import socket
import uuid

from django.conf import settings

from agent.runs.execution.deps import shared_model
from agent.runs.execution.execute import run_execute
from agent.runs.recover import run_recover
from agent.runs.wake import tick
from agent.store import keys
from agent.store.connection import async_client

logger = logging.getLogger("agent.runs.executor")
STOP_S = 20.0
HEARTBEAT_KEPT_S, SILENT_S = 20, 10.0
"""How long one heartbeat counts, and after which time a sweeper calls for the next one."""


def owner_name() -> str:
    """Names this process in the leases it holds."""
    return f"{socket.gethostname()[:30]}:{os.getpid()}:{uuid.uuid4().hex[:8]}"


class Executor:
    """Runs of one event loop. Started once, stopped once; `take` never waits for a run."""

    def __init__(self, *, executes: bool = True) -> None:
        self.owner = owner_name()
        self._executes = executes
        self._runs: set[asyncio.Task[None]] = set()
        self._beat: asyncio.Task[None] | None = None

    def start(self) -> None:
        if self._beat is None:
            if self._executes:
                shared_model()  # its client library takes long to import: before the first run, not during it
            self._beat = asyncio.create_task(self._keep_beating())

    def take(self, run_id: str) -> None:
        """Executes a run as a detached task."""
        task = asyncio.create_task(run_execute(run_id, owner=self.owner))
        self._runs.add(task)
        task.add_done_callback(self._runs.discard)

    async def stop(self) -> None:
        """Lets running runs end for a while, then gives their leases up at once."""
        if self._beat is not None:
            self._beat.cancel()
        if self._runs:
            await asyncio.wait(set(self._runs), timeout=STOP_S)
        for task in set(self._runs):
            task.cancel()
        await asyncio.gather(*self._runs, return_exceptions=True)

    async def _heartbeat(self) -> None:
        """An executor says that it lives; who only sweeps calls for one that has not been heard of lately.

        A worker process makes its consumer with the first message, so a fresh one would stay silent until a run.
        """
        if self._executes:
            await async_client().set(keys.EXECUTOR_HEARTBEAT, self.owner, ex=HEARTBEAT_KEPT_S)
            return
        left_ms = await async_client().pttl(keys.EXECUTOR_HEARTBEAT)
        if left_ms < (HEARTBEAT_KEPT_S - SILENT_S) * 1000:
            await tick()

    async def _keep_beating(self) -> None:
        while True:
            try:
                await self._heartbeat()
                swept = await run_recover(owner=self.owner)
                if not swept.empty:
                    logger.info("sweep: %s", swept)
            except Exception:
                logger.exception("the sweep failed; the next one tries again")
            await asyncio.sleep(settings.AGENT_SWEEP_S)
