"""The terms of the objective that look at one item: target, fit, slack, unplaced."""

from __future__ import annotations

from collections.abc import Iterator

from schedules.planner.cost.constants import Segment
from schedules.planner.cost.term import DayPlan, Explanation, Term, explain_item
from schedules.planner.cost.weights import WEIGHTS
from schedules.planner.grid import Place
from schedules.planner.problem import PlanClass, PlanItem, Problem

LATE_SECTIONS = 2
"""The last sections of a day, which nobody likes when they are evening."""


def target_cost(task_class: PlanClass, segment: Segment, index: int, place: Place) -> int:
    """Returns cost of the place of an item, the `index`th of its segment."""
    if not task_class.rules.steady:
        return rapid_cost(segment, segment.days_before(place.day))
    if segment.capacity == 0:
        return 0
    return spread_cost(segment, abs(segment.position(place.cell) - segment.targets[index]))


def rapid_cost(segment: Segment, days_before: int) -> int:
    """Returns cost of an item of a rapid class that so many days of its segment lie before."""
    return min(WEIGHTS["target_cap"], segment.rapid_step * days_before)


def spread_cost(segment: Segment, gap: int) -> int:
    """Returns cost of an item of a steady class so many cells off target: square, then linear, then capped."""
    tenths = 10 * segment.ideal_days * gap // segment.capacity
    knee = WEIGHTS["target_knee"]
    square = tenths * tenths if tenths <= knee else knee * knee + 2 * knee * (tenths - knee)
    return min(WEIGHTS["target_cap"], square * WEIGHTS["target_gap"] // 100)


def explain_target(view: DayPlan) -> Iterator[Explanation]:
    """Charges the distance of steady classes from an even spread, and of rapid ones from their start."""
    for one in view.placed:
        if one.free:
            segment, index = view.segment_of[one.item.id]
            yield explain_item("target", one, target_cost(one.task_class, segment, index, one.place))


def fit_cost(problem: Problem, task_class: PlanClass, place: Place, *, guest: bool) -> int:
    evening = [section for section in place.sections if problem.grid.is_evening(section)]
    late = [section for section in evening if section > problem.grid.sections - LATE_SECTIONS]
    cost = WEIGHTS["fit_late"] * len(late)
    return cost + high_fit_cost(len(evening), place.length if guest else 0) if task_class.rules.high else cost


def high_fit_cost(evening: int, embedded: int) -> int:
    """Returns the cost of so many sections of a high class in the evening and in lessons."""
    return WEIGHTS["fit_evening_high"] * evening + WEIGHTS["fit_filler_high"] * embedded


def explain_fit(view: DayPlan) -> Iterator[Explanation]:
    """Charges high classes in fillers and evenings, and every class in the last sections of an evening."""
    for one in view.placed:
        if one.free:
            yield explain_item("fit", one, fit_cost(view.problem, one.task_class, one.place, guest=one.guest))


def slack_cost(depth: int) -> int:
    """Returns cost of an item so many days inside the slack zone."""
    return WEIGHTS["slack"] * depth


def explain_slack(view: DayPlan) -> Iterator[Explanation]:
    """Charges free items in the last days of their class."""
    for one in view.placed:
        if one.free:
            depth = view.constants.classes[one.task_class.id].depth(one.place.day)
            yield explain_item("slack", one, slack_cost(depth))


def unplaced_cost(item: PlanItem, behind: int) -> int:
    """Returns the cost of an item without a place; `behind` items of its class have a higher rank."""
    return WEIGHTS["unplaced_section"] * item.duration + WEIGHTS["unplaced_before_sibling"] * behind


def explain_unplaced(view: DayPlan) -> Iterator[Explanation]:
    """Charges items without a place more than all else together, the head of a class more than its tail."""
    left = {item.id for _, item in view.unplaced}
    for task_class in view.problem.task_classes:
        for behind, item in enumerate(reversed(task_class.items)):
            if item.id in left:
                yield Explanation("unplaced", unplaced_cost(item, behind), None, (item.id,))


TARGET = Term("target", target_cost, explain_target, "偏离理想位置")
FIT = Term("fit", fit_cost, explain_fit, "时段不合适", "fit_cost")
SLACK = Term("slack", slack_cost, explain_slack, "临近截止", "items_in_slack_zone")
UNPLACED = Term("unplaced", unplaced_cost, explain_unplaced, "没有排下", "pending_count")
