"""One lesson moved, cancelled, added, given another room: the pattern stays, guests are told, undo is exact."""

from __future__ import annotations

from typing import Any

import pytest

from schedules.models import ScheduleEvent
from schedules.services import broken_invariants
from tests.kits.timetable.golden import COURSES, golden_term, names_on, user
from tests.kits.timetable.helpers import Api, event_at, picture, placed

__all__ = ["golden_term", "user"]
PLACE = {"week": 4, "day_of_week": 6, "section_from": 7, "section_to": 8}


@pytest.fixture
def lesson(user: Any) -> ScheduleEvent:
    """A lesson that may take a guest: Wednesday 3-4 of week 3."""
    return event_at("大学物理", 3)


def change(api: Api, query: str = "", **body: Any) -> dict[str, Any]:
    status, document = api("POST", f"schedule/lesson-changes{query}", body)
    assert status == 200, document
    data: dict[str, Any] = document["data"]
    return data


def guest_of(api: Api, lesson: ScheduleEvent) -> int:
    """An item applied inside the lesson."""
    item = {"order": 1, "content": "第1章", "duration": 2}
    body = {"name": "复习", "start_date": "2026-09-07", "end_date": "2026-10-09", "allow_filler_course": True}
    made = api("POST", "task-class", {**body, "items": [item]})[1]["data"]
    row = placed(made["items"][0]["id"], lesson.week, lesson.day_of_week, 3, 4, lesson.pk)
    assert api.apply({"task_class_id": made["id"], "items": [row]})[0] == 200
    return int(made["items"][0]["id"])


def test_a_moved_lesson_stands_elsewhere_and_its_guest_returns(api: Api, user: Any, lesson: ScheduleEvent) -> None:
    item, courses = guest_of(api, lesson), api("GET", "schedule/courses")[1]["data"]
    before = picture(user.pk)
    body = {"kind": "moved", "event_id": lesson.pk, **PLACE, "location": "B202", "note": "老师出差"}
    trial = change(api, "?dry_run=true", **body)
    assert (trial["batch_id"], trial["released_task_item_ids"]) == (None, [item])
    assert picture(user.pk) == before
    done = change(api, **body)
    home = {"week": 3, "day_of_week": 3, "section_from": 3, "section_to": 4, "location": "B101"}
    assert done["lessons"] == [
        {"event_id": lesson.pk, "name": "大学物理", "from": home, "to": {**PLACE, "location": "B202"}}
    ]
    assert names_on(api, 4, 6) == [("辅修会计", 3), ("大学物理", 7)]
    assert names_on(api, 3, 3) == []
    shown = next(e for e in api("GET", "schedule/week?week=4")[1]["data"]["events"] if e["id"] == lesson.pk)
    assert shown["change"] == {"kind": "moved", "note": "老师出差", "from": home}
    listed = api("GET", "schedule/lesson-changes")[1]["data"]["list"]
    assert listed == [done["change"]]
    assert api("GET", "schedule/courses")[1]["data"] == courses
    assert broken_invariants(user_id=user.pk) == []
    api("POST", f"schedule/batches/{done['batch_id']}/undo")
    assert picture(user.pk) == before


@pytest.mark.parametrize("kind", ["moved", "added"])
def test_an_item_that_gave_way_comes_back_with_the_undo(api: Api, user: Any, lesson: ScheduleEvent, kind: str) -> None:
    item = {"order": 1, "content": "第1章", "duration": 2}
    body = {"name": "复习", "start_date": "2026-09-07", "end_date": "2026-10-09", "items": [item]}
    made = api("POST", "task-class", body)[1]["data"]
    row = placed(made["items"][0]["id"], 4, 6, 7, 8)
    assert api.apply({"task_class_id": made["id"], "items": [row]})[0] == 200
    before = picture(user.pk)
    named = {"event_id": lesson.pk} if kind == "moved" else {"course_id": lesson.course_id}
    done = change(api, kind=kind, **named, **PLACE)
    assert done["released_task_item_ids"] == [made["items"][0]["id"]]
    listed = api("GET", "schedule/batches")[1]["data"]["list"][0]
    assert (listed["batch_id"], listed["can_undo"]) == (done["batch_id"], True)
    assert api("POST", f"schedule/batches/{done['batch_id']}/undo")[0] == 200
    assert picture(user.pk) == before
    assert broken_invariants(user_id=user.pk) == []


