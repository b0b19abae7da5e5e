"""How far the student is: marks of items, the way the past counts, figures per class."""

from __future__ import annotations

from django.http import HttpResponse
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from schedules.api.semester_query import SEMESTER, semester_of
from schedules.presentation.shapes.progress import MarkedItems, ProgressReport, ProgressSettings
from schedules.progress.bodies import MarkBody, MarksBody, ProgressSettingsBody
from schedules.progress.book import rule_of
from schedules.progress.statistics import progress_report
from schedules.services import items_mark, progress_rule_set
from taskclasses.kernel.answers import answers
from taskclasses.kernel.envelope import ok
from taskclasses.kernel.rest import ApiView


class ItemProgressView(ApiView):
    @extend_schema(operation_id="schedule_task_item_mark")
    @answers(MarkedItems, 40036, 40090, body=MarkBody)
    def post(self, request: Request, task_item_id: int) -> HttpResponse:
        user, wish = self.user(request), self.body(request, MarkBody).wish(task_item_id)
        return self.commit(request, lambda: items_mark(user=user, marks=[wish], now=timezone.now()))


class ProgressView(ApiView):
    @extend_schema(operation_id="schedule_progress", parameters=[SEMESTER])
    @answers(ProgressReport, 40041)
    def get(self, request: Request) -> HttpResponse:
        user_id, semester = self.user(request).pk, semester_of(request)
        return ok(progress_report(user_id=user_id, semester=semester, now=timezone.now()))

    @extend_schema(operation_id="schedule_progress_mark")
    @answers(MarkedItems, 40036, 40062, 40090, body=MarksBody)
    def post(self, request: Request) -> HttpResponse:
        user, marks = self.user(request), self.body(request, MarksBody).wishes()
        return self.commit(request, lambda: items_mark(user=user, marks=marks, now=timezone.now()))


class ProgressSettingsView(ApiView):
    @extend_schema(operation_id="schedule_progress_settings")
    @answers(ProgressSettings)
    def get(self, request: Request) -> HttpResponse:
        rule = rule_of(self.user(request).pk)
        settings: ProgressSettings = {"mode": rule.mode, "grace_hours": int(rule.grace.total_seconds() // 3600)}
        return ok(settings)

    @extend_schema(operation_id="schedule_progress_settings_replace")
    @answers(ProgressSettings, body=ProgressSettingsBody)
    def put(self, request: Request) -> HttpResponse:
        user, body = self.user(request), self.body(request, ProgressSettingsBody)
        return self.commit(request, lambda: progress_rule_set(user=user, mode=body.mode, grace_hours=body.grace_hours))
