"""The clock of the admin: that of the shared semester, which is the one on the wall of its readers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils import timezone
from django.utils.deprecation import MiddlewareMixin

from schedules.models import Semester
from schedules.terms.semester_values import known_zones


class AdminClockMiddleware(MiddlewareMixin):
    """Shows the moments of the admin's pages, and reads those of its forms and filters, by the clock of the semester.

    By that of the server a lesson at 16:15 began at 08:15.
    """

    def process_view(self, request: HttpRequest, view: Callable[..., Any], args: Any, kwargs: Any) -> None:
        if request.path.startswith(reverse("admin:index")) and request.user.is_authenticated:
            shared = Semester.objects.filter(owner=None).order_by("-is_current", "-first_monday")
            zone = shared.values_list("time_zone", flat=True).first()
            if zone in known_zones():
                timezone.activate(zone)

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        timezone.deactivate()
        return response
