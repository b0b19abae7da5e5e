"""A web process dies, or is very slow, between the claim of a key and its effect: what a retry with that key meets."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import httpx
import pytest

from tests.kits.faults.daemons import Daemon
from tests.kits.faults.databases import connected, waiting
from tests.kits.transports.students import Student
from tests.kits.waiting import until

RETRY_S = 10


@pytest.fixture(scope="module")
def li(server_factory: Any, mariadb: tuple[Daemon, str]) -> Iterator[Student]:
    server = server_factory(AGENT_BACKEND="offline", DATABASE_URL=mariadb[1], REDIS_URL="")
    yield Student(server, "li", server.account("li"))
    server.stop(signal.SIGKILL)
    server_factory.prove(server)


class Stuck:
    """A write that waits for rows which another connection holds: it has its claim, and no effect yet."""

    def __init__(self, student: Student, address: str, key: str) -> None:
        self._student, self._key = student, key
        self.answers: list[httpx.Response] = []
        self._holder, watcher = connected(address), connected(address)
        watcher.autocommit(True)
        made = student.http.post("/task-class", json={"name": "杂事", "mode": "manual"}).json()["data"]["id"]
        self._request = ("PUT", f"/task-class/{made}", {"name": key, "mode": "manual"})
        self._holder.cursor().execute("SELECT * FROM taskclasses_taskclass FOR UPDATE")
        self._sender = threading.Thread(target=self._send_quietly)
        self._sender.start()
        until(lambda: waiting(watcher) == 1)
        watcher.close()

    def send(self) -> httpx.Response:
        method, path, body = self._request
        return self._student.http.request(method, path, json=body, headers={"Idempotency-Key": self._key})

    def _send_quietly(self) -> None:
        with suppress(httpx.HTTPError):
            self.answers.append(self.send())

    def let_go(self) -> None:
        self._holder.rollback()
        self._holder.close()

    def join(self) -> None:
        self._sender.join()


def code(answer: httpx.Response) -> str:
    return str(answer.json()["status"])


def test_a_retry_after_a_kill_succeeds_soon(li: Student, mariadb: tuple[Daemon, str]) -> None:
    write = Stuck(li, mariadb[1], "killed")
    li.server.stop(signal.SIGKILL)
    write.join()
    write.let_go()
    assert not write.answers
    li.server.start()
    until(lambda: code(write.send()) == "10000", seconds=RETRY_S)


def test_a_slow_request_keeps_its_claim(li: Student, mariadb: tuple[Daemon, str]) -> None:
    """It takes longer than a lease lasts; nobody else may begin meanwhile, and its answer is the one that is stored."""
    li.server.stop(signal.SIGKILL)
    li.server.environment["IDEMPOTENCY_LEASE_S"] = "2"
    li.server.start()
    write = Stuck(li, mariadb[1], "slow")
    for _ in range(5):
        time.sleep(0.5)
        assert code(write.send()) == "40038"
    write.let_go()
    write.join()
    assert [code(answer) for answer in write.answers] == ["10000"]
    again = write.send()
    assert (again.content, again.headers["idempotent-replayed"]) == (write.answers[0].content, "true")
