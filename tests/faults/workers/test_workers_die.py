"""A worker process is killed in each phase of a run: another takes it up, and the result is that of an unbroken run."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from tests.kits.faults.daemons import Daemon, Worker
from tests.kits.faults.decisions import CHAT, DONE, LOOK, PLAN
from tests.kits.faults.talks import model_settings
from tests.kits.provider.openai_server import Answer, Wait, decision, text
from tests.kits.transports.students import Student
from tests.kits.waiting import until

SCRIPT: dict[str, Answer] = {
    "chat": decision(CHAT),
    "plan": decision(PLAN),
    "look": decision(LOOK),
    "done": decision(DONE),
    "deliver": text("总结。"),
}


@pytest.fixture(scope="module")
def server(server_factory: Any, redis: Daemon, endpoint: Any) -> Iterator[Any]:
    """A web process that only answers and sweeps."""
    settings = {**model_settings(endpoint), "AGENT_RUN_IN_WEB": "false"}
    server = server_factory(REDIS_URL=f"redis://127.0.0.1:{redis.port}/0", **settings)
    yield server
    server.stop(signal.SIGKILL)


@pytest.fixture(scope="module")
def worker(server: Any) -> Iterator[Daemon]:
    daemon = Worker(server).start()
    yield daemon
    daemon.kill()


@pytest.fixture(scope="module")
def li(server: Any) -> Student:
    return Student(server, "li", server.account("li"))


def placed(student: Student, conversation_id: str) -> list[Any]:
    entries = student.data("/agent/schedule-preview", conversation_id=conversation_id)["hybrid_entries"]
    fields = ("task_item_id", "week", "day_of_week", "section_from", "section_to")
    return [[entry[name] for name in fields] for entry in entries if entry["status"] == "suggested"]


def ended(student: Student, run_id: str) -> str:
    return str(until(lambda: (p := student.data(f"/tasks/{run_id}"))["status"] != "running" and p["run_status"]))


@pytest.fixture(scope="module")
def unbroken(li: Student, worker: Daemon, endpoint: Any) -> list[Any]:
    endpoint.reset()
    endpoint.script(SCRIPT.values())
    body = {"message": "先列步骤再排", "extra": {"always_execute": True, "task_class_ids": [task_class(li)]}}
    started = li.http.post("/tasks", json=body).json()["data"]
    assert ended(li, started["task_id"]) == "succeeded", li.data(f"/tasks/{started['task_id']}")["events"][-5:]
    assert endpoint.left == 0
    return placed(li, started["conversation_id"])


def task_class(student: Student) -> int:
    return int(min(row["id"] for row in student.data("/task-class")["list"]))


@pytest.mark.parametrize("phase", SCRIPT)
def test_a_killed_worker_changes_nothing_of_the_result(
    li: Student, worker: Daemon, model: Any, unbroken: list[Any], phase: str
) -> None:
    names, never = list(SCRIPT), threading.Event()
    at = names.index(phase)
    model.script([*(SCRIPT[name] for name in names[:at]), [Wait(never)]])
    body = {"message": "先列步骤再排", "extra": {"always_execute": True, "task_class_ids": [task_class(li)]}}
    started = li.http.post("/tasks", json=body).json()["data"]
    until(lambda: len(model.requests) == at + 1)
    worker.kill()
    never.set()
    worker.start()
    assert ended(li, started["task_id"]) == "interrupted"
    model.reset()
    model.script(SCRIPT[name] for name in names[at:])
    conversation_id = started["conversation_id"]
    card = li.data(f"/agent/conversations/{conversation_id}/state")["interaction"]
    resume = {"interaction_id": card["interaction_id"], "type": "connection_recover", "action": "resume"}
    answer, frames = li.chat("", conversation_id=conversation_id, extra={"resume": resume})
    assert answer.status_code == 200, answer.text
    assert frames[-2].data["extra"]["finish"]["outcome"] == "completed", [frame.data for frame in frames[-4:]]
    assert placed(li, conversation_id) == unbroken
