"""What the draft changes is looked through before it is applied."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import expect

from tests.kits.page.places import plan_all


def test_the_draft_is_reviewed_thinned_out_and_applied(open_planner: Any) -> None:
    planner = open_planner("page-review")
    page = planner.page
    plan_all(planner)
    before = planner.preview()["difference"]
    page.click("#review-open")
    sheet = page.locator("#review")
    expect(sheet.locator("li[data-item]")).to_have_count(before["changed"])
    assert not any(str(row["task_item_id"]) + "]" in sheet.inner_text() for row in before["new"])
    expect(sheet.locator(".load-days li").first).to_be_visible()
    last = before["new"][-1]
    sheet.locator(f"li[data-item='{last['task_item_id']}'] button").click()
    expect(sheet.locator("li[data-item]")).to_have_count(before["changed"] - 1)
    assert planner.preview()["difference"]["changed"] == before["changed"] - 1
    page.keyboard.press("Escape")
    expect(sheet).to_be_hidden()
    page.click("#review-open")
    sheet.locator("[data-action=apply]").click()
    expect(sheet).to_be_hidden()
    expect(page.locator("#review-open")).to_be_hidden()
    assert planner.preview()["difference"]["changed"] == 0


def test_a_discarded_draft_leaves_the_timetable(open_planner: Any) -> None:
    planner = open_planner("page-discard")
    page = planner.page
    plan_all(planner)
    page.click("#review-open")
    page.on("dialog", lambda dialog: dialog.accept())
    page.locator("#review [data-action=discard]").click()
    expect(page.locator(".toast.success")).to_contain_text("草稿已放弃")
    expect(page.locator(".entry.suggested")).to_have_count(0)
    expect(page.locator("#apply")).to_be_disabled()
