"""The doors of an account: guesses are slowed down, tokens are kept as hashes and end, pages carry their policy."""

from __future__ import annotations

import hashlib
import importlib
import json
import os
import subprocess
from datetime import timedelta
from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client, RequestFactory
from django.utils import timezone

from smartmate.accounts.tokens import TOKENS_MAX, token_create
from smartmate.middleware import access, login_limit
from smartmate.middleware.client_address import address_of
from smartmate.middleware.rate_limit import Buckets
from smartmate.models import AccessToken
from tests.kits.servers.server import COMMANDS

pytestmark = pytest.mark.django_db
DOORS = ("/login", "/admin/login/", "/api/v1/auth/token")


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Clock:
    settings.RATE_LIMITS = True
    clock = Clock()
    held = Buckets(clock)
    for module in (access, login_limit):
        monkeypatch.setattr(module, "buckets", lambda: held)
    return clock


def guess(door: str, password: str = "wrong", username: str = "li", address: str = "10.0.0.1") -> int:
    body = {"username": username, "password": password}
    kind = {"content_type": "application/json"} if door.startswith("/api/") else {}
    return Client(REMOTE_ADDR=address).post(door, body, **kind).status_code


def session_of(key: str) -> int:
    return Client(headers={"Authorization": f"Bearer {key}"}).get("/api/v1/auth/session").status_code


@pytest.mark.parametrize("door", DOORS)
def test_five_guesses_are_free_then_one_every_twelve_seconds(clock: Clock, user: User, door: str) -> None:
    assert 429 not in [guess(door) for _ in range(5)]
    assert guess(door) == 429
    assert guess(door, "correct horse") == 429
    clock.now += 12
    assert guess(door) != 429
    assert guess(door) == 429


@pytest.mark.parametrize(
    ("body", "code"),
    [("[" * 200_000, "40005"), ('{"username":' * 50_000, "40005"), ("\udcff", "40005"), (" " * 3_000_000, "40006")],
    ids=["lists", "objects", "bytes", "length"],
)
def test_a_body_that_names_nobody_is_refused_for_what_it_is(clock: Clock, body: str, code: str) -> None:
    raw = body.encode(errors="surrogateescape")
    answer = Client(raise_request_exception=False).post(DOORS[2], raw, content_type="application/json")
    assert json.loads(answer.content)["status"] == code


@pytest.mark.parametrize("door", DOORS)
def test_an_account_is_guessed_at_slowly_from_however_many_addresses(clock: Clock, user: User, door: str) -> None:
    answers = [guess(door, address=f"10.0.{number}.1") for number in range(25)]
    assert answers.count(429) == 15


@pytest.mark.parametrize("door", DOORS)
def test_many_accounts_are_guessed_at_slowly_from_one_address(clock: Clock, user: User, door: str) -> None:
    answers = [guess(door, username=f"student{number}") for number in range(80)]
    assert answers.count(429) == 20


def test_the_doors_share_their_counts(clock: Clock, user: User) -> None:
    answers = [guess(DOORS[number % 3]) for number in range(6)]
    assert answers.count(429) == 1


def test_a_school_behind_one_address_signs_in_without_end(clock: Clock, user: User) -> None:
    assert {guess("/api/v1/auth/token", "correct horse") for _ in range(100)} == {200}
    assert {guess("/login", "correct horse") for _ in range(100)} == {302}


def test_who_signed_in_from_an_address_is_not_shut_out_there_by_guesses_from_others(clock: Clock, user: User) -> None:
    assert guess("/login", "correct horse", address="192.168.1.5") == 302
    assert [guess("/login", address=f"10.0.{number}.1") for number in range(12)].count(429) == 2
    assert guess("/login", "correct horse", address="192.168.1.5") == 302
    assert guess("/login", "correct horse", address="192.168.1.6") == 429


def test_a_refused_page_says_when_to_come_back(clock: Clock, user: User) -> None:
    for _ in range(5):
        guess("/login")
    answer = Client(REMOTE_ADDR="10.0.0.1", headers={"Accept-Language": "en"}).post("/login", {"username": "li"})
    assert answer.status_code == 429
    assert answer["Retry-After"] == "12"
    assert "Too many attempts" in answer.content.decode()


@pytest.mark.parametrize(
    ("peer", "forwarded", "trusted", "found"),
    [
        ("127.0.0.1", "8.8.8.8", [], "127.0.0.1"),
        ("127.0.0.1", "6.6.6.6, 8.8.8.8", ["127.0.0.1"], "8.8.8.8"),
        ("127.0.0.1", "6.6.6.6, 8.8.8.8, 10.1.2.3", ["127.0.0.1", "10.0.0.0/8"], "8.8.8.8"),
        ("9.9.9.9", "8.8.8.8", ["127.0.0.1"], "9.9.9.9"),
        ("127.0.0.1", "nonsense", ["127.0.0.1"], "127.0.0.1"),
        ("127.0.0.1", "2001:db8:1:2:3:4:5:6", ["127.0.0.1"], "2001:db8:1:2::/64"),
    ],
)
def test_only_trusted_hops_say_whose_request_it_is(
    settings: Any, peer: str, forwarded: str, trusted: list[str], found: str
) -> None:
    settings.TRUSTED_PROXIES = trusted
    assert address_of(RequestFactory(REMOTE_ADDR=peer).get("/", headers={"X-Forwarded-For": forwarded})) == found


