"""What was read can be put back as it is, and then nothing has changed; faults are told where they are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.conformance.client import Client

Json = dict[str, Any]
EXAM: Json = {"name": "期末", "date": "2027-01-05"}
CLOCK, SECTIONS = {"start_time": "08:00", "end_time": "10:00"}, {"section_from": 1, "section_to": 2}


@pytest.fixture(scope="module")
def client(server: Any) -> Client:
    found = Client(server.base_url, "backward", server.account("backward"))
    dates = {"first_monday": "2026-09-07", "weeks": 20}
    semester = found.data("POST", "/schedule/semesters", json={"name": "秋", **dates})
    found.data("PUT", "/schedule/semesters/current", json={"semester_id": semester["id"]})
    return found


def exam(client: Client, times: Json) -> tuple[str, Json]:
    made = client.data("POST", "/schedule/exams", json={**EXAM, **times})["exam"]
    return f"/schedule/exams/{made['id']}", client.data("GET", f"/schedule/exams/{made['id']}")


def task_class(client: Client) -> tuple[str, Json]:
    dates = {"start_date": "2026-09-07", "end_date": "2026-10-07"}
    made = {"name": "复习", **dates, "items": [{"order": 1, "content": "x"}]}
    row = client.data("POST", "/task-class", json=made)
    return f"/task-class/{row['id']}", client.data("GET", f"/task-class/{row['id']}")


def course(client: Client) -> tuple[str, Json]:
    meeting = {"weeks": [1, 3], "day_of_week": 7, "start_section": 11, "end_section": 12}
    made = client.data("POST", "/schedule/courses", json={"course_name": "试", "arrangements": [meeting]})["course"]
    return f"/schedule/courses/{made['id']}", client.data("GET", f"/schedule/courses/{made['id']}")


def calendar_exception(client: Client) -> tuple[str, Json]:
    day = {"kind": "holiday", "name": "元旦", "first_date": "2027-01-01", "last_date": "2027-01-03"}
    if not client.data("GET", "/schedule/exceptions")["list"]:
        client.data("POST", "/schedule/exceptions", json={"exceptions": [day]})
    (row,) = client.data("GET", "/schedule/exceptions")["list"]
    return f"/schedule/exceptions/{row['id']}", row


def semester(client: Client) -> tuple[str, Json]:
    row = next(row for row in client.data("GET", "/schedule/semesters")["list"] if not row["shared"])
    return f"/schedule/semesters/{row['id']}", row


def progress_settings(client: Client) -> tuple[str, Json]:
    return "/schedule/progress-settings", client.data("GET", "/schedule/progress-settings")


THINGS: dict[str, Callable[[Client], tuple[str, Json]]] = {
    "an exam by the clock": lambda client: exam(client, CLOCK),
    "an exam by sections": lambda client: exam(client, SECTIONS),
    "a class": task_class,
    "a course": course,
    "an exception": calendar_exception,
    "a semester": semester,
    "how the past counts": progress_settings,
}


@pytest.mark.parametrize("thing", THINGS)
def test_what_was_read_can_be_put_back(client: Client, thing: str) -> None:
    path, read = THINGS[thing](client)
    client.data("PUT", path, json=read)
    again = THINGS[thing](client)[1] if thing in ("an exception", "a semester") else client.data("GET", path)
    assert again == read


@pytest.mark.parametrize(
    ("times", "field"),
    [
        ({"end_time": "10:00"}, "start_time"),
        ({"start_time": "08:00"}, "end_time"),
        ({"start_time": "10:00", "end_time": "08:00"}, "end_time"),
        ({**CLOCK, **SECTIONS}, "start_time"),
        ({**SECTIONS, "by_sections": False}, "start_time"),
        ({**CLOCK, "by_sections": True}, "start_time"),
    ],
)
def test_times_that_make_no_exam_are_told_by_the_field(client: Client, times: Json, field: str) -> None:
    answer = client.call("POST", "/schedule/exams?dry_run=true", json={**EXAM, **times})
    assert (answer.status_code, answer.json()["status"]) == (400, "40005"), answer.text
    assert [row["field"] for row in answer.json()["data"]["errors"]] == [field]


def test_a_clock_time_of_another_form_is_told_the_form(client: Client) -> None:
    answer = client.call("POST", "/schedule/exams?dry_run=true", json={**EXAM, **CLOCK, "start_time": "8:00"})
    assert answer.json()["data"]["errors"] == [{"field": "start_time", "message": "应为 HH:MM 时间"}]
