"""Several changes of classes in one message: each is made, and nothing else is."""

from __future__ import annotations

import pytest

from tests.conversations.composition.generators.several import Several, compose
from tests.conversations.composition.generators.student import talk_to

HELD = 0.9
CARDS = 8


async def _lack_of(case: Several) -> str:
    """What of the changes is not there, or was not asked for; nothing where it was asked about instead."""
    chat = await talk_to(case.language)
    await chat.says(case.text)
    for _ in range(CARDS):
        if chat.end.outcome != "paused" or chat.end.interaction.type != "confirm":
            break
        await chat.answers("approve")
    told = {}
    for row in chat.world.classes:
        names = [item["content"].lower() for item in row["items"]]
        if names != [name.lower() for name in case.contents[row["id"]]]:
            told[row["name"]] = names
        if row["end_date"] != case.ends[row["id"]]:
            told[f"end of {row['name']}"] = [row["end_date"]]
    return str(told) if told else ""


@pytest.mark.parametrize("seed", range(1))
async def test_every_change_of_a_message_is_made(seed):
    cases = compose(seed, 10)
    lacking = [(case.text, lack) for case in cases if (lack := await _lack_of(case))]
    assert len(lacking) <= (1 - HELD) * len(cases) + 1e-9, lacking


@pytest.mark.long
async def test_every_change_of_many_messages_is_made():
    cases = compose(100, 200)
    lacking = [(case.text, lack) for case in cases if (lack := await _lack_of(case))]
    assert len(lacking) <= (1 - HELD) * len(cases), lacking
