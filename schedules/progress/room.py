"""Whether what is left of a class finds room before its end: on the timetable as it stands, the class alone."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from schedules.exams.reads import exam_get
from schedules.exams.times import deadline_before
from schedules.mapping import class_fact
from schedules.models import Semester
from schedules.planner.draft.feasibility import count_free, room
from schedules.planner.draft.load import board_of, subject_of
from schedules.planner.facts import ClassFact, Facts
from schedules.planner.progress import DONE
from schedules.planner.rules.placement import Situation
from schedules.progress.book import ProgressBook
from schedules.selectors import facts_load
from taskclasses.fields import ClassValues
from taskclasses.models import TaskClass, TaskItem

NEW = 0
"""A class, and its items, that are not stored yet."""


@dataclass(frozen=True)
class ClassRoom:
    """Holds sections: `needed` are left to do, `missing` of them find no place, `free` could be used for them."""

    needed: int
    missing: int
    free: int


def class_rooms(
    *, user_id: int, semester: Semester, now: datetime, class_id: int | None = None
) -> dict[int, ClassRoom]:
    """Returns the room of every class of a student that has dates, or of the one that is named."""
    named = {} if class_id is None else {"pk": class_id}
    rows = list(TaskClass.objects.filter(user_id=user_id, **named).prefetch_related("items"))
    items = {item.pk: item for row in rows for item in row.items.all()}
    facts = facts_load(user_id=user_id, class_ids=[row.pk for row in rows], semester=semester)
    done = _done(user_id, items, now)
    return {one.id: found for one in facts.task_classes if (found := _room(facts, one, done, semester, now))}


def wanted_room(
    *, user_id: int, semester: Semester, values: ClassValues, row: TaskClass | None, now: datetime
) -> ClassRoom | None:
    """Returns the room of a class as it would be; None while it has no dates or nothing to do. 40047."""
    if values.exam_id is not None:
        end = deadline_before(exam_get(user_id, values.exam_id).date, values.start_date)
        values = replace(values, end_date=end)
    known = {} if row is None else {item.pk: item for item in row.items.all()}
    facts = facts_load(user_id=user_id, class_ids=[] if row is None else [row.pk], semester=semester)
    wanted = TaskClass(pk=NEW if row is None else row.pk, **values.columns())
    fact = class_fact(wanted, _items(values, known), semester.calendar)
    return _room(facts, fact, _done(user_id, known, now), semester, now)


def _items(values: ClassValues, known: Mapping[int, TaskItem]) -> list[TaskItem]:
    """Returns the items as they would be; those that are new get numbers of their own that clash with none."""
    found = []
    for one in values.items:
        item = known.get(one.id or NEW) or TaskItem(pk=-one.order)
        item.order, item.content, item.duration = one.order, one.content, one.duration
        found.append(item)
    return found


def _done(user_id: int, items: Mapping[int, TaskItem], now: datetime) -> set[int]:
    book = ProgressBook.load(user_id=user_id, item_ids=items, now=now)
    return {number for number, item in items.items() if book.progress(item) == DONE}


def _room(
    facts: Facts, wanted: ClassFact, done: Collection[int], semester: Semester, now: datetime
) -> ClassRoom | None:
    rules = wanted.rules
    left = [item for item in wanted.items if item.id not in done]
    if rules.start_day is None or rules.end_day is None or not wanted.items:
        return None
    board = board_of(facts)
    for row in facts.task_classes:
        for item in row.items if row.id == wanted.id else ():
            board.lift(item.id)
    situation = Situation(now=semester.calendar.now_cell(now), planner=True)
    subjects = [subject_of(wanted, item) for item in left]
    needed = sum(one.length for one in subjects)
    return ClassRoom(needed, needed - room(board, subjects, situation), count_free(board, wanted, situation))
