"""Task classes over REST."""

from __future__ import annotations

from typing import Any

import pytest

from schedules.models import AppliedBatch, ScheduleEvent
from schedules.services import broken_invariants, class_remove, class_upsert, classes_update
from taskclasses.kernel.errors import CodedError
from taskclasses.models import TaskClass
from tests.kits.timetable.helpers import Api, event_at, picture, placed

BODY: dict[str, Any] = {
    "name": "概率论复习", "mode": "auto", "start_date": "2026-04-13", "end_date": "2026-04-19",
    "subject_type": "quantitative", "difficulty_level": "high", "cognitive_intensity": "high", "total_slots": 6,
    "allow_filler_course": True, "strategy": "steady", "excluded_slots": [6, 6, 1], "excluded_days_of_week": [],
    "items": [{"order": 2, "content": "数字特征"}, {"order": 1, "content": "随机变量", "duration": 3}],
}  # fmt: skip


def test_it_creates_and_shows_a_class(api: Api, semester: Any) -> None:
    status, body = api("POST", "task-class", BODY)
    assert status == 200, body
    shown = body["data"]
    assert shown["excluded_slots"] == [1, 6]
    assert [(item["content"], item["sections"], item["status"]) for item in shown["items"]] == [
        ("随机变量", 3, 1),
        ("数字特征", 3, 1),
    ]
    assert api("GET", f"task-class/{shown['id']}")[1]["data"] == shown
    listed = api("GET", "task-class")[1]["data"]
    assert listed["total"] == 1
    assert (listed["list"][0]["item_count"], listed["list"][0]["waiting_count"]) == (2, 2)
    assert "items" not in listed["list"][0]


def test_blanks_around_names_count_for_nothing(api: Api, semester: Any) -> None:
    status, body = api("POST", "task-class", {**BODY, "name": "  a  ", "items": [{"order": 1, "content": "\u3000b "}]})
    assert (status, body["data"]["name"], body["data"]["items"][0]["content"]) == (200, "a", "b")
    item = body["data"]["items"][0]["id"]
    changed = {
        **BODY,
        "name": " c\n",
        "items": [{"id": item, "order": 1, "content": "\td"}, {"order": 2, "content": " e"}],
    }
    shown = api("PUT", f"task-class/{body['data']['id']}", changed)[1]["data"]
    assert (shown["name"], [row["content"] for row in shown["items"]]) == ("c", ["d", "e"])


def test_it_tells_how_many_items_want_a_place(api: Api, semester: Any) -> None:
    auto = api("POST", "task-class", BODY)[1]["data"]
    api("POST", "task-class", {**BODY, "name": "自己排", "mode": "manual"})
    item = auto["items"][0]["id"]
    status, body = api("POST", f"schedule/task-items/{item}/progress", {"progress": "done"}, Idempotency_Key="d")
    assert status == 200, body
    counted = {one["name"]: one["waiting_count"] for one in api("GET", "task-class")[1]["data"]["list"]}
    assert counted == {BODY["name"]: 1, "自己排": 0}


def test_it_pages_newest_first(api: Api, semester: Any) -> None:
    ids = [api("POST", "task-class", {**BODY, "name": f"第{n}类"})[1]["data"]["id"] for n in range(3)]
    first = api("GET", "task-class?page=1&page_size=2")[1]["data"]
    second = api("GET", "task-class?page=2&page_size=2")[1]["data"]
    assert [row["id"] for row in first["list"] + second["list"]] == ids[::-1]
    assert (first["has_more"], second["has_more"], second["total"]) == (True, False, 3)
    for query in ("page=x", "page=-1", "page_size=101", "page=1.5", "page=" + "9" * 40):
        assert api("GET", f"task-class?{query}")[1]["status"] == "40005"


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"start_date": None}, "40044"),
        ({"end_date": "2026-04-12"}, "40045"),
        ({"start_date": "2027-01-01", "end_date": "2027-01-02"}, "40045"),
        ({"name": ""}, "40005"),
        ({"name": "x" * 61}, "40006"),
        ({"name": 5}, "40005"),
        ({"mode": "other"}, "40005"),
        ({"start_date": "13.4.2026"}, "40005"),
        ({"start_date": 20260413}, "40005"),
        ({"allow_filler_course": 1}, "40005"),
        ({"total_slots": True}, "40005"),
        ({"total_slots": -1}, "40005"),
        ({"total_slots": 2**40}, "40005"),
        ({"excluded_slots": [7]}, "40005"),
        ({"excluded_slots": ["1"]}, "40005"),
        ({"excluded_days_of_week": [1, 2, 3, 4, 5, 6, 7]}, "40005"),
        ({"items": []}, "40005"),
        ({"items": [{"order": 1, "content": "x" * 201}]}, "40006"),
        ({"items": [{"order": n, "content": "x"} for n in range(1, 102)]}, "40006"),
        ({"items": [{"order": 1, "content": "a"}, {"order": 1, "content": "b"}]}, "40005"),
        ({"items": [{"order": 1, "content": "a", "duration": 9}]}, "40005"),
        ({"items": "abc"}, "40005"),
    ],
)
def test_it_refuses_bad_classes(api: Api, semester: Any, changes: dict[str, Any], code: str) -> None:
    assert api("POST", "task-class", {**BODY, **changes})[1]["status"] == code
    assert not TaskClass.objects.exists()


