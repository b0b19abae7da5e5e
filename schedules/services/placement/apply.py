"""Putting items on the timetable: one class or many, or the whole difference between a draft and the rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.contrib.auth.models import User

from schedules.mapping import place_of
from schedules.models import AppliedBatch, Semester
from schedules.planner.draft.diff import PlaceChange
from schedules.planner.draft.state import Spot
from schedules.planner.grid import Cell
from schedules.presentation.shapes.placement import AppliedBatchAnswer, PersistedDiff
from schedules.selectors import facts_load, semester_named
from schedules.services.images.items import change_of, describe_applied_item, images_of
from schedules.services.images.kind import Pair, Timetable
from schedules.services.images.kinds import change_rows
from schedules.services.lock import timetable_changed, timetable_lock
from schedules.services.placement.judge import Judge
from schedules.services.placement.seats import Keeping, Seats
from taskclasses.kernel.database.transactions import run_transaction
from taskclasses.kernel.errors import CodedError
from taskclasses.models import TaskClass


@dataclass(frozen=True)
class ApplyItem:
    """Holds one placed item of a request, in the words of the wire."""

    task_item_id: int
    week: int
    day_of_week: int
    start_section: int
    end_section: int
    embed_course_event_id: int | None = None
    by_hand: bool = True

    @property
    def spot(self) -> Spot:
        place = place_of(self.week, self.day_of_week, self.start_section, self.end_section)
        return Spot(place, self.embed_course_event_id)


@dataclass(frozen=True)
class ApplyClass:
    task_class_id: int
    items: Sequence[ApplyItem]


def schedule_apply_batch(
    *,
    user: User,
    batches: Sequence[ApplyClass],
    semester_id: int | None = None,
    conversation_id: UUID | None = None,
    now: datetime | None = None,
    locale: str = "zh",
) -> AppliedBatchAnswer:
    """Writes items of one or many classes to the timetable, all or nothing; answers `{batch_id, applied, warnings}`.

    Refuses in this order: 40041, 40040, 40062, 40048, 40034, 40049, 40061, then the placement rule on the result as a
    whole. Places are the student's own and may break preferences, unless an item says otherwise.
    """

    def effect() -> AppliedBatchAnswer:
        semester = semester_named(user.pk, semester_id)
        version = timetable_lock(user_id=user.pk, semester=semester)
        class_ids = [batch.task_class_id for batch in batches]
        _refuse_unknown_classes(user, class_ids)
        targets = _targets(batches)
        facts = facts_load(user_id=user.pk, class_ids=class_ids, semester=semester)
        judge = Judge(facts, now=_now_cell(semester, now), teller=(semester.calendar, locale))
        _refuse_strangers(judge, batches)
        judge.refuse_outside(targets)
        judge.refuse_unknown_hosts(targets)
        keeping = {item.task_item_id: Keeping(by_hand=item.by_hand) for batch in batches for item in batch.items}
        planned = [item for item, one in keeping.items() if not one.by_hand]
        warnings = judge.refuse_violations(targets, planned=planned)
        write = _Write(user, semester, AppliedBatch.Source.APPLY_BATCH, conversation_id)
        batch, images = write.change(targets, keeping)
        timetable_changed(version)
        owner = {item.task_item_id: batch.task_class_id for batch in batches for item in batch.items}
        applied = [describe_applied_item(images[item], item_id=item, class_id=owner[item]) for item in targets]
        told = judge.describe_warnings(warnings, targets, calendar=semester.calendar, locale=locale)
        return {"batch_id": batch.pk, "applied": applied, "warnings": told}

    return run_transaction(effect)


def schedule_persist_diff(
    *,
    user: User,
    semester: Semester,
    changes: Iterable[PlaceChange],
    conversation_id: UUID | None = None,
    now: datetime | None = None,
    locale: str = "zh",
    rows: Mapping[str, Sequence[Pair]] | None = None,
) -> PersistedDiff:
    """Puts the difference between a draft and the rows on the timetable.

    Answers `{batch_id, applied, moved, removed, warnings}`. All lifts, then all sets, judged by the same rule; an empty
    difference writes nothing and answers `batch_id` null. `rows` are written in the same batch; they touch no lesson.
    """

    def effect() -> PersistedDiff:
        listed = list(changes)
        answer: PersistedDiff = {"batch_id": None, "applied": [], "moved": [], "removed": [], "warnings": []}
        if not (listed or rows):
            return answer
        version = timetable_lock(user_id=user.pk, semester=semester)
        class_ids = {change.class_id for change in listed}
        facts = facts_load(user_id=user.pk, class_ids=class_ids, semester=semester)
        judge = Judge(facts, now=_now_cell(semester, now))
        targets = {change.item_id: change.after for change in listed}
        _refuse_vanished(judge, listed)
        planned = [change.item_id for change in listed if not (change.pinned or change.by_hand)]
        warnings = judge.refuse_violations(targets, planned=planned)
        answer["warnings"] = judge.describe_warnings(warnings, targets, calendar=semester.calendar, locale=locale)
        before = images_of(targets)
        write = _Write(user, semester, AppliedBatch.Source.SCHEDULE_APPLY, conversation_id)
        keeping = {change.item_id: Keeping(change.pinned, change.by_hand) for change in listed}
        batch, after = write.change(targets, keeping, rows or {})
        timetable_changed(version)
        answer["batch_id"] = batch.pk
        for change in listed:
            image = after if change.after is not None else before
            row = describe_applied_item(image[change.item_id], item_id=change.item_id, class_id=change.class_id)
            if change.after is None:
                answer["removed"].append(row)
            elif change.before is not None:
                answer["moved"].append(row)
            else:
                answer["applied"].append(row)
        return answer

    return run_transaction(effect)


def _now_cell(semester: Semester, now: datetime | None) -> Cell | None:
    return None if now is None else semester.calendar.now_cell(now)


@dataclass
class _Write:
    """Holds rows and the batch that can undo them."""

    user: User
    semester: Semester
    source: str
    conversation_id: UUID | None

    def change(
        self,
        targets: Mapping[int, Spot | None],
        keeping: Mapping[int, Keeping],
        rows: Mapping[str, Sequence[Pair]] | None = None,
    ) -> tuple[AppliedBatch, dict[int, dict[str, Any]]]:
        before = images_of(targets)
        Seats(self.user.pk, self.semester).change(targets, keeping)
        after = images_of(targets)
        batch = AppliedBatch.objects.create(
            user=self.user,
            semester=self.semester,
            source=self.source,
            conversation=self.conversation_id,
            changes=[change_of(before[item], after[item]) for item in targets],
            row_changes=change_rows(Timetable(self.user.pk, self.semester), rows) if rows else {},
        )
        return batch, after


def _refuse_unknown_classes(user: User, class_ids: Sequence[int]) -> None:
    known = set(TaskClass.objects.filter(user=user, pk__in=class_ids).values_list("pk", flat=True))
    unknown = sorted(set(class_ids) - known)
    if unknown:
        raise CodedError(40040, {"task_class_ids": unknown})


def _targets(batches: Sequence[ApplyClass]) -> dict[int, Spot]:
    """Returns item -> spot in request order; 40062 for an item named twice."""
    targets: dict[int, Spot] = {}
    twice = set()
    for batch in batches:
        for item in batch.items:
            if item.task_item_id in targets:
                twice.add(item.task_item_id)
            targets[item.task_item_id] = item.spot
    if twice:
        raise CodedError(40062, {"task_item_ids": sorted(twice)})
    return targets


def _refuse_strangers(judge: Judge, batches: Sequence[ApplyClass]) -> None:
    """Raises 40048 for items of another class, 40034 for items that are on the timetable already."""
    strangers, applied = [], []
    for batch in batches:
        for item in batch.items:
            owner, fact = judge.owners.get(item.task_item_id, (None, None))
            if owner is None or fact is None or owner.id != batch.task_class_id:
                strangers.append(item.task_item_id)
            elif fact.applied:
                applied.append(item.task_item_id)
    if strangers:
        raise CodedError(40048, {"task_item_ids": strangers})
    if applied:
        raise CodedError(40034, {"task_item_ids": applied})


def _refuse_vanished(judge: Judge, changes: Sequence[PlaceChange]) -> None:
    """Refuses items of a draft that were deleted, or placed by another window, since it was read."""
    gone = [change.item_id for change in changes if change.item_id not in judge.owners]
    if gone:
        raise CodedError(40048, {"task_item_ids": gone})
    applied = [
        change.item_id for change in changes if change.before is None and judge.owners[change.item_id][1].applied
    ]
    if applied:
        raise CodedError(40034, {"task_item_ids": applied})
