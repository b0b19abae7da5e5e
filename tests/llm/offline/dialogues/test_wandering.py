"""Students who wander: whatever is said in whatever order, each run ends in a known way and nothing is lost."""

from __future__ import annotations

import asyncio
import random

import pytest

from schedules.planner.draft.invariants import invariant_errors
from tests.kits.budgets import KIND
from tests.kits.offline.wandering import step, world_of
from tests.kits.offline.whole import chat_in

ENDS = {"completed", "paused", "aborted", "exhausted"}
CODES = {"", "fixed_rules", "kept", "refused", "no_items", "no_place", "applied", "already_built", "nothing_to_show"}
CODES |= {"unplaced", "unknown_class", "outside_window", "lessons"}
CODES |= {
    "rough_build_window_missing",
    "no_answer",
    "rough_build_pending_remaining",
    "user_cancelled",
    "no_progress",
    "round_exhausted",
}


@pytest.mark.parametrize("seed", range(25 if KIND == "long" else 12))
async def test_a_wandering_student_never_derails_the_loop(seed):
    dice = random.Random(seed)
    chat = chat_in(world_of(dice))
    for _ in range(8):
        await asyncio.wait_for(step(chat, dice), 30)
        assert chat.end.outcome in ENDS, (chat.end.outcome, chat.end.code)
        assert chat.end.code in CODES
        if chat.schedule is not None:
            assert not invariant_errors(chat.schedule)
