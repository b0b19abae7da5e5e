"""Re-planning a draft by least change: some items find another place, everybody else moves only to make room.

What is past, done, pinned or set by the student's own hand never moves. What has begun binds nothing that lies ahead.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace

from schedules.planner.draft.adapter import CLOSED, cells_lent
from schedules.planner.draft.diff import PlaceChange, changes_between
from schedules.planner.draft.state import EXAM, ClassMeta, ScheduleState, Spot, TaskEntry, with_spots
from schedules.planner.grid import Cell, Place
from schedules.planner.problem import Occupied, Placement, PlanClass, PlanItem, Problem
from schedules.planner.rules.board import Board
from schedules.planner.rules.placement import first_broken
from schedules.planner.solver.replan import plan_keeping

START: Cell = (1, 1)


@dataclass(frozen=True)
class Wish:
    """Tells what shall become otherwise.

    `again`: items that find a place anew, whether they have one or not. `closed`: places that stay free of study.
    `fixed`: items that stay although they could move. `mend`: what breaks a rule of its class is placed anew as well.
    """

    again: frozenset[int] = frozenset()
    closed: tuple[Place, ...] = ()
    fixed: frozenset[int] = frozenset()
    mend: bool = False


@dataclass(frozen=True)
class Replanned:
    """Holds the draft after it, what moved, why each moved, and the rule of each item that found no place."""

    before: ScheduleState
    state: ScheduleState
    reasons: Mapping[int, str]
    left: Mapping[int, str]

    @property
    def changes(self) -> tuple[PlaceChange, ...]:
        return changes_between(self.before, self.state)

    @property
    def weight(self) -> tuple[int, int]:
        """Returns items left over, then items that moved: smaller is better."""
        return len(self.left), len(self.changes)


def replan(state: ScheduleState, wish: Wish, *, basis: ScheduleState | None = None) -> Replanned:
    """Carries out a wish with as few moves as possible; the same draft comes back when nothing has to move.

    What broke a rule in `basis` already (default: the draft itself) stays, unless the wish is to mend.
    """
    roles = _Roles(state, wish, basis or state)
    problem = _problem(state, wish, roles)
    repaired = plan_keeping(problem, keep=roles.keep, max_moves=len(roles.keep))
    spots: dict[int, Spot | None] = {
        row.task_item_id: Spot(row.place, row.embed_course_event_id)
        for row in repaired.plan.placements
        if row.task_item_id in roles.movable
    }
    left = {row.task_item_id: str(row.rule) for row in repaired.plan.unplaced}
    # What has begun stays where it was when there is no other place for it.
    spots |= {item: None for item in left if (entry := state.by_item(item)) is not None and not is_past(state, entry)}
    after = with_spots(state, spots, reasons=left)
    return Replanned(state, after, {move.task_item_id: str(move.reason) for move in repaired.moves}, left)


def stays(state: ScheduleState, entry: TaskEntry) -> bool:
    """Tells whether nobody but the student moves an item: it is past, done, pinned or set by hand."""
    place = state.place_of(entry)
    if place is None:
        return False
    past = state.now is not None and place.cell < state.now
    return past or entry.locked or entry.kept


def movable_items(state: ScheduleState) -> set[int]:
    """Returns the items with a place that a wish may move."""
    return _Roles(state, Wish(), state).movable


class _Roles:
    """Tells who may move and who not, of the items that have a place or want one."""

    def __init__(self, state: ScheduleState, wish: Wish, basis: ScheduleState) -> None:
        self.movable: set[int] = set()
        self.fixed: set[int] = set()
        keep: list[Placement] = []
        board = basis.board()
        for entry in state.items():
            item, spot = entry.source_id, state.spot_of(entry)
            if item in wish.again and not entry.locked and not (entry.kept and not is_past(state, entry)):
                self.movable.add(item)
                continue
            if spot is None or is_past(state, entry):
                continue
            legal = is_legal(basis, board, entry, spot)
            if (
                stays(state, entry)
                or item in wish.fixed
                or (_is_beyond(state, entry, spot) if legal else not wish.mend)
            ):
                self.fixed.add(item)
            else:
                self.movable.add(item)
                keep.append(Placement(item, entry.task_class_id or 0, spot.place, spot.host_event_id))
        self.keep = tuple(keep)


def _is_beyond(state: ScheduleState, entry: TaskEntry, spot: Spot) -> bool:
    """Tells whether an item of a class without dates stands outside the days of the draft, whose planner has no others
    for it."""
    rules, day = state.class_of(entry).rules, spot.place.day
    return (rules.start_day is None and day < state.window.first_day) or (
        rules.end_day is None and day > state.window.last_day
    )


def is_past(state: ScheduleState, entry: TaskEntry) -> bool:
    """Tells whether an item has begun."""
    place = state.place_of(entry)
    return place is not None and state.now is not None and place.cell < state.now


def is_legal(state: ScheduleState, board: Board, entry: TaskEntry, spot: Spot) -> bool:
    """Tells whether an item breaks no rule at a spot, beside all others on the board."""
    return first_broken(board, state.subject(entry), spot.place, host=spot.host_mode) is None


def _problem(state: ScheduleState, wish: Wish, roles: _Roles) -> Problem:
    """Returns the future as a problem: what has begun is no part of it."""
    closed = {(place.day, section) for place in wish.closed for section in place.sections} | _cells_running(state)
    # An exam may lie over lessons and over what stays, but each cell of a problem has one owner.
    closed |= _cells_of_exams(state) | state.grid.kept_free
    events = [entry for entry in state.tasks if not entry.is_item and entry.event_type != EXAM]
    occupied = [_make_occupied(state, entry, roles) for entry in events]
    lent = closed & cells_lent(occupied)
    taken = {(row.place.day, section) for row in occupied for section in row.place.sections}
    for entry in state.items():
        place = state.place_of(entry)
        if entry.source_id in roles.fixed and place is not None and entry.embed_host is None:
            taken |= {(place.day, section) for section in place.sections}
    occupied += _walls(closed - taken)
    classes = []
    for meta in state.task_classes:
        entries = [entry for entry in state.items() if entry.task_class_id == meta.id]
        items = [item for entry in entries if (item := _item(state, entry, roles)) is not None]
        if items:
            classes.append(_class(state, meta, items))
    # What lies over a lesson keeps guests out of these cells alone.
    grid = replace(state.grid, kept_free=frozenset(lent))
    return Problem(grid, state.now or START, tuple(occupied), tuple(classes), state.wishes)


def _cells_running(state: ScheduleState) -> set[Cell]:
    """Returns the cells of items that have begun and may still be on."""
    past = (entry for entry in state.items() if entry.embed_host is None and is_past(state, entry))
    places = (state.place_of(entry) for entry in past)
    return {(place.day, section) for place in places if place is not None for section in place.sections}


def _make_occupied(state: ScheduleState, entry: TaskEntry, roles: _Roles) -> Occupied:
    place = state.place_of(entry)
    assert place is not None
    guest = None if entry.embedded_by is None else state.task(entry.embedded_by)
    fixed = guest is not None and guest.source_id in roles.fixed
    # A guest that has begun keeps its lesson.
    past = guest is not None and guest.source_id not in roles.fixed | roles.movable
    can_embed = entry.can_embed and not past
    return Occupied(
        entry.source_id, entry.name, place, entry.event_type, can_embed, guest.source_id if guest and fixed else None
    )


def _cells_of_exams(state: ScheduleState) -> set[Cell]:
    """Returns the cells of exams."""
    places = (state.place_of(entry) for entry in state.tasks if entry.event_type == EXAM)
    return {(place.day, section) for place in places if place is not None for section in place.sections}


def _walls(cells: Collection[Cell]) -> Iterable[Occupied]:
    for number, (day, section) in enumerate(sorted(cells), 1):
        yield Occupied(-number, "", Place(day, section, 1), CLOSED, can_be_embedded=False)


def _item(state: ScheduleState, entry: TaskEntry, roles: _Roles) -> PlanItem | None:
    place = state.place_of(entry)
    if entry.source_id in roles.fixed and place is not None:
        begun = state.now is not None and place.cell < state.now
        return PlanItem(entry.source_id, entry.task_order or 0, place.length, entry.name, place, begun)
    if entry.source_id in roles.movable:
        return PlanItem(entry.source_id, entry.task_order or 0, entry.duration, entry.name)
    return None


def _class(state: ScheduleState, meta: ClassMeta, items: list[PlanItem]) -> PlanClass:
    rules, window = meta.rules, state.window
    start = window.first_day if rules.start_day is None else max(rules.start_day, window.first_day)
    end = window.last_day if rules.end_day is None else min(rules.end_day, window.last_day)
    return PlanClass(meta.id, meta.name, replace(rules, start_day=start, end_day=end), tuple(items))
