"""What an account chose, whose it is, and that nobody else sees or changes it."""

from __future__ import annotations

from typing import Any

import pytest
from allauth.usersessions.models import UserSession
from django.contrib.auth import get_user
from django.db import connection
from django.http import HttpRequest
from django.test import Client
from django.test.utils import CaptureQueriesContext

from smartmate.accounts.tokens import token_create
from smartmate.models import AccountSettings

SETTINGS = "/api/v1/account/settings"


def client_of(user: Any) -> Client:
    return Client(headers={"Authorization": f"Bearer {token_create(user=user)[1]}"})


def patch(client: Client, **changes: Any) -> Any:
    return client.patch(SETTINGS, changes, content_type="application/json")


def test_who_chose_nothing_follows_browser_and_system(user: Any, semester: Any) -> None:
    data = client_of(user).get(SETTINGS).json()["data"]
    assert (data["language"], data["appearance"], data["semester_id"]) == (None, "system", semester.pk)
    assert not AccountSettings.objects.exists()


def test_a_patch_leaves_what_it_does_not_name(user: Any, other_user: Any, semester: Any) -> None:
    mine, theirs = client_of(user), client_of(other_user)
    assert patch(mine, language="en").status_code == 200
    assert patch(mine, appearance="dark").status_code == 200
    data = mine.get(SETTINGS).json()["data"]
    assert (data["language"], data["appearance"]) == ("en", "dark")
    assert theirs.get(SETTINGS).json()["data"]["appearance"] == "system"


@pytest.mark.parametrize("changes", [{"language": "fr"}, {"appearance": None}, {"appearance": 1}, {"semester_id": "x"}])
def test_what_is_no_setting_is_refused(user: Any, changes: dict[str, Any]) -> None:
    answer = patch(client_of(user), **changes)
    assert (answer.status_code, answer.json()["status"]) == (400, "40005")
    assert not AccountSettings.objects.exists()


def test_a_semester_that_is_not_mine_changes_nothing(user: Any, semester: Any) -> None:
    answer = patch(client_of(user), appearance="dark", semester_id=semester.pk + 1)
    assert (answer.status_code, answer.json()["status"]) == (404, "40041")
    assert not AccountSettings.objects.exists()


def test_a_language_costs_no_query_of_its_own(user: Any, semester: Any) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as seen:
            assert client.get("/api/v1/auth/session").status_code == 200
        return len(seen)

    client = Client()
    client.force_login(user)
    client.get("/api/v1/auth/session")  # notes that the session is in use
    before = queries()
    AccountSettings.objects.create(user=user, language="en")
    assert queries() == before == 2


def test_a_session_of_an_older_version_stays_open(user: Any) -> None:
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    request = HttpRequest()
    request.session = client.session
    assert get_user(request) == user
    assert client.get("/api/v1/auth/session").status_code == 200


def test_a_session_of_somebody_else_is_not_found(user: Any, other_user: Any) -> None:
    client = Client()
    client.force_login(other_user)
    client.get("/api/v1/auth/session")
    theirs = UserSession.objects.get(user=other_user)
    assert client_of(user).delete(f"/api/v1/account/sessions/{theirs.pk}").status_code == 404
    assert client_of(user).get("/api/v1/account/sessions").json()["data"]["list"] == []
    assert client.get("/api/v1/auth/session").status_code == 200
