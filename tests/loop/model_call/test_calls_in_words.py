"""A call in an answer that was asked for in words: nobody runs it, and no student reads it."""

from __future__ import annotations

import pytest

from agent.loop.nodes.chat import NO_ANSWER
from agent.loop.outside.model import Finish, Text
from tests.kits.loop.chat import DONE, call, route
from tests.kits.loop.goals import built
from tests.kits.loop.streams import check_stream

CALLS = {
    "Hermes": '<tool_call>\n{"name": "get_overview", "arguments": {}}\n</tool_call>',
    "Llama": "<function=get_overview>{}</function>",
    "Mistral": '[TOOL_CALLS] [{"name": "get_overview", "arguments": {}}]',
    "DeepSeek": "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>get_overview\n```json\n{}\n```",
    "Kimi": "<|tool_calls_section_begin|><|tool_call_begin|>functions.get_overview:0<|tool_call_argument_begin|>{}",
    "MiniMax": '<invoke name="get_overview">\n</invoke>',
}


@pytest.mark.parametrize("size", [3, 500])
@pytest.mark.parametrize("form", CALLS)
async def test_a_call_ends_the_answer(form: str, size: int) -> None:
    said = "先学条件概率。\n" + CALLS[form]
    chat = await built()
    chat.plays(
        route("deep_answer"), [Text(said[at : at + size]) for at in range(0, len(said), size)] + [Finish("stop")]
    )
    await chat.says("先学哪个好？")
    check_stream(chat.events)
    assert chat.of("text.ended")[-1].full_content.strip() == "先学条件概率。"


async def test_an_answer_that_is_a_call_alone_is_none() -> None:
    chat = await built()
    chat.plays(route("deep_answer"), CALLS["Hermes"])
    await chat.says("先学哪个好？")
    assert chat.of("text.ended")[-1].full_content == NO_ANSWER


async def test_a_summary_that_is_a_call_alone_is_told_by_the_facts() -> None:
    chat = await built()
    chat.plays(route("execute"), call("list_tasks"), DONE, CALLS["Kimi"])
    await chat.says("看看安排")
    assert chat.of("text.ended")[-1].full_content == "草稿没有变化。结果没能说完，要听可以再问一次。"


async def test_an_answer_that_was_cut_at_its_limit_says_so() -> None:
    chat = await built()
    chat.plays(route("deep_answer"), [Text("先学条件概率。然后"), Finish("length")])
    await chat.says("先学哪个好？")
    assert chat.of("text.ended")[-1].full_content == "先学条件概率。然后（内容到此为止）"
