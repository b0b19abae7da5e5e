"""From signing up to the first applied plan, by every hand (see `test_jobs`)."""

from __future__ import annotations

import secrets
from datetime import timedelta
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.kits.page.clock import TODAY
from tests.kits.page.hands import Hands, by

PASSWORD = "a long enough secret"
HOSTILE = "<img src=x onerror=alert(1)>"


@pytest.fixture
def stranger(open_page: Any, server: Any, hands: Hands) -> Page:
    page: Page = open_page(**hands.options)
    page.goto(f"{server.base_url}/account/signup/")
    return page


def _sign_up(page: Page, hands: Hands) -> None:
    """Makes an account on the open form."""
    page.locator("[name=username]").fill(f"new-{secrets.token_hex(4)}")
    for field in ("password1", "password2"):
        page.locator(f"[name={field}]").fill(PASSWORD)
    hands.press(hands.button(page, "注册"))
    page.wait_for_url("**/welcome/courses")


@by("desk-zh-keys", "phone-en-touch")
def test_a_stranger_signs_up_and_applies_a_first_plan(stranger: Page, hands: Hands) -> None:
    page = stranger
    _sign_up(page, hands)
    hands.press(hands.button(page, "先用示例看看"))
    page.wait_for_url("**/welcome/plan")
    expect(page.locator(".seal")).to_have_count(4)
    hands.press(hands.button(page, "清掉示例"))
    page.wait_for_url("**/welcome/courses")
    hands.press(hands.button(page, "没有课，下一步"))
    page.wait_for_url("**/welcome/tasks")
    page.get_by_label(hands.words("名称"), exact=True).fill(HOSTILE)
    page.get_by_label(hands.words("什么时候要学完")).fill((TODAY - timedelta(days=9)).isoformat())
    page.get_by_label(hands.words("要学的内容，一行一项，按顺序")).fill(f"1. {HOSTILE}\n2. two\n3. three")
    hands.press(hands.button(page, "下一步"))
    expect(page.get_by_role("alert").first).to_be_visible()
    expect(page.get_by_label(hands.words("要学的内容，一行一项，按顺序"))).to_have_value(
        f"1. {HOSTILE}\n2. two\n3. three"
    )
    page.get_by_label(hands.words("什么时候要学完")).fill((TODAY + timedelta(days=30)).isoformat())
    expect(page.locator("form .note.ok")).to_contain_text("6")  # two periods each
    hands.press(hands.button(page, "下一步"))
    page.wait_for_url("**/welcome/plan")
    page.goto(page.url.replace("/welcome/plan", "/"))
    page.wait_for_url("**/week**")
    page.goto(page.url.split("/week")[0] + "/welcome")
    hands.press(hands.button(page, "排一排"))
    page.wait_for_url("**/week?conversation=*")
    page.wait_for_selector("html[data-ready]")
    expect(page.locator(".entry.suggested").first).to_contain_text(HOSTILE)
    assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]
    hands.press(page.locator("#apply"))
    expect(page.locator(".toast.success")).to_contain_text(hands.words("已应用到课表：{count} 项").split("{")[0])
    expect(page.locator(".entry.applied").first).to_be_visible()


@by("desk-zh-keys")
def test_a_file_is_looked_at_in_the_semester_that_was_set_beside_it(stranger: Page, hands: Hands) -> None:
    page = stranger
    _sign_up(page, hands)
    monday = TODAY - timedelta(days=TODAY.weekday() + 7)
    page.locator("[name=semester]").select_option("own")
    page.locator("[name=first_monday]").fill(monday.isoformat())
    table = "课程名称,星期,节次,周数\n数据库原理,2,3-4,1-16\n"
    page.locator("[name=upload]").set_input_files(
        {"name": "courses.csv", "mimeType": "text/csv", "buffer": table.encode()}
    )
    page.wait_for_url("**/courses/import")
    expect(page.locator("table")).to_contain_text("数据库原理")
    semester = page.request.get(f"{page.url.split('/courses')[0]}/api/v1/schedule/semester").json()["data"]
    assert semester["first_monday"] == monday.isoformat()


@by("phone-zh-touch", "desk-en-mouse")
def test_who_opens_the_assistant_alone_is_told_how_a_first_task_begins(stranger: Page, hands: Hands) -> None:
    page = stranger
    _sign_up(page, hands)
    page.goto(page.url.replace("/welcome/courses", "/chat"))
    page.wait_for_selector("html[data-ready]")
    chosen, missed = hands.button(page, "帮我把选中的任务排好"), hands.button(page, "把没做的补上")
    expect(chosen).to_be_hidden()
    expect(missed).to_be_hidden()
    hands.press(hands.button(page, "新建任务「四级单词」，从今天到四周后，共 8 节"))
    hands.press(page.locator("#send"))
    hands.press(page.locator(".card.open .primary"))
    expect(missed).to_be_visible()
    hands.press(page.locator("#new-conversation"))
    expect(chosen).to_be_visible()
    assert page.locator("#class-list label").count() == 1
