"""Redis forgets, freezes or dies in the middle of a run: the run ends, what was said stays, the next run is whole."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import time
from collections.abc import Iterator
from typing import Any

import pytest
from redis import RedisError
from redis.asyncio import Redis

from agent.store.connection import FairPool
from tests.kits.faults.daemons import QUICK, Daemon
from tests.kits.faults.talks import FIRST, SECOND, Talk, model_settings, says, talk
from tests.kits.transports.sockets import close_code, events_until_end, send, socket
from tests.kits.transports.students import Student
from tests.kits.waiting import until


@pytest.fixture(scope="module")
def li(server_factory: Any, redis: Daemon, endpoint: Any) -> Iterator[Student]:
    server = server_factory(REDIS_URL=f"redis://127.0.0.1:{redis.port}/0", **model_settings(endpoint))
    yield Student(server, "li")
    server.stop(signal.SIGKILL)


@pytest.fixture
def talking(li: Student, model: Any) -> Iterator[Talk]:
    run = talk(li, model)
    yield run
    run.go.set()


def limit_memory(redis: Daemon, size: str) -> None:
    command = ["redis-cli", "-p", str(redis.port), "CONFIG", "SET", "maxmemory", size]
    subprocess.run(command, check=True, capture_output=True)


def test_a_run_outlives_a_redis_that_forgets_everything(talking: Talk, model: Any, redis: Daemon) -> None:
    subprocess.run(["redis-cli", "-p", str(redis.port), "FLUSHALL"], check=True, capture_output=True)
    assert talking.end() == "succeeded"
    assert talking.said() == [FIRST + SECOND]
    # Until the archive stands a reader is bridged over what the log lost.
    frames = until(lambda: (found := talking.frames())[0].id == 0 and found)
    assert frames[-2].kind == "finish"
    assert [frame.id for frame in frames] == [*range(len(frames) - 1), None]
    assert says(talking.student, model, "好", conversation_id=talking.conversation_id) == "好"


def test_a_run_outlives_a_redis_that_freezes(talking: Talk, model: Any, redis: Daemon) -> None:
    redis.signal(signal.SIGSTOP)
    try:
        assert talking.student.data("/schedule/batches")["list"] == []
    finally:
        redis.signal(signal.SIGCONT)
    assert talking.end() == "succeeded"
    assert talking.said() == [FIRST + SECOND]
    assert says(talking.student, model, "好", conversation_id=talking.conversation_id) == "好"


def test_a_run_outlives_a_redis_that_is_away_for_longer_than_a_lease(talking: Talk, model: Any, redis: Daemon) -> None:
    conversations = len(talking.student.data("/agent/conversations")["list"])
    redis.kill()
    try:
        answer = talking.student.http.post("/tasks", json={"message": "在吗"})
        assert (answer.status_code, answer.json()["status"], answer.headers["retry-after"]) == (503, "50004", "2")
        assert talking.student.http.get("/task-class").status_code == 200
        time.sleep(1.5 * float(QUICK["AGENT_LEASE_S"]))
    finally:
        redis.start()
    assert len(talking.student.data("/agent/conversations")["list"]) == conversations
    assert talking.end() == "succeeded"
    assert talking.said() == [FIRST + SECOND]
    assert talking.frames()[-2].kind == "finish"
    assert says(talking.student, model, "好", conversation_id=talking.conversation_id) == "好"


def test_a_message_that_a_full_redis_refuses_is_not_answered_later(li: Student, model: Any, redis: Daemon) -> None:
    conversation_id = li.data("/agent/conversations")["list"][0]["conversation_id"]
    before = li.data(f"/agent/conversations/{conversation_id}/timeline?limit=500")["items"]
    conversations = li.data("/agent/conversations")["total"]

    limit_memory(redis, "1")
    try:
        for body in ({"message": "在吗"}, {"message": "在吗", "conversation_id": conversation_id}):
            answer = li.http.post("/tasks", json=body)
            assert (answer.status_code, answer.json()["status"], answer.headers["retry-after"]) == (503, "50004", "2")
    finally:
        limit_memory(redis, "0")
    assert li.data("/agent/conversations")["total"] == conversations
    assert li.data(f"/agent/conversations/{conversation_id}/timeline?limit=500")["items"] == before
    assert says(li, model, "好", conversation_id=conversation_id) == "好"


def test_a_run_that_a_full_redis_ends_says_that_its_progress_was_not_kept(
    talking: Talk, model: Any, redis: Daemon
) -> None:
    """Not that something unexpected happened: the student sends it again, and the operator looks at the store."""
    limit_memory(redis, "1")
    try:
        assert talking.end() == "failed"
    finally:
        limit_memory(redis, "0")
    assert talking.student.data(f"/tasks/{talking.run_id}")["error"]["code"] == "50008"
    assert says(talking.student, model, "好", conversation_id=talking.conversation_id) == "好"


def test_a_socket_that_follows_is_told_to_come_again_when_redis_goes(talking: Talk, model: Any, redis: Daemon) -> None:
    with socket(talking.student) as follows, socket(talking.student) as waits:
        assert send(follows, "follow", run_id=talking.run_id)["type"] == "ack"
        redis.kill()
        try:
            assert close_code(follows) == 1012
            with socket(talking.student) as too_early:
                assert close_code(too_early) == 1012
        finally:
            redis.start()
        assert send(waits, "ping")["type"] == "ack"
        assert talking.end() == "succeeded"
        assert send(waits, "follow", run_id=talking.run_id)["type"] == "ack"
        assert json.loads(events_until_end(waits)[-1])["type"] == "task_complete"
    assert says(talking.student, model, "好", conversation_id=talking.conversation_id) == "好"


async def test_who_found_redis_away_makes_no_room_for_more_connections_than_there_may_be(redis: Daemon) -> None:
    """Else commands that come together fail with too many of them, long after Redis is back."""
    pool = FairPool.from_url(f"redis://127.0.0.1:{redis.port}/0", max_connections=1)
    client = Redis.from_pool(pool)
    redis.kill()
    try:
        for _ in range(3):
            with pytest.raises(RedisError):
                await client.ping()
    finally:
        redis.start()
    assert await asyncio.gather(*(client.ping() for _ in range(8))) == [True] * 8
    await client.aclose()
