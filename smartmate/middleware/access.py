"""Who asks and how often: looked up once per request, before any view and before any effect."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.deprecation import MiddlewareMixin

from agent.store.connection import make_sync
from smartmate.middleware.account import speak_language_of
from smartmate.middleware.client_address import address_of
from smartmate.middleware.errors import answer
from smartmate.middleware.host import PAST_THE_PROXY
from smartmate.middleware.rate_limit import LIMIT_S, Buckets, SharedBuckets
from taskclasses.kernel.auth import SAFE_METHODS, identify
from taskclasses.kernel.errors import CodedError


@lru_cache(maxsize=1)
def buckets() -> Buckets | SharedBuckets:
    own = Buckets()
    return SharedBuckets(make_sync(settings.REDIS_URL, timeout=LIMIT_S), own) if settings.REDIS_URL else own


class AccessMiddleware(MiddlewareMixin):
    """Sets `request.identity` (or `request.identity_error`) and takes a token from the bucket of this request."""

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], args: Any, kwargs: Any
    ) -> HttpResponse | None:
        if not request.path.startswith("/api/"):
            return _count_page(request)
        request.identity = None  # type: ignore[attr-defined]
        try:
            request.identity = identify(request)  # type: ignore[attr-defined]
        except CodedError as error:
            request.identity_error = error  # type: ignore[attr-defined]
        except Exception as error:
            return answer(error, request)
        kind = _kind(request, view)
        wait = buckets().take(kind, _who(request)) if settings.RATE_LIMITS and kind else 0
        return answer(CodedError(40033, {"retry_after": wait}), request) if wait else None


def _count_page(request: HttpRequest) -> HttpResponse | None:
    """Counts a page of a session among the requests of its account: a form does what an endpoint does."""
    of_session = settings.SESSION_COOKIE_NAME in request.COOKIES and request.path not in PAST_THE_PROXY
    if not (settings.RATE_LIMITS and of_session and request.user.is_authenticated):
        return None
    wait = buckets().take("read" if request.method in SAFE_METHODS else "write", f"user:{request.user.pk}")
    if not wait:
        return None
    speak_language_of(request, request.user)
    return limit_page(request, wait)


def limit_page(request: HttpRequest, wait: int) -> HttpResponse:
    """Returns the page that says when to ask again, in `wait` seconds."""
    page = render(request, "429.html", {"minutes": -(-wait // 60)}, status=HTTPStatus.TOO_MANY_REQUESTS)
    page["Retry-After"] = str(wait)
    return page


def _kind(request: HttpRequest, view: Callable[..., Any]) -> str:
    """Returns `rate_kind` of the view class or function for POST ("" for none), else by method."""
    if request.method in SAFE_METHODS:
        return "read"
    if request.method != "POST":
        return "write"
    kind: str = getattr(getattr(view, "cls", view), "rate_kind", "write")
    return kind


def _who(request: HttpRequest) -> str:
    identity = getattr(request, "identity", None)
    return f"user:{identity.user.pk}" if identity else f"address:{address_of(request)}"
