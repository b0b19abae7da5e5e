"""WebSocket path and worker channel of the agent."""

from __future__ import annotations

from django.urls import URLPattern

from agent.consumers import AgentRunConsumer
from agent.runs.wake import CHANNEL

websocket_urlpatterns: list[URLPattern] = []
channels = {CHANNEL: AgentRunConsumer.as_asgi()}
