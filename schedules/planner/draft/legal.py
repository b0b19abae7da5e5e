"""All legal places of an item, fast: the placement rule over whole days as bit masks.

The same rule as `rules.broken_rules` in host mode `derive`, turned round: instead of judging one place it lists those
that no rule forbids. Tests hold the two against each other. Section s of a day is bit `1 << s`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from schedules.planner.class_rules import ClassRules
from schedules.planner.cost.constants import AFTER_ALL, BEFORE_ALL, mask_of
from schedules.planner.draft.state import Spot
from schedules.planner.grid import Cell, Grid, Place, block_of, week_and_weekday
from schedules.planner.rules.board import Board, PlacedItem
from schedules.planner.rules.placement import Situation, Subject

Bounds = tuple[Cell, Cell]
"""Strictly between these two cells lies the room that the siblings leave."""

Found = tuple[Place, int | None]
"""A legal place and the host event it is embedded in."""


@lru_cache(maxsize=256)
def starts_of(grid: Grid, length: int, planner: bool) -> tuple[tuple[int, int], ...]:
    """Lists (first section, mask) of every place of that length on a day; the planner keeps to blocks and day parts."""
    found = []
    for first in range(1, grid.sections - length + 2):
        aligned = length == 1 or first % 2 == 1
        one_part = grid.part_of(first) == grid.part_of(first + length - 1)
        if not planner or (aligned and one_part):
            found.append((first, mask_of(Place(1, first, length))))
    return tuple(found)


@lru_cache(maxsize=1024)
def _permitted_mask(grid: Grid, closed: tuple[int, ...]) -> int:
    """Returns the sections of a day outside the closed blocks."""
    return sum(1 << section for section in range(1, grid.sections + 1) if block_of(section) not in closed)


class FreeCells:
    """Holds the occupancy as masks per day. Mutable like `Board`: `put` and `lift` cost O(1)."""

    def __init__(self, board: Board, situation: Situation) -> None:
        self.grid = board.grid
        self.situation = situation
        days = board.grid.days + 1
        # An exam may lie over an item: its cells stay closed when the item is lifted.
        self._closed = [0] * days
        self._taken = [0] * days
        self._fillers = [0] * days
        self._hosts: dict[int, list[tuple[int, int]]] = {}
        self._guests: dict[int, int] = {}
        self._siblings: dict[int, dict[int, PlacedItem]] = {}
        for event in board.events():
            place = event.place
            mask = mask_of(place)
            if event.can_embed:
                self._fillers[place.day] |= mask
                self._hosts.setdefault(place.day, []).append((mask, event.id))
            else:
                self._closed[place.day] |= mask
        for item in board.items():
            self.put(item)

    def put(self, item: PlacedItem) -> None:
        self._siblings.setdefault(item.class_id, {})[item.item_id] = item
        if item.host_event_id is not None:
            self._guests[item.host_event_id] = item.item_id
        else:
            self._taken[item.place.day] |= mask_of(item.place)

    def lift(self, item: PlacedItem) -> None:
        del self._siblings[item.class_id][item.item_id]
        if item.host_event_id is not None:
            del self._guests[item.host_event_id]
        else:
            self._taken[item.place.day] &= ~mask_of(item.place)

    def item(self, class_id: int, item_id: int) -> PlacedItem:
        """Returns an item as it stands; KeyError when it does not."""
        return self._siblings[class_id][item_id]

    def bounds(self, subject: Subject) -> Bounds:
        """Returns the last cell of the siblings before it, the first cell of those after it."""
        low, high, rank = BEFORE_ALL, AFTER_ALL, subject.rank
        for sibling in self._siblings.get(subject.task_class.id, {}).values():
            if sibling.rank < rank:
                low = max(low, sibling.place.end_cell)
            elif sibling.rank > rank and (sibling.past_before is None or self.situation.now is None):
                high = min(high, sibling.place.cell)
        return low, high

    def days(self, subject: Subject, bounds: Bounds) -> range:
        """Returns the day numbers that the class, the window, now and the siblings leave."""
        rules, situation = subject.task_class.rules, self.situation
        first = max(1, rules.start_day or 1, bounds[0][0])
        last = min(self.grid.days, rules.end_day if rules.end_day is not None else self.grid.days, bounds[1][0])
        if situation.window is not None:
            first, last = max(first, situation.window[0]), min(last, situation.window[1])
        if situation.now is not None:
            first = max(first, situation.now[0])
        return range(first, last + 1)

    def on_day(self, subject: Subject, day: int, bounds: Bounds) -> Iterator[Found]:
        """Yields legal places of one day in order of their first section; `day` must be one of `days`."""
        open_mask = self._open(subject.task_class.rules, day, bounds)
        if not open_mask:
            return
        allowed = open_mask & ~self._taken[day] & ~self._closed[day]
        fillers = self._fillers[day]
        for first, mask in starts_of(self.grid, subject.length, self.situation.planner):
            if mask & ~allowed:
                continue
            if not mask & fillers:
                yield Place(day, first, subject.length), None
                continue
            host = self._free_host(day, mask) if subject.task_class.rules.allow_filler_course else None
            if host is not None:
                yield Place(day, first, subject.length), host

    def places(self, subject: Subject, days: Iterable[int] | None = None) -> Iterator[Found]:
        """Yields legal places in time order, of the given days only when they are named."""
        bounds = self.bounds(subject)
        possible = self.days(subject, bounds)
        for day in possible if days is None else (day for day in days if day in possible):
            yield from self.on_day(subject, day, bounds)

    def admits(self, subject: Subject, spot: Spot, bounds: Bounds) -> bool:
        """Tells whether every rule but occupation allows a place: what an exchange of equal lengths must still ask."""
        place = spot.place
        if not (bounds[0] < place.cell and place.end_cell < bounds[1]) or place.day not in self.days(subject, bounds):
            return False
        if spot.host_event_id is not None and not subject.task_class.rules.allow_filler_course:
            return False
        mask = mask_of(place)
        if mask & ~self._open(subject.task_class.rules, place.day, bounds):
            return False
        return (place.first, mask) in starts_of(self.grid, subject.length, self.situation.planner)

    def _open(self, rules: ClassRules, day: int, bounds: Bounds) -> int:
        """Returns the sections of a day that the class, now and the siblings leave."""
        weekday = week_and_weekday(day)[1]
        if weekday in rules.excluded_days_of_week or day in self.grid.closed_days:
            return 0
        cells = tuple(block for excluded, block in rules.excluded_cells if excluded == weekday)
        mask = _permitted_mask(self.grid, rules.excluded_slots + cells)
        now, (low, high) = self.situation.now, bounds
        if now is not None and day == now[0]:
            mask &= -1 << now[1]
        mask &= ~self.grid.kept_masks.get(day, 0)
        if day == low[0]:
            mask &= -1 << (low[1] + 1)
        if day == high[0]:
            mask &= (1 << high[1]) - 1
        return mask

    def _free_host(self, day: int, mask: int) -> int | None:
        for host_mask, event_id in self._hosts[day]:
            if not mask & ~host_mask:
                return None if event_id in self._guests else event_id
        return None
