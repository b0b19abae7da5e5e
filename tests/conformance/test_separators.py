"""Characters that end a line for some readers, and control characters, may stand in any text: every view reads back."""

from __future__ import annotations

import csv
import io
import itertools
import json
import uuid
from typing import Any

import httpx
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from icalendar import Calendar

from tests.conformance.client import Client
from tests.kits.budgets import tried

SEPARATORS = "\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"
SPECIAL = [
    chr(code) for code in (*range(0x20), *range(0x7F, 0xA1), 0xAD, *range(0x200B, 0x2010), *range(0x2028, 0x2030))
]
SPECIAL += [chr(code) for code in (*range(0x2060, 0x206A), 0xFEFF, 0xFFFE, 0xFFFF, 0x1F600, 0xE0001)]
WORDS = st.lists(st.sampled_from(SPECIAL), min_size=1, max_size=6).map(lambda marks: f"a{'b'.join(marks)}c")
numbers = itertools.count()
VIEWS = ("/task-class", "/agent/conversations", "/schedule/week?week=1", "/schedule/today", "/schedule/term")
VIEWS += ("/schedule/courses", "/schedule/exams", "/schedule/progress", "/schedule/batches")


@pytest.fixture(scope="module")
def client(server: Any) -> Client:
    return Client(server.base_url, "separators", server.account("separators"))


def written(answer: httpx.Response) -> bool:
    """Whether a write was accepted; a refusal has to name the field."""
    assert answer.status_code in (200, 201, 400), (answer.status_code, answer.text)
    body = answer.json()
    assert answer.status_code < 400 or body["data"]["errors"][0]["field"], body
    return answer.status_code < 400


def class_named(client: Client, words: str) -> int | None:
    body = {
        "name": f"{words}{next(numbers)}",
        "mode": "auto",
        "start_date": "2026-01-01",
        "end_date": "2027-12-31",
        "config": {"total_slots": 2, "strategy": "steady"},
        "items": [{"order": 1, "content": words}],
    }
    answer = client.call("POST", "/task-class", json=body, headers={"Idempotency-Key": uuid.uuid4().hex})
    if not written(answer):
        return None
    found = client.data("GET", f"/task-class/{answer.json()['data']['id']}")
    assert found["name"] == body["name"].strip()
    assert found["items"][0]["content"] == words
    return int(found["id"])


def course_named(client: Client, words: str) -> None:
    number = next(numbers)
    arrangement = {"weeks": [1 + number % 18], "day_of_week": 7, "start_section": 11, "end_section": 11}
    courses = [{"course_name": words, "location": words, "arrangements": [arrangement]}]
    table = f"课程名称,星期,节次,周数,地点\n{words},7,12,{1 + number % 18},{words}\n".encode()
    for options in (
        {"json": {"courses": courses}},
        {"data": {"format": "json"}, "files": {"file": json.dumps({"courses": courses}).encode()}},
        {"data": {"format": "csv"}, "files": {"file": table}},
    ):
        answer = client.call(
            "POST",
            "/schedule/imports?dry_run=false&skip_invalid=true",
            headers={"Idempotency-Key": uuid.uuid4().hex},
            **options,
        )
        written(answer)


def exam_named(client: Client, words: str) -> None:
    body = {"name": words, "location": words, "note": words, "date": f"2026-{1 + next(numbers) % 12:02}-03"}
    body |= {"start_time": "18:40", "end_time": "20:20"}
    answer = client.call("POST", "/schedule/exams", json=body, headers={"Idempotency-Key": uuid.uuid4().hex})
    if written(answer):
        (found,) = (exam for exam in client.data("GET", "/schedule/exams")["list"] if exam["name"] == words.strip())
        assert (found["location"], found["note"]) == (words.strip(), words.strip())
        client.data("DELETE", f"/schedule/exams/{found['id']}")


def course_of_the_form(client: Client, words: str) -> None:
    body = {"course_name": words, "teacher": words, "location": words, "note": words}
    answer = client.call("POST", "/schedule/courses", json=body, headers={"Idempotency-Key": uuid.uuid4().hex})
    if written(answer):
        course_id = answer.json()["data"]["course"]["id"]
        found = client.data("GET", f"/schedule/courses/{course_id}")
        assert found["course_name"] == found["teacher"] == words.strip()
        client.data("DELETE", f"/schedule/courses/{course_id}")


def conversation_named(client: Client, conversation: str, words: str) -> None:
    answer = client.call("PATCH", f"/agent/conversations/{conversation}", json={"title": words})
    if written(answer):
        assert client.data("GET", f"/agent/conversations/{conversation}")["title"] == words.strip()


@tried(12)
@given(words=WORDS)
@example(words=f"a{SEPARATORS}b")
def test_every_view_reads_back_what_holds_separators_and_control_characters(client: Client, words: str) -> None:
    class_id = class_named(client, words)
    course_named(client, words)
    exam_named(client, words)
    course_of_the_form(client, words)
    extra = {} if class_id is None else {"task_class_ids": [class_id]}
    asked = client.call("POST", "/tasks", json={"message": f"帮我把「{words}」排好", "extra": extra})
    if written(asked):
        task = asked.json()["data"]
        run, conversation = task["task_id"], task["conversation_id"]
        events = client.poll(run)
        streamed = client.follow(run)
        assert streamed.done
        assert streamed.ids == [event["idx"] for event in events] == list(range(len(events)))
        every_line = streamed.raw.decode().splitlines()
        assert all(line == "" or line.split(":")[0] in ("id", "data", "retry", "") for line in every_line)
        for view in ("", "/state", "/timeline", "/context-stats"):
            client.data("GET", f"/agent/conversations/{conversation}{view}")
        client.data("GET", f"/agent/schedule-preview?conversation_id={conversation}")
        conversation_named(client, conversation, words)
    for path in VIEWS:
        client.data("GET", path)
    archive = client.http.get("/api/v1/account/archive")
    assert archive.status_code == 200
    assert archive.json()["format"]
    rows = list(csv.reader(io.StringIO(client.http.get("/api/v1/schedule/exports/csv").content.decode("utf-8-sig"))))
    assert {len(row) for row in rows} == {len(rows[0])}
    calendar = client.call("GET", "/schedule/exports/ics")
    assert calendar.status_code == 200
    assert Calendar.from_ical(calendar.content).walk("VEVENT")
