"""One contract suite: the embedded server always, and the real Redis that `REDIS_URL` names."""

from __future__ import annotations

import os
import uuid
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest

from agent.loop.events import Stamped, TextDelta
from agent.store.connection import make_async, make_sync
from agent.store.event_log import EventLog

SERVERS = ["", os.environ["REDIS_URL"]] if os.environ.get("REDIS_URL") else [""]


@pytest.fixture(params=SERVERS, ids=["embedded", "redis"][: len(SERVERS)])
def url(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
async def client(url: str) -> AsyncIterator[Any]:
    client = make_async(url)
    yield client
    await client.aclose()


@pytest.fixture
def sync(url: str) -> Any:
    return make_sync(url)


@pytest.fixture
def log(client: Any) -> EventLog:
    return EventLog(client)


@pytest.fixture
def run_id() -> str:
    return str(uuid.uuid4())


@pytest.fixture
def pieces(run_id: str) -> Callable[..., list[Stamped]]:
    """Text pieces with contiguous places from `first` on."""

    def make(count: int, first: int = 0) -> list[Stamped]:
        return [
            TextDelta(stage="chat", block_id="chat.speak.1", content=f"片{idx}", index=idx + 1, elapsed=0.0).stamp(
                idx=idx, ts=100.0 + idx, run_id=run_id, conversation_id="c"
            )
            for idx in range(first, first + count)
        ]

    return make
