"""New classes told at once or bit by bit, changes of classes in words, and what changes no class."""

from __future__ import annotations

import copy
import random
from typing import Any

import pytest

from tests.conversations.composition.generators.classes import NewClass, new_classes
from tests.conversations.composition.generators.edits import Edit, edits, lack_of
from tests.conversations.composition.generators.term import TODAY, chat_of

SAMPLE = 10
HOLD = 0.95


def _card_is_open(chat: Any) -> bool:
    return chat.end.outcome == "paused" and chat.end.interaction.type == "confirm"


async def _lacks_of_new(case: NewClass) -> str:
    """What is not as it was told; the class is written after the card alone, and nothing is asked twice."""
    chat = await chat_of(case.language)
    before, asked = copy.deepcopy(chat.world.classes), list[str]()
    for turn in case.turns:
        if chat.end is not None and chat.end.outcome == "paused":
            await chat.answers("message", turn)
        else:
            await chat.says(turn)
        questions = [event.question for event in chat.of("interrupt.raised")]
        if chat.world.classes != before or set(questions) & set(asked):
            return "written unasked, or asked twice"
        asked += [] if _card_is_open(chat) else questions
    if not _card_is_open(chat):
        return "no card"
    await chat.answers("approve")
    *others, row = chat.world.classes
    names = [item["content"] for item in row["items"]]
    told = {
        "others": others == before,
        "name": row["name"] == case.name,
        "items": len(names) == case.items
        if isinstance(case.items, int)
        else tuple(map(str.lower, names)) == case.items,
        "end": row["end_date"] == case.end,
        "start": row["start_date"] == (case.start or TODAY.isoformat()),
        "days": row["excluded_days_of_week"] == case.times.get("days", []),
        "blocks": row["excluded_slots"] == case.times.get("blocks", []),
        "total": row["total_slots"] == 2 * len(names),
    }
    return ", ".join(key for key, holds in told.items() if not holds)


async def _lacks_of_edit(edit: Edit) -> str:
    chat = await chat_of(edit.language)
    before = copy.deepcopy(chat.world.classes)
    await chat.says(edit.text)
    if chat.world.classes != before:
        return "written without a card"
    if _card_is_open(chat):
        if not edit.wanted:
            return "a card for what changes nothing"
        await chat.answers("approve")
    return lack_of(edit, before, chat.world.classes)


@pytest.mark.parametrize("language", ["zh", "en"])
async def test_a_sample_of_new_classes_is_made_as_told(language):
    cases = random.Random(11).sample(new_classes(language), SAMPLE)
    assert [(case.turns, lack) for case in cases if (lack := await _lacks_of_new(case))] == []


@pytest.mark.parametrize("language", ["zh", "en"])
async def test_a_sample_of_changes_makes_these_changes_only(language):
    cases = random.Random(12).sample(edits(language), SAMPLE)
    assert [(case.text, lack) for case in cases if (lack := await _lacks_of_edit(case))] == []


@pytest.mark.long
@pytest.mark.parametrize("language", ["zh", "en"])
async def test_every_new_class_is_made_as_told(language):
    cases = new_classes(language)
    lacking = [(case.turns, lack) for case in cases if (lack := await _lacks_of_new(case))]
    assert len(lacking) <= (1 - HOLD) * len(cases), lacking


@pytest.mark.long
@pytest.mark.parametrize("language", ["zh", "en"])
async def test_every_change_makes_this_change_only(language):
    cases = edits(language)
    lacking = [(case.text, lack) for case in cases if (lack := await _lacks_of_edit(case))]
    assert len(lacking) <= (1 - HOLD) * len(cases), lacking
