"""GET /agent/schedule-preview: a pure function of the draft, set on the newest rows when they changed."""

from __future__ import annotations

import pytest

from schedules.services import event_delete, schedule_apply_batch
from schedules.services.placement.apply import ApplyClass, ApplyItem
from tests.kits.agent.draft_world import RUN_ID, DraftWorld, status_of
from tests.kits.agent.lasting_world import semester, student, user, world, written

__all__ = ["semester", "student", "user", "world", "written"]

FIELDS = {
    "week", "day_of_week", "section_from", "section_to", "name", "type", "status", "task_item_id", "task_class_id",
    "event_id", "can_be_embedded", "block_for_suggested", "context_tag",
}  # fmt: skip


def test_it_has_the_fields_of_the_contract(world: DraftWorld) -> None:
    preview = world.preview()
    assert preview["conversation_id"] == world.id
    assert preview["trace_id"] == f"trace-{RUN_ID}"
    assert preview["generated_at"] == "2026-04-12T10:00:01Z"
    assert preview["summary"] == "已为你安排了 3 个任务，还有 1 个任务没有排下"
    assert preview["window"] == {"from": {"week": 7, "day_of_week": 1}, "to": {"week": 7, "day_of_week": 7}}
    assert preview["task_class_ids"] == [world.task_class.pk]
    assert all(set(entry) >= FIELDS for entry in preview["hybrid_entries"])


def test_it_shows_an_embedded_suggestion_as_host_and_guest(world: DraftWorld) -> None:
    host, guest = (e for e in world.preview()["hybrid_entries"] if e["day_of_week"] == 3)
    assert (host["type"], host["can_be_embedded"], host["block_for_suggested"]) == ("course", True, True)
    assert (guest["status"], guest["event_id"], guest["task_item_id"]) == (
        "suggested",
        world.events["思想政治"],
        world.items["数字特征"],
    )


def test_it_reads_the_same_bytes_twice(world: DraftWorld) -> None:
    path = f"/api/v1/agent/schedule-preview?conversation_id={world.id}"
    assert world.client.get(path).content == world.client.get(path).content


def test_it_speaks_english_when_asked(world: DraftWorld) -> None:
    answer = world.client.get(
        f"/api/v1/agent/schedule-preview?conversation_id={world.id}", headers={"Accept-Language": "en"}
    )
    assert answer.json()["data"]["summary"].isascii()


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("", "40004"),
        ("?conversation_id=%20", "40004"),
        ("?conversation_id=nonsense", "40053"),
        ("?conversation_id=00000000-0000-4000-8000-000000000000", "40053"),
    ],
)
def test_it_refuses(world: DraftWorld, query: str, code: str) -> None:
    assert status_of(world.client.get(f"/api/v1/agent/schedule-preview{query}")) == code


def test_a_suggestion_that_reached_the_timetable_becomes_existing(world: DraftWorld) -> None:
    row = ApplyItem(world.items["随机变量"], 7, 2, 3, 4)
    schedule_apply_batch(user=world.user, batches=[ApplyClass(world.task_class.pk, [row])])
    preview = world.preview()
    applied = next(e for e in preview["hybrid_entries"] if e["name"] == "随机变量")
    assert (applied["status"], applied["task_item_id"], preview["revision"]) == ("existing", 0, 2)
    assert world.preview()["revision"] == 2
    assert world.stored().draft.log[-1].who == "rebase"


def test_a_suggestion_whose_place_was_taken_becomes_unplaced_with_the_rule(world: DraftWorld) -> None:
    from taskclasses.models import TaskClass, TaskItem

    other = TaskClass.objects.create(user=world.user, name="物理")
    item = TaskItem.objects.create(task_class=other, order=1, content="力学")
    row = ApplyItem(item.pk, 7, 5, 3, 4)
    schedule_apply_batch(user=world.user, batches=[ApplyClass(other.pk, [row])])
    left = {item["name"]: item["rule"] for item in world.preview()["unplaced_items"]}
    assert left["大数定律"] == "occupied"


def test_a_deleted_host_takes_the_place_of_its_guest(world: DraftWorld) -> None:
    event_delete(user=world.user, event_id=world.events["思想政治"])
    left = {item["name"]: item["rule"] for item in world.preview()["unplaced_items"]}
    assert left["数字特征"] == "host_unknown"
