"""How a tool writes what is stored beside the draft: within a time, and told in words when it was not."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import TypeVar

from agent.calls.phrase import say
from agent.calls.values import ToolError
from taskclasses.kernel.errors import CodedError

log = logging.getLogger("agent.tools")

SAVE_SECONDS = 20.0
R = TypeVar("R")


def not_saved() -> ToolError:
    return ToolError("persist_failed", say("没有保存成功，可以稍后重试"))


async def save(
    writing: Awaitable[R], what: str, translate: Callable[[CodedError], ToolError] | None = None
) -> R | ToolError:
    """Returns what a write answers, or why nothing was saved: what `translate` makes of a refusal of the use case,
    else that it failed, which is logged as `what`."""
    try:
        async with asyncio.timeout(SAVE_SECONDS):
            return await writing
    except Exception as error:  # whatever the port's driver raises: nothing was saved, and the student may try again
        if translate is not None and isinstance(error, CodedError):
            return translate(error)
        log.exception("%s failed", what)
        return not_saved()
