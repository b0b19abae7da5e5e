"""The capacity forecast: what each class could use, week by week, before anything is planned."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from schedules.planner.grid import week_and_weekday
from schedules.planner.problem import Problem, check_problem
from schedules.planner.rules.violations import Rule
from schedules.planner.solver.class_tables import ClassTable
from schedules.planner.solver.construct import earliest_seats
from schedules.planner.solver.layout import Layout
from schedules.planner.solver.reasons import day_masks, first_broken_but_order
from schedules.planner.solver.repair import Repair
from schedules.planner.solver.tables import Tables


@dataclass(frozen=True)
class ClassForecast:
    """Holds one class: `missing_sections` remain when all classes take their earliest places, nearest end first.

    A class that finds no room pushes others on, so that what is missing is not just a matter of who came first.

    `lost_sections`: rule -> sections inside the dates of the class that it takes away first. `costliest_rule` is the
    greatest of them, None when nothing is lost. `infeasible_week` is the week the class ends in with work left over.
    """

    task_class_id: int
    needed_sections: int
    free_sections: int
    missing_sections: int
    lost_sections: Mapping[str, int]
    costliest_rule: str | None
    infeasible_week: int | None


@dataclass(frozen=True)
class CapacityForecast:
    """Holds the classes in id order; `first_infeasible_week` is None when everything fits."""

    classes: tuple[ClassForecast, ...]
    first_infeasible_week: int | None


def capacity_forecast(problem: Problem) -> CapacityForecast:
    """Compares free legal sections with the needed ones for every class, all competing for the same cells.

    Raises ProblemError for a problem that contradicts itself.
    """
    check_problem(problem)
    layout = Layout(Tables(problem))
    room = Repair(layout, broken=(), fresh=(), most=0)
    for owner in sorted(layout.tables.classes, key=lambda one: (one.task_class.end_day, one.task_class.id)):
        for item, seat in earliest_seats(layout, owner):
            layout.put(item, *seat)
        room.push_in(owner.items)
    classes = tuple(_class_forecast(layout, owner) for owner in layout.tables.classes)
    weeks = [one.infeasible_week for one in classes if one.infeasible_week is not None]
    return CapacityForecast(classes, min(weeks, default=None))


def _class_forecast(layout: Layout, owner: ClassTable) -> ClassForecast:
    task_class = owner.task_class
    missing = sum(item.length for item in owner.items if layout.seats[item.number] is None)
    lost = _lost_sections(Layout(layout.tables), owner)
    order = [rule.value for rule in Rule]
    costliest = min(lost, key=lambda rule: (-lost[rule], order.index(rule)), default=None)
    last = max(1, min(task_class.end_day, layout.tables.grid.days))
    return ClassForecast(
        task_class_id=task_class.id,
        needed_sections=sum(item.length for item in owner.items),
        free_sections=owner.constants.available_sections,
        missing_sections=missing,
        lost_sections={rule: lost[rule] for rule in order if rule in lost},
        costliest_rule=costliest,
        infeasible_week=week_and_weekday(last)[0] if missing else None,
    )


def _lost_sections(empty: Layout, owner: ClassTable) -> dict[str, int]:
    """Counts by rule the sections of the class's dates that break it first, pins counting as occupied."""
    lost: Counter[str] = Counter()
    for day in range(owner.task_class.start_day, owner.task_class.end_day + 1):
        masks = day_masks(empty, day)
        for section in range(1, empty.tables.sections + 1):
            rule = first_broken_but_order(empty, owner, day, (section, 1), masks)
            if rule is not None:
                lost[rule.value] += 1
    return dict(lost)
