"""Telling an executor that a run is waiting. The message may be lost: the sweep finds queued rows."""

from __future__ import annotations

import logging

from channels.exceptions import ChannelFull
from channels.layers import get_channel_layer
from redis import RedisError

CHANNEL = "agent-runs"
logger = logging.getLogger("agent.runs")


async def wake(run_id: str) -> None:
    """Asks any executor to take the run."""
    message = {"type": "run.wake", "run_id": run_id}
    layer = get_channel_layer()
    if layer is None:
        return
    for left in (1, 0):  # a pooled connection may have been closed meanwhile: the second try opens a new one
        try:
            await layer.send(CHANNEL, message)
            return
        except ChannelFull:
            break
        except (RedisError, OSError) as error:
            if not left:
                logger.warning("the wake-up on %s failed: %s", CHANNEL, error)
    logger.warning("nobody was told of %s; the sweep finds queued runs", message)
