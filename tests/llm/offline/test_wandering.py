"""Students who wander: whatever is said in whatever order, each run ends in a known way and nothing is lost."""

from __future__ import annotations

import asyncio
import random

import pytest

from schedules.planner.draft.invariants import invariant_errors
from tests.kits.loop.world import World, task_class
from tests.kits.offline.sentences import INTENTS
from tests.kits.offline.whole import HIGH, chat_in, lessons

SAID = [text for texts in INTENTS.values() for text in texts]
REPLIES = [
    "1",
    "2",
    "保持不变",
    "周四下午",
    "算了",
    "全部",
    "内容：听力、阅读",
    "第3周到第5周",
    "yes",
    "",
    "放进空位",
    "接受风险",
]
ENDS = {"completed", "paused", "aborted", "exhausted"}
CODES = {"", "fixed_rules", "refused", "no_items", "no_place", "applied", "already_built", "nothing_to_show"}
CODES |= {"unplaced", "unknown_class", "outside_window"}
CODES |= {
    "rough_build_window_missing",
    "rough_build_pending_remaining",
    "user_cancelled",
    "no_progress",
    "round_exhausted",
}


def world_of(dice):
    lengths = dice.choice([(2, 2, 2), (2,) * 5, (1, 2, 3)])
    classes = [
        task_class(5, "概率论复习", "2026-03-16", "2026-03-29", lengths=lengths, **dice.choice([{}, HIGH])),
        task_class(6, "Physics", "2026-03-16", "2026-03-22", lengths=(2,) * dice.choice([2, 40])),
    ]
    return World(classes=classes[: dice.choice([0, 1, 2])], events=lessons())


@pytest.mark.parametrize("seed", range(25))
async def test_a_wandering_student_never_derails_the_loop(seed):
    dice = random.Random(seed)
    chat = chat_in(world_of(dice))
    for _ in range(8):
        await asyncio.wait_for(step(chat, dice), 30)
        assert chat.end.outcome in ENDS, (chat.end.outcome, chat.end.code)
        assert chat.end.code in CODES
        if chat.schedule is not None:
            assert not invariant_errors(chat.schedule)


async def step(chat, dice):
    """One message or one answer, buttons included."""
    pending = chat.end.interaction if chat.end is not None else None
    kind = pending.type if pending is not None else "none"
    if kind == "confirm" and dice.random() < 0.7:
        await chat.answers(dice.choice(["approve", "approve", "reject", "cancel"]))
    elif kind == "ask_user" and pending.options and dice.random() < 0.5:
        await chat.answers("reply", option=dice.choice(pending.options).id)
    elif kind in ("confirm", "ask_user") and dice.random() < 0.8:
        await chat.answers("message", dice.choice(REPLIES[:-3]))
    else:
        chat.end = None
        await chat.says(dice.choice(SAID))
