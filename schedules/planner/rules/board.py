"""The others: who owns which cell, who is whose guest, where the siblings of a class lie."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from schedules.planner.grid import Cell, Grid, Place


@dataclass(frozen=True, slots=True)
class Occupant:
    """Holds an event that owns its cells; `can_embed` only for a course that may host a task."""

    id: int
    name: str
    type: str
    place: Place
    can_embed: bool


@dataclass(frozen=True, slots=True)
class PlacedItem:
    """Holds an item at its place; a guest names its host and owns no cells of its own.

    `past_before`: it has begun, seen from this cell; what stands from there on need not come before it.
    """

    item_id: int
    class_id: int
    order: int
    name: str
    place: Place
    host_event_id: int | None
    past_before: Cell | None = None

    @property
    def rank(self) -> tuple[int, int]:
        return (self.order, self.item_id)


class Board:
    """Holds the occupancy of a whole plan. Mutable: `put` and `lift` set items down and take them up in O(length).

    Two items may be set down on one cell: that is how a final picture with a clash is described and judged. Of events
    that share a cell the last one owns it.
    """

    def __init__(self, grid: Grid, events: Iterable[Occupant], items: Iterable[PlacedItem] = ()) -> None:
        self.grid = grid
        self._events: dict[int, Occupant] = {}
        self._event_cells: dict[Cell, Occupant] = {}
        self._item_cells: dict[Cell, list[PlacedItem]] = {}
        self._guests: dict[int, list[PlacedItem]] = {}
        self._items: dict[int, PlacedItem] = {}
        self._classes: dict[int, list[PlacedItem]] = {}
        for event in events:
            self._events[event.id] = event
            for section in event.place.sections:
                self._event_cells[(event.place.day, section)] = event
        for item in items:
            self.put(item)

    def put(self, item: PlacedItem) -> None:
        self._items[item.item_id] = item
        self._classes.setdefault(item.class_id, []).append(item)
        if item.host_event_id is not None:
            self._guests.setdefault(item.host_event_id, []).append(item)
            return
        for section in item.place.sections:
            self._item_cells.setdefault((item.place.day, section), []).append(item)

    def lift(self, item_id: int) -> PlacedItem | None:
        """Takes an item up and returns what it was; None when it is not on the board."""
        item = self._items.pop(item_id, None)
        if item is None:
            return None
        self._classes[item.class_id].remove(item)
        if item.host_event_id is not None:
            self._guests[item.host_event_id].remove(item)
            return item
        for section in item.place.sections:
            self._item_cells[(item.place.day, section)].remove(item)
        return item

    def event(self, event_id: int) -> Occupant | None:
        return self._events.get(event_id)

    def event_at(self, day: int, section: int) -> Occupant | None:
        return self._event_cells.get((day, section))

    def events(self) -> Iterator[Occupant]:
        return iter(self._events.values())

    def items_at(self, day: int, section: int) -> Collection[PlacedItem]:
        """Returns items standing free on a cell (guests are asked through their host)."""
        return self._item_cells.get((day, section), ())

    def guests_of(self, event_id: int) -> Collection[PlacedItem]:
        return self._guests.get(event_id, ())

    def item(self, item_id: int) -> PlacedItem | None:
        return self._items.get(item_id)

    def items(self) -> Iterator[PlacedItem]:
        return iter(self._items.values())

    def siblings(self, class_id: int) -> Collection[PlacedItem]:
        """Returns all placed items of a class, in no particular order."""
        return self._classes.get(class_id, ())

    def host_at(self, place: Place) -> int | None:
        """Returns the embeddable occurrence a place lies wholly inside: host mode `derive`, made explicit."""
        event = self.event_at(place.day, place.first)
        return event.id if event is not None and event.can_embed and place.inside(event.place) else None
