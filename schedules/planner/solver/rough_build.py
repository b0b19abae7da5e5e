"""The planner: a constructive pass, then a bounded deterministic search, and what could not be placed."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from schedules.planner.cost.objective import Cost, evaluate
from schedules.planner.grid import Place
from schedules.planner.problem import Placement, Problem, check_problem
from schedules.planner.solver.bounds.cheap_bound import bound_of
from schedules.planner.solver.construct import construct
from schedules.planner.solver.layout import Layout
from schedules.planner.solver.reasons import Unplaced, unplaced_of
from schedules.planner.solver.search import improve, seat_leftovers
from schedules.planner.solver.tables import Tables

STEPS = 4300
GROWTH = 0.4
"""Steps of the search: STEPS * (items times days) ** GROWTH. The passes before it cost more than the root of that
size, so that the search must cost less for the whole to grow with it."""
MORE_FOR_LEFTOVERS = 8
"""How many times the budget is granted again while items are left over ..."""
STEPS_FOR_LEFTOVERS = 1_200_000
"""... and at most so many steps."""


@dataclass(frozen=True)
class CapacityRow:
    """Holds sections of the free items of a class, the size of its cells, and the sections left over."""

    task_class_id: int
    needed_sections: int
    available_sections: int
    missing_sections: int


@dataclass(frozen=True)
class Plan:
    """Holds the placements by (day, first section, item id), pins included. `bound` is never above the best possible
    total."""

    placements: tuple[Placement, ...]
    unplaced: tuple[Unplaced, ...]
    capacity: tuple[CapacityRow, ...]
    cost: Cost
    bound: int
    gap: float


def plan(problem: Problem, *, budget: int | None = None) -> Plan:
    """Plans all free items of a problem jointly; `budget` bounds the search in steps, 0 is the constructive pass.

    Never fails for lack of room: what does not fit is named with its reason. Raises ProblemError for a problem that
    contradicts itself.
    """
    check_problem(problem)
    layout = Layout(Tables(problem))
    construct(layout)
    improve(layout, default_budget(layout) if budget is None else budget)
    if budget is None and not layout.complete:
        improve(layout, min(STEPS_FOR_LEFTOVERS, MORE_FOR_LEFTOVERS * default_budget(layout)))
    seat_leftovers(layout)
    return plan_of(layout)


def default_budget(layout: Layout) -> int:
    days = {day for owner in layout.tables.classes for day in owner.day_range}
    return STEPS * round(math.pow(len(layout.tables.items) * len(days), GROWTH))


def plan_of(layout: Layout) -> Plan:
    """Returns the answer for a layout, costed by the literal objective."""
    tables = layout.tables
    placements = placements_of(layout)
    cost = evaluate(tables.problem, placements, constants=tables.constants)
    assert cost.total == layout.total, "the incremental cost equals the literal one"
    bound = min(cost.total, bound_of(layout))
    return Plan(placements, unplaced_of(layout), capacity_of(layout), cost, bound, gap_of(cost.total, bound))


def gap_of(total: int, bound: int) -> float:
    """Returns how far a total may be above the best possible one, as a share of the total."""
    return round((total - bound) / total, 4) if total > bound else 0.0


def seat_placements(layout: Layout, placements: Iterable[Placement]) -> None:
    """Seats the free items of an empty layout at the places of a legal plan."""
    items = {item.item.id: item for item in layout.tables.items}
    for placement in placements:
        item = items.get(placement.task_item_id)
        if item is not None:
            spots = item.owner.spots(item.segment, item.length, placement.place.day)
            assert spots is not None, "a legal place is a spot"
            layout.put(item, placement.place.day, spots.by_first[placement.place.first])


def placements_of(layout: Layout) -> tuple[Placement, ...]:
    problem = layout.tables.problem
    found = list(problem.pins)
    for item, seat in zip(layout.tables.items, layout.seats, strict=True):
        if seat is not None:
            place = Place(seat[0], seat[1].first, item.length)
            host = problem.host_at(place)
            found.append(Placement(item.item.id, item.owner.task_class.id, place, host.event_id if host else None))
    return tuple(sorted(found, key=lambda placement: placement.sort_key))


def capacity_of(layout: Layout) -> tuple[CapacityRow, ...]:
    return tuple(
        CapacityRow(
            task_class_id=owner.task_class.id,
            needed_sections=sum(item.length for item in owner.items),
            available_sections=owner.constants.available_sections,
            missing_sections=sum(item.length for item in owner.items if layout.seats[item.number] is None),
        )
        for owner in layout.tables.classes
    )