def test_a_cancelled_lesson_gives_its_sections_free(api: Api, user: Any, lesson: ScheduleEvent) -> None:
    before = picture(user.pk)
    change(api, kind="cancelled", event_id=lesson.pk, note="停课一次")
    assert names_on(api, 3, 3) == []
    assert names_on(api, 3, 3, "fallen_out") == [("大学物理", 3)]
    moved = event_at("线性代数", 1).pk
    change(api, kind="moved", event_id=moved, week=3, day_of_week=3, section_from=3, section_to=4)
    assert names_on(api, 3, 3) == [("线性代数", 3)]
    # Its own place is taken now.
    refused = api("DELETE", f"schedule/lesson-changes/{lesson.pk}")[1]
    assert (refused["status"], refused["data"]["conflicts"][0]["with"]["name"]) == ("40026", "线性代数")
    assert api("DELETE", f"schedule/lesson-changes/{moved}")[0] == 200
    assert api("DELETE", f"schedule/lesson-changes/{lesson.pk}")[0] == 200
    assert picture(user.pk) == before
    assert api("DELETE", f"schedule/lesson-changes/{lesson.pk}")[1]["status"] == "40052"


def test_an_added_lesson_belongs_to_its_course_and_to_no_pattern(api: Api, user: Any, lesson: ScheduleEvent) -> None:
    courses, before = api("GET", "schedule/courses")[1]["data"]["list"], picture(user.pk)
    done = change(api, kind="added", course_id=lesson.course_id, **PLACE, note="习题课")
    assert (done["change"]["from"], done["change"]["to"]) == (None, {**PLACE, "location": "B101"})
    now = {row["id"]: row for row in api("GET", "schedule/courses")[1]["data"]["list"]}
    assert [now[row["id"]]["arrangements"] for row in courses] == [row["arrangements"] for row in courses]
    moved = change(api, kind="moved", event_id=done["change"]["id"], **{**PLACE, "section_from": 9, "section_to": 10})
    assert moved["change"]["kind"] == "added"
    api("DELETE", f"schedule/lesson-changes/{done['change']['id']}")
    assert picture(user.pk) == before


def test_another_room_moves_nobody_out_and_stays_on_a_make_up_day(api: Api, user: Any) -> None:
    lesson = event_at("大学物理", 5)
    item = guest_of(api, lesson)
    assert change(api, kind="room", event_id=lesson.pk, location="报告厅")["released_task_item_ids"] == []
    makeup = {"kind": "makeup", "name": "补课", "first_date": "2026-10-10", "follows_date": "2026-10-07"}
    done = api("POST", "schedule/exceptions", {"exceptions": [makeup]})[1]["data"]
    assert done["released_task_item_ids"] == [item]
    lesson.refresh_from_db()
    assert (lesson.week, lesson.day_of_week, lesson.location) == (5, 6, "报告厅")
    api("DELETE", f"schedule/lesson-changes/{lesson.pk}")
    lesson.refresh_from_db()
    assert (lesson.day_of_week, lesson.location) == (6, "B101")
    assert broken_invariants(user_id=user.pk) == []


def test_what_the_student_moved_is_held_on_a_holiday_too(api: Api, user: Any, lesson: ScheduleEvent) -> None:
    change(api, kind="moved", event_id=lesson.pk, **PLACE)
    holiday = {"kind": "holiday", "name": "国庆节", "first_date": "2026-10-01", "last_date": "2026-10-07"}
    api("POST", "schedule/exceptions", {"exceptions": [holiday]})
    assert names_on(api, 4, 6) == [("大学物理", 7)]
    assert broken_invariants(user_id=user.pk) == []


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"kind": "moved", "event_id": 999_999, **PLACE}, "40031"),
        ({"kind": "moved"}, "40031"),
        ({"kind": "added", "course_id": 999_999, **PLACE}, "40042"),
        ({"kind": "swapped"}, "40005"),
    ],
)
def test_what_cannot_be_is_refused(api: Api, lesson: ScheduleEvent, body: dict[str, Any], status: str) -> None:
    assert api("POST", "schedule/lesson-changes", body)[1]["status"] == status


