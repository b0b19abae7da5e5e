"""Browser profiles that are used one after the other: what one costs to open is paid once.

Each user finds a page as if nobody had been there. What a browser may keep without being asked, files and compiled
scripts, it keeps.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urljoin

from playwright.sync_api import Browser, ConsoleMessage, Page

from tests.kits.page.clock import shift_clock

STUDENT: dict[str, Any] = {
    "locale": "zh-CN",
    "viewport": {"width": 1360, "height": 900},
    "reduced_motion": "reduce",  # what moves all the time is painted all the time
    "service_workers": "block",
}
KEPT = 4
"""How many profiles wait for their next user."""


class Profiles:
    """The profiles of one browser; each has the clock of the page tests."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._free: list[tuple[str, Page]] = []

    @contextmanager
    def opened(self) -> Iterator[Any]:
        """`take(own=False, **options)`: a page whose `problems` are what it complains of; all are left at the end.

        `own` is a profile that nobody has after this one: what is done to it cannot be undone.
        """
        taken: list[tuple[str, Page]] = []

        def take(own: bool = False, **options: Any) -> Page:
            wanted = {**STUDENT, **options}
            key = "" if own or wanted["service_workers"] == "allow" else _kind(wanted)
            page = self._found(key) or self._made(wanted)
            page.set_viewport_size(wanted["viewport"])
            taken.append((key, page))
            return page

        try:
            yield take
            problems = [problem for _, page in taken for one in page.context.pages for problem in _problems(one)]
            assert problems == []
            for key, page in taken:
                if key:
                    forget(page)
                    self._free.append((key, page))
        finally:
            kept = {page for _, page in self._free[-KEPT:]}
            for page in {page for _, page in (*taken, *self._free)} - kept:
                page.context.close()
            self._free = self._free[-KEPT:]

    def _found(self, key: str) -> Page | None:
        for number, (kind, _) in enumerate(self._free):
            if key and kind == key:
                return self._free.pop(number)[1]
        return None

    def _made(self, options: dict[str, Any]) -> Page:
        context = self._browser.new_context(**options)
        shift_clock(context)
        context.on("page", watch)
        return context.new_page()


def _kind(options: dict[str, Any]) -> str:
    """Profiles of one kind differ in the size of their window only, which can be changed; a phone's cannot."""
    return json.dumps(
        {name: value for name, value in options.items() if name != "viewport" or options.get("is_mobile")}
    )


def _problems(page: Page) -> list[str]:
    return page.problems  # type: ignore[attr-defined, no-any-return]


def watch(page: Page) -> None:
    """Collects in `page.problems` the errors of a page, and what its content security policy has refused."""
    problems: list[str] = []
    page.problems = problems  # type: ignore[attr-defined]
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("console", lambda message: _note_refusal(problems, message))


def _note_refusal(problems: list[str], message: ConsoleMessage) -> None:
    """What the policy refuses is told on the console only."""
    if "Content Security Policy" in message.text:
        problems.append(message.text)


def forget(page: Page) -> None:
    """Leaves a page as if nobody had been there: no cookies, nothing stored, no pointer over anything."""
    context = page.context
    for other in context.pages:
        if other != page:
            other.close()
    page.unroute_all(behavior="ignoreErrors")
    context.set_offline(False)
    page.mouse.move(-1, -1)
    if page.url != "about:blank":
        page.goto(urljoin(page.url, "/healthz"))  # what a screen writes when it is left has been written
        page.evaluate("() => { localStorage.clear(); sessionStorage.clear(); }")
    context.clear_cookies()
