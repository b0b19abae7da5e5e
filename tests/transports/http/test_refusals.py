"""Every refusal is a coded JSON answer before the first byte of a stream."""

from __future__ import annotations

import uuid
from contextlib import ExitStack
from typing import Any

import httpx
import pytest

from tests.kits.transports.students import Student

HOSTILE = [
    (b"", 400, "40005"),
    (b"{", 400, "40005"),
    (b"[]", 400, "40005"),
    (b"null", 400, "40005"),
    (b"\xff\xfe", 400, "40005"),
    (b'{"message":1}', 400, "40005"),
    (b'{"message":"  "}', 400, "40005"),
    (b'{"message":"\\u200b\\u2060 "}', 400, "40005"),
    (b'{"message":"a","extra":[]}', 400, "40005"),
    (b'{"message":"a","extra":{"task_class_ids":"5"}}', 400, "40005"),
    (b'{"message":"a","extra":{"task_class_ids":[true]}}', 400, "40005"),
    (b'{"message":"a","extra":{"task_class_ids":["5"]}}', 400, "40005"),
    (b'{"message":"a","extra":{"task_class_ids":[999999]}}', 404, "40040"),
    (b'{"message":"a","extra":{"always_execute":"yes"}}', 400, "40005"),
    (b'{"message":"a","thinking":"maybe"}', 400, "40005"),
    (b'{"message":"a","conversation_id":7}', 400, "40005"),
    (b'{"message":"a","conversation_id":"nope"}', 404, "40401"),
    (b'{"message":"\\ud800"}', 400, "40005"),
    (b'{"message":"a","extra":{"resume":{}}}', 400, "40005"),
    (b'{"message":"","extra":{"resume":{"interaction_id":"x","action":"approve"}}}', 400, "40004"),
    (b'{"message":"' + b"a" * 8001 + b'"}', 413, "40006"),
    (b'{"message":"' + b"a" * (1024 * 1024) + b'"}', 413, "40006"),
    (b"[" * 100_000, 400, "40005"),
]


@pytest.mark.parametrize("path", ["/agent/chat", "/tasks"])
@pytest.mark.parametrize(("body", "http", "code"), HOSTILE)
def test_hostile_bodies_get_a_coded_refusal(li: Student, path: str, body: bytes, http: int, code: str) -> None:
    headers = {"Content-Type": "application/json", "Accept": "text/event-stream"}
    assert li.code("POST", path, content=body, headers=headers) == (http, code)


def test_a_title_that_nobody_sees_is_none(li: Student) -> None:
    conversation = li.chat("你好")[0].headers["x-conversation-id"]
    for title in ("", " ", "\u200b", " \u2060\ufeff"):
        assert li.code("PATCH", f"/agent/conversations/{conversation}", json={"title": title}) == (400, "40005")
    assert li.code("PATCH", f"/agent/conversations/{conversation}", json={"title": " 概率\u200d论 "}) == (200, "10000")
    assert li.http.get(f"/agent/conversations/{conversation}").json()["data"]["title"] == "概率\u200d论"


@pytest.mark.parametrize("extra", ['"model":"\\ud800"', '"unheard of":["\\udfff"]', '"\\ud800":0', '"model":"\\u0000"'])
def test_a_field_that_nobody_reads_may_hold_anything(li: Student, extra: str) -> None:
    headers = {"Content-Type": "application/json", "Idempotency-Key": str(uuid.uuid4())}
    runs = set()
    for _ in range(2):
        answer = li.http.post("/tasks", content=f'{{"message":"你好",{extra}}}', headers=headers)
        assert answer.status_code == 200, answer.text
        runs.add(answer.json()["data"]["task_id"])
    assert len(runs) == 1


@pytest.mark.parametrize("value", ['"maybe"', "1", "0", "[]", "1.0"])
def test_a_wrong_value_is_told_by_the_name_of_its_field(li: Student, value: str) -> None:
    for field, body in (("thinking", f'"thinking":{value}'), ("extra.thinking", f'"extra":{{"thinking":{value}}}')):
        headers = {"Content-Type": "application/json"}
        answer = li.http.post("/tasks", content=f'{{"message":"你好",{body}}}', headers=headers)
        assert answer.status_code == 400, answer.text
        assert [row["field"] for row in answer.json()["data"]["errors"]] == [field]


def test_without_credentials_nothing_starts(li: Student) -> None:
    for headers in ({}, {"Authorization": "Bearer nope"}, {"Authorization": "Basic eDp5"}):
        answer = httpx.post(f"{li.server.base_url}/api/v1/agent/chat", json={"message": "hi"}, headers=headers)
        assert (answer.status_code, answer.json()["status"]) == (401, "40014")
        assert answer.headers["www-authenticate"] == "Bearer"


