"""The forms of the first run: the semester, and a first task in its shortest form."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from schedules.models import Semester
from schedules.selectors import term_name
from schedules.terms.semester_values import WEEKS_MAX, SemesterValues
from smartmate.pages.courses.words import no_monday_words
from smartmate.pages.forms.refusals import locale
from smartmate.pages.forms.widgets import day_input
from smartmate.pages.tasks.task_form import WEEKDAYS, LinesForm, read_items
from taskclasses.fields import ClassValues

OWN = "own"
LENGTHS = ((1, _("1 节")), (2, _("2 节")), (3, _("3 节")), (4, _("4 节")))


class TermForm(forms.Form):
    """Reads a semester that is there, or a first Monday and a number of weeks for one of the student's own."""

    semester = forms.ChoiceField(label=_("学期"))
    first_monday = forms.DateField(label=_("学期第一天（周一）"), required=False, widget=day_input())
    weeks = forms.IntegerField(label=_("共几周"), min_value=1, max_value=WEEKS_MAX, required=False)

    def __init__(self, data: Any = None, *, semesters: Sequence[tuple[str, str]], current: Semester) -> None:
        initial = {"semester": str(current.pk), "first_monday": current.first_monday, "weeks": current.weeks}
        super().__init__(data, initial=initial)
        self.fields["semester"].choices = [*semesters, (OWN, _("自己定"))]  # type: ignore[attr-defined]
        self._current = current

    def clean(self) -> dict[str, Any]:
        said = super().clean() or self.cleaned_data
        if said.get("semester") == OWN:
            for name in ("first_monday", "weeks"):
                if name not in self.errors and not said.get(name):
                    self.add_error(name, _("自己定的学期要填这一项。"))
            if said.get("first_monday") and said["first_monday"].weekday():
                self.add_error("first_monday", no_monday_words(said["first_monday"]))
        return said

    def choose_semester(self) -> int | None:
        """Returns the semester that is there; None when the student makes one."""
        told = self.cleaned_data["semester"]
        return None if told == OWN else int(told)

    def values(self) -> SemesterValues:
        """Returns the student's own semester, with the bell times of the current one."""
        monday: date = self.cleaned_data["first_monday"]
        return SemesterValues(
            name=term_name(monday, locale()),
            first_monday=monday,
            weeks=self.cleaned_data["weeks"],
            section_times=self._current.section_times,
            time_zone=self._current.time_zone,
        )


class FirstTaskForm(LinesForm):
    """Reads a task in its shortest form: what, until when, in which pieces, and when not."""

    name = forms.CharField(label=_("名称"), max_length=60)
    end_date = forms.DateField(label=_("什么时候要学完"), widget=day_input())
    sections = forms.TypedChoiceField(label=_("每项几节"), choices=LENGTHS, coerce=int, initial=2)
    items = forms.CharField(
        label=_("要学的内容，一行一项，按顺序"),
        widget=forms.Textarea(attrs={"rows": 6}),
        help_text=_("也可以把目录整段粘贴进来。"),
    )
    days = forms.TypedMultipleChoiceField(
        label=_("这几天不想学"), choices=WEEKDAYS, coerce=int, required=False, widget=forms.CheckboxSelectMultiple
    )
    blocks = forms.TypedMultipleChoiceField(
        label=_("这些时段不想学"), choices=(), coerce=int, required=False, widget=forms.CheckboxSelectMultiple
    )

    def __init__(self, data: Any = None, *, blocks: Sequence[tuple[int, str]]) -> None:
        super().__init__(data)
        self.fields["blocks"].choices = list(blocks)  # type: ignore[attr-defined]

    def values(self, today: date) -> ClassValues:
        said = self.cleaned_data
        items = [replace(one, duration=one.duration or said["sections"]) for one in read_items(said["items"], [])]
        return ClassValues(
            name=said["name"],
            mode="auto",
            start_date=today,
            end_date=said["end_date"],
            excluded_days_of_week=said["days"],
            excluded_slots=said["blocks"],
            items=items,
        )
