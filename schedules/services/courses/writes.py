"""Courses by hand: made, replaced, merged."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User

from schedules.calendars.json_courses import rows_of_document
from schedules.calendars.patterns import weeks_in_words
from schedules.calendars.rows import CourseRow, RowError
from schedules.models import COLORS, AppliedBatch, Course, ScheduleEvent, Semester, TimetableVersion
from schedules.planner.grid import Place, week_and_weekday
from schedules.selectors import course_get, semester_named
from schedules.services.courses.change import CourseChange, Standing, clash, find_blocker, places_of, taken_cells
from schedules.services.courses.lessons import Image, Lessons, Pair, course_image, is_moved, new_lesson
from schedules.services.lock import timetable_lock
from schedules.services.seats import embedded_time
from taskclasses.kernel.errors import CodedError, bad_request, too_large
from taskclasses.kernel.transactions import run_transaction
from taskclasses.shapes import Blocker, Conflict, ImportRow

COURSES_MAX = 500
"""Courses of one student in one semester."""


@dataclass(frozen=True, kw_only=True)
class CourseValues:
    """A course as the JSON form of courses tells it; each arrangement is one weekly meeting."""

    name: str
    teacher: str = ""
    location: str = ""
    color_index: int | None = None
    can_be_embedded: bool = False
    note: str = ""
    arrangements: Sequence[Any] = ()


@dataclass(frozen=True)
class Written:
    """A course after a write, or before it when it was a trial."""

    course: Course
    batch: AppliedBatch | None
    released: Sequence[int]
    lessons: Sequence[Pair]


def course_create(*, user: User, values: CourseValues, semester_id: int | None = None, locale: str = "zh") -> Written:
    """Makes a course with its lessons. 40005, 40006, 40019 for meetings that cannot be understood, 40026, 40041."""

    def effect() -> Written:
        semester = semester_named(user.pk, semester_id)
        version = timetable_lock(user_id=user.pk, semester=semester)
        rows = _rows_of(values, semester, locale)
        mine = Course.objects.filter(user=user, semester=semester)
        if mine.count() >= COURSES_MAX:
            raise too_large("courses", COURSES_MAX)
        lessons = _refuse_conflicts(rows, taken_cells(Standing.load(user, semester).events))
        image = _image_of(values, free_color(mine.values_list("color_index", flat=True)))
        course = Lessons(user.pk, semester).insert_courses([image])[0]
        made = [
            (None, new_lesson(row, place, course=course, source=ScheduleEvent.Source.MANUAL))
            for place, row in lessons.items()
        ]
        change = CourseChange([(None, course)], made)
        batch = change.write(user=user, version=version, source=AppliedBatch.Source.COURSE_CREATE)
        return Written(Course.objects.get(pk=course["id"]), batch, [], made)

    return run_transaction(effect)


def course_replace(
    *, user: User, course_id: int, values: CourseValues, dry_run: bool = False, locale: str = "zh"
) -> Written:
    """Gives a course other values and meetings; lessons that stay keep their ids and guests.

    A lesson that moves, goes or takes no guests any more releases its guest. A dry run tells what would happen and
    refuses as the write would. 40005, 40019, 40026, 40042.
    """

    def effect() -> Written:
        course, version = lock_course(user, course_id)
        rows = _rows_of(values, version.semester, locale)
        standing = Standing.load(user, version.semester)
        own = [event for event in standing.events if event.course_id == course.pk]
        wanted = _refuse_conflicts(
            rows, taken_cells(event for event in standing.events if event.course_id != course.pk)
        )
        after = {"id": course.pk, **_image_of(values, course.color_index)}
        pairs = _pairs(standing, own, wanted, after)
        leaving = {before["id"] for before, image in pairs if before is not None and _lifts_guest(before, image)}
        released = standing.guests_of(event for event in own if event.pk in leaving)
        if dry_run:
            return Written(course, None, released, pairs)
        change = CourseChange([(course_image(course), after)], pairs, released)
        batch = change.write(user=user, version=version, source=AppliedBatch.Source.COURSE_REPLACE)
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
        images = [standing.image(event) for event in standing.events if event.course_id == other.pk]
        pairs: list[Pair] = [(image, {**image, "course_id": course.pk}) for image in images]
        kept = course_image(course)
        change = CourseChange([(kept, kept), (course_image(other), None)], pairs)
        batch = change.write(user=user, version=version, source=AppliedBatch.Source.COURSE_MERGE)
        return Written(course, batch, [], pairs)

    return run_transaction(effect)


def lock_course(user: User, course_id: int) -> tuple[Course, TimetableVersion]:
    """A course of the student's under the lock; 40042."""
    version = timetable_lock(user_id=user.pk, semester=course_get(user.pk, course_id).semester)
    # Whoever held the lock before may have changed or deleted it.
    return course_get(user.pk, course_id), version


def free_color(used: Iterable[int]) -> int:
    """The first of the least used places in the row of colours."""
    counts = Counter(used)
    return min(range(COLORS), key=lambda color: (counts[color], color))


def _rows_of(values: CourseValues, semester: Semester, locale: str) -> list[CourseRow]:
    if not values.name.strip():
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
    faults: list[ImportRow] = [
        {"row": row.row, "status": "invalid", "code": row.code, "message": row.sentence(locale), "events": 0}
        for row in rows
        if isinstance(row, RowError)
    ]
    if faults:
        raise CodedError(40019, {"rows": faults})
    return [row for row in rows if isinstance(row, CourseRow)]


def _refuse_conflicts(rows: Sequence[CourseRow], taken: dict[Any, Blocker]) -> dict[Place, CourseRow]:
    """The places of all meetings with their rows; 40026 for those that others have or that two rows want."""
    lessons: dict[Place, CourseRow] = {}
    conflicts: list[Conflict] = []
    for row in rows:
        for place in places_of(row):
            blocker = find_blocker(place, taken)
            if blocker is not None:
                conflicts.append(clash(row, place, blocker))
                continue
            lessons[place] = row
            own: Blocker = {"event_id": 0, "task_item_id": 0, "name": row.course_name, "type": "course"}
            taken |= {(place.day, section): own for section in place.sections}
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


def _pairs(
    standing: Standing, own: Sequence[ScheduleEvent], wanted: dict[Place, CourseRow], course: Image
) -> list[Pair]:
    """Each lesson with what becomes of it: it stays where it is, else it moves within its week, else it goes."""
    left = dict(wanted)
    target = {event.pk: event.place for event in own if left.pop(event.place, None) is not None}
    by_week: dict[int, list[Place]] = defaultdict(list)
    for place in left:
        by_week[week_and_weekday(place.day)[0]].append(place)
    for event in own:
        if event.pk not in target and by_week[event.week]:
            target[event.pk] = by_week[event.week].pop(0)
            del left[target[event.pk]]
    pairs: list[Pair] = []
    for event in own:
        before, after = standing.image(event), None
        if event.pk in target:
            place = target[event.pk]
            row = wanted[place]
            words = {"name": course["name"], "location": row.location, "pattern": weeks_in_words(row.weeks)}
            after = {**before, **words, "can_be_embedded": row.is_allow_tasks, **embedded_time(place)}
        pairs.append((before, after))
    return [
        *pairs,
        *(
            (None, new_lesson(row, place, course=course, source=ScheduleEvent.Source.MANUAL))
            for place, row in left.items()
        ),
    ]


def _lifts_guest(before: Image, after: Image | None) -> bool:
    """The lesson moves, goes or takes no guests any more."""
    return after is None or not after["can_be_embedded"] or is_moved(before, after)
