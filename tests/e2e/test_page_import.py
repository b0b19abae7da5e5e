"""Courses come into the timetable from a file, after the student saw what it holds."""

from __future__ import annotations

import json
from typing import Any

from playwright.sync_api import expect

from tests.e2e.conftest import Planner


def course(name: str, **arrangement: Any) -> dict[str, Any]:
    place = {
        "start_week": 1,
        "end_week": 4,
        "day_of_week": 6,
        "start_section": 11,
        "end_section": 12,
        "week_type": "all",
    }
    return {
        "course_name": name,
        "location": "教学楼A",
        "is_allow_tasks": False,
        "arrangements": [{**place, **arrangement}],
    }


def choose(planner: Planner, *courses: dict[str, Any]) -> None:
    planner.page.click("#import-open")
    text = json.dumps({"courses": list(courses)})
    planner.page.locator("#import-dialog [type=file]").set_input_files(
        {"name": "courses.json", "mimeType": "application/json", "buffer": text.encode()}
    )


def test_a_file_is_shown_then_written(open_planner: Any) -> None:
    planner = open_planner("page-import")
    page = planner.page
    choose(planner, course("<b>书法</b>"))
    expect(page.locator("#import-dialog [data-report]")).to_contain_text("可导入 4 节课")
    assert "书法" not in str(planner.api("/schedule/week?week=3"))
    page.click("#import-dialog [data-submit]")
    expect(page.locator(".toast.success")).to_contain_text("已导入 4 节课")
    planner.show_week(3)
    expect(page.locator(".entry.course", has_text="<b>书法</b>")).to_be_visible()


def test_rows_with_problems_are_named_and_skipped_on_request(open_planner: Any) -> None:
    planner = open_planner("page-import-rows")
    page = planner.page
    choose(planner, course("书法"), course("坏行", day_of_week=9))
    report = page.locator("#import-dialog [data-report]")
    expect(report).to_contain_text("有问题 1 行")
    expect(report.locator("li").first).to_contain_text("第 2 行")
    expect(page.locator("#import-dialog [data-submit]")).to_be_disabled()
    page.get_by_label("跳过有问题的行").check()
    page.click("#import-dialog [data-submit]")
    expect(page.locator(".toast.success")).to_contain_text("已导入 4 节课")


def test_a_file_that_is_no_timetable_is_refused_inside_the_dialog(open_planner: Any) -> None:
    planner = open_planner("page-import-bad")
    page = planner.page
    page.click("#import-open")
    page.locator("#import-dialog [type=file]").set_input_files(
        {"name": "x.json", "mimeType": "application/json", "buffer": b"not json"}
    )
    expect(page.locator("#import-dialog .problem")).to_contain_text("40005")
    page.keyboard.press("Escape")
    expect(page.locator("#import-open")).to_be_focused()
