"""USE CASE: a stranger makes an account."""

from __future__ import annotations

from allauth.account import signals
from allauth.account.adapter import get_adapter
from allauth.account.forms import SignupForm
from allauth.account.models import EmailAddress
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.utils.translation import gettext as _

from smartmate.accounts.forms import check, take
from taskclasses.kernel.errors import CodedError, bad_request

NAMES = {"username": "username", "email": "email", "password1": "password"}


def account_create(*, request: HttpRequest, username: str, password: str, email: str = "") -> User:
    """Makes a student's account; an address that is named is sent a link that verifies it.

    40302 when sign-up is closed, 40033 after too many from one address, 40005 with what is wrong.
    """
    if not get_adapter().is_open_for_signup(request):
        raise CodedError(40302)
    take(request, "signup")
    form = SignupForm({"username": username, "email": email, "password1": password, "password2": password})
    check(form, NAMES)
    try:
        with transaction.atomic():
            user: User = form.save(request)
            # The form writes a note for pages that follow; here none does, and no cookie is to be set.
            request.session.modified = False
    except IntegrityError as error:
        # Somebody took the name since the form was checked.
        raise bad_request("username", _("已存在一位使用该名字的用户。")) from error
    signals.user_signed_up.send(sender=User, request=request, user=user)
    address = EmailAddress.objects.filter(user=user).first()
    if address is not None:
        address.send_confirmation(request, signup=True)
    return user
