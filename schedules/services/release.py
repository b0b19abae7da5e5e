"""Taking things off the timetable: one item, one event, all items of a class. Each writes a batch of its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.contrib.auth.models import User

from schedules.models import AppliedBatch, Schedule, ScheduleEvent, Semester
from schedules.selectors import semester_current
from schedules.services.images import change_of, images_of
from schedules.services.lock import timetable_changed, timetable_lock
from schedules.services.seats import Seats
from taskclasses.errors import CodedError
from taskclasses.models import TaskItem
from taskclasses.transactions import run_transaction


def task_item_undo(*, user: User, task_item_id: int) -> dict[str, Any]:
    """Takes one applied item off the timetable; answers `{task_item_id, event_id}` (the host's id for a guest).

    40036 for an unknown item, 40077 `not_placed` for one that is not applied.
    """

    def effect() -> dict[str, Any]:
        mine = TaskItem.objects.filter(pk=task_item_id, task_class__user=user)
        if not mine.exists():
            raise CodedError(40036)
        version = timetable_lock(user_id=user.pk, semester=semester_of_item(user, task_item_id))
        # Read again: whoever held the lock before may have moved or deleted it.
        item = mine.first()
        if item is None:
            raise CodedError(40036)
        if item.status != TaskItem.Status.APPLIED:
            raise CodedError(40077, {"reason": "not_placed", "conflicts": []})
        batch = items_release(
            user=user, semester=version.semester, item_ids=[item.pk], source=AppliedBatch.Source.ITEM_UNDO
        )
        timetable_changed(version)
        before = batch.changes[0]["before"]
        event_id = before["guest"]["host"]["id"] if before["guest"] else before["event"]["id"]
        return {"task_item_id": item.pk, "event_id": event_id}

    return run_transaction(effect)


def semester_of_item(user: User, task_item_id: int) -> Semester:
    """The semester an item is applied in; the current one when it is not."""
    event = ScheduleEvent.objects.filter(user=user, task_item=task_item_id).select_related("semester").first()
    if event is not None:
        return event.semester
    row = Schedule.objects.filter(user=user, embedded_task_item=task_item_id).select_related("semester").first()
    return row.semester if row is not None else semester_current()


def event_delete(*, user: User, event_id: int) -> dict[str, Any]:
    """Removes one event; its item, or the guest it hosts, returns to the pool. 40031 for an unknown event."""

    def effect() -> dict[str, Any]:
        named = ScheduleEvent.objects.filter(pk=event_id, user=user).select_related("semester").first()
        if named is None:
            raise CodedError(40031)
        version = timetable_lock(user_id=user.pk, semester=named.semester)
        # Whoever held the lock before may have deleted or moved it.
        event = ScheduleEvent.objects.filter(pk=event_id, user=user).first()
        if event is None:
            raise CodedError(40031)
        guests = Schedule.objects.filter(event=event).exclude(embedded_task_item=None)
        held = {*guests.values_list("embedded_task_item_id", flat=True), event.task_item_id}
        item_ids = sorted(pk for pk in held if pk is not None)
        items_release(user=user, semester=named.semester, item_ids=item_ids, source=AppliedBatch.Source.EVENT_DELETE)
        Seats(user.pk, named.semester).delete_events([event.pk])
        timetable_changed(version)
        return {"released_task_item_ids": item_ids}

    return run_transaction(effect)


def items_release(*, user: User, semester: Semester, item_ids: Sequence[int], source: str) -> AppliedBatch:
    """Unplaces applied items and writes the batch; the caller holds the lock and raises the version."""
    before = images_of(item_ids)
    Seats(user.pk, semester).change(dict.fromkeys(item_ids))
    after = images_of(item_ids)
    changes = [change_of(before[item], after[item]) for item in item_ids]
    return AppliedBatch.objects.create(user=user, semester=semester, source=source, changes=changes)
