"""A message of two requests that have nothing to do with each other ends as the two said one after the other."""

from __future__ import annotations

import pytest

from tests.conversations.composition.generators.goals import TwoGoals, compose, play
from tests.conversations.world import chat_of

HELD = 0.85


async def _differs(case: TwoGoals) -> bool:
    return await play(case.language, case.text) != await play(case.language, case.one, case.two)


async def test_two_requests_of_a_message_end_as_two_messages():
    cases = compose(1)[:24]
    differing = [case.text for case in cases if await _differs(case)]
    assert len(differing) <= (1 - HELD) * len(cases) + 1e-9, differing


@pytest.mark.parametrize(
    "words", ["好的，另外把特征值先拿出来", "先别管这个，帮我把特征值先拿出来", "好的。把特征值先拿出来"]
)
async def test_what_is_said_over_a_card_beside_consent_is_read_with_the_request_of_the_card(words):
    chat = await chat_of("zh")
    await chat.says("把第二章移到周六上午")
    end = await chat.answers("message", words)
    assert (end.outcome, end.interaction.type) == ("paused", "confirm")


@pytest.mark.parametrize(("pauses", "divides"), [(2, True), (20, False)])
async def test_a_message_of_very_many_parts_is_read_as_one(pauses, divides):
    chat = await chat_of("zh")
    await chat.says("嗯。" * pauses + "把第二章移到周六上午。六级词汇只放晚上")
    assert bool(chat.world.state().run.rest) is divides


@pytest.mark.long
@pytest.mark.parametrize("part", range(8))
async def test_every_two_requests_of_a_message_end_as_two_messages(part):
    cases = compose(2)[part::8]
    differing = [case.text for case in cases if await _differs(case)]
    assert len(differing) <= (1 - HELD) * len(cases) + 1e-9, differing
