"""The week of a student as support sees it: the grid with lessons and applied items, and a conversation's draft."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from redis.exceptions import RedisError

from agent.loop.errors import UnknownVersion
from agent.models import Conversation
from agent.selectors import draft_of
from schedules.exams.reads import exams_of
from schedules.exams.times import place_of_exam
from schedules.models import CalendarException, Exam, Semester
from schedules.planner.draft.state import ScheduleState
from schedules.planner.grid import day_number, week_and_weekday
from schedules.selectors import clamp_week, events_load, guest_names, semester_current
from taskclasses.kernel.bounded_admin import may_see
from taskclasses.kernel.errors import GARBAGE

RECENT = 10
"""Conversations that are looked at for a draft."""


@dataclass(frozen=True)
class WeekEntry:
    name: str
    kind: str
    """`course`, `task`, `exam` or `draft`."""


Cells = dict[tuple[int, int], list[WeekEntry]]
"""What stands at a weekday and section."""


def show_week(request: HttpRequest, user_id: int, context: dict[str, Any]) -> HttpResponse:
    """Returns one week of the student's current semester; the query may name the `week`, and the `conversation` of a
    draft. Of drafts, exams and exceptions it has what the reader may see."""
    student = get_object_or_404(User, pk=user_id)
    semester = semester_current(student.pk)
    calendar = semester.calendar
    week = _week_of(request, clamp_week(calendar, timezone.now()), semester.weeks)
    mine = Conversation.objects.filter(user=student) if may_see(request, Conversation) else Conversation.objects.none()
    talks = list(mine.order_by("-last_message_at", "-pk")[:RECENT])
    silent, drafts = False, []
    try:
        drafts = [(talk, held) for talk in talks if (held := _draft_of(talk)) and held.semester.id == semester.pk]
    except RedisError:
        silent = True  # the timetable is shown all the same
    chosen = next((one for one in drafts if str(one[0].pk) == request.GET.get("conversation")), None)
    shown = chosen or (drafts[0] if drafts else None)
    dates = [calendar.date_of(day_number(week, n)) for n in range(1, 8)]
    cells = _cells_of_rows(student.pk, semester, week)
    if may_see(request, Exam):
        _add_exams(cells, student.pk, semester, dates)
    if shown is not None:
        _add_draft(cells, shown[1], week)
    sections = [
        (number, begin, end, [cells[weekday, number] for weekday in range(1, 8)])
        for number, (begin, end) in enumerate(calendar.section_times, 1)
    ]
    return render(
        request,
        "admin/account_week.html",
        {
            **context, "title": student.get_username(), "student": student, "semester": semester, "week": week,
            "weeks": range(1, semester.weeks + 1), "sections": sections, "drafts": [talk for talk, _held in drafts],
            "shown": shown[0] if shown else None, "silent": silent, "talks_seen": may_see(request, Conversation),
            "days": _days(student.pk, semester, dates, told=may_see(request, CalendarException)),
        },
    )  # fmt: skip


def _draft_of(talk: Conversation) -> ScheduleState | None:
    """Returns the draft; none where a newer version wrote it or it cannot be read, as the page of the conversation
    says."""
    try:
        return draft_of(talk)
    except (UnknownVersion, *GARBAGE):
        return None


def _week_of(request: HttpRequest, now: int, weeks: int) -> int:
    asked = request.GET.get("week", "")
    return min(max(int(asked), 1), weeks) if asked.isascii() and asked.isdigit() and len(asked) < 4 else now


def _cells_of_rows(user_id: int, semester: Any, week: int) -> Cells:
    cells: Cells = defaultdict(list)
    events = [event for event in events_load(user_id=user_id, semester=semester, week=week) if event.held]
    names = guest_names(events)
    for event in events:
        weekday = week_and_weekday(event.place.day)[1]
        for section in range(event.place.first, event.place.last + 1):
            cells[weekday, section].append(WeekEntry(event.name, event.type))
            if event.guest_task_item_id is not None:
                cells[weekday, section].append(WeekEntry(names.get(event.guest_task_item_id, ""), "task"))
    return cells


def _add_exams(cells: Cells, user_id: int, semester: Semester, dates: Sequence[date]) -> None:
    for exam in exams_of(user_id=user_id, semester=semester, dates=(dates[0], dates[-1])):
        place = place_of_exam(exam, semester.calendar)
        for section in place.sections if place is not None else ():
            cells[exam.date.isoweekday(), section].append(WeekEntry(exam.name, "exam"))


def _days(user_id: int, semester: Semester, dates: Sequence[date], *, told: bool) -> list[tuple[date, list[str]]]:
    """Returns each day, with the names of what the student's calendar of exceptions has on it where they are told."""
    mine = CalendarException.objects.filter(user_id=user_id, semester=semester)
    found = list(mine.filter(first_date__lte=dates[-1], last_date__gte=dates[0]).order_by("first_date", "pk"))
    return [
        (day, [one.name or one.get_kind_display() for one in found if told and one.first_date <= day <= one.last_date])
        for day in dates
    ]


def _add_draft(cells: Cells, draft: ScheduleState, week: int) -> None:
    for entry in draft.items():
        place = draft.place_of(entry)
        if entry.status != "suggested" or place is None or week_and_weekday(place.day)[0] != week:
            continue
        for section in range(place.first, place.last + 1):
            cells[week_and_weekday(place.day)[1], section].append(WeekEntry(entry.name, "draft"))
