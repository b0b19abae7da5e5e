"""What a browser installs and keeps: manifest, worker, the page for what was not kept."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.contrib.staticfiles import finders
from django.test import Client

pytestmark = pytest.mark.django_db


def test_the_worker_stands_at_the_root_and_is_looked_up_each_time() -> None:
    answer = Client().get("/service-worker.js")
    assert answer.headers["Content-Type"].startswith("text/javascript")
    assert answer.headers["Cache-Control"] == "no-cache"
    assert "default-src 'self'" in answer.headers["Content-Security-Policy"]
    assert "{{" not in answer.content.decode()


def test_the_page_without_a_connection_is_of_no_account(li: Client) -> None:
    mine, nobodys = li.get("/offline"), Client().get("/offline")
    assert mine.content == nobodys.content
    assert 'href="/week"' in mine.content.decode()


def test_the_manifest_names_icons_that_are_there() -> None:
    with open(str(finders.find("smartmate/manifest.webmanifest")), encoding="utf-8") as file:
        manifest = json.load(file)
    assert manifest["start_url"] == manifest["scope"] == "/"
    for icon in manifest["icons"]:
        named = icon["src"].removeprefix("/static/")
        assert finders.find(named) or finders.find(f"smartmate/{named}"), icon


def test_a_message_waits_for_the_page_that_is_shown(li: Client) -> None:
    li.post("/tasks/new", {"name": "线代", "items": "行列式"})
    assert "已保存" not in li.get("/today", headers={"X-For-Later": "1"}).content.decode()
    assert "已保存" in li.get("/today").content.decode()


def test_who_is_signed_in_has_a_browser_that_keeps(li: Client, user: Any) -> None:
    page = li.get("/tasks").content.decode()
    assert f'data-account="{user.pk}"' in page
    assert 'rel="manifest"' in page
    assert "data-account" not in Client().get("/login").content.decode()
