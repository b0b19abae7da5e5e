"""`?semester_id=`: the semester that a request is about, the student's current one unless named."""

from __future__ import annotations

from django.http import HttpRequest
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request

from schedules.models import Semester
from schedules.selectors import semester_named
from taskclasses.kernel.rest import MAX_ID, ApiView, query_int

SEMESTER = OpenApiParameter("semester_id", int, description="default: the student's current semester")


def semester_id_of(request: HttpRequest) -> int | None:
    return query_int(request, "semester_id", default=0, low=1, high=MAX_ID) or None


def semester_of(request: Request) -> Semester:
    """Returns the semester of a request; 40041 for one that is not the student's to use."""
    return semester_named(ApiView.user(request).pk, semester_id_of(request._request))
