"""Later turns of any combination end as a sensible person would end them: over a card, after a change or an answer."""

from __future__ import annotations

import random

import pytest

from tests.conversations.composition.generators.later_turns import Combination, find_misses, play, read_combinations

SAMPLE, SEED, WANTED = 24, 14, 0.9


async def _check(combinations: list[Combination]) -> None:
    played = [(one, await play(one)) for one in combinations]
    assert [(one, end.told) for one, end in played if end.told] == []
    missed = [(one, find_misses(one, end), end.text) for one, end in played if find_misses(one, end)]
    assert len(missed) <= (1 - WANTED) * len(combinations), missed


async def test_later_turns_end_as_wanted():
    await _check(random.Random(SEED).sample(read_combinations(), SAMPLE))


@pytest.mark.long
@pytest.mark.parametrize("part", range(8))
async def test_every_later_turn_ends_as_wanted(part):
    await _check(read_combinations()[part::8])
