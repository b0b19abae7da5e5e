"""The planner: a constructive pass, then a bounded deterministic search, and what could not be placed."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace

from schedules.planner.cost.objective import Cost, evaluate
from schedules.planner.grid import Place
from schedules.planner.problem import Placement, Problem, check_problem
from schedules.planner.solver.bounds.cheap_bound import bound_of
from schedules.planner.solver.class_tables import spot_at
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
    """Holds the placements by (day, first section, item id), pins included."""

    placements: tuple[Placement, ...]
    unplaced: tuple[Unplaced, ...]
    capacity: tuple[CapacityRow, ...]
    cost: Cost


@dataclass(frozen=True)
class BoundedPlan(Plan):
    """Holds a plan with a bound that is never above the best possible total."""

    bound: int

    @property
    def gap(self) -> float:
        """Returns how far the total may be above the best possible one, as a share of the total."""
        total = self.cost.total
        return round((total - self.bound) / total, 4) if total > self.bound else 0.0

    def tighten(self, bound: int) -> BoundedPlan:
        """Returns the plan with another bound if that is the tighter one."""
        return replace(self, bound=max(self.bound, min(self.cost.total, bound)))


def plan(problem: Problem, *, budget: int | None = None) -> Plan:
    """Plans all free items of a problem jointly; `budget` bounds the search in steps, 0 is the constructive pass.

    Never fails for lack of room: what does not fit is named with its reason. Raises ProblemError for a problem that
    contradicts itself.
    """
    return plan_of(_lay_out(problem, budget))


def plan_with_bound(problem: Problem, *, budget: int | None = None) -> BoundedPlan:
    """Plans as `plan` does and bounds what any plan costs, which takes a third longer."""
    layout = _lay_out(problem, budget)
    return _add_bound(layout, plan_of(layout))


def add_bound(problem: Problem, plan: Plan) -> BoundedPlan:
    """Bounds what any plan of a problem costs, given one of them; its places may be ones that only a person chooses."""
    layout = Layout(Tables(problem))
    items = {item.item.id: item for item in layout.tables.items}
    for placement in plan.placements:
        item = items.get(placement.task_item_id)
        if item is not None:
            layout.put(item, placement.place.day, spot_at(item, placement.place))
    return _add_bound(layout, plan)


def _add_bound(layout: Layout, plan: Plan) -> BoundedPlan:
    return BoundedPlan(**vars(plan), bound=min(plan.cost.total, bound_of(layout)))


def _lay_out(problem: Problem, budget: int | None) -> Layout:
    check_problem(problem)
    layout = Layout(Tables(problem))
    construct(layout)
    improve(layout, default_budget(layout) if budget is None else budget)
    if budget is None and not layout.complete:
        improve(layout, min(STEPS_FOR_LEFTOVERS, MORE_FOR_LEFTOVERS * default_budget(layout)))
    seat_leftovers(layout)
    return layout


def default_budget(layout: Layout) -> int:
    days = {day for owner in layout.tables.classes for day in owner.day_range}
    return STEPS * round(math.pow(len(layout.tables.items) * len(days), GROWTH))


def plan_of(layout: Layout) -> Plan:
    """Returns the answer for a layout, costed by the literal objective."""
    tables = layout.tables
    placements = placements_of(layout)
    cost = evaluate(tables.problem, placements, constants=tables.constants)
    assert cost.total == layout.total, "the incremental cost equals the literal one"
    return Plan(placements, unplaced_of(layout), capacity_of(layout), cost)


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
