"""The calendar of exceptions of a semester: list, add, change, remove, and public holidays to take over."""

from __future__ import annotations

from django.http import HttpResponse
from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request

from schedules.api.courses import TRIAL
from schedules.api.semester_query import SEMESTER, semester_id_of, semester_of
from schedules.api.terms.bodies import ExceptionBody, ExceptionsBody
from schedules.presentation.terms import exception_json
from schedules.selectors import exceptions_of
from schedules.services import calendar_change, exceptions_propose
from schedules.services.images.exceptions import EXCEPTIONS
from schedules.services.terms.exceptions import CalendarWish
from schedules.terms.shapes import CalendarWrite, ExceptionObject, Proposals
from taskclasses.kernel.answers import answers
from taskclasses.kernel.envelope import locale_of, ok
from taskclasses.kernel.rest import PAGES, ApiView, query_bool
from taskclasses.shapes import Page


def _change(view: ApiView, request: Request, wish: CalendarWish, *, semester_id: int | None = None) -> HttpResponse:
    user, trial = view.user(request), query_bool(request._request, "dry_run", default=False)

    def effect() -> CalendarWrite:
        now = timezone.now()
        return calendar_change(user=user, wish=wish, now=now, semester_id=semester_id, dry_run=trial).to_json()

    return view.commit(request, effect)


class ExceptionsView(ApiView):
    @extend_schema(operation_id="schedule_exception_list", parameters=[*PAGES, SEMESTER])
    @answers(Page[ExceptionObject], 40041)
    def get(self, request: Request) -> HttpResponse:
        rows = exceptions_of(user_id=self.user(request).pk, semester=semester_of(request))
        return self.page(request, rows, lambda row: exception_json(EXCEPTIONS.image(row)))

    @extend_schema(operation_id="schedule_exception_create", parameters=[SEMESTER, TRIAL])
    @answers(CalendarWrite, 40026, 40041, 40051, body=ExceptionsBody)
    def post(self, request: Request) -> HttpResponse:
        wish = CalendarWish(add=[row.values() for row in self.body(request, ExceptionsBody).exceptions])
        return _change(self, request, wish, semester_id=semester_id_of(request._request))


class ExceptionView(ApiView):
    @extend_schema(operation_id="schedule_exception_replace", parameters=[TRIAL])
    @answers(CalendarWrite, 40026, 40050, 40051, body=ExceptionBody)
    def put(self, request: Request, exception_id: int) -> HttpResponse:
        wish = CalendarWish(replace={exception_id: self.body(request, ExceptionBody).values()})
        return _change(self, request, wish)

    @extend_schema(operation_id="schedule_exception_delete", parameters=[TRIAL])
    @answers(CalendarWrite, 40026, 40050)
    def delete(self, request: Request, exception_id: int) -> HttpResponse:
        return _change(self, request, CalendarWish(remove=[exception_id]))


class ProposalsView(ApiView):
    """Answers public holidays and days worked in lieu, beside what the calendar has; one is taken over by adding it."""

    @extend_schema(
        operation_id="schedule_exception_proposals",
        parameters=[
            OpenApiParameter("country", str, description="ISO 3166 code; default: that of the semester's time zone"),
            SEMESTER,
        ],
    )
    @answers(Proposals, 40041)
    def get(self, request: Request) -> HttpResponse:
        http = request._request
        country, locale = http.GET.get("country", "").strip().upper() or None, locale_of(http)
        semester = semester_of(request)
        found = exceptions_propose(user=self.user(request), semester=semester, country=country, locale=locale)
        return ok(found)
