"""Draft -> planner problem, plan -> draft."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from typing import Literal, Protocol

from schedules.planner.cost.objective import Cost, evaluate
from schedules.planner.draft.state import EXAM, ClassMeta, ScheduleState, Spot, TaskEntry, with_spots
from schedules.planner.grid import Cell, Place
from schedules.planner.problem import Occupied, Placement, PlanClass, PlanItem, Problem

CLOSED = "closed"
"""Type of the occupant that keeps cells free."""
Free = Literal["pending", "pending_and_suggested"]


class LeftoverItem(Protocol):
    @property
    def task_item_id(self) -> int: ...
    @property
    def rule(self) -> str: ...


class PlanResult(Protocol):
    """Tells what of a plan the draft takes over."""

    @property
    def placements(self) -> Iterable[Placement]: ...
    @property
    def unplaced(self) -> Iterable[LeftoverItem]: ...


def problem_of(state: ScheduleState, *, free: Free = "pending", classes: Collection[int] | None = None) -> Problem:
    """Returns the problem of planning `classes` (default: the scope) on this draft.

    Free are their pending items, and with `pending_and_suggested` their suggested ones that the student does not keep;
    every other placed item is pinned, pending items of other classes are left out. A class without dates may use the
    whole window.
    """
    chosen = set(state.scope if classes is None else classes)
    events = [entry for entry in state.tasks if not entry.is_item]
    occupied = [_build_occupied(state, entry, free, chosen) for entry in events if entry.event_type != EXAM]
    task_classes = []
    for meta in state.task_classes:
        entries = [entry for entry in state.items() if entry.task_class_id == meta.id]
        items = [_item(state, entry, free, chosen) for entry in entries if entry.slots or meta.id in chosen]
        if items or meta.id in chosen:
            task_classes.append(_class(state, meta, items))
    exams = [place for entry in events if entry.event_type == EXAM and (place := state.place_of(entry)) is not None]
    closed = {(exam.day, section) for exam in exams for section in exam.sections} | state.grid.kept_free
    pinned = [item.pinned for one in task_classes for item in one.items if item.pinned is not None]
    # What lies over a lesson keeps guests out of these cells alone.
    grid = replace(state.grid, kept_free=frozenset(closed & cells_lent(occupied)))
    return Problem(grid, state.now or (1, 1), _closed(occupied, closed, pinned), tuple(task_classes), state.wishes)


def cells_lent(occupied: Iterable[Occupied]) -> set[Cell]:
    """Returns the cells of the lessons that may have guests."""
    return {(one.place.day, section) for one in occupied if one.embeddable for section in one.place.sections}


def _closed(occupied: list[Occupied], cells: set[Cell], pinned: list[Place]) -> tuple[Occupied, ...]:
    """Closes the cells of exams, and those kept free, that nobody owns yet.

    They may lie over lessons and over items that stand there already, but each cell of a problem has one owner.
    """
    places = (*(one.place for one in occupied), *pinned)
    owned = {(place.day, section) for place in places for section in place.sections}
    walls = enumerate(sorted(cells - owned), 1)
    return (
        *occupied,
        *(Occupied(-number, "", Place(day, section, 1), CLOSED, False) for number, (day, section) in walls),
    )


def placements_of(state: ScheduleState) -> tuple[Placement, ...]:
    """Returns every placed item of the draft, sorted as in a plan."""
    found = []
    for entry in state.items():
        spot = state.spot_of(entry)
        if spot is not None:
            found.append(Placement(entry.source_id, entry.task_class_id or 0, spot.place, spot.host_event_id))
    return tuple(sorted(found, key=lambda placement: placement.sort_key))


def whole_problem(state: ScheduleState) -> Problem:
    """Returns the problem a draft is costed by: free is all that neither the timetable has nor the student keeps."""
    return problem_of(state, free="pending_and_suggested", classes=[meta.id for meta in state.task_classes])


def cost_of(state: ScheduleState) -> Cost:
    """Returns the cost of the whole draft, the number that the diagnosis reports."""
    return evaluate(whole_problem(state), placements_of(state))


def apply_plan(state: ScheduleState, plan: PlanResult) -> ScheduleState:
    """Sets all placements of a plan, embeddings included, as one change; leftovers become pending with their rule."""
    spots: dict[int, Spot | None] = {
        row.task_item_id: Spot(row.place, row.embed_course_event_id) for row in plan.placements
    }
    reasons = {row.task_item_id: str(row.rule) for row in plan.unplaced}
    return with_spots(state, spots | dict.fromkeys(reasons), reasons=reasons)


def _is_free(entry: TaskEntry, free: Free, chosen: Collection[int]) -> bool:
    if entry.task_class_id not in chosen:
        return False
    again = free == "pending_and_suggested" and entry.status == "suggested" and not entry.kept
    return entry.status == "pending" or again


def _build_occupied(state: ScheduleState, entry: TaskEntry, free: Free, chosen: Collection[int]) -> Occupied:
    place = state.place_of(entry)
    assert place is not None
    guest = None if entry.embedded_by is None else state.task(entry.embedded_by)
    pinned_guest = None if guest is None or _is_free(guest, free, chosen) else guest.source_id
    return Occupied(entry.source_id, entry.name, place, entry.event_type, entry.can_embed, pinned_guest)


def _item(state: ScheduleState, entry: TaskEntry, free: Free, chosen: Collection[int]) -> PlanItem:
    pinned = None if _is_free(entry, free, chosen) else state.place_of(entry)
    length = entry.duration if pinned is None else pinned.length
    begun = pinned is not None and state.now is not None and pinned.cell < state.now
    return PlanItem(entry.source_id, entry.task_order or 0, length, entry.name, pinned, begun)


def _class(state: ScheduleState, meta: ClassMeta, items: list[PlanItem]) -> PlanClass:
    rules, window = meta.rules, state.window
    start = window.first_day if rules.start_day is None else rules.start_day
    end = window.last_day if rules.end_day is None else rules.end_day
    return PlanClass(meta.id, meta.name, replace(rules, start_day=start, end_day=end), tuple(items))
