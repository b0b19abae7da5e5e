"""From signing up to the first applied plan: on a desk in Chinese, on a phone in English."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.conftest import note_refusal
from tests.kits.page.clock import TODAY, shift_clock

PASSWORD = "a long enough secret"
HOSTILE = "<img src=x onerror=alert(1)>"
DESK = {"locale": "zh-CN", "viewport": {"width": 1360, "height": 900}}
PHONE = {"locale": "en-US", "viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
WORDS: dict[str, dict[str, str]] = {
    "zh-CN": {
        "sign up": "注册",
        "sample": "先用示例看看",
        "clear": "清掉示例",
        "next": "没有课，下一步",
        "name": "名称",
        "end": "什么时候要学完",
        "items": "要学的内容，一行一项，按顺序",
        "on": "下一步",
        "plan": "排一排",
        "applied": "已应用到课表",
    },
    "en-US": {
        "sign up": "Sign up",
        "sample": "Look at a sample first",
        "clear": "Remove the sample",
        "next": "No courses, next",
        "name": "Name",
        "end": "When it must be finished",
        "items": "What to learn, one step per line, in order",
        "on": "Next",
        "plan": "Plan it",
        "applied": "Applied",
    },
}


@pytest.fixture(params=[DESK, PHONE], ids=["desk", "phone"])
def stranger(request: pytest.FixtureRequest, browser: Browser, server: Any) -> Iterator[tuple[Page, dict[str, str]]]:
    context = browser.new_context(**request.param, service_workers="block")
    shift_clock(context)
    page = context.new_page()
    page.problems = []  # type: ignore[attr-defined]
    page.on("pageerror", lambda error: page.problems.append(str(error)))  # type: ignore[attr-defined]
    page.on("console", lambda message: note_refusal(page, message))
    page.goto(f"{server.base_url}/account/signup/")
    yield page, WORDS[request.param["locale"]]
    assert page.problems == []  # type: ignore[attr-defined]
    context.close()


def press(page: Page, name: str) -> None:
    button = page.get_by_role("button", name=name, exact=True)
    if page.viewport_size and page.viewport_size["width"] < 500:
        button.tap()
    else:
        button.focus()
        page.keyboard.press("Enter")


def test_a_stranger_signs_up_and_applies_a_first_plan(stranger: Any) -> None:
    page, words = stranger
    name = f"new-{secrets.token_hex(4)}"
    page.locator("[name=username]").fill(name)
    for field in ("password1", "password2"):
        page.locator(f"[name={field}]").fill(PASSWORD)
    press(page, words["sign up"])
    page.wait_for_url("**/welcome/courses")
    press(page, words["sample"])
    page.wait_for_url("**/welcome/plan")
    expect(page.locator(".seal")).to_have_count(4)
    press(page, words["clear"])
    page.wait_for_url("**/welcome/courses")
    press(page, words["next"])
    page.wait_for_url("**/welcome/tasks")
    page.get_by_label(words["name"], exact=True).fill(HOSTILE)
    page.get_by_label(words["end"]).fill((TODAY - timedelta(days=9)).isoformat())
    page.get_by_label(words["items"]).fill(f"1. {HOSTILE}\n2. two\n3. three")
    press(page, words["on"])
    expect(page.get_by_role("alert").first).to_be_visible()
    expect(page.get_by_label(words["items"])).to_have_value(f"1. {HOSTILE}\n2. two\n3. three")
    page.get_by_label(words["end"]).fill((TODAY + timedelta(days=30)).isoformat())
    press(page, words["on"])
    page.wait_for_url("**/welcome/plan")
    page.goto(page.url.replace("/welcome/plan", "/"))
    page.wait_for_url("**/week**")
    page.goto(page.url.split("/week")[0] + "/welcome")
    press(page, words["plan"])
    page.wait_for_url("**/week?conversation=*")
    page.wait_for_selector("html[data-ready]")
    expect(page.locator(".entry.suggested").first).to_contain_text(HOSTILE)
    assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]
    press_apply(page)
    expect(page.locator(".toast.success")).to_contain_text(words["applied"])
    expect(page.locator(".entry.applied").first).to_be_visible()


def press_apply(page: Page) -> None:
    page.locator("#apply").click()
