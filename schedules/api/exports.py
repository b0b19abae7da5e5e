"""The timetable as a file for calendar programs."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request

from schedules.api.semester_query import SEMESTER, semester_of
from schedules.calendars.csv_export import csv_of
from schedules.exams.reads import exam_entries
from schedules.models import ENTRY_KINDS
from schedules.presentation.timetable import course_json
from schedules.selectors import course_lessons, courses_of, lessons_load
from taskclasses.kernel.answers import answers
from taskclasses.kernel.envelope import locale_of
from taskclasses.kernel.errors import bad_request
from taskclasses.kernel.rest import ApiView, query_int

MEDIA = "text/calendar"
ATTACHED = ("Content-Disposition",)


class IcsExportView(ApiView):
    """Answers an iCalendar file; `include` lists what is exported, separated by commas; by default all of it."""

    @extend_schema(
        operation_id="schedule_export_ics",
        parameters=[
            OpenApiParameter("from_week", int),
            OpenApiParameter("to_week", int),
            OpenApiParameter(
                "include", str, description="course, task, exam: some, separated by commas; all by default"
            ),
            SEMESTER,
        ],
    )
    @answers(
        None,
        40041,
        media={MEDIA: {"type": "string", "description": "one VEVENT per event (RFC 5545)"}},
        headers=ATTACHED,
    )
    def get(self, request: Request) -> HttpResponse:
        # Its library is loaded when the first calendar is asked for, not at every start.
        from schedules.calendars.ics_export import ics_of

        http, semester, locale = request._request, semester_of(request), locale_of(request._request)
        first = query_int(http, "from_week", default=1, low=1, high=semester.weeks)
        last = query_int(http, "to_week", default=semester.weeks, low=1, high=semester.weeks)
        if last < first:
            raise bad_request("to_week", "结束周早于开始周")
        types, user_id = _read_include(http), self.user(request).pk
        lessons = lessons_load(user_id=user_id, semester=semester, weeks=(first, last), types=types)
        exams = exam_entries(user_id=user_id, semester=semester, weeks=(first, last)) if "exam" in types else []
        content = ics_of(lessons, semester.calendar, name=semester.name, now=timezone.now(), locale=locale, exams=exams)
        headers = {"Content-Disposition": 'attachment; filename="smartmate.ics"'}
        return HttpResponse(content, content_type=f"{MEDIA}; charset=utf-8", headers=headers)


class CsvExportView(ApiView):
    """Answers the courses of a semester as the table that an import reads."""

    @extend_schema(operation_id="schedule_export_csv", parameters=[SEMESTER])
    @answers(
        None, 40041, media={"text/csv": {"type": "string", "description": "one weekly meeting a row"}}, headers=ATTACHED
    )
    def get(self, request: Request) -> HttpResponse:
        courses = list(courses_of(user_id=self.user(request).pk, semester=semester_of(request)))
        lessons = course_lessons(courses)
        shown = [course_json(course, lessons[course.pk], locale="zh") for course in courses]
        meetings = [
            (
                course["course_name"],
                course["teacher"],
                meeting["location"],
                meeting["day_of_week"],
                meeting["start_section"],
                meeting["end_section"],
                meeting["weeks"],
                course["is_allow_tasks"],
            )
            for course in shown
            for meeting in course["arrangements"]
        ]
        headers = {"Content-Disposition": 'attachment; filename="smartmate.csv"'}
        return HttpResponse(csv_of(meetings), content_type="text/csv; charset=utf-8", headers=headers)


def _read_include(request: HttpRequest) -> set[str]:
    named = {part.strip() for part in request.GET.get("include", "").split(",") if part.strip()}
    if not named <= set(ENTRY_KINDS):
        raise bad_request("include", "取值不在允许范围内")
    return named or set(ENTRY_KINDS)
