"""Lines of the log as JSON: what a collector needs, and nothing that breaks a line."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import Context, copy_context
from pathlib import Path
from typing import Any

import httpx
import pytest
from django.core.exceptions import DisallowedHost
from django.db import OperationalError
from redis.exceptions import ConnectionError as NoRedis
from redis.exceptions import OutOfMemoryError

from agent.runs import run_execute
from smartmate.middleware.request_id import JsonFormatter, LineFormatter, RequestIdFilter, request_id
from smartmate.monitoring.log_filters import AddressFilter, BriefFilter
from taskclasses.kernel.telemetry.log_context import run_id
from tests.kits.agent.runs import queued
from tests.kits.servers.server import Server, free_port
from tests.kits.servers.warm import ROOT
from tests.kits.waiting import until


def written(message: str, *values: Any, error: Any = None) -> dict[str, Any]:
    record = logging.LogRecord("agent.runs", logging.WARNING, "f.py", 1, message, values, error)
    assert RequestIdFilter().filter(record)
    assert BriefFilter().filter(record)
    assert AddressFilter().filter(record)
    line = JsonFormatter().format(record)
    assert "\n" not in line
    found: dict[str, Any] = json.loads(line)
    return found


def test_a_line_has_time_level_logger_message_and_the_ids_that_there_are() -> None:
    line = Context().run(written, "任务 %s\n停了", 7)
    assert line.pop("time").endswith("+00:00")
    assert line == {"level": "WARNING", "logger": "agent.runs", "message": "任务 7\n停了"}
    asked, run = request_id.set("q-1"), run_id.set("r-1")
    line = written("x")
    request_id.reset(asked)
    run_id.reset(run)
    assert (line["request_id"], line["run_id"]) == ("q-1", "r-1")


def test_an_error_has_its_trace() -> None:
    try:
        int("x")
    except ValueError:
        line = written("x", error=sys.exc_info())
    assert line["error"].splitlines()[-1].startswith("ValueError: ")


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (OperationalError(2002, "no way to the server"), "no row: (2002, 'no way to the server')"),
        (NoRedis("Error 111 connecting"), "no row: Error 111 connecting"),
        (OperationalError(1290, "read-only"), "no row: (1290, 'read-only')"),
        (OutOfMemoryError("command not allowed"), "no row: command not allowed"),
        (DisallowedHost("no row"), "no row"),
    ],
)
def test_a_store_that_is_gone_and_a_strange_host_take_one_line(error: Exception, message: str) -> None:
    line = written("no %s", "row", error=(type(error), error, None))
    assert line["message"] == message
    assert "error" not in line


@pytest.mark.parametrize("error", [OperationalError(1213, "deadlock"), OperationalError("no such column"), OSError(5)])
def test_what_else_a_store_says_has_its_trace(error: Exception) -> None:
    assert "error" in written("x", error=(type(error), error, None))


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("/chat?message=I%20failed%20maths&conversation=x", "/chat"),
        ("/feeds/opens-it.ics?x=1", "/feeds/....ics"),
        ("/account/email/confirm/MQ:1opens:it/", "/account/email/confirm/.../"),
        ("/account/password/reset/7-opens-it/", "/account/password/reset/7-.../"),
        ("/week/7", "/week/7"),
        ("/nowhere/a%0Ab?y", "/nowhere/a%0Ab"),
        ("/account/email/confirm/MQ%3A1opens%3Ait/", "/account/email/confirm/.../"),
        ("//[broken", "//[broken"),
    ],
)
def test_addresses_show_nothing_that_opens_something_and_no_words(address: str, shown: str) -> None:
    assert written('%s - "%s %s"', "127.0.0.1", "GET", address)["message"] == f'127.0.0.1 - "GET {shown}"'


@pytest.mark.parametrize("form", ["line", "json"])
def test_a_server_logs_no_secret_of_an_address(tmp_path: Path, form: str) -> None:
    server = Server(tmp_path, cold=True, LOG_FORMAT=form).start()
    try:
        httpx.get(f"{server.base_url}/chat?message=hidden", timeout=30)
        httpx.get(f"{server.base_url}/feeds/hidden.ics", timeout=30)
        said = until(lambda: "/feeds/....ics" in (text := server.log.read_text()) and text)
    finally:
        server.stop()
    assert "GET /chat HTTP" in said
    assert "hidden" not in said


@pytest.mark.storeless  # the database is away
@pytest.mark.parametrize("form", ["line", "json"])
def test_while_the_database_is_away_no_address_opens_anything_or_forges_a_line(tmp_path: Path, form: str) -> None:
    away = {"DATABASE_URL": "mysql://u:p@127.0.0.1:1/plan", "REDIS_URL": ""}
    with uvicorn(tmp_path, LOG_FORMAT=form, **away) as (base_url, log):
        for path in (
            "/feeds/hidden.ics",
            "/account/password/reset/7-hidden/",
            "/feeds/x%0Aforged%1B%E2%80%A8forged.ics",
        ):
            assert httpx.get(base_url + path, timeout=30).status_code == 503
        said = until(lambda: (text := log.read_text()).count("2002") >= 3 and text)
    assert "hidden" not in said
    assert not [line for line in said.replace("\u2028", "\n").splitlines() if line.startswith("forged")]
    assert "\x1b" not in said
    if form == "json":
        assert all(json.loads(line) for line in said.splitlines())


@contextmanager
def uvicorn(folder: Path, **values: str) -> Iterator[tuple[str, Path]]:
    """A web process that nothing was prepared for."""
    port = free_port()
    environment = {**os.environ, "SMARTMATE_VAR": str(folder), "RATE_LIMITS": "off", **values}
    command = [sys.executable, "-m", "uvicorn", "smartmate.asgi:application", "--port", str(port), "--loop", "uvloop"]
    log = folder / "log"
    with log.open("w") as out, subprocess.Popen(command, cwd=ROOT, env=environment, stderr=out) as process:
        try:
            until(lambda: "Uvicorn running" in log.read_text())
            yield f"http://127.0.0.1:{port}", log
        finally:
            process.terminate()


def test_a_line_is_one_whatever_it_tells_and_a_trace_is_moved_in() -> None:
    try:
        raise ValueError("gone\n2026-11-30 forged")
    except ValueError:
        error = sys.exc_info()
    record = logging.LogRecord("agent.runs", logging.WARNING, "f.py", 1, "课 %s", ("a\r\nb\x1b[2J\u2028c\td",), error)
    first, *trace = LineFormatter("%(levelname)s %(message)s").format(record).splitlines()
    assert first == r"WARNING 课 a\r\nb\x1b[2J\u2028c" + "\td"
    assert all(line.startswith("  ") for line in trace)
    assert trace[-2:] == ["  ValueError: gone", "  2026-11-30 forged"]


@pytest.mark.storeless  # those that it is told of are not there
def test_a_worker_says_that_it_works_and_what_it_misses(tmp_path: Path) -> None:
    stores = {"REDIS_URL": "redis://:hidden@127.0.0.1:1/0", "DATABASE_URL": "mysql://u:hidden@127.0.0.1:1/plan"}
    values = {**os.environ, **stores, "SMARTMATE_VAR": str(tmp_path), "LOG_FORMAT": "line", "LOG_LEVEL": ""}
    command = [sys.executable, "manage.py", "runworker"]
    with (tmp_path / "log").open("w") as log:
        worker = subprocess.Popen(command, cwd=ROOT, env=values, stderr=log)
        until(lambda: "Connection refused" in (tmp_path / "log").read_text())
        time.sleep(2)
        worker.send_signal(signal.SIGTERM)
        assert worker.wait(60) == 0
    said = (tmp_path / "log").read_text()
    assert "agent.runworker [-] executes runs until it is told to end" in said.splitlines()[0]
    assert said.splitlines()[-1].endswith("has let go of its runs and ends")
    assert "Traceback" not in said
    assert "hidden" not in said


@pytest.mark.django_db(transaction=True)
async def test_what_a_run_logs_names_it(user: Any) -> None:
    run = await queued(user)
    context, before = copy_context(), run_id.get()
    await asyncio.create_task(run_execute(run.pk, owner="worker-1"), context=context)
    assert context[run_id] == str(run.pk)
    assert run_id.get() == before != str(run.pk)
