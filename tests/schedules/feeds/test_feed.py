"""The calendar feed: what readers see over time, who may read, and what it costs."""

from __future__ import annotations

import hashlib
import json
from datetime import UTC, datetime, time, timedelta
from typing import Any

import icalendar
import pytest
import recurring_ical_events
import vobject
from django.test import Client
from django.utils import timezone

from schedules.feeds.reading import feed_read
from schedules.models import CalendarFeed, FeedEntry, ScheduleEvent
from tests.kits.timetable.helpers import Api, event_at, placed

DURING = datetime(2026, 4, 13, tzinfo=UTC)


@pytest.fixture(autouse=True)
def term_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """The feed drops terms that ended long ago: the example's is read while it lasts."""
    monkeypatch.setattr(timezone, "now", lambda: DURING)


def make(api: Api) -> str:
    status, answer = api("POST", "schedule/feed")
    assert status == 200
    address: str = answer["data"]["address"]
    return address.removeprefix("http://testserver")


def read(address: str, **headers: str) -> Any:
    return Client().get(address, headers={name.replace("_", "-"): value for name, value in headers.items()})


def entries(address: str) -> dict[str, Any]:
    calendar = icalendar.Calendar.from_ical(read(address).content)
    return {str(event["UID"]): event for event in calendar.walk("VEVENT")}


def test_without_a_chosen_language_the_feed_speaks_that_of_its_reader(api: Api, courses: None) -> None:
    address = make(api)
    assert "CATEGORIES:Course" in read(address, Accept_Language="en-GB,en").content.decode()
    assert "CATEGORIES:课程" in read(address, Accept_Language="zh-CN").content.decode()
    assert "CATEGORIES:课程" in read(address).content.decode()


def test_a_reader_that_names_no_language_gets_that_of_the_page_where_the_address_was_made(
    api: Api, courses: None
) -> None:
    _status, answer = api("POST", "schedule/feed", Accept_Language="en-US,en;q=0.9")
    address = answer["data"]["address"].removeprefix("http://testserver")
    assert "CATEGORIES:Course" in read(address).content.decode()
    assert "CATEGORIES:Course" in read(address, Accept_Language="*").content.decode()
    assert "CATEGORIES:课程" in read(address, Accept_Language="zh-CN").content.decode()
    assert "CATEGORIES:课程" in read(make(api)).content.decode()


def test_a_feed_is_made_read_rotated_and_revoked(api: Api, user: Any, courses: None) -> None:
    assert api("GET", "schedule/feed")[1]["status"] == "40086"
    first = make(api)
    secret = first.removeprefix("/feeds/").removesuffix(".ics")
    assert len(secret) >= 43
    row = CalendarFeed.objects.get(user=user)
    assert row.digest == hashlib.sha256(secret.encode()).hexdigest()
    assert secret not in json.dumps(list(CalendarFeed.objects.values()), default=str)
    assert api("GET", "schedule/feed")[1]["data"]["address"] is None
    assert read(first).status_code == 200
    second = make(api)
    assert (read(first).status_code, read(second).status_code) == (404, 200)
    assert api("DELETE", "schedule/feed")[0] == 200
    assert read(second).status_code == 404
    assert not FeedEntry.objects.exists()


def test_the_whole_term_is_read_alike_by_two_libraries(api: Api, user: Any, semester: Any, task_class: Any) -> None:
    host = event_at("思想政治", 7)
    items = list(task_class.items.order_by("order"))
    body = {"task_class_id": task_class.pk, "items": [
        placed(items[0].pk, 7, 1, 1, 2), placed(items[1].pk, 7, 3, 5, 6, host.pk),
    ]}  # fmt: skip
    assert api.apply(body)[0] == 200
    data = read(make(api)).content
    calendar = icalendar.Calendar.from_ical(data)
    first, last = datetime(2026, 3, 2, tzinfo=UTC), datetime(2026, 7, 20, tzinfo=UTC)
    one = {
        (str(event["SUMMARY"]), event["DTSTART"].dt, event["DTEND"].dt)
        for event in recurring_ical_events.of(calendar).between(first, last)
    }
    other = {
        (event.summary.value, event.dtstart.value, event.dtend.value)
        for event in vobject.readOne(data.decode()).vevent_list
    }
    wanted = {(event.name, event.start_at, event.end_at) for event in ScheduleEvent.objects.filter(user=user)}
    wanted.add((items[1].content, host.start_at, host.end_at))
    found = [{(name, begin.astimezone(UTC), end.astimezone(UTC)) for name, begin, end in rows} for rows in (one, other)]
    assert found == [wanted, wanted]
    assert len(one) == 33 + 2
    assert (calendar["METHOD"], calendar["X-PUBLISHED-TTL"]) == ("PUBLISH", "PT1H")
    assert b"REFRESH-INTERVAL;VALUE=DURATION:PT1H" in data
    assert all(len(line) <= 75 for line in data.split(b"\r\n"))


