"""Courses by hand: made, replaced, merged."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User
from django.utils import timezone

from schedules.calendars.json_courses import rows_of_document
from schedules.calendars.patterns import weeks_in_words
from schedules.calendars.rows import CourseRow, RowError
from schedules.models import COURSE_COLORS, AppliedBatch, Course, ScheduleEvent, Semester, TimetableVersion
from schedules.planner.grid import Cell, Place, week_and_weekday
from schedules.selectors import course_get, semester_named
from schedules.services.courses.clashes import Clashes, places_of
from schedules.services.courses.judging import error_json
from schedules.services.images.change import TimetableChange
from schedules.services.images.courses import course_image, insert_courses
from schedules.services.images.kind import Image, Pair, Timetable
from schedules.services.images.lessons import new_lesson, place_of_lesson
from schedules.services.lock import timetable_lock
from schedules.services.placement.seats import embedded_time
from schedules.services.terms.effects import effects_of, follow_calendar
from schedules.services.terms.standing_rows import Standing
from schedules.terms.lessons import pattern_of, replan
from taskclasses.kernel.database.transactions import run_transaction
from taskclasses.kernel.errors import CodedError, bad_request, too_large
from taskclasses.seals import choose_color
from taskclasses.shapes import Conflict
from taskclasses.spec import is_blank

COURSES_MAX = 500
"""Courses of one student in one semester."""


@dataclass(frozen=True, kw_only=True)
class CourseValues:
    """Holds a course as the JSON form of courses tells it; each arrangement is one weekly meeting."""

    name: str
    teacher: str = ""
    location: str = ""
    color_index: int | None = None
    can_be_embedded: bool = False
    note: str = ""
    arrangements: Sequence[Any] = ()


@dataclass(frozen=True)
class Written:
    """Holds a course after a write, or before it when it was a trial."""

    course: Course
    batch: AppliedBatch | None
    released: Sequence[int]
    lessons: Sequence[Pair]


def course_create(
    *,
    user: User,
    values: CourseValues,
    semester_id: int | None = None,
    make_way: bool = False,
    dry_run: bool = False,
    locale: str = "zh",
) -> Written:
    """Makes a course with its lessons. 40005, 40006, 40019 for meetings that cannot be understood, 40026, 40041.

    With `make_way` items still to come leave the places that its lessons take. A dry run tells what would happen.
    """

    def effect() -> Written:
        semester = semester_named(user.pk, semester_id)
        version = timetable_lock(user_id=user.pk, semester=semester)
        rows = _rows_of(values, semester, locale)
        mine = Course.objects.filter(user=user, semester=semester)
        if mine.count() >= COURSES_MAX:
            raise too_large("courses", COURSES_MAX)
        standing = Standing.load(user, semester)
        lessons = _refuse_conflicts(rows, standing, way_from=_way_from(standing, make_way=make_way))
        image = _image_of(values, choose_color(mine.values_list("color_index", flat=True), COURSE_COLORS))
        table = Timetable(user.pk, semester)
        course = {**image, "id": None} if dry_run else insert_courses(table, [image])[0]
        made: list[Pair] = [
            (None, new_lesson(row, place, course=course, source=ScheduleEvent.Source.MANUAL))
            for place, row in lessons.items()
        ]
        made = follow_calendar(standing, made, standing.term)
        effects = effects_of(standing, made)
        if dry_run:
            return Written(Course(user=user, semester=semester, name=image["name"]), None, effects.released, made)
        change = TimetableChange({"courses": [(None, course)], "lessons": made}, dict.fromkeys(effects.released))
        batch = change.write(version=version, source=AppliedBatch.Source.COURSE_CREATE)
        return Written(Course.objects.get(pk=course["id"]), batch, effects.released, made)

    return run_transaction(effect)


def course_replace(
    *,
    user: User,
    course_id: int,
    values: CourseValues,
    make_way: bool = False,
    dry_run: bool = False,
    locale: str = "zh",
) -> Written:
    """Gives a course other values and meetings; lessons that stay keep their ids and guests.

    A lesson that moves, goes or takes no guests any more releases its guest; `make_way` as for a new course. A dry run
    tells what would happen and refuses as the write would. 40005, 40019, 40026, 40042.
    """

    def effect() -> Written:
        course, version = lock_course(user, course_id)
        meetings = _rows_of(values, version.semester, locale)
        standing = Standing.load(user, version.semester)
        own = [image for image in standing.lessons.values() if image["course_id"] == course.pk]
        leaving, way_from = frozenset(image["id"] for image in own), _way_from(standing, make_way=make_way)
        wanted = _refuse_conflicts(meetings, standing, leaving=leaving, way_from=way_from)
        after = {"id": course.pk, **_image_of(values, course.color_index)}
        pairs = follow_calendar(standing, _pairs(own, wanted, after), standing.term)
        released = effects_of(standing, pairs).released
        if dry_run:
            return Written(course, None, released, pairs)
        # A lesson that stays as it is is in nobody's way when this is undone.
        changed = [pair for pair in pairs if pair[0] != pair[1]]
        change = TimetableChange(
            {"courses": [(course_image(course), after)], "lessons": changed}, dict.fromkeys(released)
        )
        batch = None if change.is_empty else change.write(version=version, source=AppliedBatch.Source.COURSE_REPLACE)
        return Written(Course.objects.get(pk=course.pk), batch, released, pairs)

    return run_transaction(effect)


def course_merge(*, user: User, course_id: int, other_id: int) -> Written:
    """Gives the lessons of another course of the same name and semester to this one and deletes the other.

    40005, 40042.
    """

    def effect() -> Written:
        course, version = lock_course(user, course_id)
        other = course_get(user.pk, other_id)
        if other.pk == course.pk or (other.name, other.semester_id) != (course.name, course.semester_id):
            raise bad_request("course_id", "只能合并同一学期里同名的另一门课程")
        standing = Standing.load(user, version.semester)
        images = [image for image in standing.lessons.values() if image["course_id"] == other.pk]
        moved: list[Pair] = [(image, {**image, "course_id": course.pk}) for image in images]
        pairs = follow_calendar(standing, moved, standing.term)
        released = effects_of(standing, pairs).released
        kept = course_image(course)
        courses: list[Pair] = [(kept, kept), (course_image(other), None)]
        change = TimetableChange({"courses": courses, "lessons": pairs}, dict.fromkeys(released))
        batch = change.write(version=version, source=AppliedBatch.Source.COURSE_MERGE)
        return Written(course, batch, released, pairs)

    return run_transaction(effect)


def lock_course(user: User, course_id: int) -> tuple[Course, TimetableVersion]:
    """Locks and returns a course of the student's; 40042."""
    version = timetable_lock(user_id=user.pk, semester=course_get(user.pk, course_id).semester)
    # Whoever held the lock before may have changed or deleted it.
    return course_get(user.pk, course_id), version


