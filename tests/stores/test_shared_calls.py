"""Appends of many runs share round trips: each has its own answer, and none gets that of another."""

from __future__ import annotations

import asyncio
import gc
import uuid
from collections.abc import Callable
from typing import Any
from weakref import ref

import pytest
import redis
from redis.exceptions import NoScriptError, ResponseError

from agent.loop.events import Stamped, TextDelta
from agent.store import keys
from agent.store.connection import make_async
from agent.store.event_log import AppendRefused, EventLog
from agent.store.shared_calls import SharedCalls

Pieces = Callable[..., list[Stamped]]
ECHO = "return ARGV[1]"


def piece(run_id: str, idx: int) -> Stamped:
    text = TextDelta(stage="chat", block_id="chat.speak.1", content=f"{run_id} {idx}", index=idx + 1, elapsed=0.0)
    return text.stamp(idx=idx, ts=1.0, run_id=run_id, conversation_id="c")


class Slow:
    """A client whose round trips begin when they may; it keeps how many calls each had."""

    def __init__(self, client: Any) -> None:
        self.client, self.gate, self.trips = client, asyncio.Event(), []
        self.failures: list[BaseException] = []

    def pipeline(self, **options: Any) -> Any:
        pipeline, outer = self.client.pipeline(**options), self
        whole = pipeline.execute

        async def execute(**how: Any) -> Any:
            outer.trips.append(len(pipeline))
            await outer.gate.wait()
            if outer.failures:
                raise outer.failures.pop(0)
            return await whole(**how)

        pipeline.execute = execute
        return pipeline

    async def script_load(self, script: str) -> Any:
        return await self.client.script_load(script)


@pytest.fixture
async def slow(client: Any) -> Slow:
    await client.script_load(ECHO)
    return Slow(client)


async def test_what_comes_meanwhile_goes_out_together_and_each_gets_its_own(slow: Slow) -> None:
    calls = SharedCalls(ECHO)
    first = asyncio.create_task(calls.call(slow, ["k"], ["first"]))  # type: ignore[arg-type]
    await asyncio.sleep(0.01)
    rest = [asyncio.create_task(calls.call(slow, ["k"], [str(n)])) for n in range(20)]  # type: ignore[arg-type]
    await asyncio.sleep(0.01)
    slow.gate.set()
    assert await first == "first"
    assert await asyncio.gather(*rest) == [str(n) for n in range(20)]
    assert slow.trips == [1, 20]


async def test_a_round_trip_that_fails_is_told_to_all_and_the_next_one_is_tried(slow: Slow) -> None:
    calls = SharedCalls(ECHO)
    slow.failures = [redis.ConnectionError("gone")]
    slow.gate.set()
    both = [calls.call(slow, ["k"], [name]) for name in "ab"]  # type: ignore[arg-type]
    assert [type(one) for one in await asyncio.gather(*both, return_exceptions=True)] == [redis.ConnectionError] * 2
    assert await calls.call(slow, ["k"], ["c"]) == "c"  # type: ignore[arg-type]


async def test_who_gives_up_leaves_the_others_alone(slow: Slow) -> None:
    calls = SharedCalls(ECHO)
    kept, gone = (asyncio.create_task(calls.call(slow, ["k"], [name])) for name in "ab")  # type: ignore[arg-type]
    await asyncio.sleep(0.01)
    gone.cancel()
    slow.gate.set()
    assert await kept == "a"
    with pytest.raises(asyncio.CancelledError):
        await gone


async def test_a_server_that_does_not_know_the_script_is_told_it(client: Any) -> None:
    """A script of its own, since a server that forgets all of them fails the tests beside."""
    calls = SharedCalls(f"{ECHO} -- {uuid.uuid4()}")
    assert await asyncio.gather(*(calls.call(client, ["k"], [name]) for name in "abc")) == ["a", "b", "c"]
    assert await calls.call(client, ["k"], ["d"]) == "d"


async def test_a_call_that_is_refused_refuses_no_other(client: Any) -> None:
    calls = SharedCalls("if ARGV[1] == 'no' then return redis.error_reply('ERR no') end return ARGV[1]")
    answers = await asyncio.gather(
        *(calls.call(client, ["k"], [name]) for name in ("a", "no", "b")), return_exceptions=True
    )
    assert (answers[0], type(answers[1]), answers[2]) == ("a", ResponseError, "b")
    assert not isinstance(answers[1], NoScriptError)


async def test_logs_of_many_runs_keep_their_promises_side_by_side(client: Any) -> None:
    """Twenty runs append at once, and a stale writer of each is refused in the very same round trips."""
    run_ids = [str(uuid.uuid4()) for _ in range(20)]
    logs = [EventLog(client) for _ in run_ids]

    async def write(log: EventLog, run_id: str) -> int:
        await log.append([piece(run_id, 0)], fence=2)
        refused = 0
        for idx in range(1, 30):
            stale = asyncio.create_task(log.append([piece(run_id, idx)], fence=1))
            await log.append([piece(run_id, idx)], fence=2)
            with pytest.raises(AppendRefused, match="stale"):
                await stale
            refused += 1
        return refused

    assert await asyncio.gather(*map(write, logs, run_ids)) == [29] * 20
    for run_id in run_ids:
        assert await logs[0].read(run_id, 0, 100) == [piece(run_id, idx) for idx in range(30)]


async def test_it_keeps_no_client_alive(url: str, run_id: str) -> None:
    client = make_async(url)
    await EventLog(client).append([piece(run_id, 0)], fence=1)
    await client.delete(keys.events(run_id), keys.meta(run_id))
    await client.aclose()
    gone = ref(client)
    del client
    await asyncio.sleep(0)
    gc.collect()
    assert gone() is None
