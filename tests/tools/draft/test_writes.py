"""Random writes through the registry: invariants hold, refusals change nothing, a dry run promises the write."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.calls.values import ToolError
from agent.tools.default import default_registry
from schedules.planner.draft.codec import state_to_json
from schedules.planner.draft.invariants import invariant_errors
from schedules.planner.draft.load import load_state
from schedules.planner.draft.rebase import rebase
from tests.kits.budgets import tried
from tests.kits.planner.legal_places import legal_places
from tests.kits.planner.worlds import random_state
from tests.kits.tools.world import FIRST, EventFact, Place, call, context, draft, facts

REGISTRY = default_registry()
WRITES = 200


def random_call(rng: random.Random, state):
    """Any write, legal or not, more often legal."""
    items = list(state.items())
    ids = [entry.state_id for entry in state.tasks] + [999]
    name = rng.choice(("place", "move", "swap", "batch_move", "unplace"))
    if name == "swap":
        return name, {"task_a": rng.choice(ids), "task_b": rng.choice(ids)}
    if name == "unplace":
        return name, {"task_id": rng.choice(ids)}
    if name == "batch_move":
        chosen = rng.sample(items, k=min(len(items), rng.randint(1, 3)))
        return name, {"moves": [target(rng, state, entry.state_id, "new_day", "new_slot_start") for entry in chosen]}
    keys = ("day", "slot_start") if name == "place" else ("new_day", "new_slot_start")
    wanted = "pending" if name == "place" else "suggested"
    fitting = [entry.state_id for entry in items if entry.status == wanted]
    task = rng.choice(fitting) if fitting and rng.random() < 0.8 else rng.choice(ids)
    return name, target(rng, state, task, *keys)


def target(rng, state, task, day_key, start_key):
    entry = state.task(task)
    if entry is not None and entry.is_item and rng.random() < 0.7:
        places = list(legal_places(state, task))
        if places:
            place, _ = rng.choice(places)
            return {"task_id": task, day_key: state.window.index_of(place.day), start_key: place.first}
    total = state.window.total_days
    return {"task_id": task, day_key: rng.randint(1, total + 1), start_key: rng.randint(1, state.grid.sections)}


def run(name, arguments, state):
    """The pure tool, without the event loop's cost."""
    validated = REGISTRY.validate(name, arguments, state)
    return None if isinstance(validated, ToolError) else validated.tool.run(state, validated.args, context())


@tried(8)
@given(st.integers(0, 10**6))
def test_random_writes_keep_every_invariant(seed):
    rng = random.Random(seed)
    _, state = random_state(rng)
    events = [entry for entry in state.tasks if not entry.is_item]
    for _ in range(WRITES):
        name, arguments = random_call(rng, state)
        outcome = run(name, arguments, state)
        if outcome is None:
            continue
        again = run(name, arguments, state)
        assert again.changes == outcome.changes
        assert again.draft == outcome.draft
        if outcome.error is not None:
            assert outcome.draft is state
            continue
        assert outcome.changes
        assert outcome.draft.revision == state.revision + 1
        state = outcome.draft
        assert invariant_errors(state) == []
    kept = [entry for entry in state.tasks if not entry.is_item]
    assert [(e.state_id, e.slots, e.locked, e.name) for e in kept] == [
        (e.state_id, e.slots, e.locked, e.name) for e in events
    ]


@tried(25)
@given(st.integers(0, 10**6))
def test_taking_out_and_putting_back_gives_an_equal_draft(seed):
    rng = random.Random(seed)
    _, state = random_state(rng)
    for entry in [entry for entry in state.items() if entry.status == "pending"]:
        places = list(legal_places(state, entry.state_id))
        if not places:
            continue
        place, _ = rng.choice(places)
        spot = {"task_id": entry.state_id, "day": state.window.index_of(place.day), "slot_start": place.first}
        placed = run("place", spot, state).draft
        back = run("place", spot, run("unplace", {"task_id": entry.state_id}, placed).draft).draft
        assert back.tasks == placed.tasks
        state = placed


@tried(8)
@given(st.integers(0, 10**6))
def test_offered_places_are_exactly_those_the_rule_accepts(seed):
    rng = random.Random(seed)
    _, state = random_state(rng)
    for entry in list(state.items())[:3]:
        if entry.status == "existing":
            continue
        outcome = run("query_available_slots", {"for_task_id": entry.state_id, "limit": 60}, state)
        accepted = 0
        for day in range(1, state.window.total_days + 1):
            for first in range(1, state.grid.sections - entry.duration + 2):
                accepted += legal(state, entry, day, first)
        assert outcome.data["total"] == accepted
        for slot in outcome.data["slots"]:
            assert legal(state, entry, slot["day"], slot["slot_start"])


def legal(state, entry, day, first):
    if entry.status == "pending":
        return run("place", {"task_id": entry.state_id, "day": day, "slot_start": first}, state).error is None
    values = {"task_id": entry.state_id, "new_day": day, "new_slot_start": first}
    return run("move", values, state).error is None


