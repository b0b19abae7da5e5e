"""The feed's address and tokens on the screen of settings: shown once, changed, ended, nobody else's."""

from __future__ import annotations

import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from schedules.models import CalendarFeed
from smartmate.models import AccessToken
from taskclasses.models import TaskClass

pytestmark = pytest.mark.django_db


def secret_of(page: str) -> str:
    found = re.search(r'id="secret" readonly value="([^"]+)"', page)
    assert found is not None
    return found[1]


def test_the_feed_is_made_changed_and_ended(li: Client) -> None:
    address = secret_of(li.post("/settings/feed", {"way": "make"}).content.decode())
    path = "/feeds" + address.partition("/feeds")[2]
    assert "还没有日历来读过这个地址" in li.get("/settings").content.decode()
    assert Client().get(path).status_code == 200
    assert "日历上次读取" in li.get("/settings").content.decode()
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


def test_what_was_downloaded_is_brought_into_an_account_that_has_nothing_yet(li: Client, wang: Client) -> None:
    li.post(
        "/tasks/new",
        {"name": "线代复习", "start_date": "2026-03-02", "end_date": "2026-03-29", "items": "行列式\n矩阵"},
    )
    archive = li.get("/api/v1/account/archive").content

    def bring(client: Client, content: bytes) -> str:
        upload = SimpleUploadedFile("smartmate-archive.json", content, "application/json")
        return client.post("/settings/archive", {"file": upload}, follow=True).content.decode()

    assert "没有导入：不是有效的 JSON 文件" in bring(wang, archive[:-5])
    assert "不是 SmartMate 的归档" in bring(wang, b'{"format": "ics"}')
    assert "缺少该字段" in wang.post("/settings/archive", follow=True).content.decode()
    assert "已导入：课程 0，任务 1" in bring(wang, archive)
    assert "线代复习" in wang.get("/tasks").content.decode()
    assert "归档只能导入空账号" in bring(wang, archive)
    assert TaskClass.objects.count() == 2
