"""What every plan should be like: the student's wishes in sentences, one more, one less."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.contrib.auth.mixins import LoginRequiredMixin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _
from django.views import View

from agent.tools.words.wishes import PARTS, wish_words
from schedules.models import Preference, Semester
from schedules.planner.soft_limits import VALUE_MAX, Kind, SoftLimit, limit_to_json
from schedules.selectors import preferences_of, semester_current
from schedules.services.preferences import preferences_change
from smartmate.pages.forms.messages import tell_done, tell_refused
from smartmate.pages.forms.refusals import attempt, locale
from taskclasses.kernel.errors import CodedError
from taskclasses.kernel.i18n import WEEKDAYS
from taskclasses.models import TaskClass

BLOCKS_MAX = VALUE_MAX["blocks_a_day"]
DAYS_BEFORE = (1, 2, 3, 5, 7, 10, 14, 21, 30)
HARD = "hard"
Choice = tuple[str, str]


class WishForm(forms.Form):
    """Reads a wish; `wish` is a kind with its value, `who` one class, what is hard, or everything."""

    wish = forms.ChoiceField(label=_("愿望"))
    who = forms.ChoiceField(label=_("对什么"), required=False)

    def __init__(self, *args: Any, semester: Semester, classes: Sequence[Choice], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        everything = [("", gettext("所有任务")), (HARD, gettext("费脑程度高的任务"))]
        self.fields["wish"].choices = _wish_choices(semester)  # type: ignore[attr-defined]
        self.fields["who"].choices = [*everything, *classes]  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        said = super().clean() or self.cleaned_data
        if said.get("who") == HARD and said.get("wish", "").startswith("blocks_a_day"):
            self.add_error("who", gettext("每天最多几段，只能对所有任务或者一个任务说。"))
        return said

    def limit(self) -> SoftLimit:
        kind, _sep, value = self.cleaned_data["wish"].partition(":")
        who = self.cleaned_data["who"]
        return SoftLimit(kind, int(value), int(who) if who.isdigit() else None, who == HARD)


def _wish_choices(semester: Semester) -> list[tuple[str, str | list[Choice]]]:
    """Returns all that can be wished in a semester, grouped by what it is about."""
    grid, times = semester.calendar.grid, semester.section_times
    numbers = range(1, len(times) + 1)
    not_before = [(n, gettext("不早于第 {n} 节（{clock}）").format(n=n, clock=times[n - 1][0])) for n in numbers]
    not_after = [(n, gettext("不晚于第 {n} 节（{clock}）").format(n=n, clock=times[n - 1][1])) for n in numbers]
    parts = [PARTS[n] for n in range(1, min(len(grid.day_parts), len(PARTS)) + 1)]
    told: dict[Kind, list[tuple[int, str]]] = {
        "earliest_section": not_before[1:],
        "latest_section": not_after[:-1],
        "day_part": [(n, gettext("放在{part}").format(part=gettext(part))) for n, part in enumerate(parts, 1)],
        "light_weekday": [(n, gettext("{day}少排").format(day=gettext(day))) for n, day in enumerate(WEEKDAYS, 1)],
        "blocks_a_day": [(n, gettext("每天最多 {n} 节").format(n=2 * n)) for n in range(1, BLOCKS_MAX + 1)],
        "finish_early": [(n, ngettext("提前 {n} 天", "提前 {n} 天", n).format(n=n)) for n in DAYS_BEFORE],
    }
    labels = dict(Preference.Kind.choices)
    groups = [(str(labels[kind]), [(f"{kind}:{n}", words) for n, words in rows]) for kind, rows in told.items() if rows]
    return [("", gettext("选一个愿望")), *groups]


class WishesPage(LoginRequiredMixin, View):
    """Answers POST: takes the wish `remove` back, or sets one in place of its like."""

    def get(self, request: HttpRequest) -> HttpResponse:
        return self._show(self._form())

    def post(self, request: HttpRequest) -> HttpResponse:
        user: Any = request.user
        gone = request.POST.get("remove", "")
        if gone:
            try:
                preferences_change(user_id=user.pk, remove=[int(gone) if gone.isdecimal() else 0])
            except CodedError as refusal:
                tell_refused(request, refusal)
            return redirect("wishes")
        form = self._form(request.POST)
        if form.is_valid() and attempt(form, lambda: self._set(form)) is not None:
            tell_done(request, gettext("已保存，下次排的时候会照办"))
            return redirect("wishes")
        return self._show(form)

    def _set(self, form: WishForm) -> list[Preference]:
        user: Any = self.request.user
        return preferences_change(user_id=user.pk, wishes=[form.limit()])

    def _form(self, *data: Any) -> WishForm:
        user: Any = self.request.user
        classes = [(str(pk), name) for pk, name in _names(user.pk).items()]
        return WishForm(*data, semester=semester_current(user.pk), classes=classes)

    def _show(self, form: WishForm) -> HttpResponse:
        user: Any = self.request.user
        shown = {"form": form, "wishes": wishes_told(user.pk)}
        return render(self.request, "settings/wishes.html", shown, status=422 if form.errors else 200)


def wishes_told(user_id: int) -> list[dict[str, Any]]:
    """Returns a student's wishes in sentences, each with its id."""
    names = _names(user_id)
    rows = preferences_of(user_id)
    return [{"id": row.pk, "words": wish_words(limit_to_json(row.limit), names, locale())} for row in rows]


def _names(user_id: int) -> dict[int, str]:
    return dict(TaskClass.objects.filter(user_id=user_id).order_by("pk").values_list("pk", "name"))
