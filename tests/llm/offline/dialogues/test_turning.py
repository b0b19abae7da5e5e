"""What is said over a card or a question may be another request: it is followed at once, in the same run."""

from __future__ import annotations

import pytest

from tests.kits.loop.chat import Chat, execute, route, told
from tests.kits.loop.world import World
from tests.kits.offline.conversations import card, planned, said

CLASS = "新建任务类「离散数学」，3月16日到3月29日，共4节，内容：集合、图"
ABORT = {"code": "new_request", "user_message": "好的。"}


async def test_a_class_described_over_the_card_of_a_move_is_set_up():
    chat = await planned()
    await chat.says("第2章移到第4周周三下午")
    assert "第2章" in card(chat).summary
    await chat.answers("message", CLASS)
    assert "离散数学" in card(chat).summary
    assert "「第2章移到第4周周三下午」先没有改" in said(chat)
    await chat.answers("approve")
    assert chat.end.outcome == "completed"
    assert chat.world.classes[-1]["name"] == "离散数学"


async def test_a_question_over_the_card_of_a_move_is_answered_before_the_card_comes_back():
    chat = await planned()
    before = chat.schedule
    await chat.says("第2章移到第4周周三下午")
    summary = card(chat).summary
    await chat.answers("message", "周五有空吗")
    assert "周五（3月13日）" in said(chat)
    assert card(chat).summary == summary
    assert chat.schedule == before


async def test_a_build_asked_for_over_the_card_of_a_class_is_made():
    chat = await planned()
    await chat.says(CLASS)
    await chat.answers("message", "先把线性代数排进课表，只要初稿")
    assert "R smart_planning done" in told(chat)
    assert "已排 3 项" in said(chat)
    assert [row["name"] for row in chat.world.classes] == ["概率论复习", "线性代数"]


async def test_wanting_it_planned_over_the_card_of_a_class_asks_for_it_again_and_plans_it():
    chat = await planned()
    await chat.says(CLASS)
    await chat.answers("message", "建好后直接排进课表")
    assert "离散数学" in card(chat).summary
    await chat.answers("approve")
    assert "R smart_planning done" in told(chat)
    assert {row["name"] for row in chat.world.classes} >= {"离散数学"}


async def test_a_request_instead_of_an_answer_is_followed_in_english():
    chat = await planned(english=True)
    await chat.says("Create a task class")
    await chat.answers("message", "show week 3 please")
    assert chat.end.outcome == "completed"
    assert "All right, that stays as it is." in said(chat)
    assert "C query_timetable" in told(chat)


@pytest.mark.parametrize(
    "answer", ["周四下午", "第4周", "那换到周五吧", "那直接移出吧", "1", "不要周三，周四吧", "第4周周一有空吗就放那"]
)
async def test_an_answer_stays_an_answer(answer):
    chat = await planned()
    await chat.says("第2章移到第4周周三下午")
    await chat.answers("message", answer)
    if "有空" not in answer:
        assert "这件事先保持不变" not in said(chat)


async def test_a_goal_hands_over_what_was_answered_to_chat_with_numbers_that_go_on():
    chat = await planned()
    chat.model = type(Chat(World()).model)()
    chat.plays(route("execute"), execute("ask_user", speak="哪一项？"))
    await chat.says("挪一下")
    chat.plays(execute("abort", abort=ABORT), route("direct_reply", speak="你好！"))
    await chat.answers("message", "你好呀")
    assert told(chat) == ["S chat/resumed", "S execute/executing", "T execute.speak.2", "T chat.speak.1", "finish"]
    assert chat.end.outcome == "completed"
    assert (chat.state.run.request, chat.state.conversation.goals) == ("你好呀", 3)


async def test_the_request_of_a_goal_itself_is_not_handed_on():
    chat = Chat(World())
    chat.plays(route("execute"), execute("abort", abort=ABORT))
    await chat.says("挪一下")
    assert (chat.end.outcome, chat.end.code) == ("aborted", "new_request")


async def test_what_a_stopped_goal_changed_is_told_when_it_is_asked_for():
    chat = await planned()
    await chat.says("第3章移到第4周周日上午，第1章移出")
    await chat.answers("approve")
    await chat.answers("cancel")
    await chat.says("刚才改了什么")
    assert "移动：概率论复习第3章 → 第4周 周日 1-2节" in said(chat)
    await chat.says("改回去")
    assert "第3章" in card(chat).summary
