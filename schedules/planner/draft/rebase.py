"""A draft on newer rows: its own changes are set down again, what no longer fits loses its place."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from schedules.planner.draft.load import load_state
from schedules.planner.draft.state import ScheduleState, Spot, TaskEntry, entry_at, with_spots
from schedules.planner.facts import Facts
from schedules.planner.grid import Cell
from schedules.planner.rules.board import Board
from schedules.planner.rules.placement import FREE, first_broken


@dataclass(frozen=True)
class Dropped:
    """A suggestion that lost its place, and the rule that took it."""

    state_id: int
    item_id: int
    rule: str


@dataclass(frozen=True)
class Rebased:
    """`changed` is true exactly when the revision was raised."""

    state: ScheduleState
    dropped: tuple[Dropped, ...]
    changed: bool


def rebase(
    state: ScheduleState, facts: Facts, *, now: Cell | None = None, scope: Iterable[int] | None = None
) -> Rebased:
    """Return the draft over these rows; `now` and `scope` replace the stored ones when given.

    The draft's changes are lifted together and set down one by one in (day, section, item) order, each judged by the
    placement rule. An equal base gives the draft back with nothing but `now` and `base_version` renewed.
    """
    wanted = state.scope if scope is None else tuple(scope)
    fresh = load_state(facts, scope=wanted, now=state.now if now is None else now, previous=state)
    if _same_base(state, fresh):
        return Rebased(replace(state, now=fresh.now, base_version=fresh.base_version), (), changed=False)
    spots, reasons = _replay_changes(state, fresh)
    new = replace(with_spots(fresh, spots, reasons=reasons), revision=state.revision)
    dropped = tuple(
        Dropped(entry.state_id, entry.source_id, entry.rule)
        for entry in new.items()
        if entry.rule and _was_suggested(state, entry.source_id)
    )
    changed = replace(new, now=state.now, base_version=state.base_version) != state
    return Rebased(replace(new, revision=state.revision + changed), dropped, changed=changed)


def _same_base(state: ScheduleState, fresh: ScheduleState) -> bool:
    """Tell whether both drafts stand on the same timetable, classes, scope and window."""
    if len(state.tasks) != len(fresh.tasks):
        return False
    bare = tuple(
        entry_at(state, entry, entry.base_spot) if entry.is_item else replace(entry, embedded_by=None)
        for entry in state.tasks
    )
    others = tuple(entry if entry.is_item else replace(entry, embedded_by=None) for entry in fresh.tasks)
    return bare == others and replace(
        state, tasks=(), now=fresh.now, base_version=fresh.base_version, revision=fresh.revision
    ) == replace(fresh, tasks=())


def _was_suggested(state: ScheduleState, item_id: int) -> bool:
    entry = state.by_item(item_id)
    return entry is not None and entry.status == "suggested"


def _replay_changes(state: ScheduleState, fresh: ScheduleState) -> tuple[dict[int, Spot | None], dict[int, str]]:
    """Return the spots of the draft's own changes over the fresh rows, and the rule of those that lost theirs."""
    board = fresh.board()
    spots: dict[int, Spot | None] = {}
    reasons: dict[int, str] = {}
    own = [entry for entry in state.items() if entry.own_change and fresh.by_item(entry.source_id) is not None]
    for entry in own:
        board.lift(entry.source_id)
        spots[entry.source_id] = None
        reasons[entry.source_id] = entry.rule
    suggested = [(spot, entry) for entry in own if (spot := state.spot_of(entry)) is not None]
    suggested.sort(
        key=lambda pair: (not _stands_on_timetable(fresh, pair[1], pair[0]), pair[0].place, pair[1].source_id)
    )
    for spot, entry in suggested:
        reason = _first_broken_rule(fresh, board, entry.source_id, spot)
        if reason:
            reasons[entry.source_id] = reason
        else:
            spots[entry.source_id] = spot
    return spots, reasons


def _stands_on_timetable(fresh: ScheduleState, entry: TaskEntry, spot: Spot) -> bool:
    now = fresh.by_item(entry.source_id)
    return now is not None and now.base_spot == spot


def _first_broken_rule(fresh: ScheduleState, board: Board, item_id: int, spot: Spot) -> str:
    """Return the rule a suggestion breaks on the fresh board; "" puts it down there. What the timetable has, stands."""
    entry = fresh.by_item(item_id)
    assert entry is not None
    if not _stands_on_timetable(fresh, entry, spot):
        host = FREE if spot.host_event_id is None else spot.host_event_id
        subject, situation = fresh.subject(entry), fresh.situation()
        violation = first_broken(board, subject, spot.place, host=host, situation=situation)
        if violation is not None:
            return violation.rule.value
    board.put(fresh.placed(entry, spot))
    return ""
