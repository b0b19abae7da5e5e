"""Runs that die at a chosen moment, and how they are taken up again."""

from __future__ import annotations

import itertools
from typing import Any

from agent.loop.errors import LeaseLost
from agent.loop.interactions import OpenInteraction
from tests.kits.loop.chat import route
from tests.kits.loop.goals import either


def whole(request: Any) -> Any:
    return route("execute") if request.stage == "chat" else either(request)


def dying_at(number: int) -> Any:
    """A save that finds the lease gone at its n-th call."""
    calls = itertools.count(1)

    def dying(state: Any) -> bool:
        if next(calls) == number:
            raise LeaseLost
        return False

    return dying


def recovery() -> OpenInteraction:
    times = {"created_at": "2026-03-09T00:00:00Z", "expires_at": "2026-03-16T00:00:00Z"}
    return OpenInteraction(id="r", type="connection_recover", subject="recover", resume_node="execute", **times)
