"""Today in a browser: what was missed yesterday is picked up, applied, and the application undone."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import expect

from tests.kits.page.yesterday import STEP, place_yesterday


def test_what_was_missed_is_picked_up(open_planner: Any) -> None:
    planner = open_planner("page-today")
    page = planner.page
    item = place_yesterday(planner)
    planner.send("POST", f"/schedule/task-items/{item}/progress", {"progress": "missed"})
    planner.open("/today")
    expect(page.get_by_role("heading", name="有 1 项没做")).to_be_visible()
    page.get_by_role("button", name="补上漏的").click()
    expect(page.locator(".diff > li")).to_have_count(1)
    expect(page.locator(".diff > li")).to_contain_text(STEP)
    page.get_by_role("button", name="应用到课表").click()
    expect(page.get_by_text("已应用到课表")).to_be_visible()
    expect(page.get_by_role("heading", name="有 1 项没做")).to_have_count(0)
    page.get_by_role("button", name="撤销").click()
    expect(page.get_by_text("已撤销")).to_be_visible()
    expect(page.get_by_role("heading", name="有 1 项没做")).to_be_visible()
    page.get_by_role("button", name=f"其实做完了 {STEP}").click()
    expect(page.get_by_text("已记下：完成")).to_be_visible()
    expect(page.get_by_role("heading", name="有 1 项没做")).to_have_count(0)
