"""WebSocket path and worker channel of the agent."""

from __future__ import annotations

from typing import Any

from django.urls import path, re_path

from agent.runs.wake import CHANNEL
from agent.transports.socket.websocket import ConversationConsumer
from agent.transports.socket.worker import AgentRunConsumer


async def refuse(scope: Any, receive: Any, send: Any) -> None:
    """Refuses a WebSocket at any other path before it opens."""
    await send({"type": "websocket.close"})


websocket_urlpatterns = [path("ws/v1/agent", ConversationConsumer.as_asgi()), re_path("", refuse)]  # type: ignore[arg-type]
channels = {CHANNEL: AgentRunConsumer.as_asgi()}
