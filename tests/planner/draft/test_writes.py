"""Writes on a draft: statuses, links, refusals, and what holds after any sequence of them."""

from __future__ import annotations

import json
from dataclasses import replace
from random import Random

import pytest

from schedules.planner.draft.codec import state_from_json, state_to_json
from schedules.planner.draft.diff import changes_between, diff
from schedules.planner.draft.invariants import invariant_errors
from schedules.planner.draft.load import load_state
from schedules.planner.draft.operations import Arranged, BatchOp, MoveOp, PlaceOp, SwapOp, UnplaceOp, arrange
from schedules.planner.draft.state import ScheduleState
from schedules.planner.grid import Place
from schedules.planner.rules.errors import RuleBroken
from schedules.planner.rules.violations import Rule
from taskclasses.kernel.canonical_json import canonical_json
from tests.kits.planner.worlds import applied, class_fact, course, facts_of, random_op, random_state

EVENTS = (course(901, 1, 1, 2), course(900, 2, 3, 4, hosts=True, name="思修"), course(902, 3, 3, 4, hosts=True))


def draft() -> ScheduleState:
    """State ids 1-3 events, 4-6 items of class 5, 7 the item of class 6."""
    facts = facts_of(EVENTS, (class_fact(5, (2, 2, 2)), class_fact(6, (2,))))
    return load_state(facts, scope=[5, 6], now=(1, 1))


def done(state: ScheduleState, *ops: PlaceOp | MoveOp | SwapOp | UnplaceOp) -> ScheduleState:
    for op in ops:
        state = op.apply(state)
    return state


def test_a_place_inside_a_filler_links_both_ends_and_leaving_clears_them() -> None:
    inside = PlaceOp(4, 2, 3).apply(draft())
    guest, host = inside.task(4), inside.task(2)
    assert guest is not None
    assert host is not None
    assert (guest.status, guest.embed_host, host.embedded_by) == ("suggested", 2, 4)
    away = MoveOp(4, 3, 3).apply(inside)
    assert [(entry.state_id, entry.embedded_by) for entry in away.tasks[:3]] == [(1, None), (2, None), (3, 4)]


def test_a_second_guest_and_a_place_over_the_edge_of_a_filler_are_refused() -> None:
    state = PlaceOp(4, 2, 3).apply(draft())
    taken, partial = PlaceOp(7, 2, 3).check(state), PlaceOp(7, 2, 4).check(state)
    assert taken is not None
    assert partial is not None
    assert (taken.rule, partial.rule) == (Rule.HOST_TAKEN, Rule.HOST_PARTIAL)


def test_a_swap_is_judged_in_the_final_picture() -> None:
    state = done(draft(), PlaceOp(4, 4, 1), PlaceOp(7, 5, 1))
    swapped = SwapOp(4, 7).apply(state)
    assert [change.op for change in changes_between(state, swapped)] == ["move", "move"]
    assert SwapOp(7, 4).apply(state) == swapped


def test_a_swap_inside_a_class_breaks_its_order() -> None:
    state = done(draft(), PlaceOp(4, 4, 1), PlaceOp(5, 5, 1))
    refusal = SwapOp(4, 5).check(state)
    assert refusal is not None
    assert refusal.code == "rule_broken"
    assert refusal.rule in (Rule.ORDER_BEFORE, Rule.ORDER_AFTER)


def test_a_batch_may_rotate_a_whole_class_and_reports_each_failing_entry() -> None:
    state = done(draft(), PlaceOp(4, 4, 1), PlaceOp(5, 4, 3), PlaceOp(6, 4, 5))
    moved = BatchOp((MoveOp(6, 4, 7), MoveOp(5, 4, 5), MoveOp(4, 4, 3))).apply(state)
    assert [entry.slots[0].slot_start for entry in moved.tasks if entry.task_class_id == 5] == [3, 5, 7]
    refusal = BatchOp((MoveOp(6, 4, 7), MoveOp(5, 1, 1), MoveOp(4, 9, 1))).check(state)
    assert refusal is not None
    rules = [(entry.index, entry.rule) for entry in refusal.entries]
    assert rules == [(1, Rule.ORDER_BEFORE), (2, Rule.OCCUPIED), (3, Rule.ORDER_AFTER)]


