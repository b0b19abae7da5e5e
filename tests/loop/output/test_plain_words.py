"""Days by number, items by id and tools by name, as prompts have them and models say them again, reach no student."""

from __future__ import annotations

import json

import pytest

from agent.loop.output.plain_words import PlainWords
from agent.loop.outside.model import Finish, Reasoning, Text
from agent.loop.phrases import is_foreign
from tests.kits.loop.chat import DONE, REGISTRY, Chat, call, execute, route
from tests.kits.loop.goals import built, last_item, moved


def told(chat: Chat) -> list[str]:
    return [event.full_content for event in chat.of("text.ended") if not event.superseded]


def plain(chat: Chat) -> PlainWords:
    return PlainWords(chat.world.state(), chat.world.deps(chat.model, REGISTRY))


WORDS = {
    "可以放到第10天9-10节。": "可以放到第4周 周三9-10节。",
    "I can put it on day 10.": "I can put it on 第4周 周三.",
    "「{name}」（task_id={id}）现在没有空位。": "「{name}」现在没有空位。",
    "先看 task_id={id} 的空位。": "先看 「{name}」 的空位。",
    "先看 task_item_id={item} 的空位。": "先看 「{name}」 的空位。",
    "[{id}]{name}还在原处。": "{name}还在原处。",
    "[{id}] 还在原处。": "「{name}」还在原处。",
    "我用query_available_slots看一下。": "我用查询可用时段看一下。",
    "参数是 new_slot_start。要放到晚上吗？": "要放到晚上吗？",
    "`move` 成功，`x` 不变。": "移动任务 成功，`x` 不变。",
    "HTTP 500 at /app/run.py line 3。再试一次吧。": "再试一次吧。",
    "我的密钥是 sk-verysecret123。再试一次吧。": "再试一次吧。",
    "第400天没有这一天，第3章也没有。": "第400天没有这一天，第3章也没有。",
    "[7] 是别的编号。": "[7] 是别的编号。",
    "先看看这一周。": "先看看这一周。",
}


@pytest.mark.parametrize("words", WORDS)
async def test_words_are_told_by_what_a_student_knows(words: str) -> None:
    chat = await built()
    item = last_item(chat)
    given, wanted = (one.format(id=item.state_id, item=item.source_id, name=item.name) for one in (words, WORDS[words]))
    assert plain(chat).of(given) == wanted


async def test_an_item_is_named_between_the_marks_of_the_language() -> None:
    chat = await built()
    item = last_item(chat)
    state = chat.world.state()
    state.conversation.locale = "en"
    words = PlainWords(state, chat.world.deps(chat.model, REGISTRY))
    assert words.of(f"[{item.state_id}] stays, task_id={item.state_id}.") == f'"{item.name}" stays, "{item.name}".'


@pytest.mark.parametrize("words", WORDS)
async def test_words_in_pieces_hold_nothing_that_the_whole_has_not(words: str) -> None:
    chat = await built()
    item = last_item(chat)
    given = words.format(id=item.state_id, item=item.source_id, name=item.name)
    pieces, whole = plain(chat), plain(chat).of(given)
    let_out = "".join(pieces.feed(letter) for letter in given)
    begun = any(word in let_out for word in ("参数", "密钥"))  # the beginning of a sentence that is left out
    assert whole.startswith(let_out) or begun
    assert "_" not in let_out
    assert "sk-" not in let_out


@pytest.mark.parametrize("size", [1, 5, 400])
async def test_thoughts_are_shown_in_plain_words_and_recite_no_prompt(size: int) -> None:
    chat = await built()
    item = last_item(chat)
    thought = (
        f"先看 task_id={item.state_id}。应当用 get_overview 看第10天。\n"
        "考试日期、截止日期、上课时间只能问学生，不能猜，也不能从网页推断。"
        'new_slot_start 写 9。{"action": "abort"} 不对。就这样'
    )
    pieces = [Reasoning(thought[at : at + size]) for at in range(0, len(thought), size)]
    chat.plays(route("execute"), call("get_overview"), [*pieces, Text(json.dumps(DONE)), Finish("stop")], "好。")
    await chat.says("看看")
    (ended,) = chat.of("reasoning.ended")
    assert ended.full_content == f"先看 「{item.name}」。应当用 查看总览 看第4周 周三。\n就这样"
    assert ended.full_content == "".join(event.content for event in chat.of("reasoning.delta"))


async def test_speech_questions_and_their_answers_are_plain() -> None:
    chat = await built()
    item = last_item(chat)
    look = call("query_available_slots", {"for_task_id": item.state_id}, speak=f"先查 task_id={item.state_id} 的空位。")
    ask = execute("ask_user", speak="第10天还是第11天？", options=["第10天 9-10节 (new_day=10)", "第11天"])
    chat.plays(route("execute"), look, ask)
    await chat.says("挪一下")
    assert told(chat) == [f"先查 「{item.name}」 的空位。", "第4周 周三还是第4周 周四？"]
    asked = chat.events[-3]
    assert asked.question == "第4周 周三还是第4周 周四？"
    assert [row.label for row in asked.options] == ["第4周 周三 9-10节", "第4周 周四"]


