"""GET /metrics over a real socket: who may read it, what it counts, and that its size has a bound."""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.kits.servers.scrape import scrape
from tests.kits.servers.server import METRICS_TOKEN
from tests.kits.transports.students import Student
from tests.kits.waiting import until

NAMES = """http_requests_total http_seconds runs_total run_seconds runs_active events_total readers reader_cuts_total
stream_resets_total llm_calls_total idempotency_total interactions_open planner_seconds"""
STAFF = """
import sys
from django.contrib.auth.models import User
User.objects.create_superuser("chief", password=sys.stdin.read())
"""


@pytest.fixture(scope="module")
def li(server_factory: Any) -> Iterator[Student]:
    """A student on a server that nobody else asks."""
    server = server_factory(AGENT_BACKEND="offline")
    student = Student(server, "counted", server.account("counted"))
    yield student
    student.http.close()


def grown(before: dict[Any, float], after: dict[Any, float]) -> dict[Any, float]:
    """The samples that changed, by how much."""
    return {key: value - before.get(key, 0) for key, value in after.items() if value != before.get(key, 0)}


def count(name: str, **labels: str) -> tuple[str, frozenset[tuple[str, str]]]:
    return f"smartmate_{name}", frozenset(labels.items())


def figures_for(student: Student, username: str, password: str) -> httpx.Response:
    """What somebody sees who has signed in on the page."""
    with httpx.Client(base_url=student.server.base_url) as browser:
        browser.get("/login")
        form = {"username": username, "password": password, "csrfmiddlewaretoken": browser.cookies["csrftoken"]}
        browser.post("/login", data=form, headers={"Referer": f"{student.server.base_url}/login"})
        return browser.get("/metrics")


@pytest.mark.parametrize("header", ["", "Bearer", "Bearer wrong", f"Basic {METRICS_TOKEN}", "Bearer {token}"])
def test_without_the_token_there_are_no_figures(li: Student, header: str) -> None:
    headers = {"Authorization": header.format(token=li.token)} if header else {}
    answer = httpx.get(f"{li.server.base_url}/metrics", headers=headers)
    assert (answer.status_code, answer.json()["status"]) == (401, "40014")
    assert answer.headers["www-authenticate"] == "Bearer"


def test_a_session_has_to_be_that_of_a_member_of_staff(li: Student) -> None:
    li.server.manage("shell", "-v0", "-c", STAFF, stdin="correct horse")
    refused = figures_for(li, li.username, li.password)
    assert (refused.status_code, refused.json()["status"]) == (404, "40400")
    assert figures_for(li, "chief", "correct horse").text.startswith("# HELP")


def test_a_server_without_a_token_has_figures_for_staff_only(server_factory: Any) -> None:
    server = server_factory(AGENT_BACKEND="offline", METRICS_TOKEN="")
    for header in ("Bearer", f"Bearer {METRICS_TOKEN}"):
        assert httpx.get(f"{server.base_url}/metrics", headers={"Authorization": header}).status_code == 401


def test_an_answer_is_counted_under_its_pattern(li: Student) -> None:
    before = scrape(li.server)
    for _ in range(3):
        li.code("GET", f"/tasks/{uuid.uuid4()}")
    labels = {"route": "/api/v1/tasks/{run_id}", "method": "GET"}
    change = grown(before, scrape(li.server))
    assert change[count("http_requests_total", **labels, status="404")] == 3
    assert change[count("http_seconds_count", **labels)] == 3


def test_what_a_client_invents_makes_no_series(li: Student) -> None:
    def invent() -> None:
        for _ in range(10):
            name = uuid.uuid4().hex
            li.http.request("GET", f"/agent/conversations/{name}/state")
            li.http.request("DELETE", f"/schedule/events/{uuid.uuid4().int % 10**9}")
            for path in (f"/{name}", f"/static/{name}.js", f"/admin/{name}", f"/api/v1/{name}"):
                httpx.request("GET", li.server.base_url + path)
            httpx.request(name.upper()[:10], f"{li.server.base_url}/healthz")

    invent()
    before = scrape(li.server)
    invent()
    assert scrape(li.server).keys() == before.keys()


