"""One handler for every exception under `/api/`: DRF views, plain views, middleware, 404, 405 and 429 alike.

A coded error carries its code and data; everything else is 50000, logged with the request id. Exception text, SQL,
prompts and model output never reach a client.
"""

from __future__ import annotations

import logging
import re
import uuid
from typing import Any

import redis
from django.core.exceptions import BadRequest, RequestDataTooBig, SuspiciousOperation
from django.db import IntegrityError, InterfaceError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse, UnreadablePostError
from django.http.multipartparser import MultiPartParserError
from django.http.response import HttpResponseBase
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.deprecation import MiddlewareMixin
from rest_framework import exceptions as drf

from agent.loop.errors import UnknownVersion
from smartmate.middleware.body_limit import CUT
from smartmate.middleware.request_id import request_id
from taskclasses.kernel.envelope import CONTENT_TYPE, error_response, locale_of
from taskclasses.kernel.errors import CodedError, bad_request, too_large
from taskclasses.kernel.rest import JSON_LIMIT

log = logging.getLogger("smartmate.api")
REQUEST_ID = re.compile(r"[A-Za-z0-9-]{1,64}")
_CELL_INDEX = re.compile(r"schedule_one_owner_per_cell|schedules_schedule\.")
_BY_STATUS = {400: 40005, 401: 40014, 403: 40301, 404: 40400, 405: 40500, 413: 40006}


def error_of(error: BaseException) -> CodedError:
    """Returns the coded error for any exception; 50000 for everything that nobody foresaw."""
    if isinstance(error, CodedError):
        return error
    if isinstance(error, Http404 | drf.NotFound):
        return CodedError(40400)
    if isinstance(error, drf.MethodNotAllowed):
        return CodedError(40500)
    if isinstance(error, drf.NotAuthenticated | drf.AuthenticationFailed):
        return CodedError(40014)
    if isinstance(error, RequestDataTooBig):
        return too_large("", JSON_LIMIT)
    if isinstance(error, SuspiciousOperation | BadRequest | MultiPartParserError | UnreadablePostError):
        return _plain(400)
    if isinstance(error, OperationalError | InterfaceError | redis.RedisError | UnknownVersion):
        # While a release is rolled out, a process of the one before cannot read what the next one wrote; another can.
        return CodedError(50004)
    if isinstance(error, IntegrityError) and _CELL_INDEX.search(str(error)):
        return CodedError(40026, {"conflicts": []})
    if isinstance(error, drf.APIException) and 400 <= error.status_code < 500:
        return _plain(error.status_code if error.status_code in _BY_STATUS else 400)
    return CodedError(50000)


def _plain(status: int) -> CodedError:
    """Returns the error for an answer that is known by its HTTP status only."""
    if status == 400:
        return bad_request("", "请求格式错误")
    if status == 413:
        return too_large("", JSON_LIMIT)
    return CodedError(_BY_STATUS.get(status, 50000))


def answer(error: BaseException, request: HttpRequest, *, headers: dict[str, str] | None = None) -> HttpResponse:
    """Returns the envelope for any exception; unexpected ones are logged here, once."""
    coded = error_of(error)
    if coded.code == 50000:
        coded = CodedError(50000, {"request_id": request_id.get()})
        log.error("unexpected error at %s %s", request.method, request.path, exc_info=error)
    elif coded.code == 50004:
        log.warning("storage unavailable at %s %s", request.method, request.path, exc_info=error)
    return error_response(coded, request, headers=headers)


def handle(error: Exception, context: dict[str, Any]) -> HttpResponse:
    """Answers an exception for DRF, as its EXCEPTION_HANDLER."""
    request = context["request"]._request
    # DRF marks an open ATOMIC_REQUESTS transaction for rollback itself; ours end inside the use case.
    allow = context["view"].allowed_methods if isinstance(error, drf.MethodNotAllowed) else None
    return answer(error, request, headers={"Allow": ", ".join(allow)} if allow else None)


class ApiErrorMiddleware(MiddlewareMixin):
    """Gives each request its id, and each failure under `/api/` its envelope."""

    def process_request(self, request: HttpRequest) -> HttpResponse | None:
        given = request.META.get("HTTP_X_REQUEST_ID", "")
        request_id.set(given if REQUEST_ID.fullmatch(given) else uuid.uuid4().hex)
        request.request_id = request_id.get()  # type: ignore[attr-defined]
        cut_at = getattr(request, "scope", {}).get(CUT)
        return _refuse_body(request, cut_at) if cut_at else None

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        return answer(exception, request) if request.path.startswith("/api/") else None

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if request.path.startswith("/api/") and response.status_code >= 400 and not _is_enveloped(response):
            response = self._wrap_refusal(request, response)
        if getattr(request, "identity", None) is not None and "Cache-Control" not in response:
            response["Cache-Control"] = "private, no-store"
        response["X-Request-ID"] = getattr(request, "request_id", request_id.get())
        return response

    def _wrap_refusal(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponse:
        coded = _plain(response.status_code)
        if coded.code == 50000:
            coded = CodedError(50000, {"request_id": getattr(request, "request_id", "")})
        headers = {"Allow": response["Allow"]} if "Allow" in response else None
        return error_response(coded, request, headers=headers)


def _refuse_body(request: HttpRequest, limit: int) -> HttpResponse:
    """Returns what is said of a body that was cut: the envelope, or the words of a page."""
    error = too_large("", limit)
    if request.path.startswith("/api/"):
        return answer(error, request)
    with translation.override("en" if locale_of(request) == "en" else "zh-hans"):
        words = render_to_string("413.html", {"megabytes": limit // 1024**2})
    return HttpResponse(words, status=error.http_status)


def _is_enveloped(response: HttpResponseBase) -> bool:
    return response.get("Content-Type", "") == CONTENT_TYPE
