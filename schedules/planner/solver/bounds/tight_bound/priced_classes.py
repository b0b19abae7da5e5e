"""A class alone at given prices of the cells: its cheapest schedule by a dynamic programme backwards over the days.

A state is the number of items seated or left out so far and whether the day before carries the class, as in
`replace_class`. All states of a day are computed together, as lists; what several items cost together on one day is
bounded from below, see `ClassAtPrices._ways`.
"""

from __future__ import annotations

from itertools import accumulate
from operator import add

from schedules.planner.solver.bounds.tight_bound.priced_days import DayAtPrices, Prices
from schedules.planner.solver.class_tables import ClassTable, ItemTable
from schedules.planner.solver.day_spots import DaySpot
from schedules.planner.solver.layout import Layout

NEVER = 1e15

Table = tuple[list[float], list[float]]
"""The least cost from the morning of a day on by items done, after a day without and with the class."""

Spot = tuple[int, int, int, int, tuple[int, ...]]
"""(first section, begin and end of the cells it claims, fit, atoms) of a legal place; a host is claimed as a whole."""

Chained = tuple[float, tuple[int, ...]]
"""What places of items in a row on one day cost, and their atoms."""


def _spot(spot: DaySpot, priced: DayAtPrices) -> Spot:
    begin, end = (spot.claim & -spot.claim).bit_length() - 1, spot.claim.bit_length() - 1
    return spot.first, begin, end, spot.fit, priced.atoms_of[spot.claim]


class ClassDay:
    """Holds what a class may do on one day."""

    def __init__(self, empty: Layout, owner: ClassTable, day: int, priced: DayAtPrices) -> None:
        self.day = day
        pins, apart = owner.pin_blocks, owner.apart
        self.flag = int(day in pins)
        """Whether pins carry the day anyway."""
        self.charge = 0 if self.flag and day - 1 in pins else apart
        """What new items cost after a day that carries the class ..."""
        self.quiet = self.charge if self.flag else 0
        """... and what no new items cost."""
        standing = pins.get(day, 0)
        blocks = sum(item.blocks for item in owner.items)
        sections = owner.tables.sections
        self.crowds = [owner.crowd(standing + n) - owner.crowd(standing) for n in range(min(blocks, 2 * sections) + 1)]
        self.groups: list[list[Spot]] = []
        self.flat: list[tuple[int, int, int]] = []
        """(item, group, cost) of items that cost the same in all sections of the day."""
        self.steep: list[tuple[int, int, list[int]]] = []
        """(item, group, cost and fit by spot) of the others."""
        self.group_of: list[int] = [-1] * len(owner.items)
        self._own: list[float] = [NEVER] * len(owner.items)
        numbers: dict[int, int] = {}
        for index, item in enumerate(owner.items):
            offer = item.offer(day)
            if offer is None:
                continue
            number = numbers.get(offer[0].number)
            if number is None:
                spots = [spot for spot in offer[0].spots if empty.is_open(day, spot)]
                number = numbers[offer[0].number] = len(self.groups)
                self.groups.append([_spot(spot, priced) for spot in spots])
            if self.groups[number]:
                self.group_of[index] = number
                self._add(index, number, offer[1])
        self.most = self._most()
        self._own_sums: dict[int, list[float]] = {1: self._own}
        self.alike = len([group for group in self.groups if group]) == 1
        """Whether all items that can be here have the same places."""

    def _add(self, index: int, number: int, row: list[int]) -> None:
        costs = [row[spot[0]] for spot in self.groups[number]]
        self._own[index] = min(costs)
        if min(costs) == max(costs):
            self.flat.append((index, number, costs[0]))
        else:
            self.steep.append(
                (index, number, [own + spot[3] for own, spot in zip(costs, self.groups[number], strict=True)])
            )

    def _most(self) -> int:
        """Returns how many items fit at most, whichever they are: as many places as follow each other."""
        count = last = 0
        for spot in sorted({spot for group in self.groups for spot in group}, key=lambda spot: spot[2]):
            if spot[1] > last:
                count, last = count + 1, spot[2]
        return min(count, len(self.flat) + len(self.steep))

    def price_spots(self, prices: Prices) -> list[list[float]]:
        """Returns what the cells of each spot cost, by group."""
        return [[sum([prices[atom] for atom in spot[4]]) for spot in group] for group in self.groups]

    def own_sums(self, count: int) -> list[float]:
        """Returns what so many items from each one on cost at least without their places."""
        found = self._own_sums.get(count)
        if found is None:
            shorter = self.own_sums(count - 1)
            found = self._own_sums[count] = [a + b for a, b in zip(shorter, self._own[count - 1 :], strict=False)]
        return found

    def chains(self, priced: list[list[float]]) -> list[Chained]:
        """Returns the cheapest places of 0, 1, 2 ... items that follow each other, where all have the same ones."""
        number = next(number for number, group in enumerate(self.groups) if group)
        spots = list(zip(self.groups[number], priced[number], strict=True))
        ends: list[tuple[float, int, tuple[int, ...]]] = [(0.0, 0, ())]
        found: list[Chained] = [(0.0, ())]
        for _ in range(self.most):
            longer = []
            for (_, begin, until, fit, atoms), price in spots:
                heads = [head for head in ends if head[1] < begin]
                if heads:
                    cost, _, taken = min(heads)
                    longer.append((cost + price + fit, until, (*taken, *atoms)))
            ends = longer
            cheapest = min(ends, default=(NEVER, 0, ()))
            found.append((cheapest[0], cheapest[2]))
        return found

    def singles(self, priced: list[list[float]], count: int) -> list[float]:
        """Returns the least cost of each item on the day, NEVER where it cannot be."""
        found = [NEVER] * count
        least = [
            min([price + spot[3] for price, spot in zip(prices, group, strict=True)], default=NEVER)
            for prices, group in zip(priced, self.groups, strict=True)
        ]
        for index, number, cost in self.flat:
            found[index] = least[number] + cost
        for index, number, costs in self.steep:
            found[index] = min(map(add, costs, priced[number]))
        return found


