"""The semesters of a student: shared ones and those of their own, and the choice among them."""

from __future__ import annotations

from django.http import HttpResponse
from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request

from schedules.models import Semester
from schedules.presentation.shapes.semesters import SemesterObject
from schedules.presentation.timetable import semester_json
from schedules.selectors import semester_current, semesters_of
from schedules.serializers import CurrentSemesterBody, SemesterBody
from schedules.services import semester_choose, semester_create, semester_delete, semester_replace
from taskclasses.kernel.answers import answers
from taskclasses.kernel.rest import PAGES, ApiView, query_bool
from taskclasses.shapes import Page


def _describe_semester(user_id: int, semester: Semester) -> SemesterObject:
    return semester_json(semester, current_id=semester_current(user_id).pk, now=timezone.now())


class SemestersView(ApiView):
    @extend_schema(operation_id="schedule_semester_list", parameters=PAGES)
    @answers(Page[SemesterObject])
    def get(self, request: Request) -> HttpResponse:
        user_id, now = self.user(request).pk, timezone.now()
        current = semester_current(user_id).pk
        return self.page(request, semesters_of(user_id), lambda row: semester_json(row, current_id=current, now=now))

    @extend_schema(operation_id="schedule_semester_create")
    @answers(SemesterObject, body=SemesterBody)
    def post(self, request: Request) -> HttpResponse:
        user, values = self.user(request), self.body(request, SemesterBody).values()
        return self.commit(request, lambda: _describe_semester(user.pk, semester_create(user=user, values=values)))


class OwnSemesterView(ApiView):
    @extend_schema(operation_id="schedule_semester_replace")
    @answers(SemesterObject, 40041, 40078, body=SemesterBody)
    def put(self, request: Request, semester_id: int) -> HttpResponse:
        user, values = self.user(request), self.body(request, SemesterBody).values()

        def effect() -> SemesterObject:
            return _describe_semester(user.pk, semester_replace(user=user, semester_id=semester_id, values=values))

        return self.commit(request, effect)

    @extend_schema(operation_id="schedule_semester_delete", parameters=[OpenApiParameter("release", bool)])
    @answers(None, 40041, 40078)
    def delete(self, request: Request, semester_id: int) -> HttpResponse:
        user, release = self.user(request), query_bool(request._request, "release", default=False)
        return self.commit(request, lambda: semester_delete(user=user, semester_id=semester_id, release=release))


class CurrentSemesterView(ApiView):
    @extend_schema(operation_id="schedule_semester_choose")
    @answers(SemesterObject, 40041, body=CurrentSemesterBody)
    def put(self, request: Request) -> HttpResponse:
        user, semester_id = self.user(request), self.body(request, CurrentSemesterBody).semester_id
        return self.commit(
            request, lambda: _describe_semester(user.pk, semester_choose(user=user, semester_id=semester_id))
        )
