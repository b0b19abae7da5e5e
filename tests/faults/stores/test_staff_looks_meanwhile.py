"""A store is away, and that is when staff and monitoring look: what the other store holds is shown, and what cannot be
is said to be away."""

from __future__ import annotations

import re
import signal
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tests.kits.faults.daemons import Daemon
from tests.kits.faults.readiness import unready
from tests.kits.servers.scrape import scrape
from tests.kits.transports.students import Student
from tests.kits.waiting import until

ROWS = {("smartmate_runs_active", frozenset()), ("smartmate_interactions_open", frozenset())}


@pytest.fixture(scope="module")
def li(server_factory: Any, redis: Daemon, mariadb: tuple[Daemon, str]) -> Iterator[Student]:
    stores = {"REDIS_URL": f"redis://127.0.0.1:{redis.port}/0", "DATABASE_URL": mariadb[1]}
    server = server_factory(**stores, AGENT_BACKEND="offline")
    until(lambda: unready(server) == [])
    yield Student(server, "li")
    server.stop(signal.SIGKILL)
    server_factory.prove(server)


@pytest.fixture(scope="module")
def staff(li: Student) -> httpx.Client:
    li.server.manage("seed_demo", "--username=boss", "--password=correct horse", "--admin")
    browser = httpx.Client(base_url=li.server.base_url, follow_redirects=True, timeout=10)
    token = re.search(r'csrfmiddlewaretoken" value="([^"]+)', browser.get("/admin/login/").text)
    assert token
    form = {"username": "boss", "password": "correct horse", "csrfmiddlewaretoken": token[1], "next": "/admin/"}
    assert browser.post("/admin/login/", data=form, headers={"Referer": str(browser.base_url)}).status_code == 200
    return browser


def text_of(staff: httpx.Client, path: str) -> str:
    answer = staff.get(path, headers={"Accept-Language": "zh-CN"})
    assert answer.status_code == 200, path
    return answer.text


def test_staff_sees_a_conversation_and_a_week_while_redis_is_away(
    li: Student, staff: httpx.Client, redis: Daemon
) -> None:
    answer, _ = li.chat("你好")
    talk = f"/admin/agent/conversation/{answer.headers['x-conversation-id']}/change/"
    owner = re.search(r"/admin/auth/user/(\d+)/change/", text_of(staff, "/admin/auth/user/?q=li"))
    assert owner
    redis.kill()
    try:
        for path in (talk, f"/admin/auth/user/{owner[1]}/week/"):
            assert "Redis 没有回答，现在看不到草稿" in text_of(staff, path)
        assert "你好" in text_of(staff, talk)
    finally:
        redis.start()
    until(lambda: unready(li.server) == [])


def test_figures_come_without_rows_while_the_database_is_frozen(li: Student, mariadb: tuple[Daemon, str]) -> None:
    assert scrape(li.server).keys() >= ROWS
    mariadb[0].signal(signal.SIGSTOP)
    try:
        found = scrape(li.server)
        assert found
        assert not found.keys() & ROWS
    finally:
        mariadb[0].signal(signal.SIGCONT)
    until(lambda: unready(li.server) == [])


def test_a_page_without_its_database_asks_to_come_again(
    li: Student, staff: httpx.Client, mariadb: tuple[Daemon, str]
) -> None:
    mariadb[0].kill()
    try:
        for path in ("/today", "/admin/agent/run/"):
            answer = staff.get(path)
            assert (answer.status_code, answer.headers["retry-after"]) == (503, "2"), path
            assert "稍后再试" in answer.text or "again" in answer.text
    finally:
        mariadb[0].start()
    until(lambda: unready(li.server) == [])
    assert staff.get("/today").status_code == 200
