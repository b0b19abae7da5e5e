"""Reads of the timetable: the semester, a week, today."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.http import HttpResponse
from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request

from schedules.api.semester_query import SEMESTER, semester_id_of, semester_of
from schedules.exams.presentation import with_exams
from schedules.exams.reads import courses_by_id, exams_of
from schedules.planner.grid import day_json, day_number
from schedules.planner.shapes import CellPoint
from schedules.presentation.days import days_stand, describe_today
from schedules.presentation.shapes.semesters import TermObject
from schedules.presentation.shapes.week import Today, Week
from schedules.presentation.timetable import semester_json
from schedules.progress.book import rule_of
from schedules.selectors import (
    clamp_week,
    exceptions_load,
    semester_current,
    semester_named,
    semester_of_dates,
    timetable_stamps,
    today_of,
)
from taskclasses.kernel.answers import answers
from taskclasses.kernel.entity_tags import answer_tagged
from taskclasses.kernel.envelope import ok
from taskclasses.kernel.rest import ApiView, query_int


class SemesterReadView(ApiView):
    @extend_schema(operation_id="schedule_semester", parameters=[SEMESTER])
    @answers(TermObject, 40041)
    def get(self, request: Request) -> HttpResponse:
        user_id, named = self.user(request).pk, semester_id_of(request._request)
        current = semester_current(user_id)
        semester = current if named is None else semester_named(user_id, named)
        exceptions = exceptions_load(user_id=user_id, semester=semester)
        shown = semester_json(semester, current_id=current.pk, now=timezone.now())
        closed = [day_json(day) for day in sorted(exceptions.closed_days)]
        kept: list[CellPoint] = [{**day_json(day), "section": section} for day, section in sorted(exceptions.kept_free)]
        return ok({**shown, "closed_days": closed, "kept_free": kept})


class WeekView(ApiView):
    @extend_schema(operation_id="schedule_week", parameters=[OpenApiParameter("week", int), SEMESTER])
    @answers(Week, 40041, tagged=True)
    def get(self, request: Request) -> HttpResponse:
        semester = semester_of(request)
        calendar, now = semester.calendar, timezone.now()
        current = clamp_week(calendar, now)
        week = query_int(request._request, "week", default=current, low=1, high=semester.weeks)
        days = [day_number(week, weekday) for weekday in range(1, 8)]
        monday = calendar.date_of(days[0])
        user_id, last = self.user(request).pk, monday + timedelta(days=6)
        stamps, rule = timetable_stamps(user_id), rule_of(user_id)
        past = [calendar.ended(moment) for moment in (now, now - rule.grace)]

        def build() -> dict[str, Any]:
            exams = list(exams_of(user_id=user_id, semester=semester, dates=(monday, last)))
            stands = days_stand(user_id, semester, days, now, rule)
            events = with_exams(stands["events"], exams, courses_by_id(exams), calendar)
            return {"week": week, "first_date": monday.isoformat(), **stands, "events": events}

        return answer_tagged(request._request, (stamps, week, semester.pk, calendar, rule, past), build)


class TodayView(ApiView):
    @extend_schema(
        operation_id="schedule_today",
        parameters=[OpenApiParameter("semester_id", int, description="default: the semester that today lies in")],
    )
    @answers(Today, 40041)
    def get(self, request: Request) -> HttpResponse:
        user_id, now, semester = self.user(request).pk, timezone.now(), semester_of(request)
        if semester_id_of(request._request) is None:
            semester = semester_of_dates(user_id, today_of(semester.calendar, now)[0])
        return ok(describe_today(user_id=user_id, semester=semester, now=now))
