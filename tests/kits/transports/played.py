"""Conversations over a real socket with a model that plays a script, in the server or behind an endpoint of its own."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any

import httpx

from tests.kits.provider.openai_server import OpenAIServer, Step, decision, silence, text
from tests.kits.transports.students import Frame, Student

Json = dict[str, Any]


class Played(ABC):
    """A student, and what the model of the student's server will answer."""

    def __init__(self, student: Student) -> None:
        self.student = student
        self.task_class = min(row["id"] for row in student.data("/task-class")["list"])

    @abstractmethod
    def play(self, *answers: Any) -> None:
        """Adds answers: decisions, plain text, or None for a model that says nothing."""

    @abstractmethod
    def asked(self) -> list[list[str]]:
        """The messages of every call since `forget`."""

    @abstractmethod
    def forget(self) -> None:
        """A test begins: earlier calls no longer count."""

    @abstractmethod
    def forgive(self) -> None:
        """A call that had no answer is not counted."""


def _steps(answer: Any) -> list[Step]:
    if answer is None:
        return silence()
    return text(answer) if isinstance(answer, str) else decision(answer)


class OverEndpoint(Played):
    """The script is played by an OpenAI-compatible server."""

    def __init__(self, student: Student, endpoint: OpenAIServer) -> None:
        super().__init__(student)
        self.endpoint = endpoint

    def play(self, *answers: Any) -> None:
        self.endpoint.script([_steps(answer) for answer in answers])

    def asked(self) -> list[list[str]]:
        return [[message["content"] for message in body["messages"]] for body in self.endpoint.requests]

    def forget(self) -> None:
        assert self.endpoint.left == 0, "the test before left answers behind"
        self.endpoint.reset()

    def forgive(self) -> None:
        """The endpoint counts the answers that are left, not the calls."""


class InProcess(Played):
    """The script is played by the scripted model inside the web server."""

    def __init__(self, student: Student, script: Path) -> None:
        super().__init__(student)
        self.script, self.log, self._from, self._played = script, script.with_suffix(".asked"), 0, 0

    def play(self, *answers: Any) -> None:
        with self.script.open("a", encoding="utf-8") as file:
            file.writelines(json.dumps(answer, ensure_ascii=False) + "\n" for answer in answers)
        self._played += len(answers)

    def _lines(self) -> list[str]:
        """The whole ones: the last may be under way."""
        return self.log.read_text(encoding="utf-8").split("\n")[:-1] if self.log.exists() else []

    def asked(self) -> list[list[str]]:
        return [[m["content"] for m in json.loads(line)["messages"]] for line in self._lines()[self._from :]]

    def forget(self) -> None:
        self._from = len(self._lines())
        assert self._from == self._played, "the test before left answers behind"

    def forgive(self) -> None:
        self._played += 1


class Conversation:
    """One conversation of a student: each call is one request."""

    def __init__(self, played: Played) -> None:
        self.played, self.student = played, played.student
        self.id = ""
        self.frames: list[Frame] = []
        self.answer: Any = None

    def says(self, message: str, **extra: Any) -> Conversation:
        """A plain message, read to the end of its run."""
        place = {"conversation_id": self.id} if self.id else {}
        self.answer, self.frames = self.student.chat(message, extra=extra, **place)
        self.id = self.answer.headers.get("x-conversation-id", self.id)
        return self

    def resumes(self, action: str, message: str = "", *, interaction_id: str = "", **fields: Any) -> httpx.Response:
        """An explicit answer, to the open interaction unless another is named."""
        given = {"interaction_id": interaction_id or self.pending["interaction_id"], "action": action, **fields}
        self.answer, self.frames = self.student.chat(message, conversation_id=self.id, extra={"resume": given})
        return self.answer

    @property
    def state(self) -> Json:
        found: Json = self.student.data(f"/agent/conversations/{self.id}/state")
        return found

    @property
    def pending(self) -> Json:
        found: Json = self.state["interaction"]
        return found

    @property
    def refusal(self) -> tuple[int, str, Any]:
        """HTTP status, code and data of an answer that was not accepted."""
        body = self.answer.json()
        return self.answer.status_code, body["status"], body["data"]

    def extras(self, kind: str) -> list[Json]:
        """The `extra` of the frames of one kind."""
        return [frame.data["extra"] for frame in self.frames[:-1] if frame.kind == kind]

    @property
    def statuses(self) -> list[str]:
        return [f"{extra['stage']}/{extra['status']['code']}" for extra in self.extras("status")]

    @property
    def tools(self) -> list[tuple[str, str]]:
        """(name, status) of every tool result."""
        return [(extra["tool"]["name"], extra["tool"]["status"]) for extra in self.extras("tool_result")]

    @property
    def fields(self) -> set[str]:
        """The fields that a 40005 names."""
        assert self.answer.status_code == 400, self.answer.text
        return {row["field"] for row in self.answer.json()["data"]["errors"]}

    @property
    def finish(self) -> Json:
        found: Json = self.frames[-2].data["extra"]["finish"]
        return found

    @property
    def places(self) -> dict[int, tuple[int, ...]]:
        """Where the draft has its suggested items."""
        preview = self.student.data("/agent/schedule-preview", conversation_id=self.id)
        names = ("week", "day_of_week", "section_from", "section_to")
        rows = [entry for entry in preview["hybrid_entries"] if entry["status"] == "suggested"]
        return {entry["task_item_id"]: tuple(entry[name] for name in names) for entry in rows}

    @property
    def said(self) -> list[str]:
        """What the student has said, by the timeline."""
        items = self.student.data(f"/agent/conversations/{self.id}/timeline")["items"]
        return [item["content"] for item in items if item["kind"] == "user_text"]


