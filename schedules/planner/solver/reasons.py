"""Why an item was left over: the rule that stands in the way at most of its starts, judged in the plan."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from schedules.planner.cost.constants import AFTER_ALL, BEFORE_ALL, mask_of
from schedules.planner.grid import Cell, Place, block_of, week_and_weekday
from schedules.planner.rules.violations import Rule
from schedules.planner.solver.class_tables import ClassTable
from schedules.planner.solver.layout import Layout

NOT_COUNTED = (Rule.NOT_ALIGNED, Rule.CROSSES_DAY_PART)
RULES = tuple(Rule)


@dataclass(frozen=True)
class Unplaced:
    task_item_id: int
    task_class_id: int
    rule: str
    missing_sections: int


@dataclass(frozen=True)
class JudgedStarts:
    """Holds all starts of a length in the dates of a class: first broken rule -> how many; `orderly` break none but
    order."""

    broken: Counter[Rule]
    orderly: tuple[tuple[Cell, Cell], ...]


def unplaced_of(layout: Layout) -> tuple[Unplaced, ...]:
    """Returns the items without a seat with their reasons, in canonical order."""
    found = []
    for owner in layout.tables.classes:
        known: dict[int, JudgedStarts] = {}
        left = [item for item in owner.items if layout.seats[item.number] is None]
        bounds = sibling_bounds(layout, owner) if left else {}
        for item in left:
            if item.length not in known:
                known[item.length] = starts_of(layout, owner, item.length)
            rule = _most_frequent(known[item.length], *bounds[item.item.id])
            found.append(Unplaced(item.item.id, owner.task_class.id, rule.value, item.length))
    return tuple(found)


def _most_frequent(starts: JudgedStarts, low: Cell, high: Cell) -> Rule:
    counts = Counter(starts.broken)
    firsts = [first for first, _ in starts.orderly]
    lasts = [last for _, last in starts.orderly]
    before = bisect_right(firsts, low)
    counts[Rule.ORDER_BEFORE] += before
    counts[Rule.ORDER_AFTER] += max(0, len(lasts) - max(before, bisect_left(lasts, high)))
    counted = [(-count, RULES.index(rule), rule) for rule, count in counts.items() if count]
    return min(counted)[2] if counted else Rule.OUTSIDE_CLASS_WINDOW


def sibling_bounds(layout: Layout, owner: ClassTable) -> dict[int, tuple[Cell, Cell]]:
    """Maps item id -> (end of the latest placed sibling of lower rank, begin of the earliest of higher), with the pins
    that bound the order."""
    places = {item.id: item.pinned if item.bounds_order else None for item in owner.task_class.items}
    for item in owner.items:
        seat = layout.seats[item.number]
        places[item.item.id] = Place(seat[0], seat[1].first, item.length) if seat else None
    highs: dict[int, Cell] = {}
    high = AFTER_ALL
    for item_id, place in reversed(places.items()):
        highs[item_id] = high
        high = min(high, place.cell) if place else high
    low = BEFORE_ALL
    bounds: dict[int, tuple[Cell, Cell]] = {}
    for item_id, place in places.items():
        bounds[item_id] = (low, highs[item_id])
        low = max(low, place.end_cell) if place else low
    return bounds


def starts_of(layout: Layout, owner: ClassTable, length: int) -> JudgedStarts:
    """Judges every start of a length on every day of the class's dates."""
    task_class, tables = owner.task_class, layout.tables
    broken: Counter[Rule] = Counter()
    orderly: list[tuple[Cell, Cell]] = []
    for day in range(task_class.start_day, task_class.end_day + 1):
        closed = day_masks(layout, day)
        for first in range(1, tables.sections - length + 2):
            rule = first_broken_but_order(layout, owner, day, (first, length), closed)
            if rule is None:
                orderly.append(((day, first), (day, first + length - 1)))
            elif rule not in NOT_COUNTED:
                broken[rule] += 1
    return JudgedStarts(broken, tuple(orderly))


def day_masks(layout: Layout, day: int) -> tuple[int, int, int]:
    """Returns (cells no one can share, cells of embeddable lessons, cells of those with a guest)."""
    tables = layout.tables
    kind, covered = layout.kinds[day], tables.find_covered(layout.keys[day])
    embeddable = tables.embeddable[day]
    taken = kind.closed & embeddable
    for host in kind.hosts:
        if host & covered:
            taken |= host
    solid = (kind.owned & ~embeddable) | (covered & ~kind.owned) | tables.grid.kept_masks.get(day, 0)
    return solid, embeddable, taken


def first_broken_but_order(
    layout: Layout,
    owner: ClassTable,
    day: int,
    span: tuple[int, int],
    masks: tuple[int, int, int],
    *,
    ignore: Collection[Rule] = (),
) -> Rule | None:
    """Finds the first rule broken by (first section, length) on a day of the class's dates, but the order of siblings.

    `masks` are those of `day_masks`.
    """
    broken = _rules_of_class(layout, owner, day, span)
    first = next((rule for rule in broken if rule not in ignore), None)
    return first or _rules_of_cells(layout, owner, day, mask_of(Place(day, *span)), masks)


def _rules_of_class(layout: Layout, owner: ClassTable, day: int, span: tuple[int, int]) -> Iterator[Rule]:
    first, length = span
    task_class, tables = owner.task_class, layout.tables
    if day in tables.grid.closed_days:
        yield Rule.CLOSED_DAY
    if (day, first) < tables.problem.now:
        yield Rule.IN_THE_PAST
    weekday, rules = week_and_weekday(day)[1], task_class.rules
    blocks = range(block_of(first), block_of(first + length - 1) + 1)
    if weekday in rules.excluded_days_of_week:
        yield Rule.EXCLUDED_WEEKDAY
    if any(block in rules.excluded_slots for block in blocks):
        yield Rule.EXCLUDED_BLOCK
    if any((weekday, block) in rules.excluded_cells for block in blocks):
        yield Rule.EXCLUDED_CELL
    if length >= 2 and first % 2 == 0:
        yield Rule.NOT_ALIGNED
    if tables.grid.part_of(first) != tables.grid.part_of(first + length - 1):
        yield Rule.CROSSES_DAY_PART


def _rules_of_cells(
    layout: Layout, owner: ClassTable, day: int, cells: int, masks: tuple[int, int, int]
) -> Rule | None:
    solid, embeddable, taken = masks
    if cells & solid:
        return Rule.OCCUPIED
    if not cells & embeddable:
        return None
    if not owner.task_class.rules.allow_filler_course:
        return Rule.FILLER_NOT_ALLOWED
    if not any(cells & ~host == 0 for host in layout.tables.host_masks[day]):
        return Rule.HOST_PARTIAL
    return Rule.HOST_TAKEN if cells & taken else None
