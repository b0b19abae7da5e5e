"""Courses come into the timetable from a file, dropped or chosen, after the student saw what it holds."""

from __future__ import annotations

import re
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.kits.page.imports import choose, copy_page, course, document, drop, paste_copied
from tests.kits.timetable.terms import FILES


def calendar_of(*days: int, name: str) -> bytes:
    """A lesson in sections 11 and 12 on each of the days of the shown term, and a holiday."""
    lessons = "".join(
        f"BEGIN:VEVENT\r\nSUMMARY:{name}\r\nDTSTART:{day}T205000\r\nDTEND:{day}T223000\r\nEND:VEVENT\r\n"
        for day in days
    )
    holiday = "BEGIN:VEVENT\r\nSUMMARY:假\r\nDTSTART;VALUE=DATE:20300101\r\nEND:VEVENT\r\n"
    return f"BEGIN:VCALENDAR\r\nVERSION:2.0\r\n{lessons}{holiday}END:VCALENDAR\r\n".encode()


def test_a_file_is_dropped_mended_written_and_undone(enter: Any) -> None:
    planner = enter("page-import")
    page = planner.page
    weeks_over = course("坏行", start_week=19, end_week=22, day_of_week=7)
    drop(planner, "drop", "courses.json", "application/json", document(course("<b>书法</b>"), weeks_over))
    found = page.get_by_role("region", name="会导入的")
    expect(found).to_contain_text("可导入 4 节课")
    expect(found).to_contain_text("有问题 1 行")
    page.get_by_role("button", name="导入 4 节课").click()
    expect(page.get_by_role("alert").first).to_contain_text("40019")
    assert "书法" not in str(planner.api("/schedule/week?week=3"))
    found.get_by_role("checkbox", name="20").first.check()
    page.get_by_role("button", name="按现在勾选的再看一遍").click()
    page.get_by_role("button", name="导入 6 节课").click()
    expect(page.get_by_text("已导入 6 节课")).to_be_visible()
    assert "<b>书法</b>" in str(planner.api("/schedule/week?week=3"))
    page.get_by_role("button", name="撤销").click()
    expect(page.get_by_text("已撤销")).to_be_visible()
    assert "书法" not in str(planner.api("/schedule/week?week=3"))


def test_what_a_look_brought_has_the_focus_and_is_in_view(enter: Any) -> None:
    """Who works with keys or a screen reader is told of the rows before what writes them."""
    planner = enter("page-import-keys", viewport={"width": 390, "height": 640})
    page = planner.page
    planner.open("/courses/import")
    page.get_by_label("或者粘贴课表").fill("课程名称,星期,节次,周次\n书法,周日,11-12,1-4\n坏行,周九,1-2,1-4\n")
    page.get_by_role("button", name="看看会导入什么").press("Enter")
    found = page.get_by_role("heading", name="会导入的")
    for again in (False, True):
        expect(found).to_be_focused()
        expect(found).to_be_in_viewport()
        expect(found).to_have_accessible_description(re.compile("可导入 4 节课.*有问题 1 行"))
        if not again:
            page.get_by_role("button", name="按现在勾选的再看一遍").press("Enter")
            page.wait_for_load_state("networkidle")
    page.get_by_role("button", name="导入 4 节课").press("Enter")
    expect(page.get_by_role("alert").first).to_be_focused()


def test_rows_with_problems_are_skipped_on_request_and_shown_in_the_week(enter: Any) -> None:
    planner = enter("page-import-rows")
    page = planner.page
    choose(planner, "courses.json", document(course("<b>书法</b>"), course("坏行", day_of_week=9)))
    page.get_by_label("跳过有问题的行").check()
    page.get_by_role("button", name="导入 4 节课").click()
    expect(page.get_by_text("已导入 4 节课")).to_be_visible()
    planner.open("/week")
    planner.show_week(3)
    expect(page.locator(".entry.course", has_text="<b>书法</b>")).to_be_visible()


def test_what_cannot_be_read_is_told_in_words(enter: Any) -> None:
    planner = enter("page-import-bad")
    alert = planner.page.get_by_role("alert")
    choose(planner, "x.json", b"not json")
    expect(alert).to_contain_text("不是有效的 JSON 文件")
    choose(planner, "x.ics", b"no calendar")
    expect(alert).to_contain_text("不是有效的日历文件")
    picture = b"\x89PNG\r\n\x1a\n" + bytes(20)
    drop(planner, "paste", "image.png", "image/png", picture)
    expect(alert).to_contain_text("40085")


