"""Conditions on the places of a plan that stands are kept by whom they are about, and by nobody else."""

from __future__ import annotations

import pytest

from tests.conversations.composition.generators.limits import conditions, lack_of

HELD = 0.9


@pytest.mark.parametrize("seed", range(2))
async def test_a_condition_on_a_plan_is_kept(seed):
    cases = conditions(seed, 10)
    lacks = [(case.said, lack) for case in cases if (lack := await lack_of(case))]
    assert [one for one in lacks if one[1] not in ("asked", "not kept")] == []
    assert len(lacks) <= (1 - HELD) * len(cases) + 1e-9, lacks


@pytest.mark.long
async def test_many_conditions_on_a_plan_are_kept():
    cases = conditions(100, 200)
    lacks = [(case.said, lack) for case in cases if (lack := await lack_of(case))]
    assert len(lacks) <= (1 - HELD) * len(cases) + 1e-9, lacks
