"""Re-planning a draft: closed time is empty, what stays stays, and no repair needs fewer changes."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from schedules.planner.codec import problem_from_json
from schedules.planner.draft.from_problem import draft_of
from schedules.planner.draft.invariants import occupation_errors
from schedules.planner.draft.load import load_state
from schedules.planner.draft.state import ScheduleState, Spot, Window, with_spots
from schedules.planner.grid import Grid, Place
from schedules.planner.replan import wishes
from schedules.planner.replan.alternatives import push_on, set_aside
from schedules.planner.replan.least_change import Replanned, Wish, replan, stays
from schedules.planner.rules.placement import broken_rules
from schedules.planner.rules.violations import Rule
from schedules.planner.solver.rough_build import plan
from tests.kits.budgets import tried
from tests.kits.planner.examples import lesson
from tests.kits.planner.least_change import least_change, tiny_document
from tests.kits.planner.worlds import applied, class_fact, facts_of, keeping_free, random_state

seeds = st.integers(min_value=0, max_value=10**9)
BY_HAND = {Rule.NOT_ALIGNED, Rule.CROSSES_DAY_PART}


def places_of(state: ScheduleState) -> dict[int, Place]:
    return {entry.source_id: place for entry in state.items() if (place := state.place_of(entry)) is not None}


def broken_items(state: ScheduleState) -> set[int]:
    """Items whose place breaks a rule beside all others; nothing is asked of what has begun."""
    board, found = state.board(), set()
    for entry in state.items():
        spot = state.spot_of(entry)
        if spot is None or (state.now is not None and spot.place.cell < state.now):
            continue
        broken = broken_rules(board, state.subject(entry), spot.place, host=spot.host_mode)
        if any(one.rule not in BY_HAND for one in broken):
            found.add(entry.source_id)
    return found


@given(seeds)
@tried(200)
def test_it_needs_no_more_changes_than_trying_everything(seed: int) -> None:
    rng = random.Random(seed)
    document = tiny_document(rng)
    problem = problem_from_json(document)
    state = draft_of(problem, plan(problem).placements)
    taken = {(row.place.day, section) for row in problem.occupied for section in row.place.sections}
    cells = [(day, section) for day in (1, 2, 3) for section in range(1, 5) if (day, section) not in taken]
    closed = rng.sample(cells, min(len(cells), rng.choice([1, 2, 4])))
    done = replan(state, Wish(closed=tuple(Place(day, section, 1) for day, section in closed)))
    document["occupied"] += [
        lesson(8000 + number, "closed", day, section, section) for number, (day, section) in enumerate(closed)
    ]
    walled, keep = problem_from_json(document), plan(problem).placements
    assert goal_of(state, done) == least_change(without_pending(walled, state), keep, len(keep))[:3]


def without_pending(problem: Any, state: ScheduleState) -> Any:
    """The problem of those that have a place: a wish places nothing that it does not name."""
    placed = places_of(state)
    classes = tuple(
        replace(row, items=tuple(one for one in row.items if one.id in placed)) for row in problem.task_classes
    )
    return replace(problem, task_classes=classes)


def goal_of(state: ScheduleState, done: Replanned) -> tuple[int, int, int]:
    lost = [entry.duration for entry in done.state.items() if entry.source_id in done.left]
    return sum(lost), 0, sum(change.after is not None for change in done.changes)


@given(seeds)
@tried(100)
def test_what_is_past_done_or_kept_never_moves_and_nothing_is_broken(seed: int) -> None:
    rng = random.Random(seed)
    _, state = random_state(rng)
    placed = sorted(places_of(state))
    locked = set(rng.sample(placed, len(placed) // 3))
    now = (rng.randint(1, 14), rng.randint(1, 12))
    tasks = tuple(replace(entry, locked=entry.locked or entry.source_id in locked) if entry.is_item else entry
                  for entry in state.tasks)  # fmt: skip
    state = keeping_free(rng, replace(state, tasks=tasks, now=now))
    fixed, before = {e.source_id for e in state.items() if stays(state, e)}, broken_items(state)
    for done in _asked(rng, state):
        changed = {change.item_id for change in done.changes}
        picked = {e.source_id for e in state.items() if not e.locked and (p := state.place_of(e)) and p.cell < now}
        assert not changed & (fixed - picked)
        assert not changed & locked
        assert all(place.cell >= now for item, place in places_of(done.state).items() if item in changed)
        assert occupation_errors(done.state) == []
        assert broken_items(done.state) <= before


def _asked(rng: random.Random, state: ScheduleState) -> list[Replanned]:
    first = rng.randint(1, 14)
    last = min(14, first + rng.randint(0, 3))
    ids = [entry.source_id for entry in state.items()]
    found = [
        wishes.away(state, first, last),
        wishes.keep_free(state, wishes.evenings(state, first, last)),
        wishes.lighten(state, rng.choice([1, 2]), rng.randint(1, 5)),
        wishes.pick_up(state, rng.sample(ids, min(len(ids), 2))),
        wishes.mend(state, state.scope),
        push_on(state, rng.sample(ids, min(len(ids), 2))),
        push_on(state, wishes.items_within(state, first, last), closed=wishes.whole_days(state, first, last)),
        set_aside(state, rng.sample(ids, min(len(ids), 2))),
    ]
    if state.scope:
        found.append(wishes.finish_first(state, rng.choice(state.scope)))
    away_days = range(first, last + 1)
    kept = {item for item, place in places_of(state).items() if place.day in away_days}
    assert not {item for item, place in places_of(found[0].state).items() if place.day in away_days} - kept
    return found


def test_a_full_week_is_lightened_by_as_much_as_finds_another_place() -> None:
    cells = [(day, section) for day in range(1, 8) for section in range(1, 12, 2)][:40]
    classes = tuple(class_fact(one, (2,) * 10, end=8) for one in range(1, 5))
    items = sorted((item.id for row in classes for item in row.items), key=lambda item: (item % 100, item))
    state = load_state(facts_of((), classes), scope=[1, 2, 3, 4], now=None)
    spots = {item: Spot(Place(day, section, 2), None) for item, (day, section) in zip(items, cells, strict=True)}
    done = wishes.lighten(with_spots(state, spots), 1, 80)
    assert len(done.changes) == 6
    assert {place.day for item, place in places_of(done.state).items() if spots[item].place != place} == {8}


def test_the_evening_is_the_third_part_of_the_day_and_all_behind_it() -> None:
    parts = ((1, 4), (5, 8), (9, 10), (11, 12))
    for last, first in ((2, None), (3, 9), (4, 9)):
        grid = Grid(2, parts[last - 1][1], parts[:last])
        state = load_state(facts_of((), (class_fact(1, (2,)),), grid), scope=[1], now=None)
        sections = [place.first for place in wishes.evenings(state, 3, 3)]
        assert sections == ([] if first is None else list(range(first, grid.sections + 1)))


def test_an_item_of_a_class_without_dates_stays_outside_the_days_of_the_draft() -> None:
    rows = facts_of((), (class_fact(1, (2, 2), end=7), class_fact(2, (2,), start=None, end=None)))
    state = load_state(rows, scope=[1, 2], now=None, window=Window(1, 21))
    places = {101: Place(2, 1, 2), 102: Place(4, 1, 2), 201: Place(20, 1, 2)}
    stands = with_spots(state, {item: Spot(place, None) for item, place in places.items()})
    draft = load_state(applied(rows, stands), scope=[1, 2], now=None)
    assert draft.window.last_day == 7
    done = wishes.keep_free(draft, wishes.whole_days(draft, 2, 2))
    assert [change.item_id for change in done.changes] == [101]
    assert wishes.mend(draft, [1, 2]).changes == ()