def test_an_account_has_several_tokens_that_end_one_by_one(user: User) -> None:
    client = Client()
    login = {"username": "li", "password": "correct horse", "name": "phone"}
    made = [client.post("/api/v1/auth/token", login, content_type="application/json").json()["data"] for _ in range(3)]
    assert len({token["token"] for token in made}) == 3
    mine = {"Authorization": f"Bearer {made[0]['token']}"}
    listed = Client(headers=mine).get("/api/v1/auth/tokens").json()["data"]["list"]
    assert [token["current"] for token in listed].count(True) == 1
    assert {token["name"] for token in listed} == {"phone"}
    assert made[0]["token"] not in json.dumps(listed)
    assert Client(headers=mine).delete(f"/api/v1/auth/tokens/{made[1]['id']}").status_code == 200
    assert [session_of(token["token"]) for token in made] == [200, 401, 200]
    assert Client(headers=mine).delete("/api/v1/auth/token").status_code == 200
    assert [session_of(token["token"]) for token in made] == [401, 401, 200]


def test_a_token_of_somebody_else_is_not_found(user: User, other_user: User) -> None:
    theirs, _ = token_create(user=other_user)
    _, mine = token_create(user=user)
    answer = Client(headers={"Authorization": f"Bearer {mine}"}).delete(f"/api/v1/auth/tokens/{theirs.public_id}")
    assert answer.status_code == 404
    assert AccessToken.objects.filter(pk=theirs.pk).exists()


def test_the_beginning_of_an_id_names_no_token(user: User) -> None:
    kept, key = token_create(user=user)
    answer = Client(headers={"Authorization": f"Bearer {key}"}).delete(f"/api/v1/auth/tokens/{kept.public_id[:1]}")
    assert answer.status_code == 404
    assert AccessToken.objects.filter(pk=kept.pk).exists()


def test_of_very_many_tokens_the_oldest_end(user: User) -> None:
    keys = [token_create(user=user)[1] for _ in range(TOKENS_MAX + 2)]
    assert [session_of(keys[number]) for number in (0, 1, 2, -1)] == [401, 401, 200, 200]


def test_a_token_ends_with_a_change_of_the_password(user: User) -> None:
    _, key = token_create(user=user)
    assert session_of(key) == 200
    user.set_password("another horse")
    user.save()
    assert session_of(key) == 401


def test_a_token_ends_by_its_age_and_tells_its_last_use(user: User) -> None:
    made, key = token_create(user=user)
    assert session_of(key) == 200
    made.refresh_from_db()
    assert made.last_used_at is not None
    AccessToken.objects.filter(pk=made.pk).update(expiry=timezone.now() - timedelta(seconds=1))
    assert session_of(key) == 401


def test_no_table_holds_a_token_in_clear(user: User) -> None:
    _, key = token_create(user=user)
    assert AccessToken.objects.filter(digest=hashlib.sha512(key.encode()).hexdigest()).exists()
    assert not any(key in str(row) for row in AccessToken.objects.values_list())


@pytest.mark.parametrize("path", ["/login", "/admin/login/", "/nowhere", "/api/v1/nowhere", "/admin/"])
def test_every_answer_carries_the_content_security_policy(db: None, path: str) -> None:
    policy = Client().get(path)["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy


@pytest.mark.django_db(transaction=True)
def test_a_token_in_clear_of_an_older_table_goes_on_working_and_is_erased(user: User) -> None:
    key = "0123456789abcdef0123456789abcdef01234567"
    with connection.cursor() as cursor:
        name = connection.ops.quote_name("key")
        cursor.execute(f"CREATE TABLE authtoken_token ({name} varchar(40) PRIMARY KEY, user_id integer)")
        cursor.execute("INSERT INTO authtoken_token VALUES (%s, %s)", [key, user.pk])
    try:
        migration = importlib.import_module("smartmate.migrations.0003_access_tokens")
        with connection.schema_editor() as editor:
            migration.hash_old_tokens(apps, editor)
        assert session_of(key) == 200
        with connection.cursor() as cursor:
            cursor.execute("SELECT COUNT(*) FROM authtoken_token")
            assert cursor.fetchone()[0] == 0
    finally:
        with connection.cursor() as cursor:
            cursor.execute("DROP TABLE authtoken_token")


def deployment_check(tmp_path: Any, **environment: str) -> subprocess.CompletedProcess[str]:
    command = ["manage.py", "check", "--deploy", "--fail-level", "WARNING"]
    variables = {**os.environ, "SMARTMATE_VAR": str(tmp_path), "ALLOWED_HOSTS": "plan.example", **environment}
    variables.pop("DJANGO_ALLOW_ASYNC_UNSAFE", None)  # the tests' own
    return COMMANDS.run(command, env=variables)


def test_one_switch_makes_a_deployment_behind_https_clean(tmp_path: Any) -> None:
    done = deployment_check(tmp_path, HTTPS="on")
    assert done.returncode == 0, done.stderr
    assert "security.W" in deployment_check(tmp_path).stderr
