"""Import of courses: rows -> mends -> judgement -> report -> (write), for every format alike."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from django.contrib.auth.models import User

from schedules.calendars.rows import Outcome
from schedules.models import AppliedBatch, Course, ScheduleEvent, TimetableVersion
from schedules.presentation.shapes.imports import ImportReport
from schedules.selectors import semester_named
from schedules.services.courses.course_book import CourseBook
from schedules.services.courses.judging import Report, judge_rows
from schedules.services.images.change import TimetableChange
from schedules.services.images.courses import course_image, insert_courses
from schedules.services.images.kind import Pair, Timetable
from schedules.services.images.lessons import new_lesson
from schedules.services.lock import timetable_lock
from schedules.services.terms.effects import effects_of, follow_calendar
from schedules.services.terms.standing_rows import Standing
from taskclasses.kernel.database.transactions import run_transaction


def courses_import(
    *,
    user: User,
    rows: Sequence[Outcome],
    semester_id: int | None = None,
    dry_run: bool = True,
    skip_invalid: bool = False,
    whole: bool = False,
    mends: Collection[str] = (),
    keep_changes: bool = True,
    locale: str = "zh",
) -> ImportReport:
    """Imports course rows, with those of the offered mends that are named.

    A dry run answers the same, writes nothing and never refuses. Writing is all or nothing (40019 for rows that cannot
    be understood, 40026 for conflicts) or, with `skip_invalid`, leaves bad rows out. `whole` says that the rows are a
    whole timetable: `missing` then lists what was imported before and is not among them. Nothing is ever deleted.
    `changes` lists the lessons that the student moved, cancelled or gave another room and that the rows name: they stay
    so unless `keep_changes` is false.
    """

    def effect() -> ImportReport:
        semester = semester_named(user.pk, semester_id)
        version = None if dry_run else timetable_lock(user_id=user.pk, semester=semester)
        standing = Standing.load(user, semester)
        report = judge_rows(standing, rows, taken=mends, whole=whole, keep_changes=keep_changes, locale=locale)
        if version is not None:
            if not skip_invalid:
                report.refuse()
            if report.accepted or report.returning:
                report.batch = _write(user, version, standing, report)
        return report.to_json(dry_run)

    return run_transaction(effect)


def _write(user: User, version: TimetableVersion, standing: Standing, report: Report) -> AppliedBatch:
    semester = version.semester
    images = [course_image(course) for course in Course.objects.filter(user=user, semester=semester).order_by("pk")]
    book = CourseBook(images)
    for row, _ in report.accepted:
        book.name(row)
    made = iter(insert_courses(Timetable(user.pk, semester), book.new))
    for image in book.new:
        image.update(next(made))
    new: list[Pair] = [
        (None, new_lesson(row, place, course=book.course_of(row), source=ScheduleEvent.Source.IMPORT))
        for row, place in report.accepted
    ]
    pairs = follow_calendar(standing, [*new, *report.returning], standing.term)
    effects = effects_of(standing, pairs)
    report.released = effects.released
    courses = [*((None, image) for image in book.new), *book.filled]
    change = TimetableChange({"courses": courses, "lessons": pairs}, dict.fromkeys(effects.released))
    return change.write(version=version, source=AppliedBatch.Source.IMPORT)
