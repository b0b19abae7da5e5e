"""Import of courses: rows -> mends -> judgement -> report -> (write), for every format alike."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from django.contrib.auth.models import User

from schedules.calendars.rows import Outcome
from schedules.models import AppliedBatch, Course, ScheduleEvent, TimetableVersion
from schedules.presentation.shapes.imports import ImportReport
from schedules.selectors import semester_named
from schedules.services.courses.course_book import CourseBook
from schedules.services.courses.course_names import keep_names
from schedules.services.courses.judging import Report, judge_rows
from schedules.services.images.change import TimetableChange
from schedules.services.images.courses import course_image, insert_courses
from schedules.services.images.kind import Image, Pair, Timetable
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
    replace: bool = False,
    keep_changes: bool = True,
    locale: str = "zh",
) -> ImportReport:
    """Imports course rows, with those of the offered mends that are named.

    A dry run answers the same, writes nothing and never refuses. Writing is all or nothing (40019 for rows that cannot
    be understood, 40026 for conflicts) or, with `skip_invalid`, leaves bad rows out. `moved` and `gone` tell what the
    rows have elsewhere and no more of earlier imports, `teachers` who teaches a course now: with `replace` it becomes
    so, without nothing is deleted. What the student typed and items on the timetable stay, but for guests of lessons
    that move or go. `whole` says that the rows are a whole timetable: `missing` then lists what was imported before, is
    not among them and stays.
    `changes` lists the lessons that the student moved, cancelled or gave another room and that the rows name: they stay
    so unless `keep_changes` is false.
    """

    def effect() -> ImportReport:
        semester = semester_named(user.pk, semester_id)
        version = None if dry_run else timetable_lock(user_id=user.pk, semester=semester)
        standing = Standing.load(user, semester)
        courses = Course.objects.filter(user=user, semester=semester).order_by("pk")
        images = [course_image(course) for course in courses]
        meant = keep_names(user, semester, images, rows)
        report = judge_rows(
            standing, images, meant, taken=mends, whole=whole, replace=replace, keep_changes=keep_changes, locale=locale
        )
        if version is not None:
            if not skip_invalid:
                report.refuse()
            if report.new or report.changing or (replace and report.teachers):
                report.batch = _write(user, version, standing, images, report)
        return report.to_json(dry_run)

    return run_transaction(effect)


def _write(
    user: User, version: TimetableVersion, standing: Standing, images: Sequence[Image], report: Report
) -> AppliedBatch:
    renamed = report.teachers if report.replace else []
    taught = {after["id"]: after for _, after in renamed if after is not None}
    book = CourseBook([taught.get(image["id"], image) for image in images])
    for row, _ in report.new:
        book.name(row)
    made = iter(insert_courses(Timetable(user.pk, version.semester), book.new))
    for image in book.new:
        image.update(next(made))
    new: list[Pair] = [
        (None, new_lesson(row, place, course=book.course_of(row), source=ScheduleEvent.Source.IMPORT))
        for row, place in report.new
    ]
    pairs = follow_calendar(standing, [*new, *report.changing], standing.term)
    effects = effects_of(standing, pairs)
    report.released = effects.released
    emptied = _find_emptied(standing, pairs)
    gone: list[Pair] = [(image, None) for image in images if image["id"] in emptied]
    courses = [*((None, image) for image in book.new), *renamed, *book.filled, *gone]
    change = TimetableChange({"courses": courses, "lessons": pairs}, dict.fromkeys(effects.released))
    return change.write(version=version, source=AppliedBatch.Source.IMPORT)


def _find_emptied(standing: Standing, pairs: Sequence[Pair]) -> set[int]:
    """Returns the courses all of whose lessons go."""
    left = {pk: lesson["course_id"] for pk, lesson in standing.lessons.items()}
    going = {left.pop(before["id"]) for before, after in pairs if before is not None and after is None}
    return going - {*left.values(), *(after["course_id"] for _, after in pairs if after is not None), None}
