"""A new `SECRET_KEY` beside the former one ends nothing: sessions, tokens and links go over to it as they are used."""

from __future__ import annotations

from typing import Any

import pytest
from allauth.usersessions.models import UserSession
from django.contrib.auth.tokens import default_token_generator
from django.test import Client

from smartmate.accounts.tokens import token_create, tokens_list

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
