"""Conditions on places: what comes back keeps to them and to every rule, and moves nobody for nothing."""

from __future__ import annotations

import random
from collections import Counter
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.planner.limits import planned
from schedules.planner.draft.load import load_state
from schedules.planner.draft.operations import PlaceOp
from schedules.planner.draft.state import ScheduleState
from schedules.planner.grid import week_and_weekday
from schedules.planner.replan import limits
from schedules.planner.replan.conditions import Limit, Times
from schedules.planner.replan.least_change import movable_items
from schedules.planner.replan.limits import find_possible, keep_to
from tests.kits.budgets import tried
from tests.kits.planner.worlds import class_fact, course, facts_of, random_state, with_rules
from tests.planner.replan.test_least_change import broken_items, places_of

seeds = st.integers(min_value=0, max_value=10**9)


def _limit(draw: random.Random, state: ScheduleState) -> Limit:
    ids = frozenset(entry.source_id for entry in state.items() if draw.random() < 0.8)
    kind = draw.choice(("a_day", "a_week", "days_between", "weekday"))
    if kind == "weekday":
        return Limit(ids, without=(Times(frozenset({draw.randint(1, 7)})),))
    return Limit(ids, **{kind: draw.randint(1, 3)})


def _breaks(limit: Limit, state: ScheduleState) -> bool:
    places = {item: place for item, place in places_of(state).items() if item in limit.items}
    days = sorted(place.day for place in places.values())
    weeks = Counter(week_and_weekday(day)[0] for day in days)
    near = any(then - one <= limit.days_between for one, then in pairwise(days))
    return (
        (limit.a_day > 0 and max(Counter(days).values(), default=0) > limit.a_day)
        or (limit.a_week > 0 and max(weeks.values(), default=0) > limit.a_week)
        or (limit.days_between > 0 and near)
        or any(not limit.admits(place) for place in places.values())
    )


@tried(40)
@given(seeds)
def test_what_comes_back_keeps_to_the_condition_or_tells_who_does_not(seed):
    draw = random.Random(seed)
    _, state = random_state(draw)
    limit = _limit(draw, state)
    done = keep_to(state, [limit])
    moved = {change.item_id for change in done.changes}
    assert moved <= limit.items & movable_items(state)
    assert broken_items(done.state) <= broken_items(state)
    assert set(places_of(done.state)) == set(places_of(state))
    fixed = set(places_of(state)) & limit.items - movable_items(state)
    if not done.left and not fixed:
        assert not _breaks(limit, done.state)
    if not _breaks(limit, state):
        assert not done.changes


@pytest.mark.parametrize(
    ("limit", "possible"),
    [
        (Limit(frozenset(range(101, 109)), a_week=1), ("a_week", 3)),
        (Limit(frozenset(range(101, 109)), a_week=3), None),
        (Limit(frozenset(range(101, 109)), days_between=4), ("days_between", 1)),
        (Limit(frozenset({101, 102}), without=(Times(frozenset(range(1, 8))),)), None),
    ],
)
def test_of_a_number_that_cannot_be_kept_the_nearest_one_that_can_is_told(limit, possible):
    state = _planned((2,) * 8, {100 + number: (2 * number, 5) for number in range(1, 9)})
    fails = bool(keep_to(state, [limit]).left)
    assert (find_possible(state, [limit]) if fails else None) == possible


def _planned(lengths: tuple[int, ...], at: dict[int, tuple[int, int]], *, host: bool = False) -> ScheduleState:
    """A class of three weeks whose items stand at these days and sections, beside a lesson of four sections."""
    owner = with_rules(class_fact(1, lengths, end=21), allow_filler_course=True)
    state = load_state(facts_of((course(1, 3, 1, 4, hosts=host),), (owner,)), scope=[1], now=None)
    for item, (day, first) in at.items():
        entry = state.by_item(item)
        assert entry is not None
        state = PlaceOp(entry.state_id, state.window.index_of(day), first).apply(state)
    return state


KINDS = {
    "a_day": {"a_day": 1},
    "a_week": {"a_week": 5},
    "sections_a_day": {"sections_a_day": 2},
    "days_between": {"days_between": 1},
    "sections_between": {"sections_between": 2},
    "without": {"without": (Times(frozenset({1})),)},
    "one_day": {"one_day": True},
    "between_lessons": {"between_lessons": True},
    "even": {"even": True},
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_call_looks_at_no_more_places_than_it_may(kind, monkeypatch):
    state = planned(80)
    looked = []
    run = limits._Search.run

    def counted(search: limits._Search, *given: Any) -> Any:
        done = run(search, *given)
        looked.append(search.looked)
        return done

    monkeypatch.setattr(limits._Search, "run", counted)
    monkeypatch.setattr(limits, "LOOKS", 20_000)
    ids = frozenset(entry.source_id for entry in state.items())
    done = keep_to(state, [Limit(ids, **KINDS[kind])])
    assert 0 < len(looked) <= 1 + limits.RESIGNED + 19
    assert sum(looked) <= 20_000
    assert broken_items(done.state) <= broken_items(state)
    assert set(places_of(done.state)) == set(places_of(state))


def test_others_that_stay_are_no_failures():
    state = _planned((2, 2, 2), {101: (1, 5), 102: (2, 5)})
    done = keep_to(state, [Limit(frozenset({101, 102, 103}), a_day=1)], [103], others_stay=True)
    assert [change.item_id for change in done.changes] == [103]
    assert done.left == {}


def test_who_keeps_to_a_condition_is_not_told_though_it_may_not_move():
    state = _planned((2,) * 9, {100 + number: (2 * number, 5) for number in range(1, 9)})
    limit = Limit(frozenset(range(101, 110)), without=(Times(first_day=17),), a_day=1)
    done = keep_to(state, [limit], [109], others_stay=True)
    assert set(done.left) == {109}


def test_a_lesson_takes_one_item_in():
    state = _planned((2, 2), {101: (8, 5), 102: (9, 5)}, host=True)
    limit = Limit(frozenset({101, 102}), within=(Times(first_day=3, last_day=3, sections=(1, 4)),))
    done = keep_to(state, [limit])
    hosts = [done.state.host_event_of(entry) for entry in done.state.items() if entry.embed_host is not None]
    assert hosts == [1]
    assert len(done.left) == 1


def test_an_end_before_the_first_monday_leaves_no_day():
    past = Times(last_day=0)
    assert not any(past.has_day(day) for day in range(1, 8))
    assert not Times(last_day=-3).has_day(1)
    assert Times(first_day=-3).has_day(1)
    assert Times().has_day(1)


def test_of_several_that_ask_for_evenly_the_first_is_kept():
    state = _planned((2,) * 4, {101: (1, 1), 102: (1, 3), 103: (1, 5), 104: (1, 7)})
    ids = frozenset({101, 102, 103, 104})
    done = keep_to(state, [Limit(ids, even=True), Limit(ids, even=True)])
    days = sorted(place.day for place in places_of(done.state).values())
    assert done.left == {}
    assert all(then - one > 1 for one, then in pairwise(days))
