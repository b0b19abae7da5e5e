"""Accounts by name and password, each read together with its settings."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest


def _spell(username: str | None) -> str | None:
    """Returns a name as sign-up spells it, unless an account from before that has just this one."""
    spelled = User.normalize_username(username or "")
    if username is None or spelled == username or User.objects.filter(username=username).exists():
        return username
    return spelled


class AccountBackend(ModelBackend):
    def authenticate(
        self, request: HttpRequest | None, username: str | None = None, password: str | None = None, **kwargs: Any
    ) -> Any:
        found = super().authenticate(request, username=_spell(username), password=password, **kwargs)
        if found is None:
            # The backend after this one knows the sessions that it opened before; it need not hash the password again.
            raise PermissionDenied
        return found

    def get_user(self, user_id: Any) -> User | None:
        found = User.objects.select_related("account_settings").filter(pk=user_id).first()
        return found if found is not None and self.user_can_authenticate(found) else None
