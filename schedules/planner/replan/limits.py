"""Conditions that a student puts on places, held against the plan and kept by few moves.

Whoever breaks a condition finds another place; others of the same condition move only to make room, and items that no
condition names keep theirs. A beam of partial plans is carried from the first item on and from the last one back.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from schedules.planner.draft.legal import Found, FreeCells
from schedules.planner.draft.state import ScheduleState, Spot, TaskEntry, with_spots
from schedules.planner.grid import Place, week_and_weekday
from schedules.planner.replan.least_change import Replanned, is_past, movable_items

BEAM = 24
"""So many partial plans are kept."""
TRIED = 7
"""So many places of an item are tried on each partial plan, beside the one it has."""
MOVE, BROKEN = 100, 100_000
"""What a move costs, and an item that stays although it breaks a condition."""
RESIGNED = 6
"""So many items may stay where they are, one after the other, so that the others find room."""
LIMIT = "limit"
"""The reason of whoever moved for a condition, or found no place within it."""
OUTSIDE = "limit_times"
"""The reason of an item whose own rules leave it no place in the times that are asked for."""


@dataclass(frozen=True)
class Times:
    """Holds a stretch of time: weekdays (none: every day), sections, day numbers; 0 where it has no end."""

    weekdays: frozenset[int] = frozenset()
    sections: tuple[int, int] | None = None
    first_day: int = 0
    last_day: int = 0

    def has_day(self, day: int) -> bool:
        return (
            (not self.weekdays or week_and_weekday(day)[1] in self.weekdays)
            and day >= self.first_day
            and not (self.last_day and day > self.last_day)
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

    def admits(self, place: Place) -> bool:
        """Tells whether a place lies in the times of the condition."""
        return (not self.within or any(one.covers(place) for one in self.within)) and not any(
            one.touches(place) for one in self.without
        )


@dataclass(frozen=True)
class _Seat:
    """Tells where an item of a partial plan stands."""

    entry: TaskEntry
    place: Place
    host: int | None
    past: bool = False


@dataclass(frozen=True)
class _Partial:
    cost: int
    seats: tuple[_Seat, ...]
    broken: frozenset[int] = frozenset()


def keep_to(
    state: ScheduleState, limits: Sequence[Limit], waiting: Collection[int] = (), *, others_stay: bool = False
) -> Replanned:
    """Returns the draft in which as many items as can be keep to the conditions, by few moves.

    The same draft comes back where all of them hold already. `waiting`: items without a place that get one; with
    `others_stay` they alone move, and the others only count.
    """
    limits = [limit for limit in limits if not limit.held or not _Search(state, [limit], ()).breaking()]
    if others_stay:
        stay = {entry.source_id for entry in state.items()} - set(waiting)
        return _Search(state, limits, waiting, stay).run()
    plain = [limit for limit in limits if not limit.even]
    best = _keep_most(state, plain, waiting)
    for limit in (limit for limit in limits if limit.even):
        for closer in _closer(state, limit):
            found = _Search(state, [*plain, closer], waiting).run()
            if len(found.left) <= len(best.left):
                best, plain = found, [*plain, closer]
                break
    return best


def _keep_most(state: ScheduleState, limits: Sequence[Limit], waiting: Collection[int]) -> Replanned:
    """Returns the best of some searches, in each of which one item more, that found no place, stays where it is."""
    search = _Search(state, limits, waiting)
    best, resigned = search.run(), set[int]()
    while best.left and search.stuck and len(resigned) < RESIGNED:
        resigned.add(search.stuck[-1])
        search = _Search(state, limits, waiting, resigned)
        best = min(best, search.run(), key=lambda one: one.weight)
    return best


def _closer(state: ScheduleState, limit: Limit) -> Iterator[Limit]:
    """Yields what "evenly" may mean of some items, the strictest first: far apart, else few a day."""
    entries = [entry for entry in state.items() if entry.source_id in limit.items and entry.slots]
    if len({entry.task_class_id for entry in entries}) == 1:
        for days in range(7, 0, -1):
            yield replace(limit, even=False, days_between=days)
    for most in range(1, 5):
        weekly = -(-len(entries) // max(1, _weeks_ahead(state, entries)))
        for a_week in (weekly, weekly + 1, 0):
            yield replace(limit, even=False, a_day=most, a_week=a_week)


def _weeks_ahead(state: ScheduleState, entries: Iterable[TaskEntry]) -> int:
    """Returns the weeks that the classes of some items have left."""
    ends = [state.class_of(entry).rules.end_day or state.window.last_day for entry in entries]
    first = state.now[0] if state.now else state.window.first_day
    return (min(state.window.last_day, max(ends, default=first)) - first) // 7 + 1


class _Search:
    """Looks for places within the conditions."""

    def __init__(
        self, state: ScheduleState, limits: Sequence[Limit], waiting: Collection[int], resigned: Collection[int] = ()
    ) -> None:
        self.state, self.limits = state, limits
        movable = movable_items(state) - set(resigned)
        self.resigned = (
            [entry for item in resigned if (entry := state.by_item(item)) is not None]
            if len(resigned) <= RESIGNED
            else []
        )
        self.stuck: list[int] = []
        """The items at which no partial plan could grow further."""
        concerned = {item for limit in limits for item in limit.items}
        entries = [entry for entry in state.items() if entry.source_id in concerned | set(waiting)]
        self.free = [entry for entry in entries if entry.source_id in movable or self._waits(entry, waiting)]
        ids = {entry.source_id for entry in self.free}
        self.kept = [
            _Seat(entry, place, state.host_event_of(entry), is_past(state, entry))
            for entry in state.items()
            if entry.source_id not in ids and (place := state.place_of(entry)) is not None
        ]
        self.lessons = self._lessons()
        events = (state.place_of(entry) for entry in state.tasks if not entry.is_item)
        self.lesson_ends = {place.end_cell for place in events if place is not None}
        board = state.board()
        for entry in self.free:
            if entry.slots:
                board.lift(entry.source_id)
        self.cells = FreeCells(board, state.situation(planner=True))
        self.possible = {entry.source_id: self._places_of(entry) for entry in self.free}
        self.rank = {entry.source_id: number for number, entry in enumerate(self._in_time())}

    def _waits(self, entry: TaskEntry, waiting: Collection[int]) -> bool:
        return entry.source_id in waiting and not entry.slots and not entry.locked

    def _lessons(self) -> dict[int, tuple[int, int]]:
        """Returns the first and the last section of the lessons of each day."""
        found: dict[int, tuple[int, int]] = {}
        for entry in self.state.tasks:
            place = None if entry.is_item else self.state.place_of(entry)
            if place is not None:
                first, last = found.get(place.day, (place.first, place.last))
                found[place.day] = (min(first, place.first), max(last, place.last))
        return found

    def _places_of(self, entry: TaskEntry) -> list[Found]:
        """Returns the places that no rule and no condition on times forbids."""
        found = self.cells.places(self.state.subject(entry))
        return [one for one in found if self._admits(entry, one[0])]

    def _admits(self, entry: TaskEntry, place: Place) -> bool:
        return all(
            limit.admits(place)
            and not (limit.between_lessons and not self._lies_between(place))
            and not (limit.after_lessons and self._follows_lesson(place, limit.after_lessons))
            for limit in self.limits
            if entry.source_id in limit.items
        )

    def _lies_between(self, place: Place) -> bool:
        first, last = self.lessons.get(place.day, (0, 0))
        return 0 < first < place.first and place.last < last

    def _follows_lesson(self, place: Place, within: int) -> bool:
        return any(0 < place.first - last <= within for day, last in self.lesson_ends if day == place.day)

    def _in_time(self) -> list[TaskEntry]:
        """Returns the items that may move as they stand, each behind those before it in its class."""
        last: dict[int, tuple[int, int]] = {}
        keys = {}
        for entry in sorted(self.free, key=lambda one: (one.task_class_id or 0, one.task_order or 0)):
            place, owner = self.state.place_of(entry), entry.task_class_id or 0
            last[owner] = max(last.get(owner, (0, 0)), place.cell if place else last.get(owner, (0, 0)))
            keys[entry.source_id] = (last[owner], entry.task_order or 0)
        given = {item: at for limit in self.limits for at, item in enumerate(limit.order)}
        return sorted(
            self.free, key=lambda one: (one.source_id in given, given.get(one.source_id, 0), keys[one.source_id])
        )

    def run(self) -> Replanned:
        """Returns the plan with the fewest items left, then moves, of all that were found."""
        order = self._in_time()
        stay = self._carry(order, self._staying)
        if stay is not None and not stay.broken and all(entry.slots for entry in order):
            return Replanned(self.state, self.state, {}, {})
        ways: list[tuple[list[TaskEntry], Callable[[TaskEntry, Place], int]]] = [
            (order, self._near), (order[::-1], self._near), (order, self._early), (order[::-1], self._late),
        ]  # fmt: skip
        found = [one for day in self._days() for way in ways if (one := self._carry(way[0], self._offers(way[1], day)))]
        best = min(found, key=lambda one: (len(one.broken), one.cost), default=None)
        if best is None:
            return Replanned(self.state, self.state, {}, {entry.source_id: LIMIT for entry in self.breaking()})
        return self._told(best)

    def _days(self) -> list[int]:
        """Returns the days that are tried alone, where all is to lie on one; 0 for none."""
        if not any(limit.one_day for limit in self.limits):
            return [0]
        ids = {item for limit in self.limits if limit.one_day for item in limit.items}
        together = [entry for entry in self.free if entry.source_id in ids]
        days = [{place.day for place, _ in self.possible[entry.source_id]} for entry in together]
        return sorted(set.intersection(*days)) if days else []

    def _told(self, best: _Partial) -> Replanned:
        spots: dict[int, Spot | None] = {}
        for seat in best.seats:
            if self.state.place_of(seat.entry) != seat.place:
                spots[seat.entry.source_id] = Spot(seat.place, seat.host)
        left = {item: self._why(item) for item in sorted(best.broken)}
        left |= {entry.source_id: LIMIT for entry in self.resigned}
        after = with_spots(self.state, spots) if spots else self.state
        return Replanned(self.state, after, dict.fromkeys(spots, LIMIT), left)

    def _why(self, item: int) -> str:
        """Tells whether no rule leaves an item a place in the times asked for, or the conditions together do not."""
        return LIMIT if self.possible.get(item, True) else OUTSIDE

    def breaking(self) -> list[TaskEntry]:
        """Returns the items that break a condition where they stand."""
        stay = self._carry(self._in_time(), self._staying)
        return [entry for entry in self.free if stay is None or entry.source_id in stay.broken]

    def _carry(self, order: list[TaskEntry], offers: Callable[[TaskEntry], list[Found]]) -> _Partial | None:
        """Returns the best whole plan that grows by one item after the other."""
        beam = [_Partial(0, tuple(self.kept))]
        for entry in order:
            grown = [one for partial in beam for one in self._grow(partial, entry, offers(entry))]
            beam = sorted(grown, key=lambda one: one.cost)[:BEAM]
            if not beam:
                self.stuck += [entry.source_id] if entry.slots else []
                return None
        kept = len(self.kept)
        return replace(beam[0], seats=beam[0].seats[kept:]) if beam else None

    def _grow(self, partial: _Partial, entry: TaskEntry, offered: list[Found]) -> Iterator[_Partial]:
        """Yields a partial plan with one item more: where it stands, or at the best places within the conditions."""
        spot, item = self.state.spot_of(entry), entry.source_id
        tried = 0
        for place, host in offered:
            if not self._stands(partial, entry, place) or not self._keeps(partial, entry, place):
                continue
            cost = partial.cost + self._price(partial, entry, place)
            yield _Partial(cost, (*partial.seats, _Seat(entry, place, host)), partial.broken)
            tried += 1
            if tried > TRIED:
                break
        if spot is None:
            yield replace(partial, cost=partial.cost + BROKEN, broken=partial.broken | {item})
        elif self._stands(partial, entry, spot.place):
            fine = self._admits(entry, spot.place) and self._keeps(partial, entry, spot.place)
            seats = (*partial.seats, _Seat(entry, spot.place, spot.host_event_id))
            if fine:
                yield replace(partial, seats=seats)
            else:
                yield _Partial(partial.cost + BROKEN, seats, partial.broken | {item})

    def _price(self, partial: _Partial, entry: TaskEntry, place: Place) -> int:
        here = self.state.place_of(entry)
        busy = sum(seat.place.day == place.day for seat in partial.seats)
        grid = self.state.grid
        if here is None:
            return 4 * busy + place.day - self.state.window.first_day
        other_part = grid.part_of(here.first) != grid.part_of(place.first)
        return MOVE + 3 * abs(place.day - here.day) + 4 * busy + other_part * 2 + abs(place.first - here.first) // 2

    def _stands(self, partial: _Partial, entry: TaskEntry, place: Place) -> bool:
        """Tells whether a place is free, behind the items before it in its class and before those behind it."""
        for seat in partial.seats[len(self.kept) :]:
            other = seat.entry
            if seat.place.overlaps(place):
                return False
            if other.task_class_id == entry.task_class_id:
                first, then = (seat.place, place) if self._before(other, entry) else (place, seat.place)
                if not first.end_cell < then.cell:
                    return False
        return True

    def _before(self, one: TaskEntry, other: TaskEntry) -> bool:
        return (one.task_order or 0, one.source_id) < (other.task_order or 0, other.source_id)

    def _keeps(self, partial: _Partial, entry: TaskEntry, place: Place) -> bool:
        """Tells whether a place keeps to every condition beside the items that have theirs."""
        return all(
            _holds_beside(limit, entry, place, [seat for seat in partial.seats if self._counts(limit, entry, seat)])
            for limit in self.limits
            if entry.source_id in limit.items
        )

    def _counts(self, limit: Limit, entry: TaskEntry, seat: _Seat) -> bool:
        other = seat.entry
        return other.source_id in limit.items and not (limit.each_class and other.task_class_id != entry.task_class_id)

    def _staying(self, entry: TaskEntry) -> list[Found]:
        return []

    def _offers(self, prefer: Callable[[TaskEntry, Place], int], day: int) -> Callable[[TaskEntry], list[Found]]:
        """Returns the places of an item in the order in which they are tried."""
        together = {item for limit in self.limits if limit.one_day for item in limit.items}
        known = {
            entry.source_id: sorted(
                (one for one in self.possible[entry.source_id]
                 if not day or entry.source_id not in together or one[0].day == day),
                key=lambda one: (prefer(entry, one[0]), one[0]),
            )
            for entry in self.free
        }  # fmt: skip
        return lambda entry: known[entry.source_id]

    def _near(self, entry: TaskEntry, place: Place) -> int:
        here = self.state.place_of(entry)
        return place.day if here is None else 20 * abs(place.day - here.day) + abs(place.first - here.first)

    def _early(self, entry: TaskEntry, place: Place) -> int:
        return place.day

    def _late(self, entry: TaskEntry, place: Place) -> int:
        return -place.day


def _holds_beside(limit: Limit, entry: TaskEntry, place: Place, others: list[_Seat]) -> bool:
    """Tells whether an item at a place keeps to a condition beside the others that it counts."""
    if limit.during and not any(one.covers(place) for one in limit.during):
        return True
    others = [seat for seat in others if not limit.during or any(one.covers(seat.place) for one in limit.during)]
    day = place.day
    same = [seat for seat in others if seat.place.day == day]
    week = [seat for seat in others if week_and_weekday(seat.place.day)[0] == week_and_weekday(day)[0]]
    near = any(abs(seat.place.day - day) <= limit.days_between for seat in others)
    gaps = [max(seat.place.first - place.last, place.first - seat.place.last) - 1 for seat in same]
    sections = sum(seat.place.length for seat in same) + place.length
    return not (
        (limit.a_day and len(same) >= limit.a_day)
        or (limit.a_week and len(week) >= limit.a_week)
        or (limit.sections_a_day and sections > limit.sections_a_day)
        or (limit.days_between and near)
        or (limit.sections_between and any(gap < limit.sections_between for gap in gaps))
        or (limit.one_day and any(seat.place.day != day for seat in others if not seat.past))
        or not _in_given_order(limit, entry, place, others)
    )


def _in_given_order(limit: Limit, entry: TaskEntry, place: Place, others: list[_Seat]) -> bool:
    if entry.source_id not in limit.order:
        return True
    known = {seat.entry.source_id: seat.place for seat in others} | {entry.source_id: place}
    placed = [known[item] for item in limit.order if item in known]
    return all(one.end_cell < then.cell for one, then in pairwise(placed))
