"""PUT /task-class/apply-batch-into-schedule: rows, refusals and their order."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import transaction
from django.db.models import Q

from schedules.mapping import place_of
from schedules.models import AppliedBatch, Schedule, ScheduleEvent, TimetableVersion
from schedules.planner.draft.diff import PlaceChange
from schedules.services import broken_invariants, class_create, schedule_persist_diff, schedule_undo
from schedules.services.placement.apply import ApplyItem
from schedules.services.placement.seats import Seats
from taskclasses.kernel.errors import CodedError
from taskclasses.models import TaskItem
from tests.kits.timetable.helpers import Api, class_values, event_at, picture, placed


@pytest.fixture
def items(task_class: Any) -> list[int]:
    return [item.pk for item in task_class.items.order_by("order")]


def test_it_writes_free_and_embedded_items(api: Api, user: Any, task_class: Any, items: list[int]) -> None:
    host = event_at("思想政治", 7)
    first, second = placed(items[0], 7, 2, 3, 4), placed(items[1], 7, 3, 5, 6, host.pk)
    status, body = api.apply({"task_class_id": task_class.pk, "items": [first, second]})
    assert (status, body["status"]) == (200, "10000"), body
    event = ScheduleEvent.objects.get(task_item=items[0])
    assert body["data"]["applied"] == [
        {"task_item_id": items[0], "task_class_id": task_class.pk, "event_id": event.pk, "embedded": False,
         "week": 7, "day_of_week": 2, "section_from": 3, "section_to": 4},
        {"task_item_id": items[1], "task_class_id": task_class.pk, "event_id": host.pk, "embedded": True,
         "week": 7, "day_of_week": 3, "section_from": 5, "section_to": 6},
    ]  # fmt: skip
    assert AppliedBatch.objects.get(source="apply-batch").pk == body["data"]["batch_id"]
    assert (event.name, event.type, event.source) == ("随机变量", "task", "apply")
    assert Schedule.objects.filter(embedded_task_item=items[1], event=host).count() == 2
    assert list(TaskItem.objects.filter(pk__in=items[:2]).values_list("status", flat=True)) == [2, 2]
    assert event_at("思想政治", 7).revision == host.revision + 1
    assert TimetableVersion.objects.get(user=user).version == 2
    assert broken_invariants() == []


def test_it_accepts_only_embedded_items_part_of_a_host_and_the_last_sunday(api: Api, user: Any, courses: None) -> None:
    values = class_values(start_date=None, end_date=None, mode="manual", excluded_slots=[])
    row = class_create(user=user, values=values)
    ids = [item.pk for item in row.items.order_by("order")]
    host = event_at("形势与政策", 7)
    assert api.apply({"task_class_id": row.pk, "items": [placed(ids[0], 7, 5, 10, 11, host.pk)]})[0] == 200
    assert api.apply({"task_class_id": row.pk, "items": [placed(ids[1], 20, 7, 11, 12)]})[0] == 200
    assert broken_invariants() == []


def test_it_judges_all_items_of_a_request_together(api: Api, task_class: Any, items: list[int]) -> None:
    backwards = [placed(items[1], 7, 2, 3, 4), placed(items[0], 7, 1, 3, 4)]
    assert api.apply({"task_class_id": task_class.pk, "items": backwards})[0] == 200
    clash = [placed(items[2], 7, 3, 1, 2), placed(items[3], 7, 3, 1, 2)]
    status, body = api.apply({"task_class_id": task_class.pk, "items": clash})
    assert (status, body["status"]) == (409, "40026")
    rules = {(row["task_item_id"], row["rule"]) for row in body["data"]["conflicts"]}
    assert {(items[2], "occupied"), (items[3], "occupied"), (items[3], "order_before")} <= rules


def test_it_takes_many_classes_in_one_call_or_none(api: Api, user: Any, task_class: Any, items: list[int]) -> None:
    other = class_create(user=user, values=class_values(name="英语阅读"))
    guest = other.items.order_by("order").first().pk
    batches = [
        {"task_class_id": task_class.pk, "items": [placed(items[0], 7, 2, 3, 4)]},
        {"task_class_id": other.pk, "items": [placed(guest, 7, 2, 4, 5)]},
    ]
    before = picture(user.pk)
    status, body = api.apply({"batches": batches})
    assert (status, body["status"]) == (409, "40026")
    assert picture(user.pk) == before
    batches[1]["items"] = [placed(guest, 7, 2, 5, 6)]
    status, body = api.apply({"batches": batches})
    assert status == 200
    assert [row["task_class_id"] for row in body["data"]["applied"]] == [task_class.pk, other.pk]


def test_it_names_what_is_in_the_way(api: Api, task_class: Any, items: list[int]) -> None:
    english = event_at("大学英语", 7)
    status, body = api.apply({"task_class_id": task_class.pk, "items": [placed(items[0], 7, 4, 5, 6)]})
    assert (status, body["status"], body["info"]) == (409, "40026", "日程冲突")
    assert body["data"]["conflicts"] == [
        {"code": "40026", "rule": "occupied", "task_item_id": items[0], "task_class_id": task_class.pk, "week": 7,
         "day_of_week": 4, "section_from": 5, "section_to": 6,
         "with": {"event_id": english.pk, "task_item_id": 0, "name": "大学英语", "type": "course"}}
    ]  # fmt: skip


SINGLE = {
    "wrong length": (placed(0, 7, 1, 1, 3), 422, "40073", "wrong_length"),
    "week beyond the term": (placed(0, 21, 1, 1, 2), 422, "40049", "outside_semester"),
    "section beyond the day": (placed(0, 7, 1, 12, 13), 422, "40049", "outside_semester"),
    "host that is not there": (placed(0, 7, 1, 1, 2, 999_999), 422, "40061", "host_unknown"),
    "free on a filler": (placed(0, 7, 3, 5, 6), 409, "40026", "occupied"),
}


@pytest.mark.parametrize("name", SINGLE)
def test_it_refuses_a_single_item(api: Api, user: Any, task_class: Any, items: list[int], name: str) -> None:
    item, http, code, rule = SINGLE[name]
    before = picture(user.pk)
    status, body = api.apply({"task_class_id": task_class.pk, "items": [item | {"task_item_id": items[0]}]})
    assert (status, body["status"]) == (http, code), body
    assert body["data"]["conflicts"][0]["rule"] == rule
    assert picture(user.pk) == before
    assert not AppliedBatch.objects.exclude(source="import").exists()


def test_it_refuses_hosts_that_cannot_take_the_item(api: Api, user: Any, task_class: Any, items: list[int]) -> None:
    english, politics = event_at("大学英语", 7), event_at("思想政治", 7)
    cases = [
        (placed(items[0], 7, 4, 5, 6, english.pk), "40073"),
        (placed(items[0], 7, 4, 7, 8, politics.pk), "40061"),
        (placed(items[0], 7, 3, 6, 7, politics.pk), "40073"),
    ]
    for item, code in cases:
        assert api.apply({"task_class_id": task_class.pk, "items": [item]})[1]["status"] == code
    seat = placed(items[0], 7, 3, 5, 6, politics.pk)
    assert api.apply({"task_class_id": task_class.pk, "items": [seat]})[0] == 200
    other = class_create(user=user, values=class_values(name="英语阅读"))
    guest = other.items.order_by("order").first().pk
    status, body = api.apply({"task_class_id": other.pk, "items": [placed(guest, 7, 3, 5, 6, politics.pk)]})
    assert (status, body["status"]) == (409, "40025")
    assert body["data"]["conflicts"][0]["with"]["task_item_id"] == items[0]


def test_it_keeps_the_order_of_a_class_across_unplaced_items(api: Api, task_class: Any, items: list[int]) -> None:
    assert api.apply({"task_class_id": task_class.pk, "items": [placed(items[2], 7, 2, 1, 2)]})[0] == 200
    status, body = api.apply({"task_class_id": task_class.pk, "items": [placed(items[0], 7, 3, 1, 2)]})
    assert (status, body["status"]) == (422, "40072")
    assert body["data"]["conflicts"][0]["rule"] == "order_after"


def test_it_refuses_in_the_stated_order(api: Api, user: Any, task_class: Any, items: list[int], courses: None) -> None:
    path, other = "task-class/apply-batch-into-schedule", class_create(user=user, values=class_values(name="二"))
    stranger = other.items.first().pk
    good, mine = placed(items[0], 7, 2, 3, 4), task_class.pk
    assert api("PUT", path, {"nonsense": 1})[1]["status"] == "40037"
    assert api.apply({"task_class_id": mine, "items": [good]}, "k")[0] == 200
    assert api.apply({"nonsense": 1}, "k")[1]["status"] == "40070"
    assert api.apply({"task_class_id": mine, "items": []})[1]["status"] == "40005"
    assert api.apply({"task_class_id": 10**9, "items": [good, good]})[1]["status"] == "40040"
    assert api.apply({"task_class_id": mine, "items": [good, good]})[1]["status"] == "40062"
    strange = placed(stranger, 99, 2, 3, 4)
    assert api.apply({"task_class_id": mine, "items": [strange, good]})[1]["status"] == "40048"
    assert api.apply({"task_class_id": mine, "items": [placed(items[1], 99, 1, 1, 2), good]})[1]["status"] == "40034"
    far, homeless = placed(items[1], 99, 1, 1, 2), placed(items[2], 7, 4, 1, 2, 10**9)
    assert api.apply({"task_class_id": mine, "items": [homeless, far]})[1]["status"] == "40049"
    blocked = placed(items[1], 7, 4, 5, 6)
    assert api.apply({"task_class_id": mine, "items": [blocked, homeless]})[1]["status"] == "40061"


SHAPES: list[Any] = [
    None,
    [],
    {},
    {"task_class_id": 1},
    {"items": []},
    {"task_class_id": True, "items": [placed(1, 1, 1, 1, 2)]},
    {"task_class_id": "1", "items": [placed(1, 1, 1, 1, 2)]},
    {"task_class_id": 1, "items": {}},
    {"task_class_id": 1, "items": [1]},
    {"task_class_id": 1, "items": [placed(1, 0, 1, 1, 2)]},
    {"task_class_id": 1, "items": [placed(1, 1, 8, 1, 2)]},
    {"task_class_id": 1, "items": [placed(1, 1, 1, 0, 2)]},
    {"task_class_id": 1, "items": [placed(1, 1, 1, 3, 2)]},
    {"task_class_id": 1, "items": [placed(1, 1, 1, 1, 2) | {"week": True}]},
    {"task_class_id": 1, "items": [placed(1, 1, 1, 1, 2) | {"week": 1.0}]},
    {"task_class_id": 1, "items": [placed(1, 1, 1, 1, 2) | {"task_item_id": 2**70}]},
    {"task_class_id": 1, "items": [placed(1, 1, 1, 1, 2)], "batches": []},
    {"batches": []},
    {"batches": [{"task_class_id": 1, "items": []}]},
    {"batches": "x"},
]


@pytest.mark.parametrize("body", SHAPES, ids=range(len(SHAPES)))
def test_it_refuses_bad_shapes(api: Api, semester: Any, body: Any) -> None:
    status, answer = api.apply(body)
    assert (status, answer["status"]) == (400, "40005"), answer
    assert answer["data"]["errors"]


def test_it_names_the_fields_at_fault(api: Api, semester: Any) -> None:
    bad = {"task_class_id": 1, "items": [placed(1, 1, 1, 3, 2), {**placed(1, 1, 1, 1, 2), "week": "x"}]}
    fields = [row["field"] for row in api.apply(bad)[1]["data"]["errors"]]
    assert fields == ["items.0.end_section", "items.1.week"]
    for body, named in (
        ({"batches": [], "items": []}, ["task_class_id", "items", "batches"]),
        ({}, ["task_class_id", "items"]),
        ({"items": [placed(1, 1, 1, 1, 2)]}, ["task_class_id"]),
        ({"task_class_id": 1}, ["items"]),
    ):
        assert [row["field"] for row in api.apply(body)[1]["data"]["errors"]] == named


def test_it_refuses_too_many_items_and_batches(api: Api, semester: Any) -> None:
    many = [placed(n, 1, 1, 1, 2) for n in range(1, 502)]
    assert api.apply({"task_class_id": 1, "items": many})[1]["status"] == "40006"
    assert api.apply({"batches": [{"task_class_id": 1, "items": many[:1]}] * 21})[1]["status"] == "40006"
    halves = [{"task_class_id": 1, "items": many[:300]}, {"task_class_id": 2, "items": many[300:]}]
    assert api.apply({"batches": halves})[1]["status"] == "40006"


def test_it_treats_zero_and_null_hosts_as_none(api: Api, task_class: Any, items: list[int]) -> None:
    free = [
        placed(items[0], 7, 1, 3, 4) | {"embed_course_event_id": 0},
        placed(items[1], 7, 2, 3, 4) | {"embed_course_event_id": None},
    ]
    assert api.apply({"task_class_id": task_class.pk, "items": free})[0] == 200


def test_things_of_another_student_do_not_exist(api: Api, other_api: Api, task_class: Any, items: list[int]) -> None:
    body = {"task_class_id": task_class.pk, "items": [placed(items[0], 7, 2, 3, 4)]}
    assert other_api.apply(body)[1] == {
        "status": "40040", "info": "任务类不存在", "data": {"task_class_ids": [task_class.pk]}
    }  # fmt: skip
    assert api.apply(body)[0] == 200
    event = ScheduleEvent.objects.get(task_item=items[0])
    batch = AppliedBatch.objects.get(source="apply-batch")
    pairs = [
        ("DELETE", f"schedule/events/{event.pk}", "schedule/events/123456", "40031"),
        ("POST", f"schedule/task-items/{items[0]}/undo", "schedule/task-items/123456/undo", "40036"),
        ("POST", f"schedule/task-items/{items[0]}/pin", "schedule/task-items/123456/pin", "40036"),
        ("POST", f"schedule/task-items/{items[0]}/unpin", "schedule/task-items/123456/unpin", "40036"),
        ("POST", f"schedule/batches/{batch.pk}/undo", "schedule/batches/123456/undo", "40077"),
        ("DELETE", f"task-class/{task_class.pk}?release=true", "task-class/123456?release=true", "40040"),
    ]
    for method, mine, random, code in pairs:
        answers = [other_api(method, path)[1] for path in (mine, random)]
        assert {answer["status"] for answer in answers} == {code}
        assert answers[0]["info"] == answers[1]["info"]


def test_class_by_class_one_call_and_a_draft_write_the_same_rows(
    api: Api, user: Any, semester: Any, task_class: Any, items: list[int]
) -> None:
    other = class_create(user=user, values=class_values(name="英语阅读"))
    guests, host = [item.pk for item in other.items.order_by("order")], event_at("思想政治", 7)
    batches = [
        {"task_class_id": task_class.pk, "items": [placed(items[0], 7, 2, 3, 4), placed(items[1], 7, 4, 1, 2)]},
        {"task_class_id": other.pk, "items": [placed(guests[0], 7, 3, 5, 6, host.pk)]},
    ]

    def one_by_one() -> None:
        for batch in batches:
            assert api.apply(batch)[0] == 200

    def as_a_draft() -> None:
        rows = [(batch["task_class_id"], ApplyItem(**row)) for batch in batches for row in batch["items"]]
        changes = [PlaceChange("place", 0, row.task_item_id, owner, "", None, row.spot) for owner, row in rows]
        schedule_persist_diff(user=user, semester=semester, changes=changes)

    def written(write: Any) -> list[Any]:
        write()
        seats = Schedule.objects.filter(Q(event__type="task") | Q(embedded_task_item__isnull=False))
        columns = ("week", "day_of_week", "section", "event__name", "event__type", "embedded_task_item")
        rows = list(seats.order_by("week", "day_of_week", "section").values_list(*columns))
        for batch in AppliedBatch.objects.filter(undone_at=None).exclude(source="import"):
            schedule_undo(user=user, batch_id=batch.pk)
        return rows

    first = written(one_by_one)
    assert len(first) == 6
    assert first == written(lambda: api.apply({"batches": batches})) == written(as_a_draft)
    assert broken_invariants() == []


def test_a_seat_that_somebody_took_without_the_lock_is_named(
    user: Any, semester: Any, task_class: Any, items: list[int]
) -> None:
    host = event_at("形势与政策", 7)
    Schedule.objects.filter(event=host, section=10).update(embedded_task_item=items[1])
    with pytest.raises(CodedError) as error, transaction.atomic():
        Seats(user.pk, semester).embed({items[0]: (host.pk, place_of(7, 5, 9, 10))}, {items[0]: task_class.pk})
    assert error.value.code == 40025
    row = error.value.data["conflicts"][0]
    assert (row["rule"], row["task_item_id"], row["task_class_id"]) == ("host_taken", items[0], task_class.pk)
    assert row["with"] == {"event_id": host.pk, "task_item_id": items[1], "name": "形势与政策", "type": "course"}
    assert list(host.rows.values_list("embedded_task_item", flat=True)) == [None, items[1], None]


def test_the_items_of_all_batches_count_together(api: Api, task_class: Any) -> None:
    rows = [placed(item, 7, 2, 3, 4) for item in range(1, 502)]
    batches = [{"task_class_id": 1, "items": rows[:300]}, {"task_class_id": 2, "items": rows[300:]}]
    assert api.apply({"batches": batches})[1]["data"] == {"field": "batches", "limit": 500}
