"""The kinds of days, the spots of a class on them, and the ways to seat several of its items there."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from operator import itemgetter
from typing import TYPE_CHECKING, Generic, TypeVar

from schedules.planner.cost.day_terms import buffer_cost, load_cost

if TYPE_CHECKING:
    from schedules.planner.solver.tables import Tables

ARRANGEMENTS_MAX = 24
"""How many arrangements of several items of a class on one day are extended by the next item."""


ORDER_BITS = 6
"""Bits that hold a section where arrangements are compared."""

Key = TypeVar("Key", bound=Hashable)
Found = TypeVar("Found")


class Memo(dict[Key, Found], Generic[Key, Found]):
    """Remembers what a function answers; its `__getitem__` is that function, asked once each."""

    def __init__(self, find: Callable[[Key], Found]) -> None:
        super().__init__()
        self._find = find

    def __missing__(self, key: Key) -> Found:
        found = self[key] = self._find(key)
        return found


@dataclass(frozen=True, slots=True)
class DaySpot:
    """Holds a legal place of one length on a kind of day.

    `add` is what it adds to the day's key, `claim` the cells it needs (all of the host when it is a guest).
    """

    first: int
    last: int
    claim: int
    add: int
    guest: bool
    fit: int


PricedSpots = tuple[int, tuple[DaySpot, ...]]
"""Cost of the day parts and of fit that the spots add to a day, and the spots in time order."""


class DayKind:
    """Holds days with the same lessons: masks of owned cells, usable cells and open hosts."""

    def __init__(self, tables: Tables, owned: int, usable: int, hosts: tuple[int, ...]) -> None:
        self.owned = owned
        self.usable = usable
        self.hosts = hosts
        self.closed = owned
        for host in hosts:
            self.closed &= ~host
        self._tables = tables
        self._slices, self._part, self._wish = tables.part_slices, tables.part, tables.day_wish
        counts = range(tables.sections + 1)
        load = [load_cost(own, owned.bit_count()) for own in counts]
        self._own = [[load[own] + buffer_cost(own, free) for free in counts] for own in counts]
        """Load and buffer by sections of own study on free cells and usable sections that are left."""
        self.cost = Memo(self._cost).__getitem__
        """The parts that look at a whole day, for a day with this key."""
        self.blocked = Memo(self._blocked).__getitem__
        """The cells of a day with this key that no further item can claim."""

    def count_effort(self, steps: int) -> None:
        self._tables.effort += steps

    def _cost(self, key: int) -> int:
        total = covered = 0
        for shift, mask, first in self._slices:
            part = (key >> shift) & mask
            if part:
                cost, cells = self._part(part)
                total += cost
                covered |= cells << first
        total += self._own[(covered & ~self.owned).bit_count()][(self.usable & ~covered).bit_count()]
        return total + self._wish[covered.bit_count()]

    def _blocked(self, key: int) -> int:
        covered = self._tables.find_covered(key)
        found = self.closed | covered
        for host in self.hosts:
            if host & covered:
                found |= host
        return found


class SpotList:
    """Holds the legal places of one class and item length on a kind of day, in time order."""

    def __init__(self, kind: DayKind, number: int, spots: tuple[DaySpot, ...]) -> None:
        self.kind = kind
        self.number = number
        self.spots = spots
        self.by_first = {spot.first: spot for spot in spots}
        self.singles = Memo(self._singles).__getitem__
        """The one-item arrangements on a day with this key, cheapest first."""
        self.alone = SpotChain(None, self)

    def _singles(self, key: int) -> list[PricedSpots]:
        blocked, cost = self.kind.blocked(key), self.kind.cost
        before = cost(key)
        found: list[PricedSpots] = [
            (cost(key + s.add) - before + s.fit, (s,)) for s in self.spots if not s.claim & blocked
        ]
        found.sort(key=_COST)  # stable: equals stay in time order
        return found


_COST = itemgetter(0)


class SpotChain:
    """Holds the legal places of several items of a class, in order, on one kind of day."""

    def __init__(self, before: SpotChain | None, last: SpotList) -> None:
        self.kind = last.kind
        self._before = before
        self._last = last
        self._count: int = before._count + 1 if before else 1
        self.then = Memo(self._then).__getitem__
        """The chain that the next item makes of this one, given its places."""
        self.ways: Callable[[int], list[PricedSpots]] = Memo(self._ways).__getitem__ if before else last.singles
        """Ways to seat the items on a day with this key, cheapest first; of three or more items not all."""

    def _then(self, spots: SpotList) -> SpotChain:
        return SpotChain(self, spots)

    def _ways(self, key: int) -> list[PricedSpots]:
        assert self._before is not None, "the ways of one item are the singles of its list"
        kind, spots = self.kind, self._last.spots
        heads = self._before.ways(key)
        most = ARRANGEMENTS_MAX if self._count <= 3 else ARRANGEMENTS_MAX // 4
        if len(heads) > most:
            tightest = min(heads, key=lambda one: one[1][-1].last)
            heads = [*heads[:most], tightest]
        cost, before = kind.cost, kind.cost(key)
        found: list[tuple[int, int, tuple[DaySpot, ...]]] = []
        for _, head in heads:
            key_then, beside, order = key, -before, 0
            for spot in head:
                key_then += spot.add
                beside += spot.fit
                order = order << ORDER_BITS | spot.first
            order <<= ORDER_BITS
            blocked, last = kind.blocked(key_then), head[-1].last
            for spot in spots:
                if spot.first > last and not spot.claim & blocked:
                    found.append((cost(key_then + spot.add) + beside + spot.fit, order | spot.first, (*head, spot)))
        kind.count_effort(len(heads) + len(found))
        found.sort()  # by cost, then in time order; no two have the same first sections
        return [(total, one) for total, _, one in found]


def cheapest(ways: list[PricedSpots], rows: tuple[list[int], ...], limit: int, least: int) -> PricedSpots | None:
    """Returns the arrangement with the least cost including the items' own rows, if below the limit.

    `least` is what the rows add at least.
    """
    best, found = limit, None
    if len(rows) == 1:
        row = rows[0]
        for cost, spots in ways:
            if cost + least >= best:
                break
            total = cost + row[spots[0].first]
            if total < best:
                best, found = total, spots
    elif len(rows) == 2:
        row, other = rows
        for cost, spots in ways:
            if cost + least >= best:
                break
            total = cost + row[spots[0].first] + other[spots[1].first]
            if total < best:
                best, found = total, spots
    else:
        for cost, spots in ways:
            if cost + least >= best:
                break
            total = cost + sum([row[spot.first] for row, spot in zip(rows, spots, strict=True)])
            if total < best:
                best, found = total, spots
    return None if found is None else (best, found)
