"""The feed's address and tokens on the screen of settings: shown once, changed, ended, nobody else's."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from schedules.models import CalendarFeed
from smartmate.models import AccessToken

pytestmark = pytest.mark.django_db


def secret_of(page: str) -> str:
    found = re.search(r'id="secret" readonly value="([^"]+)"', page)
    assert found is not None
    return found[1]


def test_the_feed_is_made_changed_and_ended(li: Client) -> None:
    address = secret_of(li.post("/settings/feed", {"way": "make"}).content.decode())
    path = "/feeds" + address.partition("/feeds")[2]
    assert Client().get(path).status_code == 200
    assert path not in li.get("/settings").content.decode()
    li.post("/settings/feed", {"include": ["exam"]})
    assert CalendarFeed.objects.get().include == ["exam"]
    told = li.post("/settings/feed", {}, follow=True).content.decode()
    assert "至少勾选一种" in told
    assert CalendarFeed.objects.get().include == ["exam"], "nothing ticked is not everything"
    li.post("/settings/feed", {"way": "end"})
    assert Client().get(path).status_code == 404


def test_a_token_is_made_and_ended_by_its_owner_alone(li: Client, wang: Client) -> None:
    key = secret_of(li.post("/settings/tokens", {"name": "手机"}).content.decode())
    headers = {"Authorization": f"Bearer {key}"}
    assert Client().get("/api/v1/schedule/semester", headers=headers).status_code == 200
    assert "手机" in li.get("/settings").content.decode()
    assert "上次用在" in li.get("/settings").content.decode()
    row = AccessToken.objects.get()
    wang.post("/settings/tokens", {"end": row.public_id})
    assert AccessToken.objects.exists()
    li.post("/settings/tokens", {"end": row.public_id})
    assert Client().get("/api/v1/schedule/semester", headers=headers).status_code == 401
