"""The cost of a plan kept incrementally: what a write or an exchange changes.

Always equal to `objective.evaluate` of the same placements; a question costs microseconds, not a recomputation.
"""

from __future__ import annotations

from collections.abc import Iterable

from schedules.planner.grid import Place
from schedules.planner.problem import Placement, Problem
from schedules.planner.solver.layout import Layout, Seat
from schedules.planner.solver.tables import ItemTable, Tables, spot_at


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
        """Put an item at a place, from wherever it was; returns the change of the total."""
        before = self._layout.total
        self.unplace(item_id)
        item = self._items[item_id]
        self._layout.put(item, place.day, spot_at(item, place))
        return self._layout.total - before

    def unplace(self, item_id: int) -> int:
        item = self._items[item_id]
        return 0 if self._layout.seats[item.number] is None else self._layout.lift(item)

    def swap_delta(self, one_id: int, other_id: int) -> int:
        """What exchanging the first cells of two placed items would change; the plan stays as it is."""
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