def _rows_of(values: CourseValues, semester: Semester, locale: str) -> list[CourseRow]:
    if is_blank(values.name):
        raise bad_request("course_name", "不能为空")
    if not values.arrangements:
        return []
    document = {
        "course_name": values.name,
        "teacher": values.teacher,
        "location": values.location,
        "is_allow_tasks": values.can_be_embedded,
        "arrangements": values.arrangements,
    }
    rows = list(rows_of_document({"courses": [document]}, semester.calendar.grid))
    faults = [error_json(row, locale) for row in rows if isinstance(row, RowError)]
    if faults:
        raise CodedError(40019, {"rows": faults})
    return [row for row in rows if isinstance(row, CourseRow)]


def _way_from(standing: Standing, *, make_way: bool) -> Cell | None:
    """Returns the section from which on items make way for lessons: the present one; None where none does."""
    return standing.semester.calendar.now_cell(timezone.now()) if make_way else None


def _refuse_conflicts(
    rows: Sequence[CourseRow],
    standing: Standing,
    *,
    leaving: frozenset[int] = frozenset(),
    way_from: Cell | None = None,
) -> dict[Place, CourseRow]:
    """Returns the places of all meetings with their rows; 40026 for those that others have or that two rows want."""
    wanted = [(row, place) for row in rows for place in places_of(row)]
    clashes = Clashes(standing, wanted, leaving=leaving, way_from=way_from)
    lessons: dict[Place, CourseRow] = {}
    conflicts: list[Conflict] = []
    for row, place in wanted:
        found = clashes.find(row, place)
        if found is not None:
            conflicts.append(found)
            continue
        lessons[place] = row
        clashes.add(row, place)
    if conflicts:
        raise CodedError(40026, {"conflicts": conflicts})
    return lessons


def _image_of(values: CourseValues, color_index: int) -> Image:
    chosen = color_index if values.color_index is None else values.color_index
    return {
        "name": values.name.strip(),
        "teacher": values.teacher.strip(),
        "location": values.location.strip(),
        "color_index": chosen,
        "can_be_embedded": values.can_be_embedded,
        "note": values.note,
    }


def _pairs(own: Sequence[Image], wanted: dict[Place, CourseRow], course: Image) -> list[Pair]:
    """Returns each lesson with what becomes of it in the pattern: it stays, else it moves within its week, else it
    goes.

    A lesson that no pattern has stays as it is: an added one, an extra one of a make-up day.
    """
    homes = {lesson["id"]: place_of_lesson(home) for lesson in own if (home := pattern_of(lesson)) is not None}
    left = dict(wanted)
    target = {pk: place for pk, place in homes.items() if left.pop(place, None) is not None}
    by_week: dict[int, list[Place]] = defaultdict(list)
    for place in left:
        by_week[week_and_weekday(place.day)[0]].append(place)
    for pk, planned in homes.items():
        week = week_and_weekday(planned.day)[0]
        if pk not in target and by_week[week]:
            target[pk] = by_week[week].pop(0)
            del left[target[pk]]
    pairs: list[Pair] = []
    for before in own:
        stays = target.get(before["id"])
        if stays is not None:
            pairs.append((before, _as_row(before, stays, wanted[stays], course)))
        elif before["id"] in homes:
            pairs.append((before, None))
        else:
            pairs.append((before, {**before, "name": course["name"], "can_be_embedded": course["can_be_embedded"]}))
    new = ((place, row) for place, row in left.items())
    made = (new_lesson(row, place, course=course, source=ScheduleEvent.Source.MANUAL) for place, row in new)
    return [*pairs, *((None, lesson) for lesson in made)]


def _as_row(lesson: Image, place: Place, row: CourseRow, course: Image) -> Image:
    words = {"name": course["name"], "pattern": weeks_in_words(row.weeks), "can_be_embedded": row.is_allow_tasks}
    return replan({**lesson, **words}, embedded_time(place), row.location)
