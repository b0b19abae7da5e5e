"""Lines of the log as JSON: what a collector needs, and nothing that breaks a line."""

from __future__ import annotations

import asyncio
import json
import logging
import sys
from contextvars import Context, copy_context
from typing import Any

import pytest

from agent.runs import run_execute
from smartmate.middleware.request_id import JsonFormatter, RequestIdFilter, request_id
from taskclasses.kernel.telemetry.log_context import run_id
from tests.kits.agent.runs import queued


def written(message: str, *values: Any, error: Any = None) -> dict[str, Any]:
    record = logging.LogRecord("agent.runs", logging.WARNING, "f.py", 1, message, values, error)
    RequestIdFilter().filter(record)
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


@pytest.mark.django_db(transaction=True)
async def test_what_a_run_logs_names_it(user: Any) -> None:
    run = await queued(user)
    context, before = copy_context(), run_id.get()
    await asyncio.create_task(run_execute(run.pk, owner="worker-1"), context=context)
    assert context[run_id] == str(run.pk)
    assert run_id.get() == before != str(run.pk)
