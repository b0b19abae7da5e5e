"""A run that does not come to its end, by every hand: the student stops it, or the server is killed in its middle."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.kits.page.hands import Hands, by
from tests.kits.page.planner import Planner
from tests.kits.page.profiles import STUDENT
from tests.kits.provider.openai_server import OpenAIServer, chunk, decision, silence

DEEP = {"route": "deep_answer", "speak": "", "thinking": True}
ANSWER = "分散着复习。"
ASKED = {"zh-CN": "怎样安排复习记得最牢？", "en-US": "How do I revise so that it lasts?"}
TYPED = {"zh-CN": "还没发出去的话", "en-US": "words that were not sent yet"}
# The database judges leases by its own clock, which is not shifted.
QUICK = {"AGENT_LEASE_S": "2", "AGENT_SWEEP_S": "0.3", "TEST_CLOCK_SHIFT": "0"}


@pytest.fixture(scope="module")
def model() -> Iterator[OpenAIServer]:
    with OpenAIServer() as endpoint:
        yield endpoint


@pytest.fixture(scope="module")
def modelled(server_factory: Any, model: OpenAIServer) -> Any:
    return server_factory(AGENT_BACKEND="openai", OPENAI_BASE_URL=model.base_url, OPENAI_API_KEY="x", **QUICK)


@pytest.fixture
def planner(browser: Browser, modelled: Any, model: OpenAIServer, hands: Hands) -> Iterator[Planner]:
    model.reset()
    context = browser.new_context(**{**STUDENT, **hands.options})  # its clock is that of the database
    signed_in = Planner(context.new_page(), modelled.base_url)
    signed_in.sign_in(modelled, f"interrupted-{hands.name}")
    signed_in.open("/chat")
    yield signed_in
    context.close()


def ask(planner: Planner, hands: Hands, model: OpenAIServer) -> None:
    """The model has begun to think and goes on thinking."""
    model.script([decision(DEEP), silence(chunk(reasoning_content="先想想"))])
    planner.show("chat")
    planner.page.locator("#message").fill(ASKED[hands.locale])
    hands.press(planner.page.locator("#send"))
    expect(planner.page.locator(".thought")).to_have_text("先想想")
    planner.page.locator("#message").fill(TYPED[hands.locale])


def idle(page: Page) -> None:
    expect(page.locator("#timeline")).to_have_attribute("aria-busy", "false", timeout=60_000)


@by("desk-en-keys", "phone-zh-touch")
def test_a_run_is_stopped_and_another_message_goes_on(planner: Planner, hands: Hands, model: OpenAIServer) -> None:
    page = planner.page
    ask(planner, hands, model)
    hands.press(page.locator("#cancel-run"))
    idle(page)
    expect(page.locator("#cancel-run")).to_be_hidden()
    expect(page.locator("#message")).to_have_value(TYPED[hands.locale])
    model.script([decision({"route": "direct_reply", "speak": ANSWER})])
    with planner.running():
        hands.press(page.locator("#send"))
    expect(page.locator(".block.text .bubble").last).to_have_text(ANSWER)
    page.reload()
    planner.ready()
    planner.show("chat")
    expect(page.locator(".block.user")).to_have_count(2)
    expect(page.locator(".block.text .bubble").last).to_have_text(ANSWER)


@by("desk-zh-mouse", "phone-en-touch")
def test_a_server_killed_in_mid_run_is_waited_for_and_the_run_taken_up(
    planner: Planner, hands: Hands, model: OpenAIServer, modelled: Any
) -> None:
    page = planner.page
    ask(planner, hands, model)
    modelled.stop(signal.SIGKILL)
    expect(page.locator("#link-lost")).to_be_visible(timeout=20_000)
    modelled.start()
    idle(page)
    expect(page.locator("#link-lost")).to_be_hidden()
    expect(page.locator("#message")).to_have_value(TYPED[hands.locale])
    model.script([decision({"route": "direct_reply", "speak": ANSWER})])
    with planner.running():
        hands.press(page.locator(".ask.open [data-action=resume]"))
    expect(page.locator(".block.text .bubble").last).to_have_text(ANSWER)
    page.reload()
    planner.ready()
    planner.show("chat")
    expect(page.locator(".block.text .bubble").last).to_have_text(ANSWER)
