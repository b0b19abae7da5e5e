"""Who is asking: a bearer token, or the session cookie with a CSRF token. One rule for every transport."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from types import SimpleNamespace
from typing import Any, Literal

from django.contrib.auth import get_user
from django.contrib.auth.models import AbstractBaseUser, User
from django.db import DatabaseError
from django.http import HttpRequest
from django.middleware.csrf import CsrfViewMiddleware
from django.utils import timezone
from knox.crypto import hash_token
from knox.models import get_token_model
from rest_framework.authentication import BaseAuthentication
from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from taskclasses.kernel.errors import CodedError

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})
SCHEMES = frozenset({"bearer", "token"})
LAST_USE_GRAIN = timedelta(minutes=10)
"""How exactly the last use of a token or of a feed is known: worth a row now and then."""


@dataclass(frozen=True)
class Identity:
    """Tells who asks. `token` is the digest of the bearer token that vouched, "" for a session."""

    user: User
    via: Literal["token", "session"]
    token: str = ""


def language_chosen_by(user: Any) -> str:
    """Returns the language that an account chose, "" when it follows the browser. The row is read with the account."""
    return str(getattr(getattr(user, "account_settings", None), "language", ""))


def password_marks(user: User) -> list[str]:
    """Returns what marks the password of an account: by the present key first, then by the former ones."""
    return [user.get_session_auth_hash(), *user.get_session_auth_fallback_hash()]


def identity_of_token(key: str) -> Identity | None:
    """Looks a bearer token up; None when it is unknown, expired, or made before the last change of the password."""
    if not key or not key.isascii() or not key.isprintable():
        return None
    tokens = get_token_model().objects
    token = tokens.select_related("user__account_settings").filter(digest=hash_token(key)).first()
    now = timezone.now()
    if token is None or not token.user.is_active or token.expiry <= now:
        return None
    marks = password_marks(token.user)
    if token.password_mark not in marks:
        return None
    if token.password_mark != marks[0] or token.last_used_at is None or now - token.last_used_at > LAST_USE_GRAIN:
        # Worth a row now and then; a database that cannot be written still answers reads.
        with suppress(DatabaseError):
            tokens.filter(pk=token.pk).update(last_used_at=now, password_mark=marks[0])
    return Identity(token.user, "token", token.pk)


class _UnderItsName:
    """Holds a session that goes over to a new `SECRET_KEY` under the name that it has. Django gives it another one, but
    a request beside this one still brings the former name, and a socket cannot tell the browser."""

    def __init__(self, session: Any) -> None:
        self._session = session

    def __getattr__(self, name: str) -> Any:
        return getattr(self._session, name)

    def __getitem__(self, key: str) -> Any:
        return self._session[key]

    def __setitem__(self, key: str, value: Any) -> None:
        self._session[key] = value

    def cycle_key(self) -> None:
        """Leaves the name as it is: nobody who did not know it before has learnt it."""


def user_of_session(session: Any) -> Any:
    """Returns the account behind a session of Django, or `AnonymousUser`; one that a former key vouches for is signed
    with the present one when it is saved."""
    return get_user(SimpleNamespace(session=_UnderItsName(session)))  # type: ignore[arg-type]


def account_lock(user_id: int) -> None:
    """Locks the row of an account until the transaction ends. Raises 40014 when it is gone: somebody else ended it."""
    if not User.objects.select_for_update().filter(pk=user_id).exists():
        raise CodedError(40014)


def identify(request: HttpRequest) -> Identity | None:
    """Returns the identity behind a request, None without credentials; 40014 for bad ones, 40301 for a failed CSRF
    check.

    With an `Authorization` header only the header counts: the cookie is ignored and CSRF is not checked.
    """
    header = request.META.get("HTTP_AUTHORIZATION")
    if header is not None:
        return _identity_of_header(header)
    user: Any = getattr(request, "user", None)
    if user is None or not user.is_authenticated or not user.is_active:
        return None
    if request.method not in SAFE_METHODS:
        _check_csrf(request)
    return Identity(getattr(user, "_wrapped", user), "session")


def identity_of(request: HttpRequest) -> Identity:
    """Returns the identity of a request or 40014. The access middleware has looked it up: this needs no database
    afterwards."""
    found = getattr(request, "identity", None)
    if found is None:
        failure = getattr(request, "identity_error", None)
        if failure is not None:
            raise failure
        found = None if hasattr(request, "identity") else identify(request)
    if found is None:
        raise CodedError(40014)
    return found


def _identity_of_header(header: str) -> Identity:
    scheme, _, key = header.partition(" ")
    found = identity_of_token(key.strip()) if scheme.lower() in SCHEMES else None
    if found is None:
        raise CodedError(40014)
    return found


class _CsrfCheck(CsrfViewMiddleware):
    def _reject(self, request: HttpRequest, reason: str) -> Any:
        return reason


def _check_csrf(request: HttpRequest) -> None:
    # A form upload is read by the check; keeping the raw body first lets everyone read it again.
    _ = request.body
    check = _CsrfCheck(lambda _request: None)  # type: ignore[arg-type]
    check.process_request(request)
    if check.process_view(request, None, (), {}):  # type: ignore[arg-type]
        raise CodedError(40301)


class ApiAuthentication(BaseAuthentication):
    """Applies the same rule to DRF views."""

    def authenticate(self, request: Request) -> tuple[AbstractBaseUser, Identity]:
        identity = identity_of(request._request)
        return identity.user, identity

    def authenticate_header(self, request: Request) -> str:
        return "Bearer"


class SignedIn(BasePermission):
    def has_permission(self, request: Request, view: Any) -> bool:
        identity_of(request._request)
        return True
