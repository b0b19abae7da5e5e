"""What is asked over a card is answered from the plan as the card would make it, and the same card comes back."""

from __future__ import annotations

import pytest

from tests.conversations.world import chat_of
from tests.kits.offline.conversations import card, said

ASKED = [
    ("en", "move chapter 3 to friday", "which friday is that, the date?", "with this card wk 4 Fri 5-6 (27 Mar)"),
    ("en", "take chapter 6 out", "where is it now?", "now wk 6 Tue 5-6 (7 Apr); with this card not placed"),
    ("en", "put chapter 2 on thursday morning", "is that before or after determinants?", "Determinants comes first"),
    ("en", "move chapter 4 to wednesday", "does that clash with english?", "No clash"),
    ("en", "Linear Algebra deadline moved to April 5", "does Eigenvalues still fit?", "is within it and stays"),
    ("en", "Probability only on weekends please", "would chapter 3 have to move then?", "Chapter 3 Moments could go"),
    ("en", "shift chapter 5 to week 6", "how many items would week 6 have then?", "2 steps, Week 6"),
    ("en", "keep next friday free", "it's a dentist appointment at 10", "cannot be kept"),
    ("zh", "把第三章挪到周五", "是几号的周五", "按卡片改是第4周 周五 5-6节（3月27日）"),
    ("zh", "把第一章和行列式换一下", "换完第一章在哪天", "按卡片改是第3周 周四 3-4节"),
    ("zh", "行列式往前提到周一吧，越早越好", "不要和英语课冲突啊", "不冲突"),
    ("zh", "线性代数截止改到4月5号", "那特征值还在范围里不", "在范围里，不用动"),
    ("zh", "给六级词汇加一个 固定搭配", "加了之后一共几个", "共 3 项"),
    ("zh", "把矩阵运算挪到周三下午", "那天还有别的任务吗", "没有别的任务"),
    ("zh", "下周末都不学习", "会影响到哪些", "第二章 随机变量：第3周 周日 1-2节"),
    ("zh", "下周二晚上老师加了一节马原讲座，9-10节，帮我记上", "地点是三教201", "不记地点和事由"),
]


@pytest.mark.parametrize(("language", "request_", "words", "told"), ASKED)
async def test_the_card_comes_back_behind_the_answer(language, request_, words, told):
    chat = await chat_of(language)
    await chat.says(request_)
    summary = card(chat).summary
    await chat.answers("message", words)
    assert told in said(chat)
    assert card(chat).summary == summary


async def test_one_question_follows_another():
    chat = await chat_of("zh")
    await chat.says("第五章挪到周一")
    summary = card(chat).summary
    await chat.answers("message", "别跟高数撞了")
    await chat.answers("message", "是几号")
    assert "3月30日" in said(chat)
    assert card(chat).summary == summary


async def test_of_a_goal_that_has_written_something_what_is_left_comes_back():
    chat = await chat_of("zh")
    await chat.says("线代里再加一个 二次型")
    await chat.answers("approve")
    summary = card(chat).summary
    await chat.answers("message", "给它排个时间，放最后就行")
    assert "剩下这一步：把二次型放到4月8日5-6节" in said(chat)
    assert card(chat).summary == summary
    await chat.answers("message", "几号")
    assert card(chat).summary == summary
    contents = [one["content"] for row in chat.world.classes for one in row["items"]]
    assert contents.count("二次型") == 1


async def test_words_that_change_nothing_of_a_card_are_told():
    chat = await chat_of("en")
    await chat.says("swap chapter 1 and determinants")
    summary = card(chat).summary
    await chat.answers("message", "mondays make me grumpy somehow")
    assert card(chat).summary == summary or "Not taken into account" in said(chat)
