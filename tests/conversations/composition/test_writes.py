"""Writes put together from their parts: most end as asked, none writes anything else or drops a part in silence."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.conversations.composition.generators.writes import compose, judge

HELD = 0.9
WELL = ("held", "told", "refused")


@pytest.mark.parametrize("seed", range(2))
async def test_a_request_with_modifiers_is_carried_out_or_asked_about(seed):
    cases = await compose(seed, 12)
    verdicts = [(case, await judge(case)) for case in cases]
    assert [(case.said, one) for case, one in verdicts if one.kind == "false"] == []
    well = [case for case, one in verdicts if one.kind in WELL or (case.asks and one.kind == "asked")]
    missed = [(case.said, one) for case, one in verdicts if case not in well]
    assert len(well) >= HELD * len(cases), missed


@pytest.mark.long
async def test_many_requests_with_modifiers_are_carried_out():
    cases = await compose(100, 400)
    counts = Counter[str]()
    for case in cases:
        one = await judge(case)
        counts["well" if one.kind in WELL or (case.asks and one.kind == "asked") else one.kind] += 1
    assert counts["false"] <= 0.01 * len(cases), counts
    assert counts["well"] >= HELD * len(cases), counts
