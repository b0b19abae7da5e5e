"""One account on a real server: its client, its streams, every answer held against the OpenAPI document."""

from __future__ import annotations

import json
import secrets
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import httpx

from tests.kits.agent.cards import check_cards
from tests.kits.transports.document import read_document
from tests.kits.transports.openapi import Witness


@dataclass(frozen=True)
class Frame:
    """One SSE frame: `raw` are its bytes, `id` the idx (None for [DONE]), `data` the parsed JSON (None for [DONE])."""

    raw: bytes
    id: int | None
    data: Any

    @property
    def kind(self) -> str:
        return self.data["extra"]["kind"] if self.data and "extra" in self.data else "error"


def without_pings(body: bytes) -> bytes:
    """A stream without its keep-alive comments: how many there are depends on the speed of the machine."""
    return body.replace(b": ping\n\n", b"")


def parse_frames(body: bytes) -> list[Frame]:
    """The frames of a stream that begin with an id; comments and the retry line are left out."""
    frames = []
    for block in body.split(b"\n\n"):
        lines = block.split(b"\n")
        if lines[0].startswith(b"id: "):
            data = json.loads(lines[1].removeprefix(b"data: "))
            check_cards(data)
            frames.append(Frame(block, int(lines[0][4:]), data))
        elif lines[0] == b"data: [DONE]":
            frames.append(Frame(block, None, None))
    return frames


_passwords: dict[str, dict[str, str]] = {}


_MAKE = """
import json, sys
from django.contrib.auth.models import User
for name, password in json.loads(sys.stdin.read()).items():
    User.objects.create_user(name, password=password)
"""


def passwords_of(server: Any) -> dict[str, str]:
    """The accounts of these tests on a server, all made by one command: they need no timetable."""
    if server.base_url not in _passwords:
        made = {name: secrets.token_urlsafe(12) for name in ("li", "wang", "ming", "leaver")}
        server.manage("shell", "-v0", "-c", _MAKE, stdin=json.dumps(made))
        _passwords[server.base_url] = made
    return _passwords[server.base_url]


def as_documented(response: httpx.Response) -> None:
    """Holds an answer against the OpenAPI document and its cards against their schemas; streams are read by who asked
    for them."""
    if not response.headers["content-type"].startswith("text/event-stream"):
        witness()(response)
    if response.headers["content-type"].startswith("application/json"):
        check_cards(response.json())


@lru_cache(maxsize=1)
def witness() -> Witness:
    return Witness(read_document())


class Student:
    """One account and its token."""

    def __init__(self, server: Any, username: str, password: str = "") -> None:
        self.server = server
        self.username = username
        self.password = password or passwords_of(server)[username]
        answer = httpx.post(
            f"{server.base_url}/api/v1/auth/token", json={"username": username, "password": self.password}
        )
        self.token = answer.json()["data"]["token"]
        self.http = httpx.Client(
            base_url=f"{server.base_url}/api/v1",
            headers={"Authorization": f"Bearer {self.token}"},
            timeout=120,
            event_hooks={"response": [as_documented]},
        )

    def chat(self, message: str = "", **fields: Any) -> tuple[httpx.Response, list[Frame]]:
        """POST /agent/chat, read to its end."""
        headers = fields.pop("headers", {})
        answer = self.http.post("/agent/chat", json={"message": message, **fields}, headers=headers)
        return answer, parse_frames(answer.content)

    def data(self, path: str, **query: Any) -> Any:
        answer = self.http.get(path, params=query)
        assert answer.status_code == 200, answer.text
        return answer.json()["data"]

    def poll_all(self, run_id: str, **query: Any) -> list[Any]:
        """Every event of an ended run, page by page."""
        events: list[Any] = []
        while True:
            page = self.data(f"/tasks/{run_id}", **{"from": len(events), **query})
            events += page["events"]
            if page["status"] != "running":
                return events

    def code(self, method: str, path: str, **request: Any) -> tuple[int, str]:
        answer = self.http.request(method, path, **request)
        assert answer.headers["content-type"] == "application/json; charset=utf-8", answer.text[:300]
        return answer.status_code, answer.json()["status"]
