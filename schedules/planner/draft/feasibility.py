"""Does everything that still wants a place get one? Earliest fit, sections that find none."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

from schedules.planner.class_rules import RuledClass
from schedules.planner.draft.legal import FreeCells
from schedules.planner.draft.state import EXAM, ScheduleState, TaskEntry
from schedules.planner.grid import Cell
from schedules.planner.rules.board import Board, PlacedItem
from schedules.planner.rules.placement import Situation, Subject

LAST = 10**9


def items_under_exams(state: ScheduleState) -> list[tuple[TaskEntry, TaskEntry]]:
    """Returns the items that have not begun and that an exam lies over, each with its exam."""
    exams = [(exam, place) for exam in state.tasks if exam.event_type == EXAM and (place := state.place_of(exam))]
    if not exams:
        return []
    ahead = [(entry, place) for entry in state.items() if (place := state.place_of(entry))]
    ahead = [(entry, place) for entry, place in ahead if state.now is None or place.cell >= state.now]
    over = ((entry, next((exam for exam, own in exams if own.overlaps(place)), None)) for entry, place in ahead)
    return [(entry, exam) for entry, exam in over if exam is not None]


@dataclass(frozen=True)
class Feasibility:
    """Tells whether all fits: `gap` sections have no place even when everything movable may move; `pending` wait for
    one."""

    gap: int
    reason: str
    pending: tuple[TaskEntry, ...]

    @property
    def required(self) -> int:
        return sum(entry.duration for entry in self.pending)

    def to_json(self) -> dict[str, Any]:
        return {
            "is_feasible": self.gap == 0,
            "capacity_gap": self.gap,
            "reason_code": self.reason,
            "pending_count": len(self.pending),
            "required_sections": self.required,
        }


def feasibility_of(state: ScheduleState, *, left_out: Collection[int], movable: Collection[int]) -> Feasibility:
    """Judges whether all fits.

    `left_out` and `movable` are item ids: agreed to be left out, and those that planner and tools may move.
    """
    pending = tuple(entry for entry in state.items() if entry.status == "pending" and entry.source_id not in left_out)
    keep = _gap(state, pending, lifted=())
    if keep == 0:
        return Feasibility(0, "enough_capacity", pending)
    wanted = [*pending, *(entry for entry in state.items() if entry.source_id in movable)]
    again = _gap(state, wanted, lifted=movable)
    reason = "replan_needed" if again == 0 else "capacity_insufficient"
    return Feasibility(min(keep, again), reason, pending)


def _gap(state: ScheduleState, wanted: Iterable[TaskEntry], *, lifted: Collection[int]) -> int:
    board = state.board()
    for item_id in lifted:
        board.lift(item_id)
    return earliest_fit(board, [state.subject(entry) for entry in wanted], state.situation(planner=True))


def earliest_fit(board: Board, wanted: Iterable[Subject], situation: Situation) -> int:
    """Counts the sections that find no place: classes by (end, id), items by rank, each item at its earliest place."""
    cells = FreeCells(board, situation)
    gap = 0
    for subject in sorted(wanted, key=lambda one: (_end(one), one.task_class.id, one.rank)):
        found = next(cells.places(subject), None)
        if found is None:
            gap += subject.length
        else:
            place, host = found
            cells.put(PlacedItem(subject.item_id, subject.task_class.id, subject.order, subject.name, place, host))
    return gap


def _end(subject: Subject) -> int:
    end = subject.task_class.rules.end_day
    return LAST if end is None else end


def room(board: Board, items: Collection[Subject], situation: Situation) -> int:
    """Returns sections of one class's items that earliest fit places for that class alone; `board` holds the others."""
    return sum(one.length for one in items) - earliest_fit(board, items, situation)


def free_cells(board: Board, task_class: RuledClass, situation: Situation) -> set[Cell]:
    """Returns the sections in which something of a class may be done, lessons that it may share among them."""
    any_item = Subject(0, 0, "", 1, task_class)
    return {place.cell for place, _ in FreeCells(board, situation).places(any_item)}
