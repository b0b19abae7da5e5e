"""USE CASES on guests: a throw-away account with the sample term, for a look without signing up."""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta

from django.contrib.auth.hashers import UNUSABLE_PASSWORD_PREFIX
from django.contrib.auth.models import User
from django.db.models import QuerySet

from smartmate.accounts.roles import STUDENT, add_to_role
from smartmate.accounts.sample import sample_load
from smartmate.models import AccountSettings
from taskclasses.kernel.database.transactions import run_transaction

PREFIX = "guest-"
KEPT = timedelta(days=1)


def guest_create(*, now: datetime, name: str, locale: str = "zh") -> User:
    """Makes an account that nobody can sign in to, with the sample term; `name` is that of a semester made for it."""

    def effect() -> User:
        user = User(username=PREFIX + secrets.token_hex(8))
        user.set_unusable_password()
        user.save()
        add_to_role(user, STUDENT)
        AccountSettings.objects.create(user=user, welcomed_at=now)
        sample_load(user=user, now=now, name=name, locale=locale)
        return user

    return run_transaction(effect)


def guests_due(now: datetime) -> QuerySet[User]:
    """Returns the guests whose day is over."""
    return User.objects.filter(
        username__startswith=PREFIX, password__startswith=UNUSABLE_PASSWORD_PREFIX, date_joined__lt=now - KEPT
    )
