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
from agent.runs.recovery.sweep import run_recover
from agent.store import keys
from agent.store.connection import async_client, is_embedded

logger = logging.getLogger("agent.runs.executor")
HEARTBEAT_KEPT_S = 20
"""How long one heartbeat counts."""


def owner_name() -> str:
    """Names this process in the leases it holds."""
    return f"{socket.gethostname()[:30]}:{os.getpid()}:{uuid.uuid4().hex[:8]}"


class Executor:
    """Executes the runs of one event loop. Started once, stopped once; `take` never waits for a run."""

    def __init__(self, *, executes: bool = True) -> None:
        self.owner = owner_name()
        self._executes = executes
        self._stopping = False
        self._runs: set[asyncio.Task[None]] = set()
        self._beat: asyncio.Task[None] | None = None

    def start(self) -> None:
        if self._beat is None:
            if self._executes:
                shared_model()  # its client library takes long to import: before the first run, not during it
            self._beat = asyncio.create_task(self._keep_beating())

    def take(self, run_id: str) -> None:
        """Executes a run as a detached task. Who is stopping takes no more: the sweep tells another."""
        if self._stopping:
            return
        # What an embedded server holds is gone with its process: nobody could go on from there.
        leaving = None if is_embedded() else self._is_leaving
        task = asyncio.create_task(run_execute(run_id, owner=self.owner, leaving=leaving))
        self._runs.add(task)
        task.add_done_callback(self._runs.discard)

    def _is_leaving(self) -> bool:
        return self._stopping

    async def stop(self) -> None:
        """Lets runs end, or hand themselves over, for `AGENT_DRAIN_S`; what is left is cut. Cancelling cuts at once."""
        self._stopping = True
        if self._beat is not None:
            self._beat.cancel()
        runs = set(self._runs)
        if not runs:
            return
        logger.info("%d runs are under way and have %.0f s", len(runs), settings.AGENT_DRAIN_S)
        try:
            await asyncio.wait(runs, timeout=settings.AGENT_DRAIN_S)
        finally:
            await self._cut(runs)

    async def _cut(self, runs: set[asyncio.Task[None]]) -> None:
        for task in runs:
            task.cancel()
        await asyncio.gather(*runs, return_exceptions=True)
        if is_embedded():
            await run_recover(owner=self.owner)  # what was cut is closed while its log is still there

    async def _heartbeat(self) -> None:
        """Says that an executor lives."""
        if self._executes:
            await async_client().set(keys.EXECUTOR_HEARTBEAT, self.owner, ex=HEARTBEAT_KEPT_S)

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
