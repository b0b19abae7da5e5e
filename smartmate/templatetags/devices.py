"""Devices as people name them."""

from __future__ import annotations

from django import template
from django.utils.translation import gettext, gettext_lazy

register = template.Library()

# What comes first wins: most browsers also name those that they descend from.
BROWSERS = (
    ("MicroMessenger", gettext_lazy("微信")),
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser", "Samsung Internet"),
    ("Firefox", "Firefox"),
    ("FxiOS", "Firefox"),
    ("Chrome", "Chrome"),
    ("CriOS", "Chrome"),
    ("Safari", "Safari"),
)
SYSTEMS = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("Mac OS X", "Mac"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
)
CLIENT_LIMIT = 60


@register.filter
def device(user_agent: str) -> str:
    """Names browser and system, "Firefox · Windows"; a program that says neither is told by its own words."""
    found = [next((str(name) for mark, name in known if mark in user_agent), "") for known in (BROWSERS, SYSTEMS)]
    return " · ".join(filter(None, found)) or user_agent[:CLIENT_LIMIT] or gettext("未知的浏览器")
