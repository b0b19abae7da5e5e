"""Writes of task classes that touch the timetable: names of events follow, applied items are released."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any

from django.contrib.auth.models import User
from django.db.models import F
from django.utils import timezone

from schedules.exams.reads import exam_get
from schedules.exams.times import deadline_before
from schedules.models import AppliedBatch, ScheduleEvent, Semester
from schedules.selectors import course_get, semester_current, semester_named
from schedules.services.bulk import set_each
from schedules.services.images.classes import WholeClassRows, whole_class_image
from schedules.services.lock import timetable_changed, timetable_lock
from schedules.services.placement.release import items_release, semesters_of_items
from taskclasses.fields import CLASS_FIELDS, ClassValues, ItemValues, read_fields
from taskclasses.kernel.database.transactions import run_transaction
from taskclasses.kernel.errors import CodedError, too_large
from taskclasses.models import TaskClass, TaskClassWrite
from taskclasses.selectors import task_class_get
from taskclasses.services import (
    applied_items,
    task_class_create,
    task_class_delete,
    task_class_replace,
)
from taskclasses.spec import ClassLimits

CLASSES_MAX = 500
"""Classes of a student: many times a full course of studies."""


def limits_of(semester: Semester) -> ClassLimits:
    calendar = semester.calendar
    return ClassLimits(calendar.grid.blocks, calendar.first_monday, calendar.last_day)


def refuse_full(user: User) -> None:
    """Raises 40006 for a student who has as many classes as there may be."""
    if TaskClass.objects.filter(user=user).count() >= CLASSES_MAX:
        raise too_large("task_classes", CLASSES_MAX)


def class_create(*, user: User, values: ClassValues, semester_id: int | None = None, locale: str = "zh") -> TaskClass:
    """Makes a class under the timetable's lock: two made at once get two colours and two seals. 40006, 40042, 40047.

    What is wrong with the values is told in the language of `locale`.
    """

    def effect() -> TaskClass:
        semester = semester_named(user.pk, semester_id)
        timetable_lock(user_id=user.pk, semester=semester)
        refuse_full(user)
        linked = _link_exam(user, values)
        return task_class_create(user=user, values=linked, limits=limits_of(semester), locale=locale)

    return run_transaction(effect)


def _link_exam(user: User, values: ClassValues, row: TaskClass | None = None) -> ClassValues:
    """Returns the values with the end date of their exam; 40042 and 40047 for a course or exam that is not the
    student's.

    A course that a class has already may be gone: it is there again when its deletion is undone.
    """
    if values.course_id is not None and (row is None or values.course_id != row.course_id):
        course_get(user.pk, values.course_id)
    if values.exam_id is None:
        return values
    exam = exam_get(user.pk, values.exam_id)
    return replace(values, end_date=deadline_before(exam.date, values.start_date))


def class_replace(
    *,
    user: User,
    class_id: int,
    values: ClassValues,
    semester_id: int | None = None,
    locale: str = "zh",
    check: Callable[[TaskClass], None] | None = None,
) -> TaskClass:
    """Replaces a class under the timetable's lock; events of renamed items take the new name.

    `check` sees the class as it stands then, and may refuse.
    """

    def effect() -> TaskClass:
        semester = semester_named(user.pk, semester_id)
        version = timetable_lock(user_id=user.pk, semester=semester)
        if check is not None:
            check(task_class_get(user=user, class_id=class_id))
        linked = _link_exam(user, values, TaskClass.objects.filter(user=user, pk=class_id).first())
        limits = limits_of(semester)
        done = task_class_replace(user=user, class_id=class_id, values=linked, limits=limits, locale=locale)
        names = {item_id: {"name": name} for item_id, name in done.renamed.items()}
        mine = ScheduleEvent.objects.filter(user=user)
        set_each(mine, "task_item", names, revision=F("revision") + 1, updated_at=timezone.now())
        # Drafts read classes and items together with the rows, so they must look again.
        timetable_changed(version)
        return done.task_class

    return run_transaction(effect)


def class_delete(
    *, user: User, class_id: int, release: bool = False, check: Callable[[TaskClass], None] | None = None
) -> AppliedBatch:
    """Deletes a class; with `release` its applied items leave the timetable in the same transaction. 40040, 40034.

    `check` sees the class as it stands, and may refuse. The batch that it answers, of the current semester, brings it
    back; items that stood in another one have a batch there.
    """

    def effect() -> AppliedBatch:
        current = timetable_lock(user_id=user.pk, semester=semester_current(user.pk))
        row = task_class_get(user=user, class_id=class_id)
        if check is not None:
            check(row)
        applied = applied_items(row)
        if applied and not release:
            raise CodedError(40034, {"task_item_ids": applied})
        here = _release_elsewhere(user, applied, current.semester)
        sources = AppliedBatch.Source
        source = sources.CLASS_RELEASE if here else sources.CLASS_DELETE  # what left the timetable names the change
        batch = items_release(user=user, semester=current.semester, item_ids=here, source=source)
        image = whole_class_image(task_class_get(user=user, class_id=class_id))
        batch.row_changes = {WholeClassRows.name: [(image, None)]}
        batch.save(update_fields=["row_changes"])
        task_class_delete(user=user, class_id=class_id)
        timetable_changed(current)
        return batch

    return run_transaction(effect)


def _release_elsewhere(user: User, item_ids: Sequence[int], current: Semester) -> list[int]:
    """Takes items off the timetables of other semesters; answers those of the current one."""
    by_semester: dict[int, tuple[Semester, list[int]]] = {current.pk: (current, [])}
    for item_id, semester in semesters_of_items(user, item_ids).items():
        by_semester.setdefault(semester.pk, (semester, []))[1].append(item_id)
    _, here = by_semester.pop(current.pk)
    for semester, there in by_semester.values():
        version = timetable_lock(user_id=user.pk, semester=semester)
        items_release(user=user, semester=semester, item_ids=there, source=AppliedBatch.Source.CLASS_RELEASE)
        timetable_changed(version)
    return here


def class_remove(*, user_id: int, class_id: int, claim: str) -> dict[str, Any]:
    """Deletes a class for the agent, its applied items with it; answers `{task_class_id}`.

    The same `claim` again answers the first result and changes nothing. Errors 40040.
    """

    def write(user: User) -> dict[str, Any]:
        class_delete(user=user, class_id=class_id, release=True)
        return {"task_class_id": class_id}

    return _write_once(user_id, claim, "chat", write)


def class_upsert(*, user_id: int, values: Mapping[str, Any], claim: str) -> dict[str, Any]:
    """Writes a class for the agent; answers `{task_class_id, created, item_ids}`.

    `values` is the normalised form of the tool (tools.md 6.1): only the given fields change. The same `claim` again
    answers the first result and changes nothing. Errors 40005, 40006, 40034, 40040, 40044, 40045, 40048.
    """

    def write(user: User) -> dict[str, Any]:
        class_id = values.get("id")
        if class_id is None:
            row = class_create(user=user, values=merge_values(values, None))
        else:
            row = _update(user, values)
        items = sorted(row.items.all(), key=lambda item: (item.order, item.pk))
        return {"task_class_id": row.pk, "created": class_id is None, "item_ids": [item.pk for item in items]}

    return _write_once(user_id, claim, values.get("source", "chat"), write)


def classes_update(*, user_id: int, rows: Sequence[Mapping[str, Any]], claim: str) -> dict[str, Any]:
    """Writes changes of several classes for the agent, all or none; answers `{task_class_ids}`.

    Each of `rows` has an `id` and the fields that change, as `class_upsert` takes them; the same `claim` again answers
    the first result and changes nothing. Errors as there.
    """

    def write(user: User) -> dict[str, Any]:
        return {"task_class_ids": [_update(user, values).pk for values in rows]}

    return _write_once(user_id, claim, "chat", write)


def _update(user: User, values: Mapping[str, Any]) -> TaskClass:
    """Writes the given fields of a class over those it has."""
    current = task_class_get(user=user, class_id=values["id"])
    return class_replace(user=user, class_id=current.pk, values=merge_values(values, current))


def _write_once(user_id: int, claim: str, source: str, write: Callable[[User], dict[str, Any]]) -> dict[str, Any]:
    """Runs a write in one transaction, under the lock of the timetable, and keeps its answer for the same claim."""

    def effect() -> dict[str, Any]:
        timetable_lock(user_id=user_id, semester=semester_current(user_id))
        known = TaskClassWrite.objects.filter(user_id=user_id, key=claim).first()
        if known is not None:
            return dict(known.answer)
        user = User.objects.get(pk=user_id)
        answer = write(user)
        TaskClassWrite.objects.create(user=user, key=claim, source=source, answer=answer)
        return answer

    return run_transaction(effect)


def merge_values(values: Mapping[str, Any], current: TaskClass | None) -> ClassValues:
    """Returns the tool's given fields over the class as it stands."""
    given = dict(values.get("task_class") or {})
    flat = {key: value for key, value in given.items() if key != "config"} | dict(given.get("config") or {})
    items = values.get("items", flat.pop("items", None))
    for name in ("start_date", "end_date"):
        if isinstance(flat.get(name), str):
            flat[name] = date.fromisoformat(flat[name])
    flat = {field.name: flat[field.name] for field in CLASS_FIELDS if field.name in flat}
    base = ClassValues(name="") if current is None else values_of(current)
    changed = replace(base, **flat)
    return changed if items is None else replace(changed, items=_items(items))


def values_of(row: TaskClass) -> ClassValues:
    items = [ItemValues(item.order, item.content, item.duration, item.pk) for item in row.items.all()]
    return ClassValues(**read_fields(row), items=items)


def _items(items: Sequence[Mapping[str, Any]]) -> list[ItemValues]:
    return [
        ItemValues(item.get("order") or index, item["content"], item.get("duration"), item.get("id"))
        for index, item in enumerate(items, 1)
    ]
