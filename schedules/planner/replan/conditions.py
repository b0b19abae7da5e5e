"""A condition that a student puts on places, and the count of those it looks at."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from schedules.planner.cost.constants import mask_of
from schedules.planner.draft.state import TaskEntry
from schedules.planner.grid import Cell, Place, week_and_weekday

BETWEEN = "days_between"
NUMBERS = ("a_day", "a_week", "sections_a_day", BETWEEN)
"""The fields of a condition that tell how many there may be at most, or how many days lie between two."""
FIELD = 16
"""So many bits has a count."""


@dataclass(frozen=True)
class Times:
    """Holds a stretch of time: weekdays (none: every day), sections, day numbers (none: no end)."""

    weekdays: frozenset[int] = frozenset()
    sections: tuple[int, int] | None = None
    first_day: int | None = None
    last_day: int | None = None

    def has_day(self, day: int) -> bool:
        return (
            (not self.weekdays or week_and_weekday(day)[1] in self.weekdays)
            and (self.first_day is None or day >= self.first_day)
            and (self.last_day is None or day <= self.last_day)
        )

    def covers(self, place: Place) -> bool:
        """Tells whether a place lies in it whole."""
        return self.has_day(place.day) and (
            self.sections is None or (self.sections[0] <= place.first and place.last <= self.sections[1])
        )

    def touches(self, place: Place) -> bool:
        """Tells whether a part of a place lies in it."""
        return self.has_day(place.day) and (
            self.sections is None or (place.first <= self.sections[1] and self.sections[0] <= place.last)
        )


@dataclass(frozen=True)
class Limit:
    """Holds a condition on the places of some items; `each_class`: it holds among the items of one class.

    `within`: one of these times has the place; `without`: none of them has a part of it. At most `a_day` and `a_week`
    items, `sections_a_day` sections; `days_between` free days between two of them, `sections_between` free sections on
    a day, `after_lessons` behind a lesson; these count only what lies in `during`. `one_day`: all on one day; `order`:
    one after the other; `between_lessons`: lessons before and behind on the day; `even`: as far apart, on days as
    equally full, as can be. `held`: kept only where it holds already.
    """

    items: frozenset[int]
    within: tuple[Times, ...] = ()
    without: tuple[Times, ...] = ()
    a_day: int = 0
    a_week: int = 0
    sections_a_day: int = 0
    days_between: int = 0
    sections_between: int = 0
    after_lessons: int = 0
    during: tuple[Times, ...] = ()
    each_class: bool = False
    one_day: bool = False
    order: tuple[int, ...] = ()
    between_lessons: bool = False
    even: bool = False
    held: bool = False

    @property
    def counts(self) -> bool:
        """Tells whether it looks at items beside each other."""
        bounds = self.a_day or self.a_week or self.sections_a_day or self.days_between or self.sections_between
        return bool(bounds or self.one_day or self.order)

    def admits(self, place: Place) -> bool:
        """Tells whether a place lies in the times of the condition."""
        return (not self.within or any(one.covers(place) for one in self.within)) and not any(
            one.touches(place) for one in self.without
        )


class Seat(NamedTuple):
    """Tells where an item of a partial plan stands."""

    entry: TaskEntry
    place: Place
    host: int | None
    past: bool = False


class SeatCounts(NamedTuple):
    """Counts whom a condition looks at.

    Items and sections of each day and items of each week are fields of `FIELD` bits in one number, days that are not
    over single bits: a plan that grows shares them with the one it grew from.
    """

    items: int = 0
    weeks: int = 0
    sections: int = 0
    ahead: int = 0
    cells: Mapping[int, int] = {}
    order: tuple[tuple[int, Cell, Cell], ...] = ()

    def add(self, limit: Limit, seat: Seat) -> SeatCounts:
        """Returns it with a seat more."""
        place = seat.place
        if limit.during and not any(one.covers(place) for one in limit.during):
            return self
        day, week = place.day, week_and_weekday(place.day)[0]
        item = seat.entry.source_id
        at = limit.order.index(item) if item in limit.order else None
        return SeatCounts(
            self.items + (1 << FIELD * day),
            self.weeks + (1 << FIELD * week),
            self.sections + (place.length << FIELD * day),
            self.ahead if seat.past else self.ahead | 1 << day,
            {**self.cells, day: self.cells.get(day, 0) | mask_of(place)} if limit.sections_between else self.cells,
            self.order if at is None else (*self.order, (at, place.cell, place.end_cell)),
        )

    def opens(self, limit: Limit, day: int) -> bool:
        """Tells whether a condition leaves an item a day beside those that are counted."""
        if limit.days_between:
            first = max(0, day - limit.days_between)
            reach = FIELD * (day + limit.days_between - first + 1)
            if self.items >> FIELD * first & ((1 << reach) - 1):
                return False
        return not (
            (limit.a_day and _field(self.items, day) >= limit.a_day)
            or (limit.a_week and _field(self.weeks, week_and_weekday(day)[0]) >= limit.a_week)
            or (limit.one_day and self.ahead & ~(1 << day))
        )

    def admits(self, limit: Limit, item: int, place: Place) -> bool:
        """Tells whether an item at a place keeps to a condition beside those that are counted."""
        if limit.during and not any(one.covers(place) for one in limit.during):
            return True
        day = place.day
        if limit.sections_between and self.cells.get(day):
            first = max(0, place.first - limit.sections_between)
            if self.cells[day] >> first & ((1 << (place.last + limit.sections_between - first + 1)) - 1):
                return False
        return not (
            (limit.sections_a_day and _field(self.sections, day) + place.length > limit.sections_a_day)
            or (limit.order and not self._is_in_order(limit, item, place))
            or not self.opens(limit, day)
        )

    def _is_in_order(self, limit: Limit, item: int, place: Place) -> bool:
        if item not in limit.order:
            return True
        own = limit.order.index(item)
        return all(end < place.cell if at < own else place.end_cell < cell for at, cell, end in self.order)


def _field(packed: int, at: int) -> int:
    return packed >> FIELD * at & ((1 << FIELD) - 1)


def keeps(tallies: Iterable[tuple[Limit, SeatCounts]], entry: TaskEntry, place: Place) -> bool:
    """Tells whether a place keeps to every condition beside the items that have theirs."""
    return all(tally.admits(limit, entry.source_id, place) for limit, tally in tallies)


NOBODY = SeatCounts()
