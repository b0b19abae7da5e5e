"""Every endpoint of the document: hostile bodies, strangers and wrong methods get a coded 4xx, never a 500."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from django.test import Client

from smartmate.accounts.tokens import token_create
from taskclasses.kernel.errors import CODES
from tests.kits.transports.document import read_document

DOCUMENT = read_document()
PATHS = {path: methods for path, methods in DOCUMENT["paths"].items() if path.startswith("/api/v1/")}
OPERATIONS = [(method.upper(), path) for path, methods in PATHS.items() for method in methods]
UNSAFE = [(method, path) for method, path in OPERATIONS if method != "GET"]
PUBLIC = {
    ("POST", "/api/v1/auth/token"),
    ("POST", "/api/v1/account/signup"),
    ("POST", "/api/v1/account/password/reset"),
    ("GET", "/api/v1/schema/events.json"),
    ("GET", "/api/v1/schema/archive.json"),
}
BODIES = [
    b"",
    b"{",
    b"[]",
    b"null",
    b'"text"',
    b"\xff\xfe\x00",
    b"[" * 50_000,
    b'{"a":' * 20_000,
    b'{"items": null, "conversation_id": 5, "message": [], "task_class_id": {}, "task_class_ids": "x", "name": false}',
    b'{"items": [null], "conversation_id": "\\u0000", "message": "\\ud800", "task_class_id": -1, "name": "\\udfff"}',
    b'{"items": [{"task_item_id": 1e400}], "conversation_id": "' + b"x" * 500 + b'", "extra": [], "courses": [[]]}',
    b'{"task_class_ids": [99999999999999999999999999], "message": "x", "extra": {"task_class_ids": [true]}}',
    b'{"message": "' + b"y" * (1024 * 1024 + 1) + b'"}',
]


def address(path: str, value: str) -> str:
    return re.sub(r"\{[^}]+\}", value, path)


@pytest.fixture
def api(user: Any, semester: Any) -> Client:
    token = token_create(user=user)[1]
    return Client(headers={"Authorization": f"Bearer {token}"}, raise_request_exception=False)


def refused(response: Any) -> str:
    document = json.loads(response.content)
    assert set(document) == {"status", "info", "data"}
    assert response["Content-Type"] == "application/json; charset=utf-8"
    if document["status"] == "10000":
        assert response.status_code == 200
    else:
        assert CODES[int(document["status"])].http == response.status_code
    assert response.status_code < 500, document
    assert "Traceback" not in response.content.decode()
    return str(document["status"])


@pytest.mark.parametrize(("method", "path"), OPERATIONS, ids=lambda part: part)
def test_no_shared_cache_keeps_what_a_student_was_told(api: Client, method: str, path: str) -> None:
    response = api.generic(method, address(path, "7"), b"{}", "application/json")
    told = {word.strip() for word in response.get("Cache-Control", "").split(",")}
    assert told & {"private", "no-store"} or response["Content-Type"].startswith("text/event-stream")


@pytest.mark.parametrize(("method", "path"), UNSAFE, ids=lambda part: part)
def test_hostile_bodies_never_break_an_endpoint(api: Client, method: str, path: str) -> None:
    for number, body in enumerate(BODIES):
        headers = {"Idempotency-Key": f"key-{number}", "Accept": "text/event-stream"}
        target = address(path, "7")
        refused(api.generic(method, target, body, content_type="application/json", headers=headers))


@pytest.mark.parametrize(("method", "path"), [op for op in OPERATIONS if "{" in op[1]], ids=lambda part: part)
def test_ids_nobody_gave_are_not_found(api: Client, method: str, path: str) -> None:
    for value in ("0", "999999999", "9" * 30, "00000000-0000-4000-8000-000000000000", "x'--", "null,null", "-1", "1.5"):
        response = api.generic(method, address(path, value), b"{}", content_type="application/json")
        status = refused(response)
        assert 400 <= response.status_code < 500, (path, value, status)
        documented = PATHS[path][method.lower()]["responses"][str(response.status_code)]["description"]
        assert status in documented, (path, value, status)


@pytest.mark.storeless
@pytest.mark.parametrize(("method", "path"), [op for op in OPERATIONS if op not in PUBLIC], ids=lambda part: part)
def test_nobody_is_answered_without_credentials(method: str, path: str) -> None:
    response = Client().generic(method, address(path, "7"), b"{}", content_type="application/json")
    assert (response.status_code, refused(response)) == (401, "40014")


@pytest.mark.parametrize("path", sorted(PATHS))
def test_wrong_methods_are_named(api: Client, path: str) -> None:
    allowed = {method.upper() for method in PATHS[path]}
    method = next(name for name in ("PUT", "PATCH", "DELETE", "POST") if name not in allowed)
    response = api.generic(method, address(path, "7"), b"{}", content_type="application/json")
    assert (response.status_code, refused(response)) == (405, "40500")
    assert allowed <= {name.strip() for name in response["Allow"].split(",")}


@pytest.mark.storeless
def test_the_document_is_served_to_everyone_and_lists_every_route() -> None:
    from django.urls import get_resolver

    response = Client().get("/api/schema", headers={"Accept": "text/html"})
    served = json.loads(response.content)
    assert response.status_code == 200
    assert served["openapi"].startswith("3.1")
    routes = {
        re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", f"/{prefix}{pattern}")
        for prefix, pattern in _patterns(get_resolver().url_patterns, "")
        if prefix.startswith("api/v1/")
    }
    assert routes == {path for path in served["paths"] if path.startswith("/api/v1/")}
    assert {"/api/schema", "/healthz", "/readyz", "/metrics"} <= set(served["paths"])


def _patterns(patterns: Any, prefix: str) -> list[tuple[str, str]]:
    found = []
    for entry in patterns:
        if hasattr(entry, "url_patterns"):
            found += _patterns(entry.url_patterns, prefix + str(entry.pattern))
        else:
            found.append((prefix, str(entry.pattern)))
    return found
