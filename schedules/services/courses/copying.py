"""The courses of one semester made in another, as who got another calendar for the same term needs them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from django.contrib.auth.models import User

from schedules.models import Course, ScheduleEvent, Semester
from schedules.presentation.shapes.courses import WeeklyMeeting
from schedules.presentation.timetable import course_json
from schedules.selectors import course_lessons, courses_of
from schedules.services.courses.writes import CourseValues, course_create
from taskclasses.kernel.database.transactions import run_transaction


def courses_copy(*, user: User, source: Semester, target: Semester) -> int:
    """Makes the courses of a semester in another with the weekly meetings that it has room for; answers how many.

    What the calendar and the student changed about single lessons stays behind. 40006, 40026.
    """

    def effect() -> int:
        rows = list(courses_of(user_id=user.pk, semester=source))
        lessons = course_lessons(rows)
        for row in rows:
            values = _values(row, lessons[row.pk], target)
            course_create(user=user, values=values, semester_id=target.pk)
        return len(rows)

    return run_transaction(effect)


def _values(row: Course, lessons: Sequence[ScheduleEvent], target: Semester) -> CourseValues:
    meetings = course_json(row, lessons, locale="zh")["arrangements"]
    return CourseValues(
        name=row.name,
        teacher=row.teacher,
        location=row.location,
        color_index=row.color_index,
        can_be_embedded=row.can_be_embedded,
        note=row.note,
        arrangements=list(_fitting(meetings, target)),
    )


def _fitting(meetings: Sequence[WeeklyMeeting], target: Semester) -> Iterator[dict[str, Any]]:
    for one in meetings:
        weeks = [week for week in one["weeks"] if week <= target.weeks]
        if weeks and one["end_section"] <= len(target.section_times):
            yield {
                "weeks": weeks,
                "day_of_week": one["day_of_week"],
                "start_section": one["start_section"],
                "end_section": one["end_section"],
                "location": one["location"],
            }