async def test_steps_of_a_plan_are_plain() -> None:
    chat = await built()
    steps = [{"content": "用 analyze_health 检查", "done_when": "analyze_health 返回"}]
    chat.plays(route("plan"), {"action": "plan_done", "steps": steps})
    await chat.says("先给计划")
    assert told(chat)[-1] == "1. 用 综合体检 检查（综合体检 返回）"


async def test_a_summary_and_a_refusal_are_plain() -> None:
    chat = await built()
    chat.plays(route("execute"), moved(chat), DONE, "移到了第10天9-10节。cost=560。")
    await chat.says("挪到晚上", always_execute=True)
    assert told(chat)[-1].startswith("移到了第4周 周三9-10节。\n核对：")
    chat.plays(route("execute"), execute("abort", abort={"code": "x", "user_message": "第10天 (day=10) 放不下。"}))
    await chat.says("再挪到第10天")
    assert told(chat)[-1] == "第4周 周三 放不下。"


async def test_words_that_are_in_a_name_or_the_students_own_stay() -> None:
    chat = await built()
    chat.plays(route("direct_reply", speak="my_os_lab 的第一章讲进程。"))
    await chat.says("my_os_lab 第一章讲什么？")
    assert told(chat) == ["my_os_lab 的第一章讲进程。"]


async def test_what_a_model_says_again_and_again_is_said_once() -> None:
    chat = await built()
    thinking = execute("continue", speak="我再想想。")
    chat.plays(route("execute"), thinking, thinking, call("get_overview", speak="我再想想。"), DONE, "好。")
    await chat.says("看看安排")
    assert told(chat) == ["我再想想。", "好。"]
    ask = execute("ask_user", speak="哪一天？")
    chat.plays(route("execute", speak="哪一天？"), ask)
    await chat.says("看看哪天有空")
    assert chat.of("interrupt.raised")[0].question == "哪一天？"


@pytest.mark.parametrize(
    ("asked", "foreign", "own"),
    [
        ("你好呀", "Hello! How can I help you today?", "你好！"),
        ("你好呀", "こんにちは、何をお手伝いしましょうか。", "你好！"),
        ("Hello there, can you help me?", "你好，我可以帮你排计划。", "Hello!"),
    ],
)
async def test_an_answer_in_another_language_is_asked_for_again_once(asked: str, foreign: str, own: str) -> None:
    for answers, shown in (([foreign, own], own), ([foreign, foreign], foreign)):
        chat = await built()
        chat.plays(*[route("direct_reply", speak=answer) for answer in answers])
        end = await chat.says(asked)
        assert (end.outcome, end.counts.auto_fix_attempts, told(chat)) == ("completed", 1, [shown])


async def test_words_beside_a_call_in_another_language_are_left_out_and_the_facts_told_in_the_students() -> None:
    chat = await built()
    chat.plays(route("execute", speak="Sure, let me look."), moved(chat, speak="Moving it now, one moment please."))
    chat.plays({**DONE, "speak": "Everything went well."}, "The last chapter is now on Wednesday evening.")
    end = await chat.says("把最后一次挪到晚上", always_execute=True)
    assert (end.outcome, end.counts.auto_fix_attempts) == ("completed", 0)
    assert [line.partition("：")[0] for line in told(chat)] == ["移动"]


@pytest.mark.parametrize("asked", ["把这句翻译成英文", "Say it in Chinese, please", "ok"])
async def test_another_language_that_is_asked_for_is_none(asked: str) -> None:
    chat = await built()
    chat.plays(route("direct_reply", speak="I would like to review." if "英文" in asked else "我想复习一下这一章。"))
    end = await chat.says(asked)
    assert (end.outcome, end.counts.auto_fix_attempts) == ("completed", 0)


@pytest.mark.parametrize(
    ("words", "locale", "foreign"),
    [
        ("Placed 概率论期中复习, 六级词汇冲刺, 操作系统导论阅读", "en", False),
        ("Moved 「实现最小生成树」.", "en", False),
        ("你有十项任务。", "en", True),
        ("Конечно, я помогу вам", "en", True),
        ("Done.", "zh", False),
        ("Your plan has ten items now.", "zh", True),
        ("已看过 Dijkstra 最短路径 and Prim。", "zh", False),
    ],
)
def test_a_language_is_told_from_names(words: str, locale: str, foreign: bool) -> None:
    assert is_foreign(words, locale) is foreign