@pytest.mark.parametrize(
    ("op", "code"),
    [
        (PlaceOp(99, 1, 3), "task_not_found"),
        (PlaceOp(1, 1, 3), "fixed_entry"),
        (PlaceOp(4, 5, 1), "wrong_status"),
        (MoveOp(5, 5, 1), "wrong_status"),
        (MoveOp(4, 4, 1), "no_change"),
        (SwapOp(4, 4), "duplicate_task"),
        (SwapOp(4, 1), "fixed_entry"),
        (UnplaceOp(5), "wrong_status"),
        (BatchOp((MoveOp(4, 5, 1), MoveOp(4, 5, 3))), "duplicate_task"),
        (BatchOp((MoveOp(4, 4, 1),)), "no_change"),
        (MoveOp(4, 1, 1), "rule_broken"),
    ],
)
def test_a_refusal_has_the_code_of_its_cause_and_changes_nothing(op: MoveOp, code: str) -> None:
    state = PlaceOp(4, 4, 1).apply(draft())
    refusal = op.check(state)
    assert refusal is not None
    assert refusal.code == code
    with pytest.raises(RuleBroken):
        op.apply(state)


def test_items_of_unequal_length_do_not_swap() -> None:
    facts = facts_of((), (class_fact(5, (2,)), class_fact(6, (1,))))
    state = done(load_state(facts, scope=[5, 6], now=None), PlaceOp(1, 1, 1), PlaceOp(2, 2, 1))
    refusal = SwapOp(1, 2).check(state)
    assert refusal is not None
    assert refusal.code == "length_mismatch"


def test_an_applied_item_is_taken_out_in_scope_and_fixed_out_of_scope() -> None:
    placed = done(draft(), PlaceOp(4, 4, 1), PlaceOp(7, 2, 3))
    facts = applied(facts_of(EVENTS, (class_fact(5, (2, 2, 2)), class_fact(6, (2,)))), placed)
    state = load_state(facts, scope=[6], now=None, previous=placed)
    own, other = state.by_item(601), state.by_item(501)
    assert own is not None
    assert other is not None
    assert (own.status, other.status) == ("existing", "existing")
    refusal = UnplaceOp(other.state_id).check(state)
    assert refusal is not None
    assert refusal.code == "fixed_entry"
    out = UnplaceOp(own.state_id).apply(state)
    assert [change.op for change in diff(out)] == ["unplace"]
    back = PlaceOp(own.state_id, 2, 3).apply(out)
    assert replace(back, revision=state.revision) == state


def test_a_save_sets_many_items_with_named_hosts() -> None:
    state = done(draft(), PlaceOp(4, 2, 3), PlaceOp(7, 4, 1))
    saved = arrange(state, [(501, Place(4, 1, 2), "free"), (601, Place(2, 3, 2), 900)])
    assert isinstance(saved, Arranged)
    assert invariant_errors(saved.state) == []
    assert arrange(state, [(501, Place(2, 3, 2), 900)]) == Arranged(state, {})
    refused = arrange(state, [(501, Place(2, 3, 2), "free"), (601, Place(4, 1, 2), 900)])
    assert isinstance(refused, dict)
    assert [(item, found[0].rule) for item, found in refused.items()] == [
        (501, Rule.OCCUPIED),
        (601, Rule.HOST_UNKNOWN),
    ]


@pytest.mark.parametrize("seed", range(40))
def test_any_sequence_of_writes_keeps_every_invariant(seed: int) -> None:
    rng = Random(seed)
    _, state = random_state(rng)
    fixed = {entry.state_id: entry.slots for entry in state.tasks if entry.locked}
    for _ in range(25):
        op, before = random_op(rng, state), canonical_json(state_to_json(state))
        if op.check(state) is not None:
            assert canonical_json(state_to_json(state)) == before
            continue
        after = op.apply(state)
        assert canonical_json(state_to_json(state)) == before
        assert invariant_errors(after) == []
        assert after.revision == state.revision + 1
        assert {entry.state_id: entry.slots for entry in after.tasks if entry.locked} == fixed
        assert state_from_json(json.loads(canonical_json(state_to_json(after)))) == after
        state = after


@pytest.mark.parametrize("seed", range(20))
def test_taking_an_item_out_and_putting_it_back_gives_the_same_value(seed: int) -> None:
    rng = Random(seed)
    _, state = random_state(rng)
    for _ in range(15):
        op = random_op(rng, state)
        state = op.apply(state) if op.check(state) is None else state
    for entry in state.items():
        slot = entry.slot
        if slot is None or UnplaceOp(entry.state_id).check(state) is not None:
            continue
        out = UnplaceOp(entry.state_id).apply(state)
        back = PlaceOp(entry.state_id, slot.day, slot.slot_start)
        if back.check(out) is None:
            assert replace(back.apply(out), revision=state.revision) == state
