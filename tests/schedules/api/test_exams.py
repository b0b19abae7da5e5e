"""Exams over REST: they take what they overlap, count down, and their classes end the day before."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import icalendar
import pytest
from django.utils import timezone

from schedules.models import AppliedBatch, Exam
from schedules.planner.draft.adapter import problem_of
from schedules.planner.draft.load import load_state
from schedules.planner.draft.preview import hybrid_entries
from schedules.planner.solver.rough_build import plan
from schedules.selectors import facts_load
from schedules.services import broken_invariants
from taskclasses.models import TaskClass
from tests.kits.timetable.helpers import Api, event_at, picture, placed

FINAL: dict[str, Any] = {"name": "概率论期末", "date": "2026-04-15", "location": "主楼 101"}
NOON = {**FINAL, "start_time": "13:30", "end_time": "15:30"}
BODY: dict[str, Any] = {
    "name": "复习", "mode": "auto", "start_date": "2026-04-13", "end_date": "2026-04-19",
    "items": [{"order": 1, "content": "一"}, {"order": 2, "content": "二"}],
}  # fmt: skip


def make(api: Api, body: dict[str, Any], query: str = "") -> dict[str, Any]:
    status, answer = api("POST", f"schedule/exams{query}", body)
    assert status == 200, answer
    written: dict[str, Any] = answer["data"]
    return written


def make_class(api: Api, **changes: Any) -> dict[str, Any]:
    status, answer = api("POST", "task-class", {**BODY, **changes})
    assert status == 200, answer
    shown: dict[str, Any] = answer["data"]
    return shown


@pytest.mark.parametrize(
    ("times", "sections", "clock"),
    [
        ({"start_time": "13:30", "end_time": "15:30"}, (5, 6), ("13:30", "15:30")),
        ({"start_time": "14:45", "end_time": "14:55"}, (0, 0), ("14:45", "14:55")),
        ({"start_time": "06:30", "end_time": "07:30"}, (0, 0), ("06:30", "07:30")),
        ({"start_time": "22:00", "end_time": "23:30"}, (12, 12), ("22:00", "23:30")),
        ({"section_from": 3, "section_to": 4}, (3, 4), ("10:15", "11:55")),
    ],
)
def test_an_exam_takes_every_section_that_it_overlaps(
    api: Api, semester: Any, times: dict[str, Any], sections: tuple[int, int], clock: tuple[str, str]
) -> None:
    exam = make(api, {**FINAL, **times})["exam"]
    assert (exam["section_from"], exam["section_to"]) == sections
    assert (exam["start_time"], exam["end_time"], exam["week"], exam["day_of_week"]) == (*clock, 7, 3)
    assert exam["days_left"] == (date(2026, 4, 15) - timezone.now().astimezone(semester.calendar.zone).date()).days
    listed = api("GET", "schedule/exams")[1]["data"]["list"]
    assert [one["id"] for one in listed] == [exam["id"]]
    assert api("GET", f"schedule/exams/{exam['id']}")[1]["data"] == exam


@pytest.mark.parametrize(
    "wrong",
    [
        {},
        {"start_time": "10:00"},
        {"start_time": "10:00", "end_time": "10:00"},
        {"start_time": "1:00", "end_time": "10:00"},
        {"section_from": 3},
        {"section_from": 4, "section_to": 3},
        {"section_from": 12, "section_to": 13},
        {"section_from": 1, "section_to": 2, "start_time": "10:00", "end_time": "11:00"},
        {"section_from": 1, "section_to": 2, "date": "2027-04-15"},
        {"section_from": 1, "section_to": 2, "name": " "},
        {"section_from": 1, "section_to": 2, "name": "\u200b"},
    ],
)
def test_what_no_exam_may_be_is_refused(api: Api, semester: Any, wrong: dict[str, Any]) -> None:
    assert api("POST", "schedule/exams", {**FINAL, **wrong})[1]["status"] == "40005"
    assert not Exam.objects.exists()


def test_nothing_may_be_put_where_an_exam_is(api: Api, task_class: Any) -> None:
    items = list(task_class.items.order_by("order"))
    make(api, {**FINAL, "date": "2026-04-14", "start_time": "08:00", "end_time": "12:00"})
    body = {"task_class_id": task_class.pk, "items": [placed(items[0].pk, 7, 2, 4, 5)]}
    status, refused = api.apply(body)
    conflict = refused["data"]["conflicts"][0]
    assert (status, refused["status"], conflict["rule"]) == (409, "40026", "occupied")
    assert (conflict["with"]["name"], conflict["with"]["type"]) == ("概率论期末", "exam")
    assert api.apply({**body, "items": [placed(items[0].pk, 7, 2, 5, 6)]})[0] == 200


def test_the_planner_leaves_the_sections_of_exams_and_of_lessons_under_them_alone(
    api: Api, task_class: Any, semester: Any
) -> None:
    """The embeddable lesson on Wednesday takes no guest while an exam lies over it."""
    for day in (13, 14, 16, 17, 18, 19):
        make(api, {**FINAL, "date": f"2026-04-{day}", "start_time": "07:00", "end_time": "23:00"})
    make(api, {**FINAL, "start_time": "08:00", "end_time": "15:00"})
    facts = facts_load(user_id=task_class.user_id, class_ids=[task_class.pk], semester=semester)
    draft = load_state(facts, scope=[task_class.pk], now=None)
    found = plan(problem_of(draft))
    assert [(row.place.day, row.place.first, row.place.last) for row in found.placements] == [(45, 7, 8), (45, 9, 10)]
    assert len(found.unplaced) == 2
    shown = [row for row in hybrid_entries(draft) if row["type"] == "exam"]
    assert [(row["exam_id"] > 0, row["event_id"], row["block_for_suggested"]) for row in shown] == [(True, 0, True)] * 7


def test_an_exam_over_items_and_lessons_tells_them_and_moves_nothing(api: Api, user: Any, task_class: Any) -> None:
    items, host = list(task_class.items.order_by("order")), event_at("思想政治", 7)
    rows = [placed(items[0].pk, 7, 3, 3, 4), placed(items[1].pk, 7, 3, 5, 6, host.pk)]
    assert api.apply({"task_class_id": task_class.pk, "items": rows})[0] == 200
    before = picture(user.pk)
    trial = make(api, {**FINAL, "start_time": "11:00", "end_time": "15:00"}, "?dry_run=true")
    assert (trial["batch_id"], trial["exam"]["id"], Exam.objects.count()) == (None, 0, 0)
    done = make(api, {**FINAL, "start_time": "11:00", "end_time": "15:00"})
    assert [(row["task_item_id"], row["code"], row["with"]["name"]) for row in done["conflicts"]] == [
        (items[0].pk, "40026", "概率论期末"),
        (items[1].pk, "40026", "概率论期末"),
    ]
    assert done["conflicts"] == trial["conflicts"]
    assert [row["event_id"] for row in done["lessons"]] == [host.pk]
    assert picture(user.pk) == before
    assert broken_invariants(user_id=user.pk) == []
    assert api("POST", "schedule/smart-planning", {"task_class_ids": [task_class.pk]})[0] == 200
    assert api("POST", f"schedule/batches/{done['batch_id']}/undo")[0] == 200
    assert not Exam.objects.exists()


def test_a_class_ends_the_day_before_its_exam_and_follows_it(api: Api, semester: Any) -> None:
    exam = make(api, NOON)["exam"]
    shown = make_class(api, exam_id=exam["id"])
    assert (shown["exam_id"], shown["end_date"]) == (exam["id"], "2026-04-14")
    items = [placed(row["id"], 7, day, 1, 2) for row, day in zip(shown["items"], (1, 2), strict=True)]
    assert api.apply({"task_class_id": shown["id"], "items": items})[0] == 200
    assert api("GET", f"schedule/exams/{exam['id']}")[1]["data"]["task_classes"] == [
        {"task_class_id": shown["id"], "name": "复习"}
    ]
    moved = api("PUT", f"schedule/exams/{exam['id']}", {**NOON, "date": "2026-04-14"})[1]["data"]
    assert moved["task_classes"] == [
        {"task_class_id": shown["id"], "name": "复习", "before": "2026-04-14", "after": "2026-04-13"}
    ]
    assert [(row["rule"], row["task_item_id"]) for row in moved["conflicts"]] == [
        ("outside_class_window", shown["items"][1]["id"])
    ]
    assert TaskClass.objects.get().end_date == date(2026, 4, 13)
    assert api("POST", f"schedule/batches/{moved['batch_id']}/undo")[0] == 200
    assert (TaskClass.objects.get().end_date, Exam.objects.get().date) == (date(2026, 4, 14), date(2026, 4, 15))


def test_an_exam_before_the_class_begins_leaves_it_its_first_day(api: Api, semester: Any) -> None:
    exam = make(api, NOON)["exam"]
    make_class(api, exam_id=exam["id"])
    moved = api("PUT", f"schedule/exams/{exam['id']}", {**NOON, "date": "2026-04-06"})[1]["data"]
    assert moved["task_classes"][0]["after"] == "2026-04-13"


def test_a_deleted_exam_leaves_its_class_the_date_and_comes_back_with_it(api: Api, semester: Any) -> None:
    exam = make(api, NOON)["exam"]
    make_class(api, exam_id=exam["id"])
    assert api("DELETE", f"schedule/exams/{exam['id']}?dry_run=true")[1]["data"]["batch_id"] is None
    batch = api("DELETE", f"schedule/exams/{exam['id']}")[1]["data"]["batch_id"]
    row = TaskClass.objects.get()
    assert (row.exam_id, row.end_date, Exam.objects.count()) == (None, date(2026, 4, 14), 0)
    assert api("POST", f"schedule/batches/{batch}/undo")[0] == 200
    assert TaskClass.objects.get().exam_id == exam["id"]
    again = api("GET", f"schedule/exams/{exam['id']}")[1]["data"]
    assert {**again, "days_left": 0} == {**exam, "days_left": 0, "task_classes": again["task_classes"]}


def test_a_class_that_changed_since_keeps_a_move_from_being_undone(api: Api, semester: Any) -> None:
    exam = make(api, NOON)["exam"]
    shown = make_class(api, exam_id=exam["id"])
    batch = api("PUT", f"schedule/exams/{exam['id']}", {**NOON, "date": "2026-04-17"})[1]["data"]["batch_id"]
    changes = {**BODY, "items": shown["items"][:0], "exam_id": None, "end_date": "2026-04-18", "mode": "manual"}
    assert api("PUT", f"task-class/{shown['id']}", changes)[0] == 200
    assert api("POST", f"schedule/batches/{batch}/undo")[1]["data"]["reason"] == "changed_since"


def test_exams_belong_to_their_student(api: Api, other_api: Api, semester: Any) -> None:
    exam = make(api, NOON)["exam"]["id"]
    for method, body in (("GET", None), ("PUT", NOON), ("DELETE", None)):
        assert other_api(method, f"schedule/exams/{exam}", body)[1]["status"] == "40047"
    assert other_api("POST", "task-class", {**BODY, "exam_id": exam})[1]["status"] == "40047"
    course = api("POST", "schedule/courses", {"course_name": "概率论"})[1]["data"]["course"]["id"]
    assert other_api("POST", "schedule/exams", {**NOON, "course_id": course})[1]["status"] == "40042"
    mine = make(api, {**NOON, "course_id": course})["exam"]
    assert (mine["course_id"], mine["course_name"]) == (course, "概率论")
    assert AppliedBatch.objects.filter(source="exam-create").count() == 2


def test_week_today_term_and_calendar_file_tell_exams(api: Api, task_class: Any, semester: Any) -> None:
    items = list(task_class.items.order_by("order"))
    make(api, NOON)
    make(api, {**FINAL, "name": "口试", "start_time": "12:00", "end_time": "12:30"})
    assert api.apply({"task_class_id": task_class.pk, "items": [placed(items[0].pk, 7, 3, 3, 4)]})[0] == 200
    events = api("GET", "schedule/week?week=7")[1]["data"]["events"]
    day = [event for event in events if event["day_of_week"] == 3]
    assert [(event["order"], event["name"], event["type"], event["start_time"]) for event in day] == [
        (1, "随机变量", "task", "10:15"),
        (2, "口试", "exam", "12:00"),
        (3, "概率论期末", "exam", "13:30"),
        (4, "思想政治", "course", "14:00"),
    ]
    assert [(event["section_from"], event["span"], event["id"]) for event in day[1:3]] == [(0, 0, 0), (5, 2, 0)]
    holiday = {"kind": "holiday", "first_date": "2026-04-18", "last_date": "2026-04-20", "name": "校庆"}
    assert api("POST", "schedule/exceptions", {"exceptions": [holiday]})[0] == 200
    term = api("GET", "schedule/term")[1]["data"]
    week = term["weeks"][6]
    assert [row["off_days"] for row in term["weeks"][5:8]] == [0, 2, 1]
    assert (len(term["weeks"]), week["week"], week["first_date"]) == (20, 7, "2026-04-13")
    assert (week["lesson_sections"], week["task_sections"], week["task_items"]) == (7, 2, 1)
    assert (week["exams"], week["exam_sections"], [one["name"] for one in term["exams"]]) == (
        2,
        2,
        ["概率论期末", "口试"],
    )
    file = icalendar.Calendar.from_ical(api.raw("GET", "schedule/exports/ics").content)
    found = {str(event["SUMMARY"]): event for event in file.walk("VEVENT") if str(event["UID"]).startswith("exam-")}
    final = found["概率论期末"]
    assert (f"{final.decoded('DTSTART'):%F %R}", f"{final.decoded('DTEND'):%R}") == ("2026-04-15 13:30", "15:30")
    assert str(final["LOCATION"]) == "主楼 101"
    only = icalendar.Calendar.from_ical(api.raw("GET", "schedule/exports/ics?include=exam").content)
    assert len(only.walk("VEVENT")) == 2


def test_today_counts_down(api: Api, semester: Any) -> None:
    today = timezone.now().astimezone(semester.calendar.zone).date()
    semester.first_monday = today - timedelta(days=today.weekday())
    semester.save()
    for days in (-1, 0, 3):
        body = {**NOON, "name": f"{days}", "date": (today + timedelta(days=days)).isoformat()}
        if semester.calendar.day_of(today + timedelta(days=days)) and (days >= 0 or today.weekday()):
            make(api, body)
    shown = api("GET", "schedule/today")[1]["data"]
    assert [(one["name"], one["days_left"]) for one in shown["exams_ahead"]] == [("0", 0), ("3", 3)]
    assert [(one["name"], one["type"]) for one in shown["events"]] == [("0", "exam")]


def test_an_exam_is_no_free_time_and_is_what_is_on_and_next(api: Api, at: Any) -> None:
    at(2026, 4, 15, 1, 0)
    make(api, NOON)
    make(api, {**FINAL, "name": "口试", "date": "2026-04-16", "start_time": "10:20", "end_time": "11:00"})
    at(2026, 4, 15, 2, 0)
    today = api("GET", "schedule/today")[1]["data"]
    assert [(gap["section_from"], gap["section_to"]) for gap in today["gaps"]] == [(1, 4), (7, 8), (9, 12)]
    assert (today["now"]["current"], today["now"]["next"]["name"]) == ([], "概率论期末")
    assert [[event["name"] for event in day["events"]] for day in today["next_days"]] == [["口试"], [], []]
    assert [exam["name"] for exam in today["exams"]] == ["概率论期末"]
    at(2026, 4, 15, 6, 0)
    assert [one["name"] for one in api("GET", "schedule/today")[1]["data"]["now"]["current"]] == ["概率论期末"]


def test_reading_exams_costs_as_many_queries_for_many_as_for_two(
    api: Api, user: Any, semester: Any, django_assert_max_num_queries: Any
) -> None:
    course = api("POST", "schedule/courses", {"course_name": "概率论"})[1]["data"]["course"]["id"]
    for number in range(30):
        make(api, {**NOON, "name": f"第{number}场", "course_id": course})
    for path in ("schedule/exams?page_size=100", "schedule/term", "schedule/week?week=7", "schedule/today"):
        with django_assert_max_num_queries(14):
            assert api("GET", path)[0] == 200
