"""The real calendar of China in the autumn of 2026: what falls out, and what the make-up days follow."""

from __future__ import annotations

from typing import Any

from schedules.models import CalendarException, Schedule, ScheduleEvent
from schedules.services import broken_invariants
from tests.kits.timetable.golden import accept_all, golden_term, names_on, user
from tests.kits.timetable.helpers import Api, picture, placed

__all__ = ["golden_term", "user"]


def rows(user: Any) -> Any:
    """Every lesson and every section of a student, but for counters and times of change."""
    columns = ("pk", "week", "day_of_week", "section_from", "section_to", "location", "held", "pattern_place", "effect")
    lessons = ScheduleEvent.objects.filter(user=user).order_by("pk").values_list(*columns, "start_at", "change")
    sections = Schedule.objects.filter(user=user).order_by("week", "day_of_week", "section")
    return list(lessons), list(sections.values_list("event_id", "week", "day_of_week", "section", "status"))


def test_the_package_offers_the_calendar_of_the_state_council(api: Api) -> None:
    data = api("GET", "schedule/exceptions/proposals")[1]["data"]
    assert data["country"] == "CN"
    found = [row["exception"] for row in data["proposals"]]
    assert [(row["kind"], row["name"], row["first_date"], row["last_date"], row["follows_date"]) for row in found] == [
        ("makeup", "国庆节调休补课", "2026-09-20", "2026-09-20", "2026-10-06"),
        ("holiday", "中秋节", "2026-09-25", "2026-09-27", None),
        ("holiday", "国庆节", "2026-10-01", "2026-10-07", None),
        ("makeup", "国庆节调休补课", "2026-10-10", "2026-10-10", "2026-10-07"),
        ("holiday", "元旦", "2027-01-01", "2027-01-03", None),
    ]
    assert {(row["study_allowed"], row["parity"]) for row in found} == {(False, "replaced")}
    assert not CalendarException.objects.exists()


def test_lessons_of_the_holidays_fall_out(api: Api, user: Any) -> None:
    accept_all(api)
    assert [names_on(api, 3, day) for day in range(4, 8)] == [[("英语", 1)], [], [], []]
    assert [names_on(api, 4, day) for day in range(3, 8)] == [[("大学物理", 3)], [], [], [], []]
    assert [names_on(api, 5, day) for day in range(1, 6)] == [[], [], [], [("英语", 1)], [("英语", 7)]]
    out = ScheduleEvent.objects.filter(held=False).order_by("week", "day_of_week")
    assert [(event.name, event.week, event.day_of_week, event.effect["kind"]) for event in out] == [
        ("选修摄影", 2, 7, "replaced"),
        ("英语", 3, 5, "holiday"),
        ("辅修会计", 3, 6, "holiday"),
        ("选修摄影", 3, 7, "holiday"),
        ("英语", 4, 4, "holiday"),
        ("英语", 4, 5, "holiday"),
        ("辅修会计", 4, 6, "holiday"),
        ("选修摄影", 4, 7, "holiday"),
        ("辅修会计", 5, 6, "replaced"),
    ]
    assert broken_invariants(user_id=user.pk) == []


def test_the_make_up_days_hold_the_lessons_of_the_dates_they_replace(api: Api) -> None:
    accept_all(api)
    # Sunday of week 2 follows the Tuesday of week 5, an odd one; its own lesson falls out.
    assert names_on(api, 2, 7) == [("线性代数", 1), ("物理实验", 3)]
    assert names_on(api, 2, 7, "fallen_out") == [("选修摄影", 9)]
    # Saturday of week 5 follows the Wednesday of week 5.
    assert names_on(api, 5, 6) == [("大学物理", 3)]
    assert names_on(api, 5, 6, "fallen_out") == [("辅修会计", 3)]
    week = api("GET", "schedule/week?week=2")[1]["data"]
    moved = next(event for event in week["events"] if event["name"] == "物理实验")
    place = {"week": 5, "day_of_week": 2, "section_from": 3, "section_to": 4, "location": "实验楼"}
    assert moved["change"] == {"kind": "makeup", "note": "国庆节调休补课", "from": place}
    assert week["days"] == [
        {
            "date": "2026-09-20", "day_of_week": 7, "kind": "makeup", "name": "国庆节调休补课", "study_allowed": True,
            "follows_date": "2026-10-06",
        }
    ]  # fmt: skip


def test_by_its_own_week_s_parity_the_make_up_sunday_holds_the_even_lessons(api: Api, user: Any) -> None:
    accept_all(api, parity="own")
    # Week 2 is even: the discussion is held, the laboratory of odd weeks falls out with its holiday.
    assert names_on(api, 2, 7) == [("线性代数", 1), ("物理讨论", 5)]
    assert names_on(api, 5, 2, "fallen_out") == [("物理实验", 3)]
    # Both the Saturday and the Wednesday it follows are in week 5.
    assert names_on(api, 5, 6) == [("大学物理", 3)]
    course = next(row for row in api("GET", "schedule/courses")[1]["data"]["list"] if row["course_name"] == "物理讨论")
    assert [row["pattern"] for row in course["arrangements"]] == ["2-16周 双周 周二 5-6节"]
    assert broken_invariants(user_id=user.pk) == []


def test_the_courses_still_tell_the_weekly_pattern(api: Api) -> None:
    before = api("GET", "schedule/courses")[1]["data"]["list"]
    accept_all(api)
    assert api("GET", "schedule/courses")[1]["data"]["list"] == before


