"""What stands on the timetable is pinned, ticked and taken off with a finger, and each of it is taken back."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import expect

from tests.kits.page.places import plan_all
from tests.kits.page.planner import Planner

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True}


def choose(planner: Planner, item: str, action: str) -> None:
    """Loads the week anew, opens the block and takes one of the ways that it offers."""
    page = planner.page
    page.reload()
    planner.ready()
    page.locator(f".entry[data-item='{item}']").tap()
    with page.expect_response(lambda answer: f"/task-items/{item}/" in answer.url) as written:
        page.locator("#block-sheet").get_by_role("button", name=action, exact=True).tap()
    assert written.value.ok


def test_an_applied_block_is_pinned_ticked_and_taken_off_on_a_phone(open_planner: Any) -> None:
    planner = open_planner("page-marks", **PHONE)
    page = planner.page
    plan_all(planner)
    page.locator("#apply").tap()
    expect(page.locator(".toast.success", has_text="已应用到课表")).to_be_visible()
    week = planner.api("/schedule/semester")["today"]["week"] + 1
    planner.open(f"/week/{week}")
    item = page.locator(".entry.applied:visible").first.get_attribute("data-item")
    assert item is not None

    choose(planner, item, "钉住")
    choose(planner, item, "取消钉住")
    choose(planner, item, "移出课表")
    page.reload()
    planner.ready()
    expect(page.locator(f".entry.applied[data-item='{item}']")).to_have_count(0)
    page.locator("#undo").tap()
    expect(page.locator(f".entry.applied[data-item='{item}']")).to_be_visible()
    choose(planner, item, "完成")
    expect(page.locator(".toast.success", has_text="已完成")).to_be_visible()
