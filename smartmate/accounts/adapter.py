"""What django-allauth asks this house: whether anybody may sign up, whose request it is, what a new account gets."""

from __future__ import annotations

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from django.conf import settings
from django.contrib.auth.models import User
from django.http import HttpRequest

from smartmate.accounts.roles import STUDENT, add_to_role
from smartmate.middleware.client_address import client_of


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return bool(settings.SIGNUP_OPEN)

    def get_client_ip(self, request: HttpRequest) -> str:
        return client_of(request)

    def save_user(self, request: HttpRequest, user: User, form: Any, commit: bool = True) -> User:
        saved: User = super().save_user(request, user, form, commit)
        add_to_role(saved, STUDENT)
        return saved
