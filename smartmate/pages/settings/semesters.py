"""Semesters of the student's own: made, changed, deleted. Which one is in use is chosen among the settings."""

from __future__ import annotations

import re
from datetime import date, timedelta
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.mixins import LoginRequiredMixin
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _
from django.views import View

from schedules.models import ScheduleEvent, Semester
from schedules.selectors import semester_current
from schedules.services import courses_copy, semester_choose, semester_create, semester_delete, semester_replace
from schedules.terms.semester_values import SECTIONS_MAX, WEEKS_MAX, SemesterValues
from smartmate.pages.courses.words import no_monday_words
from smartmate.pages.forms.merge_form import MergeForm
from smartmate.pages.forms.messages import tell_done, tell_refused
from smartmate.pages.forms.refusals import attempt
from smartmate.pages.forms.widgets import day_input
from taskclasses.kernel.database.transactions import run_transaction
from taskclasses.kernel.errors import CodedError
from taskclasses.models import TaskItem

HEAD = r"(?:第?\s*(?:\d{1,2}|[一二三四五六七八九十]{1,2})\s*(?:节课?|節課?)?\s*[:：、.)）\s]\s*)?"
"""How a school's table names a section before its times."""
TIMES = re.compile(rf"^\s*{HEAD}(\d{{1,2}}[:：]\d{{2}})\s*[-–—－~～至到\s]\s*(\d{{1,2}}[:：]\d{{2}})\s*$")
NAMES_MAX = 5
"""Courses and steps that are named at once."""


class SemesterForm(MergeForm):
    """Reads a semester; one line of `section_times` is one section: "08:00-08:45", as a school writes it too."""

    name = forms.CharField(label=_("名称"), max_length=60)
    first_monday = forms.DateField(label=_("第一周的周一"), widget=day_input())
    weeks = forms.IntegerField(label=_("共几周"), min_value=1, max_value=WEEKS_MAX)
    section_times = forms.CharField(
        label=_("作息时间，一行一节"),
        widget=forms.Textarea(attrs={"rows": 12}),
        help_text=_("例如 08:00-08:45。最多 16 节。"),
    )
    time_zone = forms.CharField(label=_("时区"), max_length=64)
    use = forms.BooleanField(label=_("现在就用这个学期"), required=False)
    courses = forms.BooleanField(
        label=_("带上现在这个学期的课程"), required=False, help_text=_("还是这些课、只是日期或作息时间不一样时勾上。")
    )

    def __init__(self, data: Any = None, *, row: Semester | None = None, with_courses: bool, **named: Any) -> None:
        """Makes the form; `with_courses`: there are some that a new semester could take along."""
        self._row = row
        super().__init__(data, stored=row is not None, **named)
        if row is not None or not with_courses:
            del self.fields["courses"]

    def clean_first_monday(self) -> date:
        day: date = self.cleaned_data["first_monday"]
        if day.weekday():
            raise forms.ValidationError(no_monday_words(day))
        return day

    def clean_section_times(self) -> list[list[str]]:
        lines = [line for line in self.cleaned_data["section_times"].splitlines() if line.strip()]
        if len(lines) > SECTIONS_MAX:
            raise forms.ValidationError(_("最多 16 节"))
        return [_read_times(line) for line in lines]

    def clean(self) -> dict[str, Any]:
        said = super().clean()
        if self._row is not None and not self.errors:
            events = self._row.scheduleevent_set
            later = gettext("更晚的周次里还有%(names)s，最晚在第 %(last)s 周。先改它们的时间。")
            self._refuse_beyond("weeks", later, events.filter(week__gt=said["weeks"]), "week")
            later = gettext("更晚的节次里还有%(names)s，最晚到第 %(last)s 节。先改它们的时间。")
            self._refuse_beyond(
                "section_times", later, events.filter(section_to__gt=len(said["section_times"])), "section_to"
            )
        return said

    def _refuse_beyond(self, field: str, words: str, events: QuerySet[ScheduleEvent], column: str) -> None:
        """Says what would lie outside the semester, if anything would."""
        found = list(events.order_by(f"-{column}", "week", "pk").values_list("name", column))
        names = list(dict.fromkeys(gettext("「%(name)s」") % {"name": name} for name, _last in found))
        if found:
            more = "……" if len(names) > NAMES_MAX else ""
            told = gettext("、").join(names[:NAMES_MAX]) + more
            self.add_error(field, words % {"names": told, "last": found[0][1]})

    def values(self) -> SemesterValues:
        told = {name: value for name, value in self.cleaned_data.items() if name not in ("use", "courses")}
        return SemesterValues(**told)


