"""Marks: what the student says about items, what follows for the past, and that no mark changes it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import icalendar
import pytest
from django.db.models.signals import post_init
from django.test import Client
from django.utils import timezone

from agent.tools.draft.facts import entry_json
from agent.tools.words.observations import entry_line
from schedules.models import AppliedBatch, Schedule
from schedules.planner.draft.load import load_state
from schedules.planner.draft.operations import UnplaceOp
from schedules.selectors import facts_load
from schedules.services import broken_invariants, class_create
from taskclasses.fields import ItemValues
from taskclasses.models import TaskClass, TaskItem
from tests.kits.timetable.helpers import Api, class_values, event_at, picture, placed
from tests.kits.timetable.lasting import semester, student, user, write_class

__all__ = ["semester", "student", "user"]


@pytest.fixture(scope="module")
def written(lasting_rows: Any, student: int) -> int:
    found: int = lasting_rows(lambda: write_placed(*write_class(student)))
    return found


@pytest.fixture
def task_class(written: int, db: None) -> TaskClass:
    return TaskClass.objects.get(pk=written)


@pytest.fixture
def items(task_class: TaskClass, at: Any) -> list[int]:
    """Four items: two on Tuesday and Wednesday (as a guest) of week 7, one on Friday, one free."""
    at(2026, 4, 16, 2, 0)  # Thursday 10:00, week 7
    return [item.pk for item in task_class.items.order_by("order")]


def write_placed(api: Api, task_class: TaskClass) -> int:
    found = [item.pk for item in task_class.items.order_by("order")]
    host = event_at("思想政治", 7)
    rows = [placed(found[0], 7, 2, 3, 4), placed(found[1], 7, 3, 5, 6, host.pk), placed(found[2], 7, 5, 1, 2)]
    with pytest.MonkeyPatch.context() as clock:
        clock.setattr(timezone, "now", lambda: datetime(2026, 4, 12, 2, tzinfo=UTC))
        assert api.apply({"task_class_id": task_class.pk, "items": rows})[0] == 200
    return int(task_class.pk)


def progress_of(api: Api, task_class: Any) -> list[str]:
    return [item["progress"] for item in api("GET", f"task-class/{task_class.pk}")[1]["data"]["items"]]


def mark(api: Api, item: int, progress: str, **more: Any) -> dict[str, Any]:
    status, body = api("POST", f"schedule/task-items/{item}/progress", {"progress": progress, **more})
    assert status == 200, body
    assert broken_invariants() == []
    return dict(body["data"])


def test_the_past_is_done_until_the_student_says_otherwise(api: Api, task_class: Any, items: list[int]) -> None:
    assert progress_of(api, task_class) == ["done", "done", "open", "open"]
    before = picture(task_class.user_id)
    mark(api, items[0], "missed")
    assert progress_of(api, task_class) == ["missed", "done", "open", "open"]
    assert picture(task_class.user_id)["events"] == before["events"]


def test_with_ticks_the_past_is_missed_after_the_grace_period(
    api: Api, task_class: Any, items: list[int], at: Any
) -> None:
    assert api("GET", "schedule/progress-settings")[1]["data"] == {"mode": "assume_done", "grace_hours": 24}
    shown = api("PUT", "schedule/progress-settings", {"mode": "tick", "grace_hours": 20})[1]["data"]
    assert shown == {"mode": "tick", "grace_hours": 20}
    # Tuesday ended 11:55, Wednesday 15:40, it is Thursday 10:00.
    assert progress_of(api, task_class) == ["missed", "open", "open", "open"]
    at(2026, 4, 16, 3, 40)
    assert progress_of(api, task_class) == ["missed", "missed", "open", "open"]
    mark(api, items[1], "done")
    assert progress_of(api, task_class) == ["missed", "done", "open", "open"]


def test_files_feed_admin_and_tools_tell_marks(api: Api, task_class: Any, items: list[int], admin_client: Any) -> None:
    address = api("POST", "schedule/feed")[1]["data"]["address"].removeprefix("http://testserver")
    told = f"item-{items[0]}@smartmate"

    def in_feed() -> Any:
        events = icalendar.Calendar.from_ical(Client().get(address).content).walk("VEVENT")
        return next(event for event in events if event["UID"] == told)

    before = in_feed()
    mark(api, items[0], "missed")
    mark(api, items[1], "done")
    after = in_feed()
    assert (str(after["DESCRIPTION"]), str(before["DESCRIPTION"])) == ("概率论复习\n进度：没做", "概率论复习")
    assert after["SEQUENCE"] == before["SEQUENCE"] + 1
    file = icalendar.Calendar.from_ical(api.raw("GET", "schedule/exports/ics?from_week=7&to_week=7").content)
    marks = {str(event["SUMMARY"]): event.get("X-SMARTMATE-PROGRESS") for event in file.walk("VEVENT")}
    assert {name: mark for name, mark in marks.items() if mark} == {"随机变量": "MISSED", "思想政治": "DONE"}
    shown = admin_client.get(f"/admin/taskclasses/taskitem/?task_class__id__exact={task_class.pk}").content.decode()
    assert 'field-mark nowrap">没做<' in shown or 'field-mark">没做<' in shown
    facts = facts_load(user_id=task_class.user_id, class_ids=[task_class.pk])
    draft = load_state(facts, scope=[task_class.pk], now=facts.now)
    lines = [entry_line(entry_json(draft, entry)) for entry in draft.items()]
    assert [("没做" in line, "做完了" in line) for line in lines[:3]] == [(True, False), (False, True), (False, False)]


def test_done_in_time_stays_where_it_stands(api: Api, task_class: Any, items: list[int]) -> None:
    before = picture(task_class.user_id)
    answer = mark(api, items[1], "done")
    assert picture(task_class.user_id) == before
    record = {key: answer["items"][0]["records"][0][key] for key in ("week", "day_of_week", "section_from", "in_place")}
    assert record == {"week": 7, "day_of_week": 3, "section_from": 5, "in_place": True}
    assert AppliedBatch.objects.get(pk=answer["batch_id"]).changes[0]["change"] == "mark"
    assert mark(api, items[1], "done")["batch_id"] is None


def test_done_early_gives_the_cells_back_and_says_where(api: Api, task_class: Any, items: list[int]) -> None:
    answer = mark(api, items[2], "done")
    told = answer["items"][0]
    assert (told["progress"], told["embedded_time"]) == ("done", None)
    # 10:00 on Thursday: the second section has ended, the third begins at 10:15.
    assert {**told["records"][0], "semester_id": 0, "marked_at": ""} == {
        "progress": "done", "semester_id": 0, "week": 7, "day_of_week": 4, "section_from": 1, "section_to": 2,
        "sections": 2, "in_place": False, "marked_at": "",
    }  # fmt: skip
    assert not Schedule.objects.filter(week=7, day_of_week=5, section__in=(1, 2)).exists()
    assert progress_of(api, task_class) == ["done", "done", "done", "open"]


def test_what_is_done_is_not_planned_again(api: Api, user: Any, task_class: Any, items: list[int]) -> None:
    mark(api, items[2], "done")
    mark(api, items[3], "done", place={"week": 7, "day_of_week": 1, "start_section": 1, "end_section": 2})
    planned = api("POST", "schedule/smart-planning", {"task_class_ids": [task_class.pk]})[1]["data"]
    assert planned["placements"] == planned["unplaced"] == []
    draft = load_state(facts_load(user_id=user.pk, class_ids=[task_class.pk]), scope=[task_class.pk], now=None)
    assert [entry.source_id for entry in draft.items()] == items[:2]


def test_no_tool_takes_away_what_is_done(api: Api, user: Any, task_class: Any, items: list[int]) -> None:
    mark(api, items[0], "done")
    draft = load_state(facts_load(user_id=user.pk, class_ids=[task_class.pk]), scope=[task_class.pk], now=None)
    entry = draft.by_item(items[0])
    assert entry is not None
    refusal = UnplaceOp(entry.state_id).check(draft)
    assert refusal is not None
    assert refusal.code == "fixed_entry"


def test_half_done_leaves_a_shorter_rest_without_a_place(api: Api, task_class: Any, items: list[int]) -> None:
    answer = mark(api, items[0], "partial")
    told = answer["items"][0]
    assert (told["progress"], told["sections_left"], told["embedded_time"]) == ("partial", 1, None)
    assert (told["records"][0]["sections"], told["records"][0]["day_of_week"]) == (1, 2)
    item = api("GET", f"task-class/{task_class.pk}")[1]["data"]["items"][0]
    assert (item["status"], item["sections"], item["duration"]) == (1, 1, None)
    # The rest is one section and comes before its followers.
    status, body = api.apply({"task_class_id": task_class.pk, "items": [placed(items[0], 7, 2, 3, 4)]})
    assert (status, body["data"]["conflicts"][0]["rule"]) == (422, "wrong_length")
    assert api.apply({"task_class_id": task_class.pk, "items": [placed(items[0], 7, 3, 1, 1)]})[0] == 200
    assert api("POST", f"schedule/batches/{answer['batch_id']}/undo")[0] == 409


def test_what_is_done_in_part_is_told_in_its_week_where_it_stood(api: Api, items: list[int]) -> None:
    assert api("GET", "schedule/week?week=7")[1]["data"]["parts"] == []
    mark(api, items[0], "partial")
    guest = mark(api, items[1], "partial")
    told = api("GET", "schedule/week?week=7")[1]["data"]["parts"]
    assert [(one["task_item_id"], one["day_of_week"], one["section_from"], one["section_to"]) for one in told] == [
        (items[0], 2, 3, 4),
        (items[1], 3, 5, 6),
    ]
    assert (told[0]["sections_left"], told[0]["rest_placed"]) == (1, False)
    assert api("GET", "schedule/week?week=6")[1]["data"]["parts"] == []
    assert api("POST", f"schedule/batches/{guest['batch_id']}/undo")[0] == 200
    mark(api, items[0], "done")
    assert api("GET", "schedule/week?week=7")[1]["data"]["parts"] == []


def test_a_rest_must_be_shorter(api: Api, user: Any, semester: Any, items: list[int]) -> None:
    short = class_create(user=user, values=class_values(name="短", items=[ItemValues(1, "一", 1)]))
    one = short.items.get().pk
    status, body = api("POST", f"schedule/task-items/{one}/progress", {"progress": "partial"})
    assert (status, body["data"]) == (409, {"reason": "bad_rest", "task_item_ids": [one]})
    path = f"schedule/task-items/{items[0]}/progress"
    assert api("POST", path, {"progress": "partial", "sections_left": 2})[1]["data"]["reason"] == "bad_rest"


def test_what_lies_ahead_cannot_be_missed(api: Api, items: list[int]) -> None:
    for item, reason in ((items[2], "not_begun"), (items[3], "not_placed")):
        status, body = api("POST", f"schedule/task-items/{item}/progress", {"progress": "missed"})
        assert (status, body["status"], body["data"]["reason"]) == (409, "40090", reason)
    ahead = {"week": 8, "day_of_week": 1, "start_section": 1, "end_section": 2}
    status, body = api("POST", f"schedule/task-items/{items[3]}/progress", {"progress": "done", "place": ahead})
    assert (status, body["data"]["reason"]) == (409, "not_begun")


def test_a_missed_item_that_moved_on_is_open_again(api: Api, task_class: Any, items: list[int]) -> None:
    missed = mark(api, items[0], "missed")
    api("POST", f"schedule/task-items/{items[0]}/undo")
    api("POST", f"schedule/task-items/{items[1]}/undo")
    assert progress_of(api, task_class)[0] == "open"
    assert api.apply({"task_class_id": task_class.pk, "items": [placed(items[0], 7, 4, 7, 8)]})[0] == 200
    assert progress_of(api, task_class)[0] == "open"
    assert len(missed["items"][0]["records"]) == 1


@pytest.mark.parametrize("progress", ["done", "partial", "missed"])
@pytest.mark.parametrize("number", [0, 1, 2, 3])
def test_a_mark_is_undone_as_a_batch(api: Api, task_class: Any, items: list[int], progress: str, number: int) -> None:
    if progress == "missed" and number > 1:
        return
    before = picture(task_class.user_id), progress_of(api, task_class)
    batch = mark(api, items[number], progress)["batch_id"]
    assert api("POST", f"schedule/batches/{batch}/undo")[0] == 200
    assert (picture(task_class.user_id), progress_of(api, task_class)) == before
    assert list(TaskItem.objects.values_list("mark", "sections_left")) == [("", None)] * 4


def test_a_mark_outlives_the_undo_of_other_batches(api: Api, task_class: Any, items: list[int]) -> None:
    first = AppliedBatch.objects.order_by("pk").filter(source="apply-batch").get()
    mark(api, items[0], "done")
    mark(api, items[2], "done")
    status, body = api("POST", f"schedule/batches/{first.pk}/undo")
    assert (status, body["data"]["task_item_ids"]) == (200, [items[1]])
    assert broken_invariants() == []
    assert progress_of(api, task_class) == ["done", "open", "done", "open"]
    assert TaskItem.objects.get(pk=items[0]).embedded_time is not None


def test_taking_a_mark_back_leaves_what_follows_from_the_past(api: Api, task_class: Any, items: list[int]) -> None:
    for said in ("missed", "done", "partial"):
        mark(api, items[0], said)
        mark(api, items[0], "open")
        item = TaskItem.objects.get(pk=items[0])
        assert (item.mark, item.sections_left, item.records) == ("", None, [])
    # Its rest gave the cells back, so it is to be placed again.
    assert progress_of(api, task_class)[0] == "open"


def test_several_are_marked_together_or_not_at_all(api: Api, other_api: Api, items: list[int]) -> None:
    rows = [{"task_item_id": items[0], "progress": "missed"}, {"task_item_id": items[3], "progress": "missed"}]
    assert api("POST", "schedule/progress", {"items": rows})[1]["status"] == "40090"
    assert TaskItem.objects.filter(mark="missed").count() == 0
    rows[1] = {"task_item_id": items[1], "progress": "missed"}
    assert other_api("POST", "schedule/progress", {"items": rows})[1]["status"] == "40036"
    assert api("POST", "schedule/progress", {"items": [rows[0], rows[0]]})[1]["status"] == "40062"
    answer = api("POST", "schedule/progress", {"items": rows})[1]["data"]
    assert [item["progress"] for item in answer["items"]] == ["missed", "missed"]
    shown = api("GET", "schedule/progress")[1]["data"]
    assert [row["task_item_id"] for row in shown["missed"]] == items[:2]


def test_figures_tell_done_placed_left_and_the_forecast(api: Api, task_class: Any, items: list[int]) -> None:
    mark(api, items[0], "partial")
    shown = api("GET", "schedule/progress")[1]["data"]["classes"][0]
    # Eight sections: one and two are done, Friday holds two, one and two are left to place.
    assert (shown["sections"], shown["done"], shown["placed"], shown["left"]) == (8, 3, 2, 5)
    assert (shown["items"], shown["items_done"], shown["items_partial"], shown["items_missed"]) == (4, 1, 1, 0)
    # Three sections from Monday to Thursday are 5.2 a week: five more take seven days.
    assert (shown["days_left"], shown["pace"], shown["pace_needed"]) == (3, 5.2, 8.8)
    assert (shown["forecast_date"], shown["planned_until"], shown["on_time"]) == ("2026-04-23", "2026-04-17", False)


@pytest.mark.parametrize("path", ["schedule/today", "schedule/progress"])
def test_figures_are_read_without_a_row_of_each_item(
    api: Api, task_class: Any, items: list[int], path: str, django_assert_max_num_queries: Any
) -> None:
    mark(api, items[0], "partial")
    rows = [TaskItem(task_class=task_class, order=n, content=f"第{n}项", duration=1) for n in range(5, 1_005)]
    TaskItem.objects.bulk_create(rows)
    made: list[Any] = []

    def note(**signal: Any) -> None:
        made.append(signal["instance"])

    post_init.connect(note, sender=TaskItem)
    try:
        with django_assert_max_num_queries(22):
            status, body = api("GET", path)
    finally:
        post_init.disconnect(note, sender=TaskItem)
    assert (status, made) == (200, [])
    told = body["data"]["due" if path == "schedule/today" else "classes"][0]
    assert told["task_class_id"] == task_class.pk
    assert (told["items_left"] if path == "schedule/today" else told["items"]) >= 1_002
