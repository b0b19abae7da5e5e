"""The forms of django-allauth under the API: its checks and its limits, our refusals."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from allauth.core import ratelimit
from django.forms import Form
from django.http import HttpRequest

from taskclasses.kernel.errors import CodedError

LIMIT_S = 60
"""Limits of accounts are counted by the minute."""
REPETITION = "password2"
"""The field of a page into which a new password is typed again: the API asks once, so its faults are told once."""


def take(request: HttpRequest, action: str, *, user: Any = None, key: str | None = None) -> None:
    """Counts a request against a limit of django-allauth; 40033 when it is used up."""
    if not ratelimit.consume(request, action=action, user=user, key=key):
        raise CodedError(40033, {"retry_after": LIMIT_S})


def check(form: Form, names: Mapping[str, str]) -> None:
    """Raises 40005 with what the form says; `names` are the fields of the body by those of the form."""
    if form.is_valid():
        return
    rows = [
        {"field": names.get(field, ""), "message": str(message)}
        for field, messages in form.errors.items()
        if field != REPETITION
        for message in messages
    ]
    raise CodedError(40005, {"errors": rows})
