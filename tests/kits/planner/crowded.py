"""Drafts in which not everything has a place."""

from __future__ import annotations

from random import Random

from schedules.planner.draft.load import load_state
from schedules.planner.draft.operations import PlaceOp
from schedules.planner.draft.state import ScheduleState
from schedules.planner.facts import Facts
from tests.kits.planner.legal_places import legal_places
from tests.kits.planner.worlds import random_facts, random_op, random_state


def crowded(seed: int) -> ScheduleState:
    """A draft with every item placed early, badly, where one fits; the rest are left pending."""
    rng = Random(seed)
    facts = random_facts(rng, classes=4, items=6)
    now = rng.choice((None, (rng.randint(1, 3), rng.randint(1, 8))))
    state = load_state(facts, scope=[row.id for row in facts.task_classes], now=now)
    for entry in list(state.items()):
        places = [] if entry.slots else list(legal_places(state, entry.state_id, planner=True))
        if places:
            place, _ = rng.choice(places[: max(1, len(places) // 5)])
            state = PlaceOp(entry.state_id, state.window.index_of(place.day), place.first).apply(state)
    return state


def left_out(state: ScheduleState) -> frozenset[int]:
    return frozenset(entry.source_id for entry in state.items() if entry.status == "pending")


def busy(seed: int) -> tuple[Facts, ScheduleState]:
    rng = Random(seed)
    facts, state = random_state(rng)
    for _ in range(15):
        op = random_op(rng, state)
        state = op.apply(state) if op.check(state) is None else state
    return facts, state
