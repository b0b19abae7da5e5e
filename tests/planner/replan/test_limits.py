"""Conditions on places: what comes back keeps to them and to every rule, and moves nobody for nothing."""

from __future__ import annotations

import random
from collections import Counter
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from schedules.planner.draft.state import ScheduleState
from schedules.planner.grid import week_and_weekday
from schedules.planner.replan.least_change import movable_items
from schedules.planner.replan.limits import Limit, Times, keep_to
from tests.kits.budgets import tried
from tests.kits.planner.worlds import random_state
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
