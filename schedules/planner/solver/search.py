"""The bounded local search: classes are re-laid in turn, items moved and exchanged, until nothing helps.

Deterministic: no clock, no random source; the budget counts considered seats.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

from schedules.planner.solver.class_tables import ClassTable, ItemTable
from schedules.planner.solver.layout import Layout
from schedules.planner.solver.moves import exchange, free_bounds, relocate, seat_by_displacing
from schedules.planner.solver.replace_class import near_freedom, reseat_class
from schedules.planner.solver.replace_classes import reseat_classes
from schedules.planner.solver.tables import Tables

PAIR_WIDTH = 6
TRIPLE_WIDTH = 10
WIDTH_SCALES = (1, 5)
"""The beams are widened when nothing helps and steps are left."""
CLASSES_FOR_TRIPLES = 20
MOVE_EFFORT = 20
"""What moving or exchanging items once counts, in steps."""
DAY_EFFORT = 10
"""What looking for a seat on one day counts, in steps."""
SETTLE_STEPS = 4000
"""Steps an item that the closing moves may take ..."""
SETTLE_STEPS_MAX = 600_000
"""... and at most all of them together."""


class Budget:
    """Counts the steps that may still be made; one is about the cost of looking at one state of a dynamic programme."""

    def __init__(self, tables: Tables, steps: int) -> None:
        self._tables = tables
        self._until = tables.effort + steps

    def spend(self, steps: int) -> None:
        self._tables.effort += steps

    @property
    def spent(self) -> bool:
        return self._tables.effort >= self._until


def improve(layout: Layout, steps: int) -> None:
    """Lowers the total by ever larger neighbourhoods, and at the end until no single move or exchange pays."""
    budget = Budget(layout.tables, steps)
    reseat_each_class(layout, budget)
    Groups(layout, budget).run()
    if steps > 0:
        improve_until_local_optimum(layout)


def improve_until_local_optimum(layout: Layout) -> None:
    """Takes single moves and exchanges until none pays; ends in any case after so many steps an item."""
    budget = Budget(layout.tables, min(SETTLE_STEPS_MAX, SETTLE_STEPS * len(layout.tables.items)))
    changes = Changes(layout)
    while not budget.spent and improve_item_by_item(layout, budget, changes):
        pass


class Changes:
    """Notes what last changed when: a move that did not pay pays no better before something near it has changed."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._seats = layout.snapshot()
        self._clock = 1
        self._days = [1] * (len(layout.keys) + 2)
        self._items = [1] * len(self._seats)
        self._exchanged = [0] * len(self._seats)
        self._relocated = [0] * len(self._seats)
        self._on_day: list[list[int]] = [[] for _ in self._days]
        for number, seat in enumerate(self._seats):
            if seat is not None:
                self._on_day[seat[0]].append(number)

    def note(self) -> None:
        """Notes a move: its days and those beside them (dispersion), and its siblings' bounds have changed."""
        self._clock += 1
        for number, old in enumerate(self._seats):
            new = self._layout.seats[number]
            if old is not new and old != new:
                for one in self._bounded_by(number):
                    self._items[one] = self._clock
                for day in [seat[0] + near for seat in (old, new) if seat is not None for near in (-1, 0, 1)]:
                    self._days[day] = self._clock
                if old is not None:
                    self._on_day[old[0]].remove(number)
                if new is not None:
                    self._on_day[new[0]].append(number)
        self._seats = self._layout.snapshot()

    def _bounded_by(self, number: int) -> range:
        """Returns the item and its neighbours in the class; all of the class while seats are missing between them."""
        siblings = self._layout.tables.items[number].owner.items
        first, last = siblings[0].number, siblings[-1].number
        if not self._layout.complete or None in self._seats:
            return range(first, last + 1)
        return range(max(first, number - 1), min(last, number + 1) + 1)

    def may_relocate(self, item: ItemTable) -> bool:
        """Tells whether another seat may pay, unlike when this was last asked; a day counts with those beside it."""
        since, self._relocated[item.number] = self._relocated[item.number], self._clock
        if self._items[item.number] > since:
            return True
        low, high = free_bounds(self._layout, item)
        return max(self._days[low[0] : high[0] + 1]) > since

    def exchange_partners(self, item: ItemTable) -> list[ItemTable]:
        """Returns seated items of later classes that begin between the siblings of a seated item.

        Left out are those with which an exchange has the price that it had when this was last asked.
        """
        number, seats, items = item.number, self._seats, self._layout.tables.items
        since, self._exchanged[number] = self._exchanged[number], self._clock
        seat, later = seats[number], item.owner.items[-1].number
        if seat is None:
            return []
        low, high = free_bounds(self._layout, item)
        every = self._items[number] > since or self._days[seat[0]] > since
        found = []
        for day in range(low[0], min(high[0], len(self._days) - 1) + 1):
            changed = every or self._days[day] > since
            for other in self._on_day[day]:
                if other > later and (changed or self._items[other] > since):
                    there = seats[other]
                    assert there is not None, "it stands on the day"
                    if low < (day, there[1].first) < high:
                        found.append(other)
        return [items[other] for other in sorted(found)]


