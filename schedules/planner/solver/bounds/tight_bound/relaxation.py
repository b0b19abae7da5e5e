"""A tight lower bound of the cost of every plan, on demand: Lagrangian relaxation of the cells that classes share.

With a price on every cell that a class pays and a day earns, the problem falls apart: each class is laid alone by a
dynamic programme that pays the prices (`priced_classes`), and each day offers the cells that earn more than they cost
it in load, buffer and wishes (`priced_days`). Switches, heavy neighbours and long runs between classes are taken as 0.
The sum is a bound at any prices (Geoffrion, Lagrangean relaxation for integer programming, 1974). Good prices are found
by subgradient steps: cells wanted more often than offered become dearer. A step is as long as Polyak's (1969), cut in
half when nothing was gained for a while (Held, Wolfe and Crowder, 1974), along a direction that remembers the last one
(Camerini, Fratta and Maffioli, 1975).
"""

from __future__ import annotations

from math import ceil

from schedules.planner.problem import Problem
from schedules.planner.solver.bounds.cheap_bound import missing_bound, standing_cost
from schedules.planner.solver.bounds.tight_bound.priced_classes import ClassAtPrices
from schedules.planner.solver.bounds.tight_bound.priced_days import DayAtPrices, Prices
from schedules.planner.solver.layout import Layout
from schedules.planner.solver.rough_build import BoundedPlan, seat_placements
from schedules.planner.solver.tables import Tables

STEPS = 100
"""Prices that a tight bound tries."""
PATIENCE = 8
"""Steps without gain after which they become half as long."""
SHORTEST = 1 / 256
"""How short, of Polyak's, steps may become."""
MEMORY = 0.7
"""How much of the last direction is kept."""
FRACTION = 64
"""Prices are multiples of one part of this many, so that sums of them have no rounding."""


def tighten(problem: Problem, plan: BoundedPlan, *, steps: int = STEPS) -> BoundedPlan:
    """Returns a plan of the problem with a bound as tight as so many prices tell; never a worse one than it had."""
    layout = Layout(Tables(problem))
    seat_placements(layout, plan.placements)
    return plan.tighten(tight_bound_of(layout, steps=steps))


def tight_bound_of(layout: Layout, *, steps: int = STEPS) -> int:
    """Bounds the problem of a layout as tightly as so many prices tell; the better its plan, the better they are."""
    if not layout.tables.items:
        return layout.total
    best = missing_bound(layout)
    relaxation = CellRelaxation(layout)
    share, still = 1.0, 0
    for _ in range(steps):
        value = relaxation.value()
        if ceil(value) > best:
            best, still = ceil(value), 0
        else:
            still += 1
        if still == PATIENCE:
            share, still = share / 2, 0
        if share < SHORTEST or best >= layout.total or not relaxation.step(share * max(1.0, layout.total - value)):
            break
    return best


class CellRelaxation:
    """Prices the days and the classes alone, and betters the prices."""

    def __init__(self, layout: Layout) -> None:
        tables = layout.tables
        empty = Layout(tables)
        self._days = {day: DayAtPrices(empty, day) for day in range(1, tables.grid.days + 1)}
        self._classes = [ClassAtPrices(empty, owner, self._days) for owner in tables.classes if owner.items]
        self._fixed = sum(standing_cost(owner) for owner in tables.classes)
        self.prices: dict[int, Prices] = {}
        for day, priced in self._days.items():
            owned = layout.kinds[day].owned
            own = (tables.find_covered(layout.keys[day]) & ~owned).bit_count()
            self.prices[day] = priced.first_prices(own, owned.bit_count())
        self._wanted = self._nothing()
        self._direction = self._nothing()

    def _nothing(self) -> dict[int, list[float]]:
        return {day: [0.0] * len(priced.sizes) for day, priced in self._days.items()}

    def value(self) -> float:
        """Returns the bound at these prices, and note how much more often each atom is wanted than offered."""
        self._wanted = self._nothing()
        total = float(self._fixed)
        for one in self._classes:
            total += one.least(self.prices, self._wanted)
        for day, priced in self._days.items():
            total += priced.least(self.prices[day], self._wanted[day])
        return total

    def step(self, gain: float) -> bool:
        """Moves the prices as far as a gain asks for; False when nothing asks for a move."""
        square = 0.0
        for day, wanted in self._wanted.items():
            prices, last = self.prices[day], self._direction[day]
            for atom, more in enumerate(wanted):
                along = more + MEMORY * last[atom]
                last[atom] = along = along if along > 0 or prices[atom] > 0 else 0.0
                square += along * along
        if not square:
            return False
        length = gain / square
        for day, direction in self._direction.items():
            prices = self.prices[day]
            for atom, along in enumerate(direction):
                if along:
                    prices[atom] = max(0.0, round((prices[atom] + length * along) * FRACTION) / FRACTION)
        return True
