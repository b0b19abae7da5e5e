"""Whatever a student sends, the draft stays a legal one, and a refusal leaves it byte for byte."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from schedules.planner.draft.invariants import invariant_errors
from tests.kits.agent.draft_world import NAMES, DraftWorld, status_of
from tests.kits.agent.lasting_world import semester, student, user, world, written

__all__ = ["semester", "student", "user", "world", "written"]

REFUSALS = {"40025", "40026", "40059", "40061", "40072", "40073"}


def random_items(world: DraftWorld, random: Random) -> list[dict[str, Any]]:
    names = random.sample(NAMES, random.randint(1, 3))
    host = random.choice(["", "", "", "思想政治", "大学英语"])
    items = [world.place(name, random.randint(1, 7), random.randint(1, 11), week=7) for name in names]
    if host:
        items[0] = world.place(names[0], *((3, 5) if host == "思想政治" else (4, 5)), host=host)
    return items


@pytest.mark.parametrize("seed", range(4))
def test_any_save_keeps_the_draft_legal_and_any_refusal_keeps_it_as_it_was(world: DraftWorld, seed: int) -> None:
    random, seen = Random(seed), set()
    for _ in range(40):
        before = world.stored()
        answer = world.save(*random_items(world, random))
        after = world.stored()
        code = status_of(answer)
        seen.add(code)
        assert code == "10000" or code in REFUSALS
        assert after.schedule is not None
        assert before.schedule is not None
        assert invariant_errors(after.schedule) == []
        if code != "10000":
            assert after == before
        else:
            assert after.schedule.revision - before.schedule.revision in (0, 1)
    assert "10000" in seen
    assert len(seen) > 2
