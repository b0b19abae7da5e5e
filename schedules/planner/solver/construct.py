"""The constructive pass: items one by one at the least marginal cost, keeping room for later siblings."""

from __future__ import annotations

from schedules.planner.cost.constants import AFTER_ALL, BEFORE_ALL
from schedules.planner.grid import Cell
from schedules.planner.solver.class_tables import ROOM_FOR_RELIEF, ClassTable, ItemTable
from schedules.planner.solver.layout import Layout, Seat

NEAR_COST = 25
"""A steady item is first tried where the target part costs at most this much."""
ROUNDS = 8
"""How often all classes are seated anew at most while items are left over."""

Found = tuple[int, Seat]
"""What a seat costs, and the seat."""


def construct(layout: Layout) -> None:
    """Seats the free items of all classes, classes with the nearest end first.

    While items are left over, all classes are seated anew with those that lacked room in front (squeaky wheel
    optimization; Joslin and Clements, 1999), and the cheapest of these plans stands.
    """
    order = sorted(layout.tables.classes, key=lambda one: (one.task_class.end_day, one.task_class.id))
    tried: set[tuple[int, ...]] = set()
    best: tuple[int, list[Seat | None]] | None = None
    for _ in range(ROUNDS):
        for owner in order:
            construct_class(layout, owner)
        if best is None or layout.total < best[0]:
            best = layout.total, layout.snapshot()
        tried.add(tuple(owner.index for owner in order))
        missing = {owner.index: sum(layout.seats[item.number] is None for item in owner.items) for owner in order}
        order = sorted(order, key=lambda one: -missing[one.index])
        if layout.complete or tuple(owner.index for owner in order) in tried:
            break
        layout.restore([None] * len(layout.seats))
    if best is not None:
        layout.restore(best[1])


def construct_class(layout: Layout, owner: ClassTable) -> None:
    """Seats the items of a class in rank order, none later than its siblings can bear."""
    kept = [item for item, _ in earliest_seats(layout, owner)]
    latest = _latest_seats(layout, kept)
    after = BEFORE_ALL
    for item, until in zip(kept, latest, strict=True):
        seat = _cheapest_seat(layout, item, after, until)
        layout.put(item, *seat)
        after = (seat[0], seat[1].last)


def earliest_seats(layout: Layout, owner: ClassTable) -> list[tuple[ItemTable, Seat]]:
    """Returns the items that find a place when each takes its earliest one in rank order, with those places."""
    found: list[tuple[ItemTable, Seat]] = []
    after = BEFORE_ALL
    blocked: dict[int, int] = {}
    for item in owner.items:
        for day in item.segment.masks:
            if day < after[0]:
                continue
            closed = blocked.setdefault(day, layout.kinds[day].blocked(layout.keys[day]))
            spots = owner.spots(item.segment, item.length, day)
            open_spots = (s for s in (spots.spots if spots else ()) if not s.claim & closed and (day, s.first) > after)
            spot = next(open_spots, None)
            if spot is not None:
                found.append((item, (day, spot)))
                after = (day, spot.last)
                blocked[day] |= spot.claim
                break
    return found


def _latest_seats(layout: Layout, kept: list[ItemTable]) -> list[Cell]:
    """Returns first cells of the latest seats that let every following item be seated as well."""
    before = AFTER_ALL
    found: list[Cell] = []
    blocked: dict[int, int] = {}
    for item in reversed(kept):
        before, claim = _latest(layout, item, before, blocked)
        blocked[before[0]] |= claim
        found.append(before)
    return found[::-1]


def _latest(layout: Layout, item: ItemTable, before: Cell, blocked: dict[int, int]) -> tuple[Cell, int]:
    for day in reversed(item.segment.masks):
        if day > before[0]:
            continue
        closed = blocked.setdefault(day, layout.kinds[day].blocked(layout.keys[day]))
        spots = item.owner.spots(item.segment, item.length, day)
        for spot in reversed(spots.spots if spots else ()):
            if not spot.claim & closed and (day, spot.last) < before:
                return (day, spot.first), spot.claim
    raise AssertionError("items that fit from the front fit from the back")


def _cheapest_seat(layout: Layout, item: ItemTable, after: Cell, until: Cell) -> Seat:
    """Returns the cheapest seat behind one cell and not behind another; a steady item looks around its target first."""
    days = [day for day in item.segment.masks if after[0] <= day <= until[0]]
    best: Found | None = None
    if item.owner.steady and item.segment.capacity > 0:
        low, high = item.owner.window(item, NEAR_COST)
        best = _cheapest_on([day for day in days if low <= day <= high], layout, item, (after, until))
        if best is not None:
            reach = item.owner.window(item, best[0] + ROOM_FOR_RELIEF)
            days = [day for day in days if reach[0] <= day < low or high < day <= reach[1]]
    found = min(filter(None, (best, _cheapest_on(days, layout, item, (after, until)))), key=_order_key)
    return found[1]


def _cheapest_on(days: list[int], layout: Layout, item: ItemTable, bounds: tuple[Cell, Cell]) -> Found | None:
    best: Found | None = None
    for day in days:
        spots = item.owner.spots(item.segment, item.length, day)
        if spots is None:
            continue
        crowd = layout.crowd_delta(item.owner, day, item.blocks)
        row = item.row(day)
        if best is not None and min(row) + crowd - ROOM_FOR_RELIEF >= best[0]:
            continue
        for cost, (spot,) in spots.singles(layout.keys[day]):
            if bounds[0] < (day, spot.first) <= bounds[1]:
                total = cost + crowd + row[spot.first]
                if best is None or total < best[0] or (total == best[0] and (day, spot.first) < _order_key(best)[1:]):
                    best = (total, (day, spot))
    return best


def _order_key(found: Found) -> tuple[int, int, int]:
    total, (day, spot) = found
    return total, day, spot.first
