"""Nothing happens for longer than the five seconds after which redis-py gives up a blocking read of its own accord."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from typing import Any

import pytest

from tests.kits.faults.daemons import Daemon, Worker
from tests.kits.faults.talks import FIRST, SECOND, model_settings, says, talk
from tests.kits.transports.students import Student

IDLE_S = 6.5


@pytest.fixture(scope="module")
def li(server_factory: Any, redis: Daemon, endpoint: Any) -> Iterator[Student]:
    """A student of a web process beside a worker. The sweep comes too late to help: only the wake-up starts a run."""
    settings = {**model_settings(endpoint), "AGENT_SWEEP_S": "600", "AGENT_LEASE_S": "600"}
    server = server_factory(REDIS_URL=f"redis://127.0.0.1:{redis.port}/0", AGENT_RUN_IN_WEB="false", **settings)
    worker = Worker(server).start()
    yield Student(server, "li")
    worker.kill()
    server.stop(signal.SIGKILL)


def test_a_worker_that_was_idle_is_woken(li: Student, model: Any) -> None:
    assert says(li, model, "早") == "早"
    time.sleep(IDLE_S)
    assert says(li, model, "好") == "好"


def test_a_reader_that_was_idle_is_told_the_rest(li: Student, model: Any) -> None:
    run = talk(li, model)
    with li.http.stream("GET", f"/agent/runs/{run.run_id}/stream") as answer:
        pieces = answer.iter_raw()
        seen = b""
        silent_since = time.monotonic()
        while time.monotonic() - silent_since < IDLE_S:
            seen += next(pieces)
        assert seen.count(b": ping\n\n") >= 1
        run.go.set()
        seen += b"".join(pieces)
    assert seen.endswith(b"data: [DONE]\n\n")
    assert run.said() == [FIRST + SECOND]
