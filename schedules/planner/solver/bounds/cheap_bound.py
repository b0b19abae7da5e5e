"""A cheap lower bound of the cost of every plan: Lagrangian relaxation of the day load.

For any price of a section on a day: load(n) >= min over m of (load(m) - price * m) + price * n. So with prices the
classes fall apart; each is then laid alone by a dynamic programme that ignores what happens inside a day. Switches,
heavy neighbours, long runs and the buffer are taken as 0, cells may be shared.
Any price is valid; good ones are the marginal loads of a good plan, improved by a few subgradient steps
(Held, Wolfe and Crowder, Validation of subgradient optimization, 1974).
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from schedules.planner.cost.day_terms import load_cost
from schedules.planner.cost.weights import WEIGHTS
from schedules.planner.solver.class_tables import ClassTable, ItemTable
from schedules.planner.solver.layout import Layout
from schedules.planner.solver.tables import Tables

NEVER = 10**15
UNIT = WEIGHTS["unplaced_section"]
SUBGRADIENT_STEPS = 1
BIG = 12_000
"""Items times days from which on the first prices must do ..."""
HUGE = 80_000
"""... and from which on only the cells are counted."""

Start = tuple[int, int]
"""(first section, fit) of a spot."""

Run = tuple[int, int]
"""(one past the last item, least cost) of items in a row on one day."""

Prices = list[int]
"""Per day the price of a section on free cells."""


def bound_of(layout: Layout) -> int:
    """Bounds the problem of a layout, priced at its present loads; 0 <= bound <= the best possible total."""
    if not layout.tables.items:
        return layout.total
    size = sum(len(owner.items) * len(owner.day_range) for owner in layout.tables.classes)
    if size > HUGE:
        return missing_bound(layout)
    relaxation = Relaxation(layout.tables)
    loads = own_loads(layout)
    prices = relaxation.marginal_prices(loads)
    best = missing_bound(layout)
    for _ in range(1 if size > BIG else SUBGRADIENT_STEPS + 1):
        value, used = relaxation.value(prices)
        best = max(best, value)
        prices = relaxation.better_prices(prices, used, layout.total - value)
    return best


def own_loads(layout: Layout) -> list[int]:
    """Returns per day the sections of items on free cells."""
    tables = layout.tables
    return [
        (tables.find_covered(key) & ~kind.owned).bit_count()
        for kind, key in zip(tables.kinds, layout.keys, strict=False)
    ]


def missing_bound(layout: Layout) -> int:
    """Returns what the sections cost that exceed all cells any class may use."""
    tables = layout.tables
    needed = sum(item.length for item in tables.items)
    cells: dict[int, int] = {}
    for owner in tables.classes:
        for day, mask in owner.constants.masks.items() if owner.items else ():
            cells[day] = cells.get(day, 0) | mask
    return UNIT * max(0, needed - sum(mask.bit_count() for mask in cells.values()))


class Cheapest(NamedTuple):
    """Holds least target, slack and fit of an item on a day: on free cells, as a guest; NEVER where it cannot be."""

    free: int
    guest: int


NOWHERE = Cheapest(NEVER, NEVER)


class SpotStarts:
    """Holds spots of one length on a kind of day, as (first section, fit) by first section.

    `rising` are those that can be the cheapest when the target lies before the day (each has a better fit than all
    earlier ones), `falling` those when it lies behind it.
    """

    def __init__(self, every: list[Start]) -> None:
        self.every = every
        self.rising = _better_than_before(every)
        self.falling = _better_than_before(every[::-1])
        self.least_fit = self.rising[-1][1] if every else NEVER


def _better_than_before(starts: list[Start]) -> list[Start]:
    found: list[Start] = []
    for start in starts:
        if not found or start[1] < found[-1][1]:
            found.append(start)
    return found


NO_STARTS = SpotStarts([])

OpenDay = tuple[int, list[int], int, SpotStarts, SpotStarts]
"""A day, the positions of its sections in the segment, its slack, the spots on free cells and in lessons."""


class Relaxation:
    """Plans the classes alone, at given prices of the days."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.empty = Layout(tables)
        self.pinned = own_loads(self.empty)
        self.base = [kind.owned.bit_count() for kind in tables.kinds]
        self.classes = [PricedClass(self.empty, owner) for owner in tables.classes if owner.items]
        self.fixed = sum(standing_cost(owner) for owner in tables.classes)

    def value(self, prices: Prices) -> tuple[int, list[int]]:
        """Returns the bound at these prices and the sections each day then carries."""
        total, used = self.fixed, [*self.pinned, 0]
        for day, pinned in enumerate(self.pinned):
            total += self._lightest(day, prices[day])[0] + prices[day] * pinned
        for one in self.classes:
            total += one.least(prices, used)
        return total, used

    def _lightest(self, day: int, price: int) -> tuple[int, int]:
        """Returns (least load minus price times sections, the number of sections that attains it)."""
        sections = range(self.pinned[day], self.tables.sections + 1)
        return min((load_cost(n, self.base[day]) - price * n, n) for n in sections)

    def marginal_prices(self, loads: list[int]) -> Prices:
        """Returns half way between what the last section of a day costs and what one more would; 0 past the last
        day."""
        found = []
        for n, b in zip(loads, self.base, strict=True):
            found.append((load_cost(n + 1, b) - load_cost(n - 1, b)) // 2 if n else load_cost(1, b) // 2)
        return [*found, 0]

    def better_prices(self, prices: Prices, used: list[int], gap: int) -> Prices:
        """Returns a subgradient step: dearer where the classes crowd, cheaper where the load would take more."""
        slope = [used[day] - self._lightest(day, prices[day])[1] for day in range(len(self.pinned))]
        length = sum(one * one for one in slope)
        step = Fraction(gap, 2 * length) if length else Fraction(0)
        return [*(max(0, price + round(step * one)) for price, one in zip(prices, slope, strict=False)), 0]


def standing_cost(owner: ClassTable) -> int:
    """Returns the cluster cost of the pinned items of a class."""
    days = owner.pin_blocks
    return sum(owner.crowd(blocks) for blocks in days.values()) + sum(owner.apart for day in days if day + 1 in days)


class PricedClass:
    """Prices one class: its items on its days, whatever happens inside a day."""

    def __init__(self, empty: Layout, owner: ClassTable) -> None:
        self.owner = owner
        self.days = owner.day_range
        self._known: dict[tuple[int, int], tuple[SpotStarts, SpotStarts]] = {}
        self._days: dict[tuple[int, int], list[OpenDay]] = {}
        self.places = [self._places(empty, item) for item in owner.items]
        self._known_crowds: dict[int, list[int]] = {}
        self._lengths = [item.length for item in owner.items]
        self._item_blocks = [item.blocks for item in owner.items]
        self._out = [item.unplaced for item in owner.items]

    def _places(self, empty: Layout, item: ItemTable) -> dict[int, Cheapest]:
        owner, goal, found = self.owner, item.goal, {}
        costs = owner.gap_costs(item.segment) if owner.steady and item.segment.capacity else None
        for day, positions, slack, free, guest in self._open_days(empty, item):
            if costs is None:
                base = owner.target(item, day, 1) + slack
                found[day] = Cheapest(base + free.least_fit, base + guest.least_fit)
                continue
            ahead, behind = goal <= positions[0], goal >= positions[-1]
            least = []
            for starts in (free, guest):
                some = starts.rising if ahead else starts.falling if behind else starts.every
                least.append(min([fit + costs[abs(positions[first] - goal)] for first, fit in some], default=NEVER))
            found[day] = Cheapest(slack + least[0], slack + least[1])
        return found

    def _open_days(self, empty: Layout, item: ItemTable) -> list[OpenDay]:
        """Returns the days with a place for items of this segment and length."""
        name = (id(item.segment), item.length)
        if name not in self._days:
            owner, segment, found = self.owner, item.segment, []
            for day in segment.masks:
                free, guest = self._open_spots(empty, item, day)
                if free.every or guest.every:
                    found.append((day, segment.positions(day), owner.slack(day), free, guest))
            self._days[name] = found
        return self._days[name]

    def _open_spots(self, empty: Layout, item: ItemTable, day: int) -> tuple[SpotStarts, SpotStarts]:
        """Returns the spots on free cells and in lessons."""
        spots = self.owner.spots(item.segment, item.length, day)
        if spots is None:
            return NO_STARTS, NO_STARTS
        name = (spots.number, empty.keys[day])
        if name not in self._known:
            opened = [spot for spot in spots.spots if empty.is_open(day, spot)]
            self._known[name] = (
                SpotStarts([(spot.first, spot.fit) for spot in opened if not spot.guest]),
                SpotStarts([(spot.first, spot.fit) for spot in opened if spot.guest]),
            )
        return self._known[name]

    def least(self, prices: Prices, used: list[int]) -> int:
        """Returns the least cost at these prices; adds the sections of that way to `used`."""
        table = [self._end()]
        for day in reversed(self.days):
            table.append(self._day(day, prices[day], table[-1]))
        table.reverse()
        state = int(self.days.start - 1 in self.owner.pin_blocks) if self.days else 0
        least = table[0][state]
        for offset, day in enumerate(self.days):
            state = self._follow(state, day, (prices, table[offset], table[offset + 1]), used)
        return least

    def _end(self) -> list[int]:
        """Returns the table past the last day: all items that are not seated are left out."""
        end = [0] * (2 * len(self.places) + 2)
        for index in range(len(self.places) - 1, -1, -1):
            end[2 * index] = end[2 * index + 1] = self.owner.items[index].unplaced + end[2 * index + 2]
        return end

    def _day(self, day: int, price: int, after: list[int]) -> list[int]:
        """Returns the table of a day from that of the next one."""
        found = [0] * len(after)
        quiet, charge, flag = self._adjacency(day)
        count, out, costs = len(self.places), self._out, self._costs(day, price)
        for index in range(count, -1, -1):
            rest = best = after[2 * index + flag]
            seated = NEVER
            for last, cost in self._runs(index, day, costs, best) if index < count and costs[index] < best else ():
                seated = min(seated, cost + after[2 * last + 1])
            best, rest = min(best, seated), min(rest + quiet, seated + charge)
            if index < count:
                best = min(best, out[index] + found[2 * index + 2])
                rest = min(rest, out[index] + found[2 * index + 3])
            found[2 * index], found[2 * index + 1] = best, rest
        return found

    def _runs(self, index: int, day: int, costs: list[int], limit: int) -> list[Run]:
        """Bounds what the items from one on to some last one cost on a day that seats the first, if below a limit.

        Those that no place of the day takes are left out. Where the others need more sections than the day has, some
        of them are left out as well, whichever: at least the sections that exceed are paid.
        """
        found: list[Run] = []
        room, crowds = self.owner.constants.masks.get(day, 0).bit_count(), self._crowds(day)
        if costs[index] >= self._out[index]:
            return found
        total = blocks = highest = 0
        for last in range(index, len(costs)):
            cost, out = costs[last], self._out[last]
            if cost < out:
                total += cost
                room -= self._lengths[last]
                blocks += self._item_blocks[last]
                highest = max(highest, cost)
            else:
                total += out
            run = total + crowds[blocks] if room >= 0 else total - room * (UNIT - highest)
            if run >= limit:
                break
            found.append((last + 1, run))
        return found

    def _costs(self, day: int, price: int) -> list[int]:
        """Returns what each item costs at least on a day at a price of a section; NEVER or more where it cannot be."""
        here = [places.get(day, NOWHERE) for places in self.places]
        return [min(one.free + price * n, one.guest) for one, n in zip(here, self._lengths, strict=True)]

    def _crowds(self, day: int) -> list[int]:
        """Returns what so many more blocks of the class on a day add to cluster."""
        blocks, crowd = self.owner.pin_blocks.get(day, 0), self.owner.crowd
        if blocks not in self._known_crowds:
            most = self.owner.tables.sections + 1
            self._known_crowds[blocks] = [crowd(blocks + more) - crowd(blocks) for more in range(most)]
        return self._known_crowds[blocks]

    def _adjacency(self, day: int) -> tuple[int, int, int]:
        """Returns (cost without, cost with new items, whether pins carry the day) after a day that carries the
        class."""
        apart, pins = self.owner.apart, self.owner.pin_blocks
        if day not in pins:
            return 0, apart, 0
        charge = 0 if day - 1 in pins else apart
        return charge, charge, 1

    def _follow(self, state: int, day: int, known: tuple[Prices, list[int], list[int]], used: list[int]) -> int:
        """Returns the next state of the cheapest way; adds what it seats on free cells to `used`."""
        prices, here, after = known
        quiet, charge, flag = self._adjacency(day)
        while True:
            index, best = state // 2, here[state]
            if best == after[2 * index + flag] + (quiet if state & 1 else 0):
                return 2 * index + flag
            for last, cost in self._runs(index, day, self._costs(day, prices[day]), NEVER):
                if best == cost + (charge if state & 1 else 0) + after[2 * last + 1]:
                    used[day] += sum(self._free_sections(i, day, prices[day]) for i in range(index, last))
                    return 2 * last + 1
            state += 2

    def _free_sections(self, position: int, day: int, price: int) -> int:
        cheapest, length = self.places[position].get(day, NOWHERE), self._lengths[position]
        return length if cheapest.free + price * length < cheapest.guest else 0
