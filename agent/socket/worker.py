"""The worker: a Channels consumer that executes runs."""

from __future__ import annotations

from typing import Any

from channels.consumer import AsyncConsumer

from agent.runs.executor import Executor

Json = dict[str, Any]


class AgentRunConsumer(AsyncConsumer):  # type: ignore[misc]
    """Listens on the channel `agent-runs`. A handler starts a run and returns: it never waits for one."""

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

    async def run_tick(self, message: Json) -> None:
        """Nothing to do: the message has made the consumer, and the consumer beats."""
