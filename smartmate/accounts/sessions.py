"""USE CASES on the sessions of an account: list them, end one, end the others."""

from __future__ import annotations

from collections.abc import Sequence

from allauth.usersessions.models import UserSession
from django.contrib.auth.models import User

from taskclasses.kernel.errors import CodedError


def sessions_list(*, user: User) -> Sequence[UserSession]:
    """Returns the sessions that still open the account, the last used first."""
    return sorted(UserSession.objects.purge_and_list(user), key=lambda row: row.last_seen_at, reverse=True)


def session_end(*, user: User, session_id: int) -> None:
    """Signs one session of the account out; 40400 when it has none such."""
    row = UserSession.objects.filter(user=user, pk=session_id).first()
    if row is None:
        raise CodedError(40400)
    row.end()


def sessions_end_others(*, user: User, current: str) -> None:
    """Signs every session of the account out but the one with this key; "" spares none."""
    for row in UserSession.objects.filter(user=user).exclude(session_key=current):
        row.end()
