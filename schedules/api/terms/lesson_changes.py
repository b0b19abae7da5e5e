"""Single lessons that the student moved, cancelled, added or gave another room."""

from __future__ import annotations

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from schedules.api.courses import TRIAL
from schedules.api.semester_query import SEMESTER, semester_of
from schedules.api.terms.bodies import LessonChangeBody
from schedules.presentation.terms import lesson_change_json
from schedules.selectors import changed_lessons
from schedules.services import lesson_change, lesson_change_revert
from schedules.terms.shapes import LessonChangeObject, LessonWrite
from taskclasses.kernel.answers import answers
from taskclasses.kernel.rest import PAGES, ApiView, query_bool
from taskclasses.shapes import Page


class LessonChangesView(ApiView):
    @extend_schema(operation_id="schedule_lesson_change_list", parameters=[*PAGES, SEMESTER])
    @answers(Page[LessonChangeObject], 40041)
    def get(self, request: Request) -> HttpResponse:
        rows = changed_lessons(user_id=self.user(request).pk, semester=semester_of(request))
        return self.page(request, rows, lesson_change_json)

    @extend_schema(operation_id="schedule_lesson_change_create", parameters=[TRIAL])
    @answers(LessonWrite, 40026, 40031, 40042, 40049, body=LessonChangeBody)
    def post(self, request: Request) -> HttpResponse:
        user, values = self.user(request), self.body(request, LessonChangeBody).values()
        trial = query_bool(request._request, "dry_run", default=False)
        return self.commit(request, lambda: lesson_change(user=user, values=values, dry_run=trial).to_json())


class LessonChangeView(ApiView):
    @extend_schema(operation_id="schedule_lesson_change_delete", parameters=[TRIAL])
    @answers(LessonWrite, 40026, 40052)
    def delete(self, request: Request, event_id: int) -> HttpResponse:
        user, trial = self.user(request), query_bool(request._request, "dry_run", default=False)

        def effect() -> LessonWrite:
            return lesson_change_revert(user=user, event_id=event_id, dry_run=trial).to_json()

        return self.commit(request, effect)
