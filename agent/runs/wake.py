"""Telling an executor that a run is waiting. The message may be lost: the sweep finds queued rows."""

from __future__ import annotations

import logging

from channels.exceptions import ChannelFull
from channels.layers import get_channel_layer

CHANNEL = "agent-runs"
logger = logging.getLogger("agent.runs")


async def wake(run_id: str) -> None:
    """Asks any executor to take the run."""
    await _send({"type": "run.wake", "run_id": run_id})


async def tick() -> None:
    """Asks an executor to show that it is there."""
    await _send({"type": "run.tick"})


async def _send(message: dict[str, str]) -> None:
    layer = get_channel_layer()
    if layer is None:
        return
    try:
        await layer.send(CHANNEL, message)
    except ChannelFull:
        logger.warning("no executor reads %s; the sweep will find queued runs", CHANNEL)
