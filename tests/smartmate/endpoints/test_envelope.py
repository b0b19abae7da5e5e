"""Every answer below /api/ is an envelope, whatever went wrong and wherever."""

from __future__ import annotations

import codecs
import gzip
import json
from typing import Any

import pytest
from django.test import Client

from smartmate.accounts.tokens import token_create

JSON = "application/json; charset=utf-8"


@pytest.fixture
def token(user: Any) -> str:
    return token_create(user=user)[1]


@pytest.fixture
def api(token: str) -> Client:
    return Client(headers={"Authorization": f"Bearer {token}"})


def coded(response: Any, status: int, code: int) -> dict[str, Any]:
    body = json.loads(response.content)
    assert (response.status_code, body["status"]) == (status, str(code)), body
    assert response["Content-Type"] == JSON
    assert set(body) == {"status", "info", "data"}
    assert response["X-Request-ID"]
    return body


def test_it_answers_who_i_am(api: Client, user: Any) -> None:
    body = coded(api.get("/api/v1/auth/session"), 200, 10000)
    assert body["data"]["user"] == {"id": user.pk, "username": "li"}
    assert body["data"]["auth"] == "token"
    assert body["data"]["backend"] == "offline"


def test_it_answers_unknown_paths_and_methods(api: Client) -> None:
    coded(api.get("/api/v1/nothing"), 404, 40400)
    response = api.put("/api/v1/auth/session")
    coded(response, 405, 40500)
    assert "GET" in response["Allow"]
    for path in ("/api/schema", "/api/v1/auth/session"):
        coded(api.options(path), 405, 40500)


def test_it_speaks_the_language_that_is_asked_for(api: Client) -> None:
    assert coded(api.get("/api/v1/nothing"), 404, 40400)["info"] == "路径不存在"
    english = api.get("/api/v1/nothing", headers={"Accept-Language": "en-GB,en;q=0.9"})
    assert coded(english, 404, 40400)["info"] == "no such path"


def test_a_compressed_body_is_named_as_such_and_a_byte_order_mark_is_none_of_its_json(api: Client) -> None:
    body = json.dumps({"name": "高数", "mode": "manual", "items": [{"order": 1, "content": "一"}]}).encode()

    def posted(path: str, raw: bytes, **headers: str) -> Any:
        return api.generic("POST", f"/api/v1/{path}", raw, "application/json", headers=headers)

    for path in ("task-class", "agent/chat", "tasks"):
        refused = coded(posted(path, gzip.compress(body), **{"Content-Encoding": "gzip"}), 400, 40005)
        assert refused["data"]["errors"] == [{"field": "Content-Encoding", "message": "不支持压缩的请求体"}]
    coded(posted("task-class", body, **{"Content-Encoding": "identity"}), 200, 10000)
    coded(posted("task-class", codecs.BOM_UTF8 + body), 200, 10000)


def test_it_refuses_missing_and_wrong_credentials(db: None, user: Any) -> None:
    for headers in ({}, {"Authorization": "Bearer nonsense"}, {"Authorization": "Basic bGk6bGk="}):
        response = Client(headers=headers).get("/api/v1/auth/session")
        assert coded(response, 401, 40014)["data"] is None
        assert response["WWW-Authenticate"] == "Bearer"


def test_it_gives_a_token_for_a_password_and_ends_the_one_that_is_sent(db: None, user: Any) -> None:
    client = Client()
    login = {"username": "li", "password": "correct horse"}
    answers = [client.post("/api/v1/auth/token", login, content_type="application/json") for _ in range(2)]
    keys = {coded(answer, 200, 10000)["data"]["token"] for answer in answers}
    assert {answer["Cache-Control"] for answer in answers} == {"no-store"}
    ended, kept = keys
    headers = {"Authorization": f"Token {ended}"}
    coded(client.delete("/api/v1/auth/token", headers=headers), 200, 10000)
    coded(client.get("/api/v1/auth/session", headers=headers), 401, 40014)
    coded(client.get("/api/v1/auth/session", headers={"Authorization": f"Bearer {kept}"}), 200, 10000)
    wrong = {"username": "li", "password": "wrong"}
    coded(client.post("/api/v1/auth/token", wrong, content_type="application/json"), 401, 40014)


HOSTILE = [
    b"",
    b"{",
    b"[]",
    b"null",
    b"\xff\xfe",
    b'{"username": 1, "password": true}',
    b'{"username": "\\ud800", "password": "x"}',
    b'{"username": NaN}',
    b"[" * 100_000,
    b'{"username": "li", "password": "a\\u0000b"}',
]


@pytest.mark.parametrize("body", HOSTILE, ids=range(len(HOSTILE)))
def test_it_refuses_hostile_bodies_with_a_code(db: None, body: bytes) -> None:
    response = Client().post("/api/v1/auth/token", body, content_type="application/json")
    assert coded(response, 400, 40005)["data"]["errors"]


def test_it_refuses_long_bodies(db: None) -> None:
    body = b'{"username": "' + b"x" * (1024 * 1024) + b'"}'
    response = Client().post("/api/v1/auth/token", body, content_type="application/json")
    assert coded(response, 413, 40006)["data"]["limit"] == 1024 * 1024
    huge = Client().post("/api/v1/auth/token", b"x" * (7 * 1024 * 1024), content_type="application/json")
    coded(huge, 413, 40006)


def test_it_demands_a_csrf_token_from_cookies_only(user: Any, token: str) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(user)
    coded(client.delete("/api/v1/auth/token"), 403, 40301)
    client.get("/api/v1/auth/session")
    csrf = client.cookies["csrftoken"].value
    coded(client.delete("/api/v1/auth/token", headers={"X-CSRFToken": csrf}), 200, 10000)
    coded(client.delete("/api/v1/auth/token", headers={"Authorization": "Bearer x"}), 401, 40014)


def test_it_repeats_a_sound_request_id_and_replaces_others(api: Client) -> None:
    assert api.get("/api/v1/nothing", headers={"X-Request-ID": "abc-1"})["X-Request-ID"] == "abc-1"
    assert api.get("/api/v1/nothing", headers={"X-Request-ID": "a b"})["X-Request-ID"] != "a b"


def test_it_hides_what_went_wrong_inside(api: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    from smartmate.accounts.api import session as session_api

    def explode(_: object) -> str:
        raise RuntimeError("SELECT secret FROM table")

    monkeypatch.setattr(session_api, "backend_of", explode)
    response = api.get("/api/v1/auth/session", headers={"X-Request-ID": "trace-1"})
    assert coded(response, 500, 50000)["data"] == {"request_id": "trace-1"}
    assert "secret" not in response.content.decode()
