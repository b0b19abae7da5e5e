"""The base of every REST endpoint: strict bodies, typed queries, pages, and writes whose answer is stored with them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Annotated, Any, TypeVar

from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from drf_spectacular.utils import OpenApiParameter
from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError
from pydantic_core import PydanticCustomError
from rest_framework.authentication import BaseAuthentication
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.parsers import BaseParser
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.views import APIView

from taskclasses.kernel.auth import ApiAuthentication, SignedIn, identity_of
from taskclasses.kernel.database.transactions import run_transaction
from taskclasses.kernel.envelope import ok
from taskclasses.kernel.errors import CodedError, bad_request, too_large

JSON_LIMIT = 1024 * 1024
MAX_ID = 2**63 - 1
PAGE_SIZE, PAGE_SIZE_MAX, PAGE_MAX = 20, 100, 10**6
B = TypeVar("B", bound="Body")


def count_parameter(name: str, *, default: int, high: int) -> OpenApiParameter:
    """Returns a query parameter of the OpenAPI document that counts something; 0 means the default."""
    return OpenApiParameter(name, {"type": "integer", "minimum": 0, "maximum": high, "default": default})


PAGES = [
    count_parameter("page", default=1, high=PAGE_MAX),
    count_parameter("page_size", default=PAGE_SIZE, high=PAGE_SIZE_MAX),
]
"""Query of every list, for the OpenAPI document."""


def is_text(value: str) -> bool:
    """Tells whether a string can be stored and sent on: JSON can spell lone surrogates and NUL, which cannot."""
    return "\x00" not in value and not any("\ud800" <= char <= "\udfff" for char in value)


def _clean(value: str) -> str:
    if not is_text(value):
        raise ValueError("text")
    return value


def _iso_date(value: Any) -> Any:
    if not isinstance(value, str) or not re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", value):
        raise PydanticCustomError("date_type", "YYYY-MM-DD")
    try:
        return date.fromisoformat(value)
    except ValueError as error:
        raise PydanticCustomError("date_type", "YYYY-MM-DD") from error


Text = Annotated[str, AfterValidator(_clean)]
Id = Annotated[int, Field(ge=1, le=MAX_ID)]
OptionalId = Annotated[int | None, Field(ge=0, le=MAX_ID), AfterValidator(lambda value: value or None)]
"""Absent, null and 0 all mean none."""
OptionalInt = Annotated[int | None, Field(ge=0), AfterValidator(lambda value: value or None)]
"""The same for a number that is no id."""
IsoDate = Annotated[date, BeforeValidator(_iso_date)]


class Body(BaseModel):
    """Holds a request body: strict types (a boolean or a numeric string is no integer), unknown fields ignored."""

    model_config = ConfigDict(strict=True, extra="ignore", frozen=True)


def read_json(request: HttpRequest, *, limit: int = JSON_LIMIT) -> Any:
    """Reads the parsed JSON body; 40006 when it is longer than `limit` bytes, 40005 when it is compressed or not
    JSON."""
    if request.headers.get("Content-Encoding", "").strip().lower() not in ("", "identity"):
        raise bad_request("Content-Encoding", "不支持压缩的请求体")
    raw = request.body
    if len(raw) > limit:
        raise too_large("", limit)
    return json_of(raw)


def json_of(raw: bytes) -> Any:
    """Parses JSON in UTF-8, a byte order mark before it or not; 40005 for anything else, NaN and infinity included."""
    try:
        return json.loads(raw.decode("utf-8-sig"), parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise bad_request("", "请求体不是有效的 JSON") from error


def _no_constant(name: str) -> Any:
    raise ValueError(name)


def parse(model: type[B], document: Any) -> B:
    """Parses a body of the given shape; 40005 naming every wrong field, 40006 when the only fault is length."""
    if not isinstance(document, dict):
        raise bad_request("", "请求体应为 JSON 对象")
    try:
        return model.model_validate(document)
    except ValidationError as error:
        raise refusal_of(error) from error
    except RecursionError as error:
        raise bad_request("", "请求体嵌套过深") from error


def body_of(request: HttpRequest, model: type[B]) -> B:
    """Returns the strictly parsed JSON body; for plain (also async) views."""
    return parse(model, read_json(request))


_MESSAGES = {
    "missing": "缺少该字段",
    "int_type": "应为整数",
    "bool_type": "应为布尔值",
    "string_type": "应为字符串",
    "list_type": "应为数组",
    "tuple_type": "应为数组",
    "dict_type": "应为对象",
    "model_type": "应为对象",
    "model_attributes_type": "应为对象",
    "date_type": "应为 YYYY-MM-DD 日期",
    "time_type": "应为 HH:MM 时间",
    "date_from_datetime_parsing": "应为 YYYY-MM-DD 日期",
    "date_parsing": "应为 YYYY-MM-DD 日期",
    "literal_error": "取值不在允许范围内",
    "enum": "取值不在允许范围内",
    "greater_than_equal": "数值过小",
    "less_than_equal": "数值过大",
    "string_too_short": "不能为空",
    "too_short": "不能为空",
    "value_error": "内容无效",
}
_LENGTHS = {"string_too_long": "max_length", "too_long": "max_length"}


def refusal_of(error: ValidationError) -> CodedError:
    """Returns 40006 when every fault is a length, else 40005 with one row per fault."""
    faults = error.errors(include_url=False, include_input=False)
    if all(fault["type"] in _LENGTHS for fault in faults):
        first = faults[0]
        return too_large(_fields_of(first)[0], first["ctx"][_LENGTHS[first["type"]]])
    rows = [
        {"field": field, "message": _MESSAGES.get(fault["type"], "内容无效")}
        for fault in faults[:50]
        for field in _fields_of(fault)
    ]
    return CodedError(40005, {"errors": rows})


def _fields_of(fault: Any) -> list[str]:
    """Returns the paths of a fault; a check over several fields names them in its message."""
    named = fault["msg"].split(", ") if re.fullmatch(r"[a-z_, ]+", fault["msg"]) else []
    return [_field((*fault["loc"], name)) for name in named] or [_field(fault["loc"])]


def _field(location: tuple[int | str, ...]) -> str:
    return ".".join(str(part) for part in location)


def _query_text(request: HttpRequest, name: str) -> str:
    """Returns a query parameter as text. One that is given several times is joined to what is no number and no truth
    value."""
    return "/".join(request.GET.getlist(name)).strip()


def query_int(request: HttpRequest, name: str, *, default: int, low: int, high: int) -> int:
    """Returns an integer query parameter, given at most once; absent, blank and 0 (when 0 is below `low`) mean
    `default`."""
    raw = _query_text(request, name)
    if raw in ("", "0"):
        return 0 if raw == "0" and low <= 0 else default
    if not raw.lstrip("-").isascii() or not raw.lstrip("-").isdigit() or len(raw) > 19:
        raise bad_request(name, "应为整数")
    value = int(raw)
    if not low <= value <= high:
        raise bad_request(name, "数值过小" if value < low else "数值过大")
    return value


def query_bool(request: HttpRequest, name: str, *, default: bool) -> bool:
    raw = _query_text(request, name).lower()
    if raw == "":
        return default
    if raw not in ("true", "false"):
        raise bad_request(name, "应为布尔值")
    return raw == "true"


class AnyAccept(BaseContentNegotiation):
    """Ignores `Accept`: every endpoint has exactly one form of answer."""

    def select_parser(self, request: Request, parsers: Any) -> BaseParser | None:
        return None

    def select_renderer(self, request: Request, renderers: Any, format_suffix: Any = None) -> Any:
        return renderers[0], renderers[0].media_type


@dataclass(frozen=True)
class AskedPage:
    """Tells which page of a list is asked for."""

    number: int
    size: int

    def of(
        self,
        rows: QuerySet[Any],
        show: Callable[[Any], Mapping[str, Any]] = lambda row: row,
        *,
        show_all: Callable[[Sequence[Any]], Sequence[Mapping[str, Any]]] | None = None,
    ) -> dict[str, Any]:
        """Returns it of an ordered query: each row as `show` writes it, or the whole page by `show_all`."""
        total, end = rows.count(), self.number * self.size
        chosen = list(rows[end - self.size : end])
        listed = show_all(chosen) if show_all is not None else [show(row) for row in chosen]
        return {
            "list": listed,
            "page": self.number,
            "page_size": self.size,
            "total": total,
            "has_more": end < total,
        }


def page_asked(request: HttpRequest) -> AskedPage:
    number = query_int(request, "page", default=1, low=1, high=PAGE_MAX)
    return AskedPage(number, query_int(request, "page_size", default=PAGE_SIZE, low=1, high=PAGE_SIZE_MAX))


class ApiView(APIView):
    """Serves one path: parses, calls one use case, answers."""

    authentication_classes: Sequence[type[BaseAuthentication]] = (ApiAuthentication,)
    permission_classes: Sequence[type[BasePermission]] = (SignedIn,)
    content_negotiation_class = AnyAccept
    parser_classes = ()
    http_method_names = ["get", "post", "put", "patch", "delete", "head"]  # noqa: RUF012
    idempotency_required: tuple[str, ...] = ()
    """Methods that must carry an `Idempotency-Key`."""
    keeps_no_answer = False
    """A secret is sent or told: nothing of it is stored for a repetition, and no key is looked at."""

    @staticmethod
    def user(request: Request) -> User:
        return identity_of(request._request).user

    @staticmethod
    def body(request: Request, model: type[B]) -> B:
        return body_of(request._request, model)

    @staticmethod
    def commit(request: Request, effect: Callable[[], Any], *, headers: dict[str, str] | None = None) -> HttpResponse:
        """Runs a use case and stores its answer for replays in the same transaction."""
        return commit(request._request, effect, headers=headers)

    @staticmethod
    def page(
        request: Request,
        rows: QuerySet[Any],
        show: Callable[[Any], Mapping[str, Any]] = lambda row: row,
        *,
        show_all: Callable[[Sequence[Any]], Sequence[Mapping[str, Any]]] | None = None,
    ) -> HttpResponse:
        """Answers one page of an ordered query: each row as `show` writes it, or the whole page by `show_all`."""
        return ok(page_asked(request._request).of(rows, show, show_all=show_all))


def commit(request: HttpRequest, effect: Callable[[], Any], *, headers: dict[str, str] | None = None) -> HttpResponse:
    """Runs `effect` and stores the answer under the request's idempotency key, in ONE transaction (also for plain
    views).

    `effect` answers the `data` of the envelope; it may run more than once, after a deadlock or a collision.
    """

    def whole() -> HttpResponse:
        response = ok(effect(), headers=headers)
        claim = getattr(request, "idempotency", None)
        if claim is not None:
            claim.store(response)
        return response

    return run_transaction(whole)
