"""Catching up otherwise than by the fewest changes: the class moves on by one place, or what fell out waits."""

from __future__ import annotations

from dataclasses import replace

from schedules.planner.draft.load import load_state
from schedules.planner.draft.state import ScheduleState, Spot, with_keeping, with_spots
from schedules.planner.grid import Place
from schedules.planner.replan.alternatives import push_on, set_aside
from tests.kits.planner.worlds import class_fact, course, facts_of

ONE, TWO, THREE, FOUR = 101, 102, 103, 104


def week() -> ScheduleState:
    """Four steps on the mornings of Monday, Wednesday, Friday and Sunday; it is Tuesday, Monday's was missed."""
    facts = facts_of((course(1, 12, 1, 12),), (class_fact(1, (2, 2, 2, 2)), class_fact(2, (2,))))
    state = load_state(facts, scope=(1, 2), now=(2, 1))
    days = zip((ONE, TWO, THREE, FOUR), (1, 3, 5, 7), strict=True)
    return with_spots(state, {item: Spot(Place(day, 1, 2), None) for item, day in days})


def days_of(state: ScheduleState) -> dict[int, int]:
    return {entry.source_id: place.day for entry in state.items() if (place := state.place_of(entry)) is not None}


def test_each_step_takes_the_place_of_the_next_and_the_last_goes_behind_them() -> None:
    found = days_of(push_on(week(), [ONE]).state)
    assert [found[item] for item in (ONE, TWO, THREE)] == [3, 5, 7]
    assert 7 <= found[FOUR] <= 14


def test_what_lies_before_the_missed_step_and_other_classes_stay() -> None:
    state = with_spots(week(), {201: Spot(Place(8, 1, 2), None)})
    done = push_on(state, [THREE])
    assert {change.item_id for change in done.changes} == {THREE, FOUR}


def test_days_that_fall_out_are_left_empty() -> None:
    closed = [Place(day, section, 1) for day in (3, 4, 5) for section in range(1, 13)]
    found = days_of(push_on(week(), [TWO, THREE], closed=closed).state)
    assert found[TWO] == 7
    assert not {found[TWO], found[THREE], found[FOUR]} & {3, 4, 5}


def test_what_is_pinned_is_not_pushed() -> None:
    state = with_keeping(week(), {THREE: (True, False)})
    found = push_on(state, [ONE])
    assert days_of(found.state)[THREE] == 5
    assert THREE not in {change.item_id for change in found.changes}


def test_what_was_put_somewhere_by_hand_is_pushed_on() -> None:
    state = with_keeping(week(), dict.fromkeys((TWO, THREE, FOUR), (False, True)))
    found = push_on(state, [ONE])
    assert {change.item_id for change in found.changes} == {ONE, TWO, THREE, FOUR}
    assert not any(entry.by_hand for entry in found.state.items())


def test_places_of_another_length_cannot_be_taken_over() -> None:
    state = week()
    tasks = tuple(replace(one, duration=3) if one.is_item and one.source_id == ONE else one for one in state.tasks)
    done = push_on(replace(state, tasks=tasks), [ONE])
    assert done.changes == ()
    assert list(done.left) == [ONE]


def test_what_is_set_aside_waits_and_nothing_else_moves() -> None:
    done = set_aside(week(), [ONE])
    assert [(change.item_id, change.op) for change in done.changes] == [(ONE, "unplace")]


def test_what_is_done_or_pinned_ahead_is_not_set_aside() -> None:
    assert set_aside(with_keeping(week(), {TWO: (True, False)}), [TWO]).changes == ()
