"""A term leaves one account as a calendar and enters another, over real sockets; hostile files are coded answers."""

from __future__ import annotations

import secrets
from typing import Any

import pytest

from tests.conformance.client import Client, Json
from tests.kits.timetable.terms import ics, vevent

NAME = "calendar-in"
MAKE = f"""
import sys
from django.contrib.auth.models import User
User.objects.create_user("{NAME}", password=sys.stdin.read())
"""
SAME = ("SUMMARY", "LOCATION", "DTSTART", "DTEND", "STATUS", "X-SMARTMATE-EMBEDDABLE")


@pytest.fixture(scope="module")
def full(server: Any) -> Client:
    """The demo term with one task class on the timetable."""
    client = Client(server.base_url, "calendar-out", server.account("calendar-out"))
    classes = client.data("GET", "/task-class")["list"]
    plan = client.data("POST", "/schedule/smart-planning", json={"task_class_ids": [row["id"] for row in classes]})
    chosen = classes[0]["id"]
    items = [
        {
            "task_item_id": row["task_item_id"], "week": row["week"], "day_of_week": row["day_of_week"],
            "start_section": row["section_from"], "end_section": row["section_to"],
            "embed_course_event_id": row["embed_course_event_id"],
        }
        for row in plan["placements"] if row["task_class_id"] == chosen
    ]  # fmt: skip
    body = {"task_class_id": chosen, "items": items}
    path = "/task-class/apply-batch-into-schedule"
    client.data("PUT", path, json=body, headers={"Idempotency-Key": "applied"})
    return client


@pytest.fixture(scope="module")
def empty(server: Any) -> Client:
    password = secrets.token_urlsafe(12)
    server.manage("shell", "-v0", "-c", MAKE, stdin=password)
    return Client(server.base_url, NAME, password)


def calendar_of(client: Client, **query: Any) -> bytes:
    answer = client.call("GET", "/schedule/exports/ics", params=query)
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/calendar")
    assert answer.headers["content-disposition"].startswith("attachment")
    return answer.content


def lessons(data: bytes) -> list[Json]:
    """Name -> value of every VEVENT, read without a library: unfolded lines, parameters left on their names' side."""
    found: list[Json] = []
    for line in data.decode().replace("\r\n ", "").split("\r\n"):
        name, _, value = line.partition(":")
        if line == "BEGIN:VEVENT":
            found.append({})
        elif found:
            found[-1][name.partition(";")[0]] = value
    return found


def told(data: bytes) -> list[tuple[str, ...]]:
    return sorted(tuple(lesson.get(name, "") for name in SAME) for lesson in lessons(data))


def imported(client: Client, data: bytes, *, form: str = "ics", key: str = "", **query: str) -> Json:
    headers = {"Idempotency-Key": key} if key else {}
    params = {"dry_run": "false" if key else "true", **query}
    files = {"file": (f"term.{form}", data)}
    answer = client.call(
        "POST", "/schedule/imports", params=params, files=files, data={"format": form}, headers=headers
    )
    assert answer.status_code < 500, answer.text
    return dict(answer.json())


def test_the_file_is_made_of_short_whole_lines(full: Client) -> None:
    data = calendar_of(full)
    assert data.startswith(b"BEGIN:VCALENDAR\r\nVERSION:2.0\r\n")
    assert data.endswith(b"END:VCALENDAR\r\n")
    assert b"\n" not in data.replace(b"\r\n", b"")
    for line in data.split(b"\r\n"):
        assert len(line) <= 75
        line.decode()
    assert data.count(b"BEGIN:VTIMEZONE") == 1
    events = lessons(data)
    assert len({event["UID"] for event in events}) == len(events) > 200
    assert all(
        event.keys() >= {"UID", "SEQUENCE", "DTSTAMP", "LAST-MODIFIED", "DTSTART", "DTEND", "SUMMARY"}
        for event in events
    )
    assert b"RRULE" not in data


