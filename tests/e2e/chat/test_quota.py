"""The messages of a day are used up: the next one stays where it was typed, and the page says why."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.kits.page.hands import PHONE
from tests.kits.page.planner import Planner


@pytest.fixture(scope="module")
def frugal(server_factory: Any) -> Any:
    """A server that takes one message a day."""
    return server_factory(AGENT_BACKEND="offline", AGENT_DAILY_MESSAGES="1")


@pytest.mark.parametrize("options", [{}, {**PHONE, "locale": "en-US"}], ids=["desk-zh", "phone-en"])
def test_a_message_beyond_the_limit_stays_in_the_composer(open_page: Any, frugal: Any, options: dict[str, Any]) -> None:
    planner = Planner(open_page(**options), frugal.base_url)
    planner.sign_in(frugal, f"busy-{len(options)}")
    planner.open("/chat")
    planner.say("这周哪天最空")
    page = planner.page
    page.fill("#message", "再问一句")
    page.click("#send")
    told = {"zh-CN": "已经用完", "en-US": "used up"}[options.get("locale", "zh-CN")]
    expect(page.locator(".toast.error")).to_contain_text(told)
    expect(page.locator("#message")).to_have_value("再问一句")
    expect(page.locator(".block.user")).to_have_count(1)
    page.click(".rail a[href='/settings']")
    planner.ready()
    expect(page.locator("[aria-labelledby=assistant-title]")).to_contain_text(
        {"zh-CN": "还剩 0 次", "en-US": "0 left"}[options.get("locale", "zh-CN")]
    )


def test_more_tasks_than_a_message_takes_are_told_with_the_limit(enter: Any) -> None:
    made = 0
    for language, told in (("zh-CN", "一次最多选 20 个任务"), ("en-US", "20 tasks at most at once")):
        planner = enter("many", locale=language)
        for number in range(made, 21):
            planner.send("POST", "/task-class", {"name": f"任务{number}", "mode": "manual", "items": []})
        made = 21
        planner.open("/chat")
        page = planner.page
        for box in page.locator("#class-list input").all():
            box.check()
        page.fill("#message", "排一排")
        page.click("#send")
        expect(page.locator(".toast.error")).to_contain_text(told)
