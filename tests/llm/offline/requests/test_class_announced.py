"""A change of a class is announced with the items that it leaves outside, and with the classes that follow."""

from __future__ import annotations

import pytest

from tests.conversations.world import chat_of


@pytest.mark.parametrize(
    ("language", "words", "told"),
    [
        ("en", "Probability never on Sundays", "Now outside of that (2): Chapter 2 Random variables"),
        ("en", "the deadline of Probability is 3 April", "Now outside of that (2): Chapter 5 Estimation"),
        ("zh", "线性代数以后只安排在下午。", "现在排在这之外的有 2 项：行列式"),
        ("zh", "线性代数的截止日期是4月1日", "现在排在这之外的有 1 项：特征值与特征向量"),
    ],
)
async def test_the_items_that_need_another_place_are_named(language, words, told):
    chat = await chat_of(language)
    await chat.says(words)
    assert told in chat.of("text.ended")[-1].full_content


@pytest.mark.parametrize(
    ("language", "words", "told"),
    [
        ("en", "always nothing on Sundays", '"Probability", "Linear Algebra", "Physics Lab", "Vocabulary sprint"'),
        ("zh", "以后周日都不要安排", "「概率论复习」、「线性代数」、「大学物理实验」、「六级词汇冲刺」"),
    ],
)
async def test_what_binds_every_class_is_one_card_and_one_write(language, words, told):
    chat = await chat_of(language)
    await chat.says(words)
    assert told in chat.of("confirm.requested")[-1].summary
    await chat.answers("approve", "")
    assert [row["excluded_days_of_week"] for row in chat.world.classes] == [[7]] * 4


@pytest.mark.parametrize(
    ("language", "words", "but"), [("en", "no Sundays", "not Linear Algebra"), ("zh", "周日不排", "线代不用")]
)
async def test_words_over_the_card_of_several_classes_leave_one_of_them_out(language, words, but):
    chat = await chat_of(language)
    await chat.says(words)
    await chat.answers("message", but)
    await chat.answers("approve", "")
    assert {row["id"] for row in chat.world.classes if row["excluded_days_of_week"]} == {5, 7, 8}


@pytest.mark.parametrize(("language", "words", "back"), [("en", "no Sundays", "undo that"), ("zh", "周日不排", "撤销")])
async def test_what_was_written_of_several_classes_is_taken_back_by_one_card(language, words, back):
    chat = await chat_of(language)
    await chat.says(words)
    await chat.answers("approve", "")
    if chat.end.outcome == "paused":
        await chat.answers("approve", "")
    await chat.says(back)
    await chat.answers("approve", "")
    assert [row["excluded_days_of_week"] for row in chat.world.classes] == [[]] * 4


@pytest.mark.parametrize(
    ("language", "words", "told"),
    [
        ("en", "the deadline of Linear Algebra is April 12", "It is set like that already"),
        ("en", "Probability: 2 sections per item", "It is set like that already"),
        ("en", "make chapter 2 2 sections long", "It is set like that already"),
        ("zh", "线代从3月16号开始", "它本来就是这样设置的"),
        ("zh", "概率论和线代都4月12号截止", "它本来就是这样设置的"),
    ],
)
async def test_what_is_so_already_asks_for_no_consent(language, words, told):
    chat = await chat_of(language)
    await chat.says(words)
    said = "\n".join(event.full_content for event in chat.of("text.ended"))
    assert told in said
    assert not chat.of("confirm.requested")
    assert "approve" not in said
    assert "请确认" not in said


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "make probability end April 12 and linear algebra April 19"),
        ("en", "make linear algebra end April 19 and probability April 12"),
    ],
)
async def test_of_several_classes_those_that_change_are_written(language, words):
    chat = await chat_of(language)
    await chat.says(words)
    assert "Linear Algebra" in chat.of("confirm.requested")[-1].summary
    assert "card of its own" not in chat.of("text.ended")[-1].full_content
