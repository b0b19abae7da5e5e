"""Marks: what the student says about items. Each write is a batch that can be undone, and none changes the past.

Done: an item that has begun stays where it stands; one that lies ahead gives its cells back, and a record says where it
was done instead. Done in part: the rest is the same item, shorter and without a place; a record keeps what was done.
Missed: it stays until it is picked up. Open: the mark is taken back.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User

from schedules.mapping import marked_of, place_of
from schedules.models import AppliedBatch, ProgressRule, Semester
from schedules.planner.draft.progress import MISSED, PARTIAL, Progress, record_place
from schedules.planner.draft.state import Spot
from schedules.planner.grid import Calendar, Outside, Place
from schedules.presentation.shapes.progress import MarkedItem, MarkedItems, ProgressSettings
from schedules.progress.book import ProgressBook, rule_of
from schedules.services.images.items import change_of, images_of
from schedules.services.lock import timetable_changed, timetable_lock
from schedules.services.placement.release import semesters_of_items
from schedules.services.placement.seats import Seats, embedded_time, set_progress
from taskclasses.kernel.database.transactions import run_transaction
from taskclasses.kernel.errors import CodedError, bad_request
from taskclasses.kernel.times import rfc3339
from taskclasses.models import TaskClassWrite, TaskItem
from taskclasses.spec import item_lengths

NOWHERE = {"week": 0, "day_of_week": 0, "section_from": 0, "section_to": 0}


@dataclass(frozen=True)
class MarkWish:
    """Tells what is said about one item. Of a part: `sections_left` of it remain (None: half, rounded up).

    `place` = where it was done, when not where it stands or now.
    """

    task_item_id: int
    progress: Progress
    sections_left: int | None = None
    place: Place | None = None


def items_mark(*, user: User, marks: Sequence[MarkWish], now: datetime, claim: str = "") -> MarkedItems:
    """Marks items, all or none; answers `{batch_id, items}`, `batch_id` null when all of it was said before.

    With a `claim` the same one again answers the first result and changes nothing.

    40062 for an item named twice, 40036 for an unknown one, 40090 for what cannot be said now.
    """

    def effect() -> MarkedItems:
        _refuse_twice(marks)
        ids = [wish.task_item_id for wish in marks]
        semester = _semester_of(user, ids)
        version = timetable_lock(user_id=user.pk, semester=semester)
        known = TaskClassWrite.objects.filter(user=user, key=claim).first() if claim else None
        if known is not None:
            told: MarkedItems = known.answer
            return told
        # Read under the lock: whoever held it before may have moved them.
        writes = _markings(user, marks, semester, now)
        batch = _write(user, semester, [one for one in writes if one.changes_anything])
        if batch is not None:
            timetable_changed(version)
        answer: MarkedItems = {"batch_id": batch.pk if batch else None, "items": _show_items(user, ids, now)}
        if claim:
            TaskClassWrite.objects.create(user=user, key=claim, answer=answer)
        return answer

    return run_transaction(effect)


def marks_check(*, user: User, marks: Sequence[MarkWish], now: datetime) -> int:
    """Counts the marks that would change something; refuses what `items_mark` would."""
    _refuse_twice(marks)
    semester = _semester_of(user, [wish.task_item_id for wish in marks])
    return sum(one.changes_anything for one in _markings(user, marks, semester, now))


def progress_rule_set(*, user: User, mode: str, grace_hours: int | None = None) -> ProgressSettings:
    """Chooses how the past counts."""
    given = {"mode": mode} | ({} if grace_hours is None else {"grace_hours": grace_hours})
    row, _ = ProgressRule.objects.update_or_create(user=user, defaults=given)
    return {"mode": row.mode, "grace_hours": row.grace_hours}


def _markings(user: User, marks: Sequence[MarkWish], semester: Semester, now: datetime) -> list[_Marking]:
    """Returns the marks beside their items; 40036, 40090."""
    ids = [wish.task_item_id for wish in marks]
    items = {item.pk: item for item in TaskItem.objects.filter(pk__in=ids, task_class__user=user)}
    if len(items) < len(ids):
        raise CodedError(40036)
    lengths = _lengths(items)
    writes = [_Marking(items[wish.task_item_id], wish, lengths, semester, now) for wish in marks]
    _refuse_unfit(writes)
    return writes


def _refuse_twice(marks: Sequence[MarkWish]) -> None:
    counts = Counter(wish.task_item_id for wish in marks)
    twice = sorted(item for item, count in counts.items() if count > 1)
    if twice:
        raise CodedError(40062, {"task_item_ids": twice})


def _semester_of(user: User, ids: Sequence[int]) -> Semester:
    """Returns the one semester that these items of the student's are in."""
    if TaskItem.objects.filter(pk__in=ids, task_class__user=user).count() < len(ids):
        raise CodedError(40036)
    found = {semester.pk: semester for semester in semesters_of_items(user, ids).values()}
    if len(found) != 1:
        raise bad_request("items", "内容无效")
    return next(iter(found.values()))