@pytest.mark.parametrize(
    ("name", "arguments", "rule"),
    [
        ("place", {"task_id": 7, "day": 15, "slot_start": 1}, "outside_window"),
        ("place", {"task_id": 7, "day": 9, "slot_start": 12}, "outside_semester"),
        ("place", {"task_id": 7, "day": 7, "slot_start": 1}, "excluded_weekday"),
        ("place", {"task_id": 7, "day": 9, "slot_start": 10}, "excluded_block"),
        ("place", {"task_id": 7, "day": 3, "slot_start": 3}, "occupied"),
        ("move", {"task_id": 5, "new_day": 2, "new_slot_start": 5}, "host_partial"),
        ("move", {"task_id": 5, "new_day": 2, "new_slot_start": 2}, "host_partial"),
        ("move", {"task_id": 8, "new_day": 2, "new_slot_start": 3}, "filler_not_allowed"),
        ("place", {"task_id": 7, "day": 3, "slot_start": 5}, "order_before"),
        ("move", {"task_id": 5, "new_day": 8, "new_slot_start": 1}, "order_after"),
    ],
)
async def test_it_refuses_with_the_rule_that_is_broken(name, arguments, rule):
    outcome, result = await call(name, arguments, draft())
    assert (result.error_code, outcome.error.rule) == ("rule_broken", rule)


async def test_it_refuses_the_past_and_dates_outside_the_class():
    short = load_state(facts(), scope=(5, 6), now=(FIRST + 3, 5))
    outcome, _ = await call("place", {"task_id": 5, "day": 4, "slot_start": 3}, short)
    assert outcome.error.rule == "in_the_past"


async def test_a_host_takes_one_guest_only():
    state = (await call("move", {"task_id": 5, "new_day": 2, "new_slot_start": 3}, draft()))[0].draft
    outcome, _ = await call("move", {"task_id": 6, "new_day": 2, "new_slot_start": 4}, state)
    assert outcome.error.rule == "host_taken"
    assert state.task(2).embedded_by == 5
    assert state.task(5).embed_host == 2


async def test_order_holds_across_an_unplaced_middle_item():
    state = (await call("unplace", {"task_id": 6}, draft()))[0].draft
    state = (await call("place", {"task_id": 7, "day": 3, "slot_start": 1}, state))[0].draft
    outcome, _ = await call("move", {"task_id": 5, "new_day": 4, "new_slot_start": 1}, state)
    assert outcome.error.rule == "order_after"


async def test_a_batch_exchanges_places_whatever_the_order_of_its_entries():
    moves = [
        {"task_id": 6, "new_day": 4, "new_slot_start": 5},
        {"task_id": 8, "new_day": 4, "new_slot_start": 3},
    ]
    first = (await call("batch_move", {"moves": moves}, draft()))[0]
    second = (await call("batch_move", {"moves": moves[::-1]}, draft()))[0]
    assert first.error is None
    assert first.draft == second.draft
    assert first.changes == second.changes


async def test_one_bad_entry_of_a_batch_changes_nothing_and_is_named():
    state = draft()
    moves = [{"task_id": 6, "new_day": 5, "new_slot_start": 1}, {"task_id": 8, "new_day": 3, "new_slot_start": 3}]
    outcome, result = await call("batch_move", {"moves": moves}, state)
    assert outcome.draft is state
    assert outcome.error.details["entries"][0]["index"] == 2
    assert "第2条" in result.observation_text


async def test_an_applied_item_must_be_taken_out_before_it_moves():
    applied = EventFact(50, "概率论复习第1项", "task", 501, False, Place(FIRST, 5, 2))
    rows = facts(extra=(applied,))
    state = load_state(rows, scope=(5, 6), now=(FIRST, 1))
    (task,) = [entry.state_id for entry in state.items() if entry.source_id == 501]
    outcome, _ = await call("move", {"task_id": task, "new_day": 2, "new_slot_start": 7}, state)
    assert outcome.error.code == "wrong_status"
    outcome, result = await call("unplace", {"task_id": task}, state)
    assert "原已写入课表" in result.observation_text
    (change,) = result.result_view["expanded"]["sections"][0]["items"]
    assert "已写入课表" in change["detail_lines"]
    other = load_state(rows, scope=(6,), now=(FIRST, 1))
    (task,) = [entry.state_id for entry in other.items() if entry.source_id == 501]
    assert (await call("unplace", {"task_id": task}, other))[0].error.code == "fixed_entry"


def test_ids_keep_their_meaning_when_a_course_is_added():
    state = draft()
    assert state_to_json(draft()) == state_to_json(state)
    added = facts(extra=(EventFact(99, "体育", "course", None, False, Place(FIRST, 5, 2)),))
    moved = rebase(state, added).state
    assert {e.state_id: e.source_id for e in state.tasks}.items() <= {
        e.state_id: e.source_id for e in moved.tasks
    }.items()


async def test_an_id_that_is_an_items_own_names_that_item() -> None:
    outcome, result = await call("move", {"task_id": 602, "new_day": 6, "new_slot_start": 5}, draft())
    assert outcome.error.code == "task_not_found"
    assert "相近的有：[9]六级词汇第2项" in result.observation_text
