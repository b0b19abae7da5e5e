"""What a thinking model shows in the page, and how a failing one is told: real browser, server and model endpoint."""

from __future__ import annotations

import re
import threading
import zlib
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.kits.page.planner import Planner
from tests.kits.provider.openai_server import (
    Head,
    OpenAIServer,
    Wait,
    chunk,
    decision,
    deltas,
    silence,
    status,
    text,
)

DEEP = {"route": "deep_answer", "speak": "", "thinking": True}


@pytest.fixture(scope="module")
def model() -> Iterator[OpenAIServer]:
    with OpenAIServer() as endpoint:
        yield endpoint


@pytest.fixture(scope="module")
def modelled(server_factory: Any, model: OpenAIServer) -> Any:
    return server_factory(AGENT_BACKEND="openai", OPENAI_BASE_URL=model.base_url, OPENAI_API_KEY="x")


@pytest.fixture
def planner(open_page: Any, modelled: Any, model: OpenAIServer, request: pytest.FixtureRequest) -> Planner:
    model.reset()
    student = Planner(open_page(), modelled.base_url)
    student.sign_in(modelled, f"thinker-{zlib.crc32(request.node.name.encode()):x}")
    student.open("/chat")
    return student


def test_thinking_stands_before_the_answer_and_folds_itself(planner: Planner, model: OpenAIServer) -> None:
    page = planner.page
    answer = deltas(["分散", "学习，", "间隔", "复习。"], reasoning=["先想想", "遗忘曲线。"])
    model.script([decision(DEEP), answer])
    planner.say("怎样安排复习记得最牢？")
    assert planner.kinds() == ["user", "reasoning", "text"]
    thinking = page.locator(".block.reasoning details")
    expect(thinking.locator("summary")).to_have_text(re.compile("思考了 .* 秒"))
    assert thinking.get_attribute("open") is None
    thinking.locator("summary").click()
    expect(thinking.locator(".thought")).to_have_text("先想想遗忘曲线。")
    expect(page.locator(".block.text .bubble")).to_have_text("分散学习，间隔复习。")
    before = planner.blocks()
    page.reload()
    planner.ready()
    assert [block.split(":")[0] for block in planner.blocks()] == [block.split(":")[0] for block in before]


def test_a_model_that_fails_is_told_in_words_and_the_next_message_works(planner: Planner, model: OpenAIServer) -> None:
    model.script([status(401), decision({"route": "direct_reply", "speak": "我在。"})])
    planner.say("你好")
    expect(planner.page.locator(".block.error .failure")).to_contain_text("课表和草稿都没有变")
    assert "provider text" not in planner.page.content()
    planner.say("还在吗")
    expect(planner.page.locator(".block.text .bubble").last).to_have_text("我在。")


def test_a_message_that_failed_is_sent_again_by_one_press(planner: Planner, model: OpenAIServer) -> None:
    model.script([status(401), decision({"route": "direct_reply", "speak": "我在。"})])
    planner.say("你在吗")
    with planner.running():
        planner.page.get_by_role("button", name="再试一次").click()
    expect(planner.page.locator(".block.text .bubble").last).to_have_text("我在。")
    expect(planner.page.locator(".block.user .bubble")).to_have_text(["你在吗", "你在吗"])


def test_a_reload_follows_the_live_run_and_stop_ends_it(planner: Planner, model: OpenAIServer) -> None:
    page = planner.page
    model.script([decision(DEEP), silence(chunk(reasoning_content="先想想"))])
    page.fill("#message", "怎样安排复习记得最牢？")
    page.click("#send")
    expect(page.locator(".thought")).to_have_text("先想想")
    page.reload()
    planner.ready()
    expect(page.locator("#timeline")).to_have_attribute("aria-busy", "true")
    expect(page.locator(".thought")).to_have_text("先想想")
    page.click("#cancel-run")
    expect(page.locator("#timeline")).to_have_attribute("aria-busy", "false")
    expect(page.locator("#send")).to_be_enabled()
    assert model.closed_early.wait(5)


def test_a_failure_tells_what_was_done_before_it_and_goes_on_from_there(planner: Planner, model: OpenAIServer) -> None:
    page = planner.page
    model.script([decision({"route": "execute", "needs_rough_build": True}), status(500), status(500), status(500)])
    planner.say("帮我排概率论期中复习")
    card = page.locator(".block.error .failure")
    expect(card).to_contain_text("已经完成的步骤都保留着")
    expect(card).not_to_contain_text("草稿都没有变")
    expect(page.get_by_role("button", name="再试一次")).to_have_count(0)  # all of it again would do it twice
    page.reload()
    planner.ready()
    expect(page.locator(".block.error .failure")).to_contain_text("已经完成的步骤都保留着")
    model.script([decision({"action": "done", "goal_check": "已预排"}), text("排好了。")])
    with planner.running():
        page.get_by_role("button", name="继续").click()
    expect(page.locator(".block.text .bubble").last).to_contain_text("排好了。")


