"""HTTP as the demo speaks it: the envelope of the public API, and the stream of a conversation."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from typing import Any

import httpx

Json = dict[str, Any]
START_S = 120


class Failed(Exception):
    """A step did not do what it should."""


class Client:
    """Speaks the envelope; every refusal is an exception with its code."""

    def __init__(self, base: str, locale: str) -> None:
        self.http = httpx.Client(base_url=f"{base}/api/v1", timeout=60, headers={"Accept-Language": locale})

    def wait_until_up(self) -> None:
        limit = time.monotonic() + START_S
        while time.monotonic() < limit:
            try:
                if httpx.get(self.http.base_url.copy_with(path="/healthz"), timeout=2).status_code == 200:
                    return
            except httpx.TransportError:
                time.sleep(0.1)
        raise Failed(f"the server did not come up within {START_S} s")

    def log_in(self, username: str, password: str) -> None:
        token = self.call("POST", "/auth/token", {"username": username, "password": password})["token"]
        self.http.headers["Authorization"] = f"Bearer {token}"

    def send(self, method: str, path: str, body: Json | None = None, key: str = "") -> httpx.Response:
        headers = {"Idempotency-Key": key} if key else {}
        return self.http.request(method, path, json=body, headers=headers)

    def call(self, method: str, path: str, body: Json | None = None, key: str = "") -> Any:
        return self.data_of(self.send(method, path, body, key))

    @staticmethod
    def data_of(response: httpx.Response) -> Any:
        answer = response.json()
        if answer["status"] != "10000":
            raise Failed(f"{response.request.method} {response.request.url.path}: {answer['status']} {answer['info']}")
        return answer["data"]

    def stream(self, body: Json) -> Iterator[Json]:
        """The chunks of POST /agent/chat until [DONE]; a stream that ends without it is a failure."""
        with self.http.stream("POST", "/agent/chat", json=body) as response:
            if response.status_code != 200:
                response.read()
                self.data_of(response)
            for line in response.iter_lines():
                if line == "data: [DONE]":
                    return
                if line.startswith("data:"):
                    yield {**json.loads(line[5:]), "conversation": response.headers["X-Conversation-ID"]}
        raise Failed("the stream ended without [DONE]")
