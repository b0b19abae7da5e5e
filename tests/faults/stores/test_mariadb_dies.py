"""MariaDB dies in the middle of a write: the client asks again with the same key and finds exactly one effect."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tests.kits.faults.daemons import QUICK, Daemon
from tests.kits.faults.databases import connected, deadlocks, waiting
from tests.kits.transports.students import Student
from tests.kits.waiting import until

APPLY = "/task-class/apply-batch-into-schedule"


@pytest.fixture(scope="module")
def li(server_factory: Any, mariadb: tuple[Daemon, str]) -> Iterator[Student]:
    server = server_factory(AGENT_BACKEND="offline", DATABASE_URL=mariadb[1], REDIS_URL="", **QUICK)
    yield Student(server, "li", server.account("li"))
    server.stop(signal.SIGKILL)
    server_factory.prove(server)


@pytest.fixture
def body(li: Student) -> Iterator[dict[str, Any]]:
    """An apply of one class as planned; it is taken back afterwards."""
    task_class = min(row["id"] for row in li.data("/task-class")["list"])
    plan = li.http.post("/schedule/smart-planning", json={"task_class_ids": [task_class]}).json()["data"]
    items = [
        {
            "task_item_id": row["task_item_id"], "week": row["week"], "day_of_week": row["day_of_week"],
            "start_section": row["section_from"], "end_section": row["section_to"],
            "embed_course_event_id": row["embed_course_event_id"],
        }
        for row in plan["placements"]
    ]  # fmt: skip
    yield {"task_class_id": task_class, "items": items}
    for batch in live(li):
        assert li.http.post(f"/schedule/batches/{batch}/undo").status_code == 200


def live(student: Student) -> list[int]:
    rows = student.data("/schedule/batches", page_size=100)["list"]
    return [row["batch_id"] for row in rows if row["undone_at"] is None and row["source"] != "import"]


def put(student: Student, body: Any, key: str) -> httpx.Response:
    return student.http.put(APPLY, json=body, headers={"Idempotency-Key": key})


def pass_leases(address: str) -> None:
    """A minute later: a claim that could not be given back is free again."""
    connection = connected(address)
    connection.cursor().execute("UPDATE smartmate_idempotencyclaim SET lease_until = lease_until - INTERVAL 1 MINUTE")
    connection.commit()
    connection.close()


@pytest.mark.parametrize("patience", [0.0, 0.05, 0.15], ids=lambda seconds: f"after {seconds} s")
def test_a_retry_finds_exactly_one_effect(
    li: Student, mariadb: tuple[Daemon, str], body: dict[str, Any], patience: float
) -> None:
    first: list[httpx.Response] = []
    sender = threading.Thread(target=lambda: first.append(put(li, body, f"killed-{patience}")))
    sender.start()
    sender.join(patience)
    mariadb[0].kill()
    sender.join()
    assert (first[0].status_code, first[0].json()["status"]) in ((200, "10000"), (503, "50004")), first[0].text
    assert li.code("GET", "/task-class") == (503, "50004")
    mariadb[0].start()
    early = put(li, body, f"killed-{patience}")
    assert (early.status_code, early.json()["status"]) in ((200, "10000"), (409, "40038")), early.text
    pass_leases(mariadb[1])
    again = put(li, body, f"killed-{patience}")
    assert again.status_code == 200, again.text
    assert live(li) == [again.json()["data"]["batch_id"]]
    if first[0].status_code == 200:
        assert (again.content, again.headers["idempotent-replayed"]) == (first[0].content, "true")


def test_a_lock_that_is_held_for_a_while_is_waited_for(
    li: Student, mariadb: tuple[Daemon, str], body: dict[str, Any]
) -> None:
    """1205 ends a statement and the transaction is tried again; a lock that stays has a code."""
    holder = connected(mariadb[1])
    holder.cursor().execute("SET GLOBAL innodb_lock_wait_timeout = 1")
    holder.begin()
    holder.cursor().execute("SELECT * FROM taskclasses_taskclass FOR UPDATE")
    holder.cursor().execute("SELECT * FROM taskclasses_taskitem FOR UPDATE")
    answers: list[httpx.Response] = []
    sender = threading.Thread(target=lambda: answers.append(put(li, body, "locked")))
    sender.start()
    sender.join(1.5)
    holder.rollback()
    sender.join()
    holder.cursor().execute("SET GLOBAL innodb_lock_wait_timeout = 50")
    holder.close()
    assert answers[0].status_code == 200, answers[0].text
    assert live(li) == [answers[0].json()["data"]["batch_id"]]


def test_a_deadlock_is_resolved_by_repeating_the_whole_write(
    li: Student, mariadb: tuple[Daemon, str], body: dict[str, Any]
) -> None:
    """The other transaction has written more, so the database gives up ours (1213); the student notices nothing."""
    first = put(li, body, "before")
    assert li.http.post(f"/schedule/batches/{first.json()['data']['batch_id']}/undo").status_code == 200
    watcher, other = connected(mariadb[1]), connected(mariadb[1])
    watcher.autocommit(True)
    watcher.cursor().execute("CREATE TABLE heavy (id INT PRIMARY KEY)")
    before = deadlocks(watcher)
    other.begin()
    other.cursor().executemany("INSERT INTO heavy VALUES (%s)", [(number,) for number in range(20_000)])
    other.cursor().execute("SELECT * FROM taskclasses_taskitem FOR UPDATE")
    answers: list[httpx.Response] = []
    sender = threading.Thread(target=lambda: answers.append(put(li, body, "deadlocked")))
    sender.start()
    until(lambda: waiting(watcher) == 1)
    other.cursor().execute("SELECT * FROM schedules_timetableversion FOR UPDATE")
    until(lambda: deadlocks(watcher) == before + 1)
    assert not answers
    other.rollback()
    sender.join()
    watcher.cursor().execute("DROP TABLE heavy")
    for connection in (watcher, other):
        connection.close()
    assert answers[0].status_code == 200, answers[0].text
    assert live(li) == [answers[0].json()["data"]["batch_id"]]
    assert put(li, body, "deadlocked").content == answers[0].content
