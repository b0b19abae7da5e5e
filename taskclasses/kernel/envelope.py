"""The envelope of every JSON answer: `{"status", "info", "data"}`, UTF-8, not ASCII-escaped."""

from __future__ import annotations

import json
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import get_language_from_request
from pydantic_core import to_json

from taskclasses.kernel.errors import SUCCESS, CodedError
from taskclasses.kernel.i18n import language_of, text

CONTENT_TYPE = "application/json; charset=utf-8"


def locale_of(request: HttpRequest) -> str:
    """Returns `zh` or `en` for a request; zh when the client names no language."""
    return language_of(getattr(request, "LANGUAGE_CODE", None) or get_language_from_request(request))


def encode_json(document: Any) -> bytes:
    return json.dumps(document, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()


def encode_plain(document: Any) -> bytes:
    """Does as `encode_json`, in a quarter of the time; fractions may be written otherwise."""
    return to_json(document)


def envelope(data: Any = None, *, status: str = SUCCESS, info: str = "success") -> dict[str, Any]:
    return {"status": status, "info": info, "data": data}


NO_STORE = {"Cache-Control": "no-store"}
"""Headers of an answer that holds a secret."""


def ok(data: Any = None, *, headers: dict[str, str] | None = None) -> HttpResponse:
    """Answers 200 with the success envelope."""
    return answer_bytes(encode_ok(data), headers=headers)


def encode_ok(data: Any = None) -> bytes:
    """Returns the success envelope as it travels."""
    return encode_json(envelope(data))


def answer_bytes(body: bytes, *, headers: dict[str, str] | None = None) -> HttpResponse:
    """Answers 200 with JSON that is encoded already."""
    return HttpResponse(body, content_type=CONTENT_TYPE, headers=headers)


def bare(data: Any, *, headers: dict[str, str] | None = None) -> HttpResponse:
    """Answers 200 with the data alone, for a client that asks to have it without the envelope."""
    return answer_bytes(encode_json(data), headers=headers)


def error_document(error: CodedError, locale: str) -> dict[str, Any]:
    return envelope(_localise_data(error, locale), status=str(error.code), info=error.info(locale))


def error_response(error: CodedError, request: HttpRequest, *, headers: dict[str, str] | None = None) -> HttpResponse:
    """Returns the error envelope with the HTTP status and the headers its code asks for."""
    document = error_document(error, locale_of(request))
    named = {**_headers_of(error), **(headers or {})}
    return HttpResponse(encode_json(document), status=error.http_status, content_type=CONTENT_TYPE, headers=named)


def _localise_data(error: CodedError, locale: str) -> Any:
    """Puts the field messages of a 40005 into a language: they are message ids until the language is known."""
    if error.code != 40005 or not isinstance(error.data, dict):
        return error.data
    rows = [{**row, "message": text(row["message"], locale)} for row in error.data.get("errors", [])]
    return {**error.data, "errors": rows}


def _headers_of(error: CodedError) -> dict[str, str]:
    if error.code == 40014:
        return {"WWW-Authenticate": "Bearer"}
    if error.code == 50004:
        return {"Retry-After": "2"}
    if error.code in (40033, 40038):
        return {"Retry-After": str((error.data or {}).get("retry_after", 1))}
    return {}
