"""A week on paper: a page without scripts, one table, its own style sheet for print."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.mixins import LoginRequiredMixin
from django.contrib.auth.models import User
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.generic import TemplateView

from schedules.models import Semester
from schedules.planner.facts import EventFact
from schedules.planner.grid import Calendar, day_number
from schedules.selectors import clamp_week, events_load, guest_names, semester_current, semester_get
from smartmate.templatetags.words import term_words
from taskclasses.kernel.i18n import WEEKDAYS, language_of

Row = dict[str, Any]


class PrintWeek(LoginRequiredMixin, TemplateView):
    """Shows a week to print: `?week=` names it, this week when it names none, and `?semester_id=` its semester."""

    template_name = "planner/print.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        user = self.request.user
        assert isinstance(user, User)
        semester = _semester(user.pk, self.request.GET.get("semester_id", ""))
        calendar = semester.calendar
        week = _week(self.request.GET.get("week", ""), calendar)
        events = [fact for fact in events_load(user_id=user.pk, semester=semester, week=week) if fact.held]
        return super().get_context_data(
            semester=term_words(semester.name),
            week=week,
            days=[
                {"name": _(name), "date": calendar.date_of(day_number(week, number))}
                for number, name in enumerate(WEEKDAYS, 1)
            ],
            rows=_rows(events, guest_names(events), calendar, week),
            language="en" if language_of(get_language() or "") == "en" else "zh-CN",
            **kwargs,
        )


def _semester(user_id: int, named: str) -> Semester:
    """Returns the semester that is named when the student may use it, else the current one."""
    found = semester_get(user_id, int(named)) if named.isascii() and named.isdigit() and len(named) < 19 else None
    return found or semester_current(user_id)


def _week(words: str, calendar: Calendar) -> int:
    """Returns the week that is named when the semester has it, else the one of today."""
    named = int(words) if words.isascii() and words.isdigit() and len(words) < 4 else 0
    return named if 1 <= named <= calendar.weeks else clamp_week(calendar, timezone.now())


def _rows(events: list[EventFact], guests: dict[int, str], calendar: Calendar, week: int) -> list[Row]:
    """Returns a row for each section: its clock times, then a cell for each day that no event above reaches into."""
    begun = {(fact.place.day, fact.place.first): fact for fact in events}
    covered = {(fact.place.day, section) for fact in events for section in fact.place.sections}
    rows = []
    for section, (begin, end) in enumerate(calendar.section_times, 1):
        cells = []
        for weekday in range(1, 8):
            at = (day_number(week, weekday), section)
            fact = begun.get(at)
            if fact is not None:
                guest = guests.get(fact.guest_task_item_id) if fact.guest_task_item_id is not None else None
                cells.append({"fact": fact, "rows": fact.place.length, "guest": guest})
            elif at not in covered:
                cells.append({"rows": 1})
        rows.append({"section": section, "begin": begin, "end": end, "cells": cells})
    return rows
