"""USE CASES on access tokens: made for a password, listed without their secrets, ended one by one or together."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from django.conf import settings
from django.contrib.auth.models import User
from django.utils import timezone
from knox.models import get_digest_token

from smartmate.models import AccessToken
from taskclasses.kernel.auth import password_marks
from taskclasses.kernel.errors import CodedError

TOKENS_MAX = 50
"""Tokens that an account can have at a time."""


def token_create(*, user: User, name: str = "") -> tuple[AccessToken, str]:
    """Makes a token; answers its row and the key, which is not kept. Of many, expired ones and the oldest go."""
    AccessToken.objects.filter(user=user, expiry__lte=timezone.now()).delete()
    newest = AccessToken.objects.filter(user=user).order_by("-created", "digest").values_list("pk", flat=True)
    AccessToken.objects.filter(pk__in=list(newest[TOKENS_MAX - 1 :])).delete()
    digest, key = get_digest_token()
    made = AccessToken.objects.create(
        digest=digest,
        user=user,
        expiry=timezone.now() + timedelta(days=settings.TOKEN_DAYS),
        name=name.strip(),
        password_mark=user.get_session_auth_hash(),
    )
    return made, key


def tokens_list(*, user: User) -> Sequence[AccessToken]:
    """Returns the tokens of an account that still open it, the newest first."""
    marks = password_marks(user)
    return list(AccessToken.objects.filter(user=user, password_mark__in=marks, expiry__gt=timezone.now()))


def token_end(*, user: User, digest: str) -> None:
    """Ends the token with this digest, or with "" all tokens of the account."""
    tokens = AccessToken.objects.filter(user=user)
    (tokens.filter(digest=digest) if digest else tokens).delete()


def token_end_one(*, user: User, public_id: str) -> None:
    """Ends one token of the account by the id it is listed under; 40400 when it has none such."""
    named = [token.pk for token in AccessToken.objects.filter(user=user) if token.public_id == public_id]
    if not AccessToken.objects.filter(user=user, pk__in=named).delete()[0]:
        raise CodedError(40400)
