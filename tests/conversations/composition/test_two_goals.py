"""A message of two requests that have nothing to do with each other ends as the two said one after the other."""

from __future__ import annotations

import pytest

from tests.conversations.composition.generators.goals import TwoGoals, compose, play

HELD = 0.9


async def _differs(case: TwoGoals) -> bool:
    return await play(case.language, case.text) != await play(case.language, case.one, case.two)


@pytest.mark.parametrize("part", range(2))
async def test_two_requests_of_a_message_end_as_two_messages(part):
    cases = compose(1)[part * 12 : (part + 1) * 12]
    differing = [case.text for case in cases if await _differs(case)]
    assert len(differing) <= (1 - HELD) * len(cases) + 1e-9, differing


@pytest.mark.long
@pytest.mark.parametrize("part", range(8))
async def test_every_two_requests_of_a_message_end_as_two_messages(part):
    cases = compose(2)[part::8]
    differing = [case.text for case in cases if await _differs(case)]
    assert len(differing) <= (1 - HELD) * len(cases) + 1e-9, differing
