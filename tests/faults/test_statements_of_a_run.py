"""What a run costs the database, as the database itself counts it."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from typing import Any

import pytest

from tests.kits.faults.daemons import Daemon, Worker
from tests.kits.faults.databases import connected, status
from tests.kits.transports.students import Student
from tests.kits.waiting import until

RUNS = 10
CONNECTIONS, STATEMENTS = 1, 50
"""Of one run that says hello: what a process opens anew, and what it asks."""
SETTINGS = 4
"""What a connection sets as it opens: names, autocommit, the mode and the isolation."""


@pytest.fixture(scope="module")
def li(server_factory: Any, mariadb: tuple[Daemon, str], redis: Daemon) -> Iterator[Student]:
    """A student of a web process and a worker that are not disturbed by a sweep."""
    stores = {"DATABASE_URL": mariadb[1], "REDIS_URL": f"redis://127.0.0.1:{redis.port}/0"}
    server = server_factory(AGENT_BACKEND="offline", AGENT_SWEEP_S="600", AGENT_RUN_IN_WEB="false", **stores)
    worker = Worker(server).start()
    yield Student(server, "li", server.account("li"))
    worker.kill()
    server.stop(signal.SIGKILL)
    server_factory.prove(server)


class Watcher:
    """Reads the counters of the database; what it asks itself is left out."""

    def __init__(self, address: str) -> None:
        self._connection: Any = connected(address)
        self._connection.autocommit(True)
        self._asked = 0

    def count(self, name: str) -> int:
        self._asked += 1
        return status(self._connection, name)

    def statements(self) -> int:
        return self.count("Questions") - self._asked

    def journals(self) -> int:
        """Runs that have left their journal, which is the last they write."""
        self._asked += 1
        cursor = self._connection.cursor()
        cursor.execute("SELECT COUNT(*) FROM agent_runjournal")
        return int(cursor.fetchone()[0])


def say_hello(student: Student, watcher: Watcher, times: int) -> None:
    before = watcher.journals()
    for _ in range(times):
        answer, frames = student.chat("你好")
        assert frames[-2].kind == "finish", answer.text
    until(lambda: watcher.journals() == before + times)


def test_a_run_that_says_hello_asks_little_over_kept_connections(li: Student, mariadb: tuple[Daemon, str]) -> None:
    watcher = Watcher(mariadb[1])
    say_hello(li, watcher, RUNS)
    connections, statements = watcher.count("Connections"), watcher.statements()
    settings = watcher.count("Com_set_option")
    say_hello(li, watcher, RUNS)
    opened = watcher.count("Connections") - connections
    assert opened <= RUNS * CONNECTIONS
    assert watcher.statements() - statements < RUNS * STATEMENTS
    assert watcher.count("Com_set_option") - settings - opened * SETTINGS < RUNS


def test_a_connection_that_the_database_has_closed_is_noticed(li: Student, mariadb: tuple[Daemon, str]) -> None:
    watcher = Watcher(mariadb[1])
    say_hello(li, watcher, 2)
    cursor = watcher._connection.cursor()
    cursor.execute("SELECT id FROM information_schema.processlist WHERE id <> CONNECTION_ID() AND db IS NOT NULL")
    closed = [row[0] for row in cursor.fetchall()]
    for number in closed:
        cursor.execute(f"KILL {number}")
    assert closed
    say_hello(li, watcher, 2)
