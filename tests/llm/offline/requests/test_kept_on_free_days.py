"""What only the student moves off days that are to be free is told: on the card, in the answer, of a supposition."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from agent.loop.state.draft import DraftPart
from schedules.planner.draft.state import with_keeping
from tests.conversations.world import chat_of


@pytest.mark.parametrize(
    ("language", "name", "asked", "told"),
    [
        ("zh", "第五章 参数估计", "我4月4日生病了", "留在那里的有第五章 参数估计"),
        ("en", "Chapter 5 Estimation", "keep April 4 free", "Staying there until you move it"),
        ("en", "Chapter 5 Estimation", "what if I were ill on April 4?", "Staying there until you move it"),
    ],
)
async def test_what_was_set_by_hand_is_told(language, name, asked, told):
    chat = await chat_of(language)
    chat.world.now = datetime(2026, 3, 18, 0, 0, tzinfo=UTC)
    draft = DraftPart.from_document(chat.world.document["draft"])
    kept = {entry.source_id: (False, True) for entry in draft.schedule.items() if entry.name == name}
    draft.schedule = with_keeping(draft.schedule, kept)
    chat.world.document["draft"] = draft.to_document()
    await chat.says(asked)
    if cards := chat.of("confirm.requested"):
        assert name in cards[0].summary
        await chat.answers("approve")
    assert told in "\n".join(event.full_content for event in chat.of("text.ended"))
