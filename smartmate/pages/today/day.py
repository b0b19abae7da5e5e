"""Today as one line of time: lessons and items, what was missed, the days that follow."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.contrib import messages
from django.contrib.auth.mixins import LoginRequiredMixin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext
from django.views import View

from schedules.models import Semester
from schedules.planner.facts import EventFact
from schedules.planner.grid import Outside, week_and_weekday
from schedules.planner.progress import Progress
from schedules.progress.book import ProgressBook
from schedules.progress.statistics import progress_report
from schedules.selectors import events_load, guest_names, semester_current
from schedules.services import items_mark
from schedules.services.progress import MarkWish
from smartmate.pages.coded import locale
from taskclasses.kernel.errors import CodedError
from taskclasses.models import TaskItem

MARKS: tuple[Progress, ...] = ("done", "partial", "missed", "open")
DAYS_AHEAD = 3


class TodayPage(LoginRequiredMixin, View):
    def get(self, request: HttpRequest) -> HttpResponse:
        user: Any = request.user
        now, semester = timezone.now(), semester_current(user.pk)
        report = progress_report(user_id=user.pk, semester=semester, now=now)
        local = now.astimezone(semester.calendar.zone)
        shown = {
            "date": local.date(),
            "clock": f"{local:%H:%M}",
            "days": [
                {"date": local.date() + timedelta(days=ahead), "rows": _rows(user.pk, semester, local, ahead)}
                for ahead in range(DAYS_AHEAD + 1)
            ],
            "missed": report["missed"],
            "due": [row for row in report["classes"] if row["left"] and row["days_left"] is not None][:5],
        }
        return render(request, "today/day.html", shown)


def _rows(user_id: int, semester: Semester, now: datetime, ahead: int) -> list[dict[str, Any]]:
    """The events of a day in order of time."""
    calendar = semester.calendar
    day = calendar.day_of(now.date() + timedelta(days=ahead))
    if isinstance(day, Outside):
        return []
    week, _weekday = week_and_weekday(day)
    facts = [fact for fact in events_load(user_id=user_id, semester=semester, week=week) if fact.place.day == day]
    names = guest_names(facts)
    ids = [item for fact in facts for item in (fact.task_item_id, fact.guest_task_item_id) if item]
    book = ProgressBook.load(user_id=user_id, item_ids=ids, now=now)
    items = {item.pk: item for item in TaskItem.objects.filter(pk__in=ids).select_related("task_class")}
    return [_row(fact, calendar, now, ahead, items, book, names) for fact in facts]


def _row(
    fact: EventFact,
    calendar: Any,
    now: datetime,
    ahead: int,
    items: dict[int, TaskItem],
    book: ProgressBook,
    names: Any,
) -> dict[str, Any]:
    begin, end = calendar.section_times[fact.place.first - 1][0], calendar.section_times[fact.place.last - 1][1]
    clock = now.time()
    item = items.get(fact.task_item_id or fact.guest_task_item_id or 0)
    return {
        "name": fact.name,
        "location": fact.location,
        "interrupted": fact.interrupted,
        "from": f"{begin:%H:%M}",
        "to": f"{end:%H:%M}",
        "past": ahead == 0 and end <= clock,
        "live": ahead == 0 and begin <= clock < end,
        "begun": ahead == 0 and begin <= clock,
        "task": fact.type == "task",
        "item": item,
        "guest": names.get(fact.guest_task_item_id) if fact.guest_task_item_id else None,
        "progress": book.progress(item) if item else "",
    }


class MarkPage(LoginRequiredMixin, View):
    """Marks one item and comes back to where the mark was made."""

    def post(self, request: HttpRequest, item_id: int) -> HttpResponse:
        user: Any = request.user
        progress = next((mark for mark in MARKS if mark == request.POST.get("progress")), None)
        if progress is None:
            return redirect("today")
        try:
            items_mark(user=user, marks=[MarkWish(item_id, progress)], now=timezone.now())
        except CodedError as refusal:
            messages.error(request, refusal.info(locale()))
        else:
            messages.success(request, gettext("已记下"))
        return redirect("today")