def test_a_manual_class_needs_neither_dates_nor_items(api: Api, semester: Any) -> None:
    assert api("POST", "task-class", {"name": "杂事", "mode": "manual"})[0] == 200


def test_zero_means_none(api: Api, semester: Any) -> None:
    items = [{"id": 0, "order": 1, "content": "a", "duration": 0}]
    shown = api("POST", "task-class", {**BODY, "total_slots": 0, "items": items})[1]["data"]
    assert (shown["total_slots"], shown["items"][0]["duration"], shown["items"][0]["sections"]) == (None, None, 2)


def test_replacing_matches_items_by_id(api: Api, task_class: Any) -> None:
    before = api("GET", f"task-class/{task_class.pk}")[1]["data"]
    first, second = before["items"][:2]
    body = {**before, "items": [{"order": 1, "content": "新项"}, {**first, "order": 2, "content": "改名"}]}
    after = api("PUT", f"task-class/{task_class.pk}", body)[1]["data"]
    assert [item["content"] for item in after["items"]] == ["新项", "改名"]
    assert after["items"][1]["id"] == first["id"]
    assert second["id"] not in [item["id"] for item in after["items"]]
    assert api("PUT", f"task-class/{task_class.pk}", body | {"items": [{**second, "order": 1}]})[1]["status"] == "40048"
    assert api("PUT", "task-class/999999", body)[1]["status"] == "40040"


def test_applied_items_stay_and_their_events_take_the_new_name(api: Api, task_class: Any) -> None:
    before = api("GET", f"task-class/{task_class.pk}")[1]["data"]
    item = before["items"][0]
    assert api.apply({"task_class_id": task_class.pk, "items": [placed(item["id"], 7, 2, 3, 4)]})[0] == 200
    left_out = {**before, "items": before["items"][1:]}
    status, body = api("PUT", f"task-class/{task_class.pk}", left_out)
    assert (status, body["status"], body["data"]) == (409, "40034", {"task_item_ids": [item["id"]]})
    renamed = {**before, "items": [{**item, "content": "随机变量（二）"}, *before["items"][1:]]}
    assert api("PUT", f"task-class/{task_class.pk}", renamed)[0] == 200
    event = ScheduleEvent.objects.get(task_item=item["id"])
    assert (event.name, event.revision) == ("随机变量（二）", 2)
    assert broken_invariants() == []


def test_deleting_releases_applied_items_on_request(api: Api, task_class: Any) -> None:
    items, host = list(task_class.items.order_by("order")), event_at("思想政治", 7)
    rows = [placed(items[0].pk, 7, 2, 3, 4), placed(items[1].pk, 7, 3, 5, 6, host.pk)]
    api.apply({"task_class_id": task_class.pk, "items": rows})
    assert api("DELETE", f"task-class/{task_class.pk}")[1]["data"] == {"task_item_ids": [items[0].pk, items[1].pk]}
    assert api("DELETE", f"task-class/{task_class.pk}?release=true")[1] == {
        "status": "10000", "info": "success", "data": None
    }  # fmt: skip
    assert not ScheduleEvent.objects.filter(type="task").exists()
    assert broken_invariants() == []
    assert api("DELETE", f"task-class/{task_class.pk}")[1]["status"] == "40040"


def test_a_deleted_class_comes_back_with_its_items_where_they_were(api: Api, user: Any, task_class: Any) -> None:
    items, host = list(task_class.items.order_by("order")), event_at("思想政治", 7)
    rows = [placed(items[0].pk, 7, 2, 3, 4), placed(items[1].pk, 7, 3, 5, 6, host.pk)]
    api.apply({"task_class_id": task_class.pk, "items": rows})
    before, shown = picture(user.pk), api("GET", f"task-class/{task_class.pk}")[1]["data"]
    api("DELETE", f"task-class/{task_class.pk}?release=true")
    batch = AppliedBatch.objects.get(source="class-release")
    listed = api("GET", "schedule/batches")[1]["data"]["list"][0]
    assert (listed["batch_id"], listed["can_undo"]) == (batch.pk, True)
    assert api("POST", f"schedule/batches/{batch.pk}/undo")[1]["status"] == "10000"
    assert picture(user.pk) == before
    assert api("GET", f"task-class/{task_class.pk}")[1]["data"] == shown
    assert broken_invariants() == []
    assert api("POST", f"schedule/batches/{batch.pk}/undo")[1]["data"]["reason"] == "already_undone"


def test_a_deleted_class_without_places_comes_back_unless_its_id_is_taken(api: Api, task_class: Any) -> None:
    shown = api("GET", f"task-class/{task_class.pk}")[1]["data"]
    api("DELETE", f"task-class/{task_class.pk}")
    batch = AppliedBatch.objects.get(source="class-delete")
    other = TaskClass.objects.create(pk=task_class.pk, user=batch.user, name="别的")
    assert api("POST", f"schedule/batches/{batch.pk}/undo")[1]["data"]["reason"] == "changed_since"
    other.delete()
    assert api("POST", f"schedule/batches/{batch.pk}/undo")[1]["status"] == "10000"
    assert api("GET", f"task-class/{task_class.pk}")[1]["data"] == shown