def test_an_offer_to_go_on_is_closed_by_another_message(planner: Planner, model: OpenAIServer) -> None:
    page = planner.page
    broken = [status(500), status(500), status(500)]
    model.script([decision({"route": "execute"}), *broken, silence()])
    planner.say("把概率论挪一下")
    expect(page.locator(".ask.open [data-action=resume]")).to_be_visible()
    page.fill("#message", "算了，今天有什么课？")
    page.click("#send")
    expect(page.locator("#timeline")).to_have_attribute("aria-busy", "true")
    expect(page.locator(".ask.open")).to_have_count(0)
    page.click("#cancel-run")
    expect(page.locator("#timeline")).to_have_attribute("aria-busy", "false")


def test_while_the_model_is_silent_the_page_says_that_it_thinks(planner: Planner, model: OpenAIServer) -> None:
    page = planner.page
    first, last = threading.Event(), threading.Event()
    look = {"action": "continue", "speak": "先看看。", "tool_call": {"name": "get_overview", "arguments": {}}}
    done = {"action": "done", "goal_check": "看过了"}
    model.script([[Head(), Wait(first), *decision({"route": "execute"})], decision(look)])
    model.script([[Head(), Wait(last), *decision(done)], text("看过了。")])
    page.fill("#message", "看看总览")
    page.click("#send")
    waits = page.locator("#timeline > li:last-child.status", has_text="正在想")
    expect(waits).to_be_visible()
    page.reload()
    planner.ready()
    expect(waits).to_be_visible()
    first.set()
    expect(page.locator(".steps-line")).to_be_visible()
    expect(waits).to_be_visible()  # the second round has no status of its own
    last.set()
    expect(page.locator("#timeline")).to_have_attribute("aria-busy", "false")
    expect(page.locator("#timeline .status")).to_have_count(0)


def test_a_long_thought_leaves_room_for_the_talk(planner: Planner, model: OpenAIServer) -> None:
    page = planner.page
    model.script([decision(DEEP), silence(*(chunk(reasoning_content=f"想到第 {n} 点。\n") for n in range(60)))])
    page.fill("#message", "怎样安排复习记得最牢？")
    page.click("#send")
    expect(page.locator(".thought")).to_contain_text("想到第 59 点")
    box = page.locator(".thought").bounding_box()
    assert box is not None
    assert box["height"] < 200
    page.click("#cancel-run")
    expect(page.locator("#timeline")).to_have_attribute("aria-busy", "false")


MARKED = """## 建议
| 时间 | 内容 |
|---|---|
| 上午 | **概率论** |
- 先看 `第一章`
```
2 * 3 * 4 <img src=x onerror=alert(1)>
```"""


def test_marks_of_a_models_text_are_shown_as_what_they_mean(planner: Planner, model: OpenAIServer) -> None:
    page = planner.page
    model.script([decision(DEEP), text(MARKED)])
    planner.say("今天学什么好？")
    bubble = page.locator(".block.text .bubble")
    lines = ["建议", "时间 · 内容", "上午 · 概率论", "• 先看 第一章", "2 * 3 * 4 <img src=x onerror=alert(1)>"]
    assert bubble.evaluate("node => node.textContent").split("\n") == lines
    expect(bubble.locator("b")).to_have_text(["建议", "概率论"])
    expect(bubble.locator("code")).to_have_text(["第一章"])
    assert page.locator("#timeline img").count() == 0


def test_a_question_with_marks_stands_once(planner: Planner, model: OpenAIServer) -> None:
    look = {"action": "continue", "tool_call": {"name": "get_overview", "arguments": {}}}
    ask = {"action": "ask_user", "speak": "挪到 **周三** 还是 **周四**？", "options": ["周三", "周四"]}
    model.script([decision({"route": "execute"}), decision(look), decision(ask)])
    planner.say("挪一下")
    expect(planner.page.locator(".block.text .bubble")).to_have_text("挪到 周三 还是 周四？")
    expect(planner.page.locator(".ask.open .ask-text")).to_have_count(0)


def test_a_step_that_was_done_at_the_second_try_is_no_failure_of_the_run(planner: Planner, model: OpenAIServer) -> None:
    page = planner.page
    looks = [{"action": "continue", "tool_call": {"name": "get_task_info", "arguments": {"task_id": one}}}
             for one in (99_999, 1)]  # fmt: skip
    done = {"action": "done", "goal_check": "看过了"}
    model.script([decision({"route": "execute"}), *map(decision, looks), decision(done), text("看过了。")])
    planner.say("看看这一项")
    line = page.locator(".steps-line")
    expect(line.locator(".tool-state.done")).to_have_count(1)
    expect(line).to_contain_text("2 步")
    expect(line).not_to_contain_text("失败")
    line.click()
    expect(page.locator(".card.tool.failed")).to_have_count(1)
