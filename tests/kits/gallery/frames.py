"""A browser for the gallery: one page of a screen in a language, a theme and a width."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Browser, Page

from tests.kits.gallery.screens import Screen, script_of
from tests.kits.gallery.site import Site

WIDTHS = {1440: 900, 1024: 768, 390: 844, 320: 640}
TOUCH_BELOW = 861
PATIENCE_MS = 10_000
LANGUAGES = {"zh": "zh-CN", "en": "en-US"}
THEMES: Sequence[Any] = ("light", "dark")


@dataclass(frozen=True)
class Frame:
    lang: str
    theme: Any
    width: int

    def __str__(self) -> str:
        return f"{self.lang}-{self.theme}-{self.width}"


@contextmanager
def framed(browser: Browser, site: Site, screen: Screen, frame: Frame) -> Iterator[Page]:
    """The page of a screen, signed in, with its state reached; the clock of the browser is that of the site."""
    gate = threading.Event()
    student = site.student(screen.stage, frame.lang, screen.kind) if screen.stage else None
    if screen.kind == "openai":
        script_of(screen, site.model, gate)
    touch = frame.width < TOUCH_BELOW
    context = browser.new_context(
        locale=LANGUAGES[frame.lang],
        color_scheme=frame.theme,
        viewport={"width": frame.width, "height": WIDTHS.get(frame.width, 900)},
        has_touch=touch,
        is_mobile=touch,
        reduced_motion="reduce",
        timezone_id="Asia/Shanghai",
        service_workers="block",
    )
    try:
        base_url = site.server(screen.kind).base_url
        if student is not None:
            context.add_cookies(student.cookies(base_url))  # type: ignore[arg-type]
        context.set_default_timeout(PATIENCE_MS)
        page = context.new_page()
        page.clock.set_fixed_time(site.now)
        address = screen.address
        page.goto(base_url + (address if isinstance(address, str) else address(_known(student))))
        if page.locator("#week-grid").count():
            page.wait_for_selector("html[data-ready]", timeout=30_000)
        if screen.act is not None:
            screen.act(page)
        page.evaluate("() => document.fonts.ready.then(() => new Promise(requestAnimationFrame))")
        yield page
    finally:
        gate.set()
        context.close()


def _known(student: Any) -> Any:
    assert student is not None
    return student
