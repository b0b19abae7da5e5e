"""Token buckets: a burst, a steady rate, a wait that is enough."""

from __future__ import annotations

import json
import os
import secrets
from typing import Any

import fakeredis
import pytest
import redis
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from agent.store.connection import make_sync
from smartmate.accounts.tokens import token_create
from smartmate.middleware import access, login_limit
from smartmate.middleware.rate_limit import PAUSE_S, RATES, Buckets, SharedBuckets
from smartmate.models import AccountSettings


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_burst_then_the_steady_rate() -> None:
    clock = Clock()
    buckets = Buckets(clock)
    assert [buckets.take("write", "a") for _ in range(30)] == [0] * 30
    assert buckets.take("write", "a") == 1
    assert buckets.take("write", "b") == 0
    assert buckets.take("read", "a") == 0
    clock.now = 0.5
    assert [buckets.take("write", "a"), buckets.take("write", "a")] == [0, 1]


def test_a_redis_that_did_not_answer_is_left_alone_for_a_while() -> None:
    clock, server = Clock(), fakeredis.FakeServer()
    shared = SharedBuckets(fakeredis.FakeRedis(server=server, decode_responses=True), Buckets(clock), clock)
    server.connected = False
    assert shared.take("login", "a") == 0
    server.connected = True
    assert [shared.take("login", "a") for _ in range(5)] == [0, 0, 0, 0, 12], "its own buckets still count"
    clock.now = PAUSE_S
    assert shared.take("login", "a") == 0, "those in Redis are full"


@given(st.sampled_from(sorted(RATES)), st.lists(st.floats(0, 20), max_size=60))
def test_waiting_as_long_as_told_succeeds(kind: str, pauses: list[float]) -> None:
    clock = Clock()
    buckets = Buckets(clock)
    for pause in pauses:
        clock.now += pause
        wait = buckets.take(kind, "a")
        if wait:
            clock.now += wait
            assert buckets.take(kind, "a") == 0


def test_polling_twice_a_second_never_meets_the_limit() -> None:
    clock = Clock()
    buckets = Buckets(clock)
    for step in range(1200):
        clock.now = step / 2
        assert buckets.take("read", "a") == 0


@pytest.fixture
def shared() -> SharedBuckets:
    url = os.environ.get("REDIS_URL", "")
    return SharedBuckets(make_sync(url) if url else fakeredis.FakeRedis(decode_responses=True), Buckets(Clock()))


def test_shared_buckets_count_like_those_of_one_process(shared: SharedBuckets) -> None:
    who = secrets.token_hex(8)
    assert [shared.take("login", who) for _ in range(6)] == [0] * 5 + [12]
    assert shared.take("login", who + "x") == 0


def test_without_redis_each_process_counts_for_itself() -> None:
    class Gone(fakeredis.FakeRedis):
        def execute_command(self, *args: object, **options: object) -> object:
            raise redis.ConnectionError

    own = SharedBuckets(Gone(), Buckets(Clock()))
    assert [own.take("login", "a") for _ in range(6)] == [0] * 5 + [12]


def test_it_answers_429_with_the_wait(user: Any, settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.RATE_LIMITS = True
    held = Buckets(Clock())
    monkeypatch.setattr(access, "buckets", lambda: held)
    monkeypatch.setattr(login_limit, "buckets", lambda: held)
    client = Client(headers={"Authorization": f"Bearer {token_create(user=user)[1]}"})
    login = {"username": "li", "password": "wrong"}
    answers = [Client().post("/api/v1/auth/token", login, content_type="application/json") for _ in range(6)]
    assert [answer.status_code for answer in answers] == [401] * 5 + [429]
    document = json.loads(answers[-1].content)
    assert (document["status"], document["data"]) == ("40033", {"retry_after": 12})
    assert answers[-1]["Retry-After"] == "12"
    assert client.get("/api/v1/auth/session").status_code == 200


def test_the_pages_of_a_session_are_counted_with_its_requests(
    user: Any, semester: Any, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.RATE_LIMITS = True
    held = Buckets(Clock())
    monkeypatch.setattr(access, "buckets", lambda: held)
    client = Client()
    client.force_login(user)
    settle = {"language": "zh", "appearance": "light"}
    answers = [client.post("/settings/choices", settle) for _ in range(31)]
    assert [answer.status_code for answer in answers].index(429) == 30
    assert answers[-1]["Retry-After"] == "1"
    assert "请在 1 分钟后再试" in answers[-1].content.decode()
    assert client.get("/settings").status_code == 200
    for _ in range(RATES["read"].burst):
        held.take("read", f"user:{user.pk}")
    AccountSettings.objects.update_or_create(user=user, defaults={"language": "en"})
    answer = client.get("/settings", headers={"Accept-Language": "zh-CN"})
    assert (answer.status_code, "Please try again in 1 minute." in answer.content.decode()) == (429, True)
    assert client.get("/api/v1/auth/session").status_code == 429
    assert client.get("/healthz").status_code == Client().get("/login").status_code == 200
