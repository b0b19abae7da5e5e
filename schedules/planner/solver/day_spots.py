"""The kinds of days, the spots of a class on them, and the ways to seat several of its items there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from schedules.planner.cost.day_terms import buffer_cost, load_cost

if TYPE_CHECKING:
    from schedules.planner.solver.tables import Tables

ARRANGEMENTS_MAX = 24
"""How many arrangements of several items of a class on one day are extended by the next item."""


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


Arrangement = tuple[int, tuple[DaySpot, ...]]
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
        self._load = [load_cost(n, owned.bit_count()) for n in range(tables.sections + 1)]
        self._costs: dict[int, int] = {}
        self._blocked: dict[int, int] = {}
        self.arrangements: dict[tuple[int, ...], list[Arrangement]] = {}

    def count_effort(self, steps: int) -> None:
        self._tables.effort += steps

    def cost(self, key: int) -> int:
        """Returns the parts that look at a whole day, for a day with this key."""
        found = self._costs.get(key)
        if found is None:
            found = self._costs[key] = self._cost(key)
        return found

    def _cost(self, key: int) -> int:
        tables = self._tables
        covered = tables.covered(key)
        own = (covered & ~self.owned).bit_count()
        total = self._load[own] + buffer_cost(own, (self.usable & ~covered).bit_count())
        total += tables.day_wish[covered.bit_count()]
        for shift, mask in tables.part_slices:
            part = (key >> shift) & mask
            if part:
                total += tables.part_cost(part)
        return total

    def blocked(self, key: int) -> int:
        """Returns cells that no further item can claim."""
        found = self._blocked.get(key)
        if found is None:
            covered = self._tables.covered(key)
            found = self.closed | covered
            for host in self.hosts:
                if host & covered:
                    found |= host
            self._blocked[key] = found
        return found


class SpotList:
    """Holds the legal places of one class and item length on a kind of day, in time order."""

    def __init__(self, kind: DayKind, number: int, spots: tuple[DaySpot, ...]) -> None:
        self.kind = kind
        self.number = number
        self.spots = spots
        self._singles: dict[int, list[Arrangement]] = {}
        self.by_first = {spot.first: spot for spot in spots}

    def singles(self, key: int) -> list[Arrangement]:
        """Returns the one-item arrangements on a day with this key, cheapest first."""
        found = self._singles.get(key)
        if found is None:
            blocked, before, cost = self.kind.blocked(key), self.kind.cost(key), self.kind.cost
            found = [(cost(key + s.add) - before + s.fit, (s,)) for s in self.spots if not s.claim & blocked]
            found.sort(key=_arrangement_order)
            self._singles[key] = found
        return found


def _arrangement_order(arrangement: Arrangement) -> tuple[int, tuple[int, ...]]:
    return arrangement[0], tuple(spot.first for spot in arrangement[1])


def arrangements(lists: tuple[SpotList, ...], key: int) -> list[Arrangement]:
    """Lists ways to put several items of a class on one day in order, cheapest first; of three or more not all."""
    if len(lists) == 1:
        return lists[0].singles(key)
    kind = lists[0].kind
    name = (key, *(one.number for one in lists))
    found = kind.arrangements.get(name)
    if found is None:
        found = kind.arrangements[name] = _extend(lists, key)
    return found


def _extend(lists: tuple[SpotList, ...], key: int) -> list[Arrangement]:
    kind = lists[0].kind
    heads = arrangements(lists[:-1], key)
    most = ARRANGEMENTS_MAX if len(lists) <= 3 else ARRANGEMENTS_MAX // 4
    if len(heads) > most:
        tightest = min(heads, key=lambda one: one[1][-1].last)
        heads = [*heads[:most], tightest]
    before = kind.cost(key)
    found: list[Arrangement] = []
    for _, head in heads:
        key_then = key + sum(spot.add for spot in head)
        fit = sum(spot.fit for spot in head)
        blocked, last = kind.blocked(key_then), head[-1].last
        for spot in lists[-1].spots:
            if spot.first > last and not spot.claim & blocked:
                found.append((kind.cost(key_then + spot.add) - before + fit + spot.fit, (*head, spot)))
    kind.count_effort(len(heads) + len(found))
    found.sort(key=_arrangement_order)
    return found


def cheapest(ways: list[Arrangement], rows: tuple[list[int], ...], limit: int, least: int) -> Arrangement | None:
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
        return None if found is None else (best, found)
    for cost, spots in ways:
        if cost + least >= best:
            break
        total = cost + sum([row[spot.first] for row, spot in zip(rows, spots, strict=True)])
        if total < best:
            best, found = total, spots
    return None if found is None else (best, found)
