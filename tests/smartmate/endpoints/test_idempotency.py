"""Idempotency-Key over any endpoint: replay, reuse, release, scope."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from smartmate.accounts.tokens import token_create
from smartmate.middleware import idempotency
from smartmate.models import IdempotencyClaim
from taskclasses.models import TaskClass

CLASS = {"name": "概率论复习", "mode": "manual", "items": [{"order": 1, "content": "随机变量"}]}


@pytest.fixture
def client_of() -> Any:
    def make(user: Any) -> Client:
        _, token = token_create(user=user)
        return Client(headers={"Authorization": f"Bearer {token}"})

    return make


@pytest.fixture
def client(user: Any, semester: Any, client_of: Any) -> Client:
    made: Client = client_of(user)
    return made


def create(client: Client, key: str, body: Any = CLASS, **headers: str) -> Any:
    content = body if isinstance(body, str) else json.dumps(body)
    named = {"Idempotency-Key": key, **headers}
    return client.post("/api/v1/task-class", content, content_type="application/json", headers=named)


def code(response: Any) -> str:
    return str(json.loads(response.content)["status"])


def test_it_replays_the_stored_answer_byte_by_byte(client: Client) -> None:
    first = create(client, "k")
    again = create(
        client, "k", '{ "items": [{"content": "随机变量", "order": 1}], "mode": "manual", "name": "概率论复习"}'
    )
    assert first.content == again.content
    assert "Idempotent-Replayed" not in first
    assert again["Idempotent-Replayed"] == "true"
    assert again["Content-Type"] == first["Content-Type"]
    assert TaskClass.objects.count() == 1


def test_it_refuses_another_body_query_or_path_under_the_same_key(client: Client) -> None:
    first = json.loads(create(client, "k").content)["data"]["id"]
    second = json.loads(create(client, "k2").content)["data"]["id"]
    assert code(create(client, "k", {**CLASS, "name": "别的"})) == "40070"
    headers = {"Idempotency-Key": "d"}
    assert code(client.delete(f"/api/v1/task-class/{first}", headers=headers)) == "10000"
    assert code(client.delete(f"/api/v1/task-class/{second}", headers=headers)) == "40070"
    assert code(client.delete(f"/api/v1/task-class/{first}?release=true", headers=headers)) == "40070"
    replayed = client.delete(f"/api/v1/task-class/{first}", headers=headers)
    assert replayed["Idempotent-Replayed"] == "true"


def test_a_refusal_releases_the_key(client: Client) -> None:
    assert code(create(client, "k", {**CLASS, "name": ""})) == "40005"
    assert code(create(client, "k", "{")) == "40005"
    assert code(create(client, "k")) == "10000"
    assert IdempotencyClaim.objects.count() == 1


def test_a_running_request_is_named_and_another_body_too(client: Client) -> None:
    create(client, "k")
    running = {"response_status": None, "lease_until": timezone.now() + timedelta(seconds=30)}
    IdempotencyClaim.objects.update(**running)
    response = create(client, "k")
    assert (response.status_code, code(response), response["Retry-After"]) == (409, "40038", "1")
    assert json.loads(response.content)["data"] == {"retry_after": 1}
    assert code(create(client, "k", {**CLASS, "name": "别的"})) == "40070"


def test_an_answer_is_kept_for_a_day(client: Client) -> None:
    create(client, "k")
    IdempotencyClaim.objects.update(created_at=timezone.now() - timedelta(hours=23))
    assert create(client, "k")["Idempotent-Replayed"] == "true"
    IdempotencyClaim.objects.update(created_at=timezone.now() - timedelta(hours=25))
    assert "Idempotent-Replayed" not in create(client, "k", {**CLASS, "name": "别的"})


def test_expired_answers_are_swept(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(idempotency, "SWEEP_EVERY", 1)
    create(client, "old")
    IdempotencyClaim.objects.update(created_at=timezone.now() - timedelta(hours=25))
    create(client, "new")
    assert list(IdempotencyClaim.objects.values_list("key", flat=True)) == ["new"]


def test_keys_are_case_sensitive_and_belong_to_one_student(client: Client, client_of: Any, other_user: Any) -> None:
    ids = [json.loads(create(client, key).content)["data"]["id"] for key in ("k", "K")]
    ids.append(json.loads(create(client_of(other_user), "k").content)["data"]["id"])
    assert len(set(ids)) == 3


@pytest.mark.parametrize(
    ("key", "expected"), [("a b", "40005"), ("é", "40005"), ("x" * 129, "40006"), ("x" * 128, "10000")]
)
def test_it_checks_the_form_of_a_key(client: Client, key: str, expected: str) -> None:
    assert code(create(client, key)) == expected


def test_a_blank_key_is_no_key(client: Client) -> None:
    ids = {json.loads(create(client, " ").content)["data"]["id"] for _ in range(2)}
    assert len(ids) == 2
    response = client.put("/api/v1/task-class/apply-batch-into-schedule", "{}", headers={"Idempotency-Key": " "})
    assert (response.status_code, code(response)) == (400, "40037")


def test_the_parts_of_an_upload_count_not_its_boundary(client: Client) -> None:
    courses = [
        {
            "course_name": "高数",
            "arrangements": [{"weeks": [1], "day_of_week": 1, "start_section": 1, "end_section": 2}],
        }
    ]

    def upload(name: str) -> Any:
        document = json.dumps({"courses": [{**courses[0], "course_name": name}]}).encode()
        data = {"format": "json", "file": SimpleUploadedFile("courses.json", document)}
        headers = {"Idempotency-Key": "k"}
        return client.post("/api/v1/schedule/imports?dry_run=false", data, headers=headers)

    assert code(upload("高数")) == "10000"
    assert upload("高数")["Idempotent-Replayed"] == "true"
    assert code(upload("大物")) == "40070"


def test_it_claims_nothing_for_a_stranger(db: None) -> None:
    assert code(create(Client(), "k")) == "40014"
    assert not IdempotencyClaim.objects.exists()


def test_where_a_secret_is_sent_or_told_no_key_is_looked_at_and_nothing_is_stored(user: Any, semester: Any) -> None:
    user.set_password("a secret of mine 1")
    user.save()
    client = Client(headers={"Authorization": f"Bearer {token_create(user=user)[1]}"})

    def twice(method: str, path: str, body: Any) -> list[Any]:
        made = [
            client.generic(method, f"/api/v1/{path}", json.dumps(body), "application/json", headers=named)
            for named in [{"Idempotency-Key": "once"}] * 2
        ]
        assert IdempotencyClaim.objects.count() == 0, path
        return [json.loads(one.content) for one in made]

    tokens = twice("POST", "auth/token", {"username": user.username, "password": "a secret of mine 1"})
    assert tokens[0]["data"]["token"] != tokens[1]["data"]["token"]
    new = {"username": "someone", "password": "another secret 2"}
    assert [one["status"] for one in twice("POST", "account/signup", new)] == ["10000", "40005"]
    feeds = twice("POST", "schedule/feed", None)
    assert feeds[0]["data"]["address"] != feeds[1]["data"]["address"]
    change = {"current_password": "a secret of mine 1", "new_password": "a secret of mine 3"}
    assert [one["status"] for one in twice("POST", "account/password", change)] == ["10000", "40014"]
