"""Ways in for other programs: the address of the calendar feed, and tokens. A secret is shown once, when it is made."""

from __future__ import annotations

import re
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.mixins import LoginRequiredMixin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language, gettext
from django.views import View

from schedules.models import ENTRY_KINDS, REMINDER_MAX
from schedules.services.feeds import feed_change, feed_revoke, feed_rotate
from smartmate.accounts.tokens import token_create, token_end_one
from smartmate.pages.forms.messages import tell_done, tell_refused
from taskclasses.kernel.errors import CodedError, bad_request

NAME_MAX = 60


class FeedPage(LoginRequiredMixin, View):
    """Answers POST: makes the address or another one, changes what the feed tells, or ends it."""

    def get(self, request: HttpRequest) -> HttpResponse:
        """Leads to the settings: what was shown once is not shown to Back and reload."""
        return redirect("settings")

    def post(self, request: HttpRequest) -> HttpResponse:
        user: Any = request.user
        way = request.POST.get("way")
        try:
            if way == "make":
                _feed, secret = feed_rotate(user=user, language=get_language() or "")
                return _show_secret(request, gettext("订阅地址"), _address_of(request, secret))
            if way == "end":
                feed_revoke(user=user)
                tell_done(request, gettext("订阅已停止"))
            elif way == "remind":
                feed_change(user=user, reminder_minutes=_read_minutes(request))
                tell_done(request, gettext("已保存"))
            elif kinds := [kind for kind in ENTRY_KINDS if kind in request.POST.getlist("include")]:
                feed_change(user=user, include=kinds)
                tell_done(request, gettext("已保存"))
            else:
                messages.error(request, gettext("没有保存：至少勾选一种。什么都不要，就停止订阅。"))
        except CodedError as refusal:
            tell_refused(request, refusal)
        return redirect("settings")


def _read_minutes(request: HttpRequest) -> int | None:
    """Reads how long before an entry its reminder rings; None for no reminder. 40005."""
    said = request.POST.get("reminder_minutes", "")
    if not said.strip():
        return None
    if not re.fullmatch(r"[0-9]{1,5}", said.strip()) or int(said) > REMINDER_MAX:
        raise bad_request("reminder_minutes", "取值不在允许范围内")
    return int(said)


def _address_of(request: HttpRequest, secret: str) -> str:
    address = request.build_absolute_uri(f"/feeds/{secret}.ics")
    return f"https://{address.partition('://')[2]}" if settings.HTTPS else address


class TokensPage(LoginRequiredMixin, View):
    """Answers POST: makes a token with a name, or ends one."""

    def get(self, request: HttpRequest) -> HttpResponse:
        return redirect("settings")

    def post(self, request: HttpRequest) -> HttpResponse:
        user: Any = request.user
        ended = request.POST.get("end", "")
        if not ended:
            _row, key = token_create(user=user, name=request.POST.get("name", "")[:NAME_MAX])
            return _show_secret(request, gettext("新的令牌"), key)
        try:
            token_end_one(user=user, public_id=ended)
        except CodedError as refusal:
            tell_refused(request, refusal)
        else:
            tell_done(request, gettext("令牌已撤销"))
        return redirect("settings")


def _show_secret(request: HttpRequest, heading: str, secret: str) -> HttpResponse:
    page = render(request, "settings/secret.html", {"heading": heading, "secret": secret})
    page["Cache-Control"] = "no-store"
    return page
