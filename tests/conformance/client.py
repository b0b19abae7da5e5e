"""A client written from the wire documents alone: token, envelopes, the event stream, polling."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from typing import Any

import httpx

Json = dict[str, Any]


class Client:
    """One signed-in API client. Every JSON answer is checked to be an envelope."""

    def __init__(self, base_url: str, username: str, password: str) -> None:
        self.http = httpx.Client(base_url=base_url, timeout=60)
        answer = self.http.post("/api/v1/auth/token", json={"username": username, "password": password})
        assert answer.status_code == 200, answer.text
        self.http.headers["Authorization"] = f"Bearer {answer.json()['data']['token']}"

    def call(self, method: str, path: str, **options: Any) -> httpx.Response:
        answer = self.http.request(method, f"/api/v1{path}", **options)
        if answer.status_code != 204 and "json" in answer.headers.get("content-type", ""):
            assert list(answer.json()) == ["status", "info", "data"], answer.text
        return answer

    def data(self, method: str, path: str, **options: Any) -> Any:
        answer = self.call(method, path, **options)
        assert answer.status_code == 200, (method, path, answer.status_code, answer.text)
        assert answer.json()["status"] == "10000"
        return answer.json()["data"]

    def chat(self, body: Json, **headers: str) -> Chat:
        with self.http.stream("POST", "/api/v1/agent/chat", json=body, headers=headers) as answer:
            return Chat(answer)

    def follow(self, run_id: str, after: int | None = None, start: int = 0) -> Chat:
        headers = {} if after is None else {"Last-Event-ID": str(after)}
        with self.http.stream("GET", f"/api/v1/agent/runs/{run_id}/stream?from={start}", headers=headers) as answer:
            return Chat(answer)

    def poll(self, run_id: str, limit: int = 500) -> list[Json]:
        """All events of a run the way the seed's client reads them: until the status is not `running`."""
        events: list[Json] = []
        offset = 0
        for _ in range(2000):
            page = self.data("GET", f"/tasks/{run_id}?from={offset}&limit={limit}")
            events += page["events"]
            offset = page["next_offset"]
            if page["status"] != "running":
                return events
            time.sleep(0.02)
        raise AssertionError("the run did not end")


class Chat:
    """One event stream read to its end: raw bytes, frames by idx, the parts a seed-style client keeps."""

    def __init__(self, answer: httpx.Response) -> None:
        self.status = answer.status_code
        self.headers = answer.headers
        self.raw = b"".join(answer.iter_raw())
        self.frames = list(_frames(self.raw.decode("utf8")))
        self.done = self.raw.endswith(b"data: [DONE]\n\n")

    @property
    def ids(self) -> list[int]:
        return [idx for idx, _ in self.frames]

    @property
    def chunks(self) -> list[Json]:
        return [chunk for _, chunk in self.frames]

    @property
    def kinds(self) -> list[str]:
        return [chunk["extra"]["kind"] if "extra" in chunk else "error" for chunk in self.chunks]

    def extra(self, kind: str) -> list[Json]:
        return [chunk["extra"] for chunk in self.chunks if chunk.get("extra", {}).get("kind") == kind]

    @property
    def statuses(self) -> list[str]:
        return [extra["status"]["code"] for extra in self.extra("status")]

    @property
    def conversation_id(self) -> str:
        return str(self.headers["x-conversation-id"])

    @property
    def run_id(self) -> str:
        return str(self.headers["x-run-id"])


def _frames(text: str) -> Iterator[tuple[int, Json]]:
    for frame in text.split("\n\n"):
        lines = [line for line in frame.split("\n") if line and not line.startswith((":", "retry:"))]
        if not lines or lines == ["data: [DONE]"]:
            continue
        assert [line.split(" ")[0] for line in lines] == ["id:", "data:"], frame
        yield int(lines[0][4:]), json.loads(lines[1][6:])
