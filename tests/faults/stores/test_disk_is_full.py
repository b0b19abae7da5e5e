"""The disk takes nothing more: writes are refused with the code of storage, and succeed once it has room again."""

from __future__ import annotations

import resource
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.kits.faults.readiness import unready
from tests.kits.suite.stores import copy_sqlite
from tests.kits.transports.students import Student
from tests.kits.waiting import until


@pytest.fixture
def li(server_factory: Any, tmp_path: Path) -> Iterator[Student]:
    database = tmp_path / "full.sqlite3"
    copy_sqlite(database)
    server = server_factory(AGENT_BACKEND="offline", REDIS_URL="", DATABASE_URL=f"sqlite:///{database}")
    yield Student(server, "li")
    server.stop(signal.SIGKILL)


def test_a_full_disk_has_a_code_and_an_end(li: Student) -> None:
    name = {"name": "杂事", "mode": "manual"}
    classes = len(li.data("/task-class")["list"])
    # No file may grow: what a full disk does, for one process and for as long as it is said.
    everything = resource.prlimit(li.server.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(li.server.pid, resource.RLIMIT_FSIZE, (1, everything[1]))
    try:
        assert li.code("POST", "/task-class", json=name, headers={"Idempotency-Key": "full"}) == (503, "50004")
        assert li.code("POST", "/tasks", json={"message": "你好"}) == (503, "50004")
        assert "database" in unready(li.server)
    finally:
        resource.prlimit(li.server.pid, resource.RLIMIT_FSIZE, everything)
    assert li.code("POST", "/task-class", json=name, headers={"Idempotency-Key": "full"}) == (200, "10000")
    assert len(li.data("/task-class")["list"]) == classes + 1
    assert li.chat("你好")[1][-2].kind == "finish"
    until(lambda: unready(li.server) == [])
