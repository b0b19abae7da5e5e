"""Reads of the timetable: the semester, a week, today."""

from __future__ import annotations

from django.http import HttpResponse
from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request

from schedules.api.semester_query import SEMESTER, semester_id_of, semester_of
from schedules.planner.grid import Outside, day_number, week_and_weekday
from schedules.presentation import briefs, semester_json
from schedules.selectors import clamp_week, events_load, guest_names, semester_current, semester_named, today_of
from schedules.shapes import SemesterObject, Today, Week
from taskclasses.kernel.answers import answers
from taskclasses.kernel.envelope import ok
from taskclasses.kernel.rest import ApiView, query_int


class SemesterView(ApiView):
    @extend_schema(operation_id="schedule_semester", parameters=[SEMESTER])
    @answers(SemesterObject, 40041)
    def get(self, request: Request) -> HttpResponse:
        user_id, named = self.user(request).pk, semester_id_of(request._request)
        current = semester_current(user_id)
        semester = current if named is None else semester_named(user_id, named)
        return ok(semester_json(semester, current_id=current.pk, now=timezone.now()))


class WeekView(ApiView):
    @extend_schema(operation_id="schedule_week", parameters=[OpenApiParameter("week", int), SEMESTER])
    @answers(Week, 40041)
    def get(self, request: Request) -> HttpResponse:
        semester = semester_of(request)
        calendar = semester.calendar
        current = clamp_week(calendar, timezone.now())
        week = query_int(request._request, "week", default=current, low=1, high=semester.weeks)
        facts = events_load(user_id=self.user(request).pk, semester=semester, week=week)
        monday = calendar.date_of(day_number(week, 1)).isoformat()
        return ok({"week": week, "first_date": monday, "events": briefs(facts, calendar, guest_names(facts))})


class TodayView(ApiView):
    @extend_schema(operation_id="schedule_today", parameters=[SEMESTER])
    @answers(Today, 40041)
    def get(self, request: Request) -> HttpResponse:
        semester = semester_of(request)
        date, day = today_of(semester.calendar, timezone.now())
        if isinstance(day, Outside):
            return ok({"date": date.isoformat(), "week": 0, "day_of_week": date.isoweekday(), "events": []})
        week, weekday = week_and_weekday(day)
        facts = events_load(user_id=self.user(request).pk, semester=semester, week=week)
        today = [fact for fact in facts if fact.place.day == day]
        events = briefs(today, semester.calendar, guest_names(today))
        return ok({"date": date.isoformat(), "week": week, "day_of_week": weekday, "events": events})
