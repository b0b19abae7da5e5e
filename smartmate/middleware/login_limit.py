"""Guesses of passwords, limited at every door: the page's login, the admin's, and the endpoint of tokens.

A guess takes one token each from the buckets of the account, of the address, and of both together; a login that
succeeds gives them back. So a school behind one address signs in without end, and an account is guessed at slowly from
however many addresses. An account that signed in from an address before is not shut out there by guesses from others.
"""

from __future__ import annotations

import hashlib
import logging
import unicodedata
from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse, UnreadablePostError
from django.http.response import HttpResponseBase
from django.utils.deprecation import MiddlewareMixin

from smartmate.middleware.access import buckets, limit_page
from smartmate.middleware.client_address import address_of
from smartmate.middleware.errors import answer
from taskclasses.kernel.errors import CodedError
from taskclasses.kernel.rest import read_json

log = logging.getLogger("smartmate.login")
TOKENS, FORMS = "/api/v1/auth/token", frozenset({"/login", "/admin/login/"})
Bucket = tuple[str, str]


class LoginLimitMiddleware(MiddlewareMixin):
    """Holds answers 429 to a guess too many, at the page in words and at the API with 40033."""

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], args: Any, kwargs: Any
    ) -> HttpResponse | None:
        if not settings.RATE_LIMITS or request.method != "POST" or request.path not in {TOKENS, *FORMS}:
            return None
        account, address = _digest(_username(request)), address_of(request)
        taken: list[Bucket] = []
        for bucket in _buckets(account, address):
            wait = buckets().take(*bucket)
            if wait:
                _give_back(taken)
                log.warning("too many guesses from %s: %s", address, bucket[0])
                return _refusal(request, wait)
            taken.append(bucket)
        request.guess = (account, address, taken)  # type: ignore[attr-defined]
        return None

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        guess = getattr(request, "guess", None)
        if guess is None:
            return response
        account, address, taken = guess
        # A form that lets somebody in redirects; one that does not is shown again.
        if response.status_code == (HTTPStatus.OK if request.path == TOKENS else HTTPStatus.FOUND):
            _give_back(taken)
            buckets().remember("known_address", f"{account}@{address}", KNOWN_S)
        else:
            log.info("a login was refused from %s", address)
        return response


KNOWN_S = 30 * 86400


def _buckets(account: str, address: str) -> list[Bucket]:
    pair = f"{account}@{address}"
    known = buckets().remembers("known_address", pair)
    rest = [] if known else [("guess_account", account)]
    return [("login", pair), ("guess_address", address), *rest]


def _give_back(taken: list[Bucket]) -> None:
    for bucket in taken:
        buckets().give_back(*bucket)


def known_addresses(username: str) -> str:
    """Names the keys of the addresses from which Redis knows that an account was opened: a pattern."""
    return f"smartmate:known:known_address:{_digest(username)}@*"


def _username(request: HttpRequest) -> str:
    if request.path in FORMS:
        return request.POST.get("username", "")
    try:
        document = read_json(request)
    except (CodedError, RequestDataTooBig, UnreadablePostError):
        return ""  # the endpoint refuses such a body
    name = document.get("username") if isinstance(document, dict) else None
    return name if isinstance(name, str) else ""


def _digest(username: str) -> str:
    """Hashes the name of an account: names are not kept in clear where guesses are counted."""
    folded = unicodedata.normalize("NFKC", username).strip().casefold()
    return hashlib.sha256(folded.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _refusal(request: HttpRequest, wait: int) -> HttpResponse:
    if request.path == TOKENS:
        return answer(CodedError(40033, {"retry_after": wait}), request)
    return limit_page(request, wait)
