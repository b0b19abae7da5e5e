"""Courses come into the timetable from a file, after the student saw what it holds."""

from __future__ import annotations

import json
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from playwright.sync_api import expect

from tests.kits.page.planner import Planner


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
    choose_file(planner, "courses.json", json.dumps({"courses": list(courses)}).encode())


def choose_file(planner: Planner, name: str, content: bytes) -> Any:
    """The report of what the file holds."""
    planner.open("/courses")
    planner.page.click("#import-open")
    file = {"name": name, "mimeType": "application/octet-stream", "buffer": content}
    planner.page.locator("#import-dialog [type=file]").set_input_files(file)
    return planner.page.locator("#import-dialog [data-report]")


def calendar_of(*days: int, name: str) -> bytes:
    """A lesson in sections 11 and 12 on each of the days of the shown term, and a holiday."""
    lessons = "".join(
        f"BEGIN:VEVENT\r\nSUMMARY:{name}\r\nDTSTART:{day}T205000\r\nDTEND:{day}T223000\r\nEND:VEVENT\r\n"
        for day in days
    )
    holiday = "BEGIN:VEVENT\r\nSUMMARY:假\r\nDTSTART;VALUE=DATE:20300101\r\nEND:VEVENT\r\n"
    return f"BEGIN:VCALENDAR\r\nVERSION:2.0\r\n{lessons}{holiday}END:VCALENDAR\r\n".encode()


def test_a_file_is_shown_then_written(open_planner: Any) -> None:
    planner = open_planner("page-import")
    page = planner.page
    choose(planner, course("<b>书法</b>"))
    expect(page.locator("#import-dialog [data-report]")).to_contain_text("可导入 4 节课")
    assert "书法" not in str(planner.api("/schedule/week?week=3"))
    page.click("#import-dialog [data-submit]")
    expect(page.locator(".toast.success")).to_contain_text("已导入 4 节课")
    planner.open("/week")
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
    planner.open("/courses")
    page.click("#import-open")
    page.locator("#import-dialog [type=file]").set_input_files(
        {"name": "x.json", "mimeType": "application/json", "buffer": b"not json"}
    )
    expect(page.locator("#import-dialog .problem")).to_contain_text("40005")
    page.keyboard.press("Escape")
    expect(page.locator("#import-open")).to_be_focused()


def test_a_calendar_is_read_by_its_name_and_what_left_it_is_told(open_planner: Any) -> None:
    planner = open_planner("page-import-calendar")
    page = planner.page
    monday = date.fromisoformat(planner.api("/schedule/semester")["first_monday"])
    days = [int(f"{monday + timedelta(days=5 + 7 * week):%Y%m%d}") for week in (1, 2, 3)]
    report = choose_file(planner, "课表.ICS", calendar_of(*days, name="围棋"))
    expect(report).to_contain_text("可导入 3 节课")
    expect(report).to_contain_text("第 4 行：DTSTART: 全天事件不是课程，已跳过")
    page.click("#import-dialog [data-submit]")
    expect(page.locator(".toast.success")).to_contain_text("已导入 3 节课")
    planner.open("/week")
    planner.show_week(3)
    expect(page.locator(".entry.course", has_text="围棋")).to_be_visible()
    report = choose_file(planner, "later.ics", calendar_of(*days[:2], name="围棋"))
    expect(report).to_contain_text("可导入 0 节课，重复 2 节")
    report.locator("summary", has_text="会保留").click()
    expect(report.get_by_text("围棋 周六 11-12节（第 4 周）")).to_be_visible()
    expect(page.locator("#import-dialog [data-submit]")).to_be_disabled()


def test_what_is_wrong_with_a_file_is_told_in_words(open_planner: Any) -> None:
    planner = open_planner("page-import-bad-calendar")
    choose_file(planner, "x.ics", b"no calendar")
    expect(planner.page.locator("#import-dialog .problem")).to_contain_text("不是有效的日历文件")


def test_the_timetable_is_taken_away_as_a_calendar(open_planner: Any) -> None:
    planner = open_planner("page-export")
    planner.open("/courses")
    with planner.page.expect_download() as download:
        planner.page.get_by_role("link", name="导出日历").click()
    content = Path(download.value.path()).read_bytes()
    assert download.value.suggested_filename == "smartmate.ics"
    assert content.startswith(b"BEGIN:VCALENDAR\r\n")
    assert content.count(b"BEGIN:VEVENT") > 100
