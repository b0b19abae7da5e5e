"""Any question put together from its slots is answered truly, and none writes."""

from __future__ import annotations

import random

import pytest

from tests.conversations.composition.generators.questions import Question, questions
from tests.conversations.composition.generators.suppositions import suppositions
from tests.conversations.composition.generators.term import chat_of, heard, state_of

SAMPLE = 20
HOLD = 0.97


async def _lacks(question: Question) -> str:
    chat = await chat_of(question.language)
    before = await _state(question.language)
    await chat.says(question.text)
    lack = question.check(heard(chat))
    return f"wrote: {question.text}" if state_of(chat) != before else lack


_BEFORE: dict[str, tuple[object, ...]] = {}


async def _state(language: str) -> tuple[object, ...]:
    """What a student has before anything is asked."""
    if language not in _BEFORE:
        chat = await chat_of(language)
        await chat.says("你好" if language == "zh" else "hello")
        _BEFORE[language] = state_of(chat)
    return _BEFORE[language]


async def _share(asked: list[Question]) -> list[tuple[str, str]]:
    lacking = [(question.text, lack) for question in asked if (lack := await _lacks(question))]
    assert not [lack for _, lack in lacking if lack.startswith("wrote")], lacking
    return lacking


@pytest.mark.parametrize("language", ["zh", "en"])
async def test_a_sample_of_questions_is_answered_truly(language):
    asked = questions(language)
    assert len(asked) > 2_000
    lacking = await _share(random.Random(7).sample(asked, SAMPLE))
    assert len(lacking) <= (1 - HOLD) * SAMPLE, lacking


@pytest.mark.parametrize("language", ["zh", "en"])
async def test_what_is_supposed_is_answered_from_a_copy(language):
    asked = suppositions(language)
    assert await _share(asked) == []


@pytest.mark.long
@pytest.mark.parametrize("language", ["zh", "en"])
async def test_every_question_is_answered_truly(language):
    asked = questions(language)
    lacking = await _share(asked)
    assert len(lacking) <= (1 - HOLD) * len(asked), lacking
