"""Runs that are under way while something fails, and connections that are open meanwhile."""

from __future__ import annotations

import socket
import threading
from dataclasses import dataclass
from typing import Any

from tests.kits.faults.daemons import QUICK
from tests.kits.provider.openai_server import OpenAIServer, Wait, chunk, decision, deltas
from tests.kits.transports.students import Frame, Student, parse_frames
from tests.kits.waiting import until


def model_settings(model: OpenAIServer) -> dict[str, str]:
    return {"AGENT_BACKEND": "openai", "OPENAI_BASE_URL": model.base_url, "OPENAI_API_KEY": "x", **QUICK}


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
