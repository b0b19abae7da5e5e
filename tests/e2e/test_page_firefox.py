"""The main jobs in Firefox as Debian ships it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, expect, sync_playwright

from tests.kits.page import firefox_relay
from tests.kits.page.planner import RUN_MS, Planner


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

    @property
    def conversation(self) -> str:
        """The newest one: a long-term release does not tell Playwright that the address changed."""
        newest: str = self.api("/agent/conversations?page=1&page_size=1")["list"][0]["conversation_id"]
        return newest


@pytest.fixture(scope="module")
def firefox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    program = tmp_path_factory.mktemp("firefox") / "firefox"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{Path(firefox_relay.__file__).resolve()}" "$@"\n')
    program.chmod(0o755)
    with sync_playwright() as playwright:
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


def test_a_plan_is_made_applied_and_undone(planner: Planner) -> None:
    page = planner.page
    for box in page.locator("#class-list input").all():
        box.check()
    planner.say("plan the selected tasks")
    expect(page.locator(".entry.suggested").first).to_be_visible()
    page.click("#apply")
    expect(page.locator(".toast.success", has_text="已应用到课表")).to_be_visible()
    page.click("#undo")
    expect(page.locator(".toast.success", has_text="已撤销")).to_be_visible()
    expect(page.locator(".entry.suggested").first).to_be_visible()
