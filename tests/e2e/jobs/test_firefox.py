"""The main jobs in Firefox as Debian ships it."""

from __future__ import annotations

import secrets
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, Playwright, expect

from tests.kits.page import firefox_relay
from tests.kits.page.clock import TODAY, shift_clock
from tests.kits.page.imports import choose, course, document
from tests.kits.page.places import Places, entry_now, free_starts, place_of
from tests.kits.page.planner import RUN_MS, Planner
from tests.kits.page.yesterday import STEP, place_yesterday
from tests.kits.provider.openai_server import OpenAIServer, chunk, decision, silence

# The database judges leases by its own clock, which is not shifted.
QUICK = {"AGENT_LEASE_S": "2", "AGENT_SWEEP_S": "0.3", "TEST_CLOCK_SHIFT": "0"}


class TypingPlanner(Planner):
    """Types key by key: over BiDi Playwright fills fields by evaluating text, which the page's policy forbids."""

    def write(self, field: Locator, text: str) -> None:
        field.click()
        field.press_sequentially(text)

    @contextmanager
    def running(self) -> Iterator[None]:
        with self.page.expect_request("**/api/v1/agent/chat"):
            yield
        expect(self.page.locator("#timeline")).to_have_attribute("aria-busy", "false", timeout=RUN_MS)

    def drag(self, entry: dict[str, Any], place: dict[str, Any]) -> None:
        """By hovering, since boxes are measured by evaluating text too."""
        self.show_week(entry["week"])
        page = self.page
        page.locator(f".entry[data-item='{entry['task_item_id']}']").hover(position={"x": 20, "y": 8}, force=True)
        page.mouse.down()
        if place["week"] != entry["week"]:
            tab = page.locator(f"[data-week='{place['week']}']")
            tab.hover(force=True)
            expect(tab).to_have_attribute("aria-current", "true")
        cell = f".cell[data-day='{place['day_of_week']}'][data-section='{place['section_from']}']"
        page.locator(cell).hover(position={"x": 20, "y": 6}, force=True)
        expect(page.locator(".ghost.ok")).to_be_visible()
        page.mouse.up()

    @property
    def conversation(self) -> str:
        """The newest one: a long-term release does not tell Playwright that the address changed."""
        newest: str = self.api("/agent/conversations?page=1&page_size=1")["list"][0]["conversation_id"]
        return newest


