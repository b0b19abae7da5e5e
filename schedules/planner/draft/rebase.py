"""A draft on newer rows: its own changes are set down again, what no longer fits goes back to the timetable's place."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from schedules.planner.draft.load import load_state
from schedules.planner.draft.state import ScheduleState, Spot, TaskEntry, entry_at, with_keeping, with_spots
from schedules.planner.facts import Facts
from schedules.planner.grid import Cell
from schedules.planner.rules.board import Board
from schedules.planner.rules.placement import broken_rules


@dataclass(frozen=True)
class Dropped:
    """Holds a suggestion that lost its place, and the rule that took it; `stays` where the timetable has the item."""

    state_id: int
    item_id: int
    rule: str
    stays: bool


@dataclass(frozen=True)
class Rebased:
    """Holds the draft on the newest rows; `changed` is true exactly when the revision was raised."""

    state: ScheduleState
    dropped: tuple[Dropped, ...]
    changed: bool


def rebase(
    state: ScheduleState,
    facts: Facts,
    *,
    now: Cell | None = None,
    scope: Iterable[int] | None = None,
    take_up: bool = False,
) -> Rebased:
    """Returns the draft over these rows; `now` and `scope` replace the stored ones when given.

    The draft's changes are lifted together and set down one by one, those that the student keeps first, then in (day,
    section, item) order, each judged by the placement rule; a place that the student keeps may break preferences. What
    lost its place stays where the timetable has it, as far as the other changes leave room; with `take_up` it stands
    nowhere, for who places it anew. An equal base gives the draft back with nothing but `now` and `base_version`
    renewed.
    """
    wanted = state.scope if scope is None else tuple(scope)
    fresh = load_state(facts, scope=wanted, now=state.now if now is None else now, previous=state)
    if _same_base(state, fresh):
        return Rebased(replace(state, now=fresh.now, base_version=fresh.base_version), (), changed=False)
    board, spots, reasons = _replay_changes(state, fresh)
    lost = {item_id: rule for item_id, rule in reasons.items() if rule and _is_suggested(state, item_id)}
    back = {} if take_up else _leave_behind(fresh, board, lost)
    replayed = with_spots(fresh, spots | back, reasons={one: reasons[one] for one in reasons.keys() - back.keys()})
    new = replace(with_keeping(replayed, _keeping_of_suggestions(state, replayed)), revision=state.revision)
    dropped = tuple(
        Dropped(entry.state_id, entry.source_id, lost[entry.source_id], stays=entry.source_id in back)
        for entry in new.items()
        if entry.source_id in lost
    )
    changed = replace(new, now=state.now, base_version=state.base_version) != state
    return Rebased(replace(new, revision=state.revision + changed), dropped, changed=changed)


def put_back(
    state: ScheduleState, spots: Mapping[int, Spot | None], keeping: Mapping[int, tuple[bool, bool]]
) -> ScheduleState:
    """Sets items where a draft once had them, as far as the placement rule allows it now; None takes one up.

    `keeping` is (pinned, by hand) of those items there. What the draft says of its own about an item stands; items and
    hosts that it does not know are left out.
    """
    wanted = {}
    for item_id, spot in spots.items():
        entry = state.by_item(item_id)
        if entry is None or entry.own_change or entry.locked:
            continue
        if spot is None or spot.host_event_id is None or state.by_event(spot.host_event_id) is not None:
            wanted[item_id] = spot
    board = state.board()
    for item_id in wanted:
        board.lift(item_id)
    for item_id, spot in sorted(wanted.items(), key=lambda pair: (pair[1] is None, pair[1] and pair[1].place, pair[0])):
        if spot is not None and _first_broken_rule(state, board, item_id, spot, kept=any(keeping.get(item_id, ()))):
            now = state.by_item(item_id)
            wanted[item_id] = None if now is None else state.spot_of(now)
    new = with_spots(state, wanted)
    back = {item_id: keeping[item_id] for item_id in wanted.keys() & keeping.keys() if _is_suggested(new, item_id)}
    return replace(with_keeping(new, back), revision=new.revision)


def _same_base(state: ScheduleState, fresh: ScheduleState) -> bool:
    """Tells whether both drafts stand on the same timetable, classes, scope and window."""
    if len(state.tasks) != len(fresh.tasks):
        return False
    bare = tuple(
        entry_at(state, entry, entry.base_spot) if entry.own_change else _without_guest(entry) for entry in state.tasks
    )
    others = tuple(_without_guest(entry) for entry in fresh.tasks)
    return bare == others and replace(
        state, tasks=(), now=fresh.now, base_version=fresh.base_version, revision=fresh.revision
    ) == replace(fresh, tasks=())


def _without_guest(entry: TaskEntry) -> TaskEntry:
    return entry if entry.embedded_by is None else replace(entry, embedded_by=None)


def _keeping_of_suggestions(state: ScheduleState, fresh: ScheduleState) -> dict[int, tuple[bool, bool]]:
    """Returns (pinned, by hand) of the suggestions as they had it; what stands on the timetable has the timetable's."""
    suggested = (state.by_item(entry.source_id) for entry in fresh.items() if entry.status == "suggested")
    return {entry.source_id: (entry.pinned, entry.by_hand) for entry in suggested if entry is not None}


