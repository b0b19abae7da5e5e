"""Servers whose stores, workers and readers fail. The stores are private: other tests never meet the faults."""

from __future__ import annotations

import os
import shlex
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from tests.kits.openai_server import OpenAIServer, Wait, chunk, decision, deltas
from tests.transports.conftest import Frame, Student, parse_frames

ROOT = Path(__file__).resolve().parent.parent.parent
# Leases and sweeps of seconds: a test waits for what takes half a minute in production.
QUICK = {"AGENT_LEASE_S": "2", "AGENT_SWEEP_S": "0.3"}


def until(look: Callable[[], Any], seconds: float = 60) -> Any:
    """The first true answer of `look`."""
    end = time.monotonic() + seconds
    while not (found := look()):
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.05)
    return found


def unready(server: Any) -> list[str]:
    """The checks of `/readyz` that fail; it has to answer within three seconds."""
    answer = httpx.get(f"{server.base_url}/readyz", timeout=3)
    document = answer.json()
    failed = [name for name, outcome in document["checks"].items() if outcome == "failed"]
    assert (answer.status_code, document["status"]) == ((503, "unready") if failed else (200, "ready"))
    return failed


class Daemon:
    """A process of the test's own that can be killed, frozen and started again."""

    def __init__(
        self, command: list[str], *, port: int = 0, pid: int = 0, environment: dict[str, str] | None = None
    ) -> None:
        self.command, self.port, self.pid, self.environment = command, port, pid, environment
        self._child: subprocess.Popen[bytes] | None = None

    def start(self) -> Daemon:
        quiet = subprocess.DEVNULL
        self._child = subprocess.Popen(
            self.command, cwd=ROOT, env=self.environment, stdin=quiet, stdout=quiet, stderr=quiet
        )
        self.pid = self._child.pid
        until(self._listens)
        return self

    def signal(self, number: signal.Signals) -> None:
        os.kill(self.pid, number)

    def kill(self) -> None:
        if not self.pid:
            return
        self.signal(signal.SIGKILL)
        if self._child is not None:
            self._child.wait()
            self._child = None
        until(lambda: not self.port or not self._listens())
        self.pid = 0

    def _listens(self) -> bool:
        if not self.port:
            return True
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0


@pytest.fixture(scope="module")
def redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daemon]:
    """A Redis of one module's own. It keeps nothing on disk: started again it is empty."""
    port, folder = free_port(), tmp_path_factory.mktemp("redis")
    command = ["redis-server", "--port", str(port), "--bind", "127.0.0.1", "--dir", str(folder), "--save", ""]
    daemon = Daemon(command, port=port).start()
    yield daemon
    daemon.kill()


@pytest.fixture(scope="session")
def mariadb() -> Iterator[tuple[Daemon, str]]:
    """A MariaDB of these tests' own and the address of its empty database."""
    service = str(ROOT / "script" / "services")
    printed = subprocess.run([service, "start"], check=True, stdout=subprocess.PIPE, text=True).stdout
    exported = dict(part.split("=", 1) for part in shlex.split(printed)[1:])
    pid = int((Path(exported["SERVICES_DIR"]) / "mariadb" / "pid").read_text())
    command = Path(f"/proc/{pid}/cmdline").read_bytes().decode().split("\0")[:-1]
    port = urlsplit(exported["DATABASE_URL"]).port or 0
    # The throwaway server may forget the last second when it is killed; this one keeps what it committed.
    daemon = Daemon([*command, "--innodb-flush-log-at-trx-commit=1"], port=port, pid=pid)
    daemon.signal(signal.SIGTERM)
    until(lambda: not Path(f"/proc/{pid}").exists())
    daemon.start()
    yield daemon, exported["DATABASE_URL"]
    daemon.kill()
    subprocess.run([service, "stop"], check=True, env={**os.environ, **exported})


@pytest.fixture(scope="module")
def endpoint() -> Iterator[OpenAIServer]:
    with OpenAIServer() as endpoint:
        yield endpoint


@pytest.fixture
def model(endpoint: OpenAIServer) -> OpenAIServer:
    """A scripted model endpoint, empty at the start of each test."""
    endpoint.reset()
    return endpoint


def model_settings(model: OpenAIServer) -> dict[str, str]:
    return {"AGENT_BACKEND": "openai", "OPENAI_BASE_URL": model.base_url, "OPENAI_API_KEY": "x", **QUICK}


def worker_of(server: Any) -> Daemon:
    """A worker process on the stores of a server."""
    return Daemon([sys.executable, "manage.py", "runworker", "agent-runs"], environment=server.environment)


@dataclass
class Talk:
    """A run whose model has said the first half of a sentence; `go` lets it say the other half."""

    student: Student
    run_id: str
    conversation_id: str
    go: threading.Event

    @property
    def status(self) -> str:
        """The run's status; empty while storage is away, which has a code of its own."""
        answer = self.student.http.get(f"/tasks/{self.run_id}")
        if answer.status_code == 200:
            return str(answer.json()["data"]["run_status"])
        assert (answer.status_code, answer.json()["status"]) == (503, "50004"), answer.text
        return ""

    def end(self) -> str:
        self.go.set()
        return str(until(lambda: (status := self.status) not in ("", "queued", "running") and status))

    def frames(self, after: int = -1) -> list[Frame]:
        headers = {"Last-Event-ID": str(after)} if after >= 0 else {}
        return parse_frames(self.student.http.get(f"/agent/runs/{self.run_id}/stream", headers=headers).content)

    def said(self) -> list[str]:
        items = self.student.data(f"/agent/conversations/{self.conversation_id}/timeline")["items"]
        return [item["content"] for item in items if item["kind"] == "assistant_text"]


FIRST, SECOND = "前半句，", "后半句。"


def talk(student: Student, model: OpenAIServer) -> Talk:
    """Starts a run and waits until the first half of its sentence is there."""
    go = threading.Event()
    model.script([[chunk(content='{"route":"direct_reply","speak":"' + FIRST), Wait(go), *deltas([SECOND + '"}'])]])
    started = student.http.post("/tasks", json={"message": "说一句"}).json()["data"]
    run = Talk(student, started["task_id"], started["conversation_id"], go)
    until(lambda: any(e["type"] == "text_chunk" for e in student.data(f"/tasks/{run.run_id}")["events"]))
    return run


def says(student: Student, model: OpenAIServer, sentence: str, **fields: Any) -> str:
    """The answer to a new message, told by a whole stream."""
    model.reset()
    model.script([decision({"route": "direct_reply", "speak": sentence})])
    answer, frames = student.chat("再说一句", **fields)
    assert answer.status_code == 200, answer.text
    assert [frame.id for frame in frames] == [*range(len(frames) - 1), None]
    return "".join(f.data["extra"]["text"]["full_content"] for f in frames[:-1] if f.kind == "text_end")


def connected(student: Student, *, takes: int | None = None) -> socket.socket:
    """A raw connection to the server of a student; `takes` = bytes it holds for a peer that does not read."""
    peer = socket.socket()
    if takes is not None:
        peer.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, takes)
    peer.connect(("127.0.0.1", student.server.port))
    return peer


def opened(student: Student, run_id: str, *, takes: int | None = None) -> socket.socket:
    """A raw connection that has asked for the stream of a run."""
    reader = connected(student, takes=takes)
    lines = [
        f"GET /api/v1/agent/runs/{run_id}/stream HTTP/1.1",
        "Host: 127.0.0.1",
        f"Authorization: Bearer {student.token}",
    ]
    reader.sendall("\r\n".join([*lines, "", ""]).encode())
    return reader


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
