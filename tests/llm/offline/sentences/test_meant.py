"""Pronouns, several items in one sentence and places relative to the present one, where they are unambiguous."""

from __future__ import annotations

import pytest

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.spans.items.references import parts_of
from agent.llm.offline.language.spans.targets import Shift, shift_in
from tests.kits.offline.conversations import card, place, planned
from tests.kits.offline.views import view


@pytest.mark.parametrize("words", ["把它挪到第4周周五", "这一项挪到第4周周五", "换到第4周周五吧", "那项改到第4周周五"])
async def test_a_pronoun_is_the_item_spoken_of_last(words):
    chat = await planned()
    await chat.says("第3章移到第4周周四下午")
    await chat.answers("approve")
    await chat.says(words)
    await chat.answers("approve")
    assert place(chat, "第3章")[:2] == (4, 5)


async def test_it_is_the_item_spoken_of_last_in_english():
    chat = await planned(english=True)
    await chat.says("Move chapter 3 to week 4 Thursday afternoon")
    await chat.answers("approve")
    day = place(chat, "第3章")
    await chat.says("move it one day later")
    await chat.answers("approve")
    assert place(chat, "第3章") == (day[0], day[1] + 1, day[2])


async def test_a_pronoun_for_several_asks_which():
    chat = await planned()
    await chat.says("把它挪到第4周周五")
    question = chat.of("interrupt.raised")[0].question
    assert question.startswith("是哪一项？")
    assert "第1章" in question
    assert "第3章" in question


@pytest.mark.parametrize(
    ("words", "days", "sections"),
    [
        ("第3章往后挪一天", 1, 0),
        ("第3章推迟到第二天", 1, 0),
        ("第3章提前一天", -1, 0),
        ("把第3章挪一天前", -1, 0),
        ("第3章晚两节", 0, 2),
        ("move chapter 3 a day earlier", -1, 0),
        ("push chapter 3 back by one day", 1, 0),
    ],
)
def test_a_shift_in_words(words, days, sections):
    assert shift_in(words) == Shift(days=days, sections=sections)


@pytest.mark.parametrize(
    "words",
    [
        "把第1章和第3章移出",
        "移出第1、3章",
        "第1章、第3章都先不排",
        "unplace chapter 1 and chapter 3",
        "remove chapters 1 and 3",
    ],
)
async def test_several_items_are_taken_out_with_one_consent(words):
    chat = await planned(english=words.isascii())
    await chat.says(words)
    assert "第1章" in card(chat).summary
    assert "第3章" in card(chat).summary
    await chat.answers("approve")
    assert chat.end.outcome == "completed"
    assert [entry.name[-3:] for entry in chat.schedule.items() if not entry.slots] == ["第1章", "第3章"]


async def test_each_item_goes_where_its_own_clause_says_in_one_card_in_the_order_of_the_class():
    chat = await planned()
    await chat.says("第2章移到第4周周四下午，第3章移到第4周周五下午")
    assert "第3章" in card(chat).summary
    await chat.answers("approve")
    assert chat.end.outcome == "completed"
    assert place(chat, "第2章")[:2] == (4, 4)
    assert place(chat, "第3章")[:2] == (4, 5)


async def test_items_that_can_go_together_are_moved_with_one_consent():
    chat = await planned()
    await chat.says("第1章移到第3周周三下午，第3章移到第4周周五下午")
    await chat.answers("approve")
    assert chat.end.outcome == "completed"
    assert (place(chat, "第1章")[:2], place(chat, "第3章")[:2]) == ((3, 3), (4, 5))


async def test_an_objection_to_the_card_for_several_goes_through_them_one_by_one():
    chat = await planned()
    await chat.says("第1章移到第3周周三下午，第3章移到第4周周五下午")
    await chat.answers("message", "周四下午吧")
    assert "第1章" in card(chat).summary
    await chat.answers("approve")
    await chat.answers("approve")
    assert (place(chat, "第1章")[:2], place(chat, "第3章")[:2]) == ((3, 4), (4, 5))


def test_one_item_named_twice_is_one():
    assert parts_of("第2章和第2章移到周三", Brief(view("第2章和第2章移到周三"))) == []
