"""Items and classes as the search sees them: what an item costs where, its legal places, and the ways to seat several.

What depends on one item alone (target, fit, slack, wishes) stands here; what looks at a whole day in `tables`.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from schedules.planner.cost.constants import ClassConstants, Segment, mask_of
from schedules.planner.cost.day_terms import cluster_cost, heavy_adjacent_cost
from schedules.planner.cost.item_terms import fit_cost, rapid_cost, slack_cost, spread_cost, unplaced_cost
from schedules.planner.cost.weights import WEIGHTS
from schedules.planner.cost.wish_term import blocks_wanted, crowd_cost, limits_of_items, place_cost
from schedules.planner.grid import Place
from schedules.planner.problem import PlanClass, PlanItem
from schedules.planner.solver.day_spots import DayKind, DaySpot, Memo, SpotChain, SpotList, cheapest

if TYPE_CHECKING:
    from schedules.planner.solver.tables import Tables

ROOM_FOR_RELIEF = heavy_adjacent_cost(1)
"""The most an item can lower the day parts: a single section that parts two high classes."""
OPTIONS_KEPT = 8_000
"""Entries of a memo of options before it starts anew."""
NEVER = 10**15
OPTION_EFFORT = 10
"""What finding one option counts in `Tables.effort`, in units of one step of a search."""


Gaps = tuple[int, ...]
"""The indices of items that are left out, among those that an option counts."""

DayOption = tuple[int, SpotChain, tuple[list[int], ...], int, tuple[DaySpot, ...], Gaps]
"""A way to seat the next items of a class on a day: (what its arrangement costs, their chain, their rows, what those
add at least, the best spots, gaps).

