"""The screens of the rail, and which of them a page belongs to."""

from __future__ import annotations

from typing import Any, NamedTuple

from django.http import HttpRequest
from django.utils.functional import Promise, SimpleLazyObject
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from smartmate.models import AccountSettings


class Screen(NamedTuple):
    name: str
    address: str
    icon: str
    label: str | Promise


SCREENS = (
    Screen("today", "/today", "today", _("今日")),
    Screen("week", "/week", "week", _("周课表")),
    Screen("tasks", "/tasks", "tasks", pgettext_lazy("screen", "任务")),
    Screen("courses", "/courses", "courses", pgettext_lazy("screen", "课程")),
    Screen("chat", "/chat", "chat", _("助手")),
    Screen("settings", "/settings", "settings", _("设置")),
)


def rail(request: HttpRequest) -> dict[str, Any]:
    """Returns the context of every page: all screens, the one whose address the page's begins with, what the account
    chose."""
    here = request.path.strip("/").partition("/")[0]
    return {"screens": SCREENS, "here": here, "account": SimpleLazyObject(lambda: _account(request))}


def _account(request: HttpRequest) -> AccountSettings:
    """Returns what the account chose; without one, or a choice, what holds then."""
    user = getattr(request, "user", None)
    found = AccountSettings.objects.filter(user=user).first() if user is not None and user.is_authenticated else None
    return found or AccountSettings()
