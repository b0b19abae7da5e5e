"""What the agent's re-planning writes of classes, lessons, exams, calendar before it plans: once per claim."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, time
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction

from agent.calls.ports import ChangedRows, RowChange
from agent.drafts.row_changes import ExamMove, KeptFree, Move, Moved, move_write
from agent.tools.words.replan import date_text
from schedules.exams.reads import exams_of
from schedules.models import ScheduleEvent, Semester
from schedules.planner.grid import Outside, week_and_weekday
from schedules.presentation.conflicts import outside_semester
from schedules.selectors import facts_load
from schedules.services import class_replace
from schedules.services.classes import values_of
from schedules.services.lock import timetable_lock
from schedules.services.terms.lesson_changes import LessonChangeValues
from schedules.terms.lessons import MOVED
from taskclasses.kernel.database.transactions import run_transaction
from taskclasses.kernel.errors import CODES, CodedError
from taskclasses.kernel.i18n import text
from taskclasses.models import TaskClassWrite
from taskclasses.selectors import task_class_get

LOCALES = ("zh", "en")
KNOWN_MAX = 12
"""Names that a refusal tells."""
SEVERAL = "several_match"


class _Unnamed(Exception):
    """Tells that no lesson or exam is meant, or several could be."""

    def __init__(self, code: str, known: Sequence[str]) -> None:
        super().__init__(code)
        self.code, self.known = code, tuple(dict.fromkeys(known))[:KNOWN_MAX]


def rows_change(
    *, user_id: int, change: RowChange, class_ids: Sequence[int], semester: Semester, claim: str, dry_run: bool
) -> ChangedRows:
    """Changes rows and returns them as they are then; the same `claim` again answers the first result and changes
    nothing.

    What refuses it is part of the answer: `event_not_found` and `exam_not_found`, `SEVERAL` for a name that more than
    one bears, and what the use cases of classes, lessons and exams refuse with.
    """

    def effect() -> ChangedRows:
        timetable_lock(user_id=user_id, semester=semester)
        known = None if dry_run else TaskClassWrite.objects.filter(user_id=user_id, key=claim).first()
        if known is None:
            moved = _write(User.objects.get(pk=user_id), change, semester)
            told = {locale: list(moved.tell(locale)) for locale in LOCALES} if moved.changes else {}
            answer: dict[str, Any] = {
                "displaced": list(moved.displaced),
                "followers": list(moved.class_ids),
                "told": told,
            }
        else:
            answer = known.answer
        facts = facts_load(user_id=user_id, class_ids=class_ids, semester=semester)
        if dry_run:
            transaction.set_rollback(True)
        elif known is None:
            TaskClassWrite.objects.create(user_id=user_id, key=claim, answer=answer)
        return ChangedRows(
            facts=facts,
            displaced=tuple(answer["displaced"]),
            followers=tuple(answer["followers"]),
            told=answer["told"],
        )

    try:
        return run_transaction(effect)
    except _Unnamed as refused:
        return ChangedRows(refused=refused.code, known=refused.known)
    except CodedError as refused:
        return ChangedRows(refused=CODES[refused.code].name)


def _write(user: User, change: RowChange, semester: Semester) -> Moved:
    if change.kind in ("deadline", "start"):
        return _give_date(user, change)
    if change.kind == "keep_free":
        kept = KeptFree(
            first=change.from_date or change.date,
            last=change.date,
            from_section=change.section_from,
            to_section=change.section_to,
            name=change.name,
        )
        return move_write(user=user, move=kept, semester=semester)
    return move_write(user=user, move=_find_named(user.pk, change, semester), semester=semester)


def _give_date(user: User, change: RowChange) -> Moved:
    """Lets a class begin or end on another day."""
    row = task_class_get(user=user, class_id=change.task_class_id or 0)
    values = values_of(row)
    if change.kind == "deadline":
        before, values = values.end_date, replace(values, end_date=change.date)
    else:
        before, values = values.start_date, replace(values, start_date=change.date)
    if before != change.date:
        class_replace(user=user, class_id=row.pk, values=values)
    words = "「{name}」的最后一天改成 {date}。" if change.kind == "deadline" else "「{name}」从 {date} 开始。"
    return Moved(
        changes=before != change.date,
        class_ids=(row.pk,),
        tell=lambda locale: [text(words, locale, name=row.name, date=date_text(change.date, locale))],
    )


def _find_named(user_id: int, change: RowChange, semester: Semester) -> Move:
    """Returns the lesson or the exam that the student named."""
    if change.kind == "exam_moved":
        exams = [(exam.name, exam.pk) for exam in exams_of(user_id=user_id, semester=semester)]
        return ExamMove(
            exam_id=_only(change.name, exams, "exam_not_found"),
            date=change.date,
            start_time=time.fromisoformat(change.start_time) if change.start_time else None,
            end_time=time.fromisoformat(change.end_time) if change.end_time else None,
            section_from=None if change.start_time else change.section_from,
            section_to=None if change.start_time else change.section_to,
        )
    lessons = [(event.name, event.pk) for event in _lessons_on(user_id, semester, change.from_date or change.date)]
    day = semester.calendar.day_of(change.date)
    if isinstance(day, Outside):
        raise outside_semester()
    place = (*week_and_weekday(day), change.section_from or 0, change.section_to or 0)
    return LessonChangeValues(kind=MOVED, event_id=_only(change.name, lessons, "event_not_found"), place=place)


def _lessons_on(user_id: int, semester: Semester, on: date) -> list[ScheduleEvent]:
    day = semester.calendar.day_of(on)
    if isinstance(day, Outside):
        return []
    week, weekday = week_and_weekday(day)
    mine = ScheduleEvent.objects.filter(user_id=user_id, semester=semester, type=ScheduleEvent.Type.COURSE)
    return list(mine.filter(week=week, day_of_week=weekday).order_by("section_from", "pk"))


def _only(name: str, rows: Sequence[tuple[str, int]], unknown: str) -> int:
    """Returns the one of this name, or the one whose name holds it."""
    said = name.strip().casefold()
    exact = [pk for known, pk in rows if known.strip().casefold() == said]
    found = exact or [pk for known, pk in rows if said and said in known.casefold()]
    if len(found) != 1:
        raise _Unnamed(SEVERAL if found else unknown, [known for known, _ in rows])
    return found[0]
