"""A draft as a difference: read, dropped one by one, discarded, applied in part, and back after an undo."""

from __future__ import annotations

from typing import Any

import pytest

from schedules.models import AppliedBatch, Course, Schedule
from schedules.services import broken_invariants, class_delete, schedule_apply_batch, schedule_undo
from schedules.services.placement.apply import ApplyClass, ApplyItem
from tests.kits.agent.draft_world import DraftWorld, make_world, status_of


@pytest.fixture
def world(transactional_db: None, user: Any, semester: Any) -> DraftWorld:
    return make_world(user, semester)


def difference_of(world: DraftWorld) -> dict[str, Any]:
    answer = world.client.get("/api/v1/agent/draft-diff", {"conversation_id": world.id})
    assert answer.status_code == 200, answer.content
    found = dict(answer.json()["data"])
    shown = world.preview()["difference"]
    assert {key: found[key] for key in shown} == shown
    return found


def names(rows: list[dict[str, Any]]) -> list[str]:
    return [row["name"] for row in rows]


def test_it_tells_what_is_new_and_what_has_no_place(world: DraftWorld) -> None:
    found = difference_of(world)
    assert (found["changed"], found["revision"]) == (3, 1)
    assert names(found["new"]) == ["随机变量", "数字特征", "大数定律"]
    assert names(found["unplaced"]) == ["中心极限定理"]
    assert found["moved"] == found["removed"] == []
    guest = found["new"][1]
    assert guest["before"] is None
    assert guest["after"] == {
        "week": 7, "day_of_week": 3, "date": "2026-04-15", "section_from": 5, "section_to": 6, "start_time": "14:00",
        "end_time": "15:40", "embed_course_event_id": world.events["思想政治"], "host_name": "思想政治",
    }  # fmt: skip
    # What is done during a lecture is study of its day too.
    assert [(row["date"], row["before"], row["after"]) for row in found["load"]] == [
        ("2026-04-14", 0, 2),
        ("2026-04-15", 0, 2),
        ("2026-04-17", 0, 2),
    ]
    assert found["benefits"] == {"days_with_study": 2, "placed": 3}


def test_single_changes_are_dropped(world: DraftWorld) -> None:
    body = {"conversation_id": world.id, "task_item_ids": [world.items["数字特征"]]}
    data = world.post("draft-drop", body).json()["data"]
    assert (names(data["new"]), names(data["unplaced"])) == (["随机变量", "大数定律"], ["数字特征", "中心极限定理"])
    assert status_of(world.post("draft-drop", {**body, "revision": 1})) == "40071"
    assert status_of(world.post("draft-drop", {**body, "task_item_ids": [999_999]})) == "40060"
    assert status_of(world.post("draft-drop", {**body, "task_item_ids": body["task_item_ids"] * 2})) == "40062"


def test_a_change_is_kept_while_its_old_place_is_taken(world: DraftWorld) -> None:
    world.apply()
    state = world.stored()
    assert state.schedule is not None
    first, last = world.items["随机变量"], world.items["中心极限定理"]
    AppliedBatch.objects.all().delete()
    world.client.post(f"/api/v1/schedule/task-items/{first}/undo")
    assert status_of(world.save(world.place("随机变量", 1, 3))) == "10000"
    row = ApplyItem(last, 7, 6, 3, 4)
    schedule_apply_batch(user=world.user, batches=[ApplyClass(world.task_class.pk, [row])])
    assert names(difference_of(world)["new"]) == ["随机变量"]
    dropped = world.post("draft-drop", {"conversation_id": world.id, "task_item_ids": [first, last]})
    assert dropped.json()["data"]["changed"] == 0


def test_discard_shows_the_timetable_again(world: DraftWorld) -> None:
    answer = world.post("schedule-discard", {"conversation_id": world.id, "revision": 1})
    assert answer.json()["data"] == {"revision": 2, "discarded": 3}
    assert difference_of(world)["changed"] == 0
    again = world.post("schedule-discard", {"conversation_id": world.id})
    assert again.json()["data"] == {"revision": 2, "discarded": 0}
    assert status_of(world.post("schedule-discard", {"conversation_id": "x"})) == "40058"


def test_apply_may_leave_behind_what_clashes_and_says_so(world: DraftWorld) -> None:
    row = ApplyItem(world.items["中心极限定理"], 7, 5, 3, 4)
    schedule_apply_batch(user=world.user, batches=[ApplyClass(world.task_class.pk, [row])])
    refused = world.apply("k-1", revision=1)
    assert status_of(refused) == "40026"
    data = world.apply("k-2", revision=1, skip_conflicts=True).json()["data"]
    assert [row["task_item_id"] for row in data["applied"]] == [world.items["随机变量"], world.items["数字特征"]]
    assert [(row["task_item_id"], row["rule"]) for row in data["left"]] == [
        (row["task_item_id"], row["rule"]) for row in refused.json()["data"]["conflicts"]
    ]
    assert names(difference_of(world)["unplaced"]) == ["大数定律"]


def move_where_another_is_applied(world: DraftWorld) -> None:
    """Moves the applied item in the draft to a place that another item then takes on the timetable."""
    world.post("replan", {"kind": "hand", "conversation_id": world.id})
    row = {"task_item_id": world.applied_item, "week": 7, "day_of_week": 6, "start_section": 3, "end_section": 4}
    assert status_of(world.save({**row, "from_timetable": True})) == "10000"
    blocker = ApplyItem(world.items["中心极限定理"], 7, 6, 3, 4)
    schedule_apply_batch(user=world.user, batches=[ApplyClass(world.task_class.pk, [blocker])])


