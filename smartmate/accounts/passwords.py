"""USE CASES on passwords: change mine, and ask for a link to set another one."""

from __future__ import annotations

from allauth.account import signals
from allauth.account.adapter import get_adapter
from allauth.account.forms import ChangePasswordForm, ResetPasswordForm
from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.models import User
from django.http import HttpRequest

from smartmate.accounts.forms import check, take

NAMES = {"oldpassword": "current_password", "password1": "new_password"}


def password_change(*, request: HttpRequest, user: User, current: str, new: str, in_session: bool) -> None:
    """Sets another password. Every token ends, and every session but the one that asks.

    40033 after too many tries, 40005 with what is wrong.
    """
    take(request, "change_password", user=user)
    form = ChangePasswordForm(user, {"oldpassword": current, "password1": new, "password2": new})
    check(form, NAMES)
    form.save()
    if in_session:
        update_session_auth_hash(request, user)
        signals.password_changed.send(sender=User, request=request, user=user)
    get_adapter(request).send_notification_mail("account/email/password_changed", user)


def password_reset_ask(*, request: HttpRequest, email: str) -> None:
    """Sends a link that sets another password to the accounts with this address; whether there are any is not told.

    40033 after too many requests, 40005 for what is no address.
    """
    form = ResetPasswordForm({"email": email})
    check(form, {"email": "email"})
    take(request, "reset_password", key=email.lower())
    form.save(request)
