"""Dates at the ends of what is allowed: refused, or of use in every read and write."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tests.conformance.client import Client

READS = ["semester", "week", "today", "term", "progress", "exams", "exports/ics", "exports/csv", "exceptions/proposals"]


@pytest.fixture(scope="module")
def client(server: Any) -> Client:
    return Client(server.base_url, "edges", server.account("edges"))


@pytest.fixture
def chosen(client: Client, first_monday: str) -> Iterator[int]:
    made = client.data("POST", "/schedule/semesters", json={"name": "边缘", "first_monday": first_monday, "weeks": 30})
    client.data("PUT", "/schedule/semesters/current", json={"semester_id": made["id"]})
    yield made["id"]
    client.data("PUT", "/schedule/semesters/current", json={"semester_id": None})


@pytest.mark.parametrize("first_monday", ["0001-01-01", "0026-03-02", "1969-12-29", "2101-01-03", "9999-12-27"])
def test_a_semester_at_the_ends_of_the_calendar_is_refused(client: Client, first_monday: str) -> None:
    answer = client.call("POST", "/schedule/semesters", json={"name": "x", "first_monday": first_monday, "weeks": 1})
    assert (answer.status_code, answer.json()["status"]) == (400, "40005"), answer.text
    assert [row["field"] for row in answer.json()["data"]["errors"]] == ["first_monday"]


@pytest.mark.parametrize("first_monday", ["1970-01-05", "2100-12-27"])
def test_the_first_and_the_last_one_serve_for_everything(client: Client, chosen: int, first_monday: str) -> None:
    exam = {"name": "期末", "date": first_monday, "start_time": "00:00", "end_time": "01:00"}
    client.data("POST", "/schedule/exams", json=exam)
    lesson = {"weeks": [1, 30], "day_of_week": 1, "start_section": 1, "end_section": 2}
    client.data("POST", "/schedule/courses", json={"course_name": "边缘", "arrangements": [lesson]})
    made = {
        "name": "边缘",
        "start_date": first_monday,
        "end_date": first_monday,
        "items": [{"order": 1, "content": "x"}],
    }
    task_class = client.data("POST", "/task-class", json=made)
    client.data("POST", "/schedule/smart-planning", json={"task_class_ids": [task_class["id"]]})
    for path in READS:
        for query in ("", f"?semester_id={chosen}"):
            assert client.call("GET", f"/schedule/{path}{query}").status_code == 200, path
    feed = httpx.get(client.data("POST", "/schedule/feed")["address"])
    assert feed.status_code == 200, feed.text


@pytest.mark.parametrize("dates", [("0001-01-01", "9999-12-31"), ("2026-03-02", "9999-12-31")])
def test_the_dates_of_a_class_may_reach_beyond_every_semester(client: Client, dates: tuple[str, str]) -> None:
    made = {"name": "无边", "start_date": dates[0], "end_date": dates[1], "items": [{"order": 1, "content": "x"}]}
    task_class = client.data("POST", "/task-class", json=made)
    plan = client.data("POST", "/schedule/smart-planning", json={"task_class_ids": [task_class["id"]]})
    assert len(plan["placements"]) == 1
    for path in READS:
        assert client.call("GET", f"/schedule/{path}").status_code == 200, path
