"""Ways out of a refused place: followers that move along, an exchange, the nearest places that are legal."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Literal

from schedules.planner.draft.adapter import placements_of, problem_of
from schedules.planner.draft.legal import FreeCells
from schedules.planner.draft.operations import Arranged, arrange
from schedules.planner.draft.state import ScheduleState, Spot, TaskEntry, with_keeping, with_spots
from schedules.planner.grid import Place
from schedules.planner.problem import Problem, ProblemError
from schedules.planner.rules.violations import Rule, Violation
from schedules.planner.solver.replan import plan_keeping

ORDER = frozenset({Rule.ORDER_BEFORE, Rule.ORDER_AFTER})
TAKEN = frozenset({Rule.OCCUPIED, Rule.HOST_TAKEN})
NEAREST = 3


@dataclass(frozen=True)
class Offer:
    """Tells what to save instead: spots by item. `planned` are the items whose place is ours, not the student's."""

    kind: Literal["shift_followers", "swap", "nearest"]
    item_id: int
    spots: Mapping[int, Spot]
    planned: frozenset[int] = frozenset()


def offers_for(
    state: ScheduleState, wanted: Mapping[int, Spot], forbidden: Mapping[int, Sequence[Violation]]
) -> list[Offer]:
    """Returns the ways out when one item of a save is refused; each can be saved together with the rest of it."""
    if len(forbidden) != 1:
        return []
    [(item_id, violations)] = forbidden.items()
    rest = {item: spot for item, spot in wanted.items() if item != item_id}
    scene = with_spots(state, rest)
    entry, rules = scene.by_item(item_id), {one.rule for one in violations}
    if entry is None:
        return []
    found: list[Offer] = []
    if rules <= ORDER:
        found += _shift_followers(scene, entry, wanted[item_id])
    if rules & TAKEN:
        found += [*_swap(scene, entry, wanted[item_id], violations), *_nearest(scene, entry, wanted[item_id].place)]
    return [replace(offer, spots={**rest, **offer.spots}) for offer in found]


def _shift_followers(state: ScheduleState, entry: TaskEntry, spot: Spot) -> list[Offer]:
    """Moves as few siblings as possible so that the place becomes legal; what the student set by hand only if need be,
    what is pinned never."""
    there = with_spots(state, {entry.source_id: spot})
    there = with_keeping(there, {entry.source_id: (True, True)})
    freed = {
        one.source_id: (False, False)
        for one in there.items()
        if one.by_hand and not one.pinned and one.task_class_id == entry.task_class_id
    }
    for scene in (there, with_keeping(there, freed)):
        spots = _repair(scene, entry)
        offer = Offer("shift_followers", entry.source_id, {entry.source_id: spot, **spots}, frozenset(spots))
        if spots and _is_accepted(state, offer):
            return [offer]
    return []


def _repair(state: ScheduleState, entry: TaskEntry) -> dict[int, Spot]:
    """Returns the new spots of the siblings that give way, none when they cannot."""
    waiting = {one.source_id for one in state.items() if one.status == "pending"}
    problem = _without(problem_of(state, free="pending_and_suggested", classes=[entry.task_class_id or 0]), waiting)
    free = {item.id for _, item in problem.each_item() if item.pinned is None}
    keep = [one for one in placements_of(state) if one.task_item_id in free]
    try:
        plan = plan_keeping(problem, keep=keep, max_moves=len(keep)).plan
    except ProblemError:
        return {}
    before = {one.task_item_id: one.place for one in keep}
    return {
        one.task_item_id: Spot(one.place, one.embed_course_event_id)
        for one in plan.placements
        if one.task_item_id in before and one.place != before[one.task_item_id]
    }


def _without(problem: Problem, item_ids: Collection[int]) -> Problem:
    """Leaves items out: what has no place is not what is asked about."""
    classes = tuple(
        replace(row, items=tuple(item for item in row.items if item.id not in item_ids)) for row in problem.task_classes
    )
    return replace(problem, task_classes=classes)


def _swap(state: ScheduleState, entry: TaskEntry, spot: Spot, violations: Sequence[Violation]) -> list[Offer]:
    own = state.spot_of(entry)
    blockers = {one.blocker.task_item_id for one in violations if one.rule in TAKEN and one.blocker is not None}
    other = state.by_item(blockers.pop() or 0) if len(blockers) == 1 else None
    if own is None or other is None or other.status != "suggested" or other.pinned:
        return []
    theirs = state.spot_of(other)
    if theirs is None or theirs.place != spot.place:
        return []
    spots = {entry.source_id: theirs, other.source_id: own}
    offer = Offer("swap", entry.source_id, spots, frozenset({other.source_id}))
    return [offer] if _is_accepted(state, offer) else []


def _nearest(state: ScheduleState, entry: TaskEntry, place: Place) -> list[Offer]:
    board = state.board()
    board.lift(entry.source_id)
    own = state.place_of(entry)
    legal = FreeCells(board, state.situation()).places(state.subject(entry))
    ranked = sorted(
        (found for found in legal if found[0] != own),
        key=lambda found: (abs(found[0].day - place.day), abs(found[0].first - place.first), found[0]),
    )
    return [
        Offer("nearest", entry.source_id, {entry.source_id: Spot(where, host)})
        for where, host in islice(ranked, NEAREST)
    ]


def _is_accepted(state: ScheduleState, offer: Offer) -> bool:
    targets = [(item, spot.place, spot.host_mode) for item, spot in offer.spots.items()]
    return isinstance(arrange(state, targets, planned=offer.planned), Arranged)
