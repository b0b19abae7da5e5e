"""Semester, week, today, batches, planning: what is read, at which moment, in how many queries."""

from __future__ import annotations

import json
from datetime import date
from typing import Any

from django.db import connection
from django.test.utils import CaptureQueriesContext

from schedules.models import AppliedBatch, Schedule, Semester, TimetableVersion
from schedules.selectors import facts_load, semester_current
from schedules.services import class_create
from schedules.services.lock import new_stamp
from taskclasses.fields import ItemValues
from tests.kits.timetable.helpers import Api, class_values, event_at, picture, placed


def test_it_shows_the_semester_and_today(api: Api, semester: Any, at: Any) -> None:
    at(2026, 4, 12, 2, 0)
    shown = api("GET", "schedule/semester")[1]["data"]
    assert shown["first_monday"] == "2026-03-02"
    assert shown["day_parts"] == [[1, 4], [5, 8], [9, 12]]
    assert shown["section_times"][0] == ["08:00", "08:45"]
    assert shown["today"] == {"week": 6, "day_of_week": 7}
    # 2026-03-01 16:30 UTC is already Monday in Shanghai.
    at(2026, 3, 1, 16, 30)
    assert api("GET", "schedule/semester")[1]["data"]["today"] == {"week": 1, "day_of_week": 1}
    at(2026, 7, 20, 2, 0)
    assert api("GET", "schedule/semester")[1]["data"]["today"] is None


def test_it_shows_a_week_with_guests_inside_their_hosts(api: Api, task_class: Any) -> None:
    items, host = list(task_class.items.order_by("order")), event_at("思想政治", 7)
    rows = [placed(items[0].pk, 7, 3, 3, 4), placed(items[1].pk, 7, 3, 5, 6, host.pk)]
    api.apply({"task_class_id": task_class.pk, "items": rows})
    week = api("GET", "schedule/week?week=7")[1]["data"]
    assert (week["week"], week["first_date"]) == (7, "2026-04-13")
    wednesday = [event for event in week["events"] if event["day_of_week"] == 3]
    assert [(event["order"], event["name"], event["type"]) for event in wednesday] == [
        (1, "随机变量", "task"),
        (2, "思想政治", "course"),
    ]
    assert wednesday[0]["task_item_id"] == items[0].pk
    mine = {"task_class_id": task_class.pk, "task_class_name": "概率论复习", "task_order": 2, "task_total": 4}
    mine |= {"seal": "概", "color_index": 0, "course_id": 0, "exam_id": 0, "pinned": False, "by_hand": True}
    mine |= {"progress": "done"}
    its = {"section_from": 5, "section_to": 6}
    nobody = {"task_class_id": 0, "task_class_name": "", "task_order": 0, "task_total": 0, "seal": "", "exam_id": 0}
    nobody |= {"pinned": False, "by_hand": False}
    assert wednesday[1] == {
        **nobody, "progress": "", "course_id": host.course_id, "color_index": host.course.color_index,
        "id": host.pk, "order": 2, "day_of_week": 3, "name": "思想政治", "start_time": "14:00", "end_time": "15:40",
        "location": "教学楼B", "type": "course", "span": 2, "status": "normal",
        "embedded_task_info": {"id": items[1].pk, "name": "数字特征", "type": "task", **mine, **its},
        "section_from": 5, "section_to": 6, "task_item_id": 0, "change": None,
    }  # fmt: skip
    Schedule.objects.filter(event=host).update(status="interrupted")
    TimetableVersion.objects.update(stamp=new_stamp())
    shown = api("GET", "schedule/week?week=7")[1]["data"]["events"]
    assert next(event for event in shown if event["id"] == host.pk)["status"] == "interrupted"


def test_no_week_means_the_current_one_inside_the_semester(api: Api, semester: Any, at: Any) -> None:
    at(2026, 4, 14, 2, 0)
    assert api("GET", "schedule/week")[1]["data"]["week"] == 7
    assert api("GET", "schedule/week?week=0")[1]["data"]["week"] == 7
    at(2026, 1, 1, 0, 0)
    assert api("GET", "schedule/week")[1]["data"]["week"] == 1
    at(2027, 1, 1, 0, 0)
    assert api("GET", "schedule/week")[1]["data"]["week"] == 20
    for query in ("week=21", "week=-1", "week=x", "week=1.0", "week=" + "1" * 30):
        assert api("GET", f"schedule/week?{query}")[1]["status"] == "40005"


