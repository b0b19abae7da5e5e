"""The server is killed in the middle of a run: the open page waits, tells it, and takes the run up again."""

from __future__ import annotations

import signal
from typing import Any

from playwright.sync_api import expect

from tests.kits.page.planner import Planner
from tests.kits.provider.openai_server import OpenAIServer, chunk, decision, silence

DEEP = {"route": "deep_answer", "speak": "", "thinking": True}
# The database judges leases by its own clock, which is not shifted.
QUICK = {"AGENT_LEASE_S": "2", "AGENT_SWEEP_S": "0.3", "TEST_CLOCK_SHIFT": "0"}


def test_an_open_page_takes_up_a_run_that_was_killed(browser: Any, server_factory: Any) -> None:
    with OpenAIServer() as model:
        server = server_factory(AGENT_BACKEND="openai", OPENAI_BASE_URL=model.base_url, OPENAI_API_KEY="x", **QUICK)
        context = browser.new_context(locale="zh-CN", service_workers="block")
        planner = Planner(context.new_page(), server.base_url)
        planner.log_in("killed", server.account("killed"))
        planner.ready()
        page = planner.page
        model.script([decision(DEEP), silence(chunk(reasoning_content="先想想"))])
        page.fill("#message", "怎样安排复习记得最牢？")
        page.click("#send")
        expect(page.locator(".thought")).to_have_text("先想想")
        page.fill("#message", "还没发出去的话")
        server.stop(signal.SIGKILL)
        expect(page.locator("#link-lost")).to_be_visible(timeout=20_000)
        server.start()
        expect(page.locator("#timeline")).to_have_attribute("aria-busy", "false", timeout=60_000)
        expect(page.locator("#link-lost")).to_be_hidden()
        expect(page.locator("#message")).to_have_value("还没发出去的话")
        model.script([decision({"route": "direct_reply", "speak": "分散着复习。"})])
        with planner.running():
            page.locator(".ask.open [data-action=resume]").click()
        expect(page.locator(".block.text .bubble").last).to_have_text("分散着复习。")
        page.reload()
        planner.ready()
        expect(page.locator(".block.text .bubble").last).to_have_text("分散着复习。")
        context.close()
