"""Screens that stay open tell of now: when they are looked at again, and while they are looked at."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import expect

QUICK_MINUTES = "{ const every = setInterval; setInterval = (work, ms) => every(work, ms / 300); }"
LATER = "{ const now = Date.now; Date.now = () => now() + %d; }"


def test_today_that_was_left_open_tells_of_now_when_it_is_looked_at_again(open_planner: Any) -> None:
    planner = open_planner("page-renewed", path="/today")
    page = planner.page
    page.locator(".day-steps a").first.focus()
    exam = {"name": "补考", "date": planner.today().isoformat(), "start_time": "21:00", "end_time": "22:00"}
    planner.send("POST", "/schedule/exams", exam)
    page.evaluate("dispatchEvent(new Event('focus'))")
    page.wait_for_timeout(600)
    expect(page.locator("#main")).not_to_contain_text("补考")  # it has only just come

    page.evaluate("{ const now = Date.now; Date.now = () => now() + 3_600_000; }")
    page.context.set_offline(True)
    page.evaluate("dispatchEvent(new Event('focus'))")
    page.wait_for_timeout(600)
    page.context.set_offline(False)
    expect(page.locator(".toast")).to_have_count(0)

    page.evaluate("{ const now = Date.now; Date.now = () => now() + 3_600_000; }")
    page.evaluate("document.querySelector('.told').append(Object.assign(document.createElement('p'), { id: 'noted' }))")
    entries = page.evaluate("history.length")
    page.evaluate("dispatchEvent(new Event('focus'))")
    expect(page.locator("#main")).to_contain_text("补考")
    assert page.evaluate("history.length") == entries
    expect(page.locator("#screen :focus")).to_have_count(1)
    expect(page.locator(".told #noted")).to_have_count(1)


def test_today_that_is_looked_at_tells_of_now(open_planner: Any) -> None:
    planner = open_planner("page-seen", own=True)
    page = planner.page
    page.add_init_script(QUICK_MINUTES)
    planner.open("/today")
    exam = {"name": "补考", "date": planner.today().isoformat(), "start_time": "21:00", "end_time": "22:00"}
    planner.send("POST", "/schedule/exams", exam)
    page.wait_for_timeout(600)
    expect(page.locator("#main")).not_to_contain_text("补考")  # it has only just come
    link = page.get_by_role("link", name="后一天")
    link.focus()
    page.evaluate(LATER % 301_000)
    expect(page.locator("#main")).to_contain_text("补考")
    expect(link).to_be_focused()


def test_the_week_that_is_looked_at_tells_of_now_and_of_a_new_day(open_planner: Any) -> None:
    planner = open_planner("week-seen", own=True)
    page = planner.page
    page.add_init_script(QUICK_MINUTES)
    planner.open("/week")
    line = page.locator(".now-line")
    before = line.bounding_box()
    page.evaluate(LATER % 1_800_000)
    page.wait_for_function(
        "top => document.querySelector('.now-line').getBoundingClientRect().top > top + 5", arg=before["y"]
    )
    page.context.set_offline(True)
    page.evaluate(LATER % 86_400_000)
    page.wait_for_timeout(800)  # some minutes
    expect(page.locator(".toast")).to_have_count(0)
    with page.expect_request("**/schedule/semester"):
        page.context.set_offline(False)
