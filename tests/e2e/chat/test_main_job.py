"""The main job in the page, in a real browser over a real server."""

from __future__ import annotations

import re
from datetime import date, timedelta
from typing import Any

from playwright.sync_api import Route, expect

from tests.kits.page.audit import find_faults
from tests.kits.page.places import entry_now, other_places, place_of, plan_all
from tests.kits.page.planner import Planner


def test_it_does_the_main_job_and_a_reload_draws_the_same(open_planner: Any) -> None:
    planner = open_planner("page-main")
    page = planner.page
    plan_all(planner)
    kinds = planner.kinds()
    assert kinds[0] == "user"
    assert kinds.index("tool") < kinds.index("schedule")
    expect(page.locator(".entry.suggested").first).to_be_visible()
    expect(page.locator(".entry.course").first).to_be_visible()

    entry, place = other_places(planner)[0]
    planner.drag(entry, place)
    planner.saved()
    saved = next(e for e in planner.preview()["hybrid_entries"] if e["task_item_id"] == entry["task_item_id"])
    assert {key: saved[key] for key in place} == place

    page.click("#apply")
    expect(page.locator(".toast.success", has_text="已应用到课表")).to_be_visible()
    assert not [e for e in planner.preview()["hybrid_entries"] if e["status"] == "suggested"]
    expect(page.locator("#apply")).to_be_disabled()
    planner.show_week(place["week"])
    expect(page.locator(".entry.applied", has_text=entry["name"]).first).to_be_visible()

    page.click("#undo")
    expect(page.locator(".toast.success", has_text="已撤销")).to_be_visible()
    expect(page.locator(".entry.applied")).to_have_count(0)
    expect(page.locator(".entry.suggested").first).to_be_visible()  # the draft is back

    before, preview = planner.blocks(), planner.preview()
    page.reload()
    planner.ready()
    assert planner.blocks() == before
    assert planner.preview() == preview
    expect(page.locator(".entry.suggested").first).to_be_visible()


def test_a_move_is_refused_with_words_and_another_one_confirmed_after_a_reload(open_planned: Any) -> None:
    planner = open_planned("page-confirm")
    page = planner.page
    entry, place = other_places(planner)[0]
    ask_to_move(planner, entry, place)
    page.locator(".ask.open .comment").fill("不用换了，<b>就这样</b>")
    expect(page.locator(".ask.open [data-action=approve]")).to_be_disabled()  # it would leave the words out
    expect(page.locator(".ask.open [data-action=reject]")).to_have_text("发送这句话")
    with planner.running():
        page.locator(".ask.open .comment").press("Enter")
    expect(page.locator(".ask.closed").first).to_contain_text("已拒绝：不用换了，<b>就这样</b>")
    assert place_of(entry_now(planner, entry)) == place_of(entry)

    ask_to_move(planner, entry, place)
    page.reload()
    planner.ready()
    expect(page.locator(".ask.open")).to_have_count(1)
    with planner.running():
        page.locator(".ask.open [data-action=approve]").click()
    expect(page.locator(".ask.open")).to_have_count(0)
    expect(page.locator(".ask.closed").last).to_contain_text("已确认")
    assert place_of(entry_now(planner, entry)) == place


def test_a_question_is_answered_by_one_of_its_options(open_planner: Any) -> None:
    planner = open_planner("page-option")
    page = planner.page
    planner.say("帮我排课")
    option = page.locator(".ask.open [data-option]").first
    words = option.inner_text()
    with planner.running():
        option.click()
    expect(page.locator(".ask.closed").first).to_contain_text(f"已回答：{words}")


def test_a_place_out_of_several_is_taken_by_its_button(open_planned: Any) -> None:
    planner = open_planned("page-places")
    page = planner.page
    entry, _ = other_places(planner)[0]
    planner.say(f"把「{entry['name']}」挪个时间")
    place = page.locator(".ask.open [data-option]").last
    words = place.inner_text()
    with planner.running():
        place.click()
    expect(page.locator(".ask.closed").first).to_contain_text(f"已回答：{words}")
    with planner.running():
        page.locator(".ask.open [data-action=approve]").click()
    moved = next(e for e in planner.preview()["hybrid_entries"] if e["task_item_id"] == entry["task_item_id"])
    assert place_of(moved) != place_of(entry)


def ask_to_move(planner: Planner, entry: dict[str, Any], place: dict[str, Any]) -> None:
    weekday = "一二三四五六日"[place["day_of_week"] - 1]
    sections = f"{place['section_from']}-{place['section_to']}节"
    planner.say(f"把「{entry['name']}」移到第{place['week']}周周{weekday}{sections}")
    expect(planner.page.locator(".ask.open")).to_have_count(1)


