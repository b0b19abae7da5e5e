"""A plan laid out cell by cell, to hold it against the rules."""

from __future__ import annotations

from schedules.planner.problem import Placement, PlanClass, PlanItem, Problem
from schedules.planner.rules.board import Board, Occupant, PlacedItem
from schedules.planner.rules.placement import Subject


def board_of(problem: Problem, placements: tuple[Placement, ...]) -> Board:
    events = [Occupant(e.event_id, e.name, e.type, e.place, e.embeddable) for e in problem.occupied]
    placed = []
    for one in placements:
        item, host = problem.item_by_id[one.task_item_id], one.embed_course_event_id
        begun = problem.now if item.begun else None
        placed.append(PlacedItem(item.id, one.task_class_id, item.order, item.name, one.place, host, begun))
    for event in problem.occupied:
        if event.guest_task_item_id is not None and event.guest_task_item_id not in problem.item_by_id:
            placed.append(PlacedItem(event.guest_task_item_id, -1, 1, "guest", event.place, event.event_id))
    return Board(problem.grid, events, placed)


def subject_of(task_class: PlanClass, item: PlanItem) -> Subject:
    return Subject(item.id, item.order, item.name, item.duration, task_class)
