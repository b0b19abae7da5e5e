"""Requests that shorten names, quote what is new or say what stays are carried out as they are meant."""

from __future__ import annotations

import pytest

from tests.conversations.world import chat_of


async def heard(language: str, words: str) -> tuple[str, str]:
    """What is said to a message, and the card that comes with it."""
    chat = await chat_of(language)
    await chat.says(words)
    said = [event.full_content for event in chat.of("text.ended") if not event.superseded]
    said += [event.question for event in chat.of("interrupt.raised")]
    return "\n".join(said), "\n".join(event.summary for event in chat.of("confirm.requested"))


@pytest.mark.parametrize(
    ("language", "words", "own", "other"),
    [
        ("zh", "线代我都得在哪几天学啊", "行列式", "随机事件"),
        ("en", "what is left of linear algebra", "Eigenvalues", "Random events"),
    ],
)
async def test_a_question_about_a_shortened_class_is_answered_for_that_class_alone(language, words, own, other):
    said, _ = await heard(language, words)
    assert own in said
    assert other not in said


@pytest.mark.parametrize(
    ("language", "words", "shown"),
    [
        ("zh", "把假设检验移到周六上午", "第六章 假设检验"),
        ("zh", "把矩阵移到行列式之前", "矩阵运算"),
        ("zh", "电桥实验放到周一", "实验三 电桥"),
        ("en", "put the bridge lab in on monday", "Lab 3 Bridge circuit"),
        ("en", 'add a chapter "Regression" to Probability', "Regression"),
    ],
)
async def test_a_change_of_what_is_shortened_or_quoted_has_its_card(language, words, shown):
    _, card = await heard(language, words)
    assert shown in card
    assert "chapter" not in card


@pytest.mark.parametrize(
    ("language", "words", "shown"),
    [
        ("zh", "第二章提前一天，第三章推迟两天", ("移到周六 1-2 节", "移到周六 5-6 节")),
        ("en", "chapter 2 a day earlier and chapter 3 two days later", ("→ wk 3 Sat", "→ wk 4 Sat")),
        ("zh", "第一二章移到周日下午", ("第一章 随机事件", "第二章 随机变量")),
    ],
)
async def test_each_of_several_items_goes_its_own_way(language, words, shown):
    chat = await chat_of(language)
    await chat.says(words)
    told = ""
    while chat.end is not None and chat.end.interaction is not None:
        told += "".join(event.summary for event in chat.of("confirm.requested"))
        await chat.answers("approve")
    assert all(one in told for one in shown), told


async def test_an_item_of_another_class_is_no_place_in_the_order_of_a_class():
    said, card = await heard("zh", "把矩阵移到第三章之前")
    assert "矩阵运算已经在" in said
    assert card == ""


async def test_what_stays_is_left_out_of_the_change_beside_it():
    _, card = await heard("zh", "第一章不动，概率论其他的都往后推一天")
    assert "第二章" in card
    assert "第一章" not in card


async def test_two_items_that_are_renamed_share_a_card():
    _, card = await heard("zh", "第一章其实叫“古典概型”，第二章叫“分布函数”")
    assert "古典概型" in card
    assert "分布函数" in card


async def test_a_change_that_is_only_asked_about_writes_nothing():
    said, card = await heard("zh", "第四章放周五晚上行不行？先别真动")
    assert "第四章 大数定律 可以放在" in said
    assert card == ""
