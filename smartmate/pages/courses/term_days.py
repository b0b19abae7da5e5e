"""The term beside its weekly pattern: changed lessons, holidays and make-up days, exams."""

from __future__ import annotations

from datetime import date
from typing import Any

from django import forms
from django.contrib.auth.mixins import LoginRequiredMixin
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.http import urlencode
from django.utils.translation import gettext_lazy as _
from django.views import View

from schedules.exams.reads import exams_of
from schedules.exams.times import clock_of, days_left
from schedules.models import CalendarException, Semester
from schedules.planner.grid import Calendar, day_number
from schedules.planner.words.dates import clock_words
from schedules.presentation.terms import lesson_change_json
from schedules.selectors import changed_lessons, exceptions_load, exceptions_of, semester_current, today_of
from schedules.services import calendar_change, exceptions_propose
from schedules.services.terms.exceptions import CalendarWish
from schedules.terms.exceptions import NAME_MAX, NOTE_MAX, ExceptionValues
from smartmate.pages.courses.words import effect_sentences, place_words
from smartmate.pages.forms.merge_form import MergeForm
from smartmate.pages.forms.refusals import locale
from smartmate.pages.forms.trials import Effect, TrialPage
from smartmate.pages.forms.widgets import day_input
from taskclasses.kernel.errors import CodedError

KINDS = (("holiday", _("放假")), ("makeup", _("补课日")), ("exam_week", _("考试周")), ("kept_free", _("留空")))


class CourseDaysPage(LoginRequiredMixin, View):
    def get(self, request: HttpRequest) -> HttpResponse:
        user: Any = request.user
        semester, now = semester_current(user.pk), timezone.now()
        calendar = semester.calendar
        exams = list(exams_of(user_id=user.pk, semester=semester))
        changes = [lesson_change_json(event) for event in changed_lessons(user_id=user.pk, semester=semester)]
        shown = {
            "semester": semester,
            "tab": "days",
            "changes": [
                {
                    **one,
                    "before": one["from"] and place_words(one["from"], calendar),
                    "after": one["to"] and place_words(one["to"], calendar),
                }
                for one in changes
            ],
            "exceptions": [
                {"row": row, "clock": _clock(row, calendar)}
                for row in exceptions_of(user_id=user.pk, semester=semester)
            ],
            "weeks": _weeks(user.pk, semester, {exam.date for exam in exams}, today_of(calendar, now)[0]),
            "proposals": _proposals(user, semester),
            "exams": [
                {"row": exam, "clock": clock_of(exam, calendar), "days_left": days_left(exam, calendar, now)}
                for exam in exams
            ],
        }
        return render(request, "courses/days.html", shown)


def _clock(row: CalendarException, calendar: Calendar) -> str:
    """Returns the clock times of the sections that are kept free, "" for whole days."""
    if row.section_from is None or row.section_to is None or row.section_to > calendar.grid.sections:
        return ""
    return clock_words(calendar, row.section_from, row.section_to)


def _weeks(user_id: int, semester: Semester, exams: set[date], today: date) -> list[dict[str, Any]]:
    """Returns the semester as a calendar: each date with what it is."""
    term, calendar = exceptions_load(user_id=user_id, semester=semester), semester.calendar
    found = []
    for week in range(1, semester.weeks + 1):
        days = []
        for weekday in range(1, 8):
            number = day_number(week, weekday)
            day, row = calendar.date_of(number), term.on(number)
            kind = "exam" if day in exams else row.kind if row else ""
            days.append({"date": day, "kind": kind, "name": row.name if row else "", "today": day == today})
        found.append({"week": week, "days": days})
    return found


def _proposals(user: Any, semester: Semester) -> list[dict[str, Any]]:
    """Returns public holidays that the calendar does not have; none where the country of the time zone is not known."""
    try:
        found = exceptions_propose(user=user, semester=semester, country=None, locale=locale())["proposals"]
    except CodedError:
        return []
    return [
        {
            **row["exception"],
            "first": date.fromisoformat(row["exception"]["first_date"]),
            "last": date.fromisoformat(row["exception"]["last_date"]),
            "query": urlencode({name: str(value) for name, value in row["exception"].items() if value}),
        }
        for row in found
        if row["status"] == "new"
    ]


