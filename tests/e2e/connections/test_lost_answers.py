"""A line that loses what was answered, or swallows what is sent: nothing is done twice, and nothing waits for good."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Page, Route, expect

from tests.kits.page.places import other_places
from tests.kits.page.planner import Planner

IMPATIENT = "document.addEventListener('htmx:configRequest', ({ detail }) => { detail.timeout &&= 2_000; })"


def lose(route: Route) -> None:
    """The server does what it is asked for; the page learns nothing of it."""
    route.fetch(max_redirects=0)
    route.abort()


def refuse(route: Route) -> None:
    """Too much was asked for: what is asked for now is not looked at."""
    if "/api/" in route.request.url:
        route.fulfill(status=429, json={"status": "40033", "info": "请求太多", "data": {"retry_after": 1}})
    else:
        route.fulfill(status=429, content_type="text/html", body="<main><h1>尝试次数过多</h1></main>")


def write_task(page: Page, name: str) -> None:
    page.locator("[name=name]").fill(name)
    page.locator("[name=items]").fill("第一步\n第二步")


def save(page: Page) -> None:
    page.locator("main button.primary").click()
    page.wait_for_url("**/tasks")
    expect(page.locator(".told")).to_contain_text("已保存")


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
    page.route("**/tasks/new", refuse, times=1)
    page.locator("main button.primary").click()
    expect(page.locator(".toast.error")).to_have_count(2)
    page.reload()  # what was typed comes back, and is the same form still
    expect(page.locator("[name=name]")).to_have_value("丢了回答")
    save(page)
    assert names(planner).count("丢了回答") == 1
    planner.open("/tasks/new")
    write_task(page, "丢了回答")  # a second one that is meant
    save(page)
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
    save(page)
    expect(page.locator(".toast.error")).to_have_count(0)
    assert names(planner).count("没有回答") == 1


def test_links_lead_on_while_a_form_waits_for_long(open_planner: Any) -> None:
    planner = open_planner("page-waiting-form", "/tasks/new")
    page = planner.page
    write_task(page, "等不到")
    page.route("**/tasks/new", lambda route: route.fallback() if route.request.method == "GET" else None)
    page.locator("main button.primary").click()
    expect(page.locator("html[data-going]")).to_be_attached()
    page.locator(".rail a[href='/courses']").click()
    page.wait_for_timeout(300)
    expect(page).to_have_url(f"{planner.base_url}/tasks/new")
    page.evaluate("const now = Date.now; Date.now = () => now() + 11_000")
    page.locator(".rail a[href='/courses']").click()
    expect(page).to_have_url(f"{planner.base_url}/courses")
    page.go_back()
    expect(page.locator("[name=name]")).to_have_value("等不到")


def test_a_form_that_is_pressed_again_while_it_waits_for_long_is_sent_once(open_planner: Any) -> None:
    planner = open_planner("page-pressed-twice", "/tasks/new")
    page = planner.page
    write_task(page, "按了两次")
    held: list[Route] = []
    page.route("**/tasks/new", lambda route: route.fallback() if route.request.method == "GET" else held.append(route))
    page.locator("main button.primary").click()
    expect(page.locator("html[data-going]")).to_be_attached()
    page.evaluate("const now = Date.now; Date.now = () => now() + 11_000")
    page.locator("main button.primary").click()
    held.pop().continue_()
    page.wait_for_url("**/tasks")
    expect(page.locator(".told")).to_contain_text("已保存")
    page.wait_for_load_state("networkidle")
    assert held == []
    assert names(planner).count("按了两次") == 1


def test_what_was_typed_outlives_a_reload_while_its_form_waits(open_planner: Any) -> None:
    planner = open_planner("page-reloaded-form", "/tasks/new")
    page = planner.page
    write_task(page, "还在路上")
    page.route("**/tasks/new", lambda route: route.fallback() if route.request.method == "GET" else None)
    page.locator("main button.primary").click()
    expect(page.locator("html[data-going]")).to_be_attached()
    page.reload()
    expect(page.locator("[name=name]")).to_have_value("还在路上")


HURRIED = """
const [after, signal] = [setTimeout, AbortSignal.timeout];
const soon = milliseconds => window.hurried && milliseconds === 30_000 ? 2_000 : milliseconds;
AbortSignal.timeout = milliseconds => signal.call(AbortSignal, soon(milliseconds));
setTimeout = (work, milliseconds, ...rest) => after(work, soon(milliseconds), ...rest);
"""


@contextmanager
def silence(page: Page, path: str) -> Iterator[None]:
    """Nothing answers there, and who waits for it is in a hurry."""
    page.route(path, lambda route: None)
    page.evaluate("window.hurried = true")
    yield
    page.evaluate("window.hurried = false")
    page.unroute(path)


def test_what_the_week_writes_is_done_once_whatever_is_lost(enter: Any) -> None:
    planner = enter("page-lost-writes")
    page = planner.page
    planner.open("/chat")
    planner.say("帮我把所有任务排好")
    planner.show("week")
    dock, told = page.locator("#plan-summary"), page.locator(".toast.success")
    lost = page.locator(".toast.error")

    page.route("**/agent/schedule-state", lose, times=1)
    planner.drag(*other_places(planner)[0])
    page.locator("#save").click()
    planner.saved()
    for path, button, words in (
        ("**/agent/schedule-apply", "#apply", "已应用到课表"),
        ("**/schedule/batches/*/undo", "#undo", "已撤销"),
    ):
        for trouble in (lose, refuse):
            page.route(path, trouble, times=1)
            page.locator(button).click()
            expect(page.locator(button)).not_to_have_attribute("aria-busy", "true")
        page.locator(button).click()
        expect(told.last).to_contain_text(words)
    page.route("**/agent/schedule-discard", lose, times=1)
    for ended in ("requestfailed", "requestfinished"):
        page.locator("#throw-away").click()
        with page.expect_event(ended, lambda request: request.url.endswith("/agent/schedule-discard")):
            page.locator("[data-action=yes]").click()
        expect(page.locator(".ask-dialog")).to_have_count(0)
    expect(told.last).to_contain_text("草稿已放弃")
    expect(dock).to_contain_text("草稿和课表一样")
    # Neither that somebody else changed the draft, nor that it was undone already.
    assert all("连接不上服务器" in words or "请求太多" in words for words in lost.all_inner_texts())


def test_a_move_that_nothing_answers_is_saved_when_it_is_asked_for_again(enter: Any) -> None:
    planner = enter("page-silent-move")
    page = planner.page
    page.add_init_script(HURRIED)
    planner.open("/chat")
    planner.say("帮我把所有任务排好")
    planner.show("week")
    entry, place = other_places(planner)[0]
    with silence(page, "**/agent/schedule-state"):
        planner.drag(entry, place)
        expect(page.locator(".toast.error")).to_contain_text("连接不上服务器")
    page.locator("#save").click()
    planner.saved()


def test_a_message_that_nothing_answers_stays_to_be_sent_again(enter: Any) -> None:
    planner = enter("page-silent-message")
    page = planner.page
    page.add_init_script(HURRIED)
    planner.open("/chat")
    page.locator("#message").fill("你好")
    with silence(page, "**/agent/chat"):
        page.locator("#send").click()
        expect(page.locator(".toast.error")).to_contain_text("连接不上服务器")
    expect(page.locator("#message")).to_have_value("你好")
    expect(page.locator("#timeline > li")).to_have_count(0)
    with planner.running():
        page.locator("#send").click()
    expect(page.locator(".block.user")).to_have_count(1)


def test_a_message_that_may_have_come_is_the_same_one_when_it_is_sent_again(enter: Any) -> None:
    planner = enter("page-lost-message")
    page = planner.page
    planner.open("/chat")
    page.locator("#message").fill("你好")
    busy = {"status": "50004", "info": "服务暂时不可用", "data": None}
    for trouble in (lose, lambda route: route.fulfill(status=503, json=busy), refuse):
        page.route("**/agent/chat", trouble, times=1)
        page.locator("#send").click()
        expect(page.locator(".toast.error")).to_have_count(1)
        page.locator(".toast.error .close").click()
    with planner.running():
        page.locator("#send").click()
    expect(page.locator(".block.user")).to_have_count(1)
    assert len(planner.api("/agent/conversations?page=1&page_size=9")["list"]) == 1


def test_a_week_whose_script_does_not_come_says_so(open_page: Any, server: Any) -> None:
    planner = Planner(open_page(), server.base_url)
    planner.sign_in(server, "page-lost-script")
    page = planner.page
    page.route("**/week.js", lambda route: route.abort())
    page.goto(f"{server.base_url}/week")
    expect(page.locator("#plan-summary")).to_have_text("正在打开课表…")
    late = page.locator(".start-late")
    expect(late).to_be_hidden()
    late.evaluate("node => node.getAnimations().forEach(one => one.finish())")
    expect(late).to_be_visible()
    page.unroute("**/week.js")
    late.get_by_role("link", name="重试").click()
    planner.ready()
    expect(late).to_be_hidden()
    expect(page.locator(".entry.course").first).to_be_visible()


def test_a_week_that_is_long_on_its_way_is_told_to_be(open_planner: Any) -> None:
    planner = open_planner("page-slow-week", "/week")
    page = planner.page
    before = page.locator("#plan-summary").inner_text()
    held: list[Route] = []
    page.route("**/schedule/week?*", lambda route: held.append(route))
    page.locator("[data-week='9']").click()
    expect(page.locator("#plan-summary")).to_have_text("正在打开第 9 周…")
    page.locator(".week-tab[aria-current]").click()  # the week that is there is wanted after all
    expect(page.locator("#plan-summary")).to_have_text(before)
    page.locator("[data-week='9']").click()
    expect(page.locator("#plan-summary")).to_have_text("正在打开第 9 周…")
    for route in held:
        route.continue_()
    expect(page.locator("#week-title")).to_have_text("第 9 周")
    expect(page.locator("#plan-summary")).to_have_text(before)
