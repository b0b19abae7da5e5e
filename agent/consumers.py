"""Channels consumers: the worker that executes runs, and the WebSocket of a conversation."""

from __future__ import annotations

from typing import Any

from channels.consumer import AsyncConsumer

from agent.executor import Executor


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

    async def run_wake(self, message: dict[str, Any]) -> None:
        self.executor.take(str(message["run_id"]))
