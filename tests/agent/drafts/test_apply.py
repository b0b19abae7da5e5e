"""POST /agent/schedule-apply: the whole difference goes into the timetable once, or nothing does."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone

from agent.loop.state.agent_state import AgentState
from agent.models import Run
from agent.store.connection import sync_client
from agent.store.snapshots import SnapshotStore
from schedules.models import AppliedBatch, Schedule, ScheduleEvent
from schedules.planner.draft.operations import PlaceOp, UnplaceOp
from schedules.services import schedule_apply_batch
from schedules.services.placement.apply import ApplyClass, ApplyItem
from taskclasses.models import TaskItem
from tests.kits.agent.draft_world import DraftWorld, items_of, make_world, status_of

ON_THE_TIMETABLE = {"随机变量": "existing", "数字特征": "existing", "大数定律": "existing", "中心极限定理": ""}


@pytest.fixture
def world(transactional_db: None, user: Any, semester: Any) -> DraftWorld:
    return make_world(user, semester)


def statuses(world: DraftWorld) -> dict[str, str]:
    rows = {e["name"]: e["status"] for e in world.preview()["hybrid_entries"]}
    return {name: rows.get(name, "") for name in world.items}


def test_it_writes_the_difference_and_the_draft_becomes_existing(world: DraftWorld) -> None:
    answer = world.apply(revision=1)
    data = answer.json()["data"]
    assert [row["task_item_id"] for row in data["applied"]] == [
        world.items[name] for name in ("随机变量", "数字特征", "大数定律")
    ]
    assert (data["moved"], data["removed"], data["revision"]) == ([], [], 2)
    assert data["applied"][1]["embedded"] is True
    assert data["applied"][1]["event_id"] == world.events["思想政治"]
    assert statuses(world) == ON_THE_TIMETABLE
    assert world.preview()["revision"] == 2
    assert world.stored().draft.log[-1].who == "apply"


def test_it_replays_the_same_bytes_for_the_same_key(world: DraftWorld) -> None:
    first, again = world.apply(revision=1), world.apply(revision=1)
    assert (first.content, again["Idempotent-Replayed"]) == (again.content, "true")
    assert AppliedBatch.objects.filter(user=world.user, source="schedule-apply").count() == 1


def test_it_refuses_the_key_for_another_body_and_asks_for_one(world: DraftWorld) -> None:
    world.apply(revision=1)
    assert status_of(world.apply(revision=2)) == "40070"
    assert status_of(world.post("schedule-apply", {"conversation_id": world.id})) == "40037"


def test_an_equal_draft_writes_no_batch(world: DraftWorld) -> None:
    world.apply("k-1")
    data = world.apply("k-2").json()["data"]
    assert data == {"batch_id": None, "revision": 2, "applied": [], "moved": [], "removed": [], "warnings": []}


def test_it_refuses_a_stale_revision_and_a_missing_draft(world: DraftWorld) -> None:
    answer = world.apply(revision=9)
    assert (status_of(answer), answer.json()["data"]) == ("40071", {"revision": 1})
    missing = {"conversation_id": "00000000-0000-4000-8000-000000000000"}
    assert status_of(world.post("schedule-apply", missing, **{"Idempotency-Key": "k"})) == "40058"
    assert status_of(world.post("schedule-apply", {}, **{"Idempotency-Key": "k"})) == "40004"
    assert status_of(world.post("schedule-apply", [], **{"Idempotency-Key": "k"})) == "40005"


def test_the_draft_of_a_semester_that_is_gone_is_missing(world: DraftWorld, semester: Any) -> None:
    semester.delete()
    assert status_of(world.apply()) == "40058"
    shown = world.client.get("/api/v1/agent/schedule-preview", {"conversation_id": world.id})
    assert status_of(shown) == "40053"


def test_it_waits_for_a_run_to_end(world: DraftWorld) -> None:
    run = Run.objects.create(conversation=world.conversation, active_for=world.conversation, number=1)
    answer = world.apply()
    assert (status_of(answer), answer.json()["data"]["run_id"]) == ("40075", str(run.pk))
    Run.objects.filter(pk=run.pk).update(active_for=None, status="succeeded")
    assert status_of(world.apply()) == "10000"


def test_a_place_that_was_taken_since_refuses_the_whole_call(world: DraftWorld) -> None:
    from taskclasses.models import TaskClass

    other = TaskClass.objects.create(user=world.user, name="物理")
    item = TaskItem.objects.create(task_class=other, order=1, content="力学")
    row = ApplyItem(item.pk, 7, 5, 3, 4)
    schedule_apply_batch(user=world.user, batches=[ApplyClass(other.pk, [row])])
    answer = world.apply()
    conflict = answer.json()["data"]["conflicts"][0]
    assert (status_of(answer), conflict["rule"], conflict["with"]["name"]) == ("40026", "occupied", "力学")
    assert not TaskItem.objects.filter(task_class=world.task_class, status=TaskItem.Status.APPLIED).exists()
    world.preview()
    assert status_of(world.apply()) == "10000"


def test_undo_makes_the_items_suggestions_again_in_the_draft(world: DraftWorld) -> None:
    batch = world.apply().json()["data"]["batch_id"]
    undone = world.client.post(f"/api/v1/schedule/batches/{batch}/undo")
    assert status_of(undone) == "10000"
    preview = world.preview()
    assert [item["name"] for item in preview["unplaced_items"]] == ["中心极限定理"]
    assert statuses(world) == {**dict.fromkeys(list(world.items)[:3], "suggested"), "中心极限定理": ""}
    assert not ScheduleEvent.objects.filter(task_item_id__in=world.items.values()).exists()


def test_an_apply_made_again_and_undone_again_within_a_second_is_back_in_the_draft(
    world: DraftWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = timezone.now().replace(microsecond=400_000)
    monkeypatch.setattr(timezone, "now", lambda: now)
    for key in ("k-1", "k-2", "k-3"):
        batch = world.apply(key).json()["data"]["batch_id"]
        assert status_of(world.client.post(f"/api/v1/schedule/batches/{batch}/undo")) == "10000"
        assert world.preview()["difference"]["changed"] == 3


def test_what_an_undo_brought_back_and_the_student_threw_away_within_a_second_stays_away(
    world: DraftWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = timezone.now().replace(microsecond=400_000)
    monkeypatch.setattr(timezone, "now", lambda: now)
    batch = world.apply().json()["data"]["batch_id"]
    world.client.post(f"/api/v1/schedule/batches/{batch}/undo")
    assert world.preview()["difference"]["changed"] == 3
    assert status_of(world.post("schedule-discard", {"conversation_id": world.id})) == "10000"
    assert world.preview()["difference"]["changed"] == 0


def rows_of(world: DraftWorld) -> list[tuple[Any, ...]]:
    fields = ("event__name", "week", "day_of_week", "section", "embedded_task_item_id", "event__task_item_id")
    return sorted(Schedule.objects.filter(user=world.user).values_list(*fields), key=repr)


def test_the_preview_sent_to_apply_batch_writes_the_same_rows_as_the_draft(world: DraftWorld) -> None:
    batch = {"task_class_id": world.task_class.pk, "items": items_of(world.preview())}
    done = world.apply().json()["data"]
    rows = rows_of(world)
    world.client.post(f"/api/v1/schedule/batches/{done['batch_id']}/undo")
    assert rows_of(world) != rows
    answer = world.client.put(
        "/api/v1/task-class/apply-batch-into-schedule",
        {"batches": [batch]},
        content_type="application/json",
        headers={"Idempotency-Key": "k-9"},
    )
    assert status_of(answer) == "10000"
    assert rows_of(world) == rows


def rewrite(world: DraftWorld, *ops: Any) -> None:
    """What the agent's tools do: change the stored draft by operations."""
    store = SnapshotStore(sync_client())
    snapshot = store.load(world.user.pk, world.id)
    assert snapshot is not None
    state = AgentState.from_document(snapshot.document)
    assert state.draft.schedule is not None
    for op in ops:
        state.draft.schedule = op.apply(state.draft.schedule)
    store.save(world.user.pk, world.id, state.to_document(), expected=snapshot.revision)


