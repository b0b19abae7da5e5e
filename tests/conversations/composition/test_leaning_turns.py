"""A later turn that leans on what was said before it ends like the same told in full; interjections tell nothing."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from tests.conversations.checker import Case, misses, read_cases
from tests.conversations.checker import play as play_case

HEARD = {
    "zh": ("好的，", "嗯，", "对了，", "哦，", "行，", "太好了，", "哎，"),
    "en": ("ok, ", "great, ", "hmm ", "oh ", "alright, ", "perfect. ", "ah ok, ", "cool, "),
}
LEAST = {"zh": 6, "en": 14}
"""Characters of a turn that is more than consent."""
WANTED = 0.97


def _interject(seed: int) -> list[Case]:
    """Cases of the corpus with an interjection in front of a later turn, mixed by the seed."""
    dice, found = random.Random(seed), []
    for language, heard in HEARD.items():
        for case in read_cases(language):
            later = [at for at, turn in enumerate(case.turns) if at and turn[0] != "!" and len(turn) > LEAST[language]]
            if later:
                at = dice.choice(later)
                turns = [*case.turns[:at], dice.choice(heard) + case.turns[at], *case.turns[at + 1 :]]
                found.append(replace(case, turns=tuple(turns)))
    dice.shuffle(found)
    return found


async def _check(cases: list[Case]) -> None:
    missed = [(case.turns, lost) for case in cases if (lost := misses(case, await play_case(case)))]
    assert len(missed) <= (1 - WANTED) * len(cases), missed


async def test_an_interjection_in_front_of_a_later_turn_changes_nothing():
    await _check(_interject(5)[:16])


@pytest.mark.long
@pytest.mark.parametrize("part", range(16))
async def test_no_interjection_in_front_of_any_later_turn_changes_anything(part):
    await _check(_interject(6)[part::16])
