"""A browser for the gallery: the page of a screen in a language, a theme and a width."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Browser, Page

from tests.kits.gallery.screens import Screen, script_of
from tests.kits.gallery.site import Site
from tests.kits.page.profiles import forget

WIDTHS = {1440: 900, 1024: 768, 390: 844, 320: 640}
TOUCH_BELOW = 861
PATIENCE_MS = 30_000
LANGUAGES = {"zh": "zh-CN", "en": "en-US"}
THEMES: Sequence[Any] = ("light", "dark")


@dataclass(frozen=True)
class Frame:
    lang: str
    theme: Any
    width: int

    def __str__(self) -> str:
        return f"{self.lang}-{self.theme}-{self.width}"


class Pages:
    """A page of the browser for each frame. Each screen finds it signed in anew, with nothing of the one before.

    What a profile costs to open is paid once; what a browser may keep without being asked, files and compiled scripts,
    it keeps.
    """

    def __init__(self, browser: Browser, site: Site) -> None:
        self._browser, self._site = browser, site
        self._open: dict[Frame, Page] = {}

    @contextmanager
    def show(self, screen: Screen, frame: Frame) -> Iterator[Page]:
        """The page of a screen with its state reached; the clock of the browser is that of the site."""
        site, gate = self._site, threading.Event()
        student = site.student(screen.stage, frame.lang, screen.kind) if screen.stage else None
        if screen.kind == "openai":
            script_of(screen, site.model, gate)
        page = self._open.pop(frame, None) or self._opened(frame)
        try:
            base_url = site.server(screen.kind).base_url
            if student is not None:
                page.context.add_cookies(student.cookies(base_url))  # type: ignore[arg-type]
            address = screen.address
            page.goto(base_url + (address if isinstance(address, str) else address(_known(student))))
            if page.locator("script[data-shell]").count():
                page.wait_for_selector("html[data-ready]", timeout=30_000)
            if screen.act is not None:
                screen.act(page)
            page.evaluate("() => document.fonts.ready.then(() => new Promise(requestAnimationFrame))")
            yield page
        except BaseException:
            page.context.close()
            raise
        finally:
            gate.set()
        forget(page)
        self._open[frame] = page

    def _opened(self, frame: Frame) -> Page:
        touch = frame.width < TOUCH_BELOW
        context = self._browser.new_context(
            locale=LANGUAGES[frame.lang],
            color_scheme=frame.theme,
            viewport={"width": frame.width, "height": WIDTHS.get(frame.width, 900)},
            has_touch=touch,
            is_mobile=touch,
            reduced_motion="reduce",
            timezone_id="Asia/Shanghai",
            service_workers="block",
        )
        context.set_default_timeout(PATIENCE_MS)
        page = context.new_page()
        page.clock.set_fixed_time(self._site.now)
        return page


def _known(student: Any) -> Any:
    assert student is not None
    return student
