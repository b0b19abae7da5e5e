"""Re-planning with least change: what no longer stands is repaired with few moves, each with its reason. PURE."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from schedules.planner.grid import Place
from schedules.planner.layout import Layout, Seat
from schedules.planner.moves import best_seat, free_bounds
from schedules.planner.problem import Placement, Problem, check_problem
from schedules.planner.reasons import NOT_COUNTED, day_masks, first_broken_but_order
from schedules.planner.relay import NEVER, Alone, Freedom
from schedules.planner.rough_build import Plan, plan_of
from schedules.planner.rules import Rule
from schedules.planner.tables import ItemTable, Tables, spot_at

MAKES_ROOM = "makes_room"
"""Reason of a move that only lets another item find a place."""
A_DAY = 16


@dataclass(frozen=True)
class Moved:
    """A kept item that stands elsewhere now, or nowhere: `reason` is the rule its old place breaks, or makes_room."""

    task_item_id: int
    before: Place
    after: Place | None
    reason: str


@dataclass(frozen=True)
class Replanned:
    """`moves` in canonical item order; those with a new place are at most as many as were allowed."""

    plan: Plan
    moves: tuple[Moved, ...]


def plan_keeping(problem: Problem, *, keep: Iterable[Placement], max_moves: int) -> Replanned:
    """Keep the placements that still obey the rules and repair the others with at most `max_moves` moves.

    A move is a kept item that gets another place; when none is left, what is broken loses its place. Free items that
    were not placed before are placed where that needs no further move. Kept places may be ones that only a person
    would choose (not aligned, across a day part). Raises ProblemError for a problem that contradicts itself.
    """
    check_problem(problem)
    repair = _Repair(Layout(Tables(problem)), keep, max_moves)
    repair.run()
    return Replanned(plan_of(repair.layout), repair.moves())


class _Repair:
    def __init__(self, layout: Layout, keep: Iterable[Placement], max_moves: int) -> None:
        self.layout = layout
        self.left = max_moves
        self.items = {item.item.id: item for item in layout.tables.items}
        kept = sorted((one for one in keep if one.task_item_id in self.items), key=lambda one: one.sort_key)
        self.kept = {one.task_item_id: one.place for one in kept}
        self.reasons: dict[int, str] = {}
        for one in kept:
            item = self.items[one.task_item_id]
            rule = self._broken(item, one.place)
            if rule is None:
                layout.put(item, one.place.day, spot_at(item, one.place))
            else:
                self.reasons[one.task_item_id] = rule.value

    def _broken(self, item: ItemTable, place: Place) -> Rule | None:
        """The first rule a kept place breaks, given what stands already; alignment is the planner's wish only."""
        task_class, grid = item.owner.task_class, self.layout.tables.grid
        if not grid.contains(place):
            return Rule.OUTSIDE_SEMESTER
        if place.length != item.length:
            return Rule.WRONG_LENGTH
        if not task_class.start_day <= place.day <= task_class.end_day:
            return Rule.OUTSIDE_CLASS_WINDOW
        span, masks = (place.first, place.length), day_masks(self.layout, place.day)
        rule = first_broken_but_order(self.layout, item.owner, place.day, span, masks, ignore=NOT_COUNTED)
        if rule is not None:
            return rule
        low, high = free_bounds(self.layout, item)
        low, high = max(low, item.segment.low), min(high, item.segment.high)
        if place.cell <= low:
            return Rule.ORDER_BEFORE
        return Rule.ORDER_AFTER if place.end_cell >= high else None

    def run(self) -> None:
        """Broken items first, then those that never had a place."""
        tables = self.layout.tables
        for item in (one for one in tables.items if one.item.id in self.reasons):
            if self.left > 0 and (self._seat(item) or self._seat_with_siblings(item)):
                self.left -= 1
        for item in (one for one in tables.items if one.item.id not in self.kept):
            if not self._seat(item):
                self._seat_with_siblings(item)

    def _seat(self, item: ItemTable) -> bool:
        found = best_seat(self.layout, item, item.unplaced)
        if found is not None:
            self.layout.put(item, *found[1])
        return found is not None

    def _seat_with_siblings(self, item: ItemTable) -> bool:
        """Move as few neighbours in rank as possible so that the item finds a place; spends their moves."""
        siblings = item.owner.items
        index = item.number - siblings[0].number
        spare = self.left - (1 if item.item.id in self.reasons else 0)
        for others in range(1, min(spare, len(siblings) - 1) + 1):
            spans = [range(first, first + others + 1) for first in range(index - others, index + 1)]
            for span in spans:
                if span.start >= 0 and span.stop <= len(siblings) and self._relay_span(item, span, spare):
                    return True
        return False

    def _relay_span(self, item: ItemTable, span: range, spare: int) -> bool:
        layout, owner = self.layout, item.owner
        items = owner.items[span.start : span.stop]
        before = [layout.seats[one.number] for one in items]
        if any(seat is None for one, seat in zip(items, before, strict=True) if one is not item):
            return False
        for one, seat in zip(items, before, strict=True):
            if seat is not None:
                layout.lift(one)
        window = self._days_between(items)
        alone = Alone(layout, owner, Freedom([window] * len(items), A_DAY, leave_out=False), owner.day_range, span=span)
        after = alone.seats() if alone.least < NEVER else before
        moved = sum(one is not item and new != old for one, new, old in zip(items, after, before, strict=True))
        fits = alone.least < NEVER and moved <= spare
        self._put_all(items, after if fits else before)
        if fits:
            self.left -= moved
        return fits

    def _days_between(self, items: list[ItemTable]) -> tuple[int, int]:
        """The days strictly between the days of the siblings around."""
        return free_bounds(self.layout, items[0])[0][0] + 1, free_bounds(self.layout, items[-1])[1][0] - 1

    def _put_all(self, items: list[ItemTable], seats: list[Seat | None]) -> None:
        for one, seat in zip(items, seats, strict=True):
            if seat is not None:
                self.layout.put(one, *seat)

    def moves(self) -> tuple[Moved, ...]:
        found = []
        for item in self.layout.tables.items:
            before, seat = self.kept.get(item.item.id), self.layout.seats[item.number]
            after = Place(seat[0], seat[1].first, item.length) if seat else None
            if before is not None and after != before:
                found.append(Moved(item.item.id, before, after, self.reasons.get(item.item.id, MAKES_ROOM)))
        return tuple(found)
