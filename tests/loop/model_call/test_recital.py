"""Sentences of the prompt are left out of what is said, however the words come in."""

from __future__ import annotations

import pytest

from agent.loop.model_call.recital import Recital
from agent.loop.prompt.files import prompt_text
from tests.kits.loop.goals import built

PROMPT = """\
你是排程助手，只做排程相关的事情。
- 写入之前必须先得到学生的确认。
例：{"speak":"时间窗放不下全部内容，先决定怎么处理。"}
不要编造。"""
SAID = "好的。写入之前必须先得到学生的确认。第2章移到周六！"


def test_a_recited_sentence_is_left_out_and_everything_else_stays() -> None:
    recital = Recital(PROMPT)
    assert recital.strip(SAID) == "好的。第2章移到周六！"
    for kept in ("不要编造。", "写入之前会先问你。", "时间窗放不下全部内容，先决定怎么处理。", ""):
        assert recital.strip(kept) == kept


@pytest.mark.parametrize("size", [1, 2, 3, 5, 8, 100])
def test_in_pieces_of_any_size_no_recited_sentence_gets_out(size: int) -> None:
    recital = Recital(PROMPT)
    told = "".join(recital.feed(SAID[at : at + size]) for at in range(0, len(SAID), size))
    assert told == recital.strip(SAID)


def test_words_that_are_no_recital_do_not_wait_for_their_end() -> None:
    recital = Recital(PROMPT)
    assert recital.feed("写入之前") == ""
    assert recital.feed("我会问你") == "写入之前我会问你"
    assert recital.feed("，别担心") == "，别担心"


async def test_a_decision_that_recites_its_prompt_tells_nothing_of_it() -> None:
    sentence = max(prompt_text("base").replace("\n", "。").split("。"), key=len).strip("- ")
    chat = await built()
    chat.plays({"route": "direct_reply", "speak": f"好的。{sentence}。再见。"})
    await chat.says("你好")
    assert not [event for event in chat.world.emitted if sentence in event.model_dump_json()]
    assert chat.of("text.ended")[-1].full_content == "好的。再见。"
    assert chat.world.state().conversation.dialogue[-1].text == "好的。再见。"
