"""Undo of a batch: the rows from before it, exactly, or no change at all."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django.contrib.auth.models import User
from django.utils import timezone

from schedules.mapping import place_of
from schedules.models import AppliedBatch, Schedule, ScheduleEvent
from schedules.planner.grid import Place
from schedules.presentation.conflicts import conflict
from schedules.presentation.shapes.placement import UndoneBatch
from schedules.services.bulk import insert
from schedules.services.images.classes import find_returning_items
from schedules.services.images.items import EVENT_COLUMNS, hosts_now, images_of, keeping_of, progress_image
from schedules.services.images.kind import CELL_COLUMNS, Image, TakenCell, pairs_of, same
from schedules.services.images.kinds import KINDS, is_known, restore_rows
from schedules.services.lock import timetable_changed, timetable_lock
from schedules.services.placement.seats import Seats, set_progress, set_times
from taskclasses.kernel.database.transactions import run_transaction
from taskclasses.kernel.errors import UNDONE, CodedError
from taskclasses.models import TaskItem
from taskclasses.shapes import Blocker, Conflict

DONE_MARKS = (TaskItem.Mark.DONE, TaskItem.Mark.PARTIAL)


def schedule_undo(*, user: User, batch_id: int) -> UndoneBatch:
    """Restores the rows from before a batch; answers `{batch_id, undone_at, task_item_ids}`.

    40077 `not_found`, `already_undone`, or `changed_since` when an item, class, host or event is no longer as the batch
    left it, or a cell or host that is needed is taken. Event ids, rows, links, status and times come back as they were.
    Items that the student marked as done, wholly or in part, since then stay: a mark outlives other changes.
    """

    def effect() -> UndoneBatch:
        named = AppliedBatch.objects.filter(pk=batch_id, user=user).select_related("semester").first()
        if named is None:
            raise CodedError(40077, {"reason": "not_found", "conflicts": []})
        version = timetable_lock(user_id=user.pk, semester=named.semester)
        batch = AppliedBatch.objects.get(pk=batch_id)
        if batch.undone_at is not None:
            raise CodedError(40077, {"reason": "already_undone", "conflicts": []}, message=UNDONE)
        present = Present([batch])
        conflicts, changes = undo_obstacles(batch, present), changes_to_undo(batch, present)
        if conflicts or not (changes or batch.row_changes) or not is_known(batch):
            raise CodedError(40077, {"reason": "changed_since", "conflicts": conflicts})
        _Restore(batch, changes).run()
        batch.undone_at = timezone.now().replace(microsecond=0)
        batch.save(update_fields=["undone_at"])
        timetable_changed(version)
        ids = [change["task_item_id"] for change in changes]
        return {"batch_id": batch.pk, "undone_at": f"{batch.undone_at:%Y-%m-%dT%H:%M:%SZ}", "task_item_ids": ids}

    return run_transaction(effect)


class Present:
    """Tells what the rows say now about everything that some batches name, read in a fixed number of queries."""

    def __init__(self, batches: Sequence[AppliedBatch]) -> None:
        changes = [change for batch in batches for change in batch.changes]
        self.images = images_of(change["task_item_id"] for change in changes)
        self.hosts = hosts_now(c["before"]["guest"]["host"]["id"] for c in changes if c["before"]["guest"])
        owners = {batch.user_id for batch in batches}
        rows = Schedule.objects.filter(user__in=owners, semester__in={batch.semester_id for batch in batches})
        taken = (TakenCell._make(row) for row in rows.order_by().values_list(*CELL_COLUMNS))
        self.cells = {(row.semester_id, row.week, row.day_of_week, row.section): row for row in taken}
        self.rows = [kind.now(batches, self.cells) for kind in KINDS]


def undo_obstacles(batch: AppliedBatch, present: Present) -> list[Conflict]:
    """Returns everything that keeps a batch from being undone now, as conflicts."""
    changes, returning = changes_to_undo(batch, present), find_returning_items(batch)
    there = [change for change in changes if change["task_item_id"] not in returning]
    found = [_conflict_of(change) for change in there if not _is_untouched(change, present.images)]
    if not changes and not batch.row_changes:
        found = [_conflict_of(change) for change in batch.changes]
    found += [obstacle for rows in present.rows for obstacle in rows.obstacles(batch)]
    return found or _find_taken_places(batch, changes, present)


def find_later_change(batch: AppliedBatch, present: Present, later: Iterable[AppliedBatch]) -> AppliedBatch | None:
    """Finds the first of later batches, not undone, that wrote rows or took sections which an undo of `batch` needs."""
    changes = changes_to_undo(batch, present) or ([] if batch.row_changes else batch.changes)
    rows, sections = _rows_of(batch, changes), _sections_of(batch, changes, after=False)
    for one in later:
        if one.undone_at is None and (
            rows & _rows_of(one, one.changes) or sections & _sections_of(one, one.changes, after=True)
        ):
            return one
    return None


def _rows_of(batch: AppliedBatch, changes: list[dict[str, Any]]) -> set[tuple[str, int]]:
    """Returns kind and id of every row that a batch wrote."""
    pairs = [(kind.name, image) for kind in KINDS for pair in pairs_of(batch, kind.name) for image in pair]
    return {(name, image["id"]) for name, image in pairs if image is not None} | {
        ("items", change["task_item_id"]) for change in changes
    }


def _sections_of(batch: AppliedBatch, changes: list[dict[str, Any]], *, after: bool) -> set[tuple[int, int, int]]:
    """Returns week, weekday and number of each section that a batch took, or had taken before."""
    times = [change["after" if after else "before"]["item"]["embedded_time"] for change in changes]
    times += [pair[after] for pair in pairs_of(batch, "lessons")]
    return {
        (time["week"], time["day_of_week"], section)
        for time in times
        if time is not None
        for section in range(time["section_from"], time["section_to"] + 1)
    }


def changes_to_undo(batch: AppliedBatch, present: Present) -> list[dict[str, Any]]:
    """Returns the changes of a batch without those of items that were marked as done, wholly or in part, since then."""
    return [change for change in batch.changes if not _is_done_since(change, present.images)]


def _is_done_since(change: dict[str, Any], now: dict[int, Image]) -> bool:
    image = now.get(change["task_item_id"])
    if image is None or _marks(change) or progress_image(image) == progress_image(change["after"]):
        return False
    return progress_image(image)["mark"] in DONE_MARKS


def _marks(change: dict[str, Any]) -> bool:
    """Tells whether the change is one of progress."""
    return progress_image(change["before"]) != progress_image(change["after"])


def _is_untouched(change: dict[str, Any], now: dict[int, Image]) -> bool:
    image = now.get(change["task_item_id"])
    if image is None or not same(image, change["after"]):
        return False
    return not _marks(change) or progress_image(image) == progress_image(change["after"])


def _conflict_of(change: dict[str, Any]) -> Conflict:
    time = change["after"]["item"]["embedded_time"] or change["before"]["item"]["embedded_time"]
    item = change["after"]["item"]
    blocker: Blocker = {"event_id": 0, "task_item_id": item["id"], "name": item["content"], "type": "task"}
    place, class_id = _place(time), change["task_class_id"]
    return conflict(40077, "changed_since", item_id=item["id"], class_id=class_id, place=place, blocker=blocker)


def _place(time: dict[str, int] | None) -> Place | None:
    if time is None:
        return None
    return place_of(time["week"], time["day_of_week"], time["section_from"], time["section_to"])


def _find_taken_places(batch: AppliedBatch, changes: list[dict[str, Any]], present: Present) -> list[Conflict]:
    """Finds cells and hosts that the images from before need and that others have by now."""
    own_events = {change["after"]["event"]["id"] for change in changes if change["after"]["event"]}
    own_items = {change["task_item_id"] for change in changes}
    # A lesson that comes back with its guest is judged among the lessons.
    lessons = pairs_of(batch, "lessons")
    own_hosts = {before["id"] for before, _ in lessons if before is not None}
    # Where the batch put a lesson, the undo takes it away before the item comes back.
    own_events |= {after["id"] for _, after in lessons if after is not None}
    found = []
    for change in changes:
        before, guest = change["before"], change["before"]["guest"]
        if guest and guest["host"]["id"] in own_hosts:
            continue
        if guest and not same(present.hosts.get(guest["host"]["id"]), guest["host"]):
            found.append(_conflict_of(change))
            continue
        time = before["item"]["embedded_time"]
        for section in guest["rows"] if guest else before["rows"]:
            row = present.cells.get((batch.semester_id, time["week"], time["day_of_week"], section))
            free = row is None or row.event_id in own_events
            if guest:
                free = row is None or row.embedded_task_item_id in own_items | {None}
            if row is not None and not free:
                found.append(_describe_blocked(change, row))
                break
    return found


def _describe_blocked(change: dict[str, Any], row: TakenCell) -> Conflict:
    guest = row.embedded_task_item_id if change["before"]["guest"] else row.event_task_item_id
    blocker: Blocker = {
        "event_id": row.event_id, "task_item_id": guest or 0, "name": row.event_name, "type": row.event_type,
    }  # fmt: skip
    code, rule = (40025, "host_taken") if change["before"]["guest"] else (40026, "occupied")
    place = _place(change["before"]["item"]["embedded_time"])
    return conflict(
        code, rule, item_id=change["task_item_id"], class_id=change["task_class_id"], place=place, blocker=blocker
    )


class _Restore:
    """Does all lifts of what the batch left, then all sets of what was there before."""

    def __init__(self, batch: AppliedBatch, changes: list[dict[str, Any]]) -> None:
        self.batch = batch
        self.changes = changes
        self.seats = Seats(batch.user_id, batch.semester)

    def run(self) -> None:
        before = [change["before"] for change in self.changes]
        events = {image["event"]["id"]: image["event"] for image in before if image["event"]}
        left = {change["after"]["event"]["id"] for change in self.changes if change["after"]["event"]}
        places = {image["item"]["id"]: _place(image["item"]["embedded_time"]) for image in before}
        self.seats.unseat(places)
        Schedule.objects.filter(event__in=left & events.keys()).delete()
        self.seats.delete_events(left - events.keys())
        restore_rows(self.batch)
        self._restore_events(events, left)
        self.seats.insert_rows({event: _place_of_event(image) for event, image in events.items()})
        seated = {
            image["item"]["id"]: (image["guest"]["host"]["id"], place)
            for image in before
            if image["guest"] and (place := places[image["item"]["id"]]) is not None
        }
        self.seats.embed(seated, {change["task_item_id"]: change["task_class_id"] for change in self.changes})
        set_times(places, {image["item"]["id"]: keeping_of(image) for image in before})
        set_progress({c["task_item_id"]: progress_image(c["before"]) for c in self.changes if _marks(c)})

    def _restore_events(self, events: dict[int, Image], living: set[int]) -> None:
        """Puts living events back to their time; deleted ones come back with the id they had."""
        self.seats.move_events({event: _place_of_event(image) for event, image in events.items() if event in living})
        gone = []
        for event_id in events.keys() - living:
            image = events[event_id]
            columns = {name: image[name] for name in EVENT_COLUMNS}
            event = ScheduleEvent(user_id=self.seats.user_id, semester=self.seats.semester, **columns)
            event.revision = image["revision"] + 1
            self.seats.set_time(event, _place_of_event(image))
            gone.append(event)
        insert(ScheduleEvent, gone)


def _place_of_event(image: Image) -> Place:
    return place_of(image["week"], image["day_of_week"], image["section_from"], image["section_to"])
