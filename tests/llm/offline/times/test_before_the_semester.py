"""Of a semester that has not begun, its first days are those that a question without a day is about."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from tests.conversations.world import chat_of


@pytest.mark.parametrize(
    ("language", "asked", "told"),
    [
        ("en", "which day is the fullest?", "wk 2 Mon (9 Mar)"),
        ("zh", "哪天最满？", "第2周 周一"),
        ("en", "when am I free?", "wk 1 Mon (2 Mar)"),
        ("zh", "我什么时候有空？", "第1周 周一"),
    ],
)
async def test_the_semester_is_told_from_its_first_day_on(language: str, asked: str, told: str) -> None:
    chat = await chat_of(language)
    chat.world.now = datetime(2025, 9, 10, tzinfo=UTC)
    await chat.says(asked)
    assert told in "\n".join(event.full_content for event in chat.of("text.ended"))
