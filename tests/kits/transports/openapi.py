"""Holds real requests and answers against the OpenAPI document that the same server publishes."""

from __future__ import annotations

import copy
import json
from collections import defaultdict
from typing import Any
from urllib.parse import urlsplit

import httpx
from openapi_core import Config, OpenAPI
from openapi_core.testing import MockRequest, MockResponse

Operation = tuple[str, str]
TEXTS = ("text/event-stream", "text/plain", "text/calendar", "text/csv")


def as_text(value: bytes, **_: str) -> str:
    return value.decode()


def as_json(value: bytes, **_: str) -> Any:
    return json.loads(value)


# That the document itself is valid has a test of its own.
CONFIG = Config(
    spec_validator_cls=None,
    extra_media_type_deserializers={
        **dict.fromkeys(TEXTS, as_text),
        "application/vnd.oai.openapi+json": as_json,
    },
)


def closed(node: Any) -> Any:
    """The document with every object that names its properties closed: a field nobody described is then an error.

    Clients must accept new fields, so the published document leaves objects open.
    """
    if isinstance(node, list):
        return [closed(part) for part in node]
    if not isinstance(node, dict):
        return node
    done = {key: closed(part) for key, part in node.items()}
    if isinstance(node.get("properties"), dict) and node.get("type") == "object":
        done.setdefault("additionalProperties", False)
    return done


OF_ALL_ANSWERS = frozenset(
    {
        "date",
        "server",
        "content-type",
        "content-length",
        "content-encoding",
        "content-language",
        "transfer-encoding",
        "connection",
        "vary",
        "allow",
        "cache-control",
        "set-cookie",
        "x-frame-options",
        "x-content-type-options",
        "x-accel-buffering",
        "referrer-policy",
        "cross-origin-opener-policy",
        "content-security-policy",
    }
)
"""Headers of HTTP, of the browser's protection and of the way through proxies: no client is told anything by them."""


class Witness:
    """Looks at every answer of a client; `seen` are the codes that each operation has answered."""

    def __init__(self, document: dict[str, Any]) -> None:
        self.document = document
        self.operations = [(method.upper(), path) for path, methods in document["paths"].items() for method in methods]
        strict = copy.deepcopy(document)
        strict["paths"] = {path: _with_closed_answers(item) for path, item in strict["paths"].items()}
        answered = _answered(document)
        schemas = strict["components"]["schemas"]
        schemas |= {name: closed(schemas[name]) for name in answered}
        self._openapi = OpenAPI.from_dict(strict, config=CONFIG)
        self.seen: dict[Operation, set[str]] = defaultdict(set)

    def __call__(self, response: httpx.Response) -> None:
        """An httpx event hook. Raises when the answer, or an accepted request, is not as documented."""
        response.read()
        operation = self.operation_of(response.request)
        if operation is None:
            return
        mock = _request_of(response.request)
        self._openapi.validate_response(mock, _response_of(response))
        self._refuse_unknown_headers(operation, response)
        envelope = response.headers["content-type"] == "application/json; charset=utf-8"
        code = response.json().get("status") if envelope else None
        if code is None or code == "10000":
            self._openapi.validate_request(mock)
        self.seen[operation].add(code or str(response.status_code))

    def _refuse_unknown_headers(self, operation: Operation, response: httpx.Response) -> None:
        """Raises when a header is neither one of all answers nor documented for this one."""
        method, path = operation
        answers = self.document["paths"][path][method.lower()]["responses"]
        documented = {name.lower() for name in answers[str(response.status_code)].get("headers", {})}
        unknown = {*response.headers} - documented - OF_ALL_ANSWERS
        assert not unknown, f"{method} {path} {response.status_code}: {unknown}"

    def operation_of(self, request: httpx.Request) -> Operation | None:
        """(method, path template), None for an address that no operation has."""
        parts = urlsplit(str(request.url)).path.split("/")
        for path in sorted(self.document["paths"], key=lambda one: one.count("{")):
            named = path.split("/")
            same = all(want.startswith("{") or want == got for want, got in zip(named, parts, strict=False))
            if len(named) == len(parts) and same and request.method.lower() in self.document["paths"][path]:
                return request.method, path
        return None


def _request_of(request: httpx.Request) -> MockRequest:
    parts = urlsplit(str(request.url))
    return MockRequest(
        f"{parts.scheme}://{parts.netloc}", request.method, parts.path, args=dict(request.url.params),
        headers=dict(request.headers), data=request.read(), content_type=request.headers.get("content-type", ""),
    )  # fmt: skip


def _response_of(response: httpx.Response) -> MockResponse:
    headers = dict(response.headers)
    return MockResponse(
        response.content, status_code=response.status_code, headers=headers, content_type=headers.get("content-type")
    )


def _with_closed_answers(item: dict[str, Any]) -> dict[str, Any]:
    return {method: {**operation, "responses": closed(operation["responses"])} for method, operation in item.items()}


def _answered(document: dict[str, Any]) -> set[str]:
    """Names of the schemas that answers refer to, directly or through others; bodies of requests stay open."""
    schemas, found = document["components"]["schemas"], set()
    waiting: list[Any] = [op["responses"] for item in document["paths"].values() for op in item.values()]
    while waiting:
        node = waiting.pop()
        if isinstance(node, list):
            waiting += node
        elif isinstance(node, dict):
            waiting += node.values()
            name = str(node.get("$ref", "")).rpartition("/")[2]
            if name and name not in found:
                found.add(name)
                waiting.append(schemas[name])
    return found
