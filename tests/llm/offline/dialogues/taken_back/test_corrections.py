"""A correction of what was refused, or is still open, makes the whole request again: the rest of it is kept."""

from __future__ import annotations

import pytest

from tests.conversations.world import chat_of
from tests.kits.offline.conversations import card

REFUSED = [
    ("en", "delete Common nouns from the vocab class", "sorry i meant rename it to Everyday nouns", "Everyday nouns"),
    ("en", "rename Common verbs to Basic verbs", "sorry, i meant Common nouns", "Common nouns (2 periods) → Basic"),
    ("en", 'add an item called "Jordan form" to linear algebra', "i meant to call it Diagonalization", "Diagonal"),
    ("en", "Plan vocabulary sprint, only mornings", "ok afternoons then, and not on fridays", "Excluded weekdays Fri"),
    (
        "en",
        "plan the physics lab on mondays only",
        "any day is fine but nothing before 10",
        "Excluded periods periods 1-2",
    ),
    ("zh", "删掉高频名词", "说错了，是改名叫日常名词", "日常名词"),
    ("zh", "实验只排周二周四", "那就工作日都行，但是上午不行", "1-2节、3-4节；不排的星期 周六、周日"),
]
OVER = [
    ("en", "take vector spaces out", "from the class completely i mean", "removed: Vector spaces"),
    ("en", "My probability exam has been moved to April 6", "so everything has to be done by april 5", "Sun, Apr 5"),
    ("en", "I've done Determinants", "wait no only about half", "Partly done"),
    ("zh", "把向量组移出去", "我是说从线代里彻底删掉", "移除：向量组"),
    ("zh", "概率论的考试改到4月6号了", "所以4月5号之前要全部弄完", "4 月 5 日"),
    ("zh", "线代里加一个二次型", "说错了，叫正定矩阵", "新增：正定矩阵"),
]


@pytest.mark.parametrize(
    "words", ["add a step Jordan form to linear algebra", "add one step Jordan form to linear algebra, 1 period"]
)
async def test_a_step_is_added_by_the_word_of_the_page(words):
    chat = await chat_of("en")
    await chat.says(words)
    assert card(chat).summary.partition("new: ")[2] in ("Jordan form", "Jordan form (1 period)")


@pytest.mark.parametrize(("language", "request_", "words", "shown"), REFUSED)
async def test_after_a_refusal(language, request_, words, shown):
    chat = await chat_of(language)
    await chat.says(request_)
    await chat.answers("reject")
    await chat.answers("message", words)
    assert shown in card(chat).summary


@pytest.mark.parametrize(("language", "request_", "words", "shown"), OVER)
async def test_over_the_card(language, request_, words, shown):
    chat = await chat_of(language)
    await chat.says(request_)
    await chat.answers("message", words)
    assert shown in card(chat).summary


async def test_what_was_refused_holds_no_longer():
    chat = await chat_of("en")
    await chat.says("plan the physics lab on mondays only")
    await chat.answers("reject")
    await chat.answers("message", "any day is fine but nothing before 10")
    await chat.answers("approve")
    assert "already" in chat.of("text.ended")[-1].full_content
