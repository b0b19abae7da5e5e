"""A store freezes (SIGSTOP): every request is answered within five seconds, and all is well once it goes on."""

from __future__ import annotations

import signal
import subprocess
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest
import websockets.sync.client
from redis import Redis
from websockets.exceptions import InvalidStatus

from agent.store.keys import EXECUTOR_HEARTBEAT
from tests.kits.faults.daemons import Daemon, Worker
from tests.kits.faults.readiness import unready
from tests.kits.faults.talks import FIRST, SECOND, Talk, model_settings, says, talk
from tests.kits.transports.students import Student
from tests.kits.waiting import until

ASKED = (
    ("GET", "/task-class", None),
    ("GET", "/schedule/batches", None),
    ("GET", "/agent/conversations", None),
    ("POST", "/task-class", {"name": "杂事", "mode": "manual"}),
    ("POST", "/tasks", {"message": "你好"}),
    ("POST", "/agent/chat", {"message": "你好"}),
    ("POST", "/auth/token", {"username": "li", "password": "wrong"}),
)
LIMIT_S = 5


@pytest.fixture(scope="module")
def li(server_factory: Any, redis: Daemon, mariadb: tuple[Daemon, str], endpoint: Any) -> Iterator[Student]:
    """A student of a web process beside a worker, with rate limits as in production."""
    stores = {"REDIS_URL": f"redis://127.0.0.1:{redis.port}/0", "DATABASE_URL": mariadb[1]}
    settings = {**model_settings(endpoint), "RATE_LIMITS": "on"}
    server = server_factory(AGENT_RUN_IN_WEB="false", **stores, **settings)
    worker = Worker(server).start()
    until(lambda: unready(server) == [])
    yield Student(server, "li")
    worker.kill()
    server.stop(signal.SIGKILL)
    server_factory.prove(server)


@pytest.fixture(params=["redis", "database"])
def frozen(request: pytest.FixtureRequest, redis: Daemon, mariadb: tuple[Daemon, str]) -> Iterator[Daemon]:
    """One of the two stores; it goes on after the test in any case."""
    store = redis if request.param == "redis" else mariadb[0]
    yield store
    store.signal(signal.SIGCONT)


def answer_of(student: Student, method: str, path: str, body: Any) -> tuple[int, str]:
    headers = {"Authorization": f"Bearer {student.token}", "Idempotency-Key": f"frozen{path}"}
    url = f"{student.server.base_url}/api/v1{path}"
    answer = httpx.request(method, url, json=body, headers=headers, timeout=LIMIT_S)
    if answer.headers["content-type"].startswith("text/event-stream"):
        return answer.status_code, "stream"
    return answer.status_code, answer.json()["status"]


def shaken(student: Student) -> int:
    """The status of a handshake."""
    address = student.server.base_url.replace("http", "ws") + "/ws/v1/agent"
    headers = {"Authorization": f"Bearer {student.token}"}
    try:
        with websockets.sync.client.connect(address, additional_headers=headers, open_timeout=LIMIT_S):
            return 101
    except InvalidStatus as refusal:
        return refusal.response.status_code


def page_of(student: Student) -> int:
    data = {"username": "li", "password": "wrong"}
    return httpx.post(f"{student.server.base_url}/login", data=data, timeout=LIMIT_S).status_code


def test_every_request_is_answered_while_a_store_is_frozen(li: Student, frozen: Daemon, model: Any) -> None:
    run: Talk = talk(li, model)
    frozen.signal(signal.SIGSTOP)
    try:
        with ThreadPoolExecutor(len(ASKED) + 2) as clients:
            answers = [clients.submit(answer_of, li, *asked) for asked in ASKED]
            handshake, page = clients.submit(shaken, li), clients.submit(page_of, li)
            told = [answer.result() for answer in answers]
            assert set(told) <= {(200, "10000"), (401, "40014"), (503, "50004")}, told
            assert handshake.result() in (101, 503)
            assert page.result() in (403, 503)
        assert (503, "50004") in told
        for cookies in ({}, {"sessionid": "of-a-browser"}):
            assert httpx.get(f"{li.server.base_url}/healthz", timeout=1, cookies=cookies).status_code == 200
        assert unready(li.server) != []
    finally:
        frozen.signal(signal.SIGCONT)
    until(lambda: unready(li.server) == [])
    assert run.end() == "succeeded"
    assert run.said() == [FIRST + SECOND]
    for method, path, body in ASKED[:4]:
        until(lambda asked=(method, path, body): answer_of(li, *asked) == (200, "10000"))
    until(lambda: shaken(li) == 101)
    assert says(li, model, "好", conversation_id=run.conversation_id) == "好"
    # Clients of requests that were given up have left by now.
    assert "never retrieved" not in li.server.log.read_text()


def test_a_worker_that_is_told_to_end_ends_while_redis_is_frozen(li: Student, redis: Daemon, model: Any) -> None:
    settings = {**li.server.environment, "AGENT_DRAIN_S": "1"}
    worker = Worker(li.server, environment=settings).start()
    client = Redis.from_url(settings["REDIS_URL"], decode_responses=True)
    until(lambda: f":{worker.pid}:" in (client.get(EXECUTOR_HEARTBEAT) or ""))
    runs = [talk(li, model) for _ in range(4)]  # some of them in either worker
    redis.signal(signal.SIGSTOP)
    try:
        worker.signal(signal.SIGTERM)
        worker.ended()
    finally:
        redis.signal(signal.SIGCONT)
    assert {run.end() for run in runs} <= {"succeeded", "interrupted"}


def test_a_full_redis_is_not_ready(li: Student, redis: Daemon) -> None:
    def limited(size: str) -> None:
        subprocess.run(
            ["redis-cli", "-p", str(redis.port), "CONFIG", "SET", "maxmemory", size], check=True, capture_output=True
        )

    limited("1")
    try:
        until(lambda: "redis" in unready(li.server))
    finally:
        limited("0")
    until(lambda: unready(li.server) == [])


def test_a_probe_names_the_silent_store_however_many_wait_for_it(li: Student, frozen: Daemon) -> None:
    """Others have asked after the stores already, and are refused: a probe is answered with its checks all the same."""
    frozen.signal(signal.SIGSTOP)
    with ThreadPoolExecutor(40) as pool:
        waiting = [pool.submit(answer_of, li, "POST", "/tasks", {"message": "你好"}) for _ in range(8)]
        probes = []
        for _ in range(30):
            probes.append(pool.submit(httpx.get, f"{li.server.base_url}/readyz", timeout=LIMIT_S))
            time.sleep(0.1)
        for probe in probes:
            answer = probe.result()
            assert answer.status_code == 503
            assert answer.headers["content-type"] == "application/json", answer.text
            assert "failed" in answer.json()["checks"].values()
        assert (503, "50004") in {one.result() for one in waiting}
