"""The term of the objective that charges what lies against the student's wishes; zero without any."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from schedules.planner.cost.term import DayPlan, Explanation, PlannedItem, Term, explain_day, explain_item
from schedules.planner.cost.weights import WEIGHTS
from schedules.planner.grid import Place
from schedules.planner.problem import PlanClass, Problem
from schedules.planner.soft_limits import SoftLimit


def wish_cost(sections: int, days: int = 0, crowd: int = 0) -> int:
    """Returns the cost of sections at unwanted times, days too late, and sections beyond what a day is to hold."""
    return WEIGHTS["wish_section"] * sections + WEIGHTS["wish_day"] * days + WEIGHTS["wish_crowd"] * crowd * (crowd + 1)


def limits_of_items(problem: Problem, task_class: PlanClass) -> tuple[SoftLimit, ...]:
    """Returns the limits that look at each item of a class by itself."""
    high = task_class.rules.high
    return tuple(one for one in problem.wishes if not one.of_day and one.concerns(task_class.id, high=high))


def place_cost(problem: Problem, task_class: PlanClass, limits: Iterable[SoftLimit], place: Place) -> int:
    """Returns what the limits charge for an item of a class at a place."""
    sections = days = 0
    for one in limits:
        sections += one.sections_against(problem.grid, place)
        days += one.days_against(place, task_class.end_day)
    return wish_cost(sections, days)


def blocks_wanted(problem: Problem, class_id: int | None) -> int | None:
    """Returns how many blocks a day a class, or for None the whole plan, is to have at most."""
    found = [one.value for one in problem.wishes if one.of_day and one.class_id == class_id]
    return min(found, default=None)


def crowd_cost(sections: int, blocks: int | None) -> int:
    """Returns cost of so many sections on a day that is to hold at most so many blocks."""
    return 0 if blocks is None else wish_cost(0, crowd=max(0, sections - 2 * blocks))


def explain_wish(view: DayPlan) -> Iterator[Explanation]:
    """Charges times and days against the wishes, and days with more study than is wished."""
    for one in view.placed:
        if one.free:
            limits = limits_of_items(view.problem, one.task_class)
            yield explain_item("wish", one, place_cost(view.problem, one.task_class, limits, one.place))
    whole = blocks_wanted(view.problem, None)
    for day, group in view.by_day.items():
        yield explain_day("wish", day, crowd_cost(sum(one.place.length for one in group), whole), group)
        for class_id, mine in _by_class(group).items():
            sections = 2 * sum(one.item.blocks for one in mine)
            yield explain_day("wish", day, crowd_cost(sections, blocks_wanted(view.problem, class_id)), mine)


def _by_class(group: Iterable[PlannedItem]) -> dict[int, list[PlannedItem]]:
    found: dict[int, list[PlannedItem]] = {}
    for one in group:
        found.setdefault(one.task_class.id, []).append(one)
    return found


WISH = Term("wish", wish_cost, explain_wish, "不合学生的愿望", "sections_against_wishes")
