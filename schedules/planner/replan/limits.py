"""Conditions that a student puts on places, held against the plan and kept by few moves.

Whoever breaks a condition finds another place; others of the same condition move only to make room, and items that no
condition names keep theirs. A beam of partial plans is carried from the first item on and from the last one back.

A place is judged in O(conditions of the item): each partial plan counts by day and by week. A call looks at no more
than `LOOKS` places whatever is asked and takes O(LOOKS + items * carries), where carries are bounded by `RESIGNED`,
`DAYS` and the ways that "evenly" may mean; with many items the beam becomes narrower.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any, NamedTuple

from schedules.planner.cost.constants import AFTER_ALL, BEFORE_ALL, mask_of
from schedules.planner.draft.legal import Bounds, Found, FreeCells
from schedules.planner.draft.state import ScheduleState, Spot, TaskEntry, with_spots
from schedules.planner.grid import Cell, Place
from schedules.planner.replan.conditions import BETWEEN, NOBODY, NUMBERS, Limit, Seat, SeatCounts, keeps
from schedules.planner.replan.least_change import Replanned, is_past, movable_items

BEAM = 24
"""So many partial plans are kept."""
TRIED = 7
"""So many places of an item are tried on each partial plan, beside the one it has."""
MOVE, BROKEN = 100, 100_000
"""What a move costs, and an item that stays although it breaks a condition."""
RESIGNED = 6
"""So many items may stay where they are, one after the other, so that the others find room."""
DAYS = 8
"""So many days are tried, where all is to lie on one."""
LOOKS = 240_000
"""So many places are looked at in a call, at most."""
LIMIT = "limit"
"""The reason of whoever moved for a condition, or found no place within it."""
OUTSIDE = "limit_times"
"""The reason of an item whose own rules leave it no place in the times that are asked for."""


Group = tuple[int, int]
"""The number of a condition, and the class among whose items it holds; 0 for all."""
Rank = tuple[int, int]
"""The order of an item in its class."""


class _Partial(NamedTuple):
    """Holds a plan of some items: their seats, what lies on each day, the hosts that are taken and what is counted."""

    cost: int
    seats: tuple[Seat, ...]
    broken: frozenset[int]
    taken: Mapping[int, int]
    busy: Mapping[int, int]
    hosts: frozenset[int]
    classes: Mapping[int, tuple[tuple[Rank, Cell, Cell], ...]]
    tallies: Mapping[Group, SeatCounts]


class _Grown(NamedTuple):
    """Tells by what a partial plan may grow: a seat, or nothing where an item waits on."""

    cost: int
    parent: _Partial
    seat: Seat | None
    breaks: bool = False


class _Offers(NamedTuple):
    """Holds the places of an item, by day."""

    days: tuple[int, ...]
    by_day: Mapping[int, list[Found]]

    def between(self, bounds: Bounds, day: int) -> Sequence[int]:
        """Returns the days within bounds; only one of them where it is named."""
        first, last = max(bounds[0][0], day), min(bounds[1][0], day or bounds[1][0])
        return self.days[bisect_left(self.days, first) : bisect_right(self.days, last)]


Looks = Iterator[Found | None]
"""Places in the order in which they are tried; None for a day on which no place is left."""
Way = Callable[[_Offers, Sequence[int], Place | None, Callable[[int], bool]], Looks]
"""The order in which the places of some days are tried, unless a day is not open."""


def _early(offers: _Offers, days: Iterable[int], here: Place | None, is_open: Callable[[int], bool]) -> Looks:
    for day in days:
        if is_open(day):
            yield from offers.by_day[day]
        else:
            yield None


def _late(offers: _Offers, days: Sequence[int], here: Place | None, is_open: Callable[[int], bool]) -> Looks:
    return _early(offers, reversed(days), here, is_open)


def _near(offers: _Offers, days: Sequence[int], here: Place | None, is_open: Callable[[int], bool]) -> Looks:
    """Yields the places on near days first, of these the near ones."""
    if here is None:
        yield from _early(offers, days, here, is_open)
        return
    day, first = here.day, here.first
    behind = bisect_left(days, day)
    before = behind - 1
    while before >= 0 or behind < len(days):
        gap = min(abs(days[at] - day) for at in (before, behind) if 0 <= at < len(days))
        found: list[Found] = []
        for one in dict.fromkeys((day - gap, day + gap)):
            at = before if one < day else behind
            if not (0 <= at < len(days) and days[at] == one):
                continue
            before, behind = (before - 1, behind) if one < day else (before, behind + 1)
            if is_open(one):
                found += offers.by_day[one]
            else:
                yield None
        yield from sorted(found, key=lambda one: (abs(one[0].first - first), one[0]))


def keep_to(
    state: ScheduleState, limits: Sequence[Limit], waiting: Collection[int] = (), *, others_stay: bool = False
) -> Replanned:
    """Returns the draft in which as many items as can be keep to the conditions, by few moves.

    The same draft comes back where all of them hold already. `waiting`: items without a place that get one; with
    `others_stay` they alone move, and the others only count. Of several conditions that ask for "evenly" the first is
    kept.
    """
    term = _Term(state)
    limits = [limit for limit in limits if not limit.held or not _Search(term, [limit]).breaking()]
    if others_stay:
        stay = {entry.source_id for entry in state.items()} - set(waiting)
        return _Search(term, limits, waiting, stay=stay).run(LOOKS)
    plain = [limit for limit in limits if not limit.even]
    even = next((limit for limit in limits if limit.even), None)
    looks = LOOKS if even is None else LOOKS // 3
    best, looked = _keep_most(term, plain, waiting, looks)
    closers = [] if even is None else list(_closer(state, even))
    left = LOOKS - looked
    for number, closer in enumerate(closers):
        search = _Search(term, [*plain, closer], waiting)
        found = search.run(left // min(4, len(closers) - number), len(best.left))
        left -= search.looked
        if len(found.left) <= len(best.left):
            return found
    return best


def _keep_most(term: _Term, limits: Sequence[Limit], waiting: Collection[int], looks: int) -> tuple[Replanned, int]:
    """Returns the best of some searches, in each of which one item more, that found no place, stays where it is; and
    how many places were looked at."""
    search = _Search(term, limits, waiting)
    best, resigned, looked = search.run(looks // 2), list[int](), search.looked
    while best.left and search.stuck and len(resigned) < RESIGNED:
        resigned.append(search.stuck[-1])
        search = _Search(term, limits, waiting, resigned=resigned)
        best = min(best, search.run((looks - looked) // 2), key=lambda one: one.weight)
        looked += search.looked
    return best, looked


def find_possible(
    state: ScheduleState, limits: Sequence[Limit], waiting: Collection[int] = (), *, most: int = 50
) -> tuple[str, int] | None:
    """Returns which number of the conditions keeps them from holding, and the nearest one, up to `most`, with which
    they all do; None where no other number would help."""
    for at, limit in enumerate(limits):
        for name in NUMBERS if not limit.held else ():
            number = _find_nearest(state, limits, waiting, at, name, most)
            if number is not None:
                return name, number
    return None


def _find_nearest(
    state: ScheduleState, limits: Sequence[Limit], waiting: Collection[int], at: int, name: str, most: int
) -> int | None:
    """Returns the number nearest to the one asked for with which all conditions hold. One farther off leaves more room:
    it is found by halving, in six plans of fifty numbers."""
    asked = getattr(limits[at], name)
    above = range(asked + 1, min(most, asked + len(limits[at].items)) + 1) if asked else range(0)
    numbers = range(asked - 1, 0, -1) if name == BETWEEN else above

    def hold_with(number: int) -> bool:
        changed: dict[str, Any] = {name: number}
        return not keep_to(state, [*limits[:at], replace(limits[at], **changed), *limits[at + 1 :]], waiting).left

    found = bisect_left(numbers, True, key=hold_with)
    return numbers[found] if found < len(numbers) else None


def _closer(state: ScheduleState, limit: Limit) -> Iterator[Limit]:
    """Yields what "evenly" may mean of some items and has room, the strictest first: far apart, else few a day."""
    entries = [entry for entry in state.items() if entry.source_id in limit.items and entry.slots]
    days = _days_ahead(state, entries)
    if len({entry.task_class_id for entry in entries}) == 1:
        for between in range(7, 0, -1):
            if (len(entries) - 1) * (between + 1) < max(days, 1):
                yield replace(limit, even=False, days_between=between)
    weekly = -(-len(entries) // max(1, days // 7))
    for most in range(1, 5):
        if len(entries) <= most * days:
            for a_week in (weekly, weekly + 1, 0):
                yield replace(limit, even=False, a_day=most, a_week=a_week)


def _days_ahead(state: ScheduleState, entries: Iterable[TaskEntry]) -> int:
    """Returns the days from now, or from the first of some items, to the end of their classes."""
    ends = [state.class_of(entry).rules.end_day or state.window.last_day for entry in entries]
    first = state.now[0] if state.now else state.window.first_day
    starts = [place.day for entry in entries if (place := state.place_of(entry)) is not None]
    return min(state.window.last_day, max(ends, default=first)) - min([first, *starts]) + 1


class _Term:
    """Holds what all searches in a draft need."""

    def __init__(self, state: ScheduleState) -> None:
        self.state = state
        self.movable = movable_items(state)
        places = [place for entry in state.tasks if not entry.is_item and (place := state.place_of(entry)) is not None]
        self.lesson_ends: dict[int, set[int]] = {}
        self.lessons: dict[int, tuple[int, int]] = {}
        for place in places:
            first, last = self.lessons.get(place.day, (place.first, place.last))
            self.lessons[place.day] = (min(first, place.first), max(last, place.last))
            self.lesson_ends.setdefault(place.day, set()).add(place.last)


class _Search:
    """Looks for places within the conditions; `resigned` items and those that `stay` keep theirs.

    Of the resigned those that break a condition then are told, of those that stay none.
    """

    def __init__(
        self,
        term: _Term,
        limits: Sequence[Limit],
        waiting: Collection[int] = (),
        *,
        stay: Collection[int] = (),
        resigned: Collection[int] = (),
    ) -> None:
        self.term, self.state, self.limits = term, term.state, limits
        state = term.state
        self.resigned = [entry for item in resigned if (entry := state.by_item(item)) is not None]
        self.stuck: list[int] = []
        """The items at which no partial plan could grow further."""
        self.looked = 0
        """So many places were looked at."""
        concerned = {item for limit in limits for item in limit.items} | set(waiting)
        entries = [entry for entry in state.items() if entry.source_id in concerned]
        movable = term.movable - set(stay) - set(resigned)
        self.free = [entry for entry in entries if entry.source_id in movable or self._waits(entry, waiting)]
        self.ids = {entry.source_id for entry in self.free}
        kept = [
            Seat(entry, place, state.host_event_of(entry), is_past(state, entry))
            for entry in state.items()
            if entry.source_id not in self.ids and (place := state.place_of(entry)) is not None
        ]
        self.start = self._start(kept)
        self.order = self._in_time()
        self._cells: FreeCells | None = None
        self._offers: dict[object, _Offers] = {}

    def _start(self, kept: list[Seat]) -> _Partial:
        """Returns the plan of the items that keep their places: they count, and rules keep others off them."""
        busy: dict[int, int] = {}
        tallies: dict[Group, SeatCounts] = {}
        for seat in kept:
            busy[seat.place.day] = busy.get(seat.place.day, 0) + 1
            self._count(tallies, seat)
        return _Partial(0, (), frozenset(), {}, busy, frozenset(), {}, tallies)

    def _count(self, tallies: dict[Group, SeatCounts], seat: Seat) -> None:
        for key, limit in self._limits_of(seat.entry):
            tallies[key] = tallies.get(key, NOBODY).add(limit, seat)

    def _limits_of(self, entry: TaskEntry) -> Iterator[tuple[Group, Limit]]:
        """Yields the conditions that look at an item beside others."""
        for number, limit in enumerate(self.limits):
            if limit.counts and entry.source_id in limit.items:
                yield (number, (entry.task_class_id or 0) if limit.each_class else 0), limit

    def _waits(self, entry: TaskEntry, waiting: Collection[int]) -> bool:
        return entry.source_id in waiting and not entry.slots and not entry.locked

    def _offers_of(self, entry: TaskEntry) -> _Offers:
        """Returns the places that no rule and no condition on times forbids."""
        if self._cells is None:
            board = self.state.board()
            for one in self.free:
                if one.slots:
                    board.lift(one.source_id)
            self._cells = FreeCells(board, self.state.situation(planner=True))
        subject = self.state.subject(entry)
        named = tuple(number for number, limit in enumerate(self.limits) if entry.source_id in limit.items)
        # Items of a class that are as long and have the same conditions have the same places.
        key = (entry.task_class_id, entry.duration, self._cells.bounds(subject), named)
        if key not in self._offers:
            by_day: dict[int, list[Found]] = {}
            for place, host in self._cells.places(subject):
                if self._admits(entry, place):
                    by_day.setdefault(place.day, []).append((place, host))
            self._offers[key] = _Offers(tuple(sorted(by_day)), by_day)
        return self._offers[key]

    def _admits(self, entry: TaskEntry, place: Place) -> bool:
        return all(
            limit.admits(place)
            and not (limit.between_lessons and not self._lies_between(place))
            and not (limit.after_lessons and self._follows_lesson(place, limit.after_lessons))
            for limit in self.limits
            if entry.source_id in limit.items
        )

    def _lies_between(self, place: Place) -> bool:
        first, last = self.term.lessons.get(place.day, (0, 0))
        return 0 < first < place.first and place.last < last

    def _follows_lesson(self, place: Place, within: int) -> bool:
        return any(0 < place.first - last <= within for last in self.term.lesson_ends.get(place.day, ()))

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

    def run(self, looks: int, most: int | None = None) -> Replanned:
        """Returns the plan with the fewest items left, then moves, of all that were found; with `most` no plan is
        sought that leaves more."""
        stay = self._carry(self.order)
        if stay is not None and not stay.broken and all(entry.slots for entry in self.order):
            return Replanned(self.state, self.state, {}, {})
        back = self.order[::-1]
        ways: list[tuple[list[TaskEntry], Way]] = [
            (self.order, _near), (back, _near), (self.order, _early), (back, _late),
        ]  # fmt: skip
        best: _Partial | None = None
        carries = [(day, *way) for day in self._days() for way in ways]
        for number, (day, order, way) in enumerate(carries):
            share = (looks - self.looked) // (len(carries) - number)
            found = self._carry(order, way, day, share, most)
            if found is not None and (best is None or _weight(found) < _weight(best)):
                best = found
                most = len(best.broken)
        if best is None:
            standing = [*self.breaking(), *self._resigned_breaking(self.state)]
            return Replanned(self.state, self.state, {}, {entry.source_id: LIMIT for entry in standing})
        return self._told(best)

    def _days(self) -> list[int]:
        """Returns the days that are tried alone, where all is to lie on one, those first that have room for all and
        on which most lies; 0 for none."""
        if not any(limit.one_day for limit in self.limits):
            return [0]
        together = [entry for entry in self.free if entry.source_id in self._together()]
        days = [set(self._offers_of(entry).days) for entry in together]
        here = [place.day for entry in together if (place := self.state.place_of(entry)) is not None]
        common = {day: not self._has_room(together, day) for day in set.intersection(*days)} if days else {}
        near = {day: sum(abs(day - one) for one in here) for day in common}
        return sorted(common, key=lambda day: (common[day], -here.count(day), near[day], day))[:DAYS]

    def _together(self) -> set[int]:
        return {item for limit in self.limits if limit.one_day for item in limit.items}

    def _has_room(self, entries: list[TaskEntry], day: int) -> bool:
        """Tells whether a day has as many free sections as some items take."""
        free = 0
        for by_day in {id(offers): offers.by_day for offers in map(self._offers_of, entries)}.values():
            for place, _ in by_day[day]:
                free |= mask_of(place)
        return free.bit_count() >= sum(entry.duration for entry in entries)

    def _told(self, best: _Partial) -> Replanned:
        spots: dict[int, Spot | None] = {}
        for seat in best.seats:
            if self.state.place_of(seat.entry) != seat.place:
                spots[seat.entry.source_id] = Spot(seat.place, seat.host)
        left = {item: self._why(item) for item in sorted(best.broken)}
        after = with_spots(self.state, spots) if spots else self.state
        left |= {entry.source_id: LIMIT for entry in self._resigned_breaking(after)}
        return Replanned(self.state, after, dict.fromkeys(spots, LIMIT), left)

    def _resigned_breaking(self, state: ScheduleState) -> list[TaskEntry]:
        """Returns the resigned items that break a condition beside all others as they stand in a draft."""
        if not self.resigned:
            return []
        seats = [
            Seat(entry, place, None, is_past(state, entry))
            for entry in state.items()
            if (place := state.place_of(entry)) is not None
        ]
        found = []
        for entry in self.resigned:
            place = state.place_of(entry)
            others = self._start([seat for seat in seats if seat.entry.source_id != entry.source_id]).tallies
            tallies = [(limit, others.get(key, NOBODY)) for key, limit in self._limits_of(entry)]
            if place is not None and not (self._admits(entry, place) and keeps(tallies, entry, place)):
                found.append(entry)
        return found

    def _why(self, item: int) -> str:
        """Tells whether no rule leaves an item a place in the times asked for, or the conditions together do not."""
        entry = self.state.by_item(item)
        return LIMIT if entry is None or item not in self.ids or self._offers_of(entry).days else OUTSIDE

    def breaking(self) -> list[TaskEntry]:
        """Returns the items that break a condition where they stand."""
        stay = self._carry(self.order)
        return [entry for entry in self.free if stay is None or entry.source_id in stay.broken]

    def _carry(
        self, order: list[TaskEntry], way: Way | None = None, day: int = 0, looks: int = 0, most: int | None = None
    ) -> _Partial | None:
        """Returns the best whole plan that grows by one item after the other; without a way all stay."""
        beam, until = [self.start], self.looked + looks
        together = self._together() if day else frozenset()
        for number, entry in enumerate(order):
            share = max(0, until - self.looked) // (len(order) - number)
            offers = None if way is None or not share else self._offers_of(entry)
            grown: list[_Grown] = []
            for partial in beam:
                bounds = self._bounds(partial, entry)
                tallies = [(limit, partial.tallies.get(key, NOBODY)) for key, limit in self._limits_of(entry)]
                offered: Looks = iter(())
                if way is not None and offers is not None:
                    days = offers.between(bounds, day if entry.source_id in together else 0)
                    found = way(offers, days, self.state.place_of(entry), _open_days(tallies))
                    offered = islice(found, share // len(beam))
                grown += self._grow(partial, entry, bounds, tallies, offered)
            if not grown:
                self.stuck += [entry.source_id] if entry.slots else []
                return None
            if most is not None:
                grown = [one for one in grown if len(one.parent.broken) + one.breaks <= most]
                if not grown:
                    return None
            width = min(BEAM, max(1, share // (2 * TRIED)))
            beam = [self._seated(one, entry) for one in sorted(grown, key=lambda one: one.cost)[:width]]
        return beam[0]

    def _grow(
        self,
        partial: _Partial,
        entry: TaskEntry,
        bounds: Bounds,
        tallies: list[tuple[Limit, SeatCounts]],
        offered: Looks,
    ) -> Iterator[_Grown]:
        """Yields a partial plan with one item more: at the best places within the conditions, or where it stands."""
        spot = self.state.spot_of(entry)
        tried = 0
        for one in offered:
            self.looked += 1
            if one is None or (spot is not None and one[0] == spot.place):
                continue
            place, host = one
            if not self._stands(partial, bounds, place, host) or not keeps(tallies, entry, place):
                continue
            yield _Grown(partial.cost + self._price(partial, spot, place), partial, Seat(entry, place, host))
            tried += 1
            if tried >= TRIED:
                break
        if spot is None:
            yield _Grown(partial.cost + BROKEN, partial, None, breaks=True)
        elif self._stands(partial, bounds, spot.place, spot.host_event_id):
            breaks = not (self._admits(entry, spot.place) and keeps(tallies, entry, spot.place))
            seat = Seat(entry, spot.place, spot.host_event_id)
            yield _Grown(partial.cost + BROKEN * breaks, partial, seat, breaks)

    def _seated(self, grown: _Grown, entry: TaskEntry) -> _Partial:
        """Returns the partial plan that grew."""
        old, seat = grown.parent, grown.seat
        broken = old.broken | {entry.source_id} if grown.breaks else old.broken
        if seat is None:
            return old._replace(cost=grown.cost, broken=broken)
        day, owner = seat.place.day, entry.task_class_id or 0
        known = old.classes.get(owner, ())
        row = (_rank(entry), seat.place.cell, seat.place.end_cell)
        at = bisect_left(known, row)
        tallies = dict(old.tallies)
        self._count(tallies, seat)
        return _Partial(
            grown.cost,
            (*old.seats, seat),
            broken,
            {**old.taken, day: old.taken.get(day, 0) | mask_of(seat.place)},
            {**old.busy, day: old.busy.get(day, 0) + 1},
            old.hosts if seat.host is None else old.hosts | {seat.host},
            {**old.classes, owner: (*known[:at], row, *known[at:])},
            tallies,
        )

    def _price(self, partial: _Partial, spot: Spot | None, place: Place) -> int:
        busy, grid = partial.busy.get(place.day, 0), self.state.grid
        if spot is None:
            return 4 * busy + place.day - self.state.window.first_day
        here = spot.place
        other_part = grid.part_of(here.first) != grid.part_of(place.first)
        return MOVE + 3 * abs(place.day - here.day) + 4 * busy + other_part * 2 + abs(place.first - here.first) // 2

    def _bounds(self, partial: _Partial, entry: TaskEntry) -> Bounds:
        """Returns the end of the items before it in its class, and the begin of those behind it."""
        known = partial.classes.get(entry.task_class_id or 0, ())
        at = bisect_left(known, (_rank(entry), BEFORE_ALL, BEFORE_ALL))
        return known[at - 1][2] if at else BEFORE_ALL, known[at][1] if at < len(known) else AFTER_ALL

    def _stands(self, partial: _Partial, bounds: Bounds, place: Place, host: int | None) -> bool:
        """Tells whether a place and its lesson are free, behind the items before it and before those behind it."""
        return (
            bounds[0] < place.cell
            and place.end_cell < bounds[1]
            and not partial.taken.get(place.day, 0) & mask_of(place)
            and (host is None or host not in partial.hosts)
        )


def _rank(entry: TaskEntry) -> Rank:
    return entry.task_order or 0, entry.source_id


def _weight(partial: _Partial) -> tuple[int, int]:
    return len(partial.broken), partial.cost


def _open_days(tallies: list[tuple[Limit, SeatCounts]]) -> Callable[[int], bool]:
    """Returns what tells whether a day is left by the conditions that hold at any time of it."""
    daily = [(limit, tally) for limit, tally in tallies if not limit.during]
    return lambda day: all(tally.opens(limit, day) for limit, tally in daily)
