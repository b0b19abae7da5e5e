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
    """Returns the context of every page: all screens, the one whose address the page's begins with, the chosen
    appearance."""
    here = request.path.strip("/").partition("/")[0]
    return {"screens": SCREENS, "here": here, "theme": SimpleLazyObject(lambda: _theme(request))}


def _theme(request: HttpRequest) -> str:
    """Returns `light` or `dark` when the account chose one; empty follows the system."""
    user = getattr(request, "user", None)
    if user is None or not user.is_authenticated:
        return ""
    chosen = AccountSettings.objects.filter(user=user).values_list("appearance", flat=True).first()
    return chosen if chosen in ("light", "dark") else ""
