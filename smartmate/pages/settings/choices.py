"""Settings: the account, language, appearance, how the past counts, earlier changes, the ways out."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth.mixins import LoginRequiredMixin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext, ngettext, pgettext
from django.utils.translation import gettext_lazy as _
from django.views import View

from agent.llm.factory import backend_of
from agent.runs.execution.deps import environment
from agent.runs.quota import quota_of
from schedules.models import CalendarFeed
from schedules.selectors import semesters_of
from schedules.services import schedule_undo
from smartmate.accounts.account_settings import SWITCHES, settings_change, settings_get
from smartmate.accounts.tokens import tokens_list
from smartmate.models import AccountSettings
from smartmate.pages.courses.words import semester_words
from smartmate.pages.forms.messages import go_back, tell_done, tell_refused
from smartmate.pages.forms.refusals import attempt
from smartmate.pages.settings.changes import changes_told, refused_undo
from smartmate.pages.settings.wishes import wishes_told
from taskclasses.kernel.errors import CodedError

REMINDERS = (5, 10, 15, 30, 60)
"""Minutes before an entry of the calendar that a student can choose from."""


class SettingsForm(forms.Form):
    semester_id = forms.TypedChoiceField(label=_("当前学期"), coerce=int)
    appearance = forms.ChoiceField(
        label=_("外观"), choices=(("system", _("跟随系统")), ("light", _("浅色")), ("dark", _("深色")))
    )
    mode = forms.ChoiceField(
        label=_("过去的任务怎么算"),
        choices=(("assume_done", _("默认算完成，没做的我再说")), ("tick", _("我会打勾，没打勾的算没做"))),
    )
    grace_hours = forms.IntegerField(label=_("结束后多少小时还可以打勾"), min_value=0, max_value=336)

    def __init__(self, *args: Any, semesters: list[tuple[int, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["semester_id"].choices = semesters  # type: ignore[attr-defined]

    def changes(self) -> dict[str, Any]:
        told = self.cleaned_data
        progress = {"mode": told["mode"], "grace_hours": told["grace_hours"]}
        return {"semester_id": told["semester_id"], "appearance": told["appearance"], "progress": progress}


class SettingsPage(LoginRequiredMixin, View):
    def _form(self, *data: Any) -> SettingsForm:
        user: Any = self.request.user
        chosen = settings_get(user=user)
        initial = {name: chosen[name] for name in ("semester_id", "appearance")} | chosen["progress"]
        semesters = [(row.pk, semester_words(row)) for row in semesters_of(user.pk)]
        return SettingsForm(*data, semesters=semesters, initial=initial)

    def _show(self, form: SettingsForm) -> HttpResponse:
        user: Any = self.request.user
        feed = CalendarFeed.objects.filter(user=user).first()
        shown: dict[str, Any] = {"form": form, "chosen": settings_get(user=user), "changes": changes_told(user)}
        shown |= {"feed": feed, "tokens": tokens_list(user=user)}
        shown |= {"own_semesters": semesters_of(user.pk).filter(owner=user), "wishes": wishes_told(user.pk)}
        shown |= {"quota": quota_of(user_id=user.pk, now=timezone.now()), "reminders": _reminders(feed)}
        shown["has_model"] = backend_of(environment()) != "offline"
        shown["sample"] = AccountSettings.objects.filter(user=user, sample__isnull=False).exists()
        return render(self.request, "settings/all.html", shown, status=422 if form.errors else 200)

    def get(self, request: HttpRequest) -> HttpResponse:
        return self._show(self._form())

    def post(self, request: HttpRequest) -> HttpResponse:
        user: Any = request.user
        form = self._form(request.POST)
        if form.is_valid() and attempt(form, lambda: settings_change(user=user, changes=form.changes())) is not None:
            tell_done(request, gettext("已保存"))
            return redirect("settings")
        return self._show(form)


def _reminders(feed: CalendarFeed | None) -> list[tuple[int | str, str]]:
    """Returns what a reminder may be set to, and what it is set to otherwise."""
    known = sorted({*REMINDERS, *([feed.reminder_minutes] if feed and feed.reminder_minutes is not None else [])})
    return [("", gettext("不提醒")), *((minutes, _minutes_words(minutes)) for minutes in known)]


def _minutes_words(minutes: int) -> str:
    if minutes == 0:
        return gettext("开始时")
    if minutes % 60 == 0:
        return ngettext("{count} 小时", "{count} 小时", minutes // 60).format(count=minutes // 60)
    return ngettext("{count} 分钟", "{count} 分钟", minutes).format(count=minutes)


class ChoicesPage(LoginRequiredMixin, View):
    """Answers POST: sets the named switches of the account as the form has them; scripts save each as it is turned."""

    def post(self, request: HttpRequest) -> HttpResponse:
        user: Any = request.user
        named = set(request.POST.getlist("named")) & set(SWITCHES)
        settings_change(user=user, changes={name: name in request.POST for name in named})
        tell_done(request, gettext("已保存"))
        return redirect("settings")


class UndoPage(LoginRequiredMixin, View):
    """Undoes one earlier change."""

    def post(self, request: HttpRequest, batch_id: int) -> HttpResponse:
        user: Any = request.user
        try:
            schedule_undo(user=user, batch_id=batch_id)
        except CodedError as refusal:
            tell_refused(request, refusal, refused_undo(user, batch_id, refusal))
        else:
            tell_done(request, pgettext("screen", "已撤销"))
        return go_back(request, "settings")