def test_a_cut_stream_is_picked_up_where_it_ended(open_planner: Any) -> None:
    planner = open_planner("page-cut")
    page = planner.page

    def cut(route: Route) -> None:
        response = route.fetch()
        text = response.text()
        route.fulfill(response=response, body=text[: len(text) // 2])

    page.route("**/api/v1/agent/chat", cut)
    with page.expect_request("**/agent/runs/*/stream") as again:
        plan_all(planner)
    assert int(again.value.headers["last-event-id"]) > 0
    before = planner.blocks()
    assert planner.kinds()[-1] == "schedule"
    page.reload()
    planner.ready()
    assert planner.blocks() == before


def test_a_phone_shows_everything_without_scrolling_sideways(open_planned: Any) -> None:
    planner = open_planned(viewport={"width": 390, "height": 844}, has_touch=True)
    width = planner.page.evaluate("document.documentElement.scrollWidth")
    assert width <= 390
    expect(planner.page.locator("#apply")).to_be_enabled()


def test_a_class_made_by_words_is_asked_about_listed_and_planned(open_planner: Any) -> None:
    planner = open_planner("page-class")
    page = planner.page
    today = planner.api("/schedule/today")["date"]
    first, last = (date.fromisoformat(today) + timedelta(days=days) for days in (3, 31))
    planner.say(
        f"新建任务类「线性代数复习」，{first.month}月{first.day}日到{last.month}月{last.day}日，共12节，均匀分布，周日不排，"
        "内容：行列式、矩阵、向量组、线性方程组、特征值、二次型，建好后排进课表"
    )
    expect(page.locator(".ask.open")).to_contain_text("线性代数复习")
    expect(page.locator(".ask.open .changes")).to_have_count(0)
    with planner.running():
        page.locator(".ask.open [data-action=approve]").click()
    expect(page.locator("#class-list")).to_contain_text("线性代数复习")
    names = {e["name"] for e in planner.preview()["hybrid_entries"] if e["status"] == "suggested"}
    assert names == {"行列式", "矩阵", "向量组", "线性方程组", "特征值", "二次型"}


def test_the_keyboard_moves_a_suggestion_and_escape_gives_it_back(open_planned: Any) -> None:
    planner = open_planned()
    page = planner.page
    entry, _ = other_places(planner)[0]
    planner.show_week(entry["week"])
    block = page.locator(f".entry[data-item='{entry['task_item_id']}']")
    block.focus()
    page.keyboard.press("m")
    page.keyboard.press("ArrowDown")
    expect(page.locator("#in-hand")).to_contain_text(re.compile(rf"{entry['name']} → \d+ 月 \d+ 日 周. \d\d:\d\d–"))
    page.keyboard.press("Escape")
    expect(page.locator("#save")).to_be_disabled()
    expect(block).to_be_focused()


def test_the_language_switches_and_data_is_never_markup(open_planner: Any) -> None:
    planner = open_planner("page-language")
    page = planner.page
    planner.say("<img src=x onerror=document.title='broken'> **你好**")
    expect(page.locator(".block.user .bubble")).to_have_text("<img src=x onerror=document.title='broken'> **你好**")
    assert page.locator("#timeline img").count() == 0
    page.click("#language button")
    planner.ready()
    expect(page.locator("html")).to_have_attribute("lang", "en")
    expect(page.locator("#apply")).to_have_text("Apply")
    expect(page.locator(".block.user .bubble")).to_be_visible()
    assert page.title() != "broken"


def test_the_doors_are_one_document_and_a_wrong_password_is_told(browser: Any, server: Any) -> None:
    page = browser.new_context(locale="zh-CN").new_page()
    planner = Planner(page, server.base_url)
    page.goto(server.base_url)
    page.evaluate("window.alive = true")
    planner.write(page.get_by_label("用户名"), "nobody")
    for link, heading in (("注册", "注册"), ("已有账号，去登录", "登录"), ("忘记密码", "找回密码")):
        page.get_by_role("link", name=link).click()
        expect(page.get_by_role("heading", level=1)).to_have_text(heading)
        assert find_faults(page) == []
    page.go_back()
    page.go_back()
    page.go_back()
    expect(page.get_by_label("用户名")).to_have_value("nobody")
    planner.write(page.get_by_label("密码"), "wrong")
    page.locator("main button").first.click()
    expect(page.get_by_role("alert")).to_contain_text("用户名或密码不正确")
    assert page.evaluate("window.alive")
    answer = page.request.get(f"{server.base_url}/")
    assert answer.url.endswith("/login?next=/week")
    assert "default-src 'self'" in answer.headers["content-security-policy"]
    page.context.close()