def test_what_clashes_stays_where_the_timetable_has_it(world: DraftWorld) -> None:
    move_where_another_is_applied(world)
    assert status_of(world.apply("k-1")) == "40026"
    data = world.apply("k-2", skip_conflicts=True).json()["data"]
    assert data["removed"] == data["moved"] == []
    assert [one["task_item_id"] for one in data["left"]] == [world.applied_item]
    found = difference_of(world)
    assert (found["changed"], found["revision"]) == (0, data["revision"])
    assert Schedule.objects.filter(user=world.user, week=7, day_of_week=6, section__in=(1, 2)).count() == 2


def test_what_clashes_is_back_on_the_timetable_for_whoever_reads_the_draft(world: DraftWorld) -> None:
    move_where_another_is_applied(world)
    found = difference_of(world)
    assert (found["changed"], found["removed"]) == (0, [])
    assert world.applied_item not in [row["task_item_id"] for row in found["unplaced"]]
    data = world.apply("k-1", skip_conflicts=True).json()["data"]
    assert (data["removed"], data["moved"], data["batch_id"]) == ([], [], None)
    assert Schedule.objects.filter(user=world.user, week=7, day_of_week=6, section__in=(1, 2)).count() == 2


def test_a_removal_alone_is_a_difference(world: DraftWorld) -> None:
    world.apply()
    state = world.stored()
    assert state.schedule is not None
    from schedules.planner.draft.operations import UnplaceOp

    entry = state.schedule.by_item(world.items["随机变量"])
    assert entry is not None
    _store(world, state, UnplaceOp(entry.state_id).apply(state.schedule))
    found = difference_of(world)
    assert (found["changed"], names(found["removed"]), found["benefits"]["placed"]) == (1, ["随机变量"], -1)
    assert found["removed"][0]["before"]["date"] == "2026-04-14"
    data = world.apply("k-2").json()["data"]
    assert [row["task_item_id"] for row in data["removed"]] == [world.items["随机变量"]]


def _store(world: DraftWorld, state: Any, schedule: Any) -> None:
    from agent.store.connection import sync_client
    from agent.store.snapshots import SnapshotStore

    state.draft.schedule = schedule
    SnapshotStore(sync_client()).save(world.user.pk, world.id, state.to_document(), expected=state.revision)


def test_after_an_undo_the_draft_is_as_it_was(world: DraftWorld) -> None:
    before = difference_of(world)
    batch = world.apply(revision=1).json()["data"]["batch_id"]
    assert difference_of(world)["changed"] == 0
    schedule_undo(user=world.user, batch_id=batch)
    after = difference_of(world)
    assert after["revision"] > before["revision"]
    assert {**after, "revision": 0} == {**before, "revision": 0}
    assert difference_of(world)["revision"] == after["revision"]


def test_what_came_back_is_applied_without_a_look(world: DraftWorld) -> None:
    first = world.apply("k-1").json()["data"]
    schedule_undo(user=world.user, batch_id=first["batch_id"])
    again = world.apply("k-2").json()["data"]
    assert [row["task_item_id"] for row in again["applied"]] == [row["task_item_id"] for row in first["applied"]]
    assert broken_invariants() == []


def test_an_undone_move_comes_back_as_a_move(world: DraftWorld) -> None:
    world.apply("k-1")
    for name in ("大数定律", "中心极限定理"):
        world.save(world.place(name, 5, 7 if name == "大数定律" else 9))
    batch = world.apply("k-2").json()["data"]["batch_id"]
    schedule_undo(user=world.user, batch_id=batch)
    assert names(difference_of(world)["new"]) == ["中心极限定理"]


def test_an_undo_counts_once(world: DraftWorld) -> None:
    batch = world.apply().json()["data"]["batch_id"]
    schedule_undo(user=world.user, batch_id=batch)
    assert difference_of(world)["changed"] == 3
    world.post("schedule-discard", {"conversation_id": world.id})
    assert difference_of(world)["changed"] == 0


def test_an_undo_brings_back_only_what_is_free(world: DraftWorld) -> None:
    batch = world.apply().json()["data"]["batch_id"]
    schedule_undo(user=world.user, batch_id=batch)
    row = ApplyItem(world.items["中心极限定理"], 7, 5, 3, 4)
    schedule_apply_batch(user=world.user, batches=[ApplyClass(world.task_class.pk, [row])])
    assert names(difference_of(world)["new"]) == ["随机变量", "数字特征"]


def test_the_draft_outlives_a_class_and_a_course(world: DraftWorld, user: Any, semester: Any) -> None:
    batch = world.apply().json()["data"]["batch_id"]
    schedule_undo(user=world.user, batch_id=batch)
    assert difference_of(world)["changed"] == 3
    world.client.delete(f"/api/v1/schedule/events/{world.events['思想政治']}")
    assert names(difference_of(world)["new"]) == ["随机变量", "大数定律"]
    assert Course.objects.count() == 0
    class_delete(user=user, class_id=world.task_class.pk, release=True)
    found = difference_of(world)
    assert (found["changed"], found["unplaced"]) == (0, [])
    assert world.apply("k-9").json()["data"]["batch_id"] is None
