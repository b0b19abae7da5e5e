"""How much room for manoeuvre the plan leaves near its problems."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from schedules.planner.diagnosis.issues import Issue
from schedules.planner.diagnosis.plan_facts import Picture
from schedules.planner.diagnosis.rhythm_days import Block, two_decimals
from schedules.planner.draft.legal import Bounds, Found, FreeCells
from schedules.planner.draft.state import Spot
from schedules.planner.rules.placement import Subject

REACH = 3
"""Days to either side that count as near."""

ALTERNATIVES_MAX, SWAPS_MAX, LOOSE_FROM = 4, 12, 4


class Room:
    """Tells where movable items could go, asked of one picture: the legal planner places of each, its own left free."""

    def __init__(self, picture: Picture) -> None:
        self.picture = picture
        state = picture.scene.state
        self.cells = FreeCells(state.board(), state.situation(planner=True))
        self._subjects: dict[int, Subject] = {}
        self._bounds: dict[int, Bounds] = {}

    @cached_property
    def movable(self) -> list[Block]:
        """Returns movable blocks in time order."""
        return [block for _, shape in self.picture.days for block in shape.blocks if block.movable]

    def subject(self, block: Block) -> Subject:
        found = self._subjects.get(block.item_id)
        if found is None:
            state = self.picture.scene.state
            entry = state.task(block.state_id)
            assert entry is not None
            found = self._subjects[block.item_id] = state.subject(entry)
        return found

    def bounds(self, block: Block) -> Bounds:
        """Returns what the siblings leave; the item itself is none of them."""
        found = self._bounds.get(block.item_id)
        if found is None:
            found = self._bounds[block.item_id] = self.cells.bounds(self.subject(block))
        return found

    def days(self, block: Block) -> range:
        return self.cells.days(self.subject(block), self.bounds(block))

    def near_days(self, block: Block) -> Iterable[int]:
        days, own = self.days(block), block.place.day
        return range(max(days.start, own - REACH), min(days.stop - 1, own + REACH) + 1)

    def places_on(self, block: Block, day: int) -> list[Found]:
        """Lists legal planner places of one day but its own place, by first section; the block must be lifted."""
        subject = self.subject(block)
        found = self.cells.on_day(subject, day, self.bounds(block))
        return [(place, host) for place, host in found if place != block.place]

    def lift(self, block: Block) -> None:
        self.cells.lift(self.cells.item(block.class_id, block.item_id))

    def put_back(self, block: Block) -> None:
        entry = self.picture.scene.state.task(block.state_id)
        assert entry is not None
        self.cells.put(self.picture.scene.state.seat(entry, Spot(block.place, block.host_event_id)))

    def may_swap(self, one: Block, other: Block) -> bool:
        """Tells whether two movable items of different classes and equal length may exchange their places.

        Both places stay taken by exactly one of the two, so occupation need not be asked again.
        """
        if one.class_id == other.class_id or one.place.length != other.place.length:
            return False
        return self._admits(one, other) and self._admits(other, one)

    def _admits(self, block: Block, seat: Block) -> bool:
        low, high = self.bounds(block)
        if not (low < seat.place.cell and seat.place.end_cell < high):
            return False
        return self.cells.admits(self.subject(block), Spot(seat.place, seat.host_event_id), (low, high))

    def alternatives(self, block: Block) -> int:
        """Returns legal planner places within reach, counted up to four."""
        count = 0
        self.lift(block)
        for day in self.near_days(block):
            count += len(self.places_on(block, day))
            if count >= ALTERNATIVES_MAX:
                break
        self.put_back(block)
        return min(count, ALTERNATIVES_MAX)

    @cached_property
    def movable_on(self) -> dict[int, list[Block]]:
        """Returns movable blocks by day number, each day in time order."""
        days: dict[int, list[Block]] = {}
        for block in self.movable:
            days.setdefault(block.place.day, []).append(block)
        return days

    def near_swaps(self, block: Block) -> list[Block]:
        own = block.place.day
        near = (other for day in range(own - REACH, own + REACH + 1) for other in self.movable_on.get(day, ()))
        return [other for other in near if self.may_swap(block, other)]


@dataclass(frozen=True)
class Tightness:
    """Holds metrics.tightness; `swaps` counts different pairs, up to twelve."""

    movable: int
    alternatives: int
    sample: int
    swaps: int
    forced_days: int

    @property
    def level(self) -> str:
        if self.movable == 0 and self.swaps == 0:
            return "locked"
        many = self.movable >= min(LOOSE_FROM, self.sample)
        return "loose" if many and (self.alternatives >= 2 * self.sample or self.swaps >= 2) else "tight"

    def to_json(self) -> dict[str, Any]:
        return {
            "locally_movable_task_count": self.movable,
            "avg_local_alternative_slots": two_decimals(self.alternatives, self.sample),
            "cross_class_swap_options": self.swaps,
            "forced_heavy_adjacent_days": self.forced_days,
            "tightness_level": self.level,
        }


def tightness_of(room: Room, issues: Iterable[Issue]) -> Tightness:
    """Measures the movable items on the days of the problems and their neighbours, else all movable items."""
    focus = {day + step for issue in issues if issue.driver for day in issue.days for step in (-1, 0, 1)}
    index_of = room.picture.scene.index_of
    sample = [block for block in room.movable if index_of(block.place.day) in focus] or room.movable
    counts = {block.item_id: room.alternatives(block) for block in sample}
    swaps = {block.item_id: room.near_swaps(block) for block in sample}
    pairs = {frozenset((one, other.item_id)) for one, others in swaps.items() for other in others}
    return Tightness(
        movable=sum(count > 0 for count in counts.values()),
        alternatives=sum(counts.values()),
        sample=len(sample),
        swaps=min(len(pairs), SWAPS_MAX),
        forced_days=_forced_days(room, counts, swaps),
    )


def _forced_days(room: Room, counts: dict[int, int], swaps: dict[int, list[Block]]) -> int:
    """Returns days with a heavy pair that no move and no exchange of its members can part."""

    def stuck(block: Block) -> bool:
        if not block.movable:
            return True
        count = counts.get(block.item_id)
        return not (room.alternatives(block) if count is None else count) and not (
            swaps[block.item_id] if block.item_id in swaps else room.near_swaps(block)
        )

    return sum(any(all(stuck(block) for block in pair) for pair in shape.heavy_pairs) for _, shape in room.picture.days)
