"""Undo restores the rows from before a batch exactly, or changes nothing."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from schedules.models import AppliedBatch, Schedule, ScheduleEvent, TimetableVersion
from schedules.planner.draft.diff import PlaceChange
from schedules.planner.draft.state import Spot
from schedules.planner.grid import Place
from schedules.services import (
    broken_invariants,
    class_replace,
    schedule_apply_batch,
    schedule_persist_diff,
    schedule_undo,
)
from schedules.services.classes import values_of
from schedules.services.placement.apply import ApplyClass, ApplyItem
from taskclasses.kernel.errors import CodedError
from tests.kits.budgets import tried
from tests.kits.timetable.helpers import Api, event_at, picture, placed


@pytest.fixture
def items(task_class: Any) -> list[int]:
    return [item.pk for item in task_class.items.order_by("order")]


def apply(user: Any, task_class: Any, *rows: dict[str, Any]) -> int:
    batch = ApplyClass(task_class.pk, [ApplyItem(**row) for row in rows])
    return int(schedule_apply_batch(user=user, batches=[batch])["batch_id"])


def test_it_restores_the_rows_of_an_apply(api: Api, user: Any, task_class: Any, items: list[int]) -> None:
    before, host = picture(user.pk), event_at("思想政治", 7)
    batch = apply(user, task_class, placed(items[0], 7, 2, 3, 4), placed(items[1], 7, 3, 5, 6, host.pk))
    status, body = api("POST", f"schedule/batches/{batch}/undo")
    assert status == 200
    assert body["data"]["task_item_ids"] == items[:2]
    assert picture(user.pk) == before
    assert event_at("思想政治", 7).revision == host.revision + 2
    status, body = api("POST", f"schedule/batches/{batch}/undo")
    assert (status, body["data"]) == (409, {"reason": "already_undone", "conflicts": []})
    assert body["info"] == "这次改动已经撤销过了"


def test_it_undoes_batches_in_any_order(user: Any, task_class: Any, items: list[int]) -> None:
    before = picture(user.pk)
    first = apply(user, task_class, placed(items[0], 7, 2, 3, 4))
    second = apply(user, task_class, placed(items[1], 7, 3, 1, 2))
    schedule_undo(user=user, batch_id=first)
    schedule_undo(user=user, batch_id=second)
    assert picture(user.pk) == before


def test_it_restores_a_move_with_the_same_event(user: Any, semester: Any, task_class: Any, items: list[int]) -> None:
    host = event_at("思想政治", 7)
    apply(user, task_class, placed(items[0], 7, 2, 3, 4), placed(items[1], 7, 3, 5, 6, host.pk))
    before, event = picture(user.pk), ScheduleEvent.objects.get(task_item=items[0])
    spots = {items[0]: Spot(Place(43, 7, 2), None), items[1]: Spot(Place(46, 7, 2), None), items[2]: None}
    changes = [
        PlaceChange("move", 1, items[0], task_class.pk, "", Spot(Place(44, 3, 2), None), spots[items[0]]),
        PlaceChange("move", 2, items[1], task_class.pk, "", Spot(Place(45, 5, 2), host.pk), spots[items[1]]),
    ]
    answer = schedule_persist_diff(user=user, semester=semester, changes=changes)
    assert [row["task_item_id"] for row in answer["moved"]] == items[:2]
    assert ScheduleEvent.objects.get(task_item=items[0]).pk == event.pk
    assert not Schedule.objects.filter(embedded_task_item=items[1]).exists()
    assert broken_invariants() == []
    schedule_undo(user=user, batch_id=answer["batch_id"])
    assert picture(user.pk) == before
    assert ScheduleEvent.objects.get(pk=event.pk).revision == event.revision + 2


def test_an_empty_difference_writes_no_batch(user: Any, semester: Any) -> None:
    answer = schedule_persist_diff(user=user, semester=semester, changes=[])
    assert answer == {"batch_id": None, "applied": [], "moved": [], "removed": [], "warnings": []}
    assert not AppliedBatch.objects.exists()


def test_taking_one_item_back_can_be_undone(api: Api, user: Any, task_class: Any, items: list[int]) -> None:
    host = event_at("思想政治", 7)
    apply(user, task_class, placed(items[0], 7, 2, 3, 4), placed(items[1], 7, 3, 5, 6, host.pk))
    before, event = picture(user.pk), ScheduleEvent.objects.get(task_item=items[0])
    answers = [api("POST", f"schedule/task-items/{item}/undo")[1]["data"] for item in items[:2]]
    assert answers == [
        {"task_item_id": items[0], "event_id": event.pk},
        {"task_item_id": items[1], "event_id": host.pk},
    ]
    refused = api("POST", f"schedule/task-items/{items[0]}/undo")[1]
    assert (refused["data"]["reason"], refused["info"]) == ("not_placed", "这一项现在没有排在哪里，显示的可能旧了")
    for batch in AppliedBatch.objects.filter(source="item-undo"):
        schedule_undo(user=user, batch_id=batch.pk)
    assert picture(user.pk) == before


def test_a_deleted_task_event_can_come_back_and_a_course_cannot(
    api: Api, user: Any, task_class: Any, items: list[int]
) -> None:
    host = event_at("思想政治", 7)
    apply(user, task_class, placed(items[0], 7, 2, 3, 4), placed(items[1], 7, 3, 5, 6, host.pk))
    before, event = picture(user.pk), ScheduleEvent.objects.get(task_item=items[0])
    assert api("DELETE", f"schedule/events/{event.pk}")[1]["data"] == {"released_task_item_ids": [items[0]]}
    assert api("DELETE", f"schedule/events/{event.pk}")[1]["status"] == "40031"
    schedule_undo(user=user, batch_id=AppliedBatch.objects.latest("pk").pk)
    assert picture(user.pk) == before
    assert api("DELETE", f"schedule/events/{host.pk}")[1]["data"] == {"released_task_item_ids": [items[1]]}
    assert broken_invariants() == []
    refused(user, AppliedBatch.objects.latest("pk").pk)


def refused(user: Any, batch: int) -> dict[str, Any]:
    before = picture(user.pk)
    with pytest.raises(CodedError) as error:
        schedule_undo(user=user, batch_id=batch)
    assert error.value.code == 40077
    assert error.value.data["reason"] == "changed_since"
    assert picture(user.pk) == before
    return dict(error.value.data)


def test_it_refuses_after_a_rename_a_later_batch_or_a_taken_cell(
    api: Api, user: Any, semester: Any, task_class: Any, items: list[int]
) -> None:
    first = apply(user, task_class, placed(items[0], 7, 2, 3, 4))
    api("POST", f"schedule/task-items/{items[0]}/undo")
    back = AppliedBatch.objects.latest("pk").pk
    assert refused(user, first)["conflicts"][0]["task_item_id"] == items[0]
    apply(user, task_class, placed(items[1], 7, 2, 3, 4))
    conflicts = refused(user, back)["conflicts"]
    assert (conflicts[0]["code"], conflicts[0]["with"]["task_item_id"]) == ("40026", items[1])
    listed = api("GET", "schedule/batches")[1]["data"]
    assert [(row["source"], row["can_undo"]) for row in listed["list"]] == [
        ("apply-batch", True),
        ("item-undo", False),
        ("apply-batch", False),
        ("import", True),
    ]
    assert listed["list"][0]["changes"] == [{"task_item_id": items[1], "change": "place"}]
    task_class.refresh_from_db()
    values = values_of(task_class)
    renamed = [item if item.id != items[1] else type(item)(item.order, "新名", None, item.id) for item in values.items]
    class_replace(user=user, class_id=task_class.pk, values=type(values)(**{**vars(values), "items": renamed}))
    assert ScheduleEvent.objects.get(task_item=items[1]).name == "新名"
    refused(user, AppliedBatch.objects.latest("pk").pk)
    assert broken_invariants() == []


def test_it_does_not_know_batches_of_others(api: Api, semester: Any) -> None:
    assert api("POST", "schedule/batches/77/undo")[1]["data"] == {"reason": "not_found", "conflicts": []}


def test_every_write_raises_the_version(user: Any, task_class: Any, items: list[int]) -> None:
    versions = []
    batch = apply(user, task_class, placed(items[0], 7, 2, 3, 4))
    versions.append(TimetableVersion.objects.get(user=user).version)
    schedule_undo(user=user, batch_id=batch)
    versions.append(TimetableVersion.objects.get(user=user).version)
    assert versions[1] == versions[0] + 1


WRITES = st.lists(
    st.tuples(
        st.sampled_from(["apply", "move", "unplace", "undo"]),
        st.integers(0, 3),
        st.integers(43, 49),
        st.integers(1, 9),
        st.booleans(),
    ),
    max_size=12,
)


class RandomWrites(TestCase):
    """Random sequences keep the invariants; each undo that is allowed restores its picture; courses never move."""

    @tried(15)
    @given(writes=WRITES)
    def test_it_keeps_the_record_sound(self, writes: list[tuple[str, int, int, int, bool]]) -> None:
        user, semester, row, items = _world()
        courses = [entry for entry in picture(user.pk)["events"] if entry["type"] == "course"]
        history: list[tuple[int, dict[str, Any]]] = []
        for kind, index, day, first, embed in writes:
            before = picture(user.pk)
            if kind == "undo" and history:
                batch, earlier = history.pop()
                schedule_undo(user=user, batch_id=batch)
                assert picture(user.pk) == earlier
                continue
            written = _write(user, semester, row, items[index], kind, Place(day, first, 2), embed)
            if written is None:
                assert picture(user.pk) == before
            else:
                history.append((written, before))
            assert broken_invariants() == []
        for batch, before in reversed(history):
            schedule_undo(user=user, batch_id=batch)
            assert picture(user.pk) == before
        assert [entry for entry in picture(user.pk)["events"] if entry["type"] == "course"] == courses


def _write(user: Any, semester: Any, row: Any, item: int, kind: str, place: Place, embed: bool) -> int | None:
    """The batch of a write, None when it was refused."""
    weekday = (place.day - 1) % 7 + 1
    host = ScheduleEvent.objects.filter(week=7, can_be_embedded=True, day_of_week=weekday).first()
    spot = Spot(place, host.pk if embed and host else None)
    try:
        if kind == "apply":
            values = ApplyItem(item, 7, weekday, place.first, place.last, spot.host_event_id)
            return int(schedule_apply_batch(user=user, batches=[ApplyClass(row.pk, [values])])["batch_id"])
        if kind == "undo" or row.items.get(pk=item).status != 2:
            return None
        change = PlaceChange("move", 0, item, row.pk, "", spot, spot if kind == "move" else None)
        return int(schedule_persist_diff(user=user, semester=semester, changes=[change])["batch_id"])
    except CodedError:
        return None


def _world() -> tuple[Any, Any, Any, list[int]]:
    from datetime import date

    from django.contrib.auth.models import User

    from schedules.calendars.json_courses import rows_of_document
    from schedules.models import Semester
    from schedules.services import class_create, courses_import
    from tests.kits.timetable.helpers import COURSES, class_values

    semester = Semester.objects.create(name="2026 春", first_monday=date(2026, 3, 2), weeks=20, is_current=True)
    user = User.objects.create_user("li")
    courses_import(user=user, rows=list(rows_of_document({"courses": COURSES}, semester.calendar.grid)), dry_run=False)
    row = class_create(user=user, values=class_values(excluded_slots=[]))
    return user, semester, row, [item.pk for item in row.items.order_by("order")]


def test_it_refuses_a_holiday_in_which_lessons_fell_out_that_came_later(api: Api, user: Any, semester: Any) -> None:
    holiday = {"kind": "holiday", "name": "校运会", "first_date": "2026-03-09", "last_date": "2026-03-09"}
    batch = api("POST", "schedule/exceptions", {"exceptions": [holiday]})[1]["data"]["batch_id"]
    assert api("GET", "schedule/batches")[1]["data"]["list"][0]["can_undo"]
    monday = {"weeks": [1, 2, 3], "day_of_week": 1, "start_section": 1, "end_section": 2}
    api("POST", "schedule/courses", {"course_name": "书法", "arrangements": [monday]})
    before = picture(user.pk)
    assert [row["can_undo"] for row in api("GET", "schedule/batches")[1]["data"]["list"]] == [True, False]
    status, body = api("POST", f"schedule/batches/{batch}/undo")
    assert (status, body["data"]["reason"]) == (409, "changed_since")
    assert [one["with"]["name"] for one in body["data"]["conflicts"]] == ["书法"]
    assert picture(user.pk) == before
    assert broken_invariants(user_id=user.pk) == []


def test_it_takes_back_a_holiday_that_no_lesson_stands_in(api: Api, user: Any, semester: Any) -> None:
    holiday = {"kind": "holiday", "name": "校运会", "first_date": "2026-03-09", "last_date": "2026-03-09"}
    batch = api("POST", "schedule/exceptions", {"exceptions": [holiday]})[1]["data"]["batch_id"]
    tuesday = {"weeks": [1, 2, 3], "day_of_week": 2, "start_section": 1, "end_section": 2}
    api("POST", "schedule/courses", {"course_name": "书法", "arrangements": [tuesday]})
    assert api("POST", f"schedule/batches/{batch}/undo")[0] == 200
    assert broken_invariants(user_id=user.pk) == []