@pytest.fixture(scope="module")
def firefox(playwright: Playwright, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    program = tmp_path_factory.mktemp("firefox") / "firefox"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{Path(firefox_relay.__file__).resolve()}" "$@"\n')
    program.chmod(0o755)
    started = playwright.firefox.launch(
        channel="moz-firefox",
        executable_path=program,
        firefox_user_prefs={"intl.accept_languages": "zh-CN, zh"},
        timeout=120_000,
    )
    yield started
    started.close()


@pytest.fixture
def planner(firefox: Browser, server: Any, request: pytest.FixtureRequest) -> Iterator[Planner]:
    context = firefox.new_context(viewport={"width": 1360, "height": 900})
    shift_clock(context)
    page = context.new_page()
    problems: list[str] = []
    page.on("pageerror", lambda error: None if "unsafe-eval" in str(error) else problems.append(str(error)))
    planner = TypingPlanner(page, server.base_url)
    name = request.node.name.removeprefix("test_")
    planner.log_in(name, server.account(name))
    planner.ready()
    yield planner
    context.close()
    assert problems == []


def plan_selected(planner: Planner) -> None:
    for box in planner.page.locator("#class-list input").all():
        box.check()
    planner.say("plan the selected tasks")
    expect(planner.page.locator(".entry.suggested").first).to_be_visible()


def write_date(planner: Planner, field: Locator, day: date) -> None:
    """Key by key as well; a date has its parts in the order of the browser."""
    for order in ("%m%d%Y", "%Y%m%d", "%d%m%Y"):
        field.click(position={"x": 14, "y": 14})
        planner.page.keyboard.type(f"{day:{order}}")
        if field.input_value() == day.isoformat():
            return
    raise AssertionError(field.input_value())


def test_a_plan_is_made_applied_and_undone_and_screens_change_without_a_reload(planner: Planner) -> None:
    page = planner.page
    plan_selected(planner)
    page.click("#apply")
    expect(page.locator(".toast.success", has_text="已应用到课表")).to_be_visible()
    page.click("#undo")
    expect(page.locator(".toast.success", has_text="已撤销")).to_be_visible()
    expect(page.locator(".entry.suggested").first).to_be_visible()
    page.locator(".toast .close").last.click()
    expect(page.locator(".toast")).to_have_count(0)
    screens_change_without_a_reload(planner)


def screens_change_without_a_reload(planner: Planner) -> None:
    page = planner.page
    loads: list[str] = []
    page.on("request", lambda request: loads.append(request.url) if request.is_navigation_request() else None)
    planner.write(page.locator("#message"), "not sent yet")
    for address in ("/tasks", "/settings", "/courses", "/today", "/week"):
        page.locator(f".rail a[href='{address}']:not(.brand)").click()
        expect(page.locator(f".rail a[href='{address}']:not(.brand)")).to_have_attribute("aria-current", "page")
        expect(page.get_by_role("heading", level=1)).to_be_focused()
    expect(page.locator("#message")).to_have_value("not sent yet")
    page.locator(".rail a[href='/tasks']").click()
    # The week has a link of this name too, and a press that begins on it while the screen changes is none.
    expect(page.get_by_role("heading", level=1)).to_have_text("任务")
    page.get_by_role("link", name="新任务").click()
    planner.write(page.get_by_label("名称", exact=True), "Firefox class")
    planner.write(page.get_by_label("内容，一行一项"), "one")
    page.get_by_role("button", name="保存").click()
    expect(page.get_by_role("link", name="Firefox class").first).to_be_visible()
    assert loads == []


@pytest.mark.long
def test_suggestions_cross_weeks_by_mouse_and_keys_and_change_places(planner: Planner) -> None:
    page = planner.page
    plan_selected(planner)
    entry, place = next(across_weeks(planner))
    planner.drag(entry, place)
    planner.saved()
    assert place_of(entry_now(planner, entry)) == place

    planner.show_week(place["week"])
    page.locator(f".entry[data-item='{entry['task_item_id']}']").press("m")
    page.wait_for_selector(".holding .week-tab.legal")
    turns = entry["week"] - place["week"]
    for _ in range(abs(turns)):
        page.keyboard.press("PageDown" if turns > 0 else "PageUp")
    expect(page.locator(f"[data-week='{entry['week']}']")).to_have_attribute("aria-current", "true")
    steps = (("day_of_week", "ArrowRight", "ArrowLeft"), ("section_from", "ArrowDown", "ArrowUp"))
    for key, forth, back in steps:
        for _ in range(abs(entry[key] - place[key])):
            page.keyboard.press(forth if entry[key] > place[key] else back)
    expect(page.locator(".ghost.ok")).to_be_visible()
    page.keyboard.press("Enter")
    planner.saved()
    assert place_of(entry_now(planner, entry)) == place_of(entry)

    one, other = next(Places(planner).swaps())
    planner.drag(one, place_of(other))
    planner.saved()
    assert place_of(entry_now(planner, one)) == place_of(other)
    assert place_of(entry_now(planner, other)) == place_of(one)


@pytest.mark.long
def test_a_class_is_made_by_form_and_a_file_is_imported_with_its_mends(planner: Planner) -> None:
    page = planner.page
    today = planner.today()
    page.goto(f"{planner.base_url}/tasks/new")
    planner.write(page.get_by_label("名称"), "Algebra")
    planner.write(page.get_by_label("内容，一行一项"), "Determinants\nMatrices\nVectors")
    write_date(planner, page.get_by_label("开始"), today)
    write_date(planner, page.get_by_label("截止"), today + timedelta(days=30))
    page.get_by_role("button", name="保存").click()
    expect(page.get_by_role("link", name="Algebra").first).to_be_visible()

    choose(planner, "courses.json", document(course("书法"), course("坏行", start_week=19, end_week=22, day_of_week=7)))
    found = page.get_by_role("region", name="会导入的")
    expect(found).to_contain_text("有问题 1 行")
    found.get_by_role("checkbox", name="20").first.check()
    page.get_by_role("button", name="按现在勾选的再看一遍").click()
    page.get_by_role("button", name="导入 6 节课").click()
    expect(page.get_by_text("已导入 6 节课")).to_be_visible()
    assert "书法" in str(planner.api("/schedule/week?week=3"))


@pytest.mark.long
def test_today_is_ticked_and_what_was_missed_is_picked_up(planner: Planner) -> None:
    page = planner.page
    item = place_yesterday(planner)
    page.goto(f"{planner.base_url}/week")
    planner.ready()
    page.goto(f"{planner.base_url}/today")
    planner.send("POST", f"/schedule/task-items/{item}/progress", {"progress": "missed"})
    page.goto(f"{planner.base_url}/today")
    page.get_by_role("link", name="补上漏的").click()
    expect(page.locator(".way:visible .diff > li")).to_contain_text(STEP)
    page.get_by_role("button", name="直接应用").click()
    expect(page.get_by_text("已应用到课表")).to_be_visible()
    page.get_by_role("button", name="撤销").click()
    expect(page.get_by_text("已撤销")).to_be_visible()
    page.get_by_role("button", name=f"其实做完了 {STEP}").click()
    expect(page.get_by_text("已记下：完成")).to_be_visible()


@pytest.mark.long
def test_a_stranger_comes_from_the_first_screen_to_an_applied_plan(firefox: Browser, server: Any) -> None:
    context = firefox.new_context(viewport={"width": 1360, "height": 900})
    shift_clock(context)
    page = context.new_page()
    planner = TypingPlanner(page, server.base_url)
    page.goto(f"{server.base_url}/account/signup/")
    planner.write(page.locator("[name=username]"), f"new-{secrets.token_hex(4)}")
    for field in ("password1", "password2"):
        planner.write(page.locator(f"[name={field}]"), "a long enough secret")
    page.get_by_role("button", name="注册", exact=True).click()
    page.get_by_role("button", name="没有课，下一步", exact=True).click()
    planner.write(page.get_by_label("名称", exact=True), "Probability")
    write_date(planner, page.get_by_label("什么时候要学完"), TODAY + timedelta(days=30))
    planner.write(page.get_by_label("要学的内容，一行一项，按顺序"), "Variables\nMoments")
    page.get_by_role("button", name="下一步", exact=True).click()
    page.get_by_role("button", name="排一排", exact=True).click()
    planner.ready()
    expect(page.locator(".entry.suggested").first).to_be_visible()
    page.click("#apply")
    expect(page.locator(".toast.success")).to_contain_text("已应用到课表")
    context.close()


@pytest.mark.long
def test_a_class_is_made_by_words_after_a_card_that_outlives_a_reload(planner: Planner) -> None:
    page = planner.page
    first, last = (planner.today() + timedelta(days=days) for days in (3, 31))
    span = f"{first:%B} {first.day} to {last:%B} {last.day}"
    planner.say(f'Create a task class "Algebra" from {span} with the items: determinants, matrices, vectors')
    expect(page.locator(".ask.open")).to_have_count(1)
    page.reload()
    planner.ready()
    with planner.running():
        page.locator(".ask.open [data-action=approve]").click()
    expect(page.locator(".ask.open")).to_have_count(0)
    assert "Algebra" in [one["name"] for one in planner.api("/task-class?page_size=100")["list"]]


@pytest.mark.long
def test_a_lesson_falls_and_a_holiday_comes(planner: Planner) -> None:
    page = planner.page
    number = planner.api("/schedule/courses")["list"][0]["id"]
    page.goto(f"{planner.base_url}/courses/{number}/lessons")
    page.locator(".lessons > li:not(.past)").nth(2).get_by_role("link", name="改这一次").click()
    page.locator("[name=kind][value=cancelled]").check()
    try_and_do(page)
    page.goto(f"{planner.base_url}/courses/days/new")
    planner.write(page.locator("[name=name]"), "Sports day")
    write_date(planner, page.locator("[name=first_date]"), TODAY + timedelta(days=8 - TODAY.weekday()))
    try_and_do(page)
    expect(page.get_by_text("Sports day").first).to_be_visible()


def try_and_do(page: Page) -> None:
    page.get_by_role("button", name="看看会怎样").click()
    page.get_by_role("button", name="就这样做").click()
    expect(page.get_by_text("已保存").first).to_be_visible()


@pytest.mark.long
def test_a_run_is_stopped_and_a_killed_server_is_waited_for(firefox: Browser, server_factory: Any) -> None:
    with OpenAIServer() as model:
        server = server_factory(AGENT_BACKEND="openai", OPENAI_BASE_URL=model.base_url, OPENAI_API_KEY="x", **QUICK)
        context = firefox.new_context(viewport={"width": 1360, "height": 900})
        planner = TypingPlanner(context.new_page(), server.base_url)
        planner.log_in("firefox", server.account("firefox"))
        planner.ready()
        begin_to_think(planner, model)
        planner.page.click("#cancel-run")
        expect(planner.page.locator("#timeline")).to_have_attribute("aria-busy", "false")
        begin_to_think(planner, model)
        planner.write(planner.page.locator("#message"), "not sent yet")
        server.stop(signal.SIGKILL)
        expect(planner.page.locator("#link-lost")).to_be_visible(timeout=20_000)
        server.start()
        expect(planner.page.locator("#timeline")).to_have_attribute("aria-busy", "false", timeout=60_000)
        expect(planner.page.locator("#message")).to_have_value("not sent yet")
        model.script([decision({"route": "direct_reply", "speak": "Space it out."})])
        with planner.running():
            planner.page.locator(".ask.open [data-action=resume]").click()
        expect(planner.page.locator(".block.text .bubble").last).to_have_text("Space it out.")
        context.close()


def begin_to_think(planner: Planner, model: OpenAIServer) -> None:
    deep = {"route": "deep_answer", "speak": "", "thinking": True}
    model.script([decision(deep), silence(chunk(reasoning_content="hm"))])
    planner.write(planner.page.locator("#message"), "How do I revise?")
    planner.page.click("#send")
    expect(planner.page.locator(".thought").last).to_have_text("hm")


def across_weeks(planner: Planner) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Suggestions and free places for them in another week, as the server judges them."""
    for entry in Places(planner).suggested:
        if entry["event_id"]:
            continue
        body = {"task_item_id": entry["task_item_id"], "conversation_id": planner.conversation}
        answer = planner.send("POST", "/agent/legal-places", body)
        for week in range(1, len(answer["weeks"]) + 1):
            if week != entry["week"]:
                yield from ((entry, place) for place in free_starts(answer, week))