def test_other_methods_are_refused_with_the_allowed_ones(li: Student) -> None:
    answer = li.http.get("/agent/chat")
    assert (answer.status_code, answer.json()["status"], answer.headers["allow"]) == (405, "40500", "POST")
    answer = li.http.post(f"/agent/runs/{uuid.uuid4()}/stream")
    assert (answer.status_code, answer.json()["status"]) == (405, "40500")
    assert {*answer.headers["allow"].split(", ")} == {"GET", "HEAD"}


def test_another_students_things_do_not_exist(li: Student, wang: Student) -> None:
    answer, _ = li.chat("你好")
    run_id, conversation_id = answer.headers["x-run-id"], answer.headers["x-conversation-id"]
    unknown = str(uuid.uuid4())
    paths: list[tuple[str, str, Any]] = [
        ("GET", "/agent/runs/{run}/stream", None),
        ("GET", "/tasks/{run}", None),
        ("POST", "/tasks/{run}/cancel", None),
        ("GET", "/agent/conversations/{conversation}", None),
        ("PATCH", "/agent/conversations/{conversation}", {"title": "x"}),
        ("DELETE", "/agent/conversations/{conversation}", None),
        ("GET", "/agent/conversations/{conversation}/state", None),
        ("GET", "/agent/conversations/{conversation}/timeline", None),
        ("GET", "/agent/conversations/{conversation}/context-stats", None),
        ("POST", "/agent/conversations/{conversation}/cancel", None),
    ]
    for method, path, body in paths:
        theirs = wang.http.request(method, path.format(run=run_id, conversation=conversation_id), json=body)
        nobodys = wang.http.request(method, path.format(run=unknown, conversation=unknown), json=body)
        assert (theirs.status_code, theirs.content) == (nobodys.status_code, nobodys.content), path
        assert theirs.status_code == 404
    over, _ = wang.chat("hi", conversation_id=conversation_id)
    assert (over.status_code, over.json()["status"]) == (404, "40401")


def test_a_cookie_needs_its_csrf_token(li: Student) -> None:
    with httpx.Client(base_url=li.server.base_url) as browser:
        browser.get("/api/v1/auth/session")
        page = browser.get("/login")
        token = browser.cookies["csrftoken"]
        form = {"username": li.username, "password": li.password, "csrfmiddlewaretoken": token}
        signed = browser.post("/login", data=form, headers={"Referer": f"{li.server.base_url}/login"})
        assert signed.status_code in (200, 302), page.text
        before = li.data("/agent/conversations")["total"]
        refused = browser.post("/api/v1/agent/chat", json={"message": "你好"})
        assert (refused.status_code, refused.json()["status"]) == (403, "40301")
        assert li.data("/agent/conversations")["total"] == before
        headers = {"X-CSRFToken": browser.cookies["csrftoken"]}
        accepted = browser.post("/api/v1/agent/chat", json={"message": "你好"}, headers=headers)
        assert accepted.status_code == 200
        assert accepted.content.endswith(b"data: [DONE]\n\n")


@pytest.fixture(scope="module")
def limited(server_factory: Any) -> Student:
    """A student on a server that counts readers and executes nothing: a run stays queued, its streams stay open."""
    return Student(server_factory(RATE_LIMITS="on", AGENT_RUN_IN_WEB="false"), "li")


def test_thirteen_open_streams_are_one_too_many(limited: Student) -> None:
    started = limited.http.post("/tasks", json={"message": "你好"}).json()["data"]["task_id"]
    page = limited.data(f"/tasks/{started}")
    assert (page["status"], page["run_status"], page["events"][0]["type"]) == ("running", "queued", "ai_message_start")
    bodies = []
    with ExitStack() as opened:
        for _ in range(12):
            answer = opened.enter_context(limited.http.stream("GET", f"/agent/runs/{started}/stream"))
            assert answer.status_code == 200
            bodies.append(answer.iter_raw())
            assert next(bodies[-1]).startswith(b"retry: 2000\n\n")
        refused = limited.http.get(f"/agent/runs/{started}/stream", timeout=20)
        assert (refused.status_code, refused.json()["status"]) == (429, "40033")
        assert int(refused.headers["retry-after"]) == refused.json()["data"]["retry_after"] >= 1
    assert limited.http.post(f"/tasks/{started}/cancel").json()["data"]["run_status"] == "cancelled"
