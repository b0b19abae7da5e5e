"""A cheap lower bound of the cost of every plan: Lagrangian relaxation of the day load.

For any price of a section on a day: load(n) >= min over m of (load(m) - price * m) + price * n. So with prices the
classes fall apart; each is then laid alone by a dynamic programme that ignores what happens inside a day. Switches,
heavy neighbours, long runs and the buffer are taken as 0, cells may be shared.
Any price is valid; good ones are the marginal loads of a good plan, improved by a few subgradient steps
(Held, Wolfe and Crowder, Validation of subgradient optimization, 1974).
"""

from __future__ import annotations

from fractions import Fraction

from schedules.planner.cost.day_terms import load_cost
from schedules.planner.cost.weights import WEIGHTS
from schedules.planner.solver.class_tables import NEVER, ClassTable, ItemTable
from schedules.planner.solver.layout import Layout
from schedules.planner.solver.tables import Tables

UNIT = WEIGHTS["unplaced_section"]
SUBGRADIENT_STEPS = 1
BIG = 12_000
"""Items times days from which on the first prices must do ..."""
HUGE = 80_000
"""... and from which on only the cells are counted."""

Start = tuple[int, int]
"""(first section, fit) of a spot."""

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
    best = max(missing_bound(layout), relaxation.value(prices))
    for _ in range(0 if size > BIG else SUBGRADIENT_STEPS):
        prices = relaxation.better_prices(prices, layout.total)
        best = max(best, relaxation.value(prices))
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
        self._loads = {base: [load_cost(n, base) for n in range(tables.sections + 1)] for base in {*self.base}}
        self._last = 0

    def value(self, prices: Prices) -> int:
        """Returns the bound at these prices."""
        total = self.fixed
        for day, pinned in enumerate(self.pinned):
            total += self._lightest(day, prices[day])[0] + prices[day] * pinned
        for one in self.classes:
            total += one.least(prices)
        self._last = total
        return total

    def _used(self, prices: Prices) -> list[int]:
        """Returns the sections that each day carries at the prices of the last value."""
        used = [*self.pinned, 0]
        for one in self.classes:
            one.add_used(prices, used)
        return used

    def _lightest(self, day: int, price: int) -> tuple[int, int]:
        """Returns (least load minus price times sections, the number of sections that attains it)."""
        pinned = self.pinned[day]
        rest = [load - price * n for n, load in enumerate(self._loads[self.base[day]])][pinned:]
        least = min(rest)
        return least, pinned + rest.index(least)

    def marginal_prices(self, loads: list[int]) -> Prices:
        """Returns half way between what the last section of a day costs and what one more would; 0 past the last
        day."""
        found = []
        for n, b in zip(loads, self.base, strict=True):
            found.append((load_cost(n + 1, b) - load_cost(n - 1, b)) // 2 if n else load_cost(1, b) // 2)
        return [*found, 0]

    def better_prices(self, prices: Prices, total: int) -> Prices:
        """Returns a subgradient step from the prices of the last value towards the total of a plan: dearer where the
        classes crowd, cheaper where the load would take more."""
        used, gap = self._used(prices), total - self._last
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
        self._free: dict[int, list[int]] = {}
        self._guest: dict[int, list[int]] = {}
        self._note_places(empty)
        self._table: list[list[int]] = []
        self._known_crowds: dict[int, list[int]] = {}
        self._lengths = [item.length for item in owner.items]
        self._item_blocks = [item.blocks for item in owner.items]
        self._out = [item.unplaced for item in owner.items]
        self._room = {day: mask.bit_count() for day, mask in owner.constants.masks.items()}

    def _note_places(self, empty: Layout) -> None:
        """Notes by day what target, slack and fit of each item are at least on free cells and as a guest."""
        owner, count = self.owner, len(self.owner.items)
        for index, item in enumerate(owner.items):
            goal = item.goal
            costs = owner.gap_costs(item.segment) if owner.steady and item.segment.capacity else None
            for day, positions, slack, free, guest in self._open_days(empty, item):
                if day not in self._free:
                    self._free[day], self._guest[day] = [NEVER] * count, [NEVER] * count
                if costs is None:
                    base = owner.target(item, day, 1) + slack
                    self._free[day][index], self._guest[day][index] = base + free.least_fit, base + guest.least_fit
                    continue
                ahead, behind = goal <= positions[0], goal >= positions[-1]
                for starts, found in ((free, self._free), (guest, self._guest)):
                    some = starts.rising if ahead else starts.falling if behind else starts.every
                    if some:
                        found[day][index] = slack + min([fit + costs[abs(positions[at] - goal)] for at, fit in some])

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

    def least(self, prices: Prices) -> int:
        """Returns the least cost at these prices."""
        table = [self._end()]
        for day in reversed(self.days):
            table.append(self._day(day, prices[day], table[-1]))
        self._table = table[::-1]
        return self._table[0][self._entering]

    def add_used(self, prices: Prices, used: list[int]) -> None:
        """Adds the sections of the cheapest way at the prices that its least cost was last asked for."""
        state, table = self._entering, self._table
        for offset, day in enumerate(self.days):
            state = self._follow(state, day, (prices, table[offset], table[offset + 1]), used)

    @property
    def _entering(self) -> int:
        return int(self.days.start - 1 in self.owner.pin_blocks) if self.days else 0

    def _end(self) -> list[int]:
        """Returns the table past the last day: all items that are not seated are left out."""
        end = [0] * (2 * len(self._out) + 2)
        for index in range(len(self._out) - 1, -1, -1):
            end[2 * index] = end[2 * index + 1] = self.owner.items[index].unplaced + end[2 * index + 2]
        return end

    def _day(self, day: int, price: int, after: list[int]) -> list[int]:
        """Returns the table of a day from that of the next one."""
        found = [0] * len(after)
        quiet, charge, flag = self._adjacency(day)
        out, costs = self._out, self._costs(day, price)
        best = after[2 * len(costs) + flag]
        rest = best + quiet
        found[-2], found[-1] = best, rest
        for index in range(len(costs) - 1, -1, -1):
            alone, without = after[2 * index + flag], out[index]
            seated = self._cheapest_run(index, day, (costs, after), alone)[0] if costs[index] < alone else alone
            best, rest = min(alone, seated, without + best), min(alone + quiet, seated + charge, without + rest)
            found[2 * index], found[2 * index + 1] = best, rest
        return found

    def _cheapest_run(self, index: int, day: int, known: tuple[list[int], list[int]], limit: int) -> tuple[int, int]:
        """Bounds what the items from one on cost that a day seats, with what comes after it, if below a limit.

        Returns that and one past the last of them. Those that no place of the day takes are left out. Where the
        others need more sections than the day has, some of them are left out as well, whichever: at least the sections
        that exceed are paid.
        """
        costs, after = known
        outs, found = self._out, index
        if costs[index] >= outs[index]:
            return limit, found
        lengths, item_blocks = self._lengths, self._item_blocks
        room, crowds = self._room.get(day, 0), self._crowds(day)
        total = blocks = highest = 0
        for last in range(index, len(costs)):
            cost = costs[last]
            if cost < outs[last]:
                total += cost
                room -= lengths[last]
                blocks += item_blocks[last]
                if cost > highest:
                    highest = cost
            else:
                total += outs[last]
            run = total + crowds[blocks] if room >= 0 else total - room * (UNIT - highest)
            if run >= limit:  # what comes after costs nothing at least, and longer runs cost more
                break
            run += after[2 * last + 3]
            if run < limit:
                limit, found = run, last + 1
        return limit, found

    def _costs(self, day: int, price: int) -> list[int]:
        """Returns what each item costs at least on a day at a price of a section; NEVER or more where it cannot be."""
        free, guest = self._free.get(day), self._guest.get(day)
        if free is None or guest is None:
            return [NEVER] * len(self._lengths)
        rows = zip(free, guest, self._lengths, strict=True)
        return [cost if (cost := one + price * n) < other else other for one, other, n in rows]

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
        costs = self._costs(day, prices[day])
        while True:
            index, best = state // 2, here[state]
            if best == after[2 * index + flag] + (quiet if state & 1 else 0):
                return 2 * index + flag
            seated, last = self._cheapest_run(index, day, (costs, after), NEVER)
            if best == seated + (charge if state & 1 else 0):
                used[day] += sum(self._free_sections(i, day, prices[day]) for i in range(index, last))
                return 2 * last + 1
            state += 2

    def _free_sections(self, index: int, day: int, price: int) -> int:
        length = self._lengths[index]
        return length if self._free[day][index] + price * length < self._guest[day][index] else 0
