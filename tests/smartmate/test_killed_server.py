"""A server that dies while it applies: the key tells afterwards whether the effect happened, and it happened once."""

from __future__ import annotations

import signal
import threading
from typing import Any

import pytest

from tests.kits.servers.remote import Remote

APPLY = "/api/v1/task-class/apply-batch-into-schedule"


@pytest.fixture(scope="module")
def own_server(server_factory: Any) -> Any:
    return server_factory(AGENT_BACKEND="offline")


def signed_in(server: Any) -> Remote:
    login = {"username": "crash", "password": server.account("crash")}
    return Remote(server.base_url, Remote(server.base_url)("POST", "/api/v1/auth/token", login)[1]["data"]["token"])


def planned(remote: Remote) -> dict[str, Any]:
    """An apply of everything the planner places."""
    ids = [row["id"] for row in remote("GET", "/api/v1/task-class")[1]["data"]["list"]]
    batches: dict[int, list[dict[str, int]]] = {}
    plan = remote("POST", "/api/v1/schedule/smart-planning", {"task_class_ids": ids})[1]["data"]
    for row in plan["placements"]:
        batches.setdefault(row["task_class_id"], []).append({
            "task_item_id": row["task_item_id"], "week": row["week"], "day_of_week": row["day_of_week"],
            "start_section": row["section_from"], "end_section": row["section_to"],
            "embed_course_event_id": row["embed_course_event_id"],
        })  # fmt: skip
    return {"batches": [{"task_class_id": owner, "items": items} for owner, items in batches.items()]}


@pytest.fixture(scope="module")
def body(own_server: Any) -> dict[str, Any]:
    return planned(signed_in(own_server))


def outcome(remote: Remote, key: str, body: Any, answers: list[Any]) -> None:
    try:
        answers.append(remote("PUT", APPLY, body, Idempotency_Key=key))
    except OSError:
        answers.append(None)


@pytest.mark.parametrize("patience", [0.0, 0.04, 0.2], ids=lambda seconds: f"after {seconds} s")
def test_a_killed_apply_happened_once_or_not_at_all(own_server: Any, body: dict[str, Any], patience: float) -> None:
    remote, key = signed_in(own_server), f"k-{patience}"
    answers: list[Any] = []
    sender = threading.Thread(target=outcome, args=(remote, key, body, answers))
    sender.start()
    sender.join(patience)
    own_server.stop(signal.SIGKILL)
    sender.join()
    own_server.start()
    status, document, headers = remote("PUT", APPLY, body, Idempotency_Key=key)
    rows = remote("GET", "/api/v1/schedule/batches")[1]["data"]["list"]
    live = [row for row in rows if row["undone_at"] is None and row["source"] != "import"]
    if document["status"] == "40038":
        # The claim was committed and nothing else: its lease has to run out.
        assert live == []
    else:
        assert status == 200, document
        assert len(live) == 1
        assert live[0]["batch_id"] == document["data"]["batch_id"]
        if answers[0] is not None and answers[0][0] == 200:
            assert (answers[0][1], headers["Idempotent-Replayed"]) == (document, "true")
        assert remote("POST", f"/api/v1/schedule/batches/{live[0]['batch_id']}/undo")[0] == 200
    assert own_server.manage("check_timetable").stdout.strip() == "sound"