def test_places_beyond_the_term_or_taken_are_refused(api: Api, lesson: ScheduleEvent) -> None:
    for place, status in (
        ({**PLACE, "week": 21}, "40049"), ({**PLACE, "section_to": 13}, "40049"), ({**PLACE, "section_to": 6}, "40005"),
        ({**PLACE, "section_from": 3, "section_to": 4}, "40026"), ({"week": 4}, "40005"),
    ):  # fmt: skip
        body = {"kind": "moved", "event_id": lesson.pk, **place}
        assert api("POST", "schedule/lesson-changes", body)[1]["status"] == status, place


def test_a_stranger_finds_neither_lessons_nor_exceptions(api: Api, other_api: Api, lesson: ScheduleEvent) -> None:
    change(api, kind="cancelled", event_id=lesson.pk)
    holiday = {"kind": "holiday", "name": "国庆节", "first_date": "2026-10-01"}
    made = api("POST", "schedule/exceptions", {"exceptions": [holiday]})[1]["data"]["exceptions"][0]["id"]
    body = {"kind": "moved", "event_id": lesson.pk, **PLACE}
    assert other_api("POST", "schedule/lesson-changes", body)[1]["status"] == "40031"
    assert other_api("DELETE", f"schedule/lesson-changes/{lesson.pk}")[1]["status"] == "40052"
    assert other_api("PUT", f"schedule/exceptions/{made}", holiday)[1]["status"] == "40050"
    assert other_api("DELETE", f"schedule/exceptions/{made}")[1]["status"] == "40050"


def test_exceptions_share_no_date(api: Api, lesson: ScheduleEvent) -> None:
    days = {"first_date": "2026-10-01", "last_date": "2026-10-07"}
    api("POST", "schedule/exceptions", {"exceptions": [{"kind": "holiday", "name": "国庆节", **days}]})
    makeup = {"kind": "makeup", "name": "补课", "follows_date": "2026-10-06"}
    for first, status in (("2026-10-03", "40051"), ("2026-10-06", "40005"), ("2027-03-01", "40005")):
        body = {"exceptions": [{**makeup, "first_date": first}]}
        assert api("POST", "schedule/exceptions", body)[1]["status"] == status
    two = [{**makeup, "first_date": "2026-09-19"}, {**makeup, "first_date": "2026-09-20"}]
    assert api("POST", "schedule/exceptions", {"exceptions": two})[1]["status"] == "40051"


def test_a_re_import_tells_the_changes_and_keeps_them_unless_told(api: Api, user: Any, lesson: ScheduleEvent) -> None:
    before = picture(user.pk)
    change(api, kind="moved", event_id=lesson.pk, **PLACE, note="出差")
    changed = picture(user.pk)
    path, body = "schedule/imports?dry_run=false", {"courses": COURSES}
    kept = api("POST", path, body, Idempotency_Key="again-1")[1]["data"]
    assert (kept["events"], kept["batch_id"]) == (0, None)
    assert [(row["event_id"], row["kind"], row["to"]["week"], row["kept"]) for row in kept["changes"]] == [
        (lesson.pk, "moved", 4, True)
    ]
    assert picture(user.pk) == changed
    done = api("POST", f"{path}&keep_changes=false", body, Idempotency_Key="again-2")[1]["data"]
    assert [row["kept"] for row in done["changes"]] == [False]
    assert picture(user.pk) == before
    api("POST", f"schedule/batches/{done['batch_id']}/undo")
    assert picture(user.pk) == changed


def test_courses_written_after_the_calendar_follow_it(api: Api, user: Any) -> None:
    holiday = {"kind": "holiday", "name": "国庆节", "first_date": "2026-10-01", "last_date": "2026-10-07"}
    api("POST", "schedule/exceptions", {"exceptions": [holiday]})
    form = {"start_week": 1, "end_week": 16, "day_of_week": 1, "start_section": 1, "end_section": 2}
    body = {"course_name": "数据结构", "location": "A301", "arrangements": [form]}
    made = api("POST", "schedule/courses", body)[1]["data"]["course"]
    assert (made["lessons"], len(made["arrangements"])) == (16, 1)
    assert names_on(api, 5, 1, "fallen_out") == [("数据结构", 1)]
    moved = {**body, "arrangements": [{**form, "day_of_week": 4, "start_section": 5, "end_section": 6}]}
    assert api("PUT", f"schedule/courses/{made['id']}", moved)[0] == 200
    assert names_on(api, 4, 4, "fallen_out") == [("英语", 1), ("数据结构", 5)]
    assert names_on(api, 5, 4) == [("英语", 1), ("数据结构", 5)]
    assert broken_invariants(user_id=user.pk) == []
