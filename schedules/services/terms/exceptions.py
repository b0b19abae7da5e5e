"""The calendar of exceptions: adding, changing and removing holidays, make-up days, exam weeks and time kept free."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User

from schedules.models import AppliedBatch, CalendarException, Semester
from schedules.planner.grid import Calendar
from schedules.presentation.terms import exception_json
from schedules.selectors import semester_named
from schedules.services.images.change import TimetableChange
from schedules.services.images.kind import Image, Pair
from schedules.services.lock import timetable_lock
from schedules.services.terms.effects import Effects, effects_of, follow_calendar
from schedules.services.terms.standing_rows import Standing
from schedules.terms.exceptions import ExceptionValues, exception_faults, overlaps, term_exceptions
from schedules.terms.shapes import CalendarWrite
from taskclasses.kernel.database.transactions import run_transaction
from taskclasses.kernel.errors import CodedError, too_large
from taskclasses.shapes import ExceptionBrief, Overlaps

EXCEPTIONS_MAX = 100
"""Exceptions of one student in one semester."""


@dataclass(frozen=True, kw_only=True)
class CalendarWish:
    """Tells what shall become of the calendar: exceptions that come, that change (by id) and that go."""

    add: Sequence[ExceptionValues] = ()
    replace: Mapping[int, ExceptionValues] = field(default_factory=dict)
    remove: Sequence[int] = ()


@dataclass(frozen=True)
class CalendarWritten:
    """Tells what happened to the calendar, the lessons and the items; without a batch it was a trial."""

    batch: AppliedBatch | None
    exceptions: Sequence[Pair]
    effects: Effects

    def to_json(self) -> CalendarWrite:
        return {
            "batch_id": self.batch.pk if self.batch else None,
            "exceptions": [exception_json(after) for _, after in self.exceptions if after is not None],
            "lessons": self.effects.shifts(),
            "items": self.effects.items,
            "released_task_item_ids": self.effects.released,
        }


def calendar_change(
    *, user: User, wish: CalendarWish, now: datetime, semester_id: int | None = None, dry_run: bool = False
) -> CalendarWritten:
    """Changes the calendar of exceptions with all that follows for lessons and items, as one batch.

    A dry run tells what would happen and refuses as the write would. 40005, 40006, 40026 where a lesson would come onto
    another, 40041, 40050 for an unknown exception, 40051 for two on one date.
    """

    def effect() -> CalendarWritten:
        semester = _semester_of(user, wish, semester_id)
        version = timetable_lock(user_id=user.pk, semester=semester)
        standing = Standing.load(user, semester)
        calendar = semester.calendar
        pairs = _pairs(standing, wish, calendar)
        after = [image for _, image in pairs if image is not None]
        named = {before["id"] for before, _ in pairs if before is not None}
        after += [image for image in standing.exceptions if image["id"] not in named]
        _refuse_overlaps(after)
        if len(after) > EXCEPTIONS_MAX:
            raise too_large("exceptions", EXCEPTIONS_MAX)
        term = term_exceptions(after, calendar)
        lessons = follow_calendar(standing, [], term)
        effects = effects_of(standing, lessons, term=term, now=calendar.now_cell(now))
        change = TimetableChange({"exceptions": pairs, "lessons": lessons}, dict.fromkeys(effects.released))
        if dry_run or change.is_empty:
            return CalendarWritten(None, pairs, effects)
        batch = change.write(version=version, source=AppliedBatch.Source.CALENDAR_CHANGE)
        return CalendarWritten(batch, _read_written(batch), effects)

    return run_transaction(effect)


def kept_free_pair(*, user: User, semester: Semester, values: ExceptionValues) -> Pair:
    """Returns time to keep free as a row for another write's batch, which holds the lock; lessons stay as they are.

    40005, 40006.
    """
    _refuse_faults([values], semester.calendar)
    if CalendarException.objects.filter(user=user, semester=semester).count() >= EXCEPTIONS_MAX:
        raise too_large("exceptions", EXCEPTIONS_MAX)
    return None, image_of(values)


def _semester_of(user: User, wish: CalendarWish, semester_id: int | None) -> Semester:
    """Returns the semester of the exceptions that the wish names; else the one named, else the current one. 40041,
    40050."""
    named = {*wish.replace, *wish.remove}
    if not named:
        return semester_named(user.pk, semester_id)
    rows = list(CalendarException.objects.filter(user=user, pk__in=named).select_related("semester"))
    if len(rows) != len(named) or len({row.semester_id for row in rows}) != 1:
        raise CodedError(40050)
    return rows[0].semester


def _pairs(standing: Standing, wish: CalendarWish, calendar: Calendar) -> list[Pair]:
    present = {image["id"]: image for image in standing.exceptions}
    # Whoever held the lock before may have deleted it.
    if not {*wish.replace, *wish.remove} <= present.keys():
        raise CodedError(40050)
    _refuse_faults([*wish.add, *wish.replace.values()], calendar)
    changed: list[Pair] = [(present[pk], {"id": pk, **image_of(values)}) for pk, values in wish.replace.items()]
    gone: list[Pair] = [(present[pk], None) for pk in wish.remove]
    return [*((None, image_of(values)) for values in wish.add), *changed, *gone]


def image_of(values: ExceptionValues) -> Image:
    """Returns the image of an exception that is yet to be made; it has no id. What its kind does not know has its
    default."""
    makeup = values.kind == CalendarException.Kind.MAKEUP
    return {
        "kind": values.kind,
        "name": values.name.strip(),
        "first_date": values.first_date.isoformat(),
        "last_date": values.last_date.isoformat(),
        "study_allowed": values.study_allowed and values.kind == CalendarException.Kind.HOLIDAY,
        "lessons_held": values.lessons_held and values.kind == CalendarException.Kind.EXAM_WEEK,
        "follows_date": values.follows_date.isoformat() if makeup and values.follows_date else None,
        "parity": values.parity if makeup else CalendarException.Parity.REPLACED.value,
        "note": values.note,
        **_sections_of(values),
    }


def _sections_of(values: ExceptionValues) -> Image:
    """Returns the sections of time that is kept free; other images have none, as those of older batches."""
    if values.kind != CalendarException.Kind.KEPT_FREE or values.section_from is None:
        return {}
    return {"section_from": values.section_from, "section_to": values.section_to}


def _refuse_faults(listed: Sequence[ExceptionValues], calendar: Calendar) -> None:
    errors = [
        {"field": f"exceptions.{index}.{field}", "message": message}
        for index, values in enumerate(listed)
        for field, message in exception_faults(values, calendar)
    ]
    if errors:
        raise CodedError(40005, {"errors": errors})


def _refuse_overlaps(images: Sequence[Image]) -> None:
    found = overlaps(images)
    if found:
        told: Overlaps = {"overlaps": [{"exception": _brief(one), "with": _brief(other)} for one, other in found]}
        raise CodedError(40051, told)


def _brief(image: Mapping[str, Any]) -> ExceptionBrief:
    return {
        "id": image.get("id", 0),
        "kind": image["kind"],
        "name": image["name"],
        "first_date": image["first_date"],
        "last_date": image["last_date"],
        "follows_date": image["follows_date"],
    }


def _read_written(batch: AppliedBatch) -> list[Pair]:
    return [(before, after) for before, after in batch.row_changes.get("exceptions", ())]