def _lengths(items: dict[int, TaskItem]) -> dict[int, int]:
    """Returns the whole length of each item."""
    rows = TaskItem.objects.filter(task_class__in={item.task_class_id for item in items.values()})
    classes: dict[int, list[TaskItem]] = {}
    for row in rows.select_related("task_class").order_by("order", "pk"):
        classes.setdefault(row.task_class_id, []).append(row)
    found: dict[int, int] = {}
    for group in classes.values():
        resolved = item_lengths([row.duration for row in group], group[0].task_class.total_slots)
        found |= {row.pk: length for row, length in zip(group, resolved, strict=True)}
    return found


@dataclass
class _Marking:
    """Holds one item, what is said about it, and what follows."""

    item: TaskItem
    wish: MarkWish
    lengths: dict[int, int]
    semester: Semester
    now: datetime
    calendar: Calendar = field(init=False)
    fault: str = field(init=False)

    def __post_init__(self) -> None:
        self.calendar = self.semester.calendar
        time = self.item.embedded_time
        self.seat = (
            place_of(*(time[key] for key in ("week", "day_of_week", "section_from", "section_to"))) if time else None
        )
        self.begun = self.seat is not None and self.calendar.interval(self.seat)[0] <= self.now
        self.length = self.item.sections_left or self.lengths[self.item.pk]
        left = self.wish.sections_left
        self.left = (self.length + 1) // 2 if left is None else left
        self.fault = self._find_fault()

    def _find_fault(self) -> str:
        place = self.wish.place
        if place is not None:
            if not self.calendar.grid.contains(place):
                raise bad_request("place", "内容无效")
            if self.calendar.interval(place)[0] > self.now:
                return "not_begun"
        if self.wish.progress == "missed":
            return "not_placed" if self.seat is None else "" if self.begun else "not_begun"
        if self.wish.progress == "partial":
            return "" if 1 <= self.left < self.length else "bad_rest"
        return ""

    @property
    def changes_anything(self) -> bool:
        marked, progress = marked_of(self.item), self.wish.progress
        if progress == "open":
            return bool(marked.mark or marked.records)
        if progress == "missed":
            return not marked.missed_at(self.seat)
        return progress == "partial" or marked.mark != progress

    @property
    def lifts(self) -> bool:
        """Tells whether it leaves its place: what is ahead and done, the rest, and a rest that becomes the whole
        again."""
        if self.seat is None or self.wish.progress == "missed":
            return False
        if self.wish.progress == "done":
            return not self.begun
        return self.wish.progress == "partial" or self.item.sections_left is not None

    @property
    def columns(self) -> dict[str, Any]:
        if self.wish.progress == "open":
            return {"mark": "", "sections_left": None, "records": []}
        left = {PARTIAL: self.left, MISSED: self.item.sections_left}.get(self.wish.progress)
        return {"mark": self.wish.progress, "sections_left": left, "records": self._records()}

    def _records(self) -> list[dict[str, Any]]:
        """Returns the records with the new one; what was said of the same place before is corrected."""
        place = self.wish.place or (self.seat if self.begun else self._place_now())
        partial = self.wish.progress == "partial"
        record = {
            "progress": self.wish.progress,
            **(NOWHERE if place is None else embedded_time(place)),
            "semester_id": self.semester.pk,
            "sections": 0 if self.wish.progress == "missed" else self.length - (self.left if partial else 0),
            "in_place": place is not None and place == self.seat,
            "marked_at": rfc3339(self.now),
        }  # fmt: skip
        kept = [row for row in self.item.records or [] if place is None or record_place(row) != place]
        return [*kept, record]

    def _place_now(self) -> Place | None:
        """Returns the sections up to now, as long as the item; None outside the semester."""
        local = self.now.astimezone(self.calendar.zone)
        day = self.calendar.day_of(local.date())
        if isinstance(day, Outside):
            return None
        begun = [n for n, (start, _) in enumerate(self.calendar.section_times, 1) if start <= local.time()]
        last = max(begun, default=1)
        first = max(1, last - self.length + 1)
        return Place(day, first, last - first + 1)


def _refuse_unfit(writes: Sequence[_Marking]) -> None:
    faults = {one.item.pk: one.fault for one in writes if one.fault}
    if faults:
        reason = next(iter(faults.values()))
        ids = sorted(item for item, fault in faults.items() if fault == reason)
        raise CodedError(40090, {"reason": reason, "task_item_ids": ids})


def _write(user: User, semester: Semester, writes: Sequence[_Marking]) -> AppliedBatch | None:
    if not writes:
        return None
    ids = [one.item.pk for one in writes]
    before = images_of(ids)
    lifted: dict[int, Spot | None] = {one.item.pk: None for one in writes if one.lifts}
    if lifted:
        Seats(user.pk, semester).change(lifted)
    set_progress({one.item.pk: one.columns for one in writes})
    after = images_of(ids)
    changes = [change_of(before[item], after[item]) for item in ids]
    return AppliedBatch.objects.create(
        user=user, semester=semester, source=AppliedBatch.Source.PROGRESS, changes=changes
    )


def _show_items(user: User, ids: Sequence[int], now: datetime) -> list[MarkedItem]:
    items = {item.pk: item for item in TaskItem.objects.filter(pk__in=ids)}
    book = ProgressBook.load(user_id=user.pk, item_ids=ids, now=now, rule=rule_of(user.pk))
    return [book.describe_item(items[item]) for item in ids]
