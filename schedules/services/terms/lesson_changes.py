"""One lesson moved, cancelled, added or given another room; the weekly pattern stays as it is."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib.auth.models import User

from schedules.mapping import place_of
from schedules.models import AppliedBatch, Course, ScheduleEvent, Semester, TimetableVersion
from schedules.planner.grid import Place
from schedules.presentation.conflicts import outside_semester
from schedules.presentation.terms import changed_lesson_json
from schedules.selectors import course_get
from schedules.services.images.change import TimetableChange
from schedules.services.images.kind import Image, Pair
from schedules.services.images.lessons import place_of_lesson
from schedules.services.lock import timetable_lock
from schedules.services.placement.seats import embedded_time
from schedules.services.terms.effects import Effects, effects_of, follow_calendar
from schedules.services.terms.standing_rows import Standing
from schedules.terms.lessons import ADDED, AS_PLANNED, CANCELLED, MOVED, ROOM, as_planned, pattern_of
from schedules.terms.shapes import LessonWrite
from taskclasses.kernel.database.transactions import run_transaction
from taskclasses.kernel.errors import CodedError, bad_request


@dataclass(frozen=True, kw_only=True)
class LessonChangeValues:
    """Tells what happens to one lesson: `event_id` names it, `course_id` the course of an added one.

    `place` is where a moved or added lesson is held; `location` None leaves the room as it is.
    """

    kind: str
    event_id: int | None = None
    course_id: int | None = None
    place: tuple[int, int, int, int] | None = None
    location: str | None = None
    note: str = ""


@dataclass(frozen=True)
class LessonWritten:
    """Holds the lesson before and after, and what follows; without a batch it was a trial."""

    batch: AppliedBatch | None
    lesson: Pair
    effects: Effects

    def to_json(self) -> LessonWrite:
        after = self.lesson[1]
        return {
            "batch_id": self.batch.pk if self.batch else None,
            "change": None if after is None else changed_lesson_json(after),
            "lessons": self.effects.shifts(),
            "items": self.effects.items,
            "released_task_item_ids": self.effects.released,
        }


def lesson_change(*, user: User, values: LessonChangeValues, dry_run: bool = False) -> LessonWritten:
    """Changes one lesson, in place of an earlier change of it; guests return to the pool, items give way.

    A dry run tells what would happen and refuses as the write would. 40005, 40026, 40031, 40042, 40049.
    """

    def effect() -> LessonWritten:
        if values.kind == ADDED:
            course = course_get(user.pk, values.course_id or 0)
            version = timetable_lock(user_id=user.pk, semester=course.semester)
            # Whoever held the lock before may have deleted it.
            added = _add_lesson(course_get(user.pk, course.pk), values)
            return _write(user, version, Standing.load(user, version.semester), (None, added), dry_run=dry_run)
        version, standing, lesson = _lesson(user, values.event_id or 0)
        after = _change_lesson(lesson, values, version.semester)
        return _write(user, version, standing, (lesson, after), dry_run=dry_run)

    return run_transaction(effect)


def lesson_change_revert(*, user: User, event_id: int, dry_run: bool = False) -> LessonWritten:
    """Takes back what the student did to a lesson: it follows the pattern again; an added one goes. 40026, 40052."""

    def effect() -> LessonWritten:
        version, standing, lesson = _lesson(user, event_id, unknown=40052)
        if not lesson["change"]:
            raise CodedError(40052)
        after = None if lesson["change"]["kind"] == ADDED else as_planned(lesson)
        return _write(user, version, standing, (lesson, after), dry_run=dry_run)

    return run_transaction(effect)


def _lesson(user: User, event_id: int, *, unknown: int = 40031) -> tuple[TimetableVersion, Standing, Image]:
    mine = ScheduleEvent.objects.filter(pk=event_id, user=user, type=ScheduleEvent.Type.COURSE)
    named = mine.select_related("semester").first()
    if named is None:
        raise CodedError(unknown)
    version = timetable_lock(user_id=user.pk, semester=named.semester)
    standing = Standing.load(user, named.semester)
    # Whoever held the lock before may have deleted it.
    if event_id not in standing.lessons:
        raise CodedError(unknown)
    return version, standing, standing.lessons[event_id]


def _write(user: User, version: TimetableVersion, standing: Standing, pair: Pair, *, dry_run: bool) -> LessonWritten:
    pairs = follow_calendar(standing, [pair], standing.term)
    effects = effects_of(standing, pairs)
    change = TimetableChange({"lessons": pairs}, dict.fromkeys(effects.released))
    if dry_run or change.is_empty:
        return LessonWritten(None, pairs[0], effects)
    batch = change.write(version=version, source=AppliedBatch.Source.LESSON_CHANGE)
    before, after = batch.row_changes["lessons"][0]
    return LessonWritten(batch, (before, after), effects)


def _add_lesson(course: Course, values: LessonChangeValues) -> Image:
    location = course.location if values.location is None else values.location
    return {
        "name": course.name,
        "course_id": course.pk,
        "pattern": "",
        "import_batch_id": None,
        "can_be_embedded": course.can_be_embedded,
        **embedded_time(_target(values, course.semester)),
        "source": ScheduleEvent.Source.MANUAL.value,
        "interrupted": False,
        "revision": 0,
        **AS_PLANNED,
        "location": location,
        "change": {"kind": ADDED, "note": values.note},
    }


def _change_lesson(lesson: Image, values: LessonChangeValues, semester: Semester) -> Image | None:
    """Returns the lesson as the student wants it, told from where the pattern has it."""
    home = pattern_of(lesson)
    change = {"kind": values.kind, "note": values.note}
    location = {} if values.location is None else {"location": values.location}
    if home is None:
        return _changed_extra(lesson, values, semester)
    planned = as_planned(lesson)
    kept = {**home, "interrupted": lesson["interrupted"]}
    if values.kind == CANCELLED:
        return {**planned, "held": False, "effect": {}, "pattern_place": kept, "change": change}
    if values.kind == ROOM:
        return {**planned, **location, "pattern_place": kept, "change": change}
    place = _target(values, semester)
    if place == place_of_lesson(home):
        return (
            {**planned, **location, "pattern_place": kept, "change": change | {"kind": ROOM}} if location else planned
        )
    return {**planned, **embedded_time(place), **location, "pattern_place": kept, "change": change}


def _changed_extra(lesson: Image, values: LessonChangeValues, semester: Semester) -> Image | None:
    """Changes a lesson that no pattern has. One that the student added stays an added one, and goes when it is
    cancelled."""
    was_added = lesson["change"].get("kind") == ADDED
    if was_added and values.kind == CANCELLED:
        return None
    change = {"kind": ADDED if was_added else values.kind, "note": values.note}
    location = {} if values.location is None else {"location": values.location}
    place = embedded_time(_target(values, semester)) if values.kind == MOVED else {}
    return {**lesson, **place, **location, "held": values.kind != CANCELLED, "change": change}


def _target(values: LessonChangeValues, semester: Semester) -> Place:
    """Tells where a lesson is to be held; 40005 when it is not said, 40049 beyond the semester."""
    if values.place is None:
        raise bad_request("week", "缺少该字段")
    place = place_of(*values.place)
    if place.length < 1:
        raise bad_request("section_to", "结束节早于开始节")
    if not semester.calendar.grid.contains(place):
        raise outside_semester(place)
    return place