def test_every_lesson_is_back_when_the_exceptions_go_in_any_order(api: Api, user: Any) -> None:
    before = rows(user)
    for reverse in (False, True):
        made = accept_all(api, parity="own" if reverse else "replaced")["exceptions"]
        for row in sorted(made, key=lambda row: row["first_date"], reverse=reverse):
            assert api("DELETE", f"schedule/exceptions/{row['id']}")[0] == 200
            assert broken_invariants(user_id=user.pk) == []
        assert rows(user) == before


def test_undo_takes_the_calendar_back_as_it_was(api: Api, user: Any) -> None:
    before = rows(user)
    batch = accept_all(api)["batch_id"]
    after = rows(user)
    assert after != before
    assert api("POST", f"schedule/batches/{batch}/undo")[1]["status"] == "10000"
    assert rows(user) == before
    assert not CalendarException.objects.exists()


def test_an_exam_week_has_no_lessons_unless_it_is_said(api: Api) -> None:
    week = {"kind": "exam_week", "name": "考试周", "first_date": "2026-12-21", "last_date": "2026-12-27"}
    made = api("POST", "schedule/exceptions", {"exceptions": [week]})[1]["data"]
    assert len(made["lessons"]) == 6
    assert {row["to"] for row in made["lessons"]} == {None}
    assert api("GET", "schedule/week?week=16")[1]["data"]["events"] == []
    path = f"schedule/exceptions/{made['exceptions'][0]['id']}"
    back = api("PUT", path, {**week, "lessons_held": True})[1]["data"]
    assert len(back["lessons"]) == 6
    assert {row["from"] for row in back["lessons"]} == {None}


def test_the_planner_keeps_off_holidays_that_allow_no_study(api: Api, at: Any) -> None:
    at(2026, 9, 8, 2, 0)
    items = [{"order": number, "content": f"第{number}章", "duration": 2} for number in range(1, 9)]
    body = {"name": "复习", "start_date": "2026-09-30", "end_date": "2026-10-09", "strategy": "steady", "items": items}
    made = api("POST", "task-class", body)[1]["data"]["id"]

    def days() -> set[tuple[int, int]]:
        planned = api("POST", "schedule/smart-planning", {"task_class_ids": [made]})[1]["data"]
        assert planned["unplaced"] == []
        return {(row["week"], row["day_of_week"]) for row in planned["placements"]}

    holiday = {"kind": "holiday", "name": "国庆节", "first_date": "2026-10-01", "last_date": "2026-10-07"}
    written = api("POST", "schedule/exceptions", {"exceptions": [holiday]})[1]["data"]
    assert days() <= {(4, 3), (5, 4), (5, 5)}
    closed = api("GET", "schedule/semester")[1]["data"]["closed_days"]
    assert [(day["week"], day["day_of_week"]) for day in closed] == [
        (4, 4),
        (4, 5),
        (4, 6),
        (4, 7),
        (5, 1),
        (5, 2),
        (5, 3),
    ]
    item = api("GET", f"task-class/{made}")[1]["data"]["items"][0]["id"]
    status, document = api.apply({"task_class_id": made, "items": [placed(item, 4, 4, 3, 4)]})
    assert (status, document["data"]["conflicts"][0]["rule"]) == (422, "closed_day")
    allowed = {**holiday, "study_allowed": True}
    assert api("PUT", f"schedule/exceptions/{written['exceptions'][0]['id']}", allowed)[0] == 200
    assert days() & {(4, 4), (4, 5), (4, 6), (4, 7), (5, 1), (5, 2), (5, 3)}


def test_a_holiday_tells_first_what_it_would_do_to_items_and_undo_brings_them_back(
    api: Api, user: Any, at: Any
) -> None:
    at(2026, 9, 8, 2, 0)
    items = [{"order": number, "content": f"第{number}章", "duration": 2} for number in (1, 2)]
    dates = {"start_date": "2026-09-30", "end_date": "2026-10-09"}
    made = api("POST", "task-class", {"name": "复习", **dates, "allow_filler_course": True, "items": items})[1]["data"]
    free, guest = (item["id"] for item in made["items"])
    host = ScheduleEvent.objects.get(name="大学物理", week=5)
    rows = [placed(free, 4, 4, 5, 6), placed(guest, 5, 3, 3, 4, host.pk)]
    assert api.apply({"task_class_id": made["id"], "items": rows})[0] == 200
    before = picture(user.pk)
    holiday = {"kind": "holiday", "name": "国庆节", "first_date": "2026-10-01", "last_date": "2026-10-07"}
    body = {"exceptions": [holiday]}
    trial = api("POST", "schedule/exceptions?dry_run=true", body)[1]["data"]
    assert trial["batch_id"] is None
    assert [(row["name"], row["week"], row["day_of_week"]) for row in trial["items"]] == [
        ("第1章", 4, 4),
        ("第2章", 5, 3),
    ]
    assert picture(user.pk) == before
    written = api("POST", "schedule/exceptions", body)[1]["data"]
    assert {**written, "batch_id": None, "exceptions": 0} == {**trial, "exceptions": 0}
    assert written["released_task_item_ids"] == [free, guest]
    assert broken_invariants(user_id=user.pk) == []
    assert api("POST", f"schedule/batches/{written['batch_id']}/undo")[1]["status"] == "10000"
    assert picture(user.pk) == before
