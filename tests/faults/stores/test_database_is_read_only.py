"""A database file that may only be read: reads go on, writes have the code of storage and leave nothing behind."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.kits.faults.readiness import unready
from tests.kits.suite.stores import copy_sqlite
from tests.kits.transports.students import Student
from tests.kits.waiting import until

NAME = {"name": "杂事", "mode": "manual"}


@pytest.fixture
def li(server_factory: Any, tmp_path: Path) -> Iterator[Student]:
    database = tmp_path / "locked.sqlite3"
    copy_sqlite(database)
    server = server_factory(
        application="tests.kits.faults.unprivileged_app:application",
        AGENT_BACKEND="offline",
        REDIS_URL="",
        DATABASE_URL=f"sqlite:///{database}",
    )
    yield Student(server, "li")
    server.stop(signal.SIGKILL)


def give(files: list[Path], mode: int) -> None:
    for file in files:
        if file.exists():
            file.chmod(mode)


def test_a_database_that_may_only_be_read_has_a_code(li: Student, tmp_path: Path) -> None:
    files = [tmp_path / f"locked.sqlite3{part}" for part in ("", "-wal", "-shm")]
    made = li.http.post("/task-class", json=NAME).json()["data"]["id"]
    give(files, 0o444)
    try:
        key = {"Idempotency-Key": "read-only"}
        assert li.code("POST", "/task-class", json=NAME, headers=key) == (503, "50004")
        assert li.code("PUT", f"/task-class/{made}", json={**NAME, "name": "别的"}) == (503, "50004")
        assert li.code("POST", "/tasks", json={"message": "你好"}) == (503, "50004")
        answer = li.http.post("/agent/chat", json={"message": "你好"})
        assert (answer.status_code, answer.json()["status"], answer.headers["retry-after"]) == (503, "50004", "2")
        assert unready(li.server) == ["database"]
        assert [row["name"] for row in li.data("/task-class")["list"]] == [NAME["name"]]
    finally:
        give(files, 0o644)  # whatever SQLite has made meanwhile got the mode of the database
    until(lambda: li.code("POST", "/task-class", json=NAME, headers=key) == (200, "10000"))
    assert li.data("/agent/conversations")["total"] == 0
    assert li.chat("你好")[1][-2].kind == "finish"
    until(lambda: unready(li.server) == [])