def test_a_run_is_counted_by_what_it_does(li: Student) -> None:
    task_class = li.data("/task-class")["list"][0]["id"]
    before = scrape(li.server)
    li.http.post("/schedule/smart-planning", json={"task_class_ids": [task_class]})
    answer, frames = li.chat("帮我排一下", extra={"task_class_ids": [task_class]})
    assert answer.status_code == 200
    change = until(lambda: (g := grown(before, scrape(li.server))).get(count("run_seconds_count")) and g)
    assert change[count("runs_total", status=frames[-2].data["extra"]["finish"]["run_status"])] == 1
    assert change[count("planner_seconds_count")] == 2
    assert change[count("events_total", type="message.started")] == 1
    assert sum(change[key] for key in change if key[0] == "smartmate_events_total") == len(frames) - 1
    assert change[count("llm_calls_total", stage="chat", outcome="ok")] == 1
    assert count("runs_active") not in change


def test_keys_are_counted_by_what_became_of_them(li: Student) -> None:
    before = scrape(li.server)
    made = {"name": "杂事", "mode": "manual"}
    for name in ("杂事", "杂事", "别的"):
        li.http.post("/task-class", json={**made, "name": name}, headers={"Idempotency-Key": "counted"})
    for message in ("你好", "你好", "再见"):
        li.http.post("/tasks", json={"message": message}, headers={"Idempotency-Key": "counted"})
    li.http.put("/task-class/apply-batch-into-schedule", json={})
    change = grown(before, scrape(li.server))
    found = {outcome: change[count("idempotency_total", outcome=outcome)] for outcome in OUTCOMES}
    assert found == OUTCOMES


OUTCOMES = {"claimed": 2, "replayed": 2, "reused": 2, "missing": 1}


def test_open_readers_and_questions_come_and_go(server_factory: Any) -> None:
    # Nobody executes: the run stays queued and its streams stay open.
    student = Student(server_factory(AGENT_BACKEND="offline", AGENT_RUN_IN_WEB="false"), "li")
    started = student.http.post("/tasks", json={"message": "你好"}).json()["data"]["task_id"]
    with student.http.stream("GET", f"/agent/runs/{started}/stream") as answer:
        body = answer.iter_raw()
        next(body)
        open_now = until(lambda: (s := scrape(student.server)).get(count("readers", transport="sse")) and s)
        assert open_now[count("readers", transport="sse")] == 1
        assert open_now[count("runs_active")] == 1
    until(lambda: scrape(student.server)[count("readers", transport="sse")] == 0)
    student.http.post(f"/tasks/{started}/cancel")
    until(lambda: scrape(student.server)[count("runs_active")] == 0)


def test_every_figure_of_the_protocol_is_there(li: Student) -> None:
    text = httpx.get(f"{li.server.base_url}/metrics", headers={"Authorization": f"Bearer {METRICS_TOKEN}"}).text
    told = {line.split()[2] for line in text.splitlines() if line.startswith("# TYPE")}
    assert {f"smartmate_{name}" for name in NAMES.split()} <= told


def test_the_counts_from_sql_touch_open_rows_only(db: None) -> None:
    from smartmate.monitoring.open_rows import open_rows

    explain = "EXPLAIN QUERY PLAN" if connection.vendor == "sqlite" else "EXPLAIN"
    for _, rows in open_rows().values():
        with CaptureQueriesContext(connection) as seen:
            rows.count()
        with connection.cursor() as cursor:
            cursor.execute(f"{explain} {seen[0]['sql']}")
            plan = str(cursor.fetchall())
        assert not re.search(r"\bSCAN\b|\bALL\b", plan), plan
