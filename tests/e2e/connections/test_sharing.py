"""One account in two tabs, over bad lines, after the end of its session."""

from __future__ import annotations

import re
from datetime import date, timedelta
from typing import Any

from playwright.sync_api import Route, expect

from tests.kits.page.places import moves_apart, place_of
from tests.kits.page.planner import Planner


def second_tab(planner: Planner) -> Planner:
    """The same conversation beside the first tab; it is told of nothing."""
    page = planner.page.context.new_page()
    page.goto(planner.page.url)
    other = Planner(page, planner.base_url)
    other.ready()
    return other


def test_a_tab_that_comes_back_shows_what_another_did_and_does_not_undo_it_twice(open_planned: Any) -> None:
    planner = open_planned("page-tabs")
    other = second_tab(planner).page
    planner.page.click("#apply")
    expect(planner.page.locator(".toast.success")).to_be_visible()
    planner.say("看看这周有哪些空闲")
    other.evaluate("window.dispatchEvent(new Event('focus'))")
    expect(other.locator("#apply")).to_be_disabled()
    expect(other.locator("#undo")).to_be_enabled()
    expect(other.locator(".block.user").last).to_contain_text("看看这周有哪些空闲")

    planner.page.click("#undo")
    expect(planner.page.locator(".toast.success", has_text="已撤销")).to_be_visible()
    other.click("#undo")  # it was told of nothing
    expect(other.locator(".toast.error")).to_contain_text("40077")
    expect(other.locator("#undo")).to_be_disabled()
    expect(other.locator("#draft-count")).to_be_visible()
    expect(other.get_by_role("link", name=re.compile(r"^周课表 草稿 · \d+ 处改动$"))).to_be_visible()


def test_a_draft_that_changed_elsewhere_is_saved_at_the_second_try(open_planned: Any) -> None:
    planner = open_planned("page-stale")
    other = second_tab(planner)
    (first, place), (second, second_place) = moves_apart(planner)
    planner.drag(first, place)
    planner.saved()
    other.drag(second, second_place)
    expect(other.page.locator(".toast.error small").last).to_contain_text("40071")
    expect(other.page.locator(".toast.error span")).to_have_text("草稿刚刚在别处改过，现在显示的是最新的，请再试一次")
    expect(other.page.locator("#plan-summary")).to_contain_text("1 处改动还没保存")
    other.page.click("#save")
    other.saved()
    saved = {entry["task_item_id"]: place_of(entry) for entry in planner.preview()["hybrid_entries"]}
    assert (saved[first["task_item_id"]], saved[second["task_item_id"]]) == (place, second_place)


def test_an_apply_over_a_day_off_tells_which_step_and_why(open_planned: Any) -> None:
    planner = open_planned("page-closed-day")
    row = next(row for row in planner.preview()["hybrid_entries"] if row["status"] == "suggested")
    first = date.fromisoformat(planner.api("/schedule/semester")["first_monday"])
    day = (first + timedelta(days=7 * (row["week"] - 1) + row["day_of_week"] - 1)).isoformat()
    holiday = {"kind": "holiday", "name": "出游", "first_date": day, "last_date": day, "study_allowed": False}
    planner.send("POST", "/schedule/exceptions", {"exceptions": [holiday]})
    planner.page.click("#apply")
    told = planner.page.locator(".toast.error")
    expect(told).to_contain_text("40073")
    expect(told.locator("small", has_text=row["name"]).first).to_contain_text("那天放假，不安排学习")


def test_a_card_answered_in_another_tab_takes_no_other_answer(open_planner: Any) -> None:
    planner = open_planner("page-answered")
    planner.say("新建任务类「阅读」，下周一到下周日，共4节，内容：第一章、第二章")
    other = second_tab(planner)
    with planner.running():
        planner.page.locator(".ask.open [data-action=approve]").click()
    other.page.locator(".ask.open [data-action=reject]").click()
    expect(other.page.locator(".toast.error")).to_contain_text("40074")
    expect(other.page.locator(".ask.open")).to_have_count(0)
    expect(other.page.locator(".ask.closed")).to_contain_text("已确认")
    assert other.blocks() == planner.blocks()


def test_a_page_left_open_over_night_knows_the_new_day(open_planner: Any) -> None:
    planner = open_planner()
    page = planner.page
    today = planner.api("/schedule/semester")["today"]
    tomorrow = {"week": today["week"], "day_of_week": today["day_of_week"] % 7 + 1}
    shown = page.locator(".day-head")
    assert shown.nth(today["day_of_week"] - 1).get_attribute("class") == "day-head today"

    def after_midnight(route: Route) -> None:
        answer = route.fetch()
        body = answer.json()
        body["data"]["today"] = tomorrow
        route.fulfill(response=answer, json=body)

    page.route("**/api/v1/schedule/semester", after_midnight)
    page.evaluate("window.dispatchEvent(new Event('focus'))")
    expect(shown.nth(tomorrow["day_of_week"] - 1)).to_have_class("day-head today")
    expect(page.locator(".day-head.today")).to_have_count(1)


def test_a_message_whose_answer_was_lost_is_sent_once(open_planner: Any) -> None:
    planner = open_planner("page-lost")
    page = planner.page

    def lose(route: Route) -> None:
        route.fetch()
        route.abort()

    page.route("**/api/v1/agent/chat", lose, times=1)
    page.fill("#message", "看看这周有哪些空闲")
    page.click("#send")
    expect(page.locator(".toast.error")).to_be_visible()
    expect(page.locator("#message")).to_have_value("看看这周有哪些空闲")
    with planner.running():
        page.click("#send")
    expect(page.locator(".block.user")).to_have_count(1)
    assert planner.api("/agent/conversations")["total"] == 1


