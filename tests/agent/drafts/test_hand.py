"""Places of the student's own: taken with a warning, marked, kept over rebase, apply and undo."""

from __future__ import annotations

from typing import Any

import pytest

from schedules.services import schedule_undo
from taskclasses.models import TaskItem
from tests.kits.agent.draft_world import WEEK, DraftWorld, items_of, status_of
from tests.kits.agent.lasting_world import semester, student, user, world, written

__all__ = ["semester", "student", "user", "world", "written"]

AGAINST_WISHES = {
    "excluded weekday": (("大数定律", 7, 3), "excluded_weekday"),
    "excluded block": (("大数定律", 5, 11), "excluded_block"),
}


def change_class(world: DraftWorld, **fields: Any) -> None:
    address = f"/api/v1/task-class/{world.task_class.pk}"
    body = world.client.get(address).json()["data"]
    rows = [{key: row[key] for key in ("id", "order", "content", "duration")} for row in body["items"]]
    answer = world.client.put(address, {**body, **fields, "items": rows}, content_type="application/json")
    assert answer.status_code == 200, answer.content


def entry_of(world: DraftWorld, name: str) -> Any:
    world.preview()
    schedule = world.stored().schedule
    assert schedule is not None
    return schedule.by_item(world.items[name])


@pytest.mark.parametrize("name", AGAINST_WISHES)
def test_a_place_against_the_students_wishes_is_taken_with_a_warning(world: DraftWorld, name: str) -> None:
    (item, day, first), rule = AGAINST_WISHES[name]
    answer = world.save(world.place(item, day, first))
    assert status_of(answer) == "10000"
    [row] = answer.json()["data"]["warnings"]
    assert (row["code"], row["rule"], row["task_item_id"]) == ("40073", rule, world.items[item])
    assert (row["week"], row["day_of_week"], row["section_from"]) == (WEEK, day, first)
    assert row["message"].endswith("（你设置的）")
    assert entry_of(world, item).by_hand


def test_a_warning_speaks_the_language_of_the_request(world: DraftWorld) -> None:
    body = {"conversation_id": world.id, "items": [world.place("大数定律", 7, 3)]}
    answer = world.post("schedule-state", body, **{"Accept-Language": "en"})
    assert answer.json()["data"]["warnings"][0]["message"].endswith("not on Sun (you set that)")


def test_a_place_without_fault_answers_null_as_ever_and_is_marked_too(world: DraftWorld) -> None:
    assert world.save(world.place("大数定律", 5, 7)).json()["data"] is None
    assert entry_of(world, "大数定律").by_hand


def test_saving_what_stands_marks_nothing(world: DraftWorld) -> None:
    assert status_of(world.save(*items_of(world.preview()))) == "10000"
    schedule = world.stored().schedule
    assert not any(entry.by_hand for entry in schedule.items() if entry.status == "suggested")


def test_a_place_of_the_students_own_outlives_a_class_that_forbids_it(world: DraftWorld) -> None:
    assert status_of(world.save(world.place("大数定律", 6, 5))) == "10000"
    change_class(world, excluded_days_of_week=[2, 6])
    assert entry_of(world, "大数定律").status == "suggested"
    assert entry_of(world, "随机变量").rule == "excluded_weekday"


def test_it_outlives_dates_that_leave_it_outside(world: DraftWorld) -> None:
    assert status_of(world.save(world.place("大数定律", 6, 5))) == "10000"
    before = entry_of(world, "大数定律").slots
    start = world.client.get(f"/api/v1/task-class/{world.task_class.pk}").json()["data"]["start_date"]
    change_class(world, end_date=start)
    kept = entry_of(world, "大数定律")
    assert (kept.status, kept.by_hand) == ("suggested", True)
    assert kept.slots == before


def test_what_is_impossible_takes_even_such_a_place(world: DraftWorld) -> None:
    assert status_of(world.save(world.place("大数定律", 6, 5))) == "10000"
    course = {"course_name": "体育", "arrangements": [
        {"weeks": [WEEK], "day_of_week": 6, "start_section": 5, "end_section": 6}]}  # fmt: skip
    made = world.client.post("/api/v1/schedule/courses", course, content_type="application/json")
    assert made.status_code == 200, made.content
    lost = entry_of(world, "大数定律")
    assert (lost.status, lost.rule, lost.by_hand) == ("pending", "occupied", False)


def test_it_is_applied_with_its_mark_and_its_warning_and_undone(world: DraftWorld) -> None:
    world.save(world.place("大数定律", 7, 3))
    answer = world.apply().json()["data"]
    assert ("excluded_weekday", world.items["大数定律"]) in {
        (row["rule"], row["task_item_id"]) for row in answer["warnings"]
    }
    marked = TaskItem.objects.filter(by_hand=True).exclude(task_class__name="英语").values_list("content", flat=True)
    assert "大数定律" in marked
    assert "随机变量" not in marked
    assert entry_of(world, "大数定律").by_hand
    schedule_undo(user=world.user, batch_id=answer["batch_id"])
    item = TaskItem.objects.get(pk=world.items["大数定律"])
    assert (item.status, item.by_hand, item.pinned) == (1, False, False)
    back = entry_of(world, "大数定律")
    assert (back.status, back.by_hand, back.slots[0].day) == ("suggested", True, 7)


def test_an_order_is_never_broken_by_hand(world: DraftWorld) -> None:
    answer = world.save(world.place("大数定律", 1, 3))
    assert status_of(answer) == "40072"


def test_apply_batch_takes_and_marks_a_place_against_wishes(world: DraftWorld) -> None:
    body = {"task_class_id": world.task_class.pk, "items": [world.place("大数定律", 7, 3)]}
    put = {"content_type": "application/json", "headers": {"Idempotency-Key": "a-1"}}
    answer = world.client.put("/api/v1/task-class/apply-batch-into-schedule", body, **put)
    assert answer.status_code == 200, answer.content
    rules = [row["rule"] for row in answer.json()["data"]["warnings"]]
    assert "excluded_weekday" in rules
    assert TaskItem.objects.get(pk=world.items["大数定律"]).by_hand


def test_apply_batch_holds_a_suggestion_to_the_wishes(world: DraftWorld) -> None:
    row = {**world.place("大数定律", 7, 3), "by_hand": False}
    body = {"task_class_id": world.task_class.pk, "items": [row]}
    put = {"content_type": "application/json", "headers": {"Idempotency-Key": "a-2"}}
    answer = world.client.put("/api/v1/task-class/apply-batch-into-schedule", body, **put)
    assert status_of(answer) == "40073"