def test_a_reader_that_has_it_gets_nothing_again(api: Api, courses: None) -> None:
    address = make(api)
    answer = read(address)
    assert read(address).content == answer.content
    assert answer["Content-Type"] == "text/calendar; charset=utf-8"
    assert "private" in answer["Cache-Control"]
    assert answer["CDN-Cache-Control"] == "no-store"
    assert "Set-Cookie" not in answer
    same = read(address, If_None_Match=answer["ETag"])
    assert (same.status_code, same.content, same["ETag"]) == (304, b"", answer["ETag"])
    assert read(address, If_Modified_Since=answer["Last-Modified"]).status_code == 304
    assert read(address, If_None_Match='"other"', If_Modified_Since=answer["Last-Modified"]).status_code == 200
    head = Client().head(address)
    assert (head.status_code, head.content, head["ETag"]) == (200, b"", answer["ETag"])
    assert api("PUT", "schedule/feed", {"include": ["course"], "reminder_minutes": 15})[0] == 200
    assert read(address, If_None_Match=answer["ETag"]).status_code == 200


def test_a_change_raises_the_sequence_and_a_loss_cancels(
    api: Api, user: Any, task_class: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    item = task_class.items.order_by("order").first()
    uid = f"item-{item.pk}@smartmate"
    address = make(api)
    assert uid not in entries(address)
    batch = api.apply({"task_class_id": task_class.pk, "items": [placed(item.pk, 7, 1, 1, 2)]})[1]["data"]["batch_id"]
    placed_entry = entries(address)[uid]
    assert (placed_entry["SEQUENCE"], str(placed_entry["STATUS"])) == (0, "CONFIRMED")
    etag = read(address)["ETag"]
    assert api("POST", f"schedule/batches/{batch}/undo")[0] == 200
    assert read(address, If_None_Match=etag).status_code == 200
    lost = entries(address)[uid]
    assert (lost["SEQUENCE"], str(lost["STATUS"])) == (1, "CANCELLED")
    assert lost["DTSTART"].dt == placed_entry["DTSTART"].dt
    api.apply({"task_class_id": task_class.pk, "items": [placed(item.pk, 7, 2, 1, 2)]})
    back = entries(address)[uid]
    assert (back["SEQUENCE"], str(back["STATUS"])) == (2, "CONFIRMED")
    assert back["DTSTART"].dt == lost["DTSTART"].dt + timedelta(days=1)
    lesson = event_at("大学英语", 3)
    assert api("DELETE", f"schedule/events/{lesson.pk}")[0] == 200
    gone = entries(address)[f"event-{lesson.pk}@smartmate"]
    assert (gone["SEQUENCE"], str(gone["STATUS"]), str(gone["SUMMARY"])) == (1, "CANCELLED", "大学英语")
    monkeypatch.setattr(timezone, "now", lambda: DURING + timedelta(days=61))
    assert f"event-{lesson.pk}@smartmate" not in entries(address)


def test_an_exam_is_told_with_its_note(api: Api, semester: Any) -> None:
    exam = {"name": "英语期末", "date": "2026-06-27", "start_time": "08:00", "end_time": "09:40", "location": "主楼"}
    made = api("POST", "schedule/exams", {**exam, "note": "带学生证\n座位 23", "course_id": None})[1]["data"]["exam"]
    address = make(api)
    (told,) = entries(address).values()
    assert (str(told["DESCRIPTION"]), told["SEQUENCE"]) == ("带学生证\n座位 23", 0)
    assert api("PUT", f"schedule/exams/{made['id']}", {**exam, "note": "座位 32", "course_id": None})[0] == 200
    (told,) = entries(address).values()
    assert (str(told["DESCRIPTION"]), told["SEQUENCE"]) == ("座位 32", 1)


def test_a_term_that_ended_leaves_the_feed_without_being_cancelled(
    api: Api, user: Any, courses: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    address, term = make(api), ScheduleEvent.objects.latest("end_at").semester
    lessons = entries(address)
    ended = datetime.combine(term.calendar.last_day, time(12), UTC)
    monkeypatch.setattr(timezone, "now", lambda: ended + timedelta(days=60))
    assert entries(address) == lessons
    monkeypatch.setattr(timezone, "now", lambda: ended + timedelta(days=61))
    assert entries(address) == {}
    assert not FeedEntry.objects.exists()


def test_what_is_left_out_is_cancelled_and_reminders_are_alarms(api: Api, task_class: Any) -> None:
    item = task_class.items.first()
    api.apply({"task_class_id": task_class.pk, "items": [placed(item.pk, 7, 1, 1, 2)]})
    address = make(api)
    assert not [part for event in entries(address).values() for part in event.subcomponents]
    answer = api("PUT", "schedule/feed", {"include": ["task"], "reminder_minutes": 20})[1]["data"]
    assert (answer["include"], answer["reminder_minutes"]) == (["task"], 20)
    found = entries(address)
    live = [event for event in found.values() if str(event["STATUS"]) == "CONFIRMED"]
    assert [str(event["SUMMARY"]) for event in live] == [item.content]
    (alarm,) = live[0].subcomponents
    assert (alarm["TRIGGER"].dt, str(alarm["ACTION"])) == (timedelta(minutes=-20), "DISPLAY")
    assert not [event for event in found.values() if str(event["STATUS"]) == "CANCELLED" and event.subcomponents]


@pytest.mark.parametrize(
    "body", [{}, {"include": []}, {"include": ["x"]}, {"include": ["task"], "reminder_minutes": -1},
             {"include": ["task"], "reminder_minutes": 10_081}, {"include": "task"}],
)  # fmt: skip
def test_choices_that_are_none_are_refused(api: Api, courses: None, body: Any) -> None:
    make(api)
    assert api("PUT", "schedule/feed", body)[1]["status"] == "40005"


def test_nobody_reads_the_feed_of_another(api: Api, other_api: Api, user: Any, other_user: Any, courses: None) -> None:
    mine, theirs = make(api), make(other_api)
    assert entries(mine)
    assert entries(theirs) == {}
    assert b"BEGIN:VTIMEZONE" in read(theirs).content, "a calendar without any component is none"
    for path in ("/feeds/x.ics", "/feeds/.ics", f"/feeds/{'a' * 5000}.ics", "/feeds/%00.ics", mine.upper()):
        assert Client().get(path).status_code == 404
    user.is_active = False
    user.save()
    assert read(mine).status_code == 404
    assert read(theirs).status_code == 200


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH"])
def test_a_feed_is_only_read(api: Api, courses: None, method: str) -> None:
    answer = Client(enforce_csrf_checks=True).generic(method, make(api))
    assert (answer.status_code, answer["Allow"]) == (405, "GET, HEAD")


def test_readings_of_one_feed_and_guesses_of_one_address_are_limited(api: Api, settings: Any, courses: None) -> None:
    address = make(api)
    settings.RATE_LIMITS = True
    answers = [read(address) for _ in range(21)]
    assert {answer.status_code for answer in answers[:20]} == {200}
    assert (answers[20].status_code, int(answers[20]["Retry-After"]) > 0) == (429, True)
    guesses = [Client().get(f"/feeds/{number}.ics").status_code for number in range(90)]
    assert guesses[:30] == [404] * 30
    assert guesses.count(429) > 10


def test_a_feed_costs_as_many_queries_for_many_rows_as_for_few(
    api: Api, user: Any, semester: Any, courses: None, django_assert_max_num_queries: Any
) -> None:
    make(api)
    feed = CalendarFeed.objects.get(user=user)
    feed_read(feed=feed, now=DURING, locale="zh")
    with django_assert_max_num_queries(8):
        feed_read(feed=CalendarFeed.objects.get(user=user), now=DURING, locale="zh")


def test_names_are_written_as_they_are(api: Api, semester: Any) -> None:
    name = "概率; 统计, C:\\New 😀\n第二行"
    course = {
        "course_name": name,
        "arrangements": [{"weeks": [1], "day_of_week": 1, "start_section": 1, "end_section": 2}],
    }
    assert api("POST", "schedule/courses", course)[0] == 200
    data = read(make(api)).content
    (event,) = icalendar.Calendar.from_ical(data).walk("VEVENT")
    assert vobject.readOne(data.decode()).vevent.summary.value == name
    assert data.count(b"BEGIN:VEVENT") == 1
    assert "\\nBEGIN" not in str(event["SUMMARY"])
