"""A request that is told in pieces over turns ends as it does when it is said at once."""

from __future__ import annotations

import pytest

from agent.llm.offline.language.utterance.page_words import write_page_words
from tests.conversations.composition.generators.pieces import Told, make_requests, play, tell
from tests.kits.offline.conversations import said

HELD = 0.9


async def _check(requests: dict[str, list[Told]]) -> None:
    every = [(language, one) for language, told in requests.items() for one in told]
    differing = [
        (language, one)
        for language, one in every
        if await play(language, *one.pieces) != await play(language, one.whole)
    ]
    assert len(differing) <= (1 - HELD) * len(every), differing


async def test_pieces_end_as_the_whole_request():
    await _check({language: make_requests(language, 22, seed=3) for language in ("zh", "en")})


@pytest.mark.long
@pytest.mark.parametrize("seed", range(4))
async def test_many_pieces_end_as_the_whole_request(seed):
    await _check({language: make_requests(language, 110, seed=10 + seed) for language in ("zh", "en")})


@pytest.mark.parametrize(
    ("language", "turns", "asked"),
    [
        ("en", ["i have an exam"], "which task it is for, and which day"),
        ("en", ["i have an exam", "linear algebra"], "please tell me which day"),
        ("en", ["rename chapter 1"], "what it is called"),
        ("zh", ["有个考试", "4月3号"], "是哪个任务类"),
        ("zh", ["我想休息一天"], "是哪一天"),
    ],
)
async def test_just_what_is_missing_is_asked_for(language, turns, asked):
    chat = await tell(language, *turns)
    assert (asked if language == "zh" else write_page_words(asked, (), ())) in said(chat)


@pytest.mark.parametrize(
    ("language", "turns", "alone"),
    [
        ("en", ["i have an exam", "never mind"], []),
        ("en", ["move something", "chapter 2", "forget it"], []),
        ("zh", ["有个考试", "算了"], []),
        ("en", ["i have an exam", "take matrices out"], ["take matrices out"]),
        ("en", ["rename something", "keep friday evening of week 4 free"], ["keep friday evening of week 4 free"]),
        ("zh", ["改个名", "第一章学完了"], ["第一章学完了"]),
        ("zh", ["我想建个任务类", "把向量组拿出来"], ["把向量组拿出来"]),
    ],
)
async def test_a_question_is_dropped_for_another_request(language, turns, alone):
    assert await play(language, *turns) == await play(language, *alone)


@pytest.mark.parametrize(
    ("language", "turns"),
    [
        ("en", ["add a lesson", "Yoga, Tue 5-6"]),
        ("zh", ["加一节课", "瑜伽", "周二5-6节"]),
    ],
)
async def test_a_lesson_is_told_to_be_added_elsewhere(language, turns):
    chat = await tell(language, *turns)
    assert {"en": "New course", "zh": "新课程"}[language] in said(chat)
