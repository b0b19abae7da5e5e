"""What a term of the objective is, and the plan as the terms read it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

from schedules.planner.cost.constants import Constants, Segment, constants_of
from schedules.planner.grid import Place
from schedules.planner.problem import Placement, PlanClass, PlanItem, Problem


@dataclass(frozen=True)
class Explanation:
    """Holds one non-zero contribution; `day` is None for unplaced items; ids ascending."""

    part: str
    cost: int
    day: int | None
    task_item_ids: tuple[int, ...]


@dataclass(frozen=True)
class PlannedItem:
    """Holds a placed item as the terms look at it."""

    item: PlanItem
    task_class: PlanClass
    place: Place
    guest: bool

    @property
    def free(self) -> bool:
        return self.item.pinned is None


class DayPlan:
    """Holds a plan sorted by day."""

    def __init__(self, problem: Problem, placements: Iterable[Placement], constants: Constants | None = None) -> None:
        self.problem = problem
        self.grid = problem.grid
        self.constants = constants or constants_of(problem)
        given = {pin.task_item_id: pin for pin in problem.pins}
        found = {placement.task_item_id: placement for placement in placements} | given
        self.placed = tuple(
            PlannedItem(item, task_class, found[item.id].place, found[item.id].embed_course_event_id is not None)
            for task_class, item in problem.each_item()
            if item.id in found
        )
        self.unplaced = tuple((c, item) for c, item in problem.each_item() if item.id not in found)

    @cached_property
    def by_day(self) -> Mapping[int, tuple[PlannedItem, ...]]:
        ordered = sorted(self.placed, key=lambda one: (one.place.day, one.place.first, one.item.id))
        return {day: tuple(group) for day, group in groupby(ordered, key=lambda one: one.place.day)}

    @cached_property
    def segment_of(self) -> Mapping[int, tuple[Segment, int]]:
        """Returns free item id -> (its segment, its index there)."""
        return {
            item.id: (segment, index)
            for constants in self.constants.classes.values()
            for segment in constants.segments
            for index, item in enumerate(segment.items)
        }


@dataclass(frozen=True)
class Term:
    """Holds one part of the objective.

    `cost` is its formula on numbers, the same for everyone who charges it. `explain` is its literal reading: each
    contribution of a plan, zeros included. `meaning` tells the model that reads the metrics what is charged. `metric`
    is the one on which the diagnosis raises an issue of this term, "" when there is none.
    """

    name: str
    cost: Callable[..., int]
    explain: Callable[[DayPlan], Iterator[Explanation]]
    meaning: str
    metric: str = ""


def explain_item(term: str, one: PlannedItem, cost: int) -> Explanation:
    return Explanation(term, cost, one.place.day, (one.item.id,))


def explain_day(term: str, day: int, cost: int, group: Iterable[PlannedItem]) -> Explanation:
    return Explanation(term, cost, day, tuple(sorted({one.item.id for one in group})))
