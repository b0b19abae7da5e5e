"""The constants of a problem that the objective is written in: cells, capacity, targets, allowances.

Sets of sections of one day are bit masks: section s is bit `1 << s`. Everything follows domain.md 5.1 line by line.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, groupby

from schedules.planner.cost.weights import WEIGHTS
from schedules.planner.grid import Cell, Place
from schedules.planner.problem import PlanClass, PlanItem, Problem

BEFORE_ALL: Cell = (0, 0)
AFTER_ALL: Cell = (10**9, 0)

DayMasks = Mapping[int, int]
"""Day number -> mask of sections, in day order; days without a section are left out."""


def mask_of(place: Place) -> int:
    return ((1 << place.length) - 1) << place.first


@dataclass(frozen=True)
class Segment:
    """Holds a run of free items of a class between the same two pins, and the capacity it is spread over."""

    items: tuple[PlanItem, ...]
    low: Cell
    high: Cell
    masks: DayMasks
    capacity: int
    ideal_days: int
    targets: tuple[int, ...]
    rapid_step: int

    @cached_property
    def _cells_before_day(self) -> Mapping[int, int]:
        counts = accumulate((mask.bit_count() for mask in self.masks.values()), initial=0)
        return dict(zip(self.masks, counts, strict=False))

    @cached_property
    def _positions(self) -> dict[int, list[int]]:
        return {}

    def positions(self, day: int) -> list[int]:
        """Returns `position` of each section 0.. of a day that has cells of the segment."""
        found = self._positions.get(day)
        if found is None:
            mask, before = self.masks[day], self._cells_before_day[day]
            size = mask.bit_length() + 1
            found = self._positions[day] = [before + (mask & ((1 << s) - 1)).bit_count() for s in range(size)]
        return found

    @cached_property
    def _days(self) -> tuple[int, ...]:
        return tuple(self.masks)

    def position(self, cell: Cell) -> int:
        """Returns how many of its cells lie before a cell."""
        day, section = cell
        if day in self.masks:
            return self._cells_before_day[day] + (self.masks[day] & ((1 << section) - 1)).bit_count()
        return sum(mask.bit_count() for other, mask in self.masks.items() if other < day)

    def days_before(self, day: int) -> int:
        """Returns how many days with one of its cells lie before a day."""
        return sum(1 for other in self._days if other < day)


@dataclass(frozen=True)
class ClassConstants:
    """Holds the constants of domain.md 5.1 for one class: `masks` are cells(c), `zone` the days of the slack zone,
    `end` the last day."""

    task_class: PlanClass
    masks: DayMasks
    allow: int
    apart: bool
    zone: int
    segments: tuple[Segment, ...]

    @property
    def available_sections(self) -> int:
        return sum(mask.bit_count() for mask in self.masks.values())

    def depth(self, day: int) -> int:
        """Returns how many days a day lies inside the slack zone."""
        return max(0, day - (self.task_class.end_day - self.zone)) if self.zone > 0 else 0


@dataclass(frozen=True)
class Constants:
    """Holds the constants of domain.md 5.1 for a whole problem; `classes` by class id in id order, `base` and `usable`
    masks by day number from 1."""

    base: tuple[int, ...]
    usable: tuple[int, ...]
    classes: Mapping[int, ClassConstants]


def constants_of(problem: Problem) -> Constants:
    base = [0] * (problem.grid.days + 1)
    for event in problem.occupied:
        base[event.place.day] |= mask_of(event.place)
    permitted = [_permitted_by_weekday(problem, task_class) for task_class in problem.task_classes]
    usable = [0] * (problem.grid.days + 1)
    for day in range(1, problem.grid.days + 1):
        for masks in permitted:
            usable[day] |= masks[(day - 1) % 7]
        usable[day] &= 0 if day in problem.grid.closed_days else ~base[day]
    closed, hosts = _pinned_masks(problem)
    classes = {
        task_class.id: _class_constants(problem, task_class, masks, base, closed, hosts)
        for task_class, masks in zip(problem.task_classes, permitted, strict=True)
    }
    return Constants(tuple(base), tuple(usable), classes)


def _permitted_by_weekday(problem: Problem, task_class: PlanClass) -> tuple[int, ...]:
    """Returns masks for Monday..Sunday of what the exclusions of a class leave."""
    sections = range(1, problem.grid.sections + 1)
    return tuple(sum(1 << s for s in sections if task_class.rules.permits(day, s)) for day in range(1, 8))


def _pinned_masks(problem: Problem) -> tuple[list[int], list[int]]:
    """Returns per day the cells owned by pins, and the cells of embeddable lessons that have no guest."""
    closed = [0] * (problem.grid.days + 1)
    hosting = {pin.embed_course_event_id for pin in problem.pins}
    for pin in problem.pins:
        if pin.embed_course_event_id is None:
            closed[pin.place.day] |= mask_of(pin.place)
    hosts = [0] * (problem.grid.days + 1)
    for event in problem.occupied:
        if event.embeddable and event.guest_task_item_id is None and event.event_id not in hosting:
            hosts[event.place.day] |= mask_of(event.place)
    return closed, hosts


def _class_constants(
    problem: Problem,
    task_class: PlanClass,
    permitted: tuple[int, ...],
    base: list[int],
    closed: list[int],
    hosts: list[int],
) -> ClassConstants:
    now_day, now_section = problem.now
    masks: dict[int, int] = {}
    for day in range(max(task_class.start_day, now_day, 1), task_class.end_day + 1):
        owned = base[day] & ~hosts[day] if task_class.rules.allow_filler_course else base[day]
        mask = permitted[(day - 1) % 7] & ~owned & ~closed[day] & ~problem.grid.kept_masks.get(day, 0)
        if day == now_day:
            mask &= -1 << now_section
        if mask and day not in problem.grid.closed_days:
            masks[day] = mask
    blocks = sum(item.blocks for item in task_class.free_items)
    span = task_class.end_day - max(task_class.start_day, now_day) + 1
    zone = min(WEIGHTS["slack_days_max"], span // 7) if span > 0 else 0
    return ClassConstants(
        task_class=task_class,
        masks=masks,
        allow=_allow(task_class, blocks, len(masks)),
        apart=task_class.rules.steady and len(masks) >= 2 * blocks,
        zone=zone,
        segments=_segments(task_class, masks, (max(zone, _wished(problem, task_class)), zone)),
    )


def _allow(task_class: PlanClass, blocks: int, days: int) -> int:
    """Returns blocks of a class a day that cost nothing."""
    needed = -(-blocks // days) if days > 0 else 0
    largest = max((item.blocks for item in task_class.items), default=0)
    return max(1 if task_class.rules.steady else 3, largest, needed)


def _wished(problem: Problem, task_class: PlanClass) -> int:
    """Returns how many days before the end of a class the student would like to be done."""
    high = task_class.rules.high
    limits = (one for one in problem.wishes if one.kind == "finish_early" and one.concerns(task_class.id, high=high))
    return max((one.value for one in limits), default=0)


def _segments(task_class: PlanClass, masks: DayMasks, spare: tuple[int, ...]) -> tuple[Segment, ...]:
    bounds = order_bounds(task_class)
    runs = groupby(task_class.free_items, key=lambda item: bounds[item.id])
    return tuple(_segment(task_class, masks, spare, tuple(items), bound) for bound, items in runs)


def order_bounds(task_class: PlanClass) -> dict[int, tuple[Cell, Cell]]:
    """Maps free item id -> (last cell of the latest lower-rank pin, first cell of the earliest higher-rank pin).

    A pin of a draft that has begun binds nobody: what is placed lies ahead of it, and what was missed is done after it.
    """
    highs: dict[int, Cell] = {}
    high = AFTER_ALL
    for item in reversed(task_class.items):
        highs[item.id] = high
        if item.pinned is not None and item.bounds_order:
            high = min(high, item.pinned.cell)
    low = BEFORE_ALL
    bounds: dict[int, tuple[Cell, Cell]] = {}
    for item in task_class.items:
        if item.pinned is not None:
            low = max(low, item.pinned.end_cell) if item.bounds_order else low
        else:
            bounds[item.id] = (low, highs[item.id])
    return bounds


def mask_between(mask: int, day: int, low: Cell, high: Cell) -> int:
    """Returns the sections of a day strictly between two cells."""
    if day < low[0] or day > high[0]:
        return 0
    if day == low[0]:
        mask &= -1 << (low[1] + 1)
    if day == high[0]:
        mask &= (1 << high[1]) - 1
    return mask


def _segment(
    task_class: PlanClass,
    masks: DayMasks,
    spare: tuple[int, ...],
    items: tuple[PlanItem, ...],
    bound: tuple[Cell, Cell],
) -> Segment:
    """Spreads a run over its cells without the last days, as many of `spare` as leave it room."""
    low, high = bound
    cut = {day: mask_between(mask, day, low, high) for day, mask in masks.items()}
    cut = {day: mask for day, mask in cut.items() if mask}
    work = sum(item.duration for item in items)
    early = ({day: mask for day, mask in cut.items() if day <= task_class.end_day - days} for days in spare)
    spread = next((one for one in early if sum(mask.bit_count() for mask in one.values()) >= work), cut)
    capacity = sum(mask.bit_count() for mask in spread.values())
    return Segment(
        items=items,
        low=low,
        high=high,
        masks=cut,
        capacity=capacity,
        ideal_days=min(len(items), len(spread)),
        targets=_targets(items, capacity, work),
        rapid_step=max(WEIGHTS["rapid_day_min"], WEIGHTS["rapid_span"] // len(items)),
    )


def _targets(items: tuple[PlanItem, ...], capacity: int, work: int) -> tuple[int, ...]:
    """Returns where each item would begin were the work of the run laid evenly over its capacity."""
    if capacity == 0:
        return (0,) * len(items)
    before = accumulate((item.duration for item in items), initial=0)
    return tuple(
        max(0, (capacity * (2 * done + item.duration) - work * item.duration) // (2 * work))
        for done, item in zip(before, items, strict=False)
    )
