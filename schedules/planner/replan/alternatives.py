"""Other ways to catch up than the fewest changes: the class moves on by one place, or what fell out waits."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from schedules.planner.draft.state import ScheduleState, Spot, TaskEntry, with_keeping, with_spots
from schedules.planner.grid import Place
from schedules.planner.replan.least_change import Replanned, Wish, is_legal, is_past, movable_items, replan


def set_aside(state: ScheduleState, item_ids: Collection[int]) -> Replanned:
    """Takes items off: they wait for a place, nothing else moves."""
    off = [entry.source_id for entry in _wanted(state, item_ids) if entry.slots]
    return Replanned(state, with_spots(state, dict.fromkeys(off)), {}, {})


def push_on(state: ScheduleState, item_ids: Collection[int], *, closed: Collection[Place] = ()) -> Replanned:
    """Gives each item the place of the one that followed it in its class; the last ones find places of their own.

    Items of other classes, and what stands behind something that is pinned, keep their places; what the student put
    somewhere by hand is pushed on too, for that is what was asked for. Where a place cannot be
    taken over, the draft comes back as it was, with the rule in `left`.
    """
    shut = {(place.day, section) for place in closed for section in place.sections}
    spots: dict[int, Spot | None] = {}
    last: set[int] = set()
    wanted = {entry.source_id for entry in _wanted(state, item_ids)}
    for line in _lines(state, wanted):
        places = _places_ahead(state, [entry for entry in line if entry.source_id not in wanted], shut)
        for entry, spot in zip(line, places, strict=False):
            if spot.place.length != entry.duration:
                return Replanned(state, state, {}, {entry.source_id: "wrong_length"})
            spots[entry.source_id] = spot
        behind = line[len(places) :]
        last |= {entry.source_id for entry in behind}
        # What has begun stays where it was when there is no other place for it.
        spots |= {entry.source_id: None for entry in behind if not is_past(state, entry)}
    moved = {item for item, spot in spots.items() if spot is not None}
    shifted = with_spots(state, spots)
    fixed = frozenset(entry.source_id for entry in state.items()) - last
    done = replan(shifted, Wish(again=frozenset(last), closed=tuple(closed), fixed=fixed), basis=state)
    left = dict(done.left) | {item: rule for item in sorted(moved) if (rule := _broken(done.state, item))}
    if left:
        return Replanned(state, state, {}, left)
    return Replanned(state, done.state, done.reasons, {})


def _wanted(state: ScheduleState, item_ids: Collection[int]) -> Iterator[TaskEntry]:
    """Yields the items that may find another place at all."""
    for entry in state.items():
        if entry.source_id in item_ids and not entry.locked and (not entry.kept or is_past(state, entry)):
            yield entry


def _lines(state: ScheduleState, item_ids: Collection[int]) -> Iterator[list[TaskEntry]]:
    """Yields, for each class, its items from the first of these on, as far as they may move."""
    by_hand = {entry.source_id: (False, False) for entry in state.items() if entry.by_hand and not entry.pinned}
    movable = movable_items(with_keeping(state, by_hand)) | set(item_ids)
    for meta in state.task_classes:
        mine = [entry for entry in state.items() if entry.task_class_id == meta.id]
        mine.sort(key=lambda entry: (entry.task_order or 0, entry.source_id))
        line: list[TaskEntry] = []
        for entry in mine:
            if entry.source_id in movable and (line or entry.source_id in item_ids):
                line.append(entry)
            elif line and entry.slots and not is_past(state, entry):
                break
        if line:
            yield line


def _places_ahead(state: ScheduleState, line: list[TaskEntry], shut: Collection[tuple[int, int]]) -> list[Spot]:
    """Returns the places that the line has and may go on using, in time order."""
    spots = [spot for entry in line if (spot := state.spot_of(entry)) is not None and not is_past(state, entry)]
    free = [spot for spot in spots if not any((spot.place.day, section) in shut for section in spot.place.sections)]
    return sorted(free, key=lambda spot: spot.place)


def _broken(state: ScheduleState, item: int) -> str:
    """Tells whether an item breaks a rule where it stands now."""
    entry = state.by_item(item)
    spot = None if entry is None else state.spot_of(entry)
    legal = entry is not None and spot is not None and is_legal(state, state.board(), entry, spot)
    return "" if legal else "order_before"
