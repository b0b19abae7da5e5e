"""Today and the last week without a connection: read, dated, and gone with the account that signs out."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import pytest
from playwright.sync_api import Error, expect

from tests.kits.page.places import PLAN, say_before
from tests.kits.page.planner import Planner

KEPT = """async () => {
  const cache = await caches.open("smartmate-kept");
  return Promise.all(["/today", "/week"].map(async (key) => Boolean(await cache.match(key))));
}"""


def wait_until_kept(planner: Planner) -> None:
    page = planner.page
    page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    for _ in range(150):
        if page.evaluate(KEPT) == [True, True]:
            return
        page.wait_for_timeout(100)
    raise AssertionError("today and the week were not kept")


def test_today_and_the_last_week_are_read_without_a_connection(open_planner: Any) -> None:
    planner = open_planner("page-kept", service_workers="allow")
    page = planner.page
    wait_until_kept(planner)
    planner.show_week(4)
    page.reload()
    planner.ready()
    note = page.locator("#no-network")
    expect(note).to_be_hidden()
    courses = page.locator(".entry.course").all_inner_texts()
    assert courses

    page.context.set_offline(True)
    expect(note).to_contain_text("没有网络。已经打开的还能看")
    page.reload()
    planner.ready()
    expect(note).to_contain_text("存下来的样子，只能看")
    assert page.locator(".entry.course").all_inner_texts() == courses
    planner.page.goto(f"{planner.base_url}/today")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(note).to_contain_text("存下来的样子")
    page.goto(f"{planner.base_url}/tasks")
    expect(page.get_by_role("heading", name="没有网络")).to_be_visible()
    page.get_by_role("link", name="周课表").click()
    planner.ready()
    expect(page.locator(".entry.course").first).to_be_visible()

    page.context.set_offline(False)
    with suppress(Error):  # the browser may tell of the network first: then the page is being loaded again
        page.evaluate("setTimeout(() => window.dispatchEvent(new Event('focus')))")
    expect(note).to_be_hidden()
    planner.ready()

    planner.open("/settings")
    page.get_by_role("button", name="退出").click()
    page.wait_for_url("**/login")
    assert "smartmate-kept" not in page.evaluate("caches.keys()")
    page.context.set_offline(True)
    page.goto(f"{planner.base_url}/week")
    expect(page.get_by_role("heading", name="没有网络")).to_be_visible()
    page.goto(f"{planner.base_url}/today")
    expect(page.get_by_role("heading", name="没有网络")).to_be_visible()
    page.context.set_offline(False)
    page.get_by_role("link", name="再试一次").click()
    expect(page.get_by_role("heading", name="登录")).to_be_visible()


class NoServer(BaseHTTPRequestHandler):
    """A proxy whose server is gone."""

    def do_GET(self) -> None:
        self.send_error(502)

    def log_message(self, *_: Any) -> None:
        """Says nothing of its requests."""


@contextmanager
def silent(server: Any) -> Iterator[None]:
    """The server takes connections and answers none."""
    server.tell(signal.SIGSTOP)
    try:
        yield
    finally:
        server.tell(signal.SIGCONT)


@contextmanager
def away(server: Any) -> Iterator[None]:
    server.stop()
    with ThreadingHTTPServer(("127.0.0.1", server.port), NoServer) as proxy:
        thread = Thread(target=proxy.serve_forever)
        thread.start()
        try:
            yield
        finally:
            proxy.shutdown()
            thread.join()
    server.start()


@pytest.mark.parametrize("cut", [silent, away])
def test_the_week_is_read_while_its_server_is_silent_or_gone(open_page: Any, server_factory: Any, cut: Any) -> None:
    server = server_factory(AGENT_BACKEND="offline")
    planner = Planner(open_page(service_workers="allow"), server.base_url)
    planner.sign_in(server, "page-cut")
    planner.open("/week")
    page = planner.page
    wait_until_kept(planner)
    courses = page.locator(".entry.course").all_inner_texts()
    assert courses
    with cut(server):
        page.reload()
        planner.ready()
        expect(page.locator("#no-network")).to_contain_text("存下来的样子")
        assert page.locator(".entry.course").all_inner_texts() == courses
    page.evaluate("setTimeout(() => window.dispatchEvent(new Event('focus')))")
    expect(page.locator("#no-network")).to_be_hidden()
    planner.ready()


def test_a_draft_of_the_first_visit_is_read_without_a_connection(enter: Any) -> None:
    planner = enter("page-kept-draft", service_workers="allow")
    page = planner.page
    ids = [one["id"] for one in planner.api("/task-class?page_size=100")["list"]]
    talk = say_before(planner, PLAN, *ids)
    page.route("**/schedule-preview**", lambda route: (page.wait_for_timeout(1500), route.continue_()))
    planner.open(f"/week?conversation={talk}")
    page.unroute("**/schedule-preview**")
    suggested = page.locator(".entry.suggested")
    expect(suggested.first).to_be_visible()
    count = suggested.count()
    wait_until_kept(planner)
    page.wait_for_function(
        "async () => (await (await caches.open('smartmate-kept')).keys()).some(one => /schedule-preview/.test(one.url))"
    )
    page.context.set_offline(True)
    page.reload()
    planner.ready()
    expect(page.locator("#open-failed")).to_be_hidden()
    expect(suggested).to_have_count(count)


def test_a_screen_that_is_asked_for_without_a_connection_is_its_kept_copy_or_told(open_planner: Any) -> None:
    planner = open_planner("page-kept-visit", service_workers="allow")
    page = planner.page
    wait_until_kept(planner)
    planner.open("/week")
    page.evaluate("window.alive = true")
    page.context.set_offline(True)
    page.locator(".rail a[href='/today']").click()
    expect(page.locator(".rail [aria-current=page]")).to_have_attribute("href", "/today")
    expect(page.locator("#no-network")).to_contain_text("存下来的样子")
    page.locator(".rail a[href='/tasks']").click()
    expect(page.locator(".toast.error")).to_contain_text("这一页打不开")
    expect(page.locator(".rail [aria-current=page]")).to_have_attribute("href", "/today")
    page.locator(".rail a[href='/week']:not(.brand)").click()
    expect(page.locator("#no-network")).to_contain_text("已经打开的还能看")
    expect(page.locator(".entry.course").first).to_be_visible()
    assert page.evaluate("window.alive") is True
    page.context.set_offline(False)


def test_the_same_refusal_again_takes_the_place_of_the_one_before(open_planner: Any) -> None:
    planner = open_planner()
    page = planner.page
    page.context.set_offline(True)
    for week in (4, 5, 6):
        with page.expect_event("requestfailed"):
            page.click(f"[data-week='{week}']")
    page.wait_for_timeout(200)
    expect(page.locator(".toast.error")).to_have_count(1)
