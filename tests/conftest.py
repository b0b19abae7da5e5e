"""Fixtures that every part of the suite shares: accounts, the semester, a real server over a real socket."""

from __future__ import annotations

import os
import secrets
import signal
import socket
import subprocess
import sys
import time as clock
import urllib.error
import urllib.request
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings

from tests.openai_server import OpenAIServer
from tests.stores_of_servers import fresh_stores

ROOT = Path(__file__).resolve().parent.parent

hypothesis_settings.register_profile(
    "suite", deadline=None, derandomize=True, suppress_health_check=list(HealthCheck), print_blob=True
)
hypothesis_settings.load_profile("suite")


def pytest_configure(config: pytest.Config) -> None:
    # Async tests talk to the ORM through sync_to_async; Playwright runs its own loop in the test's thread.
    os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "1")


@pytest.fixture(autouse=True)
def quick_settings(settings: Any) -> None:
    """Tests ask faster than people (the limits have tests of their own) and need no slow password hashes."""
    settings.RATE_LIMITS = False
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture(scope="session")
def _openai_server() -> Iterator[OpenAIServer]:
    with OpenAIServer() as scripted:
        yield scripted


@pytest.fixture
def openai_server(_openai_server: OpenAIServer) -> OpenAIServer:
    """A scripted OpenAI-compatible endpoint on loopback, empty at the start of each test."""
    _openai_server.reset()
    return _openai_server


@pytest.fixture
def user(db: None, django_user_model: Any) -> Any:
    return django_user_model.objects.create_user("li", password="correct horse")


@pytest.fixture
def other_user(db: None, django_user_model: Any) -> Any:
    return django_user_model.objects.create_user("wang", password="battery staple")


@pytest.fixture
def semester(db: None) -> Any:
    """The semester of the specification's examples: 20 weeks from 2026-03-02, the default section table."""
    from schedules.models import Semester

    times = "08:00-08:45 08:55-09:40 10:15-11:00 11:10-11:55 14:00-14:45 14:55-15:40 16:15-17:00 17:10-17:55"
    times += " 19:00-19:45 19:55-20:40 20:50-21:35 21:45-22:30"
    return Semester.objects.create(
        name="2026 春",
        first_monday=date(2026, 3, 2),
        weeks=20,
        section_times=[pair.split("-") for pair in times.split()],
        time_zone="Asia/Shanghai",
        is_current=True,
    )


METRICS_TOKEN = "scrape-me"


class Server:
    """A real uvicorn process on a free port of the loopback address, with a fresh migrated database of its own."""

    def __init__(self, folder: Path, *, application: str = "smartmate.asgi:application", **environment: str) -> None:
        self.folder = folder
        self.application = application
        self.environment = {
            **os.environ,
            **fresh_stores(folder),
            "RATE_LIMITS": "off",
            "METRICS_TOKEN": METRICS_TOKEN,
            "AGENT_RUN_IN_WEB": "true",
            **environment,
        }
        self.environment.pop("DJANGO_SETTINGS_MODULE", None)
        self.port = _free_port()
        self.base_url = f"http://127.0.0.1:{self.port}"
        self.log = folder / "server.log"
        self._process: subprocess.Popen[bytes] | None = None
        self._accounts: dict[str, str] = {}

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def start(self) -> Server:
        command = [sys.executable, "-m", "uvicorn", self.application, "--port", str(self.port)]
        command += ["--loop", "uvloop", "--http", "httptools", "--timeout-graceful-shutdown", "2"]
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(command, cwd=ROOT, env=self.environment, stdout=log, stderr=log)
        for _ in range(2400):  # two minutes, for a machine that is busy with other things
            if self._process.poll() is not None:
                break
            try:
                with urllib.request.urlopen(f"{self.base_url}/healthz", timeout=2):
                    return self
            except urllib.error.HTTPError:
                return self
            except OSError:
                clock.sleep(0.05)
        raise RuntimeError(f"the server did not start:\n{self.log.read_text()[-4000:]}")

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        if self._process is None:
            return
        self._process.send_signal(how)
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait(10)
        self._process = None

    def manage(self, *arguments: str, stdin: str | None = None, check: bool = True) -> subprocess.CompletedProcess[str]:
        """Runs a management command on this server's database."""
        done = subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=ROOT,
            env=self.environment,
            capture_output=True,
            text=True,
            input=stdin,
            timeout=120,
        )
        assert not check or done.returncode == 0, done.stdout + done.stderr
        return done

    def account(self, username: str = "li") -> str:
        """Makes the account with the demo data when it is missing; answers its password."""
        if username not in self._accounts:
            password = secrets.token_urlsafe(12)
            self.manage("seed_demo", f"--username={username}", f"--password={password}")
            self._accounts[username] = password
        return self._accounts[username]


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture(scope="session")
def server_factory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Makes migrated, started servers with extra environment; all of them end with the session.

    `servers` of the factory are those made so far.
    """
    servers: list[Server] = []

    def make(**environment: str) -> Server:
        server = Server(tmp_path_factory.mktemp("server"), **environment)
        servers.append(server)
        return server.start()

    make.servers = servers  # type: ignore[attr-defined]
    yield make
    for server in servers:
        server.stop()


@pytest.fixture(scope="session")
def server(server_factory: Any) -> Any:
    """One shared server on the offline backend. Tests keep apart by using accounts of their own."""
    return server_factory(AGENT_BACKEND="offline")
