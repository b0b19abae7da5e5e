"""Taking things off the timetable: one item, one event, all items of a class. Each writes a batch of its own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.contrib.auth.models import User

from schedules.models import AppliedBatch, Schedule, ScheduleEvent, Semester
from schedules.presentation.shapes.placement import ReleasedItem, ReleasedItems
from schedules.selectors import semester_current
from schedules.services.images.items import change_of, images_of
from schedules.services.lock import timetable_changed, timetable_lock
from schedules.services.placement.seats import Seats
from taskclasses.kernel.database.transactions import run_transaction
from taskclasses.kernel.errors import NOT_PLACED, CodedError
from taskclasses.models import TaskItem


def task_item_undo(*, user: User, task_item_id: int) -> ReleasedItem:
    """Takes one applied item off the timetable; answers `{task_item_id, event_id}` (the host's id for a guest).

    40036 for an unknown item, 40077 `not_placed` for one that is not applied.
    """

    def effect() -> ReleasedItem:
        mine = TaskItem.objects.filter(pk=task_item_id, task_class__user=user)
        if not mine.exists():
            raise CodedError(40036)
        semester = semesters_of_items(user, [task_item_id])[task_item_id]
        version = timetable_lock(user_id=user.pk, semester=semester)
        # Read again: whoever held the lock before may have moved or deleted it.
        item = mine.first()
        if item is None:
            raise CodedError(40036)
        if item.status != TaskItem.Status.APPLIED:
            raise CodedError(40077, {"reason": "not_placed", "conflicts": []}, message=NOT_PLACED)
        batch = items_release(
            user=user, semester=version.semester, item_ids=[item.pk], source=AppliedBatch.Source.ITEM_UNDO
        )
        timetable_changed(version)
        before = batch.changes[0]["before"]
        event_id = before["guest"]["host"]["id"] if before["guest"] else before["event"]["id"]
        return {"task_item_id": item.pk, "event_id": event_id}

    return run_transaction(effect)


def semesters_of_items(user: User, item_ids: Iterable[int]) -> dict[int, Semester]:
    """Returns the semester each item is applied in, the current one where it is not; in the order of the items."""
    ids = list(item_ids)
    events = ScheduleEvent.objects.filter(user=user, task_item__in=ids).select_related("semester").order_by()
    seats = Schedule.objects.filter(user=user, embedded_task_item__in=ids).select_related("semester").order_by()
    found = {row.embedded_task_item_id: row.semester for row in seats}
    found |= {event.task_item_id: event.semester for event in events}
    current = semester_current(user.pk)
    return {item: found.get(item, current) for item in ids}


def event_delete(*, user: User, event_id: int) -> ReleasedItems:
    """Removes one event; its item, or the guest it hosts, returns to the pool. 40031 for an unknown event."""

    def effect() -> ReleasedItems:
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
