"""The account behind a request: its language is spoken, its session is known to be in use, no cache keeps its pages."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.auth.middleware import AuthenticationMiddleware
from django.db import DatabaseError
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils import translation
from django.utils.deprecation import MiddlewareMixin
from django.utils.functional import SimpleLazyObject

from smartmate.middleware.host import PAST_THE_PROXY
from taskclasses.kernel.auth import language_chosen_by, user_of_session

SEEN = "seen_at"
SEEN_GRAIN_S = 600
"""How exactly the last use of a session is known."""
PRIVATE = "private, no-store"
"""No browser shows again what it had of a session, by Back for instance, once that has ended."""


class SessionUserMiddleware(AuthenticationMiddleware):
    """Sets `request.user`, by the rule that sockets know their sessions by too."""

    def process_request(self, request: HttpRequest) -> None:
        super().process_request(request)
        user: Any = SimpleLazyObject(lambda: _user_of(request))
        request.user = user


def _user_of(request: Any) -> Any:
    if not hasattr(request, "_cached_user"):
        request._cached_user = user_of_session(request.session)
    return request._cached_user


class AccountSettingsMiddleware(MiddlewareMixin):
    """Puts a language that the account chose before the cookie's and the browser's."""

    def process_view(self, request: HttpRequest, view: Callable[..., Any], args: Any, kwargs: Any) -> None:
        if request.path in PAST_THE_PROXY:  # whether a process lives is told without its stores
            return
        if request.path.startswith("/api/"):
            identity = getattr(request, "identity", None)
            user, in_session = (identity.user, identity.via == "session") if identity else (None, False)
        else:
            in_session = settings.SESSION_COOKIE_NAME in request.COOKIES and request.user.is_authenticated
            user = request.user if in_session else None
        if user is not None:
            speak_language_of(request, user)
        if in_session:
            _note_use(request)

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if settings.SESSION_COOKIE_NAME in request.COOKIES and "Cache-Control" not in response:
            response["Cache-Control"] = PRIVATE
        return response


def speak_language_of(request: HttpRequest, user: Any) -> None:
    """Puts the language that an account chose, if it chose one."""
    chosen = language_chosen_by(user)
    if chosen:
        translation.activate(chosen)
        request.LANGUAGE_CODE = translation.get_language()


def _note_use(request: HttpRequest) -> None:
    now = int(time.time())
    if now - request.session.get(SEEN, 0) < SEEN_GRAIN_S:
        return
    # A database that cannot be written still answers reads.
    with suppress(DatabaseError):
        UserSession.objects.create_from_request(request)
        request.session[SEEN] = now