def test_a_parameter_that_is_given_twice_is_refused(api: Api, semester: Any) -> None:
    for query in ("week=7&week=8", "week=7&week=", "semester_id=&semester_id=1"):
        assert api("GET", f"schedule/week?{query}")[1]["status"] == "40005"


def test_today_outside_the_semester_has_no_events(api: Api, courses: None, at: Any) -> None:
    at(2026, 4, 15, 2, 0)
    today = api("GET", "schedule/today")[1]["data"]
    assert (today["date"], today["week"], today["day_of_week"]) == ("2026-04-15", 7, 3)
    assert [event["name"] for event in today["events"]] == ["思想政治"]
    at(2026, 8, 1, 2, 0)
    outside = api("GET", "schedule/today")[1]["data"]
    assert (outside["date"], outside["week"], outside["day_of_week"], outside["events"]) == ("2026-08-01", 0, 6, [])
    assert outside["items"] == outside["gaps"] == outside["next_days"] == outside["days"] == []


def test_today_tells_items_gaps_now_and_what_comes(api: Api, task_class: Any, at: Any) -> None:
    at(2026, 4, 12, 2, 0)
    items, host = [item.pk for item in task_class.items.order_by("order")], event_at("思想政治", 7)
    rows = [placed(items[0], 7, 2, 3, 4), placed(items[1], 7, 3, 5, 6, host.pk), placed(items[2], 7, 4, 1, 2)]
    api.apply({"task_class_id": task_class.pk, "items": rows})
    at(2026, 4, 15, 6, 30)  # Wednesday 14:30, inside the lesson
    api("POST", f"schedule/task-items/{items[0]}/progress", {"progress": "missed"})
    today = api("GET", "schedule/today")[1]["data"]
    assert [event["name"] for event in today["lessons"]] == ["思想政治"]
    item = {key: today["items"][0][key] for key in ("task_item_id", "host_name", "start_time", "progress")}
    assert item == {"task_item_id": items[1], "host_name": "思想政治", "start_time": "14:00", "progress": "open"}
    assert [(gap["section_from"], gap["section_to"]) for gap in today["gaps"]] == [(1, 4), (7, 8), (9, 12)]
    assert (today["now"]["section"], today["now"]["time"], today["now"]["next"]) == (5, "14:30", None)
    assert [event["name"] for event in today["now"]["current"]] == ["思想政治"]
    assert [(day["date"], day["lessons"], day["items"]) for day in today["next_days"]] == [
        ("2026-04-16", 1, 1),
        ("2026-04-17", 1, 0),
        ("2026-04-18", 0, 0),
    ]
    assert [row["task_item_id"] for row in today["missed"]] == [items[0]]
    due = {key: today["due"][0][key] for key in ("task_class_id", "days_left", "items_left", "sections_left")}
    assert due == {"task_class_id": task_class.pk, "days_left": 4, "items_left": 4, "sections_left": 8}


def test_facts_need_the_same_queries_for_any_amount_of_data(user: Any, semester: Any, task_class: Any) -> None:
    def queries(class_ids: list[int]) -> int:
        with CaptureQueriesContext(
            connection,
        ) as seen:
            facts_load(user_id=user.pk, class_ids=class_ids, semester=semester)
        return len(seen)

    few = queries([task_class.pk])
    more = [class_create(user=user, values=class_values(name=f"第{n}类")).pk for n in range(5)]
    assert queries([task_class.pk, *more]) == few == 8


def test_facts_hold_the_named_classes_and_all_that_own_a_placed_item(
    api: Api, user: Any, other_user: Any, semester: Any, task_class: Any
) -> None:
    item, other = task_class.items.first(), class_create(user=user, values=class_values(name="二"))
    foreign = class_create(user=other_user, values=class_values(name="别人的"))
    host = event_at("形势与政策", 7)
    api.apply({"task_class_id": task_class.pk, "items": [placed(item.pk, 7, 5, 9, 10, host.pk)]})
    facts = facts_load(user_id=user.pk, class_ids=[other.pk, foreign.pk], semester=semester)
    assert [row.id for row in facts.task_classes] == [task_class.pk, other.pk]
    rules = facts.task_classes[0].rules
    assert (rules.start_day, rules.end_day) == (43, 49)
    assert [fact.applied for fact in facts.task_classes[0].items] == [True, False, False, False]
    hosting = next(event for event in facts.events if event.id == host.pk)
    assert (hosting.guest_task_item_id, hosting.place.length) == (item.pk, 3)
    assert hosting.guest_place is not None
    assert (hosting.guest_place.first, hosting.guest_place.length) == (9, 2)
    assert facts == facts_load(user_id=user.pk, class_ids=[other.pk], semester=semester)


