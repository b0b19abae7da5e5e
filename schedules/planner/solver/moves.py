"""Single moves of the search: one item between its siblings, and the exchange of two items."""

from __future__ import annotations

from collections.abc import Iterator

from schedules.planner.cost.constants import AFTER_ALL, BEFORE_ALL
from schedules.planner.grid import Cell
from schedules.planner.solver.class_tables import ROOM_FOR_RELIEF, ItemTable
from schedules.planner.solver.layout import Layout, Seat


def free_bounds(layout: Layout, item: ItemTable) -> tuple[Cell, Cell]:
    """Returns (end of the nearest seated free sibling before, begin of the nearest behind); pins bound the segment."""
    low, high = BEFORE_ALL, AFTER_ALL
    siblings = item.owner.items
    index = item.number - siblings[0].number
    for other in reversed(siblings[:index]):
        seat = layout.seats[other.number]
        if seat is not None:
            low = (seat[0], seat[1].last)
            break
    for other in siblings[index + 1 :]:
        seat = layout.seats[other.number]
        if seat is not None:
            high = (seat[0], seat[1].first)
            break
    return low, high


def best_seat(layout: Layout, item: ItemTable, limit: int) -> tuple[int, Seat] | None:
    """Returns the cheapest legal seat of a lifted item between its siblings, if it costs less than `limit`."""
    low, high = free_bounds(layout, item)
    best, found = limit, None
    owner = item.owner
    for day in item.segment.masks:
        if day < low[0]:
            continue
        if day > high[0]:
            break
        spots = owner.spots(item.segment, item.length, day)
        if spots is None:
            continue
        base = layout.crowd_delta(owner, day, item.blocks)
        row = item.row(day)
        if min(row) + base - ROOM_FOR_RELIEF >= best:
            continue
        for cost, (spot,) in spots.singles(layout.keys[day]):
            total = cost + base + row[spot.first]
            if total < best and low < (day, spot.first) and (day, spot.last) < high:
                best, found = total, (day, spot)
    return None if found is None else (best, found)


def relocate(layout: Layout, item: ItemTable) -> bool:
    """Moves (or places) an item where the plan is cheapest; True when that lowered the total."""
    before = layout.total
    seat = layout.seats[item.number]
    if seat is not None:
        layout.lift(item)
    found = best_seat(layout, item, before - layout.total + item.unplaced)
    if found is not None:
        layout.put(item, *found[1])
        return True
    if seat is not None:
        layout.put(item, *seat)
    return False


def exchange_partners(layout: Layout, item: ItemTable) -> Iterator[ItemTable]:
    """Yields seated items of later classes that begin between the siblings of an item."""
    low, high = free_bounds(layout, item)
    for other in layout.tables.items[item.owner.items[-1].number + 1 :]:
        seat = layout.seats[other.number]
        if seat is not None and low < (seat[0], seat[1].first) < high:
            yield other


def exchange(layout: Layout, one: ItemTable, other: ItemTable) -> bool:
    """Lets two seated items of different classes change their first cells if that is legal and lowers the total."""
    one_seat, other_seat = layout.seats[one.number], layout.seats[other.number]
    assert one_seat is not None, "only seated items are exchanged"
    assert other_seat is not None, "only seated items are exchanged"
    new_one, new_other = _seat_at(layout, one, other_seat), _seat_at(layout, other, one_seat)
    if new_one is None or new_other is None:
        return False
    before = layout.total
    layout.lift(one)
    layout.lift(other)
    if layout.is_open(*new_one):
        layout.put(one, *new_one)
        if layout.is_open(*new_other):
            layout.put(other, *new_other)
            if layout.total < before:
                return True
            layout.lift(other)
        layout.lift(one)
    layout.put(one, *one_seat)
    layout.put(other, *other_seat)
    return False


def seat_by_displacing(layout: Layout, item: ItemTable) -> bool:
    """Seats an item that has no seat where just one item of another class is in the way, if that lowers the total.

    The other one moves to its best remaining seat, or loses its own when that is the lesser evil.
    """
    low, high = free_bounds(layout, item)
    sitting: dict[int, list[ItemTable]] = {}
    for other in layout.tables.items:
        seat = layout.seats[other.number]
        if seat is not None and other.owner is not item.owner:
            sitting.setdefault(seat[0], []).append(other)
    for day in item.segment.masks:
        spots = item.owner.spots(item.segment, item.length, day) if low[0] <= day <= high[0] else None
        for spot in spots.spots if spots else ():
            if low < (day, spot.first) and (day, spot.last) < high:
                in_the_way = [one for one in sitting.get(day, ()) if _claim(layout, one) & spot.claim]
                if len(in_the_way) == 1 and _try_seat_of(layout, item, (day, spot), in_the_way[0]):
                    return True
    return False


def _claim(layout: Layout, item: ItemTable) -> int:
    seat = layout.seats[item.number]
    return seat[1].claim if seat else 0


def _try_seat_of(layout: Layout, item: ItemTable, seat: Seat, other: ItemTable) -> bool:
    before, other_seat = layout.total, layout.seats[other.number]
    assert other_seat is not None, "it was in the way"
    layout.lift(other)
    if layout.is_open(*seat):
        layout.put(item, *seat)
        found = best_seat(layout, other, other.unplaced)
        if found is not None:
            layout.put(other, *found[1])
        if layout.total < before:
            return True
        if found is not None:
            layout.lift(other)
        layout.lift(item)
    layout.put(other, *other_seat)
    return False


def _seat_at(layout: Layout, item: ItemTable, seat: Seat) -> Seat | None:
    """Finds the seat of an item that begins where another one sits, if it is legal between the item's siblings."""
    day, first = seat[0], seat[1].first
    spots = item.owner.spots(item.segment, item.length, day)
    spot = spots.by_first.get(first) if spots else None
    low, high = free_bounds(layout, item)
    return (day, spot) if spot is not None and low < (day, first) and (day, spot.last) < high else None
