"""Processes of one machine answer for each other at /metrics, the living as well as the dead."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from typing import Any

import pytest

from tests.kits.faults.daemons import Daemon, Worker
from tests.kits.faults.talks import model_settings, opened, says, talk
from tests.kits.servers.scrape import Sample, scrape
from tests.kits.transports.students import Student
from tests.kits.waiting import until

READERS: Sample = ("smartmate_readers", frozenset({("transport", "sse")}))


def counted(server: Any, name: str, **labels: str) -> float:
    return scrape(server).get((f"smartmate_{name}", frozenset(labels.items())), 0)


@pytest.fixture(scope="module")
def li(server_factory: Any, redis: Daemon, endpoint: Any, tmp_path_factory: Any) -> Iterator[Student]:
    """A student of a web process that executes nothing; a worker does."""
    server = server_factory(
        REDIS_URL=f"redis://127.0.0.1:{redis.port}/0",
        AGENT_RUN_IN_WEB="false",
        PROMETHEUS_MULTIPROC_DIR=str(tmp_path_factory.mktemp("figures") / "made"),
        **model_settings(endpoint),
    )
    worker = Worker(server).start()
    yield Student(server, "li")
    worker.kill()
    server.stop(signal.SIGKILL)


def test_a_web_process_tells_what_a_worker_did(li: Student, model: Any) -> None:
    assert says(li, model, "好") == "好"
    until(lambda: counted(li.server, "runs_total", status="succeeded") == 1)
    assert counted(li.server, "llm_calls_total", stage="chat", outcome="ok") == 1
    assert counted(li.server, "events_total", type="run.finished") == 1
    assert counted(li.server, "http_requests_total", route="/api/v1/agent/chat", method="POST", status="200") == 1


def test_a_killed_process_keeps_its_counts_and_has_no_readers(li: Student, model: Any, server_factory: Any) -> None:
    second = server_factory(**{name: value for name, value in li.server.environment.items() if name.isupper()})
    there = Student(second, li.username, li.password)
    run = talk(li, model)
    reader = opened(there, run.run_id)
    assert reader.recv(1)
    until(lambda: scrape(li.server).get(READERS) == 1)
    asked = counted(second, "http_requests_total", route="/api/v1/auth/token", method="POST", status="200")
    assert asked == 2
    second.stop(signal.SIGKILL)
    assert scrape(li.server).get(READERS, 0) == 0
    assert counted(li.server, "http_requests_total", route="/api/v1/auth/token", method="POST", status="200") == asked
    reader.close()
    assert run.end() == "succeeded"
