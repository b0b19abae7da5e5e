"""Pinning what stands on the timetable: nobody but the student moves it."""

from __future__ import annotations

from dataclasses import asdict, replace

from django.contrib.auth.models import User

from schedules.models import AppliedBatch
from schedules.presentation.shapes.placement import KeptItem
from schedules.services.images.items import change_of, images_of, keeping_of
from schedules.services.lock import timetable_changed, timetable_lock
from schedules.services.placement.release import semesters_of_items
from taskclasses.kernel.database.transactions import run_transaction
from taskclasses.kernel.errors import NOT_PLACED, CodedError
from taskclasses.models import TaskItem


def task_item_pin(*, user: User, task_item_id: int) -> KeptItem:
    """Pins an applied item; 40036 for an unknown item, 40077 `not_placed` for one that is not applied."""
    return _keep(user, task_item_id, pinned=True)


def task_item_unpin(*, user: User, task_item_id: int, release: bool = False) -> KeptItem:
    """Takes the pin off; with `release` the mark of the student's own hand goes too. 40036, 40077 `not_placed`."""
    return _keep(user, task_item_id, pinned=False, release=release)


def _keep(user: User, task_item_id: int, *, pinned: bool, release: bool = False) -> KeptItem:
    def effect() -> KeptItem:
        if not TaskItem.objects.filter(pk=task_item_id, task_class__user=user).exists():
            raise CodedError(40036)
        semester = semesters_of_items(user, [task_item_id])[task_item_id]
        version = timetable_lock(user_id=user.pk, semester=semester)
        # Read under the lock: whoever held it before may have moved or deleted the item.
        before = images_of([task_item_id]).get(task_item_id)
        if before is None:
            raise CodedError(40036)
        if before["item"]["status"] != TaskItem.Status.APPLIED:
            raise CodedError(40077, {"reason": "not_placed", "conflicts": []}, message=NOT_PLACED)
        had = keeping_of(before)
        keeping = replace(had, pinned=pinned, by_hand=had.by_hand and not release)
        answer: KeptItem = {
            "task_item_id": task_item_id,
            "pinned": keeping.pinned,
            "by_hand": keeping.by_hand,
            "batch_id": None,
        }
        if keeping == had:
            return answer
        TaskItem.objects.filter(pk=task_item_id).update(**asdict(keeping))
        after = images_of([task_item_id])[task_item_id]
        source = AppliedBatch.Source.ITEM_PIN if pinned else AppliedBatch.Source.ITEM_UNPIN
        batch = AppliedBatch.objects.create(
            user=user, semester=version.semester, source=source, changes=[change_of(before, after)]
        )
        timetable_changed(version)
        return {**answer, "batch_id": batch.pk}

    return run_transaction(effect)
