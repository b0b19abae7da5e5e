"""Forms that show what they would do before they do it: first a trial, then, unchanged, the write."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import Any

from django import forms
from django.contrib.auth.mixins import LoginRequiredMixin
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.functional import cached_property
from django.utils.translation import gettext
from django.views import View

from schedules.models import Semester
from schedules.selectors import semester_current
from smartmate.pages.forms.messages import came_from, go_back, tell_done
from smartmate.pages.forms.refusals import tell_refusal
from taskclasses.kernel.errors import CodedError

UNTRIED = {"seen", "next", "base", "csrfmiddlewaretoken"}
"""What a form sends beside the student's words."""
NOT_FOUND = (40031, 40042, 40043, 40047, 40050, 40052)


@dataclass(frozen=True)
class Effect:
    """Tells what a write does, or a trial would do, in sentences; `batch_id` None when there is nothing to undo.

    `way_on` is the page that what the write broke is mended on; empty when the way leads back.
    """

    sentences: list[str] = field(default_factory=list)
    batch_id: int | None = None
    way_on: str = ""


class TrialPage(LoginRequiredMixin, View):
    """Shows a page with one form. Those who differ say `heading`, `make_form` and `carry_out`."""

    heading = ""
    verb = ""
    back = "courses"
    template = "courses/trial.html"

    @cached_property
    def user(self) -> Any:
        return self.request.user

    @cached_property
    def semester(self) -> Semester:
        return semester_current(self.user.pk)

    def make_form(self, data: Any = None, **named: Any) -> forms.Form:
        """Makes the form, with what was sent when something was; no fields where there is only something to confirm."""
        return forms.Form(data)

    def carry_out(self, form: Any, *, dry_run: bool, **named: Any) -> Effect:
        """Writes what the form says, or tries it."""
        raise NotImplementedError

    def context(self, **named: Any) -> dict[str, Any]:
        return {}

    def get(self, request: HttpRequest, **named: Any) -> HttpResponse:
        form = self.make_form(**named)
        effect = None if form.fields else self._try(self.make_form({}, **named), dry_run=True, **named)
        return self._show(form, effect, **named)

    def post(self, request: HttpRequest, **named: Any) -> HttpResponse:
        form = self.make_form(request.POST, **named)
        seen = request.POST.get("seen") == mark_of(form)
        effect = self._try(form, dry_run=not seen, **named) if form.is_valid() else None
        if effect is None or not seen:
            return self._show(form, effect, **named)
        tell_done(request, gettext("已保存"), effect.batch_id)
        return redirect(effect.way_on) if effect.way_on else go_back(request, self.back)

    def _try(self, form: forms.Form, *, dry_run: bool, **named: Any) -> Effect | None:
        """Returns what follows, or None when it was refused; then the form says why."""
        try:
            return self.carry_out(form, dry_run=dry_run, **named)
        except CodedError as refusal:
            if refusal.code in NOT_FOUND:
                raise Http404 from refusal
            if not form.is_bound:
                return None
            form.is_valid()
            tell_refusal(form, refusal, self.semester.calendar)
            return None

    def _show(self, form: forms.Form, effect: Effect | None, **named: Any) -> HttpResponse:
        shown = {
            "form": form,
            "effect": effect,
            "seen": mark_of(form),
            "heading": self.heading,
            "verb": self.verb or gettext("保存"),
            "back": came_from(self.request) or reverse(self.back),
            "next": came_from(self.request),
            **self.context(**named),
        }
        return render(self.request, self.template, shown, status=422 if form.errors else 200)


def mark_of(form: forms.Form) -> str:
    """Returns what a form was sent, with what was changed elsewhere, as a short text: what was tried is what may be
    written."""
    sent: Any = form.data
    told = [(name, sent.getlist(name)) for name in sorted(set(sent) - UNTRIED)]
    return hashlib.sha256(repr([one for one in told if any(one[1])]).encode()).hexdigest()[:16]
