"""The ways in which a student holds the page: a language, a size, and what presses."""

from __future__ import annotations

import gettext
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.kits.page.planner import Planner

LOCALE = Path(__file__).resolve().parents[3] / "smartmate" / "locale"
DESK: dict[str, Any] = {"viewport": {"width": 1360, "height": 900}}
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
MOST_STEPS = 12


@dataclass(frozen=True)
class Hands:
    """`pointer` is mouse, touch or keys; `locale` as browsers name it."""

    name: str
    locale: str
    size: str
    pointer: str

    @property
    def options(self) -> dict[str, Any]:
        return {**(PHONE if self.size == "phone" else DESK), "locale": self.locale}

    def words(self, chinese: str, context: str | None = None) -> str:
        """The text of the page in its language, from the catalogue that the page is made from."""
        if self.locale == "zh-CN":
            return chinese
        catalogue = english()
        found = catalogue.pgettext(context, chinese) if context else catalogue.gettext(chinese)
        assert found != chinese, f"no English for {chinese}"
        return found

    def press(self, target: Locator) -> None:
        """A click, a tap, or Enter (Space for what is ticked) on what has the focus."""
        if self.pointer == "mouse":
            target.click()
        elif self.pointer == "touch":
            target.tap()
        else:
            target.focus()
            expect(target).to_be_focused()
            ticked = target.evaluate("node => ['checkbox', 'radio'].includes(node.type)")
            target.page.keyboard.press("Space" if ticked else "Enter")

    def button(
        self, within: Page | Locator, chinese: str, context: str | None = None, *, exact: bool = True
    ) -> Locator:
        return within.get_by_role("button", name=self.words(chinese, context), exact=exact)

    def put(self, planner: Planner, entry: dict[str, Any], place: dict[str, Any]) -> None:
        """Takes a suggestion into the hand and puts it down at a place, whatever lies there."""
        page = planner.page
        planner.show("week")
        self.turn_to(page, entry["week"])
        self.show_day(page, entry["day_of_week"])
        block = page.locator(f".entry[data-item='{entry['task_item_id']}']")
        if self.pointer == "keys":
            block.focus()
            page.keyboard.press("m")
            self._carry(page, entry, place)
            return
        self.press(block)
        self.press(self.button(page.locator("#block-sheet"), "移动"))
        expect(page.locator(".cell.legal").first).to_be_attached()
        self.turn_to(page, place["week"])
        self.show_day(page, place["day_of_week"])
        cell = page.locator(f".cell[data-day='{place['day_of_week']}'][data-section='{place['section_from']}']")
        cell.scroll_into_view_if_needed()
        cell.tap(force=True) if self.pointer == "touch" else cell.click(force=True)

    def turn_to(self, page: Page, week: int) -> None:
        tab = page.locator(f"[data-week='{week}']")
        if tab.get_attribute("aria-current") != "true":
            self.press(tab)
            expect(tab).to_have_attribute("aria-current", "true")

    def show_day(self, page: Page, day: int) -> None:
        """A phone shows few days at once."""
        strip = page.locator(".strip-day")
        if self.size == "phone" and strip.first.is_visible():
            self.press(strip.nth(day - 1))
            expect(page.locator(f".cell[data-day='{day}']").first).to_be_visible()

    def _carry(self, page: Page, entry: dict[str, Any], place: dict[str, Any]) -> None:
        keys = page.keyboard
        expect(page.locator(".cell.legal").first).to_be_attached()
        weeks = place["week"] - entry["week"]
        for step in range(abs(weeks)):
            keys.press("PageDown" if weeks > 0 else "PageUp")
            shown = entry["week"] + (step + 1) * (1 if weeks > 0 else -1)
            expect(page.locator(f"[data-week='{shown}']")).to_have_attribute("aria-current", "true")
        for name, more, less in (
            ("day_of_week", "ArrowRight", "ArrowLeft"),
            ("section_from", "ArrowDown", "ArrowUp"),
        ):
            steps = place[name] - entry[name]
            assert abs(steps) <= MOST_STEPS
            for _ in range(abs(steps)):
                keys.press(more if steps > 0 else less)
        keys.press("Enter")


@cache
def english() -> gettext.NullTranslations:
    return gettext.translation("django", LOCALE, ["en"])


HANDS = (
    Hands("desk-zh-mouse", "zh-CN", "desk", "mouse"),
    Hands("desk-en-mouse", "en-US", "desk", "mouse"),
    Hands("desk-zh-keys", "zh-CN", "desk", "keys"),
    Hands("desk-en-keys", "en-US", "desk", "keys"),
    Hands("phone-zh-touch", "zh-CN", "phone", "touch"),
    Hands("phone-en-touch", "en-US", "phone", "touch"),
)


def by(*names: str) -> pytest.MarkDecorator:
    """The hands that do a job in the default run; the others have their turn in the long one."""
    assert set(names) <= {hands.name for hands in HANDS}
    rows = [
        pytest.param(hands, id=hands.name, marks=[] if hands.name in names else [pytest.mark.long]) for hands in HANDS
    ]
    return pytest.mark.parametrize("hands", rows)
