"""Requests in the wording of the canonical ones: the card or the answer that each comes to."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from agent.llm.offline.language.meaning.requests import APART
from tests.conversations.checker import places
from tests.conversations.world import chat_of

NOW = datetime(2026, 3, 18, 0, 0, tzinfo=UTC)
CARDS = [
    ("这次线性代数全部排在概率论复习之前", "向量组"),
    ("just this once Linear Algebra and Probability on the same day", "Eigenvalues"),
    ("这次概率论复习只安排在有大学英语课的日子", "第4周 周三"),
    ("just this once no Probability on days with a Calculus lesson", "wk 4 Sat"),
    ("把特征值与特征向量移到4月3日，时段不变", "周五 5-6 节"),
    ("move Eigenvalues to monday week 6, keep the time of day", "wk 6 Mon 5-6"),
    ("概率论复习从周四开始", "开始日期 3 月 16 日 周一 → 3 月 19 日 周四"),
    ("Probability begins on monday", "First day Mon, Mar 16 → Mon, Mar 23"),
    ("第四章 大数定律和第五章 参数估计改成3节", "第五章 参数估计（3 节）"),
    ("make Chapter 3 Moments and Chapter 4 Limit theorems 3 sections long", "Chapter 4 Limit theorems (3 periods)"),
    ("我周四没空", "3 月 19 日 周四 留空"),
    ("我周一没空", "3 月 23 日 周一 留空"),
    ("just this once Probability only on 26 March", "wk 4 Thu, periods 3-4"),
    ("这次只安排在3月26日", "第4周 周四"),
    ("Probability never on 26 March", "Move Chapter 3 Moments"),
    ("plan Physics Lab, done by 12 April", "To day Sun, Apr 19 → Sun, Apr 12"),
    ("把特征值与特征向量往后推四五天", "第6周 周四"),
]
ANSWERS = [
    ("这次概率论复习和线性代数不要在同一天", "已经符合"),
    ("周四的高等数学课停课", "课程是固定的"),
    ("the Calculus lecture on 26 March is cancelled", "Courses are fixed"),
    ("the Calculus lecture on 26 March is moved to 28 March", "at which periods"),
    ("这次不要安排在有马哲课的日子", "没有叫「马哲」的课"),
    ("just this once at most 1 items a day of Physics Lab", "Not planned yet"),
]


async def played(message: str):
    chat = await chat_of("en" if message.replace(APART, "").isascii() else "zh")
    chat.world.now = NOW
    await chat.says(message)
    return chat


@pytest.mark.parametrize(("message", "told"), CARDS)
async def test_a_request_comes_to_its_card(message, told):
    chat = await played(message)
    assert any(told in card.summary for card in chat.of("confirm.requested"))


@pytest.mark.parametrize(("message", "told"), ANSWERS)
async def test_what_cannot_be_done_is_told_and_nothing_is_written(message, told):
    chat = await played(message)
    assert told in "\n".join(event.full_content for event in chat.of("text.ended"))
    assert not chat.of("confirm.requested")


async def test_a_plan_of_one_class_with_dates_keeps_the_others():
    chat = await played("plan Physics Lab, done by 12 April")
    standing = {name for name, place in places(chat).items() if place and name != "Chapter 1 Random events"}
    await chat.answers("approve")
    assert standing < {name for name, place in places(chat).items() if place}


@pytest.mark.parametrize(
    ("said", "cards"),
    [
        (("把第六章 假设检验移到4月9日", "把特征值与特征向量移到4月3日"), 1),
        (("第四章 大数定律改成3节", "把第六章 假设检验往后推两天"), 3),
        (("always at most 2 items a day", "move Eigenvalues to 3 april"), 2),
    ],
)
async def test_requests_that_are_known_to_be_several_are_done_in_turn(said, cards):
    chat = await played(APART.join(said))
    seen = 0
    while chat.of("confirm.requested") and seen < 6:
        seen += 1
        await chat.answers("approve")
    assert seen == cards


@pytest.mark.parametrize(
    ("message", "missing", "dates"),
    [
        ("排大学物理实验", "请说从哪天到哪天", "3月23日到4月19日"),
        ("plan Physics Lab", "Say from which day to which day", "from March 23 to April 19"),
    ],
)
async def test_what_has_no_dates_is_told_at_once_and_planned_with_them(message, missing, dates):
    chat = await chat_of("en" if message.isascii() else "zh")
    chat.world.now = NOW
    for row in chat.world.classes:
        if row["id"] == 7:
            row["start_date"] = row["end_date"] = None
    await chat.says(message)
    told = [event.full_content for event in chat.of("text.ended") if event.full_content]
    assert len(told) == 1
    assert missing in told[0]
    await chat.says(dates)
    assert len(chat.of("confirm.requested")) == 1


@pytest.mark.parametrize(
    ("message", "moved"), [("第一章改成3节", "周二 7-8节 → "), ("make chapter 1 three periods", "Tue 7-8 → ")]
)
async def test_where_an_item_stood_is_told_with_the_length_that_it_had(message, moved):
    chat = await chat_of("en" if message.isascii() else "zh")
    await chat.says(message)
    while chat.of("confirm.requested"):
        await chat.answers("approve")
    assert moved in "".join(event.full_content or "" for event in chat.of("text.ended"))


@pytest.mark.parametrize("complaint", ["i dont like the plan", "this plan sucks, way too much probability"])
async def test_a_complaint_of_the_plan_takes_nothing_out(complaint):
    chat = await chat_of("en")
    before = places(chat)
    await chat.says(complaint)
    assert not chat.of("confirm.requested")
    assert places(chat) == before


@pytest.mark.parametrize(
    ("message", "told"),
    [
        ("实验一到实验二分别改名为A1、B2", "A1"),
        ("what if i moved eigenvalues to the week after, would that work?", "Yes: Eigenvalues could go to"),
    ],
)
async def test_what_looks_like_a_refusal_or_a_comment_is_read_as_what_it_is(message, told):
    chat = await chat_of("en" if message.isascii() else "zh")
    await chat.says(message)
    cards = "".join(str(event.tool) for event in chat.of("confirm.requested"))
    assert told in cards + "".join(event.full_content or "" for event in chat.of("text.ended"))
