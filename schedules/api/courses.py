"""Courses of a semester: list, make, replace, delete, merge."""

from __future__ import annotations

from collections.abc import Sequence

from django.http import HttpResponse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request

from schedules.api.semester_query import SEMESTER, semester_id_of, semester_of
from schedules.models import Course
from schedules.presentation.shapes.courses import CourseObject, DeletedLessons, WrittenCourse
from schedules.presentation.timetable import course_json
from schedules.selectors import course_get, course_lessons, courses_of
from schedules.serializers import CourseBody, MergeBody
from schedules.services import course_create, course_delete, course_merge, course_replace
from schedules.services.courses.deletion import Deleted
from schedules.services.courses.writes import Written
from taskclasses.kernel.answers import answers
from taskclasses.kernel.envelope import locale_of, ok
from taskclasses.kernel.rest import PAGES, ApiView, query_bool
from taskclasses.shapes import Page

TRIAL = OpenApiParameter("dry_run", bool, description="tell what would happen and write nothing")


def deleted_json(deleted: Deleted) -> DeletedLessons:
    return {
        "batch_id": deleted.batch.pk if deleted.batch else None,
        "released_task_item_ids": list(deleted.released),
        "lessons": deleted.lessons,
        "course_ids": list(deleted.course_ids),
    }


def _show_courses(courses: Sequence[Course], locale: str) -> list[CourseObject]:
    lessons = course_lessons(courses)
    return [course_json(course, lessons[course.pk], locale=locale) for course in courses]


def _written_json(written: Written, locale: str) -> WrittenCourse:
    pairs = written.lessons
    return {
        "course": _show_courses([written.course], locale)[0],
        "batch_id": written.batch.pk if written.batch else None,
        "released_task_item_ids": list(written.released),
        "added": sum(before is None for before, _ in pairs),
        "changed": sum(None not in pair and pair[0] != pair[1] for pair in pairs),
        "removed": sum(after is None for _, after in pairs),
    }


class CoursesView(ApiView):
    @extend_schema(operation_id="schedule_course_list", parameters=[*PAGES, SEMESTER])
    @answers(Page[CourseObject], 40041)
    def get(self, request: Request) -> HttpResponse:
        rows = courses_of(user_id=self.user(request).pk, semester=semester_of(request))
        locale = locale_of(request._request)
        return self.page(request, rows, show_all=lambda courses: _show_courses(courses, locale))

    @extend_schema(operation_id="schedule_course_create", parameters=[SEMESTER])
    @answers(WrittenCourse, 40019, 40026, 40041, body=CourseBody)
    def post(self, request: Request) -> HttpResponse:
        user, values = self.user(request), self.body(request, CourseBody).values()
        named, locale = semester_id_of(request._request), locale_of(request._request)

        def effect() -> WrittenCourse:
            made = course_create(user=user, values=values, semester_id=named, locale=locale)
            return _written_json(made, locale)

        return self.commit(request, effect)


class CourseView(ApiView):
    @extend_schema(operation_id="schedule_course_get")
    @answers(CourseObject, 40042)
    def get(self, request: Request, course_id: int) -> HttpResponse:
        course = course_get(self.user(request).pk, course_id)
        return ok(_show_courses([course], locale_of(request._request))[0])

    @extend_schema(operation_id="schedule_course_replace", parameters=[TRIAL])
    @answers(WrittenCourse, 40019, 40026, 40042, body=CourseBody)
    def put(self, request: Request, course_id: int) -> HttpResponse:
        user, values = self.user(request), self.body(request, CourseBody).values()
        trial, locale = query_bool(request._request, "dry_run", default=False), locale_of(request._request)

        def effect() -> WrittenCourse:
            done = course_replace(user=user, course_id=course_id, values=values, dry_run=trial, locale=locale)
            return _written_json(done, locale)

        return self.commit(request, effect)

    @extend_schema(operation_id="schedule_course_delete", parameters=[TRIAL])
    @answers(DeletedLessons, 40042)
    def delete(self, request: Request, course_id: int) -> HttpResponse:
        user, trial = self.user(request), query_bool(request._request, "dry_run", default=False)
        return self.commit(request, lambda: deleted_json(course_delete(user=user, course_id=course_id, dry_run=trial)))


class CourseMergeView(ApiView):
    @extend_schema(operation_id="schedule_course_merge")
    @answers(WrittenCourse, 40042, body=MergeBody)
    def post(self, request: Request, course_id: int) -> HttpResponse:
        user, other_id = self.user(request), self.body(request, MergeBody).course_id
        locale = locale_of(request._request)

        def effect() -> WrittenCourse:
            return _written_json(course_merge(user=user, course_id=course_id, other_id=other_id), locale)

        return self.commit(request, effect)
