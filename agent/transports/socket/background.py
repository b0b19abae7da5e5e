"""What a serving process does beside answering: it sweeps, and on the embedded default it executes the runs."""

from __future__ import annotations

import asyncio

from django.conf import settings

from agent.runs.executor import Executor
from agent.store.connection import close_async_client
from agent.transports.socket.worker import execute_runs
from schedules.services.planning import planners
from taskclasses.kernel.processes.deadline import END_S, EndDeadline
from taskclasses.kernel.processes.watchdog import keep_saying_alive


class Background:
    """Runs what stands beside the requests, from the first scope of an event loop to its shutdown.

    Started by `lifespan` where the server speaks it (uvicorn), else by the first request (daphne). With a real Redis
    the process only sweeps: `manage.py runworker agent-runs` executes.
    """

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._worker: asyncio.Task[None] | None = None
        self._sweeper: Executor | None = None
        self._alive: asyncio.Task[None] | None = None

    def ensure(self) -> None:
        loop = asyncio.get_running_loop()
        if self._loop is loop:
            return
        self._loop = loop
        self._alive = loop.create_task(keep_saying_alive())
        if settings.AGENT_RUN_IN_WEB:
            self._worker = loop.create_task(execute_runs())
        else:
            self._sweeper = Executor(executes=False)
            self._sweeper.start()

    async def stop(self) -> None:
        """Ends it; a store that answers nothing does not hold the process."""
        deadline = EndDeadline(settings.AGENT_DRAIN_S + END_S)
        deadline.start()
        try:
            if self._alive is not None:
                self._alive.cancel()
            if self._worker is not None:
                self._worker.cancel()
                await asyncio.gather(self._worker, return_exceptions=True)
            if self._sweeper is not None:
                await self._sweeper.stop()
            await asyncio.to_thread(planners().close)
            await close_async_client()
        finally:
            deadline.cancel()
        self._loop = self._worker = self._sweeper = self._alive = None
