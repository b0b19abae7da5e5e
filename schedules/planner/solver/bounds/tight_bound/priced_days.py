"""A day at given prices: which of its cells it would offer, were it paid for each."""

from __future__ import annotations

from schedules.planner.cost.day_terms import buffer_cost, load_cost
from schedules.planner.solver.layout import Layout

Prices = list[float]
"""What each atom of a day costs whoever takes it, in multiples of 1/64: sums of such numbers are exact."""


class DayAtPrices:
    """Cuts a day of an empty layout into atoms: cells that every item takes together or not at all.

    Load, buffer and the wish for a day's length depend on the number of sections alone and never fall with it, so the
    best cells to offer are the dearest ones. Switches, heavy neighbours and long runs are those of the pinned items,
    which no further study mends but a single section between two others.
    """

    def __init__(self, empty: Layout, day: int) -> None:
        self._claims: dict[int, bool] = {}
        tables = empty.tables
        for item in tables.items:
            offer = item.offer(day)
            if offer is not None:
                self._claims |= {spot.claim: spot.guest for spot in offer[0].spots if empty.is_open(day, spot)}
        groups: dict[tuple[int, ...], list[int]] = {}
        for section in range(1, tables.sections + 1):
            takers = tuple([claim for claim in self._claims if claim >> section & 1])
            if takers:
                groups.setdefault(takers, []).append(section)
        self._free: list[int] = []
        self._hosts: list[int] = []
        self.sizes: list[int] = []
        """Sections of each atom on free cells, 0 inside a lesson."""
        for number, (takers, sections) in enumerate(groups.items()):
            guest = self._claims[takers[0]]
            (self._hosts if guest else self._free).append(number)
            self.sizes.append(0 if guest else len(sections))
        self.atoms_of = {
            claim: tuple([number for number, takers in enumerate(groups) if claim in takers]) for claim in self._claims
        }
        self._costs = self._costs_by_sections(empty, day)

    def _costs_by_sections(self, empty: Layout, day: int) -> list[int]:
        """Returns the least cost of the day with so many more sections of study on free cells."""
        tables, kind, key = empty.tables, empty.kinds[day], empty.keys[day]
        covered = tables.find_covered(key)
        pinned, length = (covered & ~kind.owned).bit_count(), covered.bit_count()
        left, base = (kind.usable & ~covered).bit_count(), kind.owned.bit_count()
        parts = [tables.part((key >> shift) & mask)[0] for shift, mask, _ in tables.part_slices]
        least = 0 if any(item.length == 1 for item in tables.items) else sum(parts)
        return [
            load_cost(pinned + n, base) + buffer_cost(pinned + n, left - n) + tables.day_wish[length + n] + least
            for n in range(sum(self.sizes) + 1)
        ]

    def first_prices(self, own: int, base: int) -> Prices:
        """Returns the marginal load of each atom on a day that carries so many own sections beside its lessons."""
        step = load_cost(own + 1, base) - load_cost(max(0, own - 1), base)
        return [float(step * size // (2 if own else 1)) for size in self.sizes]

    def least(self, prices: Prices, used: list[float]) -> float:
        """Returns the least cost of the day minus what its offered cells earn; takes these off `used`."""
        total = 0.0
        for atom in self._hosts:
            if prices[atom] > 0:
                total -= prices[atom]
                used[atom] -= 1
        offered = [atom for atom in self._free if prices[atom] > 0]
        if len({self.sizes[atom] for atom in offered}) > 1:
            best, taken = self._least_of_sizes(offered, prices)
        else:
            best, taken = self._least_of_equals(offered, prices)
        for atom in taken:
            used[atom] -= 1
        return total + best

    def _least_of_equals(self, offered: list[int], prices: Prices) -> tuple[float, list[int]]:
        """Offers the dearest atoms, as many as pay: all have one size."""
        offered.sort(key=prices.__getitem__, reverse=True)
        best, count, earned, sections = float(self._costs[0]), 0, 0.0, 0
        for number, atom in enumerate(offered, 1):
            earned += prices[atom]
            sections += self.sizes[atom]
            if self._costs[sections] - earned < best:
                best, count = self._costs[sections] - earned, number
        return best, offered[:count]

    def _least_of_sizes(self, offered: list[int], prices: Prices) -> tuple[float, list[int]]:
        """Offers what pays best: a knapsack over the sections of the day."""
        earned: dict[int, tuple[float, tuple[int, ...]]] = {0: (0.0, ())}
        for atom in offered:
            for sections, (sum_of, taken) in list(earned.items()):
                then = sections + self.sizes[atom], sum_of + prices[atom]
                if then[0] not in earned or earned[then[0]][0] < then[1]:
                    earned[then[0]] = then[1], (*taken, atom)
        best = min((self._costs[sections] - sum_of, taken) for sections, (sum_of, taken) in earned.items())
        return best[0], list(best[1])
