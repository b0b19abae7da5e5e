"""Today in a browser: what was missed yesterday is picked up, applied, and the application undone."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

from playwright.sync_api import expect

from tests.kits.page.planner import Planner

STEP = "昨晚的一项"


def place_yesterday(planner: Planner) -> int:
    """An item of a class of its own that stands in yesterday's last sections; its id."""
    semester = planner.api("/schedule/semester")
    yesterday = date.fromisoformat(planner.api("/schedule/today")["date"]) - timedelta(days=1)
    day = (yesterday - date.fromisoformat(semester["first_monday"])).days
    body = {
        "name": "晚上的任务",
        "start_date": (yesterday - timedelta(days=3)).isoformat(),
        "end_date": (yesterday + timedelta(days=21)).isoformat(),
        "items": [{"order": 1, "content": STEP}, {"order": 2, "content": "后面的一项"}],
    }
    made = planner.send("POST", "/task-class", body)
    item: int = planner.api(f"/task-class/{made['id']}")["items"][0]["id"]
    place = {"task_item_id": item, "week": day // 7 + 1, "day_of_week": day % 7 + 1, "start_section": 11}
    batch = {"task_class_id": made["id"], "items": [{**place, "end_section": 12}]}
    planner.send("PUT", "/task-class/apply-batch-into-schedule", batch)
    return item


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
