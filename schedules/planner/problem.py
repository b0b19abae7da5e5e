"""What the planner is given and what it answers: frozen values on the semester grid.

A `Problem` brings its tuples into canonical order itself, so the order of the input arrays never matters.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from schedules.planner.class_rules import ClassRules
from schedules.planner.grid import Cell, Grid, Place
from schedules.planner.soft_limits import SoftLimit, in_order

MAX_ITEMS = 2000


class ProblemError(ValueError):
    """Tells that the problem contradicts itself. `field` is a path such as `task_classes[0].items[1].pinned`."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(f"{field}: {message}")
        self.field = field
        self.message = message


@dataclass(frozen=True)
class Occupied:
    """Holds a calendar event that owns its cells; `guest_task_item_id` is the item embedded in it, if any."""

    event_id: int
    name: str
    place: Place
    type: str
    can_be_embedded: bool
    guest_task_item_id: int | None = None

    @property
    def embeddable(self) -> bool:
        return self.can_be_embedded and self.type == "course"


@dataclass(frozen=True)
class PlanItem:
    """Holds one item to place: `duration` in sections 1..4; `pinned` is its given place, None for a free item. `begun`:
    of a draft, the place has begun and binds nothing that lies ahead in the order of the class."""

    id: int
    order: int
    duration: int
    name: str = ""
    pinned: Place | None = None
    begun: bool = False

    @property
    def bounds_order(self) -> bool:
        """Tells whether it stands where those before and behind it must not pass."""
        return self.pinned is not None and not self.begun

    @property
    def blocks(self) -> int:
        """Returns double sections it counts for."""
        return (self.duration + 1) // 2

    @property
    def rank_key(self) -> tuple[int, int]:
        return (self.order, self.id)


@dataclass(frozen=True)
class PlanClass:
    """Holds a task class to plan; its rules have both dates."""

    id: int
    name: str
    rules: ClassRules
    items: tuple[PlanItem, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "items", tuple(sorted(self.items, key=lambda item: item.rank_key)))

    @property
    def start_day(self) -> int:
        assert self.rules.start_day is not None, "a class to plan has dates"
        return self.rules.start_day

    @property
    def end_day(self) -> int:
        assert self.rules.end_day is not None, "a class to plan has dates"
        return self.rules.end_day

    @property
    def free_items(self) -> tuple[PlanItem, ...]:
        return tuple(item for item in self.items if item.pinned is None)


@dataclass(frozen=True)
class Placement:
    """Holds an item at a place; `embed_course_event_id` is the hosting lesson, None on free cells."""

    task_item_id: int
    task_class_id: int
    place: Place
    embed_course_event_id: int | None = None

    @property
    def sort_key(self) -> tuple[int, int, int]:
        return (self.place.day, self.place.first, self.task_item_id)


@dataclass(frozen=True)
class Problem:
    """Holds everything a plan depends on. `now` is the first cell that has not begun, (1, 1) when unknown.

    `wishes` bind nothing: the objective charges what lies against them.
    """

    grid: Grid
    now: Cell
    occupied: tuple[Occupied, ...]
    task_classes: tuple[PlanClass, ...]
    wishes: tuple[SoftLimit, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "occupied", tuple(sorted(self.occupied, key=lambda o: (o.place, o.event_id))))
        object.__setattr__(self, "task_classes", tuple(sorted(self.task_classes, key=lambda c: c.id)))
        object.__setattr__(self, "wishes", in_order(self.wishes))

    @cached_property
    def owner(self) -> Mapping[Cell, Occupied]:
        """Returns the occupied entry of each owned cell."""
        return {(e.place.day, section): e for e in self.occupied for section in e.place.sections}

    @cached_property
    def class_of_item(self) -> Mapping[int, PlanClass]:
        return {item.id: task_class for task_class, item in self.each_item()}

    @cached_property
    def item_by_id(self) -> Mapping[int, PlanItem]:
        return {item.id: item for _, item in self.each_item()}

    @property
    def too_large(self) -> bool:
        """Tells whether there are more items than the costs can tell apart."""
        return sum(len(task_class.items) for task_class in self.task_classes) > MAX_ITEMS

    def each_item(self) -> Iterator[tuple[PlanClass, PlanItem]]:
        """Yields all items in canonical order: (class id, rank)."""
        for task_class in self.task_classes:
            for item in task_class.items:
                yield task_class, item

    def host_at(self, place: Place) -> Occupied | None:
        """Returns the embeddable lesson a place lies wholly inside, whether it has a guest or not."""
        event = self.owner.get(place.cell)
        return event if event is not None and event.embeddable and place.inside(event.place) else None

    @cached_property
    def pins(self) -> tuple[Placement, ...]:
        """Returns the given placements, in canonical item order."""
        found = []
        for task_class, item in self.each_item():
            if item.pinned is not None:
                host = self.host_at(item.pinned)
                found.append(Placement(item.id, task_class.id, item.pinned, host.event_id if host else None))
        return tuple(found)


def check_problem(problem: Problem, paths: Mapping[int, str] | None = None) -> None:
    """Raises ProblemError unless ids are unique and occupants and pins can stand side by side.

    `paths` maps an item id to the field path of its pin, for messages; without it the id is named.
    """
    _check_unique("occupied", (event.event_id for event in problem.occupied))
    _check_unique("task_classes", (task_class.id for task_class in problem.task_classes))
    _check_unique("task_classes.items", (item.id for _, item in problem.each_item()))
    if problem.too_large:
        raise ProblemError("task_classes", f"more than {MAX_ITEMS} items")
    _check_occupied(problem)
    _check_pins(problem, paths or {})


def _check_unique(field: str, ids: Iterable[int]) -> None:
    seen: set[int] = set()
    for one in ids:
        if one in seen:
            raise ProblemError(field, f"id {one} occurs twice")
        seen.add(one)


def _check_occupied(problem: Problem) -> None:
    owner: dict[Cell, int] = {}
    for event in problem.occupied:
        if not problem.grid.contains(event.place):
            raise ProblemError(f"occupied[event_id={event.event_id}]", "outside the semester")
        for section in event.place.sections:
            other = owner.setdefault((event.place.day, section), event.event_id)
            if other != event.event_id:
                raise ProblemError(f"occupied[event_id={event.event_id}]", f"overlaps event {other}")


def _check_pins(problem: Problem, paths: Mapping[int, str]) -> None:
    """Refuses a pin that stands neither on free cells nor as the only guest of an embeddable lesson."""
    taken: dict[Cell, int] = {}
    guests = {e.event_id: e.guest_task_item_id for e in problem.occupied if e.guest_task_item_id is not None}
    for _, item in problem.each_item():
        place = item.pinned
        if place is None:
            continue
        field = paths.get(item.id, f"task_classes.items[id={item.id}].pinned")
        if not problem.grid.contains(place):
            raise ProblemError(field, "outside the semester")
        if place.length != item.duration:
            raise ProblemError(field, "is not as long as the item")
        host = problem.host_at(place)
        if host is not None:
            guest = guests.setdefault(host.event_id, item.id)
            if guest != item.id:
                raise ProblemError(field, f"event {host.event_id} already hosts item {guest}")
            continue
        for section in place.sections:
            if (place.day, section) in problem.owner:
                raise ProblemError(field, f"section {section} belongs to an occupied entry")
            other = taken.setdefault((place.day, section), item.id)
            if other != item.id:
                raise ProblemError(field, f"section {section} is pinned for item {other} too")
