"""A process whose clock is a minute and a half off, beside others: leases are measured by the database's clock."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.kits.faults.daemons import QUICK, Daemon, Worker
from tests.kits.faults.talks import FIRST, SECOND, model_settings, talk
from tests.kits.servers.server import COMMANDS
from tests.kits.transports.students import Student

SHARED = ("REDIS_URL", "DATABASE_URL", "AGENT_RUN_IN_WEB", *QUICK)


def off_by(seconds: int) -> dict[str, str]:
    """The environment of a process whose clock is that far off."""
    command = ["faketime", "-m", "-f", f"{seconds:+d}s", "env"]
    faked = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    pairs = dict(line.partition("=")[::2] for line in faked.splitlines())
    return {name: pairs[name] for name in ("LD_PRELOAD", "FAKETIME")}


@pytest.fixture(scope="module")
def web(server_factory: Any, redis: Daemon, mariadb: tuple[Daemon, str], endpoint: Any) -> Iterator[Any]:
    """A web process with the right time; it sweeps, workers execute."""
    stores = {"REDIS_URL": f"redis://127.0.0.1:{redis.port}/0", "DATABASE_URL": mariadb[1]}
    server = server_factory(AGENT_RUN_IN_WEB="false", **stores, **model_settings(endpoint))
    yield server
    server.stop(signal.SIGKILL)
    server_factory.prove(server)


@pytest.fixture(scope="module")
def li(web: Any) -> Student:
    return Student(web, "li")


def test_a_run_stays_with_a_worker_whose_clock_is_behind(li: Student, web: Any, model: Any) -> None:
    worker = Worker(web)
    worker.environment = {**web.environment, **off_by(-90)}
    worker.start()
    try:
        run = talk(li, model)
        time.sleep(2 * float(QUICK["AGENT_LEASE_S"]))
        assert run.end() == "succeeded"
        assert run.said() == [FIRST + SECOND]
    finally:
        worker.kill()


def test_a_sweeper_whose_clock_is_ahead_takes_no_run_away(
    li: Student, web: Any, model: Any, server_factory: Any
) -> None:
    other = server_factory(**{name: web.environment[name] for name in SHARED}, **off_by(90))
    worker = Worker(web).start()
    try:
        run = talk(li, model)
        time.sleep(2 * float(QUICK["AGENT_LEASE_S"]))
        assert run.end() == "succeeded"
        assert run.said() == [FIRST + SECOND]
    finally:
        worker.kill()
        other.stop(signal.SIGKILL)
        server_factory.prove(other)


def test_the_clock_of_a_process_is_really_off() -> None:
    """Else the tests above would prove nothing."""
    shown = subprocess.run(
        [sys.executable, "-c", "import time; print(time.time())"], env=off_by(90), capture_output=True, check=True
    ).stdout
    assert 80 < float(shown) - time.time() < 100


def test_a_run_outlives_a_clock_that_jumps_ahead(
    server_factory: Any, endpoint: Any, model: Any, tmp_path: Path
) -> None:
    """As after a machine slept: what all leases are measured by is two minutes later at once."""
    clock = tmp_path / "clock"
    clock.write_text("+0s")
    jumping = {"LD_PRELOAD": off_by(0)["LD_PRELOAD"], "FAKETIME_TIMESTAMP_FILE": str(clock), "FAKETIME_NO_CACHE": "1"}
    database = {
        "DATABASE_URL": f"sqlite:///{tmp_path / 'own.sqlite3'}",
        "REDIS_URL": "",
    }  # its clock is that of the process
    made = COMMANDS.run(["manage.py", "migrate", "--noinput", "-v0", "--skip-checks"], env={**os.environ, **database})
    assert made.returncode == 0, made.stdout + made.stderr
    server = server_factory(
        **database,
        **model_settings(endpoint),
        **jumping,
        DONT_FAKE_MONOTONIC="1",
        FAKETIME_DONT_FAKE_MONOTONIC="1",
    )
    try:
        run = talk(Student(server, "li"), model)
        for hours in range(1, 6):
            clock.write_text(f"+{hours}h")
            time.sleep(0.7)
        assert run.end() == "succeeded"
        told = run.student.data(f"/tasks/{run.run_id}")["events"]
        assert told[-1]["ts"] - told[0]["ts"] > 4 * 3600
        assert run.said() == [FIRST + SECOND]
    finally:
        server.stop(signal.SIGKILL)
        server_factory.prove(server)
