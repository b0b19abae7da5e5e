"""Reads of the timetable: the semester, a week, today."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from typing import Any

from django.http import HttpResponse
from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request

from schedules.api.semester_query import SEMESTER, semester_id_of, semester_of
from schedules.exams.presentation import exam_json, with_exams
from schedules.exams.reads import classes_for_exams, courses_by_id, exams_of
from schedules.models import Semester
from schedules.planner.draft.state import EXAM
from schedules.planner.grid import Outside, day_json, day_number, week_and_weekday
from schedules.planner.progress import PastView
from schedules.presentation import briefs, semester_json
from schedules.presentation_terms import term_days
from schedules.progress.book import rule_of
from schedules.progress.today import today_facts
from schedules.selectors import (
    clamp_week,
    events_load,
    exceptions_load,
    placed_classes,
    semester_current,
    semester_named,
    today_of,
)
from schedules.shapes import TermObject, Today, Week
from taskclasses.kernel.answers import answers
from taskclasses.kernel.envelope import ok
from taskclasses.kernel.rest import ApiView, query_int


class SemesterReadView(ApiView):
    @extend_schema(operation_id="schedule_semester", parameters=[SEMESTER])
    @answers(TermObject, 40041)
    def get(self, request: Request) -> HttpResponse:
        user_id, named = self.user(request).pk, semester_id_of(request._request)
        current = semester_current(user_id)
        semester = current if named is None else semester_named(user_id, named)
        closed = exceptions_load(user_id=user_id, semester=semester).closed_days
        shown = semester_json(semester, current_id=current.pk, now=timezone.now())
        return ok({**shown, "closed_days": [day_json(day) for day in sorted(closed)]})


class WeekView(ApiView):
    @extend_schema(operation_id="schedule_week", parameters=[OpenApiParameter("week", int), SEMESTER])
    @answers(Week, 40041)
    def get(self, request: Request) -> HttpResponse:
        semester = semester_of(request)
        calendar, now = semester.calendar, timezone.now()
        current = clamp_week(calendar, now)
        week = query_int(request._request, "week", default=current, low=1, high=semester.weeks)
        days = [day_number(week, weekday) for weekday in range(1, 8)]
        monday = calendar.date_of(days[0])
        user_id, last = self.user(request).pk, monday + timedelta(days=6)
        exams = list(exams_of(user_id=user_id, semester=semester, dates=(monday, last)))
        stands = _stands(user_id, semester, days, now)
        events = with_exams(stands["events"], exams, courses_by_id(exams), calendar)
        return ok({"week": week, "first_date": monday.isoformat(), **stands, "events": events})


class TodayView(ApiView):
    @extend_schema(operation_id="schedule_today", parameters=[SEMESTER])
    @answers(Today, 40041)
    def get(self, request: Request) -> HttpResponse:
        user_id, semester, now = self.user(request).pk, semester_of(request), timezone.now()
        today, day = today_of(semester.calendar, now)
        known = {"date": today.isoformat(), "day_of_week": today.isoweekday()}
        coming = list(exams_of(user_id=user_id, semester=semester, dates=(today, date.max)))
        courses, classes = courses_by_id(coming), classes_for_exams(coming)
        ahead = [exam_json(one, courses.get(one.course_id or 0), classes[one.pk], now) for one in coming]
        more = {**today_facts(user_id=user_id, semester=semester, now=now), "exams_ahead": ahead}
        if isinstance(day, Outside):
            return ok({**known, "week": 0, "events": [], "fallen_out": [], "days": [], **more})
        week = week_and_weekday(day)[0]
        stands = _stands(user_id, semester, [day], now)
        held = [exam for exam in coming if exam.date == today]
        events = with_exams(stands["events"], held, courses, semester.calendar)
        exams = [event for event in events if event["type"] == EXAM]
        return ok({**known, "week": week, **stands, **more, "events": events, "exams": exams})


def _stands(user_id: int, semester: Semester, days: Sequence[int], now: datetime) -> dict[str, Any]:
    """What is held on some days of one week, the lessons that fall out, and the exceptions of the calendar."""
    week = week_and_weekday(days[0])[0]
    facts = [fact for fact in events_load(user_id=user_id, semester=semester, week=week) if fact.place.day in set(days)]
    calendar = semester.calendar
    classes, past = placed_classes(facts, calendar), PastView(rule_of(user_id), now, calendar)
    term = exceptions_load(user_id=user_id, semester=semester)
    return {
        "events": briefs([fact for fact in facts if fact.held], calendar, classes, past),
        "fallen_out": briefs([fact for fact in facts if not fact.held], calendar, classes, past),
        "days": term_days(days, term, calendar),
    }
