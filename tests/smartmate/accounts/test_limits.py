"""Requests of strangers are counted by their address, those of an account by the account."""

from __future__ import annotations

from typing import Any

import pytest
from allauth.account.adapter import get_adapter
from allauth.core.context import request_context
from django.core.cache import cache
from django.test import Client, RequestFactory

from smartmate.accounts.forms import take
from taskclasses.kernel.errors import CodedError

PASSWORD = "umbrella seven"


@pytest.fixture(autouse=True)
def limits(settings: Any) -> None:
    settings.ACCOUNT_RATE_LIMITS = {"signup": "3/m/ip"}
    settings.TRUSTED_PROXIES = ["10.0.0.0/8"]
    cache.clear()


def refused(address: str, forwarded: str = "") -> bool:
    request = RequestFactory(REMOTE_ADDR=address).post("/", headers={"X-Forwarded-For": forwarded} if forwarded else {})
    with request_context(request):
        try:
            take(request, "signup")
        except CodedError as error:
            return (error.code, error.data) == (40033, {"retry_after": 60})
    return False


def test_an_address_is_counted_alone() -> None:
    assert [refused("192.0.2.1") for _ in range(4)] == [False] * 3 + [True]
    assert not refused("192.0.2.2")


def test_behind_a_trusted_proxy_the_client_is_counted() -> None:
    assert [refused("10.0.0.1", f"192.0.2.{number}") for number in range(5)] == [False] * 5
    assert [refused("10.0.0.1", "192.0.2.9") for _ in range(4)][-1]
    assert [refused("203.0.113.5", f"192.0.2.{number}") for number in range(4)][-1], "a header of the client's own"


def test_one_customer_of_a_provider_is_one_address() -> None:
    assert [refused(f"2001:db8:1:2::{number}") for number in range(1, 5)] == [False] * 3 + [True]
    assert not refused("2001:db8:1:3::1")


def test_whoever_comes_without_an_address_has_one_of_their_own() -> None:
    assert get_adapter().get_client_ip(RequestFactory(REMOTE_ADDR="").get("/")) == "0.0.0.0"


def test_a_page_that_is_asked_for_too_often_says_so(db: None) -> None:
    client = Client(headers={"Accept-Language": "en"})
    pages = [client.post("/account/signup/", {}) for _ in range(4)]
    assert [page.status_code for page in pages] == [200] * 3 + [429]
    assert "Too many attempts" in pages[-1].content.decode()
    assert pages[-1]["Retry-After"] == "60"


def test_the_password_of_an_open_session_is_guessed_at_slowly(settings: Any, user: Any) -> None:
    settings.ACCOUNT_RATE_LIMITS = {}
    client = Client()
    client.force_login(user)
    body = {"current_password": "wrong", "new_password": PASSWORD}
    codes = [client.post("/api/v1/account/password", body, content_type="application/json") for _ in range(6)]
    assert [answer.json()["status"] for answer in codes] == ["40005"] * 5 + ["40033"]
    assert client.post("/account/password/", {"oldpassword": "wrong"}).status_code == 429
    user.refresh_from_db()
    assert user.check_password("correct horse")


@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_bad_password_is_refused_in_the_language_of_the_page(db: None, settings: Any, language: str) -> None:
    settings.ACCOUNT_RATE_LIMITS = {}
    client = Client(headers={"Accept-Language": language})
    body = {"username": "a b", "password": "123"}
    rows = client.post("/api/v1/account/signup", body, content_type="application/json").json()["data"]["errors"]
    assert len(rows) == 4, rows
    assert {row["message"].isascii() for row in rows} == {language == "en"}
