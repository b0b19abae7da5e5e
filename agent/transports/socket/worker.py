"""The worker: a Channels consumer that executes runs, and the loop that feeds it."""

from __future__ import annotations

import asyncio
import logging
from functools import partial
from typing import Any

from channels.consumer import AsyncConsumer
from channels.layers import get_channel_layer

from agent.calls.kinds import Json
from agent.runs.executor import Executor
from agent.runs.wake import CHANNEL

logger = logging.getLogger("agent.socket.worker")
RESTART_S = 1.0


class AgentRunConsumer(AsyncConsumer):  # type: ignore[misc]
    """Listens on the channel `agent-runs`. A handler starts a run and returns: it never waits for one."""

    channel_layer_alias = "none of its own"
    """Nobody speaks to one worker: a second channel would wait on Redis for nothing, and fail beside the first."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.executor = Executor()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.executor.start()
        try:
            await super().__call__(scope, receive, send)
        finally:
            await self.executor.stop()

    async def run_wake(self, message: Json) -> None:
        self.executor.take(str(message["run_id"]))


async def execute_runs() -> None:
    """Executes what the channel brings until it is cancelled; then it takes no more, and lets go of what it has.

    A lost connection to the channel is taken up again.
    """
    while True:
        receive = partial(get_channel_layer().receive, CHANNEL)
        try:
            await AgentRunConsumer.as_asgi()({"type": "channel", "channel": CHANNEL}, receive, _nowhere)
        except Exception:
            logger.exception("the executor lost its channel")
        await asyncio.sleep(RESTART_S)


async def _nowhere(message: Any) -> None:
    """Sends nothing: a worker channel has nobody to answer."""
