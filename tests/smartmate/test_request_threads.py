"""A request changes threads as seldom as it can."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import httpx
import pytest

from agent.store.threads import DatabaseThreads
from smartmate import asgi
from tests.kits.servers.warm import ROOT

pytestmark = pytest.mark.django_db(transaction=True)


class Counted(DatabaseThreads):
    """Threads that remember how often they were entered."""

    def __init__(self) -> None:
        super().__init__(1, "counted")
        self.entered = 0

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.entered += 1
        return super().submit(fn, *args, **kwargs)


@pytest.fixture
def threads(monkeypatch: pytest.MonkeyPatch) -> Any:
    counted = Counted()
    monkeypatch.setattr(asgi, "_threads", counted)
    yield counted
    counted.shutdown()


async def ask(method: str, path: str) -> httpx.Response:
    transport = httpx.ASGITransport(app=asgi._request)
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
        return await client.request(method, path)


@pytest.mark.parametrize("path", ["/api/v1/tasks/none", "/api/v1/nowhere", "/login"])
async def test_a_request_is_one_step_between_the_signals(threads: Counted, path: str) -> None:
    answer = await ask("GET", path)
    assert answer.status_code < 500
    assert threads.entered == 3


async def test_a_stream_that_is_refused_says_so_in_the_envelope(threads: Counted) -> None:
    answer = await ask("POST", "/api/v1/agent/chat")
    assert (answer.status_code, answer.json()["status"]) == (401, "40014")


@pytest.mark.parametrize(("command", "seconds"), [("runworker", "0.001"), ("runserver", "0.001"), ("migrate", "0.005")])
def test_only_who_serves_or_executes_gives_way_sooner(command: str, seconds: str, tmp_path: Path) -> None:
    code = (
        f"import sys; sys.argv = ['manage.py', '{command}']; import smartmate.settings; print(sys.getswitchinterval())"
    )
    environment = {**os.environ, "SMARTMATE_VAR": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.stdout.strip() == seconds, done.stderr
