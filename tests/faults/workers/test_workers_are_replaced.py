"""A deployment is rolled over while runs are under way: each ends as it would have, without the student's doing."""

from __future__ import annotations

import json
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests.kits.budgets import KIND
from tests.kits.faults.daemons import Daemon, Worker
from tests.kits.faults.decisions import CHAT, DONE, LOOK, PLAN
from tests.kits.faults.talks import model_settings, talk
from tests.kits.provider.openai_server import OpenAIServer, Step, Wait, chunk, deltas
from tests.kits.transports.students import Frame, Student
from tests.kits.waiting import until

RUNS, ROLLS = (20, 3) if KIND == "long" else (4, 1)
NAMES = ("li", "wang")
STAGES = ("chat", "plan", "execute", "deliver")


def answer_slowly(body: dict[str, Any], seconds: float) -> list[Step]:
    """The model's answer at this point of the plan: one half at once, the other one later."""
    said = json.dumps(body["messages"], ensure_ascii=False)
    documents = {"chat": CHAT, "plan": PLAN, "execute": DONE if LOOK["speak"] in said else LOOK}
    document = documents.get(body["model"])
    words = "这是总结。" if document is None else json.dumps(document, ensure_ascii=False)
    go = threading.Event()
    threading.Timer(seconds, go.set).start()
    return [chunk(content=words[: len(words) // 2]), Wait(go), *deltas([words[len(words) // 2 :]])]


@pytest.fixture(scope="module")
def server(server_factory: Any, redis: Daemon, endpoint: OpenAIServer) -> Iterator[Any]:
    """A web process that only answers and sweeps; each stage has a model of its name."""
    models = {f"AGENT_{stage.upper()}_MODEL": stage for stage in STAGES}
    settings = {**model_settings(endpoint), **models, "AGENT_RUN_IN_WEB": "false", "AGENT_LEASE_S": "20"}
    server = server_factory(REDIS_URL=f"redis://127.0.0.1:{redis.port}/0", **settings)
    yield server
    server.stop(signal.SIGKILL)


@pytest.fixture(scope="module")
def students(server: Any) -> list[Student]:
    return [Student(server, name, server.account(name)) for name in NAMES]


class Deployment:
    """Two workers, each of which is replaced when the deployment is rolled over."""

    def __init__(self, server: Any, drain_s: float) -> None:
        self.server, self.drain_s = server, drain_s
        self.workers = [self._worker(), self._worker()]

    def _worker(self) -> Worker:
        worker = Worker(self.server)
        worker.environment = {**self.server.environment, "AGENT_DRAIN_S": str(self.drain_s)}
        worker.start()
        return worker

    def roll(self) -> None:
        """A new worker comes, then an old one is told to end, as with every release."""
        for _ in range(2):
            self.workers.append(self._worker())
            old = self.workers.pop(0)
            old.signal(signal.SIGTERM)
            assert old.ended() == 0

    def stop(self) -> None:
        for worker in self.workers:
            worker.kill()


def plan(student: Student) -> tuple[list[Frame], Any]:
    """One run, followed from its first event to its last, and the places of its draft."""
    task_class = min(row["id"] for row in student.data("/task-class")["list"])
    answer, frames = student.chat("先列步骤再排", extra={"always_execute": True, "task_class_ids": [task_class]})
    conversation_id = answer.headers["x-conversation-id"]
    entries = student.data("/agent/schedule-preview", conversation_id=conversation_id)["hybrid_entries"]
    fields = ("task_item_id", "week", "day_of_week", "section_from", "section_to")
    assert student.data(f"/agent/conversations/{conversation_id}/state")["interaction"] is None
    return frames, [[entry[name] for name in fields] for entry in entries if entry["status"] == "suggested"]


def told(frames: list[Frame]) -> list[tuple[str, str]]:
    return [(frame.kind, frame.data["extra"]["block_id"]) for frame in frames[:-1] if frame.kind != "assistant_text"]


def rolled(server: Any, students: list[Student], drain_s: float) -> list[tuple[list[Frame], Any]]:
    """What becomes of runs under which the deployment is rolled over."""
    deployment = Deployment(server, drain_s)
    try:
        with ThreadPoolExecutor(RUNS) as readers:
            runs = [readers.submit(plan, students[number % len(students)]) for number in range(RUNS)]
            until(lambda: server.manage("shell", "-v0", "-c", ACTIVE).stdout.strip() == str(RUNS))
            for _ in range(ROLLS):
                deployment.roll()
            return [run.result() for run in runs]
    finally:
        deployment.stop()


ACTIVE = "from agent.models import Run; print(Run.objects.filter(status='running').count())"
ONE_WORKER = "from agent.models import Run; print(Run.objects.filter(fence=1).count())"


def with_one_worker(server: Any) -> int:
    """How many runs of a server had the same worker from their beginning to their end."""
    return int(server.manage("shell", "-v0", "-c", ONE_WORKER).stdout)


@pytest.fixture(scope="module")
def unbroken(server: Any, students: list[Student], endpoint: OpenAIServer) -> tuple[list[Frame], Any]:
    endpoint.reset()
    endpoint.fallback = lambda body: answer_slowly(body, 0)
    worker = Worker(server).start()
    try:
        return plan(students[0])
    finally:
        worker.kill()


def test_runs_that_reach_a_step_in_time_end_as_if_nothing_had_happened(
    server: Any, students: list[Student], model: OpenAIServer, unbroken: tuple[list[Frame], Any]
) -> None:
    model.fallback = lambda body: answer_slowly(body, 1.0)
    before = with_one_worker(server)
    for frames, places in rolled(server, students, drain_s=60):
        assert [frame.id for frame in frames] == [*range(len(frames) - 1), None]
        assert told(frames) == told(unbroken[0])
        assert frames[-2].data["extra"]["finish"] == unbroken[0][-2].data["extra"]["finish"]
        assert places
    assert with_one_worker(server) == before


def test_runs_that_are_cut_in_a_step_do_it_again(
    server: Any, students: list[Student], model: OpenAIServer, unbroken: tuple[list[Frame], Any]
) -> None:
    model.fallback = lambda body: answer_slowly(body, 3.0)
    before = with_one_worker(server)
    for frames, places in rolled(server, students, drain_s=0.1):
        assert [frame.id for frame in frames] == [*range(len(frames) - 1), None]
        assert frames[-2].data["extra"]["finish"]["outcome"] == "completed"
        assert len(builds(frames)) == 1, "no effect happens twice"
        assert places
    assert with_one_worker(server) == before


def builds(frames: list[Frame]) -> list[Any]:
    """The rough builds that were written."""
    results = [frame.data["extra"]["tool"] for frame in frames[:-1] if frame.kind == "tool_result"]
    return [tool for tool in results if tool["name"] == "smart_planning" and tool["status"] == "done"]


def test_a_worker_that_has_lost_redis_can_be_told_to_end(
    server: Any, students: list[Student], model: OpenAIServer, redis: Daemon, tmp_path: Path
) -> None:
    """It is waiting for its runs already, because no news would reach it any more."""
    worker = Worker(server, log=tmp_path / "worker.log")
    worker.environment = {**server.environment, "AGENT_DRAIN_S": "60"}
    worker.start()
    talk(students[0], model)
    redis.kill()
    try:
        until(lambda: "runs are under way" in (tmp_path / "worker.log").read_text())
        worker.signal(signal.SIGTERM)
        assert worker.ended() == 0
    finally:
        redis.start()
