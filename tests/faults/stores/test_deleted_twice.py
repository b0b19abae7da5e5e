"""What two requests delete at the same moment is deleted once; who comes second is told so."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest

from tests.kits.faults.daemons import Daemon
from tests.kits.faults.databases import connected, waiting
from tests.kits.transports.students import Student
from tests.kits.waiting import until

BOTH = 2


@pytest.fixture(scope="module")
def door(server_factory: Any, mariadb: tuple[Daemon, str]) -> Iterator[Any]:
    server = server_factory(AGENT_BACKEND="offline", DATABASE_URL=mariadb[1], REDIS_URL="")
    yield server
    server_factory.prove(server)


def together(address: str, table: str, send: Callable[[], httpx.Response]) -> list[str]:
    """Codes of two equal requests that both waited for the same row before either had it."""
    holder, watcher = connected(address), connected(address)
    watcher.autocommit(True)
    holder.cursor().execute(f"SELECT * FROM {table} FOR UPDATE")
    codes: list[str] = []
    senders = [threading.Thread(target=lambda: codes.append(send().json()["status"])) for _ in range(BOTH)]
    for sender in senders:
        sender.start()
    until(lambda: waiting(watcher) == BOTH)
    holder.rollback()
    for sender in senders:
        sender.join()
    holder.close()
    watcher.close()
    return sorted(codes)


def test_a_conversation(door: Any, mariadb: tuple[Daemon, str]) -> None:
    student = Student(door, "li", door.account("li"))
    student.chat("你好")
    (row,) = student.http.get("/agent/conversations").json()["data"]["list"]
    path = f"/agent/conversations/{row['conversation_id']}"
    assert together(mariadb[1], "agent_conversation", lambda: student.http.delete(path)) == ["10000", "40401"]


def test_an_account(door: Any, mariadb: tuple[Daemon, str]) -> None:
    password = door.account("wang")
    student = Student(door, "wang", password)
    student.chat("你好")

    def send() -> httpx.Response:
        return student.http.request("DELETE", "/account", json={"password": password})

    assert together(mariadb[1], "auth_user", send) == ["10000", "40014"]