class ClassAtPrices:
    """Lays one class on its days, whatever the other classes do."""

    def __init__(self, empty: Layout, owner: ClassTable, days: dict[int, DayAtPrices]) -> None:
        self.owner = owner
        self.items: list[ItemTable] = owner.items
        self.days = [ClassDay(empty, owner, day, days[day]) for day in owner.day_range if day in days]
        self._out = [float(item.unplaced) for item in self.items]
        most = max((day.most for day in self.days), default=0)
        blocks = [0, *accumulate(item.blocks for item in self.items)]
        self._blocks = [[blocks[i + n] - blocks[i] for i in range(len(blocks) - n)] for n in range(most + 1)]
        """How many blocks so many items from each one on have."""

    def least(self, prices: dict[int, Prices], used: dict[int, list[float]]) -> float:
        """Returns the least cost of the class at these prices; adds the atoms of that schedule to `used`."""
        end = [*accumulate(reversed(self._out), initial=0.0)][::-1]
        tables: list[Table] = [(end, end)]
        priced_days = []
        for day in reversed(self.days):
            priced_days.append(day.price_spots(prices[day.day]))
            tables.append(self._day(day, priced_days[-1], tables[-1]))
        tables.reverse()
        priced_days.reverse()
        index, flag = 0, int(bool(self.days) and self.days[0].day - 1 in self.owner.pin_blocks)
        for number, day in enumerate(self.days):
            index, flag = self._follow(
                (index, flag), day, priced_days[number], tables[number : number + 2], used[day.day]
            )
        return tables[0][int(bool(self.days) and self.days[0].day - 1 in self.owner.pin_blocks)][0]

    def _day(self, day: ClassDay, priced: list[list[float]], after: Table) -> Table:
        """Returns the table of a day from that of the next one."""
        rest, carried, crowds = after[day.flag], after[1], day.crowds
        if not day.most:
            return rest, [cost + day.quiet for cost in rest] if day.quiet else rest
        seated = [NEVER] * len(rest)
        if self._is_crowded(day, rest):
            ways = self._ways_with_gaps(day, priced, carried)
            for costs, fixed in [self._one_with_gaps(day, priced, carried), *ways[2:]]:
                seated = [min(a, b + fixed) for a, b in zip(seated, costs, strict=True)]
        else:
            for count, sums in enumerate(self._ways(day, priced)[1:], 1):
                blocks = self._blocks[count]
                costs = [a + b + crowds[n] for a, b, n in zip(sums, carried[count:], blocks, strict=True)]
                seated[: len(costs)] = map(min, seated, costs)
        quietly = list(map(min, rest, seated))
        loud = quietly
        if day.charge:
            quiet, charge = day.quiet, day.charge
            loud = [min(a + quiet, b + charge) for a, b in zip(rest, seated, strict=True)]
        self._leave_out(quietly)
        self._leave_out(loud)
        return quietly, loud

    def _is_crowded(self, day: ClassDay, rest: list[float]) -> bool:
        """Tells whether it can pay to leave items out, and so to leave them out between two of one day."""
        return max(rest) + day.quiet > min(self._out)

    def _ways_with_gaps(
        self, day: ClassDay, priced: list[list[float]], carried: list[float]
    ) -> list[tuple[list[float], float]]:
        """Returns by number of items seated what they and all after them cost at least, and what comes on top.

        On top come places and cluster. Items may be left out before, between and after those of the day.
        """
        count = len(self.items)
        chains = day.chains(priced) if day.alike else [(0.0, ())] * (day.most + 1)
        own = day.own_sums(1) if day.alike else day.singles(priced, count)
        least = min(item.blocks for item in self.items)
        found = [(carried, 0.0)]
        for number in range(1, min(day.most, count) + 1):
            fewer, costs = found[-1][0], [NEVER] * (count + 1)
            for index in range(count - 1, -1, -1):
                costs[index] = min(own[index] + fewer[index + 1], self._out[index] + costs[index + 1])
            found.append((costs, chains[number][0] + day.crowds[number * least]))
        return found

    def _one_with_gaps(
        self, day: ClassDay, priced: list[list[float]], carried: list[float]
    ) -> tuple[list[float], float]:
        """Returns the same for one item on the day, whose own place is known."""
        alone, costs = day.singles(priced, len(self.items)), [NEVER] * (len(self.items) + 1)
        for index in range(len(self.items) - 1, -1, -1):
            costs[index] = min(alone[index] + carried[index + 1], self._out[index] + costs[index + 1])
        return costs, day.crowds[min(item.blocks for item in self.items)]

    def _leave_out(self, costs: list[float]) -> None:
        if max(costs) <= min(self._out):
            return
        for index in range(len(self._out) - 1, -1, -1):
            costs[index] = min(costs[index], self._out[index] + costs[index + 1])

    def _ways(self, day: ClassDay, priced: list[list[float]]) -> list[list[float]]:
        """Returns what 1, 2 ... items from each one on cost at least on a day without cluster, by their number.

        Of one item exactly. Of several, where all have the same places: the cheapest places that follow each other,
        and of each item the least that its own place costs. Elsewhere the sum of what each costs alone.
        """
        alone = day.singles(priced, len(self.items))
        found = [[], alone]
        chains = day.chains(priced) if day.alike else []
        for count in range(2, min(day.most, len(self.items)) + 1):
            if chains:
                places = chains[count][0]
                found.append([own + places for own in day.own_sums(count)])
            else:
                found.append([a + b for a, b in zip(found[-1], alone[count - 1 :], strict=False)])
        return found

    def _atoms(self, day: ClassDay, priced: list[list[float]], index: int, count: int) -> list[int]:
        """Returns the atoms of the places that `_ways` counts for so many items from one on."""
        if count > 1 and day.alike:
            return list(day.chains(priced)[count][1])
        found: list[int] = []
        for number in range(index, index + count):
            group, row = day.group_of[number], self.items[number].row(day.day)
            costs = [
                price + row[spot[0]] + spot[3] for price, spot in zip(priced[group], day.groups[group], strict=True)
            ]
            found += day.groups[group][costs.index(min(costs))][4]
        return found

    def _follow(
        self, state: tuple[int, int], day: ClassDay, priced: list[list[float]], tables: list[Table], used: list[float]
    ) -> tuple[int, int]:
        """Returns the next state of the cheapest way; adds what it takes to `used`."""
        index, flag = state
        here, after = tables[0][flag], tables[1]
        quiet, charge = (day.quiet, day.charge) if flag else (0, 0)
        if here[index] == after[day.flag][index] + quiet:
            return index, day.flag
        if self._is_crowded(day, after[day.flag]):
            return self._follow_with_gaps(state, day, priced, tables, used)
        for count, ways in enumerate(self._ways(day, priced)[1:], 1):
            if index + count <= len(self.items) and ways[index] < NEVER:
                cost = ways[index] + day.crowds[self._blocks[count][index]] + charge + after[1][index + count]
                if cost == here[index]:
                    for atom in self._atoms(day, priced, index, count):
                        used[atom] += 1
                    return index + count, 1
        raise AssertionError("one of the ways has the least cost")

    def _follow_with_gaps(
        self, state: tuple[int, int], day: ClassDay, priced: list[list[float]], tables: list[Table], used: list[float]
    ) -> tuple[int, int]:
        index, flag = state
        here, after = tables[0][flag], tables[1]
        quiet, charge = (day.quiet, day.charge) if flag else (0, 0)
        ways = self._ways_with_gaps(day, priced, after[1])
        one, fixed = self._one_with_gaps(day, priced, after[1])
        while here[index] != after[day.flag][index] + quiet:
            if one[index] < NEVER and here[index] == one[index] + fixed + charge:
                while one[index] == self._out[index] + one[index + 1]:
                    index += 1
                for atom in self._atoms(day, priced, index, 1):
                    used[atom] += 1
                return index + 1, 1
            for count in range(len(ways) - 1, 1, -1):
                if ways[count][0][index] < NEVER and here[index] == ways[count][0][index] + ways[count][1] + charge:
                    return self._seat_with_gaps(index, count, ways, (day, priced), used)
            index += 1
        return index, day.flag

    def _seat_with_gaps(
        self,
        index: int,
        count: int,
        ways: list[tuple[list[float], float]],
        where: tuple[ClassDay, list[list[float]]],
        used: list[float],
    ) -> tuple[int, int]:
        """Seats so many items from one on, skips those that are left out between, and returns the next state."""
        day, priced = where
        own = day.own_sums(1) if day.alike else day.singles(priced, len(self.items))
        atoms = list(day.chains(priced)[count][1]) if day.alike else []
        while count:
            if ways[count][0][index] == own[index] + ways[count - 1][0][index + 1]:
                atoms += [] if day.alike else self._atoms(day, priced, index, 1)
                count -= 1
            index += 1
        for atom in atoms:
            used[atom] += 1
        return index, 1
