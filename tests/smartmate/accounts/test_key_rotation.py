"""A new `SECRET_KEY` beside the former one ends nothing: sessions, tokens and links go over to it as they are used."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest
from allauth.usersessions.models import UserSession
from django.contrib.auth.tokens import default_token_generator
from django.test import Client
from websockets.sync.client import connect

from smartmate.accounts.tokens import token_create, tokens_list
from tests.kits.servers.server import Server

SESSION = "/api/v1/auth/session"


def user_of(client: Client) -> str | None:
    answer = client.get(SESSION)
    return answer.json()["data"]["user"]["username"] if answer.status_code == 200 else None


@pytest.fixture
def clients(user: Any) -> tuple[Client, Client]:
    browser, program = Client(), Client(headers={"Authorization": f"Bearer {token_create(user=user)[1]}"})
    browser.force_login(user)
    assert user_of(browser) == user_of(program) == user.username
    return browser, program


def test_what_was_used_while_both_keys_held_goes_on_without_the_former(user: Any, clients: Any, settings: Any) -> None:
    link = default_token_generator.make_token(user)
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "another"
    assert [user_of(client) for client in clients] == [user.username] * 2
    assert len(tokens_list(user=user)) == 1
    assert default_token_generator.check_token(user, link)
    settings.SECRET_KEY_FALLBACKS = []
    assert [user_of(client) for client in clients] == [user.username] * 2
    assert UserSession.objects.filter(user=user, session_key=clients[0].session.session_key).exists()


def test_what_was_not_used_ends_with_the_former_key(user: Any, clients: Any, settings: Any) -> None:
    settings.SECRET_KEY = "another"
    assert [user_of(client) for client in clients] == [None, None]
    assert tokens_list(user=user) == []


def test_processes_that_know_both_keys_sign_with_either(user: Any, clients: Any, settings: Any) -> None:
    """As while web processes are restarted one after the other, once the new key was named beside the former one."""
    keys = [settings.SECRET_KEY, "another"]
    for mine, others in (keys, keys[::-1], keys, keys[::-1]):
        settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = mine, [others]
        assert [user_of(client) for client in clients] == [user.username] * 2


def browser_of(server: Server, password: str) -> httpx.Client:
    browser = httpx.Client(base_url=server.base_url, timeout=60)
    browser.get("/login")
    form = {"username": "li", "password": password, "csrfmiddlewaretoken": browser.cookies["csrftoken"]}
    assert browser.post("/login", data=form).status_code == 302
    return browser


@pytest.mark.storeless  # the server has stores of its own
def test_sockets_and_requests_at_once_end_no_session_that_goes_over_to_a_new_key(tmp_path: Path) -> None:
    server = Server(tmp_path, SECRET_KEY="former-" * 9).start()
    try:
        browser = browser_of(server, server.account())
        cookie = {"Cookie": f"sessionid={browser.cookies['sessionid']}"}
        server.stop()
        server.environment |= {"SECRET_KEY": "present-" * 9, "SECRET_KEY_FALLBACKS": "former-" * 9}
        server.start()
        for _ in range(2):  # a socket sets no cookie
            address = f"{server.base_url}/ws/v1/agent".replace("http", "ws")
            with connect(address, additional_headers={**cookie, "Origin": server.base_url}):
                pass
        with ThreadPoolExecutor(8) as threads:
            asked = [
                threads.submit(httpx.get, server.base_url + SESSION, headers=cookie, timeout=60) for _ in range(24)
            ]
        assert {one.result().status_code for one in asked} == {200}
        server.stop()
        server.environment["SECRET_KEY_FALLBACKS"] = ""
        server.start()
        assert httpx.get(server.base_url + SESSION, headers=cookie, timeout=60).status_code == 200
    finally:
        server.stop()
