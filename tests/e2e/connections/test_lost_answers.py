"""A line that loses what was answered, or swallows what is sent: nothing is done twice, and nothing waits for good."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page, Route, expect

IMPATIENT = "document.addEventListener('htmx:configRequest', ({ detail }) => { detail.timeout &&= 300; })"


def lose(route: Route) -> None:
    """The server does what it is asked for; the page learns nothing of it."""
    route.fetch(max_redirects=0)
    route.abort()


def write_task(page: Page, name: str) -> None:
    page.locator("[name=name]").fill(name)
    page.locator("[name=items]").fill("第一步\n第二步")


def names(planner: Any) -> list[str]:
    return [one["name"] for one in planner.api("/task-class?page_size=100")["list"]]


def test_a_form_whose_answer_was_lost_is_saved_once(open_planner: Any) -> None:
    planner = open_planner("page-lost-form", "/tasks/new")
    page = planner.page
    write_task(page, "丢了回答")
    page.route("**/tasks/new", lose)
    page.locator("main button.primary").click()
    expect(page.locator(".toast.error")).to_contain_text("还不知道保存上没有")
    assert names(planner).count("丢了回答") == 1
    page.unroute("**/tasks/new")
    page.reload()  # what was typed comes back, and is the same form still
    expect(page.locator("[name=name]")).to_have_value("丢了回答")
    page.locator("main button.primary").click()
    expect(page.locator(".told")).to_contain_text("已保存")
    assert names(planner).count("丢了回答") == 1
    planner.open("/tasks/new")
    write_task(page, "丢了回答")  # a second one that is meant
    page.locator("main button.primary").click()
    expect(page.locator(".told")).to_contain_text("已保存")
    assert names(planner).count("丢了回答") == 2


def test_a_form_that_nothing_answers_is_given_up_and_the_screen_goes_on(open_planner: Any) -> None:
    planner = open_planner("page-silent-form", "/tasks/new")
    page = planner.page
    page.evaluate(IMPATIENT)
    write_task(page, "没有回答")
    page.route("**/tasks/new", lambda route: None)
    page.locator("main button.primary").click()
    expect(page.locator(".toast.error")).to_contain_text("还不知道保存上没有")
    page.unroute("**/tasks/new")
    page.locator("main button.primary").click()
    expect(page.locator(".told")).to_contain_text("已保存")
    expect(page.locator(".toast.error")).to_have_count(0)
    assert names(planner).count("没有回答") == 1


def test_what_was_typed_outlives_a_reload_while_its_form_waits(open_planner: Any) -> None:
    planner = open_planner("page-reloaded-form", "/tasks/new")
    page = planner.page
    write_task(page, "还在路上")
    page.route("**/tasks/new", lambda route: route.fallback() if route.request.method == "GET" else None)
    page.locator("main button.primary").click()
    expect(page.locator("html[data-going]")).to_be_attached()
    page.reload()
    expect(page.locator("[name=name]")).to_have_value("还在路上")
