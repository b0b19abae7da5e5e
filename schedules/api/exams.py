"""Exams of a semester, and the semester as a whole."""

from __future__ import annotations

from django.http import HttpResponse
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from schedules.api.courses import TRIAL
from schedules.api.semester_query import SEMESTER, semester_id_of, semester_of
from schedules.exams.answers import exams_shown, written_exam_shown
from schedules.exams.bodies import ExamBody
from schedules.exams.reads import exam_get, exams_of
from schedules.exams.shapes import ExamObject, TermOverview, WrittenExamObject
from schedules.exams.term import term_overview
from schedules.services.exams import exam_create, exam_delete, exam_replace
from taskclasses.kernel.answers import answers
from taskclasses.kernel.envelope import ok
from taskclasses.kernel.rest import PAGES, ApiView, query_bool
from taskclasses.shapes import Page


class ExamsView(ApiView):
    @extend_schema(operation_id="schedule_exam_list", parameters=[*PAGES, SEMESTER])
    @answers(Page[ExamObject], 40041)
    def get(self, request: Request) -> HttpResponse:
        rows = exams_of(user_id=self.user(request).pk, semester=semester_of(request))
        return self.page(request, rows, show_all=exams_shown)

    @extend_schema(operation_id="schedule_exam_create", parameters=[SEMESTER, TRIAL])
    @answers(WrittenExamObject, 40041, 40042, body=ExamBody)
    def post(self, request: Request) -> HttpResponse:
        user, values = self.user(request), self.body(request, ExamBody).values()
        named, trial = semester_id_of(request._request), query_bool(request._request, "dry_run", default=False)

        def effect() -> WrittenExamObject:
            return written_exam_shown(exam_create(user=user, values=values, semester_id=named, dry_run=trial))

        return self.commit(request, effect)


class ExamView(ApiView):
    @extend_schema(operation_id="schedule_exam_get")
    @answers(ExamObject, 40047)
    def get(self, request: Request, exam_id: int) -> HttpResponse:
        return ok(exams_shown([exam_get(self.user(request).pk, exam_id)])[0])

    @extend_schema(operation_id="schedule_exam_replace", parameters=[TRIAL])
    @answers(WrittenExamObject, 40042, 40047, body=ExamBody)
    def put(self, request: Request, exam_id: int) -> HttpResponse:
        user, values = self.user(request), self.body(request, ExamBody).values()
        trial = query_bool(request._request, "dry_run", default=False)

        def effect() -> WrittenExamObject:
            return written_exam_shown(exam_replace(user=user, exam_id=exam_id, values=values, dry_run=trial))

        return self.commit(request, effect)

    @extend_schema(operation_id="schedule_exam_delete", parameters=[TRIAL])
    @answers(WrittenExamObject, 40047)
    def delete(self, request: Request, exam_id: int) -> HttpResponse:
        user, trial = self.user(request), query_bool(request._request, "dry_run", default=False)
        return self.commit(request, lambda: written_exam_shown(exam_delete(user=user, exam_id=exam_id, dry_run=trial)))


class TermView(ApiView):
    @extend_schema(operation_id="schedule_term", parameters=[SEMESTER])
    @answers(TermOverview, 40041)
    def get(self, request: Request) -> HttpResponse:
        user_id, semester = self.user(request).pk, semester_of(request)
        shown = exams_shown(list(exams_of(user_id=user_id, semester=semester)))
        return ok(term_overview(user_id=user_id, semester=semester, exams=shown, now=timezone.now()))