def test_the_agents_deletion_happens_once_and_only_to_the_students_own(
    api: Api, user: Any, other_user: Any, task_class: Any
) -> None:
    with pytest.raises(CodedError) as refused:
        class_remove(user_id=other_user.pk, class_id=task_class.pk, claim="goal-1/call-1")
    assert refused.value.code == 40040
    first = class_remove(user_id=user.pk, class_id=task_class.pk, claim="goal-1/call-1")
    assert class_remove(user_id=user.pk, class_id=task_class.pk, claim="goal-1/call-1") == first
    assert first == {"task_class_id": task_class.pk}
    assert AppliedBatch.objects.filter(source="class-delete").count() == 1


def test_the_agents_write_happens_once_per_call(user: Any, task_class: Any) -> None:
    create = {
        "task_class": {
            "name": "英语阅读", "mode": "auto", "start_date": "2026-04-13", "end_date": "2026-04-26",
            "config": {"total_slots": 4, "strategy": "rapid"},
        },
        "items": [{"order": 1, "content": "第一篇"}, {"order": 2, "content": "第二篇"}],
        "source": "chat",
    }  # fmt: skip
    first = class_upsert(user_id=user.pk, values=create, claim="goal-1/call-1")
    again = class_upsert(user_id=user.pk, values=create, claim="goal-1/call-1")
    assert first == again
    assert first["created"]
    row = TaskClass.objects.get(pk=first["task_class_id"])
    update = {"id": row.pk, "task_class": {"config": {"total_slots": 6}}, "source": "chat"}
    changed = class_upsert(user_id=user.pk, values=update, claim="goal-1/call-2")
    row.refresh_from_db()
    assert (changed["created"], changed["item_ids"], row.total_slots, row.strategy) == (
        False, first["item_ids"], 6, "rapid",
    )  # fmt: skip


def test_the_agent_writes_several_classes_once_all_or_none(user: Any, task_class: Any) -> None:
    other = class_upsert(
        user_id=user.pk, values={"task_class": {"name": "英语阅读", "mode": "manual"}}, claim="goal-1/call-1"
    )
    no_sundays = {"task_class": {"config": {"excluded_days_of_week": [7]}}}
    rows = [{"id": class_id, **no_sundays} for class_id in (task_class.pk, other["task_class_id"])]
    with pytest.raises(CodedError) as refused:
        classes_update(user_id=user.pk, rows=[*rows, {"id": 10**6, **no_sundays}], claim="goal-1/call-2")
    assert refused.value.code == 40040
    assert not any(row.excluded_days_of_week for row in TaskClass.objects.all())
    first = classes_update(user_id=user.pk, rows=rows, claim="goal-1/call-2")
    again = classes_update(user_id=user.pk, rows=rows[:1], claim="goal-1/call-2")
    assert first == again == {"task_class_ids": [row["id"] for row in rows]}
    assert all(row.excluded_days_of_week == [7] for row in TaskClass.objects.all())


def test_who_names_the_tag_of_a_class_overwrites_nothing_that_changed_since(api: Api, semester: Any) -> None:
    path = f"task-class/{api('POST', 'task-class', BODY)[1]['data']['id']}"
    read = api.raw("GET", path)
    tag, row = read["ETag"], read.json()["data"]
    assert tag.startswith('"')
    for named in (tag, f"W/{tag}", f'"other", {tag}', "*"):
        assert api.raw("GET", path, If_None_Match=named).status_code == 304
        assert api("PUT", path, row, If_Match=named)[0] == 200, named
    assert api("PUT", path, {**row, "items": row["items"][:1]}, If_Match=tag)[0] == 200
    for method, body in (("PUT", row), ("DELETE", None)):
        assert api(method, path, body, If_Match=tag) == (
            412,
            {"status": "40079", "info": "读取之后已被改动，请重新读取", "data": None},
        )
    newer = api.raw("GET", path)
    assert len(newer.json()["data"]["items"]) == 1, "the item that another client took out is out"
    assert api("PUT", path, {**row, "items": newer.json()["data"]["items"]}, If_Match="")[0] == 200
    assert api("PUT", f"{path}9", row, If_Match=tag)[1]["status"] == "40040"
    assert api("DELETE", path, If_Match=api.raw("GET", path)["ETag"])[0] == 200


def test_a_student_has_a_bounded_number_of_classes(api: Api, user: Any, semester: Any) -> None:
    TaskClass.objects.bulk_create(TaskClass(user=user, name=str(number), mode="manual") for number in range(500))
    status, body = api("POST", "task-class", BODY)
    assert (status, body["status"], body["data"]) == (413, "40006", {"field": "task_classes", "limit": 500})
    TaskClass.objects.filter(user=user)[0].delete()
    assert api("POST", "task-class", BODY)[0] == 200
