"""A browser (Debian's Chromium) and a signed-in page of the shared server."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, expect, sync_playwright

CHROMIUM = "/usr/bin/chromium"
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
RUN_MS = 60_000


@pytest.fixture(scope="module")  # its own event loop must be gone before any async test
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield chromium
        chromium.close()


def note_refusal(page: Page, message: ConsoleMessage) -> None:
    """What the content security policy refuses is told on the console only."""
    if "Content Security Policy" in message.text:
        page.problems.append(message.text)  # type: ignore[attr-defined]


class Planner:
    """What a student does in the page, in words."""

    def __init__(self, page: Page, base_url: str) -> None:
        self.page, self.base_url = page, base_url

    def log_in(self, username: str, password: str) -> None:
        self.page.goto(self.base_url)
        self.page.get_by_label("用户名").fill(username)
        self.page.get_by_label("密码").fill(password)
        self.page.locator("main button").click()

    def ready(self) -> None:
        self.page.wait_for_selector("html[data-ready]")

    def say(self, message: str) -> None:
        with self.running():
            self.page.fill("#message", message)
            self.page.click("#send")

    @contextmanager
    def running(self) -> Iterator[None]:
        """The run that is started inside has ended and is drawn, however quick it was."""
        with self.page.expect_request("**/api/v1/agent/chat"):
            yield
        expect(self.page.locator("#timeline")).to_have_attribute("aria-busy", "false", timeout=RUN_MS)
        self.page.evaluate("() => new Promise(requestAnimationFrame)")

    def blocks(self) -> list[str]:
        """Kinds and texts of the timeline in order, without the passing status lines."""
        rows = self.page.locator("#timeline > li:not(.status)").all()
        return [f"{row.get_attribute('data-kind')}: {re.sub(r'[0-9.]+ ?秒', '', row.inner_text())}" for row in rows]

    def kinds(self) -> list[str]:
        return [block.split(":")[0] for block in self.blocks()]

    def api(self, path: str) -> Any:
        return self.page.request.get(f"{self.base_url}/api/v1{path}").json()["data"]

    @property
    def conversation(self) -> str:
        return self.page.url.split("conversation=")[1]

    def preview(self) -> Any:
        return self.api(f"/agent/schedule-preview?conversation_id={self.conversation}")

    def show_week(self, week: int) -> None:
        self.page.locator(f"[data-week='{week}']").click()

    def drag(self, entry: dict[str, Any], place: dict[str, Any]) -> None:
        """With the pointer; another week is reached by resting on its button."""
        self.show_week(entry["week"])
        block = self.page.locator(f".entry[data-item='{entry['task_item_id']}']")
        block.scroll_into_view_if_needed()
        box = block.bounding_box()
        assert box is not None
        mouse = self.page.mouse
        mouse.move(box["x"] + 20, box["y"] + 8)
        mouse.down()
        mouse.move(box["x"] + 24, box["y"] + 16, steps=3)
        if place["week"] != entry["week"]:
            self._move_over(f"[data-week='{place['week']}']")
            expect(self.page.locator(f"[data-week='{place['week']}']")).to_have_attribute("aria-current", "true")
        self._move_over(f".cell[data-day='{place['day_of_week']}'][data-section='{place['section_from']}']")
        expect(self.page.locator(".ghost.ok")).to_be_visible()
        mouse.up()

    def _move_over(self, selector: str) -> None:
        self.page.locator(selector).scroll_into_view_if_needed()
        box = self.page.locator(selector).bounding_box()
        assert box is not None
        self.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 6, steps=4)


@pytest.fixture
def open_planner(browser: Browser, server: Any, tmp_path: Path) -> Iterator[Any]:
    """`open_planner(username)`: a fresh browser profile signed in as that account, with the demo data."""
    contexts = []

    def opened(username: str, **options: Any) -> Planner:
        context = browser.new_context(**{"locale": "zh-CN", "viewport": {"width": 1360, "height": 900}, **options})
        contexts.append(context)
        page = context.new_page()
        page.problems = []  # type: ignore[attr-defined]
        page.on("pageerror", lambda error: page.problems.append(str(error)))  # type: ignore[attr-defined]
        page.on("console", lambda message: note_refusal(page, message))
        planner = Planner(page, server.base_url)
        planner.log_in(username, server.account(username))
        planner.ready()
        return planner

    yield opened
    problems = [problem for context in contexts for page in context.pages for problem in page.problems]
    for context in contexts:
        context.close()
    assert problems == []
