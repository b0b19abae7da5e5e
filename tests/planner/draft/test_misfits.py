"""Items that stand against what their class says of them by now."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from schedules.planner.diagnosis.health import analyze_health
from schedules.planner.draft.misfits import misfits_of
from schedules.planner.draft.rebase import rebase
from schedules.planner.draft.state import ScheduleState
from schedules.planner.facts import ClassFact, Facts
from schedules.planner.grid import week_and_weekday
from tests.kits.planner.worlds import random_state


def changed(state: ScheduleState, facts: Facts, **rules: object) -> ScheduleState:
    """The draft after every class was given these rules."""

    def ruled(row: ClassFact) -> ClassFact:
        return replace(row, rules=replace(row.rules, **rules))

    classes = tuple(ruled(row) for row in facts.task_classes)
    return rebase(state, replace(facts, task_classes=classes, base_version=facts.base_version + 1)).state


@pytest.mark.parametrize("seed", range(20))
def test_what_stands_on_a_weekday_that_its_class_leaves_out_by_now_is_named(seed: int) -> None:
    facts, before = random_state(Random(seed))
    state = changed(before, facts, excluded_days_of_week=(1, 2, 3))
    wanted = {
        entry.source_id
        for entry in state.items()
        if (place := state.place_of(entry)) is not None
        and (state.now is None or place.cell >= state.now)
        and week_and_weekday(place.day)[1] in (1, 2, 3)
        and not entry.mark
        and not entry.kept
    }
    found = {one.entry.source_id for one in misfits_of(state) if "excluded_weekday" in one.rules}
    assert found == wanted
    told = {row["task_id"] for row in analyze_health(state).get("misfits", [])}
    assert {state.task(task).source_id for task in told if state.task(task)} >= wanted  # type: ignore[union-attr]


@pytest.mark.parametrize("seed", range(10))
def test_what_stands_outside_the_dates_or_with_another_length_is_named(seed: int) -> None:
    facts, before = random_state(Random(seed))
    for rule, state in (
        ("outside_class_window", changed(before, facts, start_day=200, end_day=201)),
        ("wrong_length", changed(before, replace(facts, task_classes=tuple(map(longer, facts.task_classes))))),
    ):
        ahead = [
            entry.source_id
            for entry in state.items()
            if (place := state.place_of(entry)) is not None
            and (state.now is None or place.cell >= state.now)
            and not entry.mark
        ]
        named = {one.entry.source_id for one in misfits_of(state) if rule in one.rules}
        assert named <= set(ahead)
        if rule == "wrong_length":
            assert named == set(ahead)


def longer(row: ClassFact) -> ClassFact:
    return replace(row, items=tuple(replace(item, sections=item.sections + 1) for item in row.items))
