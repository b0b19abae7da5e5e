"""What idle readers cost a web process: threads, database connections, Redis connections and memory.

    [script/services run] python -m bench.readers [--tree FOLDER] [--readers 0 100 500]

One run waits for a slow model while more and more readers follow it. With REDIS_URL a worker process executes it, else
the web process does. `--tree` measures another checkout with the same dependencies. Nothing is asserted here.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import os
import secrets
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Coroutine
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import httpx
import MySQLdb
from redis import Redis

from tests.kits.provider.openai_server import OpenAIServer
from tests.kits.servers.crowd import PATIENT, Crowd, memory, threads, wait_for

PATIENCE_S = 60.0
MAKE = """
import json, sys
from django.contrib.auth.models import User
User.objects.create_user(**json.loads(sys.stdin.read()))
"""
ROOT = Path(__file__).resolve().parent.parent
SITES = itertools.count(1)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Site:
    """Web processes, and workers when there is a Redis to share, on an empty database."""

    def __init__(self, tree: Path, model: str, *, webs: int = 1, workers: int = 1) -> None:
        self.tree, self.ports = tree, [free_port() for _ in range(webs)]
        self.port = self.ports[0]
        self.folder = tempfile.mkdtemp(prefix="bench-readers-")
        self.environment = {
            **os.environ,
            **PATIENT,
            "SMARTMATE_VAR": self.folder,
            "AGENT_BACKEND": "openai",
            "OPENAI_BASE_URL": model,
            "OPENAI_API_KEY": "x",
            "RATE_LIMITS": "off",
        }
        self.database = self._fresh_database()
        if "REDIS_URL" in os.environ:
            # Of its own too: else a worker takes the wake-ups of another site's runs.
            self.environment["REDIS_URL"] = urlsplit(os.environ["REDIS_URL"])._replace(path=f"/{next(SITES)}").geturl()
        self.manage("migrate", "--noinput", "-v0", "--skip-checks")
        web = [sys.executable, "-m", "uvicorn", "smartmate.asgi:application", "--loop", "uvloop", "--http", "httptools"]
        web += ["--log-level", "warning", "--port"]
        self._processes = [self._started([*web, str(port)]) for port in self.ports]
        if os.environ.get("REDIS_URL"):
            work = [sys.executable, "manage.py", "runworker", "agent-runs"]
            self._processes += [self._started(work) for _ in range(workers)]
        self.wait_until_ready()

    @property
    def pid(self) -> int:
        return self.pids[0]

    @property
    def pids(self) -> list[int]:
        """The web processes, then the workers if there are any."""
        return [process.pid for process in self._processes]

    def _started(self, command: list[str]) -> subprocess.Popen[bytes]:
        log = (Path(self.folder) / "log").open("ab")
        return subprocess.Popen(command, cwd=self.tree, env=self.environment, stdout=log, stderr=log)

    def _fresh_database(self) -> str:
        """The name of a database of its own; empty for the embedded one."""
        address = urlsplit(os.environ.get("DATABASE_URL", ""))
        if not address.scheme:
            return ""
        name = f"bench_{secrets.token_hex(4)}"
        execute(f"CREATE DATABASE {name} CHARACTER SET utf8mb4 COLLATE utf8mb4_bin")
        self.environment["DATABASE_URL"] = urlunsplit(address._replace(path=f"/{name}"))
        return name

    def manage(self, *arguments: str, stdin: str | None = None) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "manage.py", *arguments]
        told: Any = {"input": stdin, "text": True, "stdout": subprocess.PIPE}
        return subprocess.run(command, cwd=self.tree, env=self.environment, check=True, timeout=300, **told)

    def wait_until_ready(self) -> None:
        waiting = list(self.ports)
        for _ in range(600):
            try:
                while waiting:
                    httpx.get(f"http://127.0.0.1:{waiting[0]}/healthz", timeout=5)
                    waiting.pop(0)
                return
            except httpx.HTTPError:
                time.sleep(0.1)
        raise RuntimeError((Path(self.folder) / "log").read_text()[-4000:])

    def token(self) -> str:
        credentials = {"username": "reader", "password": secrets.token_urlsafe(12)}
        self.manage("shell", "-v0", "-c", MAKE, stdin=json.dumps(credentials))
        answer = httpx.post(f"http://127.0.0.1:{self.port}/api/v1/auth/token", json=credentials, timeout=60)
        return str(answer.json()["data"]["token"])

    def stop(self) -> None:
        for process in self._processes:
            process.terminate()
        for process in self._processes:
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()


def execute(statement: str, *values: Any) -> Any:
    address = urlsplit(os.environ["DATABASE_URL"])
    connection = MySQLdb.connect(
        host=address.hostname, port=address.port, user=address.username, password=address.password or ""
    )
    try:
        cursor = connection.cursor()
        cursor.execute(statement, values)
        return cursor.fetchall()
    finally:
        connection.close()


def database_connections(site: Site) -> str:
    if not site.database:
        return "-"
    rows = execute("SELECT COUNT(*) FROM information_schema.processlist WHERE db = %s", site.database)
    return str(rows[0][0])


def redis_connections() -> str:
    url = os.environ.get("REDIS_URL")
    return str(Redis.from_url(url).info("clients")["connected_clients"] - 1) if url else "-"


async def within(seconds: float, work: Coroutine[Any, Any, None]) -> None:
    """Waits no longer for readers that are never served."""
    with suppress(TimeoutError):
        await asyncio.wait_for(work, seconds)


async def measure(site: Site, token: str, steps: list[int], go: threading.Event) -> None:
    headers = {"Authorization": f"Bearer {token}"}
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{site.port}/api/v1", headers=headers, timeout=60) as http:
        started = (await http.post("/tasks", json={"message": "说一句"})).json()["data"]["task_id"]
        crowd = Crowd(site.port)
        await asyncio.sleep(3)
        print(f"{'readers':>8} {'served':>7} {'threads':>8} {'database':>9} {'redis':>6} {'RSS MB':>7}")
        for count in steps:
            while len(crowd.streams) < count:
                crowd.open(token, f"/agent/runs/{started}/stream")
            await within(PATIENCE_S, crowd.all_at_half())
            await asyncio.sleep(2)
            served = sum(stream.half.is_set() for stream in crowd.streams)
            figures = f"{threads(site.pid):>8} {database_connections(site):>9} {redis_connections():>6}"
            print(f"{count:>8} {served:>7} {figures} {memory(site.pid) / 1e6:>7.0f}", flush=True)
        go.set()
        await within(PATIENCE_S, crowd.all_ended())
        print(f"whole streams at the end: {sum(stream.whole for stream in crowd.streams)} of {len(crowd.streams)}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tree", type=Path, default=ROOT)
    parser.add_argument("--readers", type=int, nargs="+", default=[0, 100, 500])
    options = parser.parse_args()
    go = threading.Event()
    with OpenAIServer() as model:
        wait_for(model, go)
        site = Site(options.tree.resolve(), model.base_url)
        try:
            asyncio.run(measure(site, site.token(), options.readers, go))
        finally:
            site.stop()


if __name__ == "__main__":
    main()
