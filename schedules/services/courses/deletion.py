"""Deleting a course, or all that one import brought: guests return to the pool, and a batch can undo it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib.auth.models import User

from schedules.models import AppliedBatch, Course, ScheduleEvent, TimetableVersion
from schedules.services.courses.writes import lock_course
from schedules.services.images.change import TimetableChange
from schedules.services.images.courses import course_image
from schedules.services.images.kind import Pair
from schedules.services.lock import timetable_lock
from schedules.services.terms.effects import effects_of, follow_calendar
from schedules.services.terms.standing_rows import Standing
from taskclasses.kernel.database.transactions import run_transaction
from taskclasses.kernel.errors import CodedError


@dataclass(frozen=True)
class Deleted:
    """Tells what went, or would go; without a batch it was a trial."""

    batch: AppliedBatch | None
    released: Sequence[int]
    lessons: int
    course_ids: Sequence[int]


def course_delete(*, user: User, course_id: int, dry_run: bool = False) -> Deleted:
    """Deletes a course with its lessons; a dry run tells what would go. 40042."""

    def effect() -> Deleted:
        course, version = lock_course(user, course_id)
        standing = Standing.load(user, version.semester)
        lessons = [event for event in standing.events if event.course_id == course.pk]
        source = AppliedBatch.Source.COURSE_DELETE
        return _delete(version, standing, lessons, [course], source=source, dry_run=dry_run)

    return run_transaction(effect)


def import_delete(*, user: User, batch_id: int, dry_run: bool = False) -> Deleted:
    """Deletes the lessons that one import brought, and courses that have no others; a dry run tells what would go.

    40043 for a batch that is no import of the student's, or has no lesson left.
    """

    def effect() -> Deleted:
        mine = AppliedBatch.objects.filter(pk=batch_id, user=user, source=AppliedBatch.Source.IMPORT)
        batch = mine.select_related("semester").first()
        if batch is None:
            raise CodedError(40043)
        version = timetable_lock(user_id=user.pk, semester=batch.semester)
        standing = Standing.load(user, batch.semester)
        lessons = [event for event in standing.events if event.import_batch_id == batch.pk]
        if not lessons:
            raise CodedError(40043)
        kept = {event.course_id for event in standing.events if event.import_batch_id != batch.pk}
        emptied = {event.course_id for event in lessons} - kept
        courses = list(Course.objects.filter(user=user, pk__in=[pk for pk in emptied if pk is not None]))
        source = AppliedBatch.Source.IMPORT_DELETE
        return _delete(version, standing, lessons, courses, source=source, dry_run=dry_run)

    return run_transaction(effect)


def _delete(
    version: TimetableVersion,
    standing: Standing,
    lessons: Sequence[ScheduleEvent],
    courses: Sequence[Course],
    *,
    source: str,
    dry_run: bool,
) -> Deleted:
    going: list[Pair] = [(standing.image(event), None) for event in lessons]
    # Extra lessons of make-up days go with the meeting that they belong to.
    pairs = follow_calendar(standing, going, standing.term)
    effects = effects_of(standing, pairs)
    released = effects.released
    course_ids = [course.pk for course in courses]
    if dry_run:
        return Deleted(None, released, len(lessons), course_ids)
    gone: list[Pair] = [(course_image(course), None) for course in courses]
    change = TimetableChange({"courses": gone, "lessons": effects.lessons}, dict.fromkeys(released))
    batch = change.write(version=version, source=source)
    return Deleted(batch, released, len(lessons), course_ids)
