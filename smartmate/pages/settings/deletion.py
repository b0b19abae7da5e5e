"""The end of an account: what goes with it is told, its password confirms."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.mixins import LoginRequiredMixin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views import View

from agent.models import Conversation
from schedules.models import Course, ScheduleEvent
from smartmate.accounts.deletion import account_confirm, account_delete
from smartmate.pages.forms.refusals import tell_refusal
from taskclasses.kernel.errors import CodedError
from taskclasses.models import TaskClass


class DeletionForm(forms.Form):
    password = forms.CharField(
        label=_("密码"),
        max_length=1000,
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )


class AccountDeletePage(LoginRequiredMixin, View):
    def get(self, request: HttpRequest) -> HttpResponse:
        return self._show(DeletionForm())

    def post(self, request: HttpRequest) -> HttpResponse:
        user: Any = request.user
        form = DeletionForm(request.POST)
        if not form.is_valid():
            return self._show(form)
        try:
            account_confirm(user, form.cleaned_data["password"])
            account_delete(user)
        except CodedError as refusal:
            tell_refusal(form, refusal)
            return self._show(form)
        logout(request)
        messages.success(request, gettext("账号和其中的一切都已删除。"))
        return redirect("login")

    def _show(self, form: forms.Form) -> HttpResponse:
        user: Any = self.request.user
        counts = {
            "courses": Course.objects.filter(user=user).count(),
            "lessons": ScheduleEvent.objects.filter(user=user, type=ScheduleEvent.Type.COURSE).count(),
            "tasks": TaskClass.objects.filter(user=user).count(),
            "conversations": Conversation.objects.filter(user=user).count(),
        }
        shown = {"form": form, "counts": counts, "name": user.get_username()}
        return render(self.request, "settings/account_delete.html", shown, status=422 if form.errors else 200)
