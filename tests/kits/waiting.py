"""Waiting for what another process does."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

PAUSES_S = (0.02, 0.25)
"""Between two looks, at first and at last: what does not happen at once is not asked for at full speed."""


def until(condition: Callable[[], Any], *, seconds: float = 120) -> Any:
    """Waits for something another process does."""
    end, pause = time.monotonic() + seconds, PAUSES_S[0]
    while time.monotonic() < end:
        found = condition()
        if found:
            return found
        time.sleep(pause)
        pause = min(1.4 * pause, PAUSES_S[1])
    raise AssertionError("it did not happen in time")
