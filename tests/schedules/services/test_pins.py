"""Pins on the timetable: batches that can be undone, in nobody's way."""

from __future__ import annotations

from typing import Any

import pytest

from schedules.models import AppliedBatch
from schedules.services import broken_invariants, schedule_undo, task_item_pin, task_item_undo, task_item_unpin
from schedules.services.placement.apply import ApplyClass, ApplyItem, schedule_apply_batch
from taskclasses.kernel.errors import CodedError
from taskclasses.models import TaskItem
from tests.kits.timetable.helpers import event_at


@pytest.fixture
def items(task_class: Any, courses: Any) -> list[int]:
    return list(task_class.items.order_by("order").values_list("pk", flat=True))


@pytest.fixture
def applied(user: Any, task_class: Any, items: list[int]) -> int:
    rows = [ApplyItem(items[0], 7, 2, 3, 4, by_hand=False)]
    return schedule_apply_batch(user=user, batches=[ApplyClass(task_class.pk, rows)])["batch_id"]


def test_a_pin_is_a_batch_that_can_be_undone(user: Any, items: list[int], applied: int) -> None:
    answer = task_item_pin(user=user, task_item_id=items[0])
    assert (answer["pinned"], answer["by_hand"]) == (True, False)
    batch = AppliedBatch.objects.get(pk=answer["batch_id"])
    assert (batch.source, batch.changes[0]["change"]) == ("item-pin", "pin")
    before = TaskItem.objects.get(pk=items[0]).embedded_time
    schedule_undo(user=user, batch_id=batch.pk)
    item = TaskItem.objects.get(pk=items[0])
    assert (item.pinned, item.embedded_time) == (False, before)
    assert broken_invariants() == []


def test_pinning_twice_is_one_change(user: Any, items: list[int], applied: int) -> None:
    task_item_pin(user=user, task_item_id=items[0])
    assert task_item_pin(user=user, task_item_id=items[0])["batch_id"] is None


def test_a_pin_does_not_keep_an_earlier_apply_from_being_undone(user: Any, items: list[int], applied: int) -> None:
    task_item_pin(user=user, task_item_id=items[0])
    schedule_undo(user=user, batch_id=applied)
    item = TaskItem.objects.get(pk=items[0])
    assert (item.status, item.pinned) == (1, False)


def test_undoing_a_removal_brings_the_pin_back(user: Any, items: list[int], applied: int) -> None:
    task_item_pin(user=user, task_item_id=items[0])
    task_item_undo(user=user, task_item_id=items[0])
    assert not TaskItem.objects.get(pk=items[0]).pinned
    batch = AppliedBatch.objects.filter(source="item-undo").latest("pk")
    schedule_undo(user=user, batch_id=batch.pk)
    assert TaskItem.objects.get(pk=items[0]).pinned


def test_a_guest_can_be_pinned(user: Any, task_class: Any, items: list[int]) -> None:
    host = event_at("思想政治", 7)
    rows = [ApplyItem(items[0], 7, 3, 5, 6, host.pk)]
    schedule_apply_batch(user=user, batches=[ApplyClass(task_class.pk, rows)])
    answer = task_item_pin(user=user, task_item_id=items[0])
    assert (answer["pinned"], answer["by_hand"]) == (True, True)
    schedule_undo(user=user, batch_id=answer["batch_id"] or 0)
    assert broken_invariants() == []


def test_unpinning_leaves_the_mark_of_the_hand_unless_it_is_released(
    user: Any, task_class: Any, items: list[int]
) -> None:
    rows = [ApplyItem(items[0], 7, 2, 3, 4)]
    schedule_apply_batch(user=user, batches=[ApplyClass(task_class.pk, rows)])
    task_item_pin(user=user, task_item_id=items[0])
    assert task_item_unpin(user=user, task_item_id=items[0])["by_hand"]
    assert not task_item_unpin(user=user, task_item_id=items[0], release=True)["by_hand"]


def test_only_what_stands_on_ones_own_timetable_can_be_pinned(user: Any, items: list[int], other: Any) -> None:
    with pytest.raises(CodedError) as found:
        task_item_pin(user=user, task_item_id=items[0])
    assert (found.value.code, found.value.data["reason"]) == (40077, "not_placed")
    for item in (items[0], 10**9):
        with pytest.raises(CodedError) as strange:
            task_item_pin(user=other, task_item_id=item)
        assert strange.value.code == 40036


@pytest.fixture
def other(django_user_model: Any) -> Any:
    return django_user_model.objects.create_user("wang")
