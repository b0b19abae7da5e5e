"""The same promises over a real server and real sockets."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests.kits.servers.remote import Remote
from tests.kits.servers.warm import ROOT


@pytest.fixture(scope="module")
def server(server_factory: Any) -> Any:
    """Started by the interpreter, as people do."""
    return server_factory(AGENT_BACKEND="offline", cold=True)


@pytest.fixture(scope="module")
def remote(server: Any) -> Remote:
    login = {"username": "timetable", "password": server.account("timetable")}
    answer = Remote(server.base_url)("POST", "/api/v1/auth/token", login)[1]
    return Remote(server.base_url, answer["data"]["token"])


def test_it_is_ready_and_speaks_in_envelopes(remote: Remote) -> None:
    assert remote("GET", "/healthz")[:2] == (200, {"status": "ok"})
    assert remote("GET", "/readyz")[1]["checks"]["database"] == "ok"
    status, body, headers = remote("GET", "/api/v1/nothing", X_Request_ID="abc")
    assert (status, body["status"], headers["X-Request-ID"]) == (404, "40400", "abc")
    assert headers["Content-Type"] == "application/json; charset=utf-8"
    status, body, _ = Remote(remote.base_url)("POST", "/api/v1/agent/chat", {}, Accept="text/event-stream")
    assert (status, body["status"]) == (401, "40014")


def test_a_plan_is_applied_shown_and_undone(remote: Remote) -> None:
    listed = remote("GET", "/api/v1/task-class")[1]["data"]["list"]
    ids = [row["id"] for row in listed]
    assert [row["applied_count"] for row in listed] == [0] * 4
    plan = remote("POST", "/api/v1/schedule/smart-planning", {"task_class_ids": ids})[1]["data"]
    assert len(plan["placements"]) >= 40
    batches: dict[int, list[dict[str, int]]] = {}
    for row in plan["placements"]:
        item = {
            "task_item_id": row["task_item_id"], "week": row["week"], "day_of_week": row["day_of_week"],
            "start_section": row["section_from"], "end_section": row["section_to"],
            "embed_course_event_id": row["embed_course_event_id"],
        }  # fmt: skip
        batches.setdefault(row["task_class_id"], []).append(item)
    body = {"batches": [{"task_class_id": pk, "items": items} for pk, items in batches.items()]}
    path = "/api/v1/task-class/apply-batch-into-schedule"
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: remote("PUT", path, body, Idempotency_Key="plan"), range(8)))
    assert {answer[0] for answer in answers} <= {200, 409}
    applied = next(answer[1] for answer in answers if answer[0] == 200)["data"]
    assert len(applied["applied"]) == len(plan["placements"])
    week = plan["placements"][0]["week"]
    shown = remote("GET", f"/api/v1/schedule/week?week={week}")[1]["data"]["events"]
    assert any(event["type"] == "task" for event in shown)
    undone = remote("POST", f"/api/v1/schedule/batches/{applied['batch_id']}/undo")[1]
    assert undone["status"] == "10000", undone
    after = remote("GET", f"/api/v1/schedule/week?week={week}")[1]["data"]["events"]
    assert all(event["type"] == "course" and event["embedded_task_info"] == {} for event in after)


def test_the_record_is_sound_afterwards(server: Any, remote: Remote) -> None:
    assert "sound" in server.manage("check_timetable").stdout


@pytest.mark.storeless  # it ends before it asks for one
@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("AGENT_BACKEND", "magic", "AGENT_BACKEND is none of auto, openai, offline"),
        ("AGENT_BACKEND", "openai", "AGENT_BACKEND is openai, and neither OPENAI_API_KEY nor OPENAI_BASE_URL is set"),
        ("AGENT_LIMIT_ROUNDS", "many", "AGENT_LIMIT_ROUNDS is not a number"),
        ("EMAIL_BACKEND", "smtp", "EMAIL_BACKEND: smtp doesn't look like a module path"),
    ],
)
def test_a_server_refuses_to_start_with_settings_that_no_run_could_work_with(
    tmp_path: Path, name: str, value: str, said: str
) -> None:
    command = [sys.executable, "-m", "uvicorn", "smartmate.asgi:application", "--port", "0"]
    environment = {**os.environ, "SMARTMATE_VAR": str(tmp_path), name: value}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120)
    assert done.returncode == 3, done.stderr
    assert said in done.stderr
    assert "Traceback" not in done.stderr
