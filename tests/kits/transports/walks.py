"""Parts of a student's day: requests to a real server, each answer held against its document as it comes."""

from __future__ import annotations

import io
import json
from datetime import date, timedelta
from typing import Any

from tests.kits.transports.openapi import Witness
from tests.kits.transports.students import Student


class Walk:
    """Asks as one student; every answer is looked at as it comes."""

    def __init__(self, student: Student, witness: Witness) -> None:
        self.http = student.http
        self.http.event_hooks = {"response": [witness]}
        self.student, self.witness = student, witness
        self.keys = 0

    def __call__(self, method: str, path: str, *, code: str = "10000", **request: Any) -> Any:
        headers = {"Idempotency-Key": f"walk-{(keys := self.keys)}", **request.pop("headers", {})}
        self.keys = keys + 1
        answer = self.http.request(method, path, headers=headers if method != "GET" else {}, **request)
        assert answer.json()["status"] == code, (path, answer.text)
        return answer.json()["data"]

    def day(self, days: int) -> str:
        """The date so many days after the first Monday of the current semester."""
        return f"{date.fromisoformat(self('GET', '/schedule/semester')['first_monday']) + timedelta(days=days)}"


def walk_lesson_changes(walk: Walk, course: dict[str, Any]) -> None:
    """Makes the course, whose one lesson is in week 1, changes the lesson, adds one to it and takes both back."""
    made = walk("POST", "/schedule/courses", json=course)["course"]
    week = walk("GET", "/schedule/week", params={"week": 1})
    event = next(row["id"] for row in week["events"] if row["name"] == course["course_name"])
    place = {"week": 2, "day_of_week": 7, "section_from": 11, "section_to": 12}
    moved = {"kind": "moved", "event_id": event, **place, "note": "老师出差"}
    trial = walk("POST", "/schedule/lesson-changes", params={"dry_run": "true"}, json=moved)
    assert trial["batch_id"] is None
    happened = {"kind": "lesson_moved", "event_id": event, **place}
    assert walk("POST", "/agent/replan", json=happened)["lesson_change"]["change"]["to"]["week"] == 2
    walk("POST", "/agent/replan", json={**happened, "event_id": 999_999}, code="40031")
    walk("POST", "/agent/replan", json={"kind": "exam_moved", "exam_id": 999_999, "date": "2026-09-21"}, code="40047")
    assert walk("POST", "/schedule/lesson-changes", json=moved)["change"]["to"]["week"] == 2
    walk("POST", "/schedule/lesson-changes", json={"kind": "room", "event_id": event, "location": "教学楼B"})
    walk("POST", "/schedule/lesson-changes", json={"kind": "cancelled", "event_id": event})
    added = {"kind": "added", "course_id": made["id"], **place}
    extra = walk("POST", "/schedule/lesson-changes", json=added)["change"]["id"]
    walk("POST", "/schedule/lesson-changes", json={**added, "week": 999}, code="40049")
    walk("POST", "/schedule/lesson-changes", json={**added, "course_id": 999_999}, code="40042")
    walk("POST", "/schedule/lesson-changes", json={**moved, "event_id": 999_999}, code="40031")
    walk("POST", "/schedule/lesson-changes", json={"kind": "swapped"}, code="40005")
    listed = walk("GET", "/schedule/lesson-changes", params={"page_size": 5})["list"]
    assert {row["kind"] for row in listed} == {"cancelled", "added"}
    walk("GET", "/schedule/lesson-changes", params={"semester_id": 999_999}, code="40041")
    walk("GET", "/schedule/week", params={"week": 1})
    path = f"/schedule/lesson-changes/{event}"
    walk("DELETE", path, params={"dry_run": "true"})
    assert walk("DELETE", path)["lessons"]
    walk("DELETE", path, code="40052")
    assert walk("DELETE", f"/schedule/lesson-changes/{extra}")["change"] is None