def _is_suggested(state: ScheduleState, item_id: int) -> bool:
    entry = state.by_item(item_id)
    return entry is not None and entry.status == "suggested"


def _replay_changes(state: ScheduleState, fresh: ScheduleState) -> tuple[Board, dict[int, Spot | None], dict[int, str]]:
    """Returns the spots of the draft's own changes over the fresh rows, with the board they give, and the rule of those
    that lost theirs."""
    board = fresh.board()
    spots: dict[int, Spot | None] = {}
    reasons: dict[int, str] = {}
    own = [entry for entry in state.items() if entry.own_change and not _is_settled(entry, fresh)]
    for entry in own:
        board.lift(entry.source_id)
        spots[entry.source_id] = None
        reasons[entry.source_id] = entry.rule
    suggested = [(spot, entry) for entry in own if (spot := state.spot_of(entry)) is not None]
    suggested.sort(
        key=lambda pair: (
            not _stands_on_timetable(fresh, pair[1], pair[0]),
            not pair[1].kept,
            pair[0].place,
            pair[1].source_id,
        )
    )
    for spot, entry in suggested:
        reason = _first_broken_rule(fresh, board, entry.source_id, spot, kept=entry.kept)
        if reason:
            reasons[entry.source_id] = reason
        else:
            spots[entry.source_id] = spot
    return board, spots, reasons


def _is_settled(entry: TaskEntry, fresh: ScheduleState) -> bool:
    """Tells whether an item is gone, or had no place in draft or timetable and the timetable has given it one since."""
    now = fresh.by_item(entry.source_id)
    return now is None or (entry.status == "pending" and entry.base is None and now.base is not None)


def _leave_behind(fresh: ScheduleState, board: Board, lost: Iterable[int]) -> dict[int, Spot]:
    """Returns the timetable's places of those items that may stand there among what is on the board; sets them down."""
    entries = [entry for item_id in lost if (entry := fresh.by_item(item_id)) is not None]
    known = [(spot, entry) for entry in entries if (spot := entry.base_spot) is not None]
    spots: dict[int, Spot] = {}
    for spot, entry in sorted(known, key=lambda pair: (pair[0].place, pair[1].source_id)):
        broken = broken_rules(board, fresh.subject(entry), spot.place, host=spot.host_mode, situation=fresh.situation())
        # It stands there already: what the student once preferred takes it away no more than before.
        if all(one.is_preference for one in broken):
            board.put(fresh.seat(entry, spot))
            spots[entry.source_id] = spot
    return spots


def _stands_on_timetable(fresh: ScheduleState, entry: TaskEntry, spot: Spot) -> bool:
    now = fresh.by_item(entry.source_id)
    return now is not None and now.base_spot == spot


def _first_broken_rule(fresh: ScheduleState, board: Board, item_id: int, spot: Spot, *, kept: bool) -> str:
    """Returns the rule a suggestion breaks on the fresh board; "" puts it down there. What the timetable has,
    stands."""
    entry = fresh.by_item(item_id)
    assert entry is not None
    if not _stands_on_timetable(fresh, entry, spot):
        subject, situation = fresh.subject(entry), fresh.situation()
        broken = broken_rules(board, subject, spot.place, host=spot.host_mode, situation=situation)
        binding = [one for one in broken if not (kept and one.is_preference)]
        if binding:
            return binding[0].rule.value
    board.put(fresh.seat(entry, spot))
    return ""
