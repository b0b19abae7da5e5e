"""Single lessons of a course: moved, cancelled, added, held in another room, and taken back to the pattern."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth.mixins import LoginRequiredMixin
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.http import urlencode
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _
from django.views import View

from schedules.mapping import stored_lesson
from schedules.models import Course, ScheduleEvent, Semester
from schedules.presentation.terms import changed_lesson_json
from schedules.selectors import course_get, course_lessons
from schedules.services import lesson_change, lesson_change_revert
from schedules.services.terms.lesson_changes import LessonChangeValues, LessonWritten
from schedules.terms.exceptions import NOTE_MAX
from smartmate.pages.courses.words import coordinates_of, effect_sentences, place_words
from smartmate.pages.forms.messages import came_from
from smartmate.pages.forms.trials import Effect, TrialPage
from smartmate.pages.forms.widgets import day_input
from taskclasses.kernel.errors import CodedError


class PlaceForm(forms.Form):
    """Reads where and when a lesson is held."""

    date = forms.DateField(label=pgettext_lazy("one day", "日期"), widget=day_input())
    section_from = forms.TypedChoiceField(label=_("从第几节"), coerce=int, required=False, empty_value=None)
    section_to = forms.TypedChoiceField(label=_("到第几节"), coerce=int, required=False, empty_value=None)
    location = forms.CharField(label=_("地点"), max_length=255, required=False)
    note = forms.CharField(label=_("备注"), max_length=NOTE_MAX, required=False)

    def __init__(self, *args: Any, semester: Semester, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.calendar = semester.calendar
        times = enumerate(semester.section_times, 1)
        choices = [(number, f"{number} · {begin}–{end}") for number, (begin, end) in times]
        for name in ("section_from", "section_to"):
            self.fields[name].choices = choices  # type: ignore[attr-defined]

    def place(self) -> tuple[int, int, int, int] | None:
        told = self.cleaned_data
        at = coordinates_of(told["date"], self.calendar) if told.get("date") else None
        return (*at, told["section_from"] or 0, told["section_to"] or 0) if at else None

    def clean_date(self) -> Any:
        day = self.cleaned_data["date"]
        if day is not None and coordinates_of(day, self.calendar) is None:
            raise forms.ValidationError(_("日期不在本学期内"))
        return day


class LessonForm(PlaceForm):
    kind = forms.ChoiceField(
        label=_("这次课"),
        choices=(("moved", _("换时间")), ("cancelled", _("停课")), ("room", _("换地点"))),
        widget=forms.RadioSelect,
        initial="moved",
    )
    field_order = ("kind", "date", "section_from", "section_to", "location", "note")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # One that is called off or gets another room stays on its day, which is not shown then.
        self.fields["date"].required = self.data.get("kind") == "moved"


class LessonPage(TrialPage):
    """Shows one lesson that exists."""

    verb = _("看看会怎样")  # type: ignore[assignment]
    back = "course_days"

    @cached_property
    def row(self) -> ScheduleEvent:
        mine = ScheduleEvent.objects.filter(user=self.user, type="course").select_related("semester")
        found = mine.filter(pk=self.kwargs["event_id"]).first()
        if found is None:
            raise Http404
        return found

    def make_form(self, data: Any = None, **named: Any) -> LessonForm:
        calendar = self.row.semester.calendar
        initial = {
            "date": calendar.date_of(self.row.place.day),
            "section_from": self.row.section_from,
            "section_to": self.row.section_to,
            "location": self.row.location,
        }
        return LessonForm(data, semester=self.row.semester, initial=initial)

    def carry_out(self, form: Any, *, dry_run: bool, **named: Any) -> Effect:
        told = form.cleaned_data
        values = LessonChangeValues(
            kind=told["kind"],
            event_id=self.row.pk,
            place=form.place(),
            location=told["location"] if told["kind"] != "cancelled" else None,
            note=told["note"],
        )
        return _effect(lesson_change(user=self.user, values=values, dry_run=dry_run), self.row.semester)

    def context(self, **named: Any) -> dict[str, Any]:
        place = place_words(stored_lesson(self.row), self.row.semester.calendar)
        back = came_from(self.request)
        query = f"?{urlencode({'next': back})}" if back else ""
        return {
            "heading": self.row.name,
            "words": place,
            "course": self.row.course_id and reverse("course", args=[self.row.course_id]),
            "reverted": self.row.change and reverse("lesson_revert", args=[self.row.pk]) + query,
        }


class AddedLessonPage(TrialPage):
    """Adds one lesson more to a course."""

    back = "course_days"

    @cached_property
    def row(self) -> Course:
        return _course(self.user.pk, self.kwargs["course_id"])

    def make_form(self, data: Any = None, **named: Any) -> PlaceForm:
        return PlaceForm(data, semester=self.row.semester, initial={"location": self.row.location, "section_to": 2})

    def carry_out(self, form: Any, *, dry_run: bool, **named: Any) -> Effect:
        told = form.cleaned_data
        values = LessonChangeValues(
            kind="added", course_id=self.row.pk, place=form.place(), location=told["location"], note=told["note"]
        )
        return _effect(lesson_change(user=self.user, values=values, dry_run=dry_run), self.row.semester)

    def context(self, **named: Any) -> dict[str, Any]:
        return {"heading": gettext("%(name)s：加一次课") % {"name": self.row.name}}


class LessonRevertPage(TrialPage):
    """Puts a changed lesson back to the weekly pattern."""

    heading = _("取消这次调课")  # type: ignore[assignment]
    back = "course_days"

    def carry_out(self, form: Any, *, dry_run: bool, **named: Any) -> Effect:
        done = lesson_change_revert(user=self.user, event_id=named["event_id"], dry_run=dry_run)
        return _effect(done, self.semester)


class LessonsPage(LoginRequiredMixin, View):
    """Shows all lessons of a course, each with what became of it; those that are over are folded away."""

    def get(self, request: HttpRequest, course_id: int) -> HttpResponse:
        user: Any = request.user
        row = _course(user.pk, course_id)
        calendar = row.semester.calendar
        now = timezone.now()
        lessons = [
            {
                "id": event.pk,
                "place": place_words(stored_lesson(event), calendar),
                "week": event.week,
                "location": event.location,
                "held": event.held,
                "past": calendar.interval(event.place)[1] <= now,
                "change": changed_lesson_json({"id": event.pk, **stored_lesson(event)}),
            }
            for event in course_lessons([row])[row.pk]
        ]
        past, coming = ([one for one in lessons if one["past"] == over] for over in (True, False))
        shown = {"row": row, "past": past, "coming": coming, "count": len(lessons)}
        return render(request, "courses/lessons.html", shown)


def _course(user_id: int, course_id: int) -> Course:
    try:
        return course_get(user_id, course_id)
    except CodedError as missing:
        raise Http404 from missing


def _effect(done: LessonWritten, semester: Semester) -> Effect:
    sentences = effect_sentences(done.effects.shifts(), done.effects.items, semester.calendar)
    return Effect(sentences, done.batch.pk if done.batch else None)
