"""An item that goes to another day keeps its sections where they are free."""

from __future__ import annotations

import pytest

from tests.conversations.world import chat_of


@pytest.mark.parametrize(
    ("language", "words", "place"),
    [
        ("en", "Move Chapter 3 Moments to Friday", "Fri 5-6"),
        ("en", "Move Chapter 3 Moments to Friday morning", "Fri 3-4"),
        ("zh", "把第三章移到周五", "周五 5-6 节"),
    ],
)
async def test_only_the_day_changes(language, words, place):
    chat = await chat_of(language)
    await chat.says(words)
    assert place in chat.of("confirm.requested")[-1].summary


async def test_the_sections_of_the_card_named_over_it_show_it_again():
    chat = await chat_of("en")
    await chat.says("Move Vector spaces to Wednesday 1 April.")
    card = chat.of("confirm.requested")[-1].summary
    assert "Wed 5-6" in card
    await chat.answers("message", "Sections 5-6, please.")
    assert chat.of("confirm.requested")[-1].summary == card
