"""Steps that are not broken off half-way."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

R = TypeVar("R")


async def run_whole(work: Coroutine[Any, Any, R]) -> R:
    """Returns the result of `work`, which runs to its end even when the caller is cancelled; then the caller still
    is."""
    task = asyncio.ensure_future(work)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait({task})
        if not task.cancelled():
            task.exception()  # looked at: who is cancelled hears of nothing else
        raise
