"""MariaDB is killed while a draft is being saved: the save has a code, and nothing that was acknowledged is lost."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any

import httpx
import pytest

from tests.kits.faults.daemons import QUICK, Daemon
from tests.kits.faults.databases import connected, waiting
from tests.kits.transports.students import Student
from tests.kits.waiting import until


@pytest.fixture
def li(server_factory: Any, mariadb: tuple[Daemon, str]) -> Iterator[Student]:
    """A student whose drafts live in the web process itself, with their durable copies in MariaDB."""
    server = server_factory(AGENT_BACKEND="offline", DATABASE_URL=mariadb[1], REDIS_URL="", **QUICK)
    yield Student(server, "drafter", server.account("drafter"))
    server.stop(signal.SIGKILL)
    server_factory.prove(server)


def places(student: Student, conversation_id: str) -> dict[int, tuple[int, int, int]]:
    entries = student.data("/agent/schedule-preview", conversation_id=conversation_id)["hybrid_entries"]
    suggested = [entry for entry in entries if entry["status"] == "suggested"]
    return {
        entry["task_item_id"]: (entry["week"], entry["day_of_week"], entry["section_from"])
        for entry in suggested
        if not entry["event_id"]
    }


def free_class(student: Student) -> int:
    """One item that may stand anywhere in the last two weeks of the semester."""
    semester = student.data("/schedule/semester")
    end = date.fromisoformat(semester["first_monday"]) + timedelta(weeks=semester["weeks"], days=-1)
    dates = {"start_date": (end - timedelta(days=13)).isoformat(), "end_date": end.isoformat()}
    items = [{"order": 1, "content": "写总结", "duration": 2}]
    made = student.http.post("/task-class", json={"name": "收尾", "mode": "auto", **dates, "items": items})
    return int(made.json()["data"]["id"])


def dragged(student: Student, conversation_id: str) -> tuple[dict[str, Any], int]:
    """A save that moves the item to another free place of its day: the body and the item."""
    preview = student.data("/agent/schedule-preview", conversation_id=conversation_id)
    entries = preview["hybrid_entries"]
    last = max(
        (one for one in entries if one["status"] == "suggested" and not one["event_id"]),
        key=lambda one: (one["week"], one["day_of_week"], one["section_from"]),
    )
    length = last["section_to"] - last["section_from"] + 1
    taken = {
        (one["week"], one["day_of_week"], section)
        for one in entries
        for section in range(one["section_from"], one["section_to"] + 1)
    }
    for section in range(11, 0, -2):
        cells = {(last["week"], last["day_of_week"], section + step) for step in range(length)}
        if not cells & taken:
            break
    item = {
        "task_item_id": last["task_item_id"], "week": last["week"], "day_of_week": last["day_of_week"],
        "start_section": section, "end_section": section + length - 1,
    }  # fmt: skip
    return {"conversation_id": conversation_id, "items": [item]}, last["task_item_id"]


def test_a_save_that_was_acknowledged_outlives_the_database_and_the_server(
    li: Student, mariadb: tuple[Daemon, str]
) -> None:
    task_class = free_class(li)
    answer, _ = li.chat("帮我排一下", extra={"task_class_ids": [task_class], "always_execute": True})
    conversation_id = answer.headers["x-conversation-id"]
    drawn = places(li, conversation_id)
    body, item = dragged(li, conversation_id)
    wanted = body["items"][0]
    moved = {**drawn, item: (wanted["week"], wanted["day_of_week"], wanted["start_section"])}
    assert moved != drawn
    holder, watcher = connected(mariadb[1]), connected(mariadb[1])
    watcher.autocommit(True)
    holder.begin()
    holder.cursor().execute("SELECT * FROM agent_conversationstate FOR UPDATE")
    answers: list[httpx.Response] = []
    sender = threading.Thread(target=lambda: answers.append(li.http.post("/agent/schedule-state", json=body)))
    sender.start()
    until(lambda: waiting(watcher) == 1 or answers)
    assert not answers, answers[0].text
    mariadb[0].kill()
    sender.join()
    refused = answers[0]
    assert (refused.status_code, refused.json()["status"], refused.headers["retry-after"]) == (503, "50004", "2")
    mariadb[0].start()
    assert places(li, conversation_id) in (drawn, moved)
    again = li.http.post("/agent/schedule-state", json=body)
    assert again.status_code == 200, again.text
    assert places(li, conversation_id) == moved
    # The server and its embedded Redis die: what was acknowledged is in the database.
    li.server.stop(signal.SIGKILL)
    li.server.start()
    assert places(li, conversation_id) == moved
