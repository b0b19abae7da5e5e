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

from tests.kits.faults.daemons import Worker
from tests.kits.provider.openai_server import OpenAIServer
from tests.kits.servers.crowd import PATIENT, Crowd, make_tokens, threads, wait_for

SIZES = [(60, 40), pytest.param(500, 200, marks=pytest.mark.long)]
READERS_MAX = 12
"""Readers that one student may have."""
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


async def ask(server: Any, token: str, method: str, path: str, **request: Any) -> Any:
    """The answer to one who waits for nothing."""
    async with httpx.AsyncClient(headers={"Authorization": f"Bearer {token}"}, timeout=60) as http:
        answer = await http.request(method, f"{server.base_url}{path}", **request)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def start_run(server: Any, token: str) -> str:
    started = await ask(server, token, "POST", "/api/v1/tasks", json={"message": "说一句"})
    return str(started["data"]["task_id"])


@pytest.mark.parametrize(("readers", "waiting"), SIZES)
async def test_all_finish_on_few_threads_and_connections(
    server: Any, model_endpoint: OpenAIServer, readers: int, waiting: int
) -> None:
    students = (readers + waiting) // READERS_MAX + 1
    tokens = make_tokens(server, [f"reader{number}of{students}" for number in range(students)])
    go = threading.Event()
    model_endpoint.reset()
    wait_for(model_endpoint, go)
    crowd = Crowd(server.port)
    watched = [await start_run(server, token) for token in tokens]
    for number in range(readers):
        crowd.open(tokens[number % students], f"/agent/runs/{watched[number % students]}/stream")
    for number in range(waiting):
        crowd.open(tokens[number % students], "/agent/chat", {"message": "说一句"})
    try:
        await crowd.all_at_half()
        refused = [stream.head + stream.body for stream in crowd.streams if not stream.head.startswith(b"HTTP/1.1 200")]
        assert not refused, refused[:3]
        for path in ("/api/v1/task-class", "/api/v1/agent/conversations", "/healthz"):
            await asyncio.gather(*(ask(server, token, "GET", path) for token in tokens[:5]))
        assert threads(server.pid) < THREADS
        assert connections_of(server) <= CONNECTIONS
        await ask(server, tokens[0], "GET", "/readyz")  # it opens connections of its own, for a moment
    finally:
        go.set()
    await crowd.all_ended()
    assert sum(stream.whole for stream in crowd.streams) == readers + waiting
