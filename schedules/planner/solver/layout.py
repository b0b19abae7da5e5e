"""A plan that is being changed, with its cost kept incrementally: by seats for the solver, by places for the diagnosis.

The cost always equals `objective.evaluate` of the same placements; a question costs microseconds, no recomputation.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from schedules.planner.grid import Place
from schedules.planner.problem import Placement, Problem
from schedules.planner.solver.class_tables import ClassTable, ItemTable, spot_at
from schedules.planner.solver.day_spots import DaySpot
from schedules.planner.solver.tables import Tables

Seat = tuple[int, DaySpot]
"""Day number and spot."""


class Layout:
    """Keeps the seats of the free items with their total cost, kept incrementally. Pins are part of it from the
    start."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.kinds = tables.kinds
        self.keys = [0] * (tables.grid.days + 2)
        self.blocks: list[dict[int, int]] = [dict(owner.pin_blocks) for owner in tables.classes]
        self.seats: list[Seat | None] = [None] * len(tables.items)
        for pin in tables.problem.pins:
            code = next(c.code for c in tables.classes if c.task_class.id == pin.task_class_id)
            self.keys[pin.place.day] += tables.key_of(code, pin.place.first, pin.place.length)
        self.total = sum(item.unplaced for item in tables.items)
        self.total += sum(kind.cost(key) for kind, key in zip(self.kinds, self.keys, strict=False))
        for owner in tables.classes:
            days = self.blocks[owner.index]
            self.total += sum(
                owner.crowd(blocks) + (owner.apart if day + 1 in days else 0) for day, blocks in days.items()
            )

    def crowd_delta(self, owner: ClassTable, day: int, blocks: int) -> int:
        """Returns what adding (or, negative, removing) blocks of a class on a day changes in cluster."""
        days = self.blocks[owner.index]
        before = days.get(day, 0)
        after = before + blocks
        delta = owner.crowd(after) - owner.crowd(before)
        if owner.apart and (before == 0) != (after == 0):
            neighbours = (day - 1 in days) + (day + 1 in days)
            delta += owner.apart * neighbours * (1 if after else -1)
        return delta

    def _add_blocks(self, owner: ClassTable, day: int, blocks: int) -> int:
        """Adds blocks of a class on a day; returns the change of cluster, see `crowd_delta`."""
        days = self.blocks[owner.index]
        before = days.get(day, 0)
        after = before + blocks
        delta = owner.crowd(after) - owner.crowd(before)
        if after:
            days[day] = after
            if before == 0 and owner.apart:
                delta += owner.apart * ((day - 1 in days) + (day + 1 in days))
        else:
            del days[day]
            if owner.apart:
                delta -= owner.apart * ((day - 1 in days) + (day + 1 in days))
        return delta

    def put(self, item: ItemTable, day: int, spot: DaySpot) -> int:
        """Seats an item that has no seat; returns the change of the total."""
        key = self.keys[day]
        cost, then = self.kinds[day].cost, key + spot.add
        delta = cost(then) - cost(key) + spot.fit + item.own_cost(day, spot.first) - item.unplaced
        delta += self._add_blocks(item.owner, day, item.blocks)
        self.keys[day] = then
        self.seats[item.number] = (day, spot)
        self.total += delta
        return delta

    def lift(self, item: ItemTable) -> int:
        """Takes an item off its seat; returns the change of the total."""
        seat = self.seats[item.number]
        assert seat is not None, "the item has no seat"
        day, spot = seat
        key = self.keys[day]
        cost, then = self.kinds[day].cost, key - spot.add
        delta = cost(then) - cost(key) - spot.fit - item.own_cost(day, spot.first) + item.unplaced
        delta += self._add_blocks(item.owner, day, -item.blocks)
        self.keys[day] = then
        self.seats[item.number] = None
        self.total += delta
        return delta

    def lift_class(self, owner: ClassTable) -> list[Seat | None]:
        """Lifts all items of a class; returns their seats for `seat_class`."""
        seats = [self.seats[item.number] for item in owner.items]
        for item in owner.items:
            if self.seats[item.number] is not None:
                self.lift(item)
        return seats

    def seat_class(self, owner: ClassTable, seats: list[Seat | None]) -> None:
        for item, seat in zip(owner.items, seats, strict=True):
            if seat is not None:
                self.put(item, seat[0], seat[1])

    def most_a_day(self, owner: ClassTable) -> int:
        """Returns the largest number of free items of a class on one day."""
        days = Counter(seat[0] for item in owner.items if (seat := self.seats[item.number]) is not None)
        return max(days.values(), default=0)

    @property
    def complete(self) -> bool:
        return None not in self.seats

    def is_open(self, day: int, spot: DaySpot) -> bool:
        return not spot.claim & self.kinds[day].blocked(self.keys[day])

    def snapshot(self) -> list[Seat | None]:
        return list(self.seats)

    def restore(self, seats: list[Seat | None]) -> None:
        """Restores a snapshot, touching only what differs."""
        changed = [i for i, seat in enumerate(seats) if seat != self.seats[i]]
        for number in changed:
            if self.seats[number] is not None:
                self.lift(self.tables.items[number])
        for number in changed:
            seat = seats[number]
            if seat is not None:
                self.put(self.tables.items[number], seat[0], seat[1])


class Evaluator:
    """Holds the free items of a problem at places; pinned items stand from the start and cannot be touched.

    Legality is not judged here: any place that shares no cell with another item has a cost. Whether a place is an
    embedding is derived from the lessons. An unknown or pinned item id is a KeyError.
    """

    def __init__(self, problem: Problem, placements: Iterable[Placement] = ()) -> None:
        self.problem = problem
        self._tables = Tables(problem)
        self._layout = Layout(self._tables)
        self._items = {item.item.id: item for item in self._tables.items}
        for placement in placements:
            if placement.task_item_id in self._items:
                self.place(placement.task_item_id, placement.place)

    @property
    def total(self) -> int:
        return self._layout.total

    def place_of(self, item_id: int) -> Place | None:
        item = self._items[item_id]
        seat = self._layout.seats[item.number]
        return None if seat is None else Place(seat[0], seat[1].first, item.length)

    def place(self, item_id: int, place: Place) -> int:
        """Puts an item at a place, from wherever it was; returns the change of the total."""
        before = self._layout.total
        self.unplace(item_id)
        item = self._items[item_id]
        self._layout.put(item, place.day, spot_at(item, place))
        return self._layout.total - before

    def unplace(self, item_id: int) -> int:
        item = self._items[item_id]
        return 0 if self._layout.seats[item.number] is None else self._layout.lift(item)

    def swap_delta(self, one_id: int, other_id: int) -> int:
        """Returns what exchanging the first cells of two placed items would change; the plan stays as it is."""
        one, other = self._items[one_id], self._items[other_id]
        one_place, other_place = self.place_of(one_id), self.place_of(other_id)
        assert one_place is not None, "only placed items are exchanged"
        assert other_place is not None, "only placed items are exchanged"
        seats = self._layout.seats[one.number], self._layout.seats[other.number]
        delta = self.unplace(one_id) + self.unplace(other_id)
        delta += self.place(one_id, Place(other_place.day, other_place.first, one.length))
        delta += self.place(other_id, Place(one_place.day, one_place.first, other.length))
        self.unplace(one_id)
        self.unplace(other_id)
        self._return(one, seats[0])
        self._return(other, seats[1])
        return delta

    def _return(self, item: ItemTable, seat: Seat | None) -> None:
        if self._layout.seats[item.number] is not None:
            self._layout.lift(item)
        if seat is not None:
            self._layout.put(item, *seat)
