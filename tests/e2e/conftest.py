"""A browser (Debian's Chromium) and a signed-in page of the shared server."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from shutil import which
from typing import Any

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, Playwright, expect, sync_playwright

from tests.kits.page.clock import SHIFT_S, shift_clock
from tests.kits.page.planner import Planner

expect.set_options(timeout=20_000)  # a machine that is busy with other things
CHROMIUM = "/usr/bin/chromium"
HEADLESS = which("chromium-headless-shell") or CHROMIUM
"""The same engine built without windows, where it is installed: it opens a page for two thirds of the work."""
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


# What moves all the time is painted all the time.
STUDENT = {
    "locale": "zh-CN",
    "viewport": {"width": 1360, "height": 900},
    "reduced_motion": "reduce",
    "service_workers": "block",
}


@pytest.fixture(scope="module")
def server_factory(server_factory: Any) -> Any:
    """The servers of the page tests: their clock is that of the pages."""
    return partial(server_factory, TEST_CLOCK_SHIFT=str(SHIFT_S))


@pytest.fixture(scope="session")
def server(lasting_server_factory: Any) -> Any:
    """One shared server on the offline backend. Tests keep apart by using accounts of their own."""
    return lasting_server_factory(AGENT_BACKEND="offline", TEST_CLOCK_SHIFT=str(SHIFT_S))


@pytest.fixture(scope="package")  # its own event loop must be gone before any async test
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as started:
        yield started


@pytest.fixture(scope="package")
def browser(playwright: Playwright) -> Iterator[Browser]:
    """One browser for all page tests of a worker; what a test opens is a profile of its own."""
    chromium = playwright.chromium.launch(executable_path=HEADLESS, args=FLAGS)
    yield chromium
    chromium.close()


def note_refusal(page: Page, message: ConsoleMessage) -> None:
    """What the content security policy refuses is told on the console only."""
    if "Content Security Policy" in message.text:
        page.problems.append(message.text)  # type: ignore[attr-defined]


@pytest.fixture
def open_planner(browser: Browser, server: Any, tmp_path: Path) -> Iterator[Any]:
    """`open_planner(username)`: a fresh browser profile signed in as that account, with the demo data."""
    contexts = []

    def opened(username: str, **options: Any) -> Planner:
        context = browser.new_context(**{**STUDENT, **options})
        contexts.append(context)
        shift_clock(context)
        page = context.new_page()
        page.problems = []  # type: ignore[attr-defined]
        page.on("pageerror", lambda error: page.problems.append(str(error)))  # type: ignore[attr-defined]
        page.on("console", lambda message: note_refusal(page, message))
        planner = Planner(page, server.base_url)
        planner.sign_in(server, username)
        return planner

    yield opened
    problems = [problem for context in contexts for page in context.pages for problem in page.problems]
    for context in contexts:
        context.close()
    assert problems == []