The arrangement costs all that changes but cluster and what is left out, which are the same for all arrangements. A
tuple, for very many are made, and an object takes ten times as long.
"""


def seats_on(day: int, spots: tuple[DaySpot, ...], gaps: Gaps) -> list[tuple[int, DaySpot] | None]:
    """Returns one seat per item of an option, None for those in the gaps."""
    seats: list[tuple[int, DaySpot] | None] = [(day, spot) for spot in spots]
    for gap in gaps:
        seats.insert(gap, None)
    return seats


Offer = tuple[SpotList, list[int], int]
"""The legal places of an item on a day, its costs by first section, and the least of these."""

PricedOption = tuple[int, int, DayOption]
"""(all that changes but the neighbouring days, number of items, option)."""


class OptionMemo(dict[int, list[PricedOption]]):
    """Keeps the options of a class on a day by the index of the first item, found when they are asked for."""

    __slots__ = ("_owner", "_where")

    def __init__(self, owner: ClassTable, where: tuple[int, int, int, bool]) -> None:
        self._owner = owner
        self._where = where

    def __missing__(self, index: int) -> list[PricedOption]:
        found = self[index] = self._owner.find_options(index, *self._where)
        return found


class ItemTable:
    """Holds a free item as the search sees it; `number` counts free items in canonical order."""

    def __init__(self, number: int, owner: ClassTable, item: PlanItem, segment: Segment, index: int) -> None:
        self.number = number
        self.owner = owner
        self.item = item
        self.length = item.duration
        self.blocks = item.blocks
        self.segment = segment
        self.goal = segment.targets[index]
        self.unplaced = unplaced_cost(item, owner.behind[item.id])
        self._rows: dict[int, list[int]] = {}
        self.offer = Memo(self._offer).__getitem__
        """The legal places of the item on a day with what it costs there; None when there are none at all."""

    def row(self, day: int) -> list[int]:
        """Returns target, slack and wishes of the item by first section on a day with cells of its segment."""
        found = self._rows.get(day)
        if found is None:
            owner, segment, goal = self.owner, self.segment, self.goal
            if owner.steady:
                slack, costs = owner.slack(day), owner.gap_costs(segment)
                found = [costs[abs(position - goal)] + slack for position in segment.positions(day)]
            else:
                found = owner.rapid_row(segment, day)
            if owner.limits:
                found = [cost + owner.wish(Place(day, first, self.length)) for first, cost in enumerate(found)]
            self._rows[day] = found
        return found

    def _offer(self, day: int) -> Offer | None:
        spots = self.owner.spots(self.segment, self.length, day)
        if spots is None:
            return None
        row = self.row(day)
        return spots, row, min(row)

    def own_cost(self, day: int, first: int) -> int:
        """Returns target, slack and wishes of the item at a place."""
        row = self._rows.get(day)
        if row is not None and first < len(row):
            return row[first]
        own = self.owner.target(self, day, first) + self.owner.slack(day)
        return own + self.owner.wish(Place(day, first, self.length)) if self.owner.limits else own


class ClassTable:
    """Holds a class as the search sees it; `code` is its number in day keys."""

    def __init__(self, tables: Tables, index: int, constants: ClassConstants) -> None:
        self.tables = tables
        self.index = index
        self.code = index + 1
        self.constants = constants
        self.task_class: PlanClass = constants.task_class
        self.apart = WEIGHTS["cluster_adjacent"] if constants.apart else 0
        self.steady = self.task_class.rules.steady
        self.items: list[ItemTable] = []
        self.behind = {item.id: index for index, item in enumerate(reversed(self.task_class.items))}
        self.pin_blocks: dict[int, int] = {}
        for item in self.task_class.items:
            if item.pinned is not None:
                self.pin_blocks[item.pinned.day] = self.pin_blocks.get(item.pinned.day, 0) + item.blocks
        self.limits = limits_of_items(tables.problem, self.task_class)
        self._wanted = blocks_wanted(tables.problem, self.task_class.id)
        self.crowd = Memo(self._crowd_cost).__getitem__
        """Cost of so many blocks of the class on one day."""
        self._gap_costs: dict[int, list[int]] = {}
        self._ranks: dict[int, dict[int, int]] = {}
        self._windows: dict[tuple[int, int], tuple[int, int]] = {}
        self._rapid_rows: dict[tuple[int, int], list[int]] = {}
        self._days: dict[int, tuple[list[int], list[int]]] = {}
        self._spots: dict[tuple[int, int, int], SpotList] = {}
        self._options: dict[tuple[int, int, int, bool], OptionMemo] = {}

    def _crowd_cost(self, blocks: int) -> int:
        return cluster_cost(blocks - self.constants.allow) + crowd_cost(2 * blocks, self._wanted)

    def wish(self, place: Place) -> int:
        """Returns what the student's wishes charge for a free item of the class at a place."""
        return place_cost(self.tables.problem, self.task_class, self.limits, place)

    def slack(self, day: int) -> int:
        return slack_cost(self.constants.depth(day))

    def target(self, item: ItemTable, day: int, first: int) -> int:
        segment = item.segment
        if not self.steady:
            return rapid_cost(segment, self.rank(segment, day))
        if segment.capacity == 0:
            return 0
        return self.gap_costs(segment)[abs(segment.position((day, first)) - item.goal)]

    def rapid_row(self, segment: Segment, day: int) -> list[int]:
        """Returns target and slack by first section, the same for all items of a segment of a rapid class."""
        found = self._rapid_rows.get((id(segment), day))
        if found is None:
            cost = rapid_cost(segment, self.rank(segment, day)) + self.slack(day)
            found = self._rapid_rows[id(segment), day] = [cost] * len(segment.positions(day))
        return found

    def rank(self, segment: Segment, day: int) -> int:
        """Returns how many days of the segment lie before a day."""
        ranks = self._ranks.get(id(segment))
        if ranks is None:
            ranks = self._ranks[id(segment)] = {one: index for index, one in enumerate(segment.masks)}
        found = ranks.get(day)
        return segment.days_before(day) if found is None else found

    def gap_costs(self, segment: Segment) -> list[int]:
        """Returns the steady cost by distance from the target in cells."""
        found = self._gap_costs.get(id(segment))
        if found is None:
            size = sum(mask.bit_count() for mask in segment.masks.values())
            reach = max(size, segment.capacity) + 1
            found = self._gap_costs[id(segment)] = [spread_cost(segment, gap) for gap in range(reach)]
        return found

    def window(self, item: ItemTable, cost: int) -> tuple[int, int]:
        """Returns first and last day on which the target part of a steady item may cost at most `cost`."""
        found = self._windows.get((item.number, cost))
        if found is None:
            found = self._windows[item.number, cost] = self._window(item, cost)
        return found

    def _window(self, item: ItemTable, cost: int) -> tuple[int, int]:
        reach = bisect_right(self.gap_costs(item.segment), cost)
        days, starts = self._days_of(item.segment)
        low = max(0, bisect_right(starts, item.goal - reach) - 1)
        high = max(low, bisect_right(starts, item.goal + reach) - 1)
        return days[low], days[high]

    def days_around(self, segment: Segment, day: int, *, ahead: int, behind: int) -> tuple[int, int]:
        """Returns the days so many of the segment's days before and behind one of them."""
        days, _ = self._days_of(segment)
        rank = self.rank(segment, day)
        return days[max(0, rank - ahead)], days[min(len(days) - 1, rank + behind)]

    def days_between(self, segment: Segment, first: int, last: int) -> list[int]:
        """Returns the days of a segment from one day to another."""
        days, _ = self._days_of(segment)
        return days[bisect_left(days, first) : bisect_right(days, last)]

    def _days_of(self, segment: Segment) -> tuple[list[int], list[int]]:
        """Returns the days of a segment, and how many of its cells lie before each of them."""
        found = self._days.get(id(segment))
        if found is None:
            days = list(segment.masks)
            found = self._days[id(segment)] = days, [segment.positions(day)[0] for day in days]
        return found

    @cached_property
    def day_range(self) -> range:
        """Returns the days from the first on which a free item may be to one past the last."""
        days = [day for segment in self.constants.segments for day in segment.masks]
        return range(min(days), max(days) + 2) if days else range(1, 1)

    @property
    def usual_count(self) -> int:
        """Returns items a day that are worth considering while there is room: two, of a rapid class one above the
        allowance."""
        return max(2, self.constants.allow + (0 if self.steady else 1))

    def options_on(self, day: int, key: int, *, most: int, gaps: bool) -> Callable[[int], list[PricedOption]]:
        """Maps index of an item -> ways to seat it and up to `most` next ones on a day with this key, the class lifted.

        With `gaps` one or two items between seated ones may be left out.
        """
        name = (day, key, most, gaps)
        known = self._options.get(name)
        if known is None:
            if len(self._options) > OPTIONS_KEPT:
                self._options.clear()
            known = self._options[name] = OptionMemo(self, name)
        return known.__getitem__

    def find_options(self, index: int, day: int, key: int, most: int, gaps: bool) -> list[PricedOption]:
        following = self.items[index : index + most]
        found = self._find_options(following, day, key, ())
        for first in range(1, len(found) + 1) if gaps else ():
            with_gap = self._find_options(following, day, key, (first,))
            found += with_gap
            for second in range(first + 1, max((count for _, count, _ in with_gap), default=first) + 1):
                found += self._find_options(following, day, key, (first, second))
        self.tables.effort += OPTION_EFFORT * (len(found) + 1)
        return found

    def _find_options(
        self, following: list[ItemTable], day: int, key: int, gaps: tuple[int, ...]
    ) -> list[PricedOption]:
        found: list[PricedOption] = []
        blocks, crowd = self.pin_blocks.get(day, 0), self.crowd
        beside, least = -crowd(blocks), 0
        if gaps:
            beside += sum([following[gap].unplaced for gap in gaps if gap < len(following)])
        until = gaps[-1] if gaps else -1
        chain: SpotChain | None = None
        rows: tuple[list[int], ...] = ()
        for offset, item in enumerate(following):
            if offset in gaps:
                continue
            offer = item.offer(day)
            if offer is None:
                break
            spots, row, lowest = offer
            blocks += item.blocks
            least += lowest
            chain, rows = (chain.then(spots), (*rows, row)) if chain else (spots.alone, (row,))
            best = cheapest(chain.ways(key), rows, NEVER, least)
            if best is None:
                break
            if offset > until:
                option = best[0], chain, rows, least, best[1], gaps
                found.append((best[0] + beside + crowd(blocks), offset + 1, option))
        return found

    def spots(self, segment: Segment, length: int, day: int) -> SpotList | None:
        """Returns legal places of an item of a segment on a day; None when the day offers nothing at all."""
        mask = segment.masks.get(day)
        if not mask:
            return None
        kind = self.tables.kinds[day]
        name = (id(kind), mask, length)
        found = self._spots.get(name)
        if found is None:
            spots = tuple(self._legal_spots(kind, mask, length))
            found = self._spots[name] = SpotList(kind, self.tables.next_number(), spots)
        return found

    def _legal_spots(self, kind: DayKind, mask: int, length: int) -> Iterator[DaySpot]:
        tables = self.tables
        grid = tables.grid
        for first in range(1, tables.sections - length + 2):
            last = first + length - 1
            cells = ((1 << length) - 1) << first
            if (length >= 2 and first % 2 == 0) or cells & ~mask or grid.part_of(first) != grid.part_of(last):
                continue
            host = next((host for host in kind.hosts if host & cells), 0)
            if (host and cells & ~host) or (not host and cells & kind.owned):
                continue
            fit = fit_cost(tables.problem, self.task_class, Place(1, first, length), guest=bool(host))
            yield DaySpot(first, last, host or cells, tables.key_of(self.code, first, length), bool(host), fit)


def spot_at(item: ItemTable, place: Place) -> DaySpot:
    """Returns any place of an item as a spot, whether a planner would choose it or not."""
    owner = item.owner
    tables = owner.tables
    host = tables.problem.host_at(place)
    fit = fit_cost(tables.problem, owner.task_class, place, guest=host is not None)
    claim = mask_of(host.place if host else place)
    add = tables.key_of(owner.code, place.first, place.length)
    return DaySpot(place.first, place.last, claim, add, host is not None, fit)