def test_ids_and_lessons_stay_from_one_export_to_the_next(full: Client) -> None:
    first, second = calendar_of(full), calendar_of(full)
    assert [event["UID"] for event in lessons(first)] == [event["UID"] for event in lessons(second)]
    assert told(first) == told(second)


def test_weeks_add_up_to_the_term(full: Client) -> None:
    weeks = full.data("GET", "/schedule/semester")["weeks"]
    parts = [calendar_of(full, from_week=1, to_week=5), calendar_of(full, from_week=6, to_week=weeks)]
    kinds = [calendar_of(full, include="course"), calendar_of(full, include="task")]
    assert sorted(told(parts[0]) + told(parts[1])) == sorted(told(kinds[0]) + told(kinds[1])) == told(calendar_of(full))


def test_a_term_enters_an_empty_timetable_as_it_was(full: Client, empty: Client) -> None:
    out = calendar_of(full)
    dry = imported(empty, out)["data"]
    assert {row["status"] for row in dry["rows"]} == {"ok"}
    written = imported(empty, out, key="in")
    assert written["data"] == {**dry, "dry_run": False, "batch_id": written["data"]["batch_id"]}
    assert written["data"]["batch_id"] is not None
    assert imported(empty, out, key="in") == written
    assert told(calendar_of(empty)) == told(out)
    again = imported(empty, calendar_of(empty), key="again")["data"]
    assert (again["events"], again["duplicates"], again["missing"]) == (0, len(lessons(out)), [])


WHEN = ("SUMMARY:x", "DTSTART:20260302T080000", "DTEND:20260302T094000")
NEVER = "RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30"
EXCEPT = "EXDATE:" + ",".join(["20260302T080000"] * 300_000)
HOSTILE = {
    "nothing": b"",
    "five megabytes of line ends": b"BEGIN:VCALENDAR\n" + b"\n" * (5 * 1024 * 1024 - 40),
    "an event every second": ics(vevent(*WHEN, "RRULE:FREQ=SECONDLY")),
    "a rule that finds nothing": ics(*[vevent(f"UID:{n}", *WHEN, NEVER) for n in range(2000)]),
    "a rule from the year 1": ics(vevent("SUMMARY:x", "DTSTART:00010101T000000", "DURATION:PT1H", "RRULE:FREQ=DAILY")),
    "the year 9999": ics(vevent("SUMMARY:x", "DTSTART:99991231T235959Z", "DURATION:PT1H", "RRULE:FREQ=DAILY")),
    "no begin": ics(vevent("SUMMARY:x")),
    "exceptions without end": ics(vevent(*WHEN, "RRULE:FREQ=WEEKLY", EXCEPT)),
    "a zone with a rule every second": ics(
        "BEGIN:VTIMEZONE\nTZID:x\nBEGIN:STANDARD\nDTSTART:19700101T000000\nTZOFFSETFROM:+0000\nTZOFFSETTO:+0100\n"
        "RRULE:FREQ=SECONDLY\nEND:STANDARD\nEND:VTIMEZONE\n", vevent(*WHEN),
    ),
    "bytes of no encoding": b"BEGIN:VCALENDAR\nSUMMARY:\xff\xff\nEND:VCALENDAR\n",
    "too many lessons": ics(*[vevent(f"UID:{n}", *WHEN, "RRULE:FREQ=DAILY") for n in range(100)]),
    "too many events": ics(*[vevent(*WHEN)] * 2_001),
}  # fmt: skip


@pytest.mark.parametrize("form", ["ics", "wakeup", "xlsx", "csv", "json"])
def test_hostile_files_are_coded_answers(empty: Client, form: str) -> None:
    for name, data in HOSTILE.items():
        answer = imported(empty, data, form=form)
        assert answer["status"] in {"10000", "40005", "40006"}, name
        if answer["status"] == "10000":
            assert all(row["code"] or row["status"] == "ok" for row in answer["data"]["rows"]), name