class ExceptionForm(MergeForm):
    kind = forms.ChoiceField(label=_("是什么"), choices=KINDS, widget=forms.RadioSelect, initial="holiday")
    name = forms.CharField(label=_("名称"), max_length=NAME_MAX)
    first_date = forms.DateField(label=_("第一天"), widget=day_input())
    last_date = forms.DateField(label=_("最后一天"), required=False, widget=day_input(), help_text=_("不填就是一天。"))
    study_allowed = forms.BooleanField(label=_("放假时也可以排任务"), required=False)
    lessons_held = forms.BooleanField(label=_("考试周照常上课"), required=False)
    follows_date = forms.DateField(
        label=_("补哪一天的课"), required=False, widget=day_input(), help_text=_("只有补课日要填。")
    )
    parity = forms.ChoiceField(
        label=_("单双周"),
        choices=(("replaced", _("按被补的那天")), ("own", _("按补课日自己的周"))),
        required=False,
    )
    section_from = forms.IntegerField(
        label=_("从第几节"), required=False, min_value=1, help_text=_("只有留空要填；不填就是整天。")
    )
    section_to = forms.IntegerField(label=_("到第几节"), required=False, min_value=1)
    note = forms.CharField(label=_("备注"), max_length=NOTE_MAX, required=False)

    def clean(self) -> dict[str, Any]:
        said = super().clean()
        if said.get("kind") == "makeup" and "follows_date" not in self.errors and said["follows_date"] is None:
            self.add_error("follows_date", self.fields["first_date"].error_messages["required"])
        return said

    def values(self) -> ExceptionValues:
        told = dict(self.cleaned_data)
        last = told.pop("last_date") or told["first_date"]
        parity = told.pop("parity") or "replaced"
        return ExceptionValues(**told, last_date=last, parity=parity)


class ExceptionPage(TrialPage):
    """Shows one exception of the calendar, or a new one; a proposal fills the form."""

    back = "course_days"

    @cached_property
    def row(self) -> CalendarException | None:
        if "exception_id" not in self.kwargs:
            return None
        found = CalendarException.objects.filter(user=self.user, pk=self.kwargs["exception_id"]).first()
        if found is None:
            raise Http404
        return found

    def make_form(self, data: Any = None, **named: Any) -> ExceptionForm:
        names, told, row = ExceptionForm.base_fields, self.request.GET, self.row
        if row is not None:
            initial = {name: getattr(row, name) for name in names}
        else:
            initial = {name: told[name] for name in names if name in told}
        # One day has no last one: it goes along when the student gives it another date.
        if initial.get("last_date") == initial.get("first_date"):
            initial["last_date"] = None
        return ExceptionForm(data, stored=row is not None, initial=initial)

    def carry_out(self, form: Any, *, dry_run: bool, **named: Any) -> Effect:
        values = form.values()
        wish = CalendarWish(add=[values]) if self.row is None else CalendarWish(replace={self.row.pk: values})
        return _change(self, wish, dry_run=dry_run)

    def context(self, **named: Any) -> dict[str, Any]:
        delete = None if self.row is None else ("exception_delete", self.row.pk)
        return {"heading": self.row.name if self.row else _("加一个假期或补课日"), "delete": delete}


class ExceptionDeletePage(TrialPage):
    heading = _("从校历里删掉？")  # type: ignore[assignment]
    back = "course_days"

    def carry_out(self, form: Any, *, dry_run: bool, **named: Any) -> Effect:
        return _change(self, CalendarWish(remove=[named["exception_id"]]), dry_run=dry_run)


def _change(page: TrialPage, wish: CalendarWish, *, dry_run: bool) -> Effect:
    done = calendar_change(user=page.user, wish=wish, now=timezone.now(), dry_run=dry_run)
    sentences = effect_sentences(done.effects.shifts(), done.effects.items, page.semester.calendar)
    return Effect(sentences, done.batch.pk if done.batch else None)
