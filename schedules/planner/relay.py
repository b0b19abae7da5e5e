"""Re-laying one class: the best seats of all its items at once, everything else standing still. PURE.

A dynamic programme over the days. State: how many items are seated, and whether the day before carries the class
(that costs a steady class). Within a day the items stand in order in one of the arrangements of `tables`.
The answer is exact but for three limits: the windows of the items, the number of items a day, and, from three items
of a class on one day on, the shortened list of arrangements.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from schedules.planner.layout import Layout, Seat
from schedules.planner.tables import ClassTable, ItemTable, Spot, SpotList, arrangements

NEVER = 10**15
WINDOW_COST = 400
"""Items of a steady class are first tried where the target part costs at most this much."""

Chain = tuple["Chain | None", int, tuple[Spot, ...]]
"""(what came before, day, spots); day 0: the next item is left out."""

Front = dict[int, tuple[int, Chain | None]]
"""Items seated so far -> (cost, how)."""


@dataclass(frozen=True)
class Freedom:
    """How far a re-laying may go: `windows` days per item, items a day, whether items may be left out."""

    windows: Sequence[tuple[int, int]]
    a_day: int
    leave_out: bool


def near_freedom(owner: ClassTable, layout: Layout) -> Freedom:
    """Items near their targets or present seats, two a day (rapid: one above the allowance), none left out."""
    windows = []
    for item in owner.items:
        low, high = _window(owner, item)
        seat = layout.seats[item.number]
        windows.append((low, high) if seat is None else (min(low, seat[0]), max(high, seat[0])))
    return Freedom(windows, max(2, owner.constants.allow + (0 if owner.steady else 1)), leave_out=False)


def full_freedom(owner: ClassTable) -> Freedom:
    return Freedom([(0, NEVER)] * len(owner.items), 16, leave_out=True)


def _window(owner: ClassTable, item: ItemTable) -> tuple[int, int]:
    if not owner.steady or item.segment.capacity == 0:
        return 0, NEVER
    return owner.window(item, WINDOW_COST)


def relay(layout: Layout, owner: ClassTable, freedom: Freedom) -> bool:
    """Re-lay a class if that lowers the total; otherwise leave all as it was. True when it did."""
    before = layout.total
    seats = layout.lift_class(owner)
    floor = layout.total - sum(item.unplaced for item in owner.items)
    found = best_seats(layout, owner, freedom, limit=before - floor)
    if found is None:
        layout.seat_class(owner, seats)
        return False
    layout.seat_class(owner, found)
    assert layout.total < before, "a re-laying is only taken when it pays"
    return True


def best_seats(layout: Layout, owner: ClassTable, freedom: Freedom, *, limit: int) -> list[Seat | None] | None:
    """The cheapest seats of a class that is lifted, or None when nothing costs less than `limit`."""
    return _Relaying(layout, owner, freedom, limit).solve()


class _Relaying:
    def __init__(self, layout: Layout, owner: ClassTable, freedom: Freedom, limit: int) -> None:
        self.layout = layout
        self.owner = owner
        self.freedom = freedom
        self.limit = limit
        self.items = owner.items
        self.pins = owner.pin_blocks
        self.days = sorted({day for segment in owner.constants.segments for day in segment.masks})
        self.single = owner.constants.segments[0] if len(owner.constants.segments) == 1 else None
        self.rest = self._rest()

    def _rest(self) -> list[int]:
        """A lower bound of what the items from i on cost, wherever they go."""
        fillers = self.owner.task_class.allow_filler_course
        least = [0 if fillers else item.length * item.length for item in reversed(self.items)]
        return list(accumulate(least, initial=0))[::-1]

    def solve(self) -> list[Seat | None] | None:
        still: Front = {0: (0, None)}
        carried: Front = {}
        previous = -1
        day_set = set(self.days)
        for day in self.days:
            if day != previous + 1:
                still, carried = self._after_gap(still, carried, day)
            if self.freedom.leave_out:
                self._leave_out(still)
                self._leave_out(carried)
            beside_pin = day + 1 in self.pins and day + 1 not in day_set and day not in self.pins
            still, carried = self._day(still, carried, day, self.owner.apart if beside_pin else 0)
            previous = day
            if not still and not carried:
                return None
        if self.freedom.leave_out:
            self._leave_out(still)
            self._leave_out(carried)
        ends = [front[len(self.items)] for front in (still, carried) if len(self.items) in front]
        if not ends:
            return None
        cost, chain = min(ends, key=lambda end: end[0])
        return self._seats(chain) if cost < self.limit else None

    def _after_gap(self, still: Front, carried: Front, day: int) -> tuple[Front, Front]:
        merged = _cheaper(still, carried, 0)
        return ({}, merged) if self.owner.apart and day - 1 in self.pins else (merged, {})

    def _leave_out(self, front: Front) -> None:
        for i, item in enumerate(self.items):
            if i in front:
                cost = front[i][0] + item.unplaced
                if cost < self.limit and (i + 1 not in front or cost < front[i + 1][0]):
                    front[i + 1] = (cost, (front[i][1], 0, ()))

    def _day(self, still: Front, carried: Front, day: int, beside_pin: int) -> tuple[Front, Front]:
        apart = self.owner.apart
        pinned = self.pins.get(day, 0)
        charge = 0 if pinned and day - 1 in self.pins else apart
        entering = _cheaper(still, carried, charge) if apart else still
        quiet = entering if pinned else (_cheaper(still, carried, 0) if apart else still)
        new_still: Front = {}
        new_carried: Front = {}
        resting = new_carried if apart and pinned else new_still
        seated = new_carried if apart else new_still
        last = len(self.items)
        windows, leave_out = self.freedom.windows, self.freedom.leave_out
        for i, (cost, chain) in quiet.items():
            if leave_out or i == last or windows[i][1] > day:
                resting[i] = (cost, chain)
        for i, (cost, chain) in entering.items():
            if i < last and windows[i][0] <= day and cost + self._least(i, day) < self.limit:
                self._seat(seated, i, (cost + beside_pin, chain), day)
        return new_still, new_carried

    def _least(self, i: int, day: int) -> int:
        if self.single is not None and not self.owner.steady:
            item = self.items[i]
            return self.rest[i] + (len(self.items) - i) * self.owner.target(item, day, 1)
        return self.rest[i]

    def _seat(self, front: Front, i: int, state: tuple[int, Chain | None], day: int) -> None:
        """Extend a state by one, two ... items on this day."""
        owner, windows = self.owner, self.freedom.windows
        pinned = self.pins.get(day, 0)
        cost, chain = state
        key = self.layout.keys[day]
        lists: tuple[SpotList, ...] = ()
        rows: tuple[list[int], ...] = ()
        blocks = pinned
        crowd = owner.crowd(pinned)
        for j in range(i, min(len(self.items), i + self.freedom.a_day)):
            item = self.items[j]
            spots = owner.spots(item.segment, item.length, day)
            if spots is None or not windows[j][0] <= day <= windows[j][1]:
                return
            lists = (*lists, spots)
            rows = (*rows, item.row(day))
            blocks += item.blocks
            base = cost + owner.crowd(blocks) - crowd
            known = front.get(j + 1)
            limit = min(self.limit - self.rest[j + 1], known[0] if known else NEVER)
            ways = arrangements(lists, key)
            if not ways:
                return
            found = cheapest(ways, rows, limit - base)
            if found is not None:
                front[j + 1] = (base + found[0], (chain, day, found[1]))

    def _seats(self, chain: Chain | None) -> list[Seat | None]:
        seats: list[Seat | None] = []
        while chain is not None:
            chain, day, spots = chain
            seats += [None] if day == 0 else [(day, spot) for spot in reversed(spots)]
        return seats[::-1]


def cheapest(
    ways: list[tuple[int, tuple[Spot, ...]]], rows: tuple[list[int], ...], limit: int
) -> tuple[int, tuple[Spot, ...]] | None:
    """The arrangement with the least cost including the items' own rows, if below the limit."""
    best, found = limit, None
    if len(rows) == 1:
        row = rows[0]
        for cost, spots in ways:
            if cost >= best:
                break
            total = cost + row[spots[0].first]
            if total < best:
                best, found = total, spots
    else:
        for cost, spots in ways:
            if cost >= best:
                break
            total = cost + sum(row[spot.first] for row, spot in zip(rows, spots, strict=True))
            if total < best:
                best, found = total, spots
    return None if found is None else (best, found)


def _cheaper(one: Front, other: Front, extra: int) -> Front:
    """State by state the cheaper of one and other + extra, in ascending order of items."""
    if not other:
        return one
    if not one:
        return {i: (cost + extra, chain) for i, (cost, chain) in other.items()} if extra else other
    merged = dict(one)
    for i, (cost, chain) in other.items():
        if i not in merged or cost + extra < merged[i][0]:
            merged[i] = (cost + extra, chain)
    return {i: merged[i] for i in sorted(merged)}