def test_an_expired_session_leads_to_the_login_and_back_with_the_words(open_planner: Any, server: Any) -> None:
    planner = open_planner("page-expired")
    page = planner.page
    planner.say("你好")
    address = page.url
    page.fill("#message", "看看这周有哪些空闲")
    page.context.clear_cookies(name="sessionid")
    page.click("#send")
    expect(page).to_have_url(re.compile(r"/login\?next="))
    page.get_by_label("用户名").fill("page-expired")
    page.get_by_label("密码").fill(server.account("page-expired"))
    page.locator("main button").click()
    planner.ready()
    assert page.url == address
    expect(page.locator("#message")).to_have_value("看看这周有哪些空闲")


def test_a_page_that_did_not_open_offers_another_try(enter: Any) -> None:
    planner = enter()
    page = planner.page
    page.route("**/api/v1/schedule/semester", lambda route: route.abort())
    page.goto(f"{planner.base_url}/week")
    expect(page.get_by_role("alert")).to_contain_text("页面没有完全打开")
    page.unroute("**/api/v1/schedule/semester")
    page.click("#start-again")
    planner.ready()
    expect(page.locator("#start-failed")).to_be_hidden()


def test_without_a_connection_the_shown_week_stays(open_planner: Any) -> None:
    planner = open_planner()
    page = planner.page
    shown = page.locator("#week-tabs [aria-current]").inner_text()
    courses = page.locator(".entry.course").all_inner_texts()
    assert courses
    page.context.set_offline(True)
    page.locator("[data-week='15']").click()
    expect(page.locator(".toast.error")).to_be_visible()
    page.evaluate("window.dispatchEvent(new Event('focus'))")
    page.locator("#week-next").click()
    expect(page.locator(".toast.error")).to_have_count(1)  # the same refusal again takes its place
    assert page.locator("#week-tabs [aria-current]").inner_text() == shown
    assert page.locator(".entry.course").all_inner_texts() == courses
    page.context.set_offline(False)
    planner.show_week(15)
    expect(page.locator("[data-week='15']")).to_have_attribute("aria-current", "true")


def test_a_lost_connection_is_told_in_view_and_the_answer_still_comes(open_planned: Any) -> None:
    planner = open_planned("page-link", viewport={"width": 1360, "height": 560})
    page = planner.page

    def cut(route: Route) -> None:
        response = route.fetch()
        route.fulfill(response=response, body=response.text()[:40])

    page.route("**/api/v1/agent/chat", cut, times=1)
    page.route("**/agent/runs/*/stream", lambda route: route.abort())
    page.fill("#message", "你好")
    page.click("#send")
    expect(page.locator("#link-lost")).to_be_in_viewport(ratio=1)
    page.unroute("**/agent/runs/*/stream")
    expect(page.locator("#timeline")).to_have_attribute("aria-busy", "false", timeout=20_000)
    expect(page.locator("#link-lost")).to_be_hidden()
    expect(page.locator(".block.text").last).to_contain_text("你好")


def test_a_line_that_only_falls_silent_is_asked_again(open_planned: Any) -> None:
    planner = open_planned("page-silence", own=True)
    page = planner.page

    def cut(route: Route) -> None:
        response = route.fetch()
        route.fulfill(response=response, body=response.text()[:40])

    page.clock.install()
    held: list[Route] = []
    page.route("**/api/v1/agent/chat", cut, times=1)
    page.route("**/agent/runs/*/stream", lambda route: held.append(route), times=1)
    with page.expect_request("**/agent/runs/*/stream"):
        page.fill("#message", "你好")
        page.click("#send")
    page.clock.run_for(14_000)
    expect(page.locator("#timeline")).to_have_attribute("aria-busy", "true")
    page.clock.run_for(2_000)
    expect(page.locator("#timeline")).to_have_attribute("aria-busy", "false")
    expect(page.locator("#link-lost")).to_be_hidden()
    expect(page.locator(".block.text").last).to_contain_text("你好")
    assert len(held) == 1


def test_a_stream_without_a_beat_for_fifteen_seconds_counts_as_cut(open_planner: Any) -> None:
    page = open_planner(own=True).page
    page.clock.install()
    page.evaluate("""async () => {
        const { frames } = await import("/static/agent/chat/sse.js");
        const body = new ReadableStream({ start: (controller) => { window.feed = controller; } });
        window.read = [];
        const follow = async () => {
            for await (const frame of frames(new Response(body))) window.read.push(frame.data);
        };
        follow().catch((error) => window.read.push(error.name));
    }""")
    feed = "text => window.feed.enqueue(new TextEncoder().encode(text))"
    for text in ("data: one\n\n", ": ping\n\n", ": ping\n\n"):
        page.evaluate(feed, text)
        page.clock.run_for(10_000)
    assert page.evaluate("window.read") == ["one"]
    page.clock.run_for(6_000)
    assert page.evaluate("window.read") == ["one", "TypeError"]


def test_stop_works_before_the_run_has_begun(open_planner: Any) -> None:
    planner = open_planner("page-stop")
    page = planner.page
    held: list[Route] = []
    page.route("**/api/v1/agent/chat", lambda route: held.append(route))
    with page.expect_request("**/api/v1/agent/chat"):
        page.fill("#message", "你好")
        page.click("#send")
    page.click("#cancel-run")
    with page.expect_request("**/tasks/*/cancel"):
        held[0].continue_()
    expect(page.locator("#timeline")).to_have_attribute("aria-busy", "false")
