"""A browser (Debian's Chromium) and a signed-in page of the shared server."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from shutil import which
from typing import Any

import pytest
from playwright.sync_api import Browser, Playwright, expect, sync_playwright

from tests.kits.page.clock import SHIFT_S
from tests.kits.page.places import plan_before
from tests.kits.page.planner import Planner
from tests.kits.page.profiles import Profiles

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
    # All processors are busy with tests: what works ahead, or beside others, only takes longer.
    "--in-process-gpu",
    "--js-flags=--single-threaded --min-semi-space-size=16",
]


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


@pytest.fixture(scope="package")
def profiles(browser: Browser) -> Profiles:
    return Profiles(browser)


@pytest.fixture
def open_page(profiles: Profiles) -> Iterator[Any]:
    """`open_page(**options)`: a page of a profile in which nobody has been; at the end it has complained of nothing."""
    with profiles.opened() as take:
        yield take


@pytest.fixture
def enter(open_page: Any, server: Any) -> Any:
    """`enter(username)`: that page signed in as that account, with the demo data; nothing is opened yet.

    Without a name it is the account of the tests that leave everything as it is.
    """

    def entered(username: str = "visitor", **options: Any) -> Planner:
        planner = Planner(open_page(**options), server.base_url)
        planner.sign_in(server, username)
        return planner

    return entered


@pytest.fixture
def open_planner(enter: Any) -> Any:
    """`open_planner(username, path)`: the same with its first page."""

    def opened(username: str = "visitor", path: str = "/", **options: Any) -> Planner:
        planner: Planner = enter(username, **options)
        planner.open(path)
        return planner

    return opened


@pytest.fixture(scope="package")
def planned_talks() -> dict[tuple[str, str], str]:
    """The conversation of each account, by server, that has planned all its tasks."""
    return {}


@pytest.fixture
def open_planned(enter: Any, server: Any, planned_talks: dict[tuple[str, str], str]) -> Any:
    """`open_planned(username)`: the same in the conversation that has planned all tasks, whose draft is not applied.

    Without a name it is the account of the tests that leave the draft, the account and its talk as they are.
    """

    def opened(username: str = "reader", path: str = "/week", **options: Any) -> Planner:
        planner: Planner = enter(username, **options)
        account = server.base_url, username
        if account not in planned_talks:
            planned_talks[account] = plan_before(planner)
        planner.open(f"{path}?conversation={planned_talks[account]}")
        return planner

    return opened
