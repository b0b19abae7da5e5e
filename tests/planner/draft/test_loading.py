"""Loading and rebasing: stable ids, equal bytes, own changes kept or dropped with their rule."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from schedules.planner.draft.codec import state_to_json
from schedules.planner.draft.diff import diff
from schedules.planner.draft.invariants import invariant_errors
from schedules.planner.draft.load import load_state
from schedules.planner.draft.operations import PlaceOp, UnplaceOp
from schedules.planner.draft.rebase import rebase
from schedules.planner.draft.state import ScheduleState, Window
from schedules.planner.facts import Facts
from taskclasses.kernel.canonical_json import canonical_json
from tests.kits.planner.crowded import busy
from tests.kits.planner.worlds import GRID, applied, class_fact, course, facts_of

FACTS = facts_of((course(12, 2, 1, 2), course(11, 1, 5, 6, hosts=True)), (class_fact(6, (2,)), class_fact(5, (2, 1))))


def ids(state: ScheduleState) -> dict[str, int]:
    return {f"{entry.source}:{entry.source_id}": entry.state_id for entry in state.tasks}


def test_the_first_load_numbers_events_by_time_and_then_items_by_class_and_order() -> None:
    state = load_state(FACTS, scope=[5, 6], now=None)
    assert [(entry.state_id, entry.source, entry.source_id) for entry in state.tasks] == [
        (1, "event", 11),
        (2, "event", 12),
        (3, "task_item", 501),
        (4, "task_item", 502),
        (5, "task_item", 601),
    ]


def test_two_loads_of_the_same_rows_are_byte_equal_in_any_row_order() -> None:
    other = replace(FACTS, events=FACTS.events[::-1], task_classes=FACTS.task_classes[::-1])
    one, two = load_state(FACTS, scope=[5, 6], now=(1, 1)), load_state(other, scope=[6, 5], now=(1, 1))
    assert canonical_json(state_to_json(one)) == canonical_json(state_to_json(two))


def test_ids_survive_a_reload_with_new_rows_and_are_never_used_again() -> None:
    first = load_state(FACTS, scope=[5], now=None)
    more = replace(FACTS, events=(course(10, 1, 1, 2), *FACTS.events[1:]), base_version=2)
    second = load_state(more, scope=[5, 6], now=None, previous=first)
    kept = ids(first).keys() & ids(second).keys()
    assert {key: ids(second)[key] for key in kept} == {key: ids(first)[key] for key in kept}
    assert ids(second)["event:10"] == first.next_state_id
    assert second.next_state_id == first.next_state_id + 2


def test_the_window_is_the_union_of_the_dates_else_this_week_and_the_next() -> None:
    classes = (class_fact(5, (2,), start=3, end=9), class_fact(6, (2,), start=20, end=25))
    assert load_state(facts_of((), classes), scope=[5, 6], now=None).window == Window(3, 23)
    undated = (class_fact(5, (2,), start=None, end=None),)
    assert load_state(facts_of((), undated), scope=[5], now=(17, 3)).window == Window(15, 14)
    assert load_state(facts_of((), undated), scope=[5], now=(GRID.days, 13)).window == Window(134, 7)


def test_an_applied_item_is_one_entry_and_never_an_event() -> None:
    state = PlaceOp(3, 1, 5).apply(PlaceOp(5, 3, 1).apply(load_state(FACTS, scope=[5, 6], now=None)))
    loaded = load_state(applied(FACTS, state), scope=[5], now=None)
    assert [(entry.source_id, entry.status, entry.event_id) for entry in loaded.items()] == [
        (501, "existing", None),
        (502, "pending", None),
        (601, "existing", 10601),
    ]
    assert [entry.source_id for entry in loaded.tasks if not entry.is_item] == [11, 12]
    assert {meta.id for meta in loaded.task_classes} == {5, 6}


@pytest.mark.parametrize("seed", range(20))
def test_an_equal_base_gives_the_same_draft(seed: int) -> None:
    facts, state = busy(seed)
    again = rebase(state, facts)
    assert again.state == state
    assert (again.dropped, again.changed) == ((), False)


@pytest.mark.parametrize("seed", range(20))
def test_after_an_apply_everything_is_existing_and_the_diff_is_empty(seed: int) -> None:
    facts, state = busy(seed)
    rows = applied(_all_known(facts, state), state)
    again = rebase(state, rows)
    assert diff(again.state) == ()
    assert again.dropped == ()
    assert invariant_errors(again.state) == []
    assert {e.source_id: e.slots for e in again.state.items()} == {e.source_id: e.slots for e in state.items()}


def _all_known(facts: Facts, state: ScheduleState) -> Facts:
    """Only rows the draft sees, so that applying the draft is applying everything."""
    known = {entry.source_id for entry in state.items()}
    rows = [row for row in facts.events if row.task_item_id in known or row.task_item_id is None]
    rows = [row if row.guest_task_item_id in known else replace(row, guest_task_item_id=None) for row in rows]
    return replace(facts, events=tuple(rows))


@pytest.mark.parametrize("seed", range(30))
def test_a_rebase_keeps_ids_and_invariants_on_any_new_rows(seed: int) -> None:
    facts, state = busy(seed)
    rng = Random(seed)
    events = [row for row in facts.events if rng.random() < 0.8]
    new = Random(seed + 1)
    extra = [course(500 + n, new.randint(1, 14), 1 + 2 * new.randrange(5), 0) for n in range(4)]
    cells = {(row.place.day, s) for row in events for s in row.place.sections}
    for row in extra:
        place = replace(row.place, length=2)
        if not cells & {(place.day, s) for s in place.sections}:
            events.append(replace(row, place=place))
            cells |= {(place.day, s) for s in place.sections}
    rebased = rebase(state, replace(facts, events=tuple(events)))
    assert invariant_errors(rebased.state) == []
    both = ids(state).keys() & ids(rebased.state).keys()
    assert all(ids(state)[key] == ids(rebased.state)[key] for key in both)
    assert rebased.state.revision == state.revision + rebased.changed
    assert rebase(rebased.state, replace(facts, events=tuple(events))).state == rebased.state
    for gone in rebased.dropped:
        entry = rebased.state.task(gone.state_id)
        assert entry is not None
        assert gone.rule
        assert (entry.status, entry.rule) == (("existing", "") if gone.stays else ("pending", gone.rule))


def test_a_suggestion_under_a_new_course_becomes_pending_with_its_rule() -> None:
    state = PlaceOp(5, 3, 1).apply(load_state(FACTS, scope=[5, 6], now=None))
    rebased = rebase(state, replace(FACTS, events=(*FACTS.events, course(13, 3, 2, 3)), base_version=2))
    assert [(gone.item_id, gone.rule) for gone in rebased.dropped] == [(601, "occupied")]
    assert rebased.changed


def test_a_suggestion_that_lost_its_place_takes_nothing_off_that_the_timetable_has_since() -> None:
    state = PlaceOp(5, 3, 1).apply(load_state(FACTS, scope=[5, 6], now=None))
    lost = rebase(state, replace(FACTS, events=(*FACTS.events, course(13, 3, 2, 3)), base_version=2)).state
    rows = applied(FACTS, PlaceOp(5, 4, 1).apply(load_state(FACTS, scope=[5, 6], now=None)))
    rebased = rebase(lost, replace(rows, base_version=9))
    assert rebased.dropped == ()
    assert diff(rebased.state) == ()
    assert rebase(rebased.state, replace(rows, base_version=9)).state == rebased.state


def moved_away() -> tuple[Facts, ScheduleState]:
    """Returns rows that have item 601, and a draft that moves it to the third section of that day."""
    first = PlaceOp(5, 3, 1).apply(load_state(FACTS, scope=[5, 6], now=None))
    rows = applied(FACTS, first)
    return rows, PlaceOp(5, 3, 3).apply(UnplaceOp(5).apply(load_state(rows, scope=[5, 6], now=None)))


def test_a_move_under_a_new_course_leaves_the_item_where_the_timetable_has_it() -> None:
    rows, state = moved_away()
    rebased = rebase(state, replace(rows, events=(*rows.events, course(13, 3, 3, 4)), base_version=9))
    assert [(gone.item_id, gone.rule, gone.stays) for gone in rebased.dropped] == [(601, "occupied", True)]
    assert diff(rebased.state) == ()
    assert rebased.state.revision == state.revision + 1


def test_a_move_under_a_new_course_leaves_no_item_where_the_draft_has_another() -> None:
    rows, state = moved_away()
    state = PlaceOp(3, 3, 1).apply(state)
    rebased = rebase(state, replace(rows, events=(*rows.events, course(13, 3, 3, 4)), base_version=9))
    assert [(gone.item_id, gone.rule, gone.stays) for gone in rebased.dropped] == [(601, "occupied", False)]
    assert [change.op for change in diff(rebased.state)] == ["place", "unplace"]


def test_a_move_under_a_new_course_stands_nowhere_for_who_places_it_anew() -> None:
    rows, state = moved_away()
    rows = replace(rows, events=(*rows.events, course(13, 3, 3, 4)), base_version=9)
    rebased = rebase(state, rows, take_up=True)
    assert [(gone.item_id, gone.stays) for gone in rebased.dropped] == [(601, False)]
    assert [change.op for change in diff(rebased.state)] == ["unplace"]


def test_a_suggestion_on_the_place_of_an_item_taken_out_survives() -> None:
    first = PlaceOp(5, 3, 1).apply(load_state(FACTS, scope=[5, 6], now=None))
    rows = applied(FACTS, first)
    state = load_state(rows, scope=[5, 6], now=None)
    state = PlaceOp(3, 3, 1).apply(UnplaceOp(5).apply(state))
    rebased = rebase(state, replace(rows, events=(*rows.events, course(13, 9, 1, 2)), base_version=9))
    assert rebased.dropped == ()
    assert [change.op for change in diff(rebased.state)] == ["place", "unplace"]


def test_a_suggestion_survives_when_its_class_leaves_the_scope() -> None:
    state = PlaceOp(5, 3, 1).apply(load_state(FACTS, scope=[5, 6], now=None))
    rebased = rebase(state, FACTS, scope=[5])
    entry = rebased.state.by_item(601)
    assert entry is not None
    assert entry.status == "suggested"
    assert rebased.state.scope == (5,)


def test_an_applied_item_outside_the_window_brings_the_lessons_of_its_day() -> None:
    """A lesson there may host an item of a class the draft does not hold: then it is taken for good.

    It gets its state id after everything that belongs into the window.
    """
    events = (course(11, 1, 5, 6, hosts=True), course(12, 2, 1, 2))
    classes = (class_fact(5, (2, 2), start=8, end=14), class_fact(6, (2,), start=1, end=7))
    rows = (
        replace(events[0], guest_task_item_id=601, guest_place=events[0].place),
        events[1],
        replace(course(13, 1, 1, 2), type="task", task_item_id=501),
    )
    state = load_state(facts_of(rows, classes), scope=[5], now=None)
    assert [(entry.source, entry.source_id) for entry in state.tasks] == [
        ("task_item", 501),
        ("task_item", 502),
        ("event", 11),
    ]
    host = state.by_event(11)
    assert host is not None
    assert (host.can_embed, host.embedded_by) == (False, None)
    assert invariant_errors(state) == []


def test_what_the_timetable_of_another_semester_holds_waits_for_no_place() -> None:
    owner = class_fact(7, (2, 2))
    first, second = owner.items
    elsewhere = replace(owner, items=(replace(first, applied=True), second))
    state = load_state(facts_of((), (elsewhere,)), scope=[7], now=None)
    assert [entry.source_id for entry in state.items()] == [second.id]