def test_listing_batches_needs_the_same_queries_for_any_page(api: Api, user: Any, task_class: Any) -> None:
    items = [item.pk for item in task_class.items.order_by("order")]

    def queries() -> int:
        with CaptureQueriesContext(connection) as seen:
            assert api("GET", "schedule/batches")[0] == 200
        return len(seen)

    api.apply({"task_class_id": task_class.pk, "items": [placed(items[0], 7, 1, 1, 2)]})
    few = queries()
    for day, item in enumerate(items[1:], 2):
        api.apply({"task_class_id": task_class.pk, "items": [placed(item, 7, day, 1, 2)]})
    assert queries() == few
    listed = api("GET", "schedule/batches?page_size=3")[1]["data"]
    assert [row["batch_id"] for row in listed["list"]] == list(
        AppliedBatch.objects.order_by("-pk").values_list("pk", flat=True)[:3]
    )
    assert listed["list"][0]["created_at"].endswith("Z")
    assert (listed["has_more"], listed["list"][0]["can_undo"]) == (True, True)


def test_planning_stores_nothing_and_repeats_its_bytes(api: Api, user: Any, task_class: Any, at: Any) -> None:
    at(2026, 4, 12, 2, 0)
    before = picture(user.pk)
    answers = [api.raw("POST", "schedule/smart-planning", {"task_class_ids": [task_class.pk]}) for _ in range(2)]
    assert answers[0].content == answers[1].content
    assert picture(user.pk) == before
    data = json.loads(answers[0].content)["data"]
    assert set(data) == {
        "task_class_ids", "placements", "unplaced", "cost", "explanations", "hybrid_entries", "candidate_plans",
        "bound", "gap",
    }  # fmt: skip
    assert 0 <= data["bound"] <= data["cost"]["total"]
    assert len(data["placements"]) == 4
    assert data["unplaced"] == []
    rows = [
        placed(row["task_item_id"], row["week"], row["day_of_week"], row["section_from"], row["section_to"],
               row["embed_course_event_id"])
        for row in data["placements"]
    ]  # fmt: skip
    assert api.apply({"task_class_id": task_class.pk, "items": rows})[0] == 200


def test_planning_names_unknown_and_manual_classes(api: Api, user: Any, semester: Any, task_class: Any) -> None:
    manual = class_create(user=user, values=class_values(mode="manual"))
    answer = api("POST", "schedule/smart-planning", {"task_class_ids": [task_class.pk, 10**9]})[1]
    assert (answer["status"], answer["data"]) == ("40040", {"task_class_ids": [10**9]})
    answer = api("POST", "schedule/smart-planning", {"task_class_ids": [manual.pk, task_class.pk]})[1]
    assert (answer["status"], answer["data"]) == ("40046", {"task_class_ids": [manual.pk]})
    for body in ({}, {"task_class_ids": []}, {"task_class_ids": 5}, {"task_class_ids": [True]}):
        assert api("POST", "schedule/smart-planning", body)[1]["status"] == "40005"
    many = {"task_class_ids": list(range(1, 22))}
    assert api("POST", "schedule/smart-planning", many)[1]["status"] == "40006"


def test_planning_refuses_more_items_than_are_planned_at_once(api: Api, user: Any, task_class: Any) -> None:
    item = task_class.items.first().pk
    assert api.apply({"task_class_id": task_class.pk, "items": [placed(item, 7, 1, 1, 2)]})[0] == 200
    hundred = [ItemValues(order, f"第 {order} 项") for order in range(1, 101)]
    rows = [class_create(user=user, values=class_values(name=f"{n}", items=hundred)) for n in range(20)]
    status, answer = api("POST", "schedule/smart-planning", {"task_class_ids": [row.pk for row in rows]})
    assert (status, answer["status"]) == (413, "40006")
    assert answer["data"] == {"field": "task_class_ids", "limit": 2000}


def test_a_database_without_a_shared_semester_gets_one_around_today(user: Any, other_user: Any) -> None:
    Semester.objects.create(owner=other_user, name="别人的", first_monday=date(2026, 3, 2), weeks=20)
    first = semester_current(user.pk)
    assert first == semester_current(user.pk)
    assert first.owner is None
    assert first.first_monday.weekday() == 0
    assert Semester.objects.filter(is_current=True).count() == 1
