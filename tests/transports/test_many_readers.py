"""Hundreds of readers and of conversations that wait for a slow model, on one web process and one worker."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import httpx
import MySQLdb
import pytest

from tests.kits.crowd import PATIENT, Crowd, make_accounts, threads, wait_for
from tests.kits.faults.daemons import Worker
from tests.kits.openai_server import OpenAIServer
from tests.kits.transports.students import Student

READERS, WAITING = (500, 200) if os.environ.get("LONG") else (60, 40)
# A student may have 12 readers.
NAMES = [f"reader{number}" for number in range((READERS + WAITING) // 12 + 1)]
CONNECTIONS = 10
"""Of the database, for a web process and a worker together."""
THREADS = 30
"""Of the web process, whoever reads."""


def connections_of(server: Any) -> int:
    """Connections to the database of a server, which its worker shares; a file has none that could run out."""
    address = urlsplit(server.environment.get("DATABASE_URL", ""))
    if not address.scheme.startswith("mysql"):
        return 0
    connection = MySQLdb.connect(
        host=address.hostname, port=address.port, user=address.username, password=address.password or ""
    )
    try:
        cursor = connection.cursor()
        cursor.execute("SELECT COUNT(*) FROM information_schema.processlist WHERE db = %s", (address.path.strip("/"),))
        return int(cursor.fetchone()[0])
    finally:
        connection.close()


@pytest.fixture(scope="module")
def server(server_factory: Any, model_endpoint: OpenAIServer) -> Iterator[Any]:
    """One web process; with a Redis to share, one worker executes the runs."""
    model = {"AGENT_BACKEND": "openai", "OPENAI_BASE_URL": model_endpoint.base_url, "OPENAI_API_KEY": "x", **PATIENT}
    worker = None
    server = server_factory(**model, AGENT_RUN_IN_WEB="false" if os.environ.get("REDIS_URL") else "true")
    if os.environ.get("REDIS_URL"):
        worker = Worker(server).start()
    yield server
    server.stop()
    if worker is not None:
        worker.kill()


@pytest.fixture(scope="module")
def students(server: Any) -> list[Student]:
    return [Student(server, name, password) for name, password in make_accounts(server, NAMES).items()]


async def start_run(student: Student) -> str:
    async with httpx.AsyncClient(headers=student.http.headers, timeout=60) as http:
        answer = await http.post(f"{student.server.base_url}/api/v1/tasks", json={"message": "说一句"})
    return str(answer.json()["data"]["task_id"])


async def is_answered(student: Student, path: str) -> None:
    """Who only asks a question is answered, whoever waits."""
    async with httpx.AsyncClient(headers=student.http.headers, timeout=60) as http:
        answer = await http.get(f"{student.server.base_url}{path}")
    assert answer.status_code == 200, answer.text


async def test_all_finish_on_few_threads_and_connections(
    server: Any, students: list[Student], model_endpoint: OpenAIServer
) -> None:
    go = threading.Event()
    model_endpoint.reset()
    wait_for(model_endpoint, go)
    crowd = Crowd(server.port)
    watched = [await start_run(student) for student in students]
    for number in range(READERS):
        place = number % len(students)
        crowd.open(students[place].token, f"/agent/runs/{watched[place]}/stream")
    for number in range(WAITING):
        crowd.open(students[number % len(students)].token, "/agent/chat", {"message": "说一句"})
    try:
        await crowd.all_at_half()
        refused = [stream.head + stream.body for stream in crowd.streams if not stream.head.startswith(b"HTTP/1.1 200")]
        assert not refused, refused[:3]
        for path in ("/api/v1/task-class", "/api/v1/agent/conversations", "/healthz", "/readyz"):
            await asyncio.gather(*(is_answered(student, path) for student in students[:5]))
        assert threads(server.pid) < THREADS
        assert connections_of(server) <= CONNECTIONS
    finally:
        go.set()
    await crowd.all_ended()
    assert sum(stream.whole for stream in crowd.streams) == READERS + WAITING
