"""A request to stop reaches the run it is for; all runs of a process are asked after together."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import ExitStack
from typing import Any

import pytest

from agent.store import keys
from agent.store.cancel_flags import cancel_flags
from agent.store.connection import async_client, close_async_client

PATIENT = 20.0


@pytest.fixture
async def client(url: str, settings: Any) -> AsyncIterator[Any]:
    settings.REDIS_URL = url
    yield async_client()
    await close_async_client()


async def test_only_the_run_that_is_asked_to_stop_is_told(client: Any, run_id: str) -> None:
    told, other = asyncio.Event(), asyncio.Event()
    with cancel_flags().watch(run_id, told.set), cancel_flags().watch(f"{run_id}-2", other.set):
        await client.set(keys.cancel(run_id), 1, ex=60)
        await asyncio.wait_for(told.wait(), PATIENT)
        assert not other.is_set()
        await client.set(keys.cancel(f"{run_id}-2"), 1, ex=60)
        await asyncio.wait_for(other.wait(), PATIENT)


async def test_a_request_that_was_there_before_is_seen(client: Any, run_id: str) -> None:
    told = asyncio.Event()
    await client.set(keys.cancel(run_id), 1, ex=60)
    with cancel_flags().watch(run_id, told.set):
        await asyncio.wait_for(told.wait(), PATIENT)


async def test_many_runs_cost_one_question(client: Any, run_id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    mget = client.mget

    async def counted(names: list[str]) -> Any:
        asked.append(len(names))
        return await mget(names)

    monkeypatch.setattr(client, "mget", counted)
    told = [asyncio.Event() for _ in range(30)]
    with ExitStack() as watches:
        for number, event in enumerate(told):
            watches.enter_context(cancel_flags().watch(f"{run_id}-{number}", event.set))
        await client.set(keys.cancel(f"{run_id}-29"), 1, ex=60)
        await asyncio.wait_for(told[29].wait(), PATIENT)
    assert asked[0] == 30
    assert len(asked) < 30
