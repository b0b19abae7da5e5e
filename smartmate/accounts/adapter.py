"""What django-allauth asks this house: whether anybody may sign up, whose request it is, what a new account gets."""

from __future__ import annotations

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from django.conf import settings
from django.contrib.auth.models import User
from django.http import HttpRequest

from smartmate.accounts.roles import STUDENT, add_to_role
from smartmate.middleware.client_address import client_of

NAME_MAX = 150


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return bool(settings.SIGNUP_OPEN)

    def get_client_ip(self, request: HttpRequest) -> str:
        return client_of(request)

    def clean_username(self, username: str, shallow: bool = False) -> str:
        """Returns a name as the sign-in spells it: the full-width letters of a Chinese keyboard are plain ones."""
        spelled = User.normalize_username(username)
        # It may have grown; what does not fit any more stays as it is, as Django's own forms have it.
        cleaned: str = super().clean_username(spelled if len(spelled) <= NAME_MAX else username, shallow)
        return cleaned

    def save_user(self, request: HttpRequest, user: User, form: Any, commit: bool = True) -> User:
        saved: User = super().save_user(request, user, form, commit)
        add_to_role(saved, STUDENT)
        return saved
