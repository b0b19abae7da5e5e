"""The one rule against its literal second reading, and against the fast listing of legal places.

The suite compares a sample, `script/test --long` forty times as much.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from schedules.planner.draft.legal import FreeCells
from schedules.planner.draft.state import ScheduleState
from schedules.planner.grid import Place
from schedules.planner.rules.placement import Situation, broken_rules, first_broken
from tests.kits.budgets import cases
from tests.kits.planner.literal_rules import literal_broken_rules
from tests.kits.planner.worlds import keeping_free, random_op, random_state

CASES = cases(6000)
CASES_PER_WORLD = 100


def busy_state(seed: int) -> ScheduleState:
    rng = Random(seed)
    _, state = random_state(rng)
    for _ in range(12):
        op = random_op(rng, state)
        state = op.apply(state) if op.check(state) is None else state
    return keeping_free(Random(f"kept {seed}"), state)


def random_situation(rng: Random, state: ScheduleState) -> Situation:
    now = rng.choice((None, (rng.randint(1, 10), rng.randint(1, 12))))
    window = rng.choice((None, (state.window.first_day, state.window.last_day)))
    return Situation(now=now, window=window, planner=rng.random() < 0.5)


@pytest.mark.parametrize("seed", range(CASES // CASES_PER_WORLD))
def test_it_agrees_with_the_literal_rule_on_the_full_list(seed: int) -> None:
    rng, state = Random(seed), busy_state(seed)
    board = state.board()
    items, events = list(state.items()), [entry.source_id for entry in state.tasks if not entry.is_item]
    for _ in range(CASES_PER_WORLD):
        subject = state.subject(rng.choice(items))
        length = subject.length if rng.random() < 0.9 else rng.randint(1, 4)
        place = Place(rng.randint(0, 16), rng.randint(0, state.grid.sections + 1), length)
        host = rng.choice(("derive", "free", rng.choice([*events, 999])))
        situation = random_situation(rng, state)
        found = broken_rules(board, subject, place, host=host, situation=situation)
        assert [one.rule.value for one in found] == literal_broken_rules(board, subject, place, host, situation)
        first = first_broken(board, subject, place, host=host, situation=situation)
        assert first == (found[0] if found else None)


@pytest.mark.parametrize("seed", range(25))
def test_the_listing_of_legal_places_is_the_rule(seed: int) -> None:
    state = busy_state(seed)
    for planner in (False, True):
        situation = replace(state.situation(), planner=planner)
        for entry in list(state.items())[:4]:
            subject, board = state.subject(entry), state.board()
            board.lift(entry.source_id)
            listed = list(FreeCells(board, situation).places(subject))
            judged = [
                (place, board.host_at(place))
                for day in range(state.window.first_day, state.window.last_day + 1)
                for first in range(1, state.grid.sections + 1)
                if not broken_rules(board, subject, place := Place(day, first, subject.length), situation=situation)
            ]
            assert listed == judged