def walk_exceptions(walk: Walk) -> None:
    """Makes a day off and the day that its lessons are held on, an exam week, and takes all but the make-up day out."""
    off = {"kind": "holiday", "name": "校庆", "first_date": walk.day(0)}
    instead = {"kind": "makeup", "name": "补课", "first_date": walk.day(6), "follows_date": walk.day(0)}
    body = {"exceptions": [off, instead]}
    assert walk("POST", "/schedule/exceptions", params={"dry_run": "true"}, json=body)["batch_id"] is None
    made = walk("POST", "/schedule/exceptions", json=body)
    assert made["lessons"]
    walk("POST", "/schedule/exceptions", json={"exceptions": [off]}, code="40051")
    walk("POST", "/schedule/exceptions", json={"exceptions": []}, code="40005")
    walk("POST", "/schedule/exceptions", params={"semester_id": 999_999}, json=body, code="40041")
    week = {"kind": "exam_week", "name": "期中", "first_date": walk.day(7), "last_date": walk.day(13)}
    exams = walk("POST", "/schedule/exceptions", json={"exceptions": [week]})["exceptions"][0]["id"]
    assert walk("GET", "/schedule/exceptions", params={"page_size": 5})["total"] == 3
    walk("GET", "/schedule/week", params={"week": 1})
    path = f"/schedule/exceptions/{made['exceptions'][0]['id']}"
    walk("PUT", path, params={"dry_run": "true"}, json={**off, "study_allowed": True})
    walk("PUT", path, json={**off, "study_allowed": True, "note": "上午有典礼"})
    walk("PUT", path, json={**off, "first_date": walk.day(6)}, code="40051")
    for country in ("CN", "DE"):
        found = walk("GET", "/schedule/exceptions/proposals", params={"country": country})
        assert found["country"] == country
        assert found["proposals"]
    walk("GET", "/schedule/exceptions/proposals", params={"semester_id": 999_999}, code="40041")
    walk("DELETE", path, params={"dry_run": "true"})
    walk("DELETE", path)
    walk("DELETE", path, code="40050")
    walk("PUT", path, json=off, code="40050")
    walk("DELETE", f"/schedule/exceptions/{exams}")


def walk_feed(walk: Walk) -> None:
    """Makes the address of the feed, reads the calendar there, changes what it tells and ends it."""
    body = {"include": ["course", "exam"], "reminder_minutes": 15}
    walk("GET", "/schedule/feed", code="40086")
    walk("PUT", "/schedule/feed", json=body, code="40086")
    address = walk("POST", "/schedule/feed")["address"]
    assert walk.http.get(address).text.startswith("BEGIN:VCALENDAR")
    told = walk("GET", "/schedule/feed")
    assert (told["address"], told["last_read_at"] is None) == (None, False)
    assert walk("PUT", "/schedule/feed", json=body)["include"] == body["include"]
    walk("PUT", "/schedule/feed", json={"include": []}, code="40005")
    walk("DELETE", "/schedule/feed")
    walk("DELETE", "/schedule/feed", code="40086")
    assert walk.http.get(address).status_code == 404


def walk_table(walk: Walk) -> None:
    """Takes the courses out as a table, which the import reads and knows every course of."""
    answer = walk.http.get("/schedule/exports/csv")
    assert answer.status_code == 200, answer.text
    table = {"file": ("courses.csv", io.BytesIO(answer.content))}
    assert not walk("POST", "/schedule/imports", files=table, data={"format": "csv"})["missing"]
    walk("GET", "/schedule/exports/csv", params={"semester_id": 999_999}, code="40041")


def walk_archive(walk: Walk, name: str, password: str) -> None:
    """Takes everything out, and into the empty account of that name, as a body and as a file; the account then ends."""
    document = walk.http.get("/account/archive").json()
    rows = {table: len(held) for table, held in document["tables"].items()}
    other = Walk(Student(walk.student.server, name, password), walk.witness)
    other("POST", "/account/archive", json={**document, "version": 999}, code="40005")
    file = {"file": ("archive.json", io.BytesIO(json.dumps(document).encode()), "application/json")}
    assert other("POST", "/account/archive", files=file) == {"rows": rows}
    other("POST", "/account/archive", json=document, code="40087")
    other("DELETE", "/account", json={"password": "wrong"}, code="40088")
    other("DELETE", "/account", json={"password": password})
    other("GET", "/auth/session", code="40014")
    other.http.close()
