"""Screens change without a reload: what the window knew before it knows after."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.kits.page.audit import find_faults, pixels_too_wide
from tests.kits.page.clock import TODAY
from tests.kits.page.planner import Planner
from tests.kits.page.yesterday import place_yesterday

ADDRESSES = ("/tasks", "/courses", "/settings", "/today", "/week", "/chat", "/tasks")
ALIVE = "window.alive === true"
COUNTS = ("Nodes", "JSEventListeners", "Documents", "LayoutObjects")
HELD_NODES = 60
"""A toast, a line of the log: what may come and go."""


def mark(page: Page) -> None:
    """A reload would forget it."""
    page.evaluate("window.alive = true")


def visit(planner: Planner, address: str) -> None:
    planner.page.locator(f".rail a[href='{address}']:not(.brand)").click()
    planner.ready()


def fill_task(page: Page, name: str, end: str) -> None:
    page.get_by_label("名称", exact=True).fill(name)
    page.get_by_label("截止", exact=True).fill(end)
    page.get_by_label("内容，一行一项").fill("行列式\n矩阵")


@pytest.mark.parametrize("how", ["desk-zh", "phone-en"])
def test_the_rail_changes_screens_in_the_same_document(open_planner: Any, how: str) -> None:
    phone = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "locale": "en-US"}
    planner = open_planner(**(phone if how == "phone-en" else {}))
    page = planner.page
    mark(page)
    seen = []
    for address in ADDRESSES:
        visit(planner, address)
        here = page.locator(".rail [aria-current=page]")
        expect(here).to_have_attribute("href", address)
        assert page.title() == f"{here.locator('span').first.inner_text()} · SmartMate"
        assert page.locator("main").count() == 1
        if (page.url, page.title()) not in seen:
            assert find_faults(page) == []
            assert pixels_too_wide(page) <= 0
        seen.append((page.url, page.title()))
    for url, title in reversed(seen[:-1]):
        page.go_back()
        planner.ready()
        assert (page.url, page.title()) == (url, title)
    for url, title in seen[1:]:
        page.go_forward()
        planner.ready()
        assert (page.url, page.title()) == (url, title)
    assert page.evaluate(ALIVE)


def test_back_closes_a_sheet_before_it_leaves_the_screen(open_planned: Any) -> None:
    planner = open_planned(viewport={"width": 390, "height": 844}, has_touch=True)
    page = planner.page
    mark(page)
    visit(planner, "/tasks")
    visit(planner, "/week")
    week = page.url
    page.click("#review-open")
    expect(page.locator("#review")).to_be_visible()
    page.locator("#review [data-action=discard]").click()
    expect(page.locator(".ask-dialog")).to_be_visible()
    page.go_back()
    expect(page.locator(".ask-dialog")).to_have_count(0)
    expect(page.locator("#review")).to_be_visible()
    page.go_back()
    expect(page.locator("#review")).to_be_hidden()
    assert page.url == week
    block = page.locator(".entry.suggested:visible").first
    for _ in range(2):  # closed by its own button it leaves nothing to go back over
        block.click()
        expect(page.locator("#block-sheet")).to_be_visible()
        page.locator("#block-sheet header button").click()
        expect(page.locator("#block-sheet")).to_be_hidden()
    page.go_back()
    expect(page).to_have_url(re.compile("/tasks$"))
    planner.ready()
    page.go_forward()
    planner.ready()
    expect(page.locator("#week-grid")).to_be_visible()
    visit(planner, "/today")
    page.go_back()
    planner.ready()
    expect(page.locator("#week-grid")).to_be_visible()
    page.go_back()
    expect(page).to_have_url(re.compile("/tasks$"))
    assert page.evaluate(ALIVE)


def test_keys_alone_reach_a_screen_and_its_heading(open_planner: Any) -> None:
    planner = open_planner()
    page = planner.page
    mark(page)
    for address in ("/tasks", "/week", "/settings"):
        page.locator(f".rail a[href='{address}']").focus()
        page.keyboard.press("Enter")
        planner.ready()
        expect(page.locator(f".rail a[href='{address}']")).to_have_attribute("aria-current", "page")
        heading = page.get_by_role("heading", level=1)
        expect(heading).to_be_focused()
        expect(page.locator("#announced")).to_have_text(page.title().split(" · ")[0])
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('main') !== null")
    assert page.evaluate(ALIVE)


def test_a_link_that_has_the_focus_is_followed_while_its_screen_is_being_renewed(open_planner: Any) -> None:
    page = open_planner(path="/today").page
    page.evaluate("{ const now = Date.now; Date.now = () => now() + 3_600_000; }")
    held: list[Route] = []
    page.route("**/today", lambda route: held.append(route))
    page.locator(".rail a[href='/tasks']").focus()
    with page.expect_request("**/today"):
        page.evaluate("dispatchEvent(new Event('focus'))")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/tasks$"))


def test_an_undo_from_the_message_of_an_apply_changes_the_screen_that_is_shown(open_planned: Any) -> None:
    planner = open_planned("page-undone-elsewhere")
    page = planner.page
    page.click("#apply")
    expect(page.locator(".toast.asking")).to_be_visible()
    page.click(".rail a[href='/tasks']")
    placed = page.locator(".segs .placed")
    expect(placed.first).to_be_attached()
    page.get_by_role("button", name="撤销，回到草稿").click()
    expect(page.get_by_role("button", name="重新应用")).to_be_visible()
    expect(placed).to_have_count(0)
    page.get_by_role("button", name="重新应用").click()
    expect(placed.first).to_be_attached()

    page.click(".rail a[href='/settings']")
    expect(page.locator(".toast.asking")).to_be_visible()
    page.get_by_label("结束后多少小时还可以打勾").fill("20")
    page.locator("form", has=page.get_by_label("结束后多少小时还可以打勾")).get_by_role("button", name="保存").click()
    expect(page.locator(".told")).to_contain_text("已保存")
    expect(page.locator(".toast.asking")).to_have_count(0)


def test_a_form_is_refused_saved_and_undone_in_the_same_document(open_planner: Any) -> None:
    planner = open_planner("visits-form", "/tasks")
    page = planner.page
    mark(page)
    page.get_by_role("link", name="新任务").click()
    page.wait_for_url("**/tasks/new")
    planner.ready()
    page.get_by_label("开始", exact=True).fill(TODAY.isoformat())
    fill_task(page, "线性代数", (TODAY - timedelta(days=9)).isoformat())
    page.get_by_role("button", name="保存").click()
    expect(page.get_by_role("alert").first).to_be_visible()
    expect(page.get_by_label("内容，一行一项")).to_have_value("行列式\n矩阵")
    # Modules of a screen work after each change: the line of the cursor moves down.
    page.get_by_label("内容，一行一项").press("Control+Home")
    page.get_by_label("内容，一行一项").press("Alt+ArrowDown")
    expect(page.get_by_label("内容，一行一项")).to_have_value("矩阵\n行列式")
    page.get_by_label("截止", exact=True).fill((TODAY + timedelta(days=30)).isoformat())
    page.get_by_role("button", name="保存").dblclick()
    page.wait_for_url("**/tasks")
    planner.ready()
    names = [one["name"] for one in planner.api("/task-class?page_size=100")["list"]]
    assert names.count("线性代数") == 1
    expect(page.locator("#announced")).not_to_be_empty()
    expect(page.locator(".rail [aria-current=page]")).to_have_attribute("href", "/tasks")

    visit(planner, "/courses")
    courses = page.locator(".course-list > li")
    expect(courses).not_to_have_count(0)
    before = courses.count()
    courses.first.get_by_role("link").first.click()
    page.locator("main a.danger").click()
    page.locator("main button.danger").click()
    expect(courses).to_have_count(before - 1)
    page.locator(".told").get_by_role("button", name="撤销").click()
    expect(courses).to_have_count(before)
    expect(page.locator(".told")).to_contain_text("已撤销")
    assert page.evaluate(ALIVE)


def test_back_and_another_language_bring_what_was_typed(open_planner: Any) -> None:
    planner = open_planner("visits-back", "/tasks/new", viewport={"width": 1000, "height": 420})
    page = planner.page
    mark(page)
    fill_task(page, "没写完", "")
    page.evaluate("document.querySelector('main').scrollTop = 200")
    visit(planner, "/courses")
    page.go_back()
    planner.ready()
    expect(page.get_by_label("名称", exact=True)).to_have_value("没写完")
    expect(page.get_by_label("内容，一行一项")).to_have_value("行列式\n矩阵")
    assert page.evaluate("document.querySelector('main').scrollTop") == 200
    assert page.evaluate(ALIVE)
    page.locator("#language button").click()
    expect(page.locator("html")).to_have_attribute("lang", "en")
    expect(page.locator("[name=name]")).to_have_value("没写完")


def test_a_code_that_is_good_once_is_not_kept_with_what_was_typed(open_planner: Any) -> None:
    planner = open_planner("visits-code", "/tasks/new")
    page = planner.page
    page.get_by_label("名称", exact=True).fill("没写完")
    page.get_by_label("总节数").evaluate("field => { field.autocomplete = 'section-a one-time-code'; }")
    page.get_by_label("总节数").fill("704213")
    page.reload()
    planner.ready()
    expect(page.get_by_label("名称", exact=True)).to_have_value("没写完")
    expect(page.get_by_label("总节数")).to_have_value("")
    assert "704213" not in page.evaluate("JSON.stringify({...sessionStorage})")


def test_a_session_that_ended_comes_back_to_the_form_and_its_words(open_planner: Any, server: Any) -> None:
    planner = open_planner("visits-expired", "/tasks")
    page = planner.page
    page.get_by_role("link", name="新任务").click()
    page.wait_for_url("**/tasks/new")
    planner.ready()
    fill_task(page, "还没保存", (TODAY + timedelta(days=30)).isoformat())
    page.context.clear_cookies(name="sessionid")
    page.get_by_role("button", name="保存").click()
    page.wait_for_url("**/login?next=%2Ftasks%2Fnew&ended=1")
    expect(page.get_by_text("登录已过期，请重新登录")).to_be_visible()
    page.get_by_label("用户名").fill("visits-expired")
    page.get_by_label("密码").fill(server.account("visits-expired"))
    page.locator("main button").click()
    page.wait_for_url("**/tasks/new")
    expect(page.get_by_label("名称", exact=True)).to_have_value("还没保存")
    expect(page.locator(".toast")).to_contain_text("写下的还在")
    page.get_by_role("button", name="保存").click()
    expect(page.get_by_role("link", name="还没保存").first).to_be_visible()


def test_a_form_that_was_refused_or_has_grown_keeps_what_was_typed(open_planner: Any, server: Any) -> None:
    planner = open_planner("visits-refused", "/courses/new")
    page = planner.page
    page.get_by_label("课程名称").fill("离散数学")
    page.get_by_role("button", name="再加一个上课时间").click()
    second = page.get_by_role("group", name="第 2 个上课时间")
    second.get_by_label("星期").select_option("4")
    page.get_by_role("button", name="保存").last.click()
    expect(page.get_by_text("选一节。").first).to_be_visible()

    def expect_all_of_it() -> None:
        expect(page.locator("[name=name]")).to_have_value("离散数学")
        expect(page.locator("[name=m1-day]")).to_have_value("4")

    visit(planner, "/courses")
    page.go_back()
    planner.ready()
    expect_all_of_it()
    page.reload()
    expect(page.locator(".toast")).to_contain_text("写下的还在")
    expect_all_of_it()
    page.locator("#language button").click()
    expect(page.locator("html")).to_have_attribute("lang", "en")
    expect_all_of_it()
    page.locator("[name=m1-first]").select_option("3")
    page.locator("main button.primary").click()
    expect(page.get_by_text("Choose a period.")).to_be_visible()
    page.context.clear_cookies(name="sessionid")
    page.locator("main button.primary").click()
    page.wait_for_url("**/login?next=*&ended=1")
    page.locator("[name=login], [name=username]").fill("visits-refused")
    page.locator("[type=password]").fill(server.account("visits-refused"))
    page.locator("main button").click()
    page.wait_for_url("**/courses/new?rows=2")
    expect_all_of_it()
    expect(page.locator("[name=m1-first]")).to_have_value("3")


def test_what_was_typed_below_a_message_that_can_be_undone_stays_in_its_form(open_planner: Any) -> None:
    planner = open_planner("visits-below", "/courses/new?next=/welcome/tasks")
    page = planner.page
    page.get_by_label("课程名称").fill("写作")
    page.locator("[name=m0-day]").select_option("6")
    page.locator("[name=m0-first]").select_option("1")
    page.locator("[name=m0-last]").select_option("2")
    page.locator("main button.primary").click()
    expect(page.locator(".told").get_by_role("button", name="撤销")).to_be_visible()
    page.get_by_label("名称").fill("期中复习")
    page.locator("#language button").click()
    expect(page.locator("html")).to_have_attribute("lang", "en")
    expect(page.get_by_label("Name")).to_have_value("期中复习")


def test_a_saved_form_is_not_brought_back_and_a_turned_switch_is_no_unsaved_word(open_planner: Any) -> None:
    planner = open_planner("visits-saved", "/settings")
    page = planner.page
    with page.expect_response("**/account/settings"):
        page.get_by_label("减少动画").check()
    page.get_by_label("结束后多少小时还可以打勾").fill("12")
    page.locator("form.controls").get_by_role("button", name="保存").click()
    expect(page.locator(".told")).to_contain_text("已保存")
    page.reload()
    planner.ready()
    expect(page.get_by_label("结束后多少小时还可以打勾")).to_have_value("12")
    expect(page.locator(".toast")).to_have_count(0)


def test_a_moment_is_written_as_the_page_writes_dates(open_planner: Any) -> None:
    page = open_planner("visits-moments", "/settings").page
    moment = page.locator("time").first
    expect(moment).to_have_text(re.compile(r"^\d+ 月 \d+ 日 周. \d\d:\d\d$"))


def test_a_link_to_a_field_gives_it_the_focus(open_planner: Any) -> None:
    planner = open_planner("visits-field", "/tasks")
    page = planner.page
    past = {"start_date": (TODAY - timedelta(days=9)).isoformat(), "end_date": (TODAY - timedelta(days=2)).isoformat()}
    planner.send("POST", "/task-class", {"name": "过了", "items": [{"order": 1, "content": "没写完的"}], **past})
    page.reload()
    page.get_by_role("link", name="改截止 过了").click()
    expect(page.locator("#id_end_date")).to_be_focused()


def test_a_link_to_a_part_of_a_screen_shows_that_part(open_planner: Any) -> None:
    planner = open_planner("visits-parts", "/courses", viewport={"width": 390, "height": 844})
    page = planner.page
    page.get_by_role("link", name="订阅").click()
    expect(page).to_have_url(f"{planner.base_url}/settings#feed")
    heading = page.get_by_role("heading", name="日历订阅")
    expect(heading).to_be_focused()
    expect(heading).to_be_in_viewport()


def test_the_focus_goes_to_the_heading_where_what_was_pressed_is_folded_away(open_planner: Any) -> None:
    page = open_planner("visit-folded", path="/settings").page
    page.get_by_text("导入以前下载的数据").click()
    wrong = {"name": "x.json", "mimeType": "application/json", "buffer": b"{}"}
    page.locator("form[action='/settings/archive'] input[type=file]").set_input_files(wrong)
    page.locator("form[action='/settings/archive'] button").press("Enter")
    expect(page.locator(".told")).to_contain_text("没有导入：不是 SmartMate 的归档")
    expect(page.get_by_role("heading", level=1)).to_be_focused()


@pytest.mark.parametrize(
    ("width", "path", "links"),
    [(1280, "/week", ["跳到课表", "跳到助手"]), (390, "/week", ["跳到课表"]), (390, "/chat", ["跳到助手"])],
)
def test_the_first_links_of_week_and_assistant_lead_to_what_is_shown(
    open_planner: Any, width: int, path: str, links: list[str]
) -> None:
    page = open_planner("visit-skips", path="/tasks", viewport={"width": width, "height": 800}).page
    page.goto(page.url.replace("/tasks", path))
    page.wait_for_selector("html[data-ready]")
    shown = page.locator(".skip:visible")
    expect(shown).to_have_text(links)
    for link, place in {"跳到课表": "#week-grid", "跳到助手": "#message"}.items():
        if link in links:
            shown.filter(has_text=link).press("Enter")
            expect(page.locator(f"{place}:focus, {place} :focus")).to_have_count(1)
    page.locator(".rail a[href='/tasks']").click()
    expect(page.locator(".skip")).to_have_text(["跳到正文"])
    page.locator(f".rail a[href='{path}']").click()
    expect(page.locator(".skip:visible")).to_have_text(links)


def test_the_focus_stays_on_the_mark_that_was_pressed(open_planner: Any) -> None:
    planner = open_planner("visits-marks", "/today")
    place_yesterday(planner)
    page = planner.page
    page.get_by_role("link", name="前一天").click()
    missed = page.get_by_role("button", name="没做").first
    missed.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".told")).to_contain_text("已记下：没做")
    expect(page.get_by_role("button", name="没做").first).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".told")).to_contain_text("标记已取消")


def test_a_deleted_account_is_told_and_no_ended_session(open_planner: Any, server: Any) -> None:
    page = open_planner("page-deleted", path="/settings/account/delete").page
    page.get_by_label("密码").fill(server.account("page-deleted"))
    page.get_by_role("button", name="永远删除").click()
    expect(page.locator("main")).to_contain_text("账号和其中的一切都已删除")
    expect(page.locator("main")).not_to_contain_text("登录已过期")
    assert "next=" not in page.url


def test_what_could_not_be_asked_is_told_and_nothing_is_lost(open_planner: Any) -> None:
    planner = open_planner("visits-trouble", "/tasks/new")
    page = planner.page
    mark(page)
    fill_task(page, "留着", (TODAY + timedelta(days=30)).isoformat())
    page.context.set_offline(True)
    page.get_by_role("button", name="保存").click()
    expect(page.locator(".toast.error").last).to_contain_text("还没有保存")
    page.locator(".rail a[href='/courses']").click()
    expect(page.locator(".toast.error").last).to_contain_text("这一页打不开")
    page.context.set_offline(False)
    page.route("**/courses", lambda route: route.fulfill(status=503, body="", content_type="text/plain"), times=1)
    page.locator(".rail a[href='/courses']").click()
    expect(page.locator(".toast.error").last).to_contain_text("服务器出错了")
    page.evaluate("document.querySelectorAll('.toast').forEach(node => node.remove())")
    visit(planner, "/today")
    visit(planner, "/settings")
    page.route("**/today", lambda route: route.abort(), times=1)
    page.go_back()
    expect(page.locator(".toast.error")).to_contain_text("这一页打不开")
    expect(page).to_have_url(f"{planner.base_url}/settings")
    for address in ("/today", "/tasks/new"):
        page.go_back()
        expect(page).to_have_url(planner.base_url + address)
        planner.ready()
    expect(page.get_by_label("名称", exact=True)).to_have_value("留着")
    expect(page.locator(".rail [aria-current=page]")).to_have_attribute("href", "/tasks")
    page.get_by_role("button", name="保存").click()
    expect(page.get_by_role("link", name="留着").first).to_be_visible()
    visit(planner, "/courses")
    with page.expect_download():
        page.locator("#export").click()
    assert page.evaluate(ALIVE)


def test_a_run_goes_on_while_another_screen_is_shown(open_planned: Any) -> None:
    planner = open_planned("visits-run")
    page = planner.page
    conversation = planner.conversation
    mark(page)
    held: list[Route] = []
    page.route("**/api/v1/agent/chat", lambda route: held.append(route), times=1)
    page.fill("#message", "看看这周有哪些空闲")
    with page.expect_request("**/api/v1/agent/chat"):
        page.click("#send")
    before = page.locator(".block").count()
    visit(planner, "/tasks")
    assert page.locator("#timeline").count() == 0
    with page.expect_response("**/agent/chat"):
        held[0].continue_()
    page.wait_for_timeout(500)
    name = "开着助手时加的"
    days = {"start_date": TODAY.isoformat(), "end_date": (TODAY + timedelta(days=30)).isoformat()}
    planner.send(
        "POST", "/task-class", {"name": name, "mode": "auto", **days, "items": [{"order": 1, "content": "一"}]}
    )
    page.locator(".rail a[href='/week']:not(.brand)").click()
    planner.ready()
    assert f"conversation={conversation}" in page.url
    assert page.url.split("?")[0].rsplit("/", 2)[1] == "week"
    expect(page.locator("#timeline")).to_have_attribute("aria-busy", "false")
    assert page.locator(".block").count() > before
    expect(page.locator(".block.user").last).to_contain_text("看看这周有哪些空闲")
    expect(page.locator(".entry.suggested").first).to_be_visible()
    expect(page.locator("#class-list")).to_contain_text(name)
    assert page.evaluate(ALIVE)


def test_a_link_of_another_screen_brings_its_words_to_the_assistant(open_planner: Any) -> None:
    planner = open_planner("visits-wishes", "/week/4")
    page = planner.page
    mark(page)
    visit(planner, "/settings")
    with page.expect_response("**/account/settings") as saved:
        page.get_by_label("深入思考").check()
    assert saved.value.json()["data"]["thinking"] is True
    visit(planner, "/tasks")
    page.get_by_role("link", name="新任务").click()
    page.wait_for_url("**/tasks/new")
    planner.ready()
    page.get_by_label("名称", exact=True).fill("线性代数")
    page.get_by_label("内容，一行一项").fill("行列式\n矩阵")
    page.get_by_role("button", name="保存").click()
    page.wait_for_url("**/tasks")
    planner.ready()
    page.get_by_role("link", name="安排剩下的").first.click()
    planner.ready()
    expect(page.locator("#message")).to_have_value("帮我把选中的任务排好")
    expect(page.locator("#class-list input:checked")).to_have_count(1)
    expect(page.locator("#thinking")).to_be_checked()
    page.go_back()
    planner.ready()
    expect(page).to_have_url(f"{planner.base_url}/tasks")
    assert page.evaluate(ALIVE)


def test_a_switch_that_cannot_be_saved_goes_back_and_says_so(open_planner: Any) -> None:
    planner = open_planner("visits-switch", "/settings")
    page = planner.page
    switch = page.get_by_label("改动不再逐项确认")
    page.context.set_offline(True)
    switch.focus()
    page.keyboard.press("Space")
    expect(page.locator(".toast.error")).to_contain_text("还没有保存")
    expect(switch).not_to_be_checked()
    page.context.set_offline(False)
    with page.expect_response("**/account/settings"):
        switch.check()
    page.reload()
    planner.ready()
    expect(page.get_by_label("改动不再逐项确认")).to_be_checked()
    visit(planner, "/chat")
    expect(page.locator("#always-execute")).to_be_checked()


def test_keys_of_one_character_can_be_switched_off(open_planner: Any) -> None:
    planner = open_planner("visits-typed-keys", "/week")
    page = planner.page
    page.locator("#week-grid").press("?")
    expect(page.locator("#help")).to_be_visible()
    page.keyboard.press("Escape")
    visit(planner, "/settings")
    with page.expect_response("**/account/settings"):
        page.get_by_label("周课表里的单键快捷键").uncheck()
    visit(planner, "/week")
    page.locator("#week-grid").press("?")
    expect(page.locator("#help")).to_be_hidden()
    page.keyboard.press("PageDown")
    expect(page.locator(".week-tab[aria-current=true]")).not_to_have_attribute("data-week", "1")


def test_twenty_changes_of_screens_leave_nothing_behind(open_planner: Any) -> None:
    planner = open_planner()
    page = planner.page
    line = page.context.new_cdp_session(page)
    line.send("Performance.enable")

    def counts() -> dict[str, int]:
        page.evaluate("document.querySelectorAll('.toast').forEach(node => node.remove())")
        line.send("HeapProfiler.collectGarbage")
        line.send("HeapProfiler.collectGarbage")
        found = {row["name"]: int(row["value"]) for row in line.send("Performance.getMetrics")["metrics"]}
        return {name: found[name] for name in (*COUNTS, "JSHeapUsedSize")}

    for address in ADDRESSES:
        visit(planner, address)
    before = counts()
    for address in ADDRESSES[1:] * 4:
        visit(planner, address)
    after = counts()
    assert after["JSEventListeners"] <= before["JSEventListeners"] + 5, (before, after)
    assert after["Nodes"] <= before["Nodes"] + HELD_NODES, (before, after)
    assert after["Documents"] <= before["Documents"] + 1, (before, after)
    assert after["JSHeapUsedSize"] <= before["JSHeapUsedSize"] + 2_000_000, (before, after)


def test_a_task_that_two_windows_change_keeps_what_both_wrote(open_planner: Any) -> None:
    planner = open_planner("visits-two-windows", "/tasks/new")
    page = planner.page
    fill_task(page, "二人共写", (TODAY + timedelta(days=30)).isoformat())
    page.get_by_role("button", name="保存").click()
    page.get_by_role("link", name="二人共写").first.click()
    page.wait_for_url(re.compile(r"/tasks/\d+$"))
    planner.ready()
    lines = page.get_by_label("内容，一行一项")
    other = page.context.new_page()
    other.goto(page.url)
    other.get_by_label("内容，一行一项").fill("行列式\n矩阵\n特征值")
    other.get_by_role("button", name="保存").click()
    other.wait_for_url("**/tasks")
    page.get_by_label("名称", exact=True).fill("二人合写")
    address = page.url
    page.get_by_role("button", name="保存").click()
    expect(page.get_by_role("link", name="二人合写").first).to_be_visible()
    other.goto(address)
    expect(other.get_by_label("内容，一行一项")).to_have_value("行列式\n矩阵\n特征值")
    page.goto(address)
    expect(lines).to_have_value("行列式\n矩阵\n特征值")
    other.get_by_label("内容，一行一项").fill("行列式\n矩阵\n特征值\n向量")
    other.get_by_role("button", name="保存").click()
    other.wait_for_url("**/tasks")
    lines.fill("行列式\n矩阵\n二次型")
    page.get_by_role("button", name="保存").click()
    expect(page.locator(".of-items .error")).to_contain_text("刚刚在别处改成：行列式、矩阵、特征值、向量")
    expect(lines).to_have_value("行列式\n矩阵\n二次型")
    assert find_faults(page) == []
    page.get_by_role("button", name="保存").click()
    page.wait_for_url("**/tasks")
    other.goto(address)
    expect(other.get_by_label("内容，一行一项")).to_have_value("行列式\n矩阵\n二次型")
    other.close()