def call(name: str, **arguments: Any) -> Json:
    return {"action": "continue", "tool_call": {"name": name, "arguments": arguments}}


def plan_of(task_class: int, *, build: bool) -> Json:
    steps = [{"content": "整理任务", "done_when": "总览列出全部任务"}]
    more = {"needs_rough_build": True, "needs_refine": False, "task_class_ids": [task_class]} if build else {}
    return {"action": "plan_done", "speak": "我拟了一步。", "steps": steps, **more}


EXECUTE: Json = {"route": "execute"}
DONE: Json = {"action": "done", "goal_check": "完成"}
ASK: Json = {"action": "ask_user", "speak": "还有别的要求吗？"}


def built(played: Played) -> Conversation:
    """A conversation with a first plan."""
    played.play({"route": "execute", "needs_rough_build": True}, "好了。")
    chat = Conversation(played).says("排好，只要初稿", task_class_ids=[played.task_class])
    assert chat.tools == [("smart_planning", "done")]
    return chat


def carded(played: Played) -> tuple[Conversation, int]:
    """A conversation with an open card, and the id of the item that would lose its place."""
    chat = built(played)
    (tool,) = chat.extras("tool_result")
    change = tool["tool"]["changes"][-1]
    played.play(EXECUTE, call("unplace", task_id=change["task_id"]))
    chat.says("把最后一项取下来")
    assert (chat.pending["type"], chat.finish["outcome"]) == ("confirm", "paused")
    return chat, change["task_item_id"]


def planned(played: Played, *, build: bool) -> Conversation:
    """A conversation with the card of a plan."""
    played.play({"route": "plan"}, plan_of(played.task_class, build=build))
    chat = Conversation(played).says("先给计划，只要初稿", task_class_ids=[played.task_class])
    assert chat.extras("confirm_request")[0]["confirm"]["subject"] == "plan"
    return chat


def questioned(played: Played) -> Conversation:
    """A conversation with a question of the execute node."""
    played.play(EXECUTE, {"action": "ask_user", "speak": "哪一门？"})
    return Conversation(played).says("看一下")


def offered(played: Played) -> Conversation:
    """A conversation with a question of the plan node that offers options."""
    options = [{"id": "weekday", "label": "只用工作日"}, {"id": "any", "label": "都可以"}]
    played.play({"route": "plan"}, {"action": "ask_user", "speak": "周末可以吗？", "options": options})
    return Conversation(played).says("先给计划")


def lost(played: Played) -> Conversation:
    """A conversation whose model failed in the execute node of a goal with a draft: it can be taken up again."""
    chat = built(played)
    played.play(EXECUTE)
    chat.says("看一下安排")
    assert (chat.pending["type"], chat.state["last_run"]["status"]) == ("connection_recover", "failed")
    played.forgive()
    return chat
