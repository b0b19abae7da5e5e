"""What a browser shows by Back of a session that has ended: nothing."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Playwright, expect

CHROMIUM = "/usr/bin/chromium"
KEEPING = "--disable-back-forward-cache"
"""What the driver switches off and every browser of a student has on: whole pages are kept for Back."""


def test_back_shows_nothing_of_who_signed_out(playwright: Playwright, server: Any) -> None:
    browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"], ignore_default_args=[KEEPING])
    try:
        page = browser.new_page(locale="zh-CN")
        page.goto(f"{server.base_url}/login?next=/settings")
        page.get_by_label("用户名").fill("left-session")
        page.get_by_label("密码").fill(server.account("left-session"))
        page.get_by_role("button", name="登录").click()
        page.wait_for_url(lambda url: urlsplit(url).path == "/settings", wait_until="networkidle")
        page.get_by_role("button", name="退出").click()
        expect(page.get_by_role("heading", name="登录")).to_be_visible()
        page.evaluate("setTimeout(() => history.back())")
        page.wait_for_url("**/login?next=/settings")
        expect(page.get_by_role("heading", name="登录")).to_be_visible()
        expect(page.get_by_text("left-session")).to_have_count(0)
    finally:
        browser.close()
