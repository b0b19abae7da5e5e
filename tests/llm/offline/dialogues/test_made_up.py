"""After a mark of a miss, words over the card with the new time are about the item that was marked."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from tests.conversations.world import chat_of

MISSED = {"en": "I missed Chapter 1 Random events", "zh": "第一章没学"}


async def marked(language: str):
    chat = await chat_of(language)
    chat.world.now = datetime(2026, 3, 18, tzinfo=UTC)
    await chat.says(MISSED[language])
    await chat.answers("approve")
    return chat


@pytest.mark.parametrize(
    ("language", "words", "place"),
    [
        ("en", "make it up on Friday 5-6", "Fri 5-6"),
        ("en", "Put it on Friday 20 March, sections 7-8.", "Fri 7-8"),
        ("zh", "补到3月20日第5-6节。", "周五 5-6 节"),
    ],
)
async def test_another_time_is_for_the_marked_item(language, words, place):
    chat = await marked(language)
    await chat.answers("message", words)
    assert place in chat.of("confirm.requested")[-1].summary
    assert not chat.of("text.ended") or "Not done" not in chat.of("text.ended")[-1].full_content


@pytest.mark.parametrize(("language", "words"), [("en", "so can you catch me up"), ("zh", "那帮我补回来")])
async def test_asking_to_make_it_up_shows_the_card_again(language, words):
    chat = await marked(language)
    card = chat.of("confirm.requested")[-1].summary
    await chat.answers("message", words)
    assert chat.of("confirm.requested")[-1].summary == card


async def test_a_question_over_the_card_leaves_the_mark_and_the_new_time():
    chat = await marked("en")
    await chat.answers("message", "what is on friday?")
    assert [row["progress"] for row in chat.world.marks.values()] == ["missed"]
    assert "Chapter 1" in chat.of("confirm.requested")[-1].summary
    assert "Calculus" in "".join(one.full_content for one in chat.of("text.ended"))