def test_it_takes_out_and_moves_what_was_applied_and_undo_brings_it_back(world: DraftWorld) -> None:
    world.apply("k-1")
    world.preview()
    schedule = world.stored().draft.schedule
    assert schedule is not None
    ids = {name: entry.state_id for name, item in world.items.items() if (entry := schedule.by_item(item)) is not None}
    friday = schedule.window.index_of(schedule.window.first_day) + 4
    rewrite(
        world,
        UnplaceOp(ids["数字特征"]),
        UnplaceOp(ids["大数定律"]),
        PlaceOp(ids["大数定律"], friday, 7),
    )
    data = world.apply("k-2").json()["data"]
    assert [row["task_item_id"] for row in data["removed"]] == [world.items["数字特征"]]
    assert [(row["task_item_id"], row["section_from"]) for row in data["moved"]] == [(world.items["大数定律"], 7)]
    assert data["applied"] == []
    undone = world.client.post(f"/api/v1/schedule/batches/{data['batch_id']}/undo")
    assert status_of(undone) == "10000"
    assert statuses(world) == {**ON_THE_TIMETABLE, "数字特征": "", "大数定律": "suggested"}
    # The draft is what it was before; discarded, it is the timetable.
    world.post("schedule-discard", {"conversation_id": world.id})
    assert statuses(world) == ON_THE_TIMETABLE