class Groups:
    """Re-lays pairs of classes jointly, then of those triples that stand most in each other's way."""

    def __init__(self, layout: Layout, budget: Budget) -> None:
        self.layout = layout
        self.budget = budget
        self.classes = [owner for owner in layout.tables.classes if owner.items]
        self.changed = dict.fromkeys((owner.index for owner in self.classes), 0)
        self.tried: dict[tuple[int, ...], int] = {}
        self.friction: dict[tuple[int, ...], int] = {}
        self.clock = 1

    def run(self) -> None:
        for scale in WIDTH_SCALES:
            self.tried.clear()
            while not self.budget.spent and (self._pairs(PAIR_WIDTH * scale) or self._triples(TRIPLE_WIDTH * scale)):
                pass

    def _pairs(self, width: int) -> bool:
        return self._round(combinations(self.classes, 2), width)

    def _triples(self, width: int) -> bool:
        if len(self.classes) > CLASSES_FOR_TRIPLES:
            return False
        triples = sorted(
            combinations(self.classes, 3),
            key=lambda triple: (-self._friction_within(triple), [owner.index for owner in triple]),
        )
        return self._round(triples, width)

    def _friction_within(self, owners: tuple[ClassTable, ...]) -> int:
        return sum(self.friction.get((a.index, b.index), 0) for a, b in combinations(owners, 2))

    def _round(self, groups: Iterable[tuple[ClassTable, ...]], width: int) -> bool:
        """Tries each group of which a class has changed since its last trial."""
        any_improved = False
        for owners in groups:
            name = tuple(owner.index for owner in owners)
            if self.budget.spent:
                return False
            if max(self.changed[index] for index in name) < self.tried.get(name, 0):
                continue
            outcome = reseat_classes(self.layout, list(owners), width=width)
            self.clock += 1
            if outcome.improved:
                any_improved = True
                self.changed |= dict.fromkeys(name, self.clock)
            self.tried[name] = self.clock + 1
            self.friction[name] = outcome.friction
        return any_improved


def reseat_each_class(layout: Layout, budget: Budget) -> bool:
    """Re-lays the classes in turn until a whole round of them changed nothing."""
    classes = [owner for owner in layout.tables.classes if owner.items]
    changed, still, index = False, 0, 0
    while still < len(classes) and not budget.spent:
        owner = classes[index % len(classes)]
        if reseat_class(layout, owner, near_freedom(layout, owner)):
            changed, still = True, 0
        else:
            still += 1
        index += 1
    return changed


def seat_leftovers(layout: Layout) -> None:
    """Seats every item that still has a legal place; afterwards none has."""
    for item in layout.tables.items:
        if layout.seats[item.number] is None:
            relocate(layout, item)


def improve_item_by_item(layout: Layout, budget: Budget, changes: Changes) -> bool:
    """Takes single moves, exchanges and displacements that pay."""
    changed = False
    for item in layout.tables.items:
        if budget.spent:
            return changed
        budget.spend(MOVE_EFFORT)
        if changes.may_relocate(item) and relocate(layout, item):
            changed = True
            changes.note()
        if layout.seats[item.number] is None:
            budget.spend(DAY_EFFORT * len(item.segment.masks) + len(layout.tables.items))
            if seat_by_displacing(layout, item):
                changed = True
                changes.note()
            continue
        budget.spend(len(layout.tables.items) // DAY_EFFORT)
        if _exchange_any(layout, item, budget, changes):
            changed = True
            changes.note()
    return changed


def _exchange_any(layout: Layout, item: ItemTable, budget: Budget, changes: Changes) -> bool:
    """Takes the first exchange of an item that pays."""
    for other in changes.exchange_partners(item):
        budget.spend(MOVE_EFFORT)
        if exchange(layout, item, other):
            return True
    return False
