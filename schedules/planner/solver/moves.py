"""Single moves of the search: one item between its siblings, and the exchange of two items."""

from __future__ import annotations

from schedules.planner.cost.constants import AFTER_ALL, BEFORE_ALL
from schedules.planner.grid import Cell
from schedules.planner.solver.class_tables import ROOM_FOR_RELIEF, ItemTable
from schedules.planner.solver.day_spots import DaySpot
from schedules.planner.solver.layout import Layout, Seat

Exchanged = tuple[ItemTable, int, DaySpot, DaySpot]
"""An item, its day and spot, and the spot it would have where the other one sits."""


def free_bounds(layout: Layout, item: ItemTable) -> tuple[Cell, Cell]:
    """Returns (end of the nearest seated free sibling before, begin of the nearest behind); pins bound the segment."""
    low, high = BEFORE_ALL, AFTER_ALL
    siblings, seats = item.owner.items, layout.seats
    first, last = siblings[0].number, siblings[-1].number
    for number in range(item.number - 1, first - 1, -1):
        seat = seats[number]
        if seat is not None:
            low = (seat[0], seat[1].last)
            break
    for number in range(item.number + 1, last + 1):
        seat = seats[number]
        if seat is not None:
            high = (seat[0], seat[1].first)
            break
    return low, high


def best_seat(layout: Layout, item: ItemTable, limit: int) -> tuple[int, Seat] | None:
    """Returns the cheapest legal seat of a lifted item between its siblings, if it costs less than `limit`."""
    low, high = free_bounds(layout, item)
    best, found = limit, None
    owner = item.owner
    for day in owner.days_between(item.segment, low[0], high[0]):
        offer = item.offer(day)
        if offer is None:
            continue
        spots, row, least = offer
        base = layout.crowd_delta(owner, day, item.blocks)
        if least + base - ROOM_FOR_RELIEF >= best:
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


def exchange(layout: Layout, one: ItemTable, other: ItemTable) -> bool:
    """Lets two seated items of different classes change their first cells if that is legal and lowers the total."""
    one_seat, other_seat = layout.seats[one.number], layout.seats[other.number]
    assert one_seat is not None, "only seated items are exchanged"
    assert other_seat is not None, "only seated items are exchanged"
    new_one, new_other = _spot_at(one, other_seat), _spot_at(other, one_seat)
    if new_one is None or new_other is None:
        return False
    if not _is_between(layout, one, other_seat[0], new_one) or not _is_between(layout, other, one_seat[0], new_other):
        return False
    delta = _exchange_delta(layout, (one, *one_seat, new_one), (other, *other_seat, new_other))
    if delta is None or delta >= 0:
        return False
    layout.lift(one)
    layout.lift(other)
    layout.put(one, other_seat[0], new_one)
    layout.put(other, one_seat[0], new_other)
    return True


def _exchange_delta(layout: Layout, one: Exchanged, other: Exchanged) -> int | None:
    """Returns what an exchange changes, None when a cell is taken or it cannot pay; the layout stays as it is."""
    (item, day, old, new), (guest, away, left, taken) = one, other
    keys = layout.keys
    here, there = layout.kinds[day], layout.kinds[away]
    delta = new.fit + taken.fit - old.fit - left.fit
    delta += item.own_cost(away, new.first) - item.own_cost(day, old.first)
    delta += guest.own_cost(day, taken.first) - guest.own_cost(away, left.first)
    if day == away:
        key = keys[day] - old.add - left.add
        if new.claim & here.blocked(key) or taken.claim & here.blocked(key + new.add):
            return None
        return delta + here.cost(key + new.add + taken.add) - here.cost(keys[day])
    delta -= here.cost(keys[day]) + there.cost(keys[away])
    if delta >= _carry_most(layout, item, day) + _carry_most(layout, guest, away):
        return None
    key, key_away = keys[day] - old.add, keys[away] - left.add
    if new.claim & there.blocked(key_away) or taken.claim & here.blocked(key):
        return None
    delta += here.cost(key + taken.add) + there.cost(key_away + new.add)
    return delta + _carry_delta(layout, item, day, away) + _carry_delta(layout, guest, away, day)


def _carry_most(layout: Layout, item: ItemTable, day: int) -> int:
    """Bounds what leaving its day saves an item in cluster."""
    owner = item.owner
    return owner.crowd(layout.blocks[owner.index][day]) + 2 * owner.apart


def _carry_delta(layout: Layout, item: ItemTable, day: int, away: int) -> int:
    """Returns what moving an item to another day changes in cluster."""
    owner, blocks = item.owner, item.blocks
    days, crowd = layout.blocks[owner.index], owner.crowd
    here, there = days[day], days.get(away, 0)
    delta = crowd(here - blocks) - crowd(here) + crowd(there + blocks) - crowd(there)
    if owner.apart:
        left = here == blocks
        if left:
            delta -= owner.apart * ((day - 1 in days) + (day + 1 in days))
        if not there:
            near = (away - 1 in days) + (away + 1 in days)
            delta += owner.apart * (near - (left and abs(day - away) == 1))
    return delta


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


def _spot_at(item: ItemTable, seat: Seat) -> DaySpot | None:
    """Finds the spot of an item that begins where another one sits."""
    offer = item.offer(seat[0])
    return None if offer is None else offer[0].by_first.get(seat[1].first)


def _is_between(layout: Layout, item: ItemTable, day: int, spot: DaySpot) -> bool:
    """Tells whether a spot lies between the siblings of an item."""
    low, high = free_bounds(layout, item)
    return low < (day, spot.first) and (day, spot.last) < high
