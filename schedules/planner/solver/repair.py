"""Seating what has no place by pushing others on: fewest of them first, then the least cost.

An item may take any legal place of its class. Whoever stands there, and each sibling it would overtake, is pushed off
and must find another place in turn. What was pushed once may be pushed again at no price, for it has moved already.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from schedules.planner.cost.constants import AFTER_ALL, BEFORE_ALL
from schedules.planner.grid import Cell
from schedules.planner.solver.class_tables import NEVER, ROOM_FOR_RELIEF, ItemTable
from schedules.planner.solver.construct import construct_class
from schedules.planner.solver.layout import Layout, Seat
from schedules.planner.solver.moves import best_seat, free_bounds, relocate

ALONE_STEPS, JOINT_STEPS = 30_000, 30_000
"""Spots looked at while items are seated one by one, and while all of them are seated together."""
EACH_STEPS = 4_000
"""... and for one item at most."""
TAKE_STEPS = 4
"""What trying a seat counts, in spots looked at."""
TOGETHER = 10
"""So many waiting items at most are seated together."""
PUSHES = 3
"""Items that make room for one that must only be seated somewhere."""
DETOUR = 2
"""Pushes at no price that a chain may add to those that count as moves."""
LOOKED_AT = 4
"""Waiting items whose places are compared before the tightest of them is seated."""
POLISHES = 4

Key = tuple[int, int, int, int]
"""Sections left over that had a place, sections left over that had none, moves, cost: smaller is better."""


@dataclass(frozen=True, slots=True)
class RepairOption:
    """Holds a seat and who is pushed off by it; `price` counts those that have not moved yet."""

    price: int
    estimate: int
    day: int
    seat: Seat
    pushed: tuple[ItemTable, ...]

    @property
    def sort_key(self) -> tuple[int, int, int, int]:
        return self.price, self.estimate, self.day, self.seat[1].first


class Repair:
    """Holds seats the `broken` items, which lost a place, and the `fresh` ones of a layout with at most `most` moves.

    A move is an item with a place that gets another one; seating a broken item is one, a fresh item none. Items that
    stand never lose their place for good.
    """

    def __init__(self, layout: Layout, *, broken: Iterable[ItemTable], fresh: Iterable[ItemTable], most: int) -> None:
        self.layout = layout
        self.homes = layout.snapshot()
        self.broken = {item.number: item for item in broken}
        self.fresh = {item.number: item for item in fresh}
        self.most = min(most, len(layout.tables.items))
        self.moved: set[int] = set()
        self._fixed: set[int] = set()
        self._on_day: dict[int, list[ItemTable]] = {}
        self._steps, self._pool = 0, ALONE_STEPS
        self._limit = self._pushes = self.most
        self._left_out: dict[int, ItemTable] = {}
        self._best: tuple[Key, list[Seat | None], frozenset[int]] | None = None

    def run(self, *, share: int = 1) -> Key:
        """Repairs the layout and returns how good it is; `share` divides the effort."""
        self._note_days()
        self._one_by_one(ALONE_STEPS // share)
        self._return_and_relocate()
        self._all_together(JOINT_STEPS // share)
        self._return_and_relocate()
        self._seat_open(self.broken.values())
        return self.key

    def push_in(self, items: Iterable[ItemTable]) -> None:
        """Seats further fresh items wherever others can be pushed on; their cost does not matter."""
        for item in items:
            self.fresh[item.number] = item
            if self.layout.seats[item.number] is None and self._pool > 0:
                self._pushes = PUSHES
                self._pool -= self._search([item], limit=self.most, steps=EACH_STEPS)

    @property
    def key(self) -> Key:
        return (*self._count_missing(), len(self.moved), self.layout.total)

    def _count_missing(self) -> tuple[int, int]:
        seats = self.layout.seats
        broken, fresh = (
            sum(item.length for item in items.values() if seats[item.number] is None)
            for items in (self.broken, self.fresh)
        )
        return broken, fresh

    def _list_waiting(self) -> list[ItemTable]:
        """Returns items without a seat, those that had a place first."""
        items = (*self.broken.values(), *self.fresh.values())
        return [item for item in items if self.layout.seats[item.number] is None]

    def _note_days(self) -> None:
        self._on_day = {}
        for item, seat in zip(self.layout.tables.items, self.layout.seats, strict=True):
            if seat is not None:
                self._on_day.setdefault(seat[0], []).append(item)

    def _one_by_one(self, steps: int) -> None:
        """Seats whoever needs to push the fewest first; lays out a class that is wholly fresh at once."""
        self._seat_open(self.broken.values())
        for owner in self.layout.tables.classes:
            if owner.items and all(item.number in self.fresh for item in owner.items):
                construct_class(self.layout, owner)
        self._seat_open(self.fresh.values())
        for pushed in range(self.most + 1):
            for item in self._list_waiting():
                if steps <= 0:
                    return
                limit = len(self.moved) + self._own_price(item) + pushed
                if limit <= self.most:
                    self._pushes = pushed + DETOUR
                    steps -= self._search([item], limit=limit, steps=min(steps, EACH_STEPS))

    def _seat_open(self, items: Iterable[ItemTable]) -> None:
        """Takes the cheapest seats that push nobody off."""
        for item in items:
            if self.layout.seats[item.number] is None and len(self.moved) + self._own_price(item) <= self.most:
                found = best_seat(self.layout, item, item.unplaced)
                if found is not None:
                    self.layout.put(item, *found[1])
                    self.moved |= {item.number} & self.broken.keys()

    def _all_together(self, steps: int) -> None:
        """Searches from the start for something better than one by one; what does not fit is left out."""
        if len(self.broken) + len(self.fresh) > TOGETHER:
            return
        found = self.key, self.layout.snapshot(), frozenset(self.moved)
        self.layout.restore(self.homes)
        self.moved = set()
        self._left_out = {**self.broken, **self.fresh}
        self._pushes = self.most
        self._search(self._list_waiting(), limit=self.most, steps=steps, known=found)

    def _search(
        self,
        queue: Sequence[ItemTable],
        *,
        limit: int,
        steps: int,
        known: tuple[Key, list[Seat | None], frozenset[int]] | None = None,
    ) -> int:
        """Seats the queue as well as can be and keeps it so; returns the steps taken."""
        self._note_days()
        self._best, self._limit, self._steps, self._fixed = known, limit, steps, set()
        self._search_queue(list(queue), self._missing_but(queue))
        if self._best is not None:
            self.layout.restore(self._best[1])
            self.moved = set(self._best[2])
        self._note_days()
        return steps - self._steps

    def _missing_but(self, queue: Sequence[ItemTable]) -> tuple[int, int]:
        broken, fresh = self._count_missing()
        for item in queue:
            broken -= item.length if item.number in self.broken else 0
            fresh -= item.length if item.number in self.fresh else 0
        return broken, fresh

    def _own_price(self, item: ItemTable) -> int:
        return int(item.number in self.broken and item.number not in self.moved)

    def _price(self, item: ItemTable) -> int:
        """Returns what pushing a seated item off costs."""
        return int(item.number not in self.moved and item.number not in self.fresh)

    def _search_queue(self, queue: list[ItemTable], missing: tuple[int, int]) -> None:
        least = self._least(queue, missing)
        if self._steps <= 0 or self._is_beaten(least):
            return
        if not queue:
            self._best = (*missing, len(self.moved), self.layout.total), self.layout.snapshot(), frozenset(self.moved)
            return
        item, options = self._tightest(queue)
        rest = [one for one in queue if one is not item]
        for option in options:
            if not self._is_beaten(self._least_with(option, least)):
                self._take(item, option, rest, missing)
        if item.number in self._left_out and item.number not in self._fixed:
            broken = item.number in self.broken
            self._search_queue(rest, (missing[0] + item.length * broken, missing[1] + item.length * (not broken)))

    def _take(self, item: ItemTable, option: RepairOption, rest: list[ItemTable], missing: tuple[int, int]) -> None:
        """Goes on with the item seated, then put everything back."""
        seats = [self.layout.seats[one.number] for one in option.pushed]
        fresh_moves = {one.number for one in option.pushed if self._price(one)}
        fresh_moves |= {item.number} if self._own_price(item) else set()
        self._steps -= TAKE_STEPS
        self._pushes -= len(option.pushed)
        for one in option.pushed:
            self._lift(one)
        self._put(item, option.seat)
        self._fixed.add(item.number)
        self.moved |= fresh_moves
        self._search_queue([*rest, *option.pushed], missing)
        self.moved -= fresh_moves
        self._pushes += len(option.pushed)
        self._fixed.discard(item.number)
        self._lift(item)
        for one, seat in zip(option.pushed, seats, strict=True):
            assert seat is not None, "it was pushed off a seat"
            self._put(one, seat)

    def _least(self, queue: list[ItemTable], missing: tuple[int, int]) -> Key:
        """Bounds every way to seat the queue: only a single section can lower the cost of a day."""
        moves = len(self.moved) + sum(self._own_price(item) for item in queue)
        total = self.layout.total - sum(item.unplaced for item in queue)
        return (*missing, moves, total - ROOM_FOR_RELIEF * sum(item.length == 1 for item in queue))

    def _least_with(self, option: RepairOption, least: Key) -> Key:
        """Bounds a queue whose first seat is this option; what pushing saves is not known."""
        total = least[3] + option.estimate if not option.pushed else -NEVER
        return least[0], least[1], least[2] + option.price, total

    def _is_beaten(self, key: Key) -> bool:
        return self._best is not None and self._best[0] <= key

    def _tightest(self, queue: list[ItemTable]) -> tuple[ItemTable, list[RepairOption]]:
        found: tuple[ItemTable, list[RepairOption]] | None = None
        for item in queue[:LOOKED_AT]:
            options = self._options(item)
            if found is None or len(options) < len(found[1]):
                found = item, options
            if not options and item.number not in self._left_out:
                break
        assert found is not None, "the queue is not empty"
        found[1].sort(key=lambda option: option.sort_key)
        return found

    def _options(self, item: ItemTable) -> list[RepairOption]:
        """Returns every spot of the item that pushes off no more than the moves allow."""
        spare = self._limit - len(self.moved) - self._own_price(item)
        if spare < 0:
            return []
        low, lower = self._siblings(item, -1, spare)
        high, higher = self._siblings(item, 1, spare)
        found: list[RepairOption] = []
        for day in item.segment.masks:
            if day < low[0]:
                continue
            if day > high[0]:
                break
            overtaken = [one for one, _, end in lower if end[0] >= day]
            overtaken += [one for one, begin, _ in higher if begin[0] <= day]
            found += self._options_on(item, day, (low, high), overtaken, spare)
        return found

    def _options_on(
        self, item: ItemTable, day: int, walls: tuple[Cell, Cell], near: list[ItemTable], spare: int
    ) -> Iterator[RepairOption]:
        layout, owner = self.layout, item.owner
        spots = owner.spots(item.segment, item.length, day)
        if spots is None:
            return
        self._steps -= len(spots.spots)
        key, kind, row = layout.keys[day], layout.kinds[day], item.row(day)
        blocked, beside = kind.blocked(key), layout.crowd_delta(owner, day, item.blocks)
        for spot in spots.spots:
            if not (walls[0] < (day, spot.first) and (day, spot.last) < walls[1]):
                continue
            estimate = row[spot.first] + spot.fit + beside
            pushed = [one for one in near if self._breaks_order(item, one, day, spot.first, spot.last)]
            if spot.claim & blocked:
                pushed += [one for one in self._in_the_way(day, spot.claim) if one not in pushed]
            else:
                estimate += kind.cost(key + spot.add) - kind.cost(key)
            price = sum(self._price(one) for one in pushed)
            if price > spare or len(pushed) > self._pushes:
                continue
            if not any(one.number in self._fixed for one in pushed):
                yield RepairOption(price, estimate, day, (day, spot), tuple(pushed))

    def _in_the_way(self, day: int, claim: int) -> Iterator[ItemTable]:
        for other in self._on_day.get(day, ()):
            seat = self.layout.seats[other.number]
            if seat is not None and seat[1].claim & claim:
                yield other

    def _breaks_order(self, item: ItemTable, other: ItemTable, day: int, first: int, last: int) -> bool:
        seat = self.layout.seats[other.number]
        assert seat is not None, "only seated siblings are overtaken"
        if other.number < item.number:
            return (seat[0], seat[1].last) >= (day, first)
        return (seat[0], seat[1].first) <= (day, last)

    def _siblings(self, item: ItemTable, step: int, spare: int) -> tuple[Cell, list[tuple[ItemTable, Cell, Cell]]]:
        """Finds the cell that the item cannot pass in a direction, and (sibling, begin, end) of those it may pass."""
        passed: list[tuple[ItemTable, Cell, Cell]] = []
        siblings = item.owner.items
        index = item.number - siblings[0].number + step
        while 0 <= index < len(siblings):
            other = siblings[index]
            seat = self.layout.seats[other.number]
            if seat is not None:
                begin, end = (seat[0], seat[1].first), (seat[0], seat[1].last)
                spare -= self._price(other)
                if spare < 0 or other.number in self._fixed:
                    return (end if step < 0 else begin), passed
                passed.append((other, begin, end))
            index += step
        return (BEFORE_ALL if step < 0 else AFTER_ALL), passed

    def _put(self, item: ItemTable, seat: Seat) -> None:
        self.layout.put(item, *seat)
        self._on_day.setdefault(seat[0], []).append(item)

    def _lift(self, item: ItemTable) -> None:
        seat = self.layout.seats[item.number]
        assert seat is not None, "the item has a seat"
        self.layout.lift(item)
        self._on_day[seat[0]].remove(item)

    def _return_and_relocate(self) -> None:
        """Returns what could stand where it stood; gives what has moved anyway its best seat."""
        layout, items = self.layout, self.layout.tables.items
        for number in sorted(self.moved - self.broken.keys()):
            self._return(items[number])
        self.moved = {number for number in self.moved if layout.seats[number] != self.homes[number]}
        for _ in range(POLISHES):
            before = layout.total
            for item in items:
                if item.number in self.fresh or item.number in self.moved:
                    relocate(layout, item)
            if layout.total == before:
                return

    def _return(self, item: ItemTable) -> None:
        home, seat = self.homes[item.number], self.layout.seats[item.number]
        assert home is not None, "it was pushed off its seat"
        assert seat is not None, "it found another seat"
        self.layout.lift(item)
        low, high = free_bounds(self.layout, item)
        fits = self.layout.is_open(*home) and low < (home[0], home[1].first) and (home[0], home[1].last) < high
        self.layout.put(item, *(home if fits else seat))