def test_a_calendar_is_read_by_its_name_and_what_left_it_is_told(enter: Any) -> None:
    planner = enter("page-import-calendar")
    page = planner.page
    monday = date.fromisoformat(planner.api("/schedule/semester")["first_monday"])
    days = [int(f"{monday + timedelta(days=5 + 7 * week):%Y%m%d}") for week in (1, 2, 3)]
    choose(planner, "课表.ICS", calendar_of(*days, name="围棋"))
    expect(page.get_by_text("全天事件不是课程，已跳过")).to_be_visible()
    page.get_by_role("button", name="导入 3 节课").click()
    expect(page.get_by_text("已导入 3 节课")).to_be_visible()
    choose(planner, "later.ics", calendar_of(*days[:2], name="围棋"))
    found = page.get_by_role("region", name="会导入的")
    expect(found).to_contain_text("去掉 1 节")
    expect(found).to_contain_text("已有 2 节")
    expect(found.get_by_role("listitem").filter(has_text="围棋")).to_contain_text("文件里没有了")
    found.get_by_role("radio", name="只添加").check()
    page.get_by_role("button", name="按现在勾选的再看一遍").click()
    expect(found).to_contain_text("可导入 0 节课")
    found.locator("summary", has_text="会保留").click()
    kept = found.locator("details").get_by_role("listitem")
    expect(kept.filter(has_text="围棋")).to_be_visible()


def test_the_timetable_is_taken_away_as_a_calendar(open_planner: Any) -> None:
    planner = open_planner(path="/courses")
    with planner.page.expect_download() as download:
        planner.page.get_by_role("link", name="导出日历").click()
    content = Path(download.value.path()).read_bytes()
    assert download.value.suggested_filename == "smartmate.ics"
    assert content.startswith(b"BEGIN:VCALENDAR\r\n")
    assert content.count(b"BEGIN:VEVENT") > 100


def test_a_newer_file_replaces_the_earlier_one_and_is_undone(enter: Any) -> None:
    planner = enter("page-import-newer")
    page = planner.page
    choose(planner, "old.json", document(course("围棋"), course("书法", day_of_week=7)))
    page.get_by_role("button", name="导入 8 节课").click()
    expect(page.get_by_text("已导入 8 节课")).to_be_visible()
    choose(planner, "newer.json", document(course("围棋", day_of_week=7), course("篆刻")))
    found = page.get_by_role("region", name="会导入的")
    expect(found).to_contain_text("新增 4 节")
    expect(found.get_by_role("listitem").filter(has_text="围棋")).to_contain_text("周六 11-12节 → 1-4周 周日 11-12节")
    expect(found.get_by_role("listitem").filter(has_text="书法")).to_contain_text("文件里没有了")
    expect(found.get_by_role("radio", name="按这个文件替换")).to_be_checked()
    page.get_by_role("button", name="按这个文件更新课表").click()
    expect(page.get_by_text("新增 4 节，改 4 节，去掉 4 节")).to_be_visible()
    week = str(planner.api("/schedule/week?week=3"))
    assert ("书法" in week, week.count("'name': '围棋'"), week.count("'name': '篆刻'")) == (False, 1, 1)
    page.get_by_role("button", name="撤销").click()
    expect(page.get_by_text("已撤销")).to_be_visible()
    week = str(planner.api("/schedule/week?week=3"))
    assert ("书法" in week, "篆刻" in week) == (True, False)


COPIED = {
    "高等数学": "1-16周 周一 1-2节",
    "大学英语": "1-15周 单周 周二 3-4节",
    "大学物理": "1-8、10、12、14、16周 周三 5-6节",
    "线性代数": "1-8周 周四 1-2节",
    "概率论": "9-16周 周四 1-2节",
    "体育": "2-16周 周五 7-8节",
    "形势与政策": "7周 周一 9-11节",
}


@pytest.mark.parametrize("system", ["zhengfang_old", "zhengfang_new", "qiangzhi", "kingosoft_grid"])
def test_the_timetable_of_a_school_system_is_copied_and_pasted(enter: Any, system: str) -> None:
    planner = enter("page-import-copied")
    page = planner.page
    copy_page(planner, (FILES / f"{system}.html").read_text())
    planner.open("/courses/import")
    paste_copied(planner)
    page.get_by_role("button", name="看看会导入什么").click()
    found = page.get_by_role("region", name="会导入的")
    for name, when in COPIED.items():
        expect(found.get_by_role("row").filter(has_text=when)).to_contain_text(name)
    page.get_by_label("或者粘贴课表").fill("节次\t周五\t周六\t周日\n11-12\t\t书法 1-4周\t")
    page.get_by_role("button", name="按现在勾选的再看一遍").click()
    expect(found).to_contain_text("可导入 4 节课")
    expect(found).not_to_contain_text("大学物理")
    page.get_by_role("button", name="导入 4 节课").click()
    expect(page.get_by_text("已导入 4 节课")).to_be_visible()
    page.get_by_role("button", name="撤销").click()
    expect(page.get_by_text("已撤销")).to_be_visible()
