"""Draft -> problem -> plan -> draft: what is free, what is pinned, and that the result obeys every rule."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from schedules.planner.draft.adapter import apply_plan, cost_of, placements_of, problem_of, whole_problem
from schedules.planner.draft.invariants import invariant_errors
from schedules.planner.draft.load import load_state
from schedules.planner.draft.operations import PlaceOp
from schedules.planner.draft.state import ScheduleState, Spot
from schedules.planner.facts import EventFact
from schedules.planner.grid import Place
from schedules.planner.problem import Problem, check_problem
from schedules.planner.replan.wishes import keep_free, pick_up
from schedules.planner.rules.placement import broken_rules
from schedules.planner.solver.layout import Evaluator
from schedules.planner.solver.rough_build import plan
from tests.kits.budgets import tried
from tests.kits.planner.crowded import busy
from tests.kits.planner.legal_places import legal_places
from tests.kits.planner.worlds import applied, class_fact, course, facts_of, random_state

EVENTS = (course(900, 2, 3, 4, hosts=True), course(901, 3, 3, 4, hosts=True))
CLASSES = (class_fact(5, (2, 2)), class_fact(6, (2, 2)))


def draft(*scope: int) -> ScheduleState:
    """Item 501 is applied inside host 900, item 601 suggested inside host 901, 502 and 602 are pending."""
    first = PlaceOp(3, 2, 3).apply(load_state(facts_of(EVENTS, CLASSES), scope=[5, 6], now=None))
    state = load_state(applied(facts_of(EVENTS, CLASSES), first), scope=scope, now=None, previous=first)
    entry = state.by_item(601)
    return state if entry is None else PlaceOp(entry.state_id, 3, 3).apply(state)


def pins(problem: Problem) -> dict[int, bool]:
    return {item.id: item.pinned is not None for _, item in problem.each_item()}


def test_pending_items_are_free_and_suggested_ones_on_a_second_build() -> None:
    state = draft(5, 6)
    assert pins(problem_of(state)) == {501: True, 502: False, 601: True, 602: False}
    assert pins(problem_of(state, free="pending_and_suggested")) == {501: True, 502: False, 601: False, 602: False}
    assert pins(problem_of(state, classes=[5])) == {501: True, 502: False, 601: True}


def test_a_host_names_only_a_pinned_guest() -> None:
    first, again = problem_of(draft(5, 6)), problem_of(draft(5, 6), free="pending_and_suggested")
    assert [event.guest_task_item_id for event in first.occupied] == [501, 601]
    assert [event.guest_task_item_id for event in again.occupied] == [501, None]


def test_a_plan_is_one_change_and_its_leftovers_keep_their_rule() -> None:
    narrow = facts_of(EVENTS, (class_fact(5, (2, 2), start=2, end=2), CLASSES[1]))
    full = facts_of(tuple(course(9 + n, 2, 1 + 2 * n, 2 + 2 * n) for n in range(5)), narrow.task_classes)
    state = load_state(full, scope=[5, 6], now=None)
    found = plan(problem_of(state))
    after = apply_plan(state, found)
    assert after.revision == state.revision + 1
    left = [(entry.source_id, entry.rule) for entry in after.items() if entry.status == "pending"]
    assert left == [(row.task_item_id, row.rule) for row in found.unplaced]
    assert len(left) == 1
    assert apply_plan(after, found) is after


@given(seed=st.integers(0, 10_000), again=st.booleans())
@tried(40)
def test_any_plan_written_into_its_draft_obeys_every_rule(seed: int, again: bool) -> None:
    _, state = busy(seed)
    problem = problem_of(state, free="pending_and_suggested" if again else "pending")
    check_problem(problem)
    after = apply_plan(state, plan(problem, budget=500))
    assert invariant_errors(after) == []
    board, situation = after.board(), after.situation(planner=True)
    for entry in after.items():
        place = after.place_of(entry)
        before = state.task(entry.state_id)
        if place is not None and before is not None and after.spot_of(entry) != state.spot_of(before):
            host = after.host_event_of(entry)
            assert broken_rules(board, after.subject(entry), place, host=host or "free", situation=situation) == []
    assert cost_of(after).total >= 0


def test_what_was_caught_up_stands_behind_what_has_begun_in_every_later_plan() -> None:
    rows = facts_of((), (class_fact(5, (2, 2, 2)), class_fact(6, (2,))))
    stood = PlaceOp(2, 3, 1).apply(PlaceOp(1, 2, 1).apply(load_state(rows, scope=[5, 6], now=None)))
    state = pick_up(load_state(applied(rows, stood), scope=[5, 6], now=(5, 1)), [501]).state
    assert state.by_item(501) is not None
    for free in ("pending", "pending_and_suggested"):
        found = plan(problem_of(state, free=free))
        after = apply_plan(state, found)
        assert (found.unplaced, invariant_errors(after)) == ((), [])
        assert all(place.day >= 5 for one in (501, 503, 601) if (place := after.place_of(after.by_item(one))))


@given(seed=st.integers(0, 10_000))
@tried(40)
def test_no_item_that_is_left_over_has_a_legal_place_whatever_has_begun(seed: int) -> None:
    rng = Random(seed)
    _, state = random_state(rng)
    state = replace(state, now=(rng.randint(1, state.window.last_day), rng.randint(1, 4)))
    after = apply_plan(state, plan(problem_of(state), budget=500))
    for entry in after.items():
        if not entry.slots and entry.task_class_id in after.scope:
            assert list(legal_places(after, entry.state_id, planner=True)) == []


def test_time_that_is_kept_free_or_an_exam_keeps_guests_out_of_these_sections_of_a_lesson_alone() -> None:
    rows = facts_of((course(900, 2, 5, 8, hosts=True),), (class_fact(5, (2,), start=2, end=2),))
    over = {
        "kept": replace(rows, grid=replace(rows.grid, kept_free=frozenset({(2, 5)}))),
        "exam": replace(rows, events=(*rows.events, EventFact(-1, "期末", "exam", None, False, Place(2, 5, 1)))),
    }
    for facts in over.values():
        full = [course(900 + first, 2, first, first + 1) for first in (1, 3, 9, 11)]
        state = load_state(replace(facts, events=(*facts.events, *full)), scope=[5], now=None)
        after = apply_plan(state, plan(problem_of(state)))
        entry = after.by_item(501)
        assert entry is not None
        assert after.spot_of(entry) == Spot(Place(2, 7, 2), 900)
        assert cost_of(after).total == Evaluator(whole_problem(after), placements_of(after)).total
        assert keep_free(after, [Place(2, 6, 1)]).changes == ()
        assert [change.item_id for change in keep_free(after, [Place(2, 7, 1)]).changes] == [501]
