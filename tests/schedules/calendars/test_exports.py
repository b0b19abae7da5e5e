"""The timetable as a calendar file, and back: the same lessons, whatever program carries them in between."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any

import icalendar
import pytest
import vobject
from django.core.files.uploadedfile import SimpleUploadedFile
from hypothesis import given
from hypothesis import strategies as st

from schedules.calendars.files import rows_of_file
from schedules.calendars.ics_export import ics_of
from schedules.calendars.lessons import Lesson
from schedules.calendars.rows import CourseRow
from schedules.models import Schedule, ScheduleEvent
from schedules.planner.grid import Place
from schedules.services import broken_invariants
from taskclasses.spec import is_blank
from tests.kits.servers.warm import ROOT
from tests.kits.timetable.helpers import Api, event_at, placed
from tests.kits.timetable.terms import FILES, calendar

NOW = datetime(2026, 4, 1, 12, 30, 15, 123456, UTC)


def lesson(**changes: Any) -> Lesson:
    values: dict[str, Any] = {"event_id": 7, "revision": 3, "updated_at": NOW, "name": "高等数学", "location": "A1"}
    values |= {"category": "", "place": Place(1, 1, 2), "guest": ""}
    return Lesson(**{**values, **dict.fromkeys(("task", "can_be_embedded", "interrupted"), False), **changes})


def written(*lessons: Lesson, zone: str = "Asia/Shanghai", locale: str = "zh") -> bytes:
    return ics_of(lessons, calendar(zone), name="2026 春", now=NOW, locale=locale)


def test_an_event_is_written_byte_for_byte() -> None:
    assert written(lesson(guest="随机变量", can_be_embedded=True, interrupted=True)).decode().split("\r\n") == [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//SmartMate//Timetable//ZH",
        "METHOD:PUBLISH",
        "X-WR-CALNAME:2026 春",
        "BEGIN:VTIMEZONE",
        "TZID:Asia/Shanghai",
        "COMMENT:This timezone only works from 2026-03-01 to 2026-07-21.",
        "BEGIN:STANDARD",
        "DTSTART:20260301T000000",
        "TZNAME:CST",
        "TZOFFSETFROM:+0800",
        "TZOFFSETTO:+0800",
        "END:STANDARD",
        "END:VTIMEZONE",
        "BEGIN:VEVENT",
        "SUMMARY:高等数学",
        "DTSTART;TZID=Asia/Shanghai:20260302T080000",
        "DTEND;TZID=Asia/Shanghai:20260302T094000",
        "DTSTAMP:20260401T123015Z",
        "UID:event-7@smartmate",
        "SEQUENCE:3",
        "CATEGORIES:课程",
        "DESCRIPTION:嵌入任务：随机变量",
        "LAST-MODIFIED:20260401T123015Z",
        "LOCATION:A1",
        "STATUS:CANCELLED",
        "X-SMARTMATE-EMBEDDABLE:TRUE",
        "END:VEVENT",
        "END:VCALENDAR",
        "",
    ]
    task = written(lesson(task=True, category="概率论复习"), locale="en").decode()
    assert "CATEGORIES:概率论复习\r\n" in task
    assert "X-SMARTMATE-TYPE:TASK\r\n" in task
    assert "CATEGORIES:Course" in written(lesson(), locale="en").decode()


def test_a_zone_whose_clock_changes_twice_within_weeks_is_described_with_both_changes() -> None:
    """Ramadan of 2027 in Morocco lies between; a reader that has no zones of its own goes by the file."""
    term = replace(calendar("Africa/Casablanca"), first_monday=date(2027, 1, 25))
    rows = [lesson(event_id=week, place=Place((week - 1) * 7 + 1, 1, 2)) for week in (1, 4, 14)]
    data = ics_of(rows, term, name="2027", now=NOW, locale="zh")
    events = vobject.readOne(data.decode()).vevent_list
    assert {event.dtstart.value.astimezone(term.zone).strftime("%H:%M") for event in events} == {"08:00"}
    assert data.count(b"BEGIN:STANDARD") + data.count(b"BEGIN:DAYLIGHT") == 3


def test_control_characters_are_left_out() -> None:
    """RFC 5545, 3.1: a text holds none but the tab; a line break is written as its escape."""
    told = "".join(map(chr, [*range(32), 127]))
    data = written(lesson(name=f"高数{told}一", location=told + "A"))
    assert not re.search(rb"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]", data)
    assert "SUMMARY:高数\t\\n\\n一\r\n".encode() in data


NAMES = st.text(min_size=1, max_size=120).filter(lambda name: not is_blank(name))
PLACES = st.text(max_size=120).filter(lambda place: not place.strip() or not is_blank(place))


@given(st.lists(st.builds(
    lesson, name=NAMES, location=PLACES,
    category=st.text(max_size=60), guest=st.text(max_size=90), interrupted=st.booleans(), can_be_embedded=st.booleans(),
    place=st.builds(Place, st.integers(1, 140), st.integers(1, 11), st.just(2)), revision=st.integers(0, 10**6),
), max_size=4), st.sampled_from(["Asia/Shanghai", "UTC", "America/New_York", "Europe/Berlin"]))  # fmt: skip
def test_any_lesson_is_read_back_as_it_was(lessons: list[Lesson], zone: str) -> None:
    clean = [one for one in lessons if not re.search(r"[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]", one.name + one.location)]
    data = written(*clean, zone=zone)
    assert all(len(line) <= 75 for line in data.split(b"\r\n"))
    assert b"\n" not in data.replace(b"\r\n", b"")
    rows = rows_of_file("ics", data, calendar(zone))
    assert len(rows) == len(clean)
    for row, one in zip(rows, clean, strict=True):
        assert isinstance(row, CourseRow)
        found = (row.course_name, row.location, row.section_from, row.section_to, row.interrupted, row.is_allow_tasks)
        plain = [words.replace("\r\n", "\n").strip() for words in (one.name, one.location)]
        assert found == (*plain, one.place.first, one.place.last, one.interrupted, one.can_be_embedded)
        assert (row.weeks[0] - 1) * 7 + row.day_of_week == one.place.day


def export(api: Api, query: str = "", **headers: str) -> Any:
    return api.client.get(f"/api/v1/schedule/exports/ics{query}", headers=headers)


def events(data: bytes) -> list[Any]:
    return list(icalendar.Calendar.from_ical(data).walk("VEVENT"))


def lessons_in(data: bytes) -> list[tuple[str, ...]]:
    """What makes a lesson, without the ids and moments of the timetable it is written from."""
    told = ("SUMMARY", "LOCATION", "DTSTART", "DTEND", "STATUS", "X-SMARTMATE-EMBEDDABLE")
    return sorted(tuple(str(event[name].dt if "DT" in name else event.get(name, "")) for name in told)
                  for event in events(data))  # fmt: skip


def upload(api: Api, content: bytes, *, form: str = "ics", query: str = "", key: str = "") -> dict[str, Any]:
    headers = {"Idempotency-Key": key} if key else {}
    body = {"format": form, "file": SimpleUploadedFile("x", content)}
    return dict(json.loads(api.client.post(f"/api/v1/schedule/imports{query}", body, headers=headers).content))


def write(api: Api, content: bytes, key: str, *, form: str = "ics", query: str = "") -> dict[str, Any]:
    return upload(api, content, form=form, query=f"?dry_run=false{query}", key=key)


@pytest.fixture
def planned(api: Api, task_class: Any) -> Any:
    """One item free, one inside a host, one lesson cancelled."""
    first, second = list(task_class.items.order_by("order"))[:2]
    host = event_at("思想政治", 7)
    status, _ = api.apply({"task_class_id": task_class.pk, "items": [
        placed(first.pk, 7, 1, 1, 2), placed(second.pk, 7, 3, 5, 6, host=host.pk),
    ]})  # fmt: skip
    assert status == 200
    Schedule.objects.filter(event=event_at("大学英语", 9)).update(status="interrupted")
    return task_class


def test_it_exports_every_event_of_mine(api: Api, other_api: Api, planned: Any) -> None:
    answer = export(api)
    assert answer["Content-Type"] == "text/calendar; charset=utf-8"
    assert answer["Content-Disposition"].startswith("attachment; filename=")
    found = events(answer.content)
    assert [int(re.findall(r"\d+", str(event["UID"]))[0]) for event in found] == list(
        ScheduleEvent.objects.order_by("week", "day_of_week", "section_from").values_list("pk", flat=True)
    )
    hosts = [event for event in found if "DESCRIPTION" in event]
    assert [str(event["DESCRIPTION"]) for event in hosts] == ["嵌入任务：数字特征"]
    assert int(hosts[0]["SEQUENCE"]) == event_at("思想政治", 7).revision == 2
    assert [str(event["SUMMARY"]) for event in found if event.get("STATUS") == "CANCELLED"] == ["大学英语"]
    assert [event["CATEGORIES"].to_ical().decode() for event in found if "X-SMARTMATE-TYPE" in event] == ["概率论复习"]
    assert events(export(other_api).content) == []


def test_weeks_and_kinds_can_be_chosen(api: Api, planned: Any) -> None:
    assert len(events(export(api, "?from_week=7&to_week=7").content)) == 4
    assert len(events(export(api, "?from_week=7&to_week=7&include=course").content)) == 3
    assert [str(event["SUMMARY"]) for event in events(export(api, "?include=task").content)] == ["随机变量"]
    assert len(events(export(api, "?include=course,task&from_week=17").content)) == 0


@pytest.mark.parametrize("query", ["?from_week=9&to_week=8", "?from_week=21", "?to_week=x", "?include=course,party"])
def test_what_cannot_be_exported_is_refused(api: Api, semester: Any, query: str) -> None:
    answer = export(api, query)
    assert (answer.status_code, json.loads(answer.content)["status"]) == (400, "40005")


def test_the_same_timetable_gives_the_same_bytes_but_for_the_moment(api: Api, planned: Any) -> None:
    first, second = (re.sub(rb"DTSTAMP:\w+", b"", export(api).content) for _ in range(2))
    assert first == second


def test_a_term_goes_out_and_comes_back_as_the_same_lessons(api: Api, other_api: Api, planned: Any) -> None:
    out = export(api).content
    report = upload(other_api, out)["data"]
    assert {row["status"] for row in report["rows"]} == {"ok"}
    assert (report["events"], report["missing"]) == (34, [])
    written = write(other_api, out, "w")["data"]
    assert written == {**report, "dry_run": False, "batch_id": written["batch_id"]}
    again = export(other_api).content
    assert lessons_in(again) == lessons_in(out)
    assert broken_invariants() == []
    third = write(other_api, again, "x")["data"]
    assert (third["events"], third["duplicates"], third["missing"]) == (0, 34, [])


def test_coming_back_to_its_own_timetable_it_adds_nothing(api: Api, planned: Any) -> None:
    data = write(api, export(api).content, "w")["data"]
    assert (data["events"], data["duplicates"], data["conflicts"], data["missing"]) == (0, 34, [], [])


def test_an_exam_comes_back_as_a_note_and_not_as_a_lesson(api: Api, other_api: Api, courses: None) -> None:
    exam = {"name": "英语期末", "date": "2026-06-27", "start_time": "08:00", "end_time": "09:40", "location": "主楼"}
    assert api("POST", "schedule/exams", {**exam, "note": "座位 23", "course_id": None})[0] == 200
    out = export(api).content
    assert "DESCRIPTION:座位 23" in out.decode()
    for reader in (api, other_api):
        told = next(row for row in upload(reader, out)["data"]["rows"] if row["course_name"] == "英语期末")
        assert (told["status"], told["code"], told["events"]) == ("ok", "exam", 0)
        assert "2026-06-27 08:00–09:40" in told["message"]


def test_lessons_that_left_the_file_are_listed_and_stay(api: Api, semester: Any) -> None:
    term = (FILES / "term.ics").read_bytes()
    assert write(api, term, "w", query="&skip_invalid=true")["data"]["missing"] == []
    before = ScheduleEvent.objects.count()
    later = term.replace(b"COUNT=8", b"COUNT=6").replace("大学\n 英语".encode(), "大学英语（二）".encode())
    data = write(api, later, "x", query="&skip_invalid=true")["data"]
    kept = [{key: row[key] for key in ("name", "day_of_week", "section_from", "weeks")} for row in data["missing"]]
    assert kept == [
        {"name": "大学英语", "day_of_week": 5, "section_from": 3, "weeks": list(range(1, 21))},
        {"name": "大学物理实验, 单周", "day_of_week": 2, "section_from": 5, "weeks": [14, 16]},
    ]
    assert data["missing"][1]["event_ids"] == [event_at("大学物理实验, 单周", week).pk for week in (14, 16)]
    assert ScheduleEvent.objects.count() == before


def test_a_course_list_says_nothing_about_other_courses(api: Api, courses: None) -> None:
    table = "课程,星期,节次,周次\n体育,1,1-2,1-4\n".encode()
    data = upload(api, table, form="csv")["data"]
    assert (data["events"], data["missing"]) == (4, [])


def test_a_calendar_is_reported_as_it_is_written(api: Api, semester: Any) -> None:
    term = (FILES / "term.ics").read_bytes()
    dry = upload(api, term)["data"]
    assert [(row["row"], row["status"], row["code"], row["events"]) for row in dry["rows"]] == [
        (1, "ok", "", 14), (1, "ok", "", 15), (2, "ok", "", 1), (3, "ok", "", 1), (4, "ok", "", 8), (4, "ok", "", 1),
        (5, "ok", "", 20), (6, "ok", "all_day", 0), (7, "invalid", "no_section_for_time", 0),
        (8, "ok", "semester_mismatch", 0),
    ]  # fmt: skip
    refused = write(api, term, "w")
    assert (refused["status"], refused["data"]["rows"]) == ("40019", [dry["rows"][8]])
    data = write(api, term, "w", query="&skip_invalid=true")["data"]
    assert data == {**dry, "dry_run": False, "batch_id": data["batch_id"]}
    assert set(Schedule.objects.filter(status="interrupted").values_list("week", "day_of_week")) == {(10, 1)}


def test_a_backup_warns_and_is_written(api: Api, semester: Any) -> None:
    backup = (FILES / "term.wakeup_schedule").read_bytes().replace(b'"2026-3-2"', b'"2025-9-1"')
    data = write(api, backup, "w", form="wakeup")["data"]
    assert (data["events"], [row["code"] for row in data["rows"]]) == (33, ["semester_mismatch"] * 4)
    assert "第3节在文件中是 10:05-10:50" in data["rows"][2]["message"]
    again = upload(api, backup.replace("概率论".encode(), "数理统计".encode()), form="wakeup")["data"]
    assert [row["status"] for row in again["rows"]] == ["conflict", "conflict", "duplicate", "duplicate"]
    assert all("文件的第一周从 2025-9-1 开始" in row["message"] for row in again["rows"])


def test_a_spreadsheet_without_its_library_is_refused_by_name(api: Api, semester: Any, monkeypatch: Any) -> None:
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    refused = upload(api, b"PK", form="xlsx")
    assert refused["status"] == "40005"
    assert [row["code"] for row in refused["data"]["errors"]] == ["xlsx_not_enabled"]


def test_a_file_over_a_limit_names_it(api: Api, semester: Any) -> None:
    term = (
        (FILES / "term.ics")
        .read_bytes()
        .replace(b"END:VCALENDAR", b"BEGIN:VEVENT\nEND:VEVENT\n" * 2000 + b"END:VCALENDAR")
    )
    refused = upload(api, term)
    assert (refused["status"], refused["data"]) == ("40006", {"field": "rows", "limit": 2000})


@pytest.mark.storeless
def test_a_server_that_reads_no_calendar_loads_no_library_for_it() -> None:
    show = "import sys, smartmate.urls; print({'icalendar', 'openpyxl', 'dateutil'} & set(sys.modules))"
    done = subprocess.run(
        [sys.executable, "manage.py", "shell", "-v0", "-c", show], cwd=ROOT, capture_output=True, text=True
    )
    assert done.stdout.strip() == "set()", done.stderr