def _read_times(line: str) -> list[str]:
    found = TIMES.match(line)
    if found is None:
        raise forms.ValidationError(_("看不懂这一行：%(line)s"), params={"line": line})
    return [clock.replace("：", ":").zfill(5) for clock in found.groups()]


def _write_times(semester: Semester) -> str:
    return "\n".join("-".join(pair) for pair in semester.section_times)


class SemesterPage(LoginRequiredMixin, View):
    """Shows the form of one semester of the student's own, or of a new one that begins like the current one."""

    def get(self, request: HttpRequest, semester_id: int | None = None) -> HttpResponse:
        return self._show(self._form(semester_id), semester_id)

    def post(self, request: HttpRequest, semester_id: int | None = None) -> HttpResponse:
        form, placed = self._form(semester_id, request.POST), self._count_placed()
        if form.is_valid() and attempt(form, lambda: self._write(form, semester_id)) is not None:
            tell_done(request, gettext("已保存"))
            if (left := placed - self._count_placed()) > 0:
                told = ngettext("有 %(count)s 项在等地方", "有 %(count)s 项在等地方", left) % {"count": left}
                way = format_html('<a href="{}">{}</a>', reverse("tasks"), gettext("安排任务"))
                messages.warning(request, format_html("{} {}", told, way))
            return redirect("settings")
        return self._show(form, semester_id)

    def _count_placed(self) -> int:
        """Returns how many items the student has on a timetable; some leave it when the semester gets other dates."""
        user: Any = self.request.user
        return TaskItem.objects.filter(task_class__user=user, embedded_time__isnull=False).count()

    def _form(self, semester_id: int | None, *data: Any) -> SemesterForm:
        user: Any = self.request.user
        current = semester_current(user.pk)
        row = current if semester_id is None else own_semester(user, semester_id)
        initial = {"weeks": row.weeks, "section_times": _write_times(row), "time_zone": row.time_zone}
        if semester_id is None:
            initial |= {"first_monday": _next_monday(current), "use": True}
        else:
            initial |= {"name": row.name, "first_monday": row.first_monday, "use": row.pk == current.pk}
        stored = None if semester_id is None else row
        with_courses = current.courses.filter(user=user).exists()
        return SemesterForm(data[0] if data else None, row=stored, with_courses=with_courses, initial=initial)

    def _write(self, form: SemesterForm, semester_id: int | None) -> Semester:
        user: Any = self.request.user
        if semester_id is None:
            row = self._make(user, form)
        else:
            row = semester_replace(user=user, semester_id=semester_id, values=form.values())
        if form.cleaned_data["use"]:
            semester_choose(user=user, semester_id=row.pk)
        return row

    def _make(self, user: Any, form: SemesterForm) -> Semester:
        def effect() -> Semester:
            row = semester_create(user=user, values=form.values())
            if form.cleaned_data.get("courses"):
                courses_copy(user=user, source=semester_current(user.pk), target=row)
            return row

        return run_transaction(effect)

    def _show(self, form: SemesterForm, semester_id: int | None) -> HttpResponse:
        shown = {"form": form, "semester_id": semester_id}
        return render(self.request, "settings/semester.html", shown, status=422 if form.errors else 200)


class SemesterDeletePage(LoginRequiredMixin, View):
    """Asks first: the timetable of the semester goes with it, for good."""

    def get(self, request: HttpRequest, semester_id: int) -> HttpResponse:
        row = own_semester(request.user, semester_id)
        lessons = ScheduleEvent.objects.filter(semester=row, type=ScheduleEvent.Type.COURSE).count()
        items = ScheduleEvent.objects.filter(semester=row, type=ScheduleEvent.Type.TASK).count()
        return render(request, "settings/semester_delete.html", {"row": row, "lessons": lessons, "items": items})

    def post(self, request: HttpRequest, semester_id: int) -> HttpResponse:
        user: Any = request.user
        own_semester(user, semester_id)
        try:
            semester_delete(user=user, semester_id=semester_id, release=True)
        except CodedError as refusal:
            tell_refused(request, refusal)
        else:
            tell_done(request, gettext("已删除"))
        return redirect("settings")


def own_semester(user: Any, semester_id: int) -> Semester:
    """Returns a semester of the student's own; not found for a shared one and for another's."""
    row = Semester.objects.filter(pk=semester_id, owner=user).first()
    if row is None:
        raise Http404
    return row


def _next_monday(semester: Semester) -> date:
    """Returns the Monday after a semester while that is ahead, else this week's."""
    after = semester.first_monday + timedelta(weeks=semester.weeks)
    today = timezone.now().astimezone(semester.calendar.zone).date()
    return after if after > today else today - timedelta(days=today.weekday())
