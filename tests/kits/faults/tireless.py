"""A student whose client asks again: at the other web process, with the same key, from the last event that it has."""

from __future__ import annotations

import itertools
import secrets
import time
from typing import Any

import httpx

from tests.kits.servers.server import Server
from tests.kits.transports.students import Frame, parse_frames

Json = dict[str, Any]
# 40038: an earlier try with this key is still at work; 40075: the conversation has a run that is still under way.
AGAIN = {"40038", "40075", "50004", "50008"}
PATIENCE_S = 180


class Tireless:
    """One account of a deployment whose pieces come and go."""

    def __init__(self, webs: list[Server], username: str, password: str) -> None:
        self.username = username
        body = {"username": username, "password": password}
        token = httpx.post(f"{webs[0].base_url}/api/v1/auth/token", json=body, timeout=60).json()["data"]["token"]
        headers = {"Authorization": f"Bearer {token}"}
        clients = [httpx.Client(base_url=f"{web.base_url}/api/v1", headers=headers, timeout=30) for web in webs]
        self._webs = itertools.cycle(clients)

    def ask(self, method: str, path: str, **request: Any) -> httpx.Response:
        """The first answer that is more than "not now"; every try has the same key."""
        headers = {"Idempotency-Key": secrets.token_hex(8)} if method != "GET" else {}
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            try:
                answer = next(self._webs).request(method, path, headers=headers, **request)
            except httpx.TransportError:
                time.sleep(0.1)
                continue
            assert answer.headers["content-type"].startswith("application/json"), f"{path}: {answer.text[:300]}"
            if answer.status_code == 200 or answer.json()["status"] not in AGAIN:
                return answer
            time.sleep(0.1)
        raise AssertionError(f"{method} {path} had no answer")

    def data(self, method: str, path: str, **request: Any) -> Any:
        answer = self.ask(method, path, **request)
        assert answer.status_code == 200, f"{path}: {answer.text}"
        return answer.json()["data"]

    def follow(self, run_id: str) -> list[Frame]:
        """Every frame of a run to its end; a stream that breaks off is taken up behind its last event."""
        frames: list[Frame] = []
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            for frame in self._read(run_id, after=len(frames) - 1):
                if frame.id is None:
                    return frames
                assert frame.id == len(frames), f"run {run_id}: event {frame.id} behind {len(frames)} events"
                frames.append(frame)
            if frames and self._ended(run_id, len(frames)):
                return frames
        raise AssertionError(f"run {run_id} had no end")

    def _read(self, run_id: str, *, after: int) -> list[Frame]:
        headers = {"Last-Event-ID": str(after)} if after >= 0 else {}
        body = b""
        try:
            with next(self._webs).stream("GET", f"/agent/runs/{run_id}/stream", headers=headers) as answer:
                if answer.status_code != 200:
                    time.sleep(0.1)
                    return []
                for part in answer.iter_bytes():
                    body += part
        except httpx.TransportError:
            time.sleep(0.1)
        return parse_frames(body[: body.rfind(b"\n\n") + 2])

    def _ended(self, run_id: str, known: int) -> bool:
        page = self.data("GET", f"/tasks/{run_id}", params={"from": known})
        return page["status"] != "running" and not page["events"]

    def talk(self, message: str, conversation_id: str = "", **extra: Any) -> str:
        """One request, read to the end of its run; answers the conversation."""
        place = {"conversation_id": conversation_id} if conversation_id else {}
        started = self.data("POST", "/tasks", json={"message": message, "extra": extra, **place})
        self.follow(started["task_id"])
        return str(started["conversation_id"])

    def question(self, conversation_id: str) -> Json | None:
        found: Json | None = self.data("GET", f"/agent/conversations/{conversation_id}/state")["interaction"]
        return found

    def settle(self, conversation_id: str, *, agree: bool = True) -> None:
        """Answers what is open, until nothing is: a run that was cut is resumed, a card approved or refused."""
        while (card := self.question(conversation_id)) is not None:
            kind = card["type"]
            action = "resume" if kind == "connection_recover" else "approve" if agree else "reject"
            answer = {"interaction_id": card["interaction_id"], "type": kind, "action": action}
            if kind == "ask_user":
                self.talk("取消", conversation_id)
            else:
                self.talk("", conversation_id, resume=answer)
