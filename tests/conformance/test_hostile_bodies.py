"""Whatever is sent to whichever endpoint, the answer is a coded refusal and nothing breaks."""

from __future__ import annotations

import uuid
from typing import Any

import pytest

from tests.conformance.client import Client

UNKNOWN = str(uuid.UUID(int=7))
ENDPOINTS = [
    ("POST", "/auth/token"),
    ("POST", "/agent/chat"),
    ("POST", "/tasks"),
    ("POST", f"/tasks/{UNKNOWN}/cancel"),
    ("PATCH", f"/agent/conversations/{UNKNOWN}"),
    ("DELETE", f"/agent/conversations/{UNKNOWN}"),
    ("POST", f"/agent/conversations/{UNKNOWN}/cancel"),
    ("POST", "/agent/schedule-state"),
    ("POST", "/agent/schedule-apply"),
    ("PUT", "/task-class/apply-batch-into-schedule"),
    ("POST", "/task-class"),
    ("PUT", "/task-class/999999"),
    ("DELETE", "/task-class/999999"),
    ("POST", "/schedule/smart-planning"),
    ("DELETE", "/schedule/events/999999"),
    ("POST", "/schedule/task-items/999999/undo"),
    ("POST", "/schedule/task-items/999999/pin"),
    ("POST", "/schedule/task-items/999999/unpin"),
    ("POST", "/schedule/batches/999999/undo"),
    ("POST", "/schedule/imports?dry_run=false"),
]
READS = [
    ("/tasks/{id}", "40076"),
    ("/agent/runs/{id}/stream", "40076"),
    ("/agent/conversations/{id}", "40401"),
    ("/agent/conversations/{id}/state", "40401"),
    ("/agent/conversations/{id}/timeline", "40401"),
    ("/agent/conversations/{id}/context-stats", "40401"),
    ("/agent/schedule-preview?conversation_id={id}", "40053"),
    ("/task-class/999999", "40040"),
    ("/nowhere", "40400"),
]
BODIES: list[tuple[str, bytes]] = [
    ("nothing", b""),
    ("broken JSON", b'{"message": "'),
    ("not UTF-8", b'{"message": "\xff\xfe"}'),
    ("an array", b"[1, 2]"),
    ("a number", b"7"),
    ("null", b"null"),
    ("nested deep", b"[" * 20000),
    ("not a number", b'{"message": NaN, "revision": Infinity}'),
    (
        "wrong types",
        b'{"conversation_id": 5, "message": ["x"], "items": {"a": 1}, "task_class_id": "5", "task_class_ids": "x",'
        b' "name": 7, "batches": 3, "username": [], "password": {}, "extra": [], "title": {},'
        b' "courses": 5, "format": 1}',
    ),
    (
        "wrong types inside",
        b'{"conversation_id": "x", "message": "x", "extra": {"task_class_ids": [true], "resume": 4}}',
    ),
    (
        "items of wrong shape",
        b'{"conversation_id": "'
        + UNKNOWN.encode()
        + b'", "task_class_id": 1, "items": [{"task_item_id": "1", "week": 1.5,'
        b' "day_of_week": 9, "start_section": 0, "end_section": -1}]}',
    ),
    ("huge numbers", b'{"task_class_id": 1e400, "items": [{"task_item_id": 123456789012345678901234567890}]}'),
    ("a zero byte", b'{"message": "\\u0000", "name": "\\u0000", "title": "\\u0000", "username": "\\u0000"}'),
    ("a lone surrogate", b'{"message": "\\ud800", "name": "\\ud800", "title": "\\ud800", "username": "\\ud800"}'),
    ("a mebibyte of text", b'{"message": "' + b"x" * (1024 * 1024) + b'"}'),
]


@pytest.fixture(scope="module")
def client(server: Any) -> Client:
    return Client(server.base_url, "hostile", server.account("hostile"))


@pytest.mark.parametrize(("method", "path"), ENDPOINTS, ids=[f"{m} {p}" for m, p in ENDPOINTS])
def test_every_hostile_body_is_a_coded_refusal(client: Client, method: str, path: str) -> None:
    for name, body in BODIES:
        headers = {
            "Content-Type": "application/json",
            "Idempotency-Key": f"{path[-20:]}-{name}",
            "Accept": "text/event-stream",
        }
        answer = client.call(method, path, content=body, headers=headers)
        assert 400 <= answer.status_code < 500, (name, answer.status_code, answer.text[:300])
        assert answer.headers["content-type"].startswith("application/json"), name
        assert answer.json()["status"] not in ("10000", "50000"), name
        assert "Traceback" not in answer.text


@pytest.mark.parametrize(("path", "code"), READS, ids=[p for p, _ in READS])
@pytest.mark.parametrize("identifier", [UNKNOWN, "x", "%00", "-1", "%F0%9F%98%80"])
def test_an_unknown_id_is_not_found(client: Client, path: str, code: str, identifier: str) -> None:
    answer = client.call("GET", path.format(id=identifier))
    assert answer.json()["status"] in (code, "40400"), answer.text
    assert answer.status_code == 404


@pytest.mark.parametrize(("method", "path"), ENDPOINTS[1:], ids=[f"{m} {p}" for m, p in ENDPOINTS[1:]])
def test_nobody_signed_in_is_refused_before_anything_else(client: Client, method: str, path: str) -> None:
    headers = {"Authorization": "Bearer no-such-token", "Content-Type": "application/json"}
    answer = client.call(method, path, content=b"{", headers=headers)
    assert (answer.status_code, answer.json()["status"]) == (401, "40014")
    assert answer.headers["www-authenticate"] == "Bearer"


@pytest.mark.parametrize("query", ["page=x", "page_size=101", "page_size=-1", "page=1e3"])
def test_a_bad_page_is_a_bad_request(client: Client, query: str) -> None:
    for path in ("/task-class", "/agent/conversations", "/schedule/batches"):
        answer = client.call("GET", f"{path}?{query}")
        assert answer.status_code in (400, 413), (path, answer.text)


@pytest.mark.parametrize("change", [{"kind": "x"}, {"last_date": "2026-12-31"}, {"first_date": 5}, {"name": ""}])
def test_a_fault_in_a_list_is_told_by_the_place_in_the_list(client: Client, change: dict[str, Any]) -> None:
    day = {"kind": "holiday", "name": "元旦", "first_date": "2027-01-01", "last_date": "2027-01-03"}
    answer = client.call("POST", "/schedule/exceptions?dry_run=true", json={"exceptions": [{**day, **change}]})
    assert (answer.status_code, answer.json()["status"]) == (400, "40005")
    fields = [row["field"] for row in answer.json()["data"]["errors"]]
    assert fields[0].startswith("exceptions.0."), fields


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "courses"),
        ({"format": "json"}, "courses"),
        ({"format": "paste"}, "text"),
        ({"format": "paste", "courses": []}, "text"),
        ({"format": "zhengfang"}, "kbList"),
        ({"format": "csv"}, "format"),
    ],
)
def test_an_import_without_content_is_told_what_is_missing(client: Client, body: dict[str, Any], field: str) -> None:
    answer = client.call("POST", "/schedule/imports", json=body)
    assert (answer.status_code, answer.json()["status"]) == (400, "40005"), answer.text
    assert [row["field"] for row in answer.json()["data"]["errors"]] == [field]
