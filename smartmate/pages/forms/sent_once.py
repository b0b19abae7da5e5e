"""A form that is sent again because its answer was lost does nothing a second time.

The page gives a form a key that stays the same until an answer has come; a browser that repeats a request by itself, on
a connection that broke, repeats the key with it. What is stored is where the form led to, and what is said there.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from django.contrib.messages.storage.cookie import CookieStorage
from django.db import Error as StorageError
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase, HttpResponseRedirect
from django.shortcuts import render
from django.utils.deprecation import MiddlewareMixin

from smartmate.middleware.claim_keeper import claim_keeper
from smartmate.middleware.idempotency import KEY_MAX, Claim, claim_key
from taskclasses.kernel.errors import CodedError

log = logging.getLogger("smartmate.pages.forms.sent_once")
RUNNING = 40038
RETRY_S = 2
TOLD = "Set-Cookie"
"""The messages that came with the answer: whoever did not hear it has them nowhere else."""


class SentOnceMiddleware(MiddlewareMixin):
    """Claims the key of a form, and answers one whose answer is known with where it led to."""

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], args: Any, kwargs: Any
    ) -> HttpResponse | None:
        key = request.headers.get("Idempotency-Key", "").strip()[:KEY_MAX]
        if not key or request.method != "POST" or request.path.startswith("/api/"):
            return None
        if not request.user.is_authenticated:
            return None
        try:
            claim = claim_key(request, key)
        except CodedError as refusal:
            # Other fields under the same key are another form.
            return _still_running(request) if refusal.code == RUNNING else None
        if isinstance(claim, HttpResponse):
            if TOLD in claim:
                claim.cookies.load(claim[TOLD])
                del claim[TOLD]
            return claim
        request.sent_once = claim  # type: ignore[attr-defined]
        return None

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Settles the claim: only what led somewhere else has done something. Storage that has gone away leaves it to
        its lease."""
        claim: Claim | None = getattr(request, "sent_once", None)
        if claim is not None:
            try:
                _settle(claim, response)
            except (StorageError, CodedError):
                log.warning("a claim is left to its lease", exc_info=True)
            finally:
                claim_keeper().drop(claim)
        return response


def _settle(claim: Claim, response: HttpResponseBase) -> None:
    if not isinstance(response, HttpResponseRedirect):
        claim.release()
        return
    told = response.cookies.get(CookieStorage.cookie_name)
    claim.store(response, {"Location": response.url} | ({TOLD: told.OutputString()} if told else {}))


def _still_running(request: HttpRequest) -> HttpResponse:
    page = render(request, "409.html", status=HTTPStatus.CONFLICT)
    page["Retry-After"] = str(RETRY_S)
    return page
