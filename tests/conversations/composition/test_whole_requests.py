"""A request that is whole by itself ends after another as if nothing had been said before it."""

from __future__ import annotations

import random

import pytest

from tests.conversations.composition.generators.goals import REQUESTS, play

PAIRS = [
    (language, one, two)
    for language, requests in REQUESTS.items()
    for whose, one in requests
    for other, two in requests
    if whose != other
]
HELD = 0.9


async def _differs(language: str, one: str, two: str) -> bool:
    return await play(language, one, two) != await play(language, one, two, forgets=True)


@pytest.mark.parametrize(
    ("language", "one", "two"),
    [
        ("zh", "线代加一节二阶行列式，放最前面", "删掉实验二，其余的一周内安排完"),
        ("zh", "下周的物理实验挪到第五周", "能不能把第四章拿掉，老师说不考"),
        ("zh", "概率论再加两章", "先排六级词汇冲刺"),
        ("en", "make linear algebra end in week 5", "chop the last two labs"),
        ("en", "our english lesson on wednesday this week is cancelled", "plan Chemistry"),
    ],
)
async def test_what_was_said_before_lends_nothing_to_a_whole_request(language, one, two):
    assert not await _differs(language, one, two)


async def test_whole_requests_end_after_others_as_by_themselves():
    pairs = random.Random(5).sample(PAIRS, 24)
    differing = [pair for pair in pairs if await _differs(*pair)]
    assert len(differing) <= (1 - HELD) * len(pairs), differing


@pytest.mark.parametrize(
    ("language", "one", "two", "item"),
    [
        ("zh", "第四章往后推一天", "第六章也往后推同样的天数", "第六章 假设检验"),
        ("en", "chapter 5 two days later", "chapter 6 as many days later please", "Chapter 6 Hypothesis tests"),
    ],
)
async def test_what_leans_on_the_words_before_it_is_read_with_them(language, one, two, item):
    before, after = await play(language, one), await play(language, one, two)
    assert before["places"].get(item) != after["places"].get(item)


@pytest.mark.long
@pytest.mark.parametrize("part", range(8))
async def test_every_whole_request_ends_after_another_as_by_itself(part):
    pairs = PAIRS[part::8]
    differing = [pair for pair in pairs if await _differs(*pair)]
    assert len(differing) <= (1 - HELD) * len(pairs), differing
