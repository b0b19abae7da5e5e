"""A web process that executes runs itself is told to end: runs end in time, or are closed with their whole log."""

from __future__ import annotations

import signal
import threading
from typing import Any

from tests.kits.faults.talks import FIRST, SECOND, model_settings, talk
from tests.kits.provider.openai_server import OpenAIServer
from tests.kits.transports.students import Student
from tests.kits.waiting import until


def started(server_factory: Any, model: OpenAIServer, drain_s: float) -> Student:
    settings = {**model_settings(model), "AGENT_DRAIN_S": str(drain_s), "AGENT_LEASE_S": "20"}
    return Student(server_factory(REDIS_URL="", **settings), "ming")


def restart(student: Student) -> None:
    student.server.stop(signal.SIGTERM)
    student.server.start()


def test_a_run_that_ends_in_time_ends_as_it_would_have(server_factory: Any, script: OpenAIServer) -> None:
    ming = started(server_factory, script, drain_s=60)
    run = talk(ming, script)
    threading.Timer(1.0, run.go.set).start()
    restart(ming)
    page = ming.data(f"/tasks/{run.run_id}")
    assert (page["run_status"], run.said()) == ("succeeded", [FIRST + SECOND])


def test_a_run_that_does_not_is_closed_and_nothing_of_its_log_is_lost(
    server_factory: Any, script: OpenAIServer
) -> None:
    ming = started(server_factory, script, drain_s=0.2)
    run = talk(ming, script)
    restart(ming)
    events = ming.poll_all(run.run_id)
    assert [event["idx"] for event in events] == list(range(len(events)))
    assert [event["type"] for event in events][-4:] == ["text_end", "interrupt", "status", "task_complete"]
    assert until(lambda: run.status) == "interrupted"
    state = ming.data(f"/agent/conversations/{run.conversation_id}/state")
    assert state["interaction"]["type"] == "connection_recover"
