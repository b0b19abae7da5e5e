"""Re-planning with least change: what no longer stands is repaired with few moves, each with its reason."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations, islice

from schedules.planner.grid import Place
from schedules.planner.problem import Placement, Problem, check_problem
from schedules.planner.rules.violations import Rule
from schedules.planner.solver.class_tables import ItemTable, spot_at
from schedules.planner.solver.layout import Layout, Seat
from schedules.planner.solver.reasons import NOT_COUNTED, day_masks, first_broken_but_order
from schedules.planner.solver.repair import Key, Repair
from schedules.planner.solver.rough_build import Plan, plan_of
from schedules.planner.solver.tables import Tables

MAKES_ROOM = "makes_room"
"""Reason of a move that only lets another item find a place."""
WAYS_TRIED = 6
"""Kept places may contradict each other; so many ways to choose those that give way are tried."""


@dataclass(frozen=True)
class MovedItem:
    """Holds a kept item that stands elsewhere now, or nowhere: `reason` is the rule its old place breaks, or
    makes_room."""

    task_item_id: int
    before: Place
    after: Place | None
    reason: str


@dataclass(frozen=True)
class RepairedPlan:
    """Holds a repaired plan; `moves` in canonical item order; those with a new place are at most as many as were
    allowed."""

    plan: Plan
    moves: tuple[MovedItem, ...]


def plan_keeping(problem: Problem, *, keep: Iterable[Placement], max_moves: int) -> RepairedPlan:
    """Keeps the placements that still obey the rules and repairs the others with at most `max_moves` moves.

    A move is a kept item that gets another place, because its own breaks a rule or to make room; where the moves do
    not suffice, what is broken loses its place. Free items without a place are placed too: first as much as possible
    of what had a place, then of what had none, then the fewest moves, then the least cost. Kept places may be ones
    that only a person would choose (not aligned, across a day part). Raises ProblemError for a problem that
    contradicts itself, ValueError for a negative number of moves.
    """
    if max_moves < 0:
        raise ValueError("the number of moves cannot be negative")
    check_problem(problem)
    layout = Layout(Tables(problem))
    kept = _Kept(layout, keep)
    ways = list(islice(kept.keepable_sets(), WAYS_TRIED))
    results: list[tuple[Key, int]] = []
    for index, standing in enumerate(ways):
        results.append((_repair(layout, kept, standing, max_moves, len(ways)), index))
    best = min(results)[1]
    if best != len(ways) - 1:
        _repair(layout, kept, ways[best], max_moves, len(ways))
    return RepairedPlan(plan_of(layout), _moves(layout, kept, ways[best]))


def _repair(layout: Layout, kept: _Kept, standing: frozenset[int], most: int, ways: int) -> Key:
    items = layout.tables.items
    layout.restore([kept.seats[item.number] if item.number in standing else None for item in items])
    broken = [item for item in items if item.number in kept.places and item.number not in standing]
    fresh = [item for item in items if item.number not in kept.places]
    return Repair(layout, broken=broken, fresh=fresh, most=most).run(share=ways)


class _Kept:
    """Holds the kept placements by item number: their places, the seats of those that obey the rules by themselves."""

    def __init__(self, layout: Layout, keep: Iterable[Placement]) -> None:
        self.layout = layout
        items = {item.item.id: item for item in layout.tables.items}
        self.places = {items[one.task_item_id].number: one.place for one in keep if one.task_item_id in items}
        self.rules: dict[int, Rule] = {}
        self.seats: dict[int, Seat] = {}
        for number, place in sorted(self.places.items()):
            item = layout.tables.items[number]
            rule = self._broken(item, place)
            if rule is None:
                self.seats[number] = place.day, spot_at(item, place)
            else:
                self.rules[number] = rule
        self.clashes = self._all_clashes()

    def _broken(self, item: ItemTable, place: Place) -> Rule | None:
        """Finds the first rule a kept place breaks beside pinned items alone; alignment is the planner's wish only."""
        task_class, grid = item.owner.task_class, self.layout.tables.grid
        if not grid.contains(place):
            return Rule.OUTSIDE_SEMESTER
        if place.length != item.length:
            return Rule.WRONG_LENGTH
        if not task_class.start_day <= place.day <= task_class.end_day:
            return Rule.OUTSIDE_CLASS_WINDOW
        span, masks = (place.first, place.length), day_masks(self.layout, place.day)
        rule = first_broken_but_order(self.layout, item.owner, place.day, span, masks, ignore=NOT_COUNTED)
        if rule is not None:
            return rule
        if place.cell <= item.segment.low:
            return Rule.ORDER_BEFORE
        return Rule.ORDER_AFTER if place.end_cell >= item.segment.high else None

    def _all_clashes(self) -> dict[int, int]:
        """Returns number -> mask of the numbers of the others it cannot stand beside."""
        groups: dict[tuple[str, int], list[int]] = {}
        for number, (day, _) in self.seats.items():
            groups.setdefault(("day", day), []).append(number)
            groups.setdefault(("class", self.layout.tables.items[number].owner.index), []).append(number)
        found = dict.fromkeys(self.seats, 0)
        for numbers in groups.values():
            for one, other in combinations(numbers, 2):
                if self._clash(one, other) is not None:
                    found[one] |= 1 << other
                    found[other] |= 1 << one
        return found

    def _clash(self, one: int, other: int) -> Rule | None:
        (day, spot), (other_day, other_spot) = self.seats[one], self.seats[other]
        if day == other_day and spot.claim & other_spot.claim:
            return Rule.HOST_TAKEN if spot.guest else Rule.OCCUPIED
        items = self.layout.tables.items
        if items[one].owner is not items[other].owner:
            return None
        if other < one:
            return Rule.ORDER_BEFORE if (other_day, other_spot.last) >= (day, spot.first) else None
        return Rule.ORDER_AFTER if (other_day, other_spot.first) <= (day, spot.last) else None

    def keepable_sets(self) -> Iterator[frozenset[int]]:
        """Yields those that may stand together: whoever is in the way of most gives way, or all of these do."""
        stack = [sum(1 << number for number in self.seats)]
        while stack:
            standing = stack.pop()
            numbers = [number for number in self.seats if standing >> number & 1]
            counts = {number: (self.clashes[number] & standing).bit_count() for number in numbers}
            worst = max(numbers, key=lambda number: (counts[number], number), default=None)
            if worst is None or counts[worst] == 0:
                yield frozenset(numbers)
                continue
            stack.append(standing & ~self.clashes[worst])
            stack.append(standing & ~(1 << worst))

    def reason(self, number: int, standing: frozenset[int]) -> str:
        if number in self.rules:
            return self.rules[number].value
        if number in standing:
            return MAKES_ROOM
        against = (self._clash(number, other) for other in standing if self.clashes[number] >> other & 1)
        return min(filter(None, against), key=list(Rule).index).value


def _moves(layout: Layout, kept: _Kept, standing: frozenset[int]) -> tuple[MovedItem, ...]:
    found = []
    for number, before in sorted(kept.places.items()):
        item, seat = layout.tables.items[number], layout.seats[number]
        after = Place(seat[0], seat[1].first, item.length) if seat else None
        if after != before:
            found.append(MovedItem(item.item.id, before, after, kept.reason(number, standing)))
    return tuple(found)
