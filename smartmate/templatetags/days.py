"""Dates as students read them."""

from __future__ import annotations

from datetime import date, datetime

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext

from schedules.planner.rules.sentences import month_text
from taskclasses.kernel.i18n import weekday_words

register = template.Library()


@register.filter
def month_day(day: date) -> str:
    """Returns  "3 月 9 日"."""
    return gettext("{month} 月 {day} 日").format(month=month_text(day.month, get_language() or ""), day=day.day)


@register.filter
def weekday(day: date) -> str:
    """Returns  "周一"."""
    return weekday_words(day.isoweekday(), get_language() or "")


@register.filter
def whole_day(day: date) -> str:
    """Returns  "3 月 9 日 周一"."""
    return gettext("{day} {weekday}").format(day=month_day(day), weekday=weekday(day))


@register.filter
def moment(at: datetime) -> SafeString:
    """Writes a point of time; the page's script tells it by the clock of the reader, without it the UTC stays."""
    return format_html('<time datetime="{}">{} UTC</time>', at.isoformat(), f"{at:%Y-%m-%d %H:%M}")
