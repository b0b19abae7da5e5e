"""Every place of the semester for one item agrees with the placement rule."""

from __future__ import annotations

from random import Random

import pytest

from schedules.planner.draft.state import ScheduleState
from schedules.planner.draft.verdicts import verdicts_of
from schedules.planner.grid import Place
from schedules.planner.rules.placement import broken_rules
from schedules.planner.rules.plain_sentences import PLAIN_SENTENCES
from schedules.planner.rules.violations import Rule
from tests.kits.planner.places import draft
from tests.kits.planner.worlds import keeping_free, random_state


def states() -> list[ScheduleState]:
    return [draft(), *(_random(seed) for seed in range(12))]


def _random(seed: int) -> ScheduleState:
    return keeping_free(Random(f"kept {seed}"), random_state(Random(seed))[1])


@pytest.mark.parametrize("number", range(13))
def test_each_place_is_told_as_the_rule_judges_it(number: int) -> None:
    state = states()[number]
    for entry in list(state.items())[:6]:
        table = verdicts_of(state, entry)
        board = state.board()
        board.lift(entry.source_id)
        subject, length = state.subject(entry), entry.duration
        for day in range(1, state.grid.days + 1):
            for first in range(1, state.grid.sections - length + 2):
                place = Place(day, first, length)
                broken = broken_rules(board, subject, place, situation=state.situation())
                binding = [one.rule for one in broken if not one.is_preference]
                found = table.at(place)
                told = [one.rule for one in found.violations]
                assert told == (binding or [one.rule for one in broken])
                assert found.kind == ("refused" if binding else "warned" if broken else "legal")
                assert found.host_event_id == (None if binding else board.host_at(place))


def test_the_table_has_every_kind() -> None:
    kinds = set()
    for entry in draft().items():
        kinds |= {verdict.kind for verdict in verdicts_of(draft(), entry).verdicts}
    assert kinds == {"legal", "warned", "refused"}


def test_every_rule_has_a_sentence_for_the_student() -> None:
    assert PLAIN_SENTENCES.keys() == set(Rule)
