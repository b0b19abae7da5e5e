"""The planner without the agent."""

from __future__ import annotations

from django.http import HttpResponse
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from schedules.api.semester_query import SEMESTER, semester_id_of
from schedules.presentation.shapes.placement import Planned
from schedules.serializers import PlanningBody
from schedules.services.planning import smart_planning
from taskclasses.kernel.answers import answers
from taskclasses.kernel.envelope import ok
from taskclasses.kernel.rest import ApiView


class SmartPlanningView(ApiView):
    @extend_schema(operation_id="smart_planning", parameters=[SEMESTER])
    @answers(Planned, 40040, 40041, 40046, body=PlanningBody)
    def post(self, request: Request) -> HttpResponse:
        class_ids = self.body(request, PlanningBody).task_class_ids
        named = semester_id_of(request._request)
        planned = smart_planning(user=self.user(request), class_ids=class_ids, now=timezone.now(), semester_id=named)
        return ok(planned)
