"""Several students at one browser, and one whose cookies were deleted: what stays in a tab, and for whom."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.kits.page.planner import Planner


def test_who_signs_out_leaves_nothing_in_the_tab(enter: Any) -> None:
    planner: Planner = enter("talks-sign-out")
    page = planner.page
    planner.open("/tasks/new")
    page.get_by_label("名称", exact=True).fill("只有我知道的任务")
    planner.open("/chat")
    page.fill("#message", "只有我知道的话")
    page.click(".rail a[href='/settings']")
    planner.ready()
    page.get_by_label("名称", exact=True).fill("只有我知道的令牌")
    assert "只有我知道" in page.evaluate("JSON.stringify(sessionStorage)")
    page.get_by_role("button", name="退出").click()
    page.wait_for_url("**/login")
    kept = page.evaluate("JSON.stringify([sessionStorage, localStorage])")
    assert "talks-sign-out" not in kept
    assert "只有我知道" not in kept


def test_what_was_typed_outlives_cookies_that_were_deleted_under_the_page(enter: Any, server: Any) -> None:
    planner: Planner = enter("talks-cookies")
    page = planner.page
    planner.open("/tasks/new")
    page.get_by_label("名称", exact=True).fill("线代复习")
    page.get_by_label("内容，一行一项").fill("行列式\n矩阵")
    page.context.clear_cookies()
    page.get_by_role("button", name="保存", exact=True).click()
    page.wait_for_url("**/login?next=/tasks/new")
    page.get_by_label("用户名").fill("talks-cookies")
    page.get_by_label("密码").fill(server.account("talks-cookies"))
    page.get_by_role("button", name="登录").click()
    page.wait_for_url("**/tasks/new")
    expect(page.get_by_label("名称", exact=True)).to_have_value("线代复习")
    expect(page.get_by_label("内容，一行一项")).to_have_value("行列式\n矩阵")
    expect(page.locator(".toast")).to_contain_text("写下的还在，请再保存一次。")


@pytest.mark.parametrize("screen", ["/tasks/new", "/chat"])
def test_a_tab_becomes_that_of_who_signed_in_from_another_one(enter: Any, server: Any, screen: str) -> None:
    planner: Planner = enter("talks-first")
    page = planner.page
    planner.open(screen)
    page.locator("#message, [name=name]").first.fill("只有我知道的话")
    first = page.evaluate("document.body.dataset.account")
    other = page.context.new_page()
    other.goto(f"{planner.base_url}/settings")
    other.get_by_role("button", name="退出").click()
    other.get_by_label("用户名").fill("talks-second")
    other.get_by_label("密码").fill(server.account("talks-second"))
    other.get_by_role("button", name="登录").click()
    other.wait_for_selector("html[data-ready]")
    other.close()
    page.evaluate("dispatchEvent(new Event('focus'))")
    page.wait_for_url("**/week**")
    planner.ready()
    assert page.evaluate("document.body.dataset.account") != first
    assert "只有我知道" not in page.evaluate("JSON.stringify(sessionStorage)")
    expect(page.locator("#message")).to_have_value("")
