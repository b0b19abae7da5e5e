"""A plan as the diagnosis looks at it: blocks per day and class, the constants of its problem, its cost.

A picture is immutable; `moved` gives the picture after a write and shares every day that the write does not touch.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property

from schedules.planner.cost.constants import Constants, constants_of
from schedules.planner.diagnosis.rhythm_days import Block, DayShape
from schedules.planner.draft.adapter import placements_of, whole_problem
from schedules.planner.draft.state import ScheduleState, Spot
from schedules.planner.grid import Place
from schedules.planner.problem import Placement, Problem

Blocks = Mapping[int, Block]
"""Item id -> its block, placed items only."""


class PlanFrame:
    """Tells what stays the same under any move of movable items: the draft, its problem and constants."""

    def __init__(self, state: ScheduleState) -> None:
        self.state = state
        self.problem: Problem = whole_problem(state)
        self.constants: Constants = constants_of(self.problem)
        self.placements: tuple[Placement, ...] = placements_of(state)
        today = state.now[0] if state.now is not None else 1
        self.first_day = max(state.window.first_day, today)
        self.blocks = {block.item_id: block for block in self._blocks()}

    def _blocks(self) -> Iterator[Block]:
        for entry in self.state.items():
            spot = self.state.spot_of(entry)
            if spot is None:
                continue
            meta, now = self.state.class_of(entry), self.state.now
            future = now is None or spot.place.cell >= now
            yield Block(
                state_id=entry.state_id,
                item_id=entry.source_id,
                class_id=meta.id,
                subject_type=meta.rules.subject_type,
                high=meta.rules.high,
                place=spot.place,
                host_event_id=spot.host_event_id,
                movable=entry.status == "suggested" and future and not entry.kept,
            )

    def is_diagnosed(self, place: Place) -> bool:
        """Tells whether the diagnosis looks at that day: from today on, inside the window."""
        return self.first_day <= place.day <= self.state.window.last_day

    def index_of(self, day: int) -> int:
        return self.state.window.index_of(day)


class Picture:
    """Holds one arrangement of the blocks of a scene."""

    def __init__(self, scene: PlanFrame, blocks: Blocks, shapes: Mapping[int, DayShape] | None = None) -> None:
        self.scene = scene
        self.blocks = blocks
        self.shapes: Mapping[int, DayShape] = self._all_shapes() if shapes is None else shapes

    def _all_shapes(self) -> dict[int, DayShape]:
        days: dict[int, list[Block]] = {}
        for block in self.blocks.values():
            if self.scene.is_diagnosed(block.place):
                days.setdefault(block.place.day, []).append(block)
        return {day: DayShape(self.scene.state.grid, days[day]) for day in sorted(days)}

    @cached_property
    def days(self) -> list[tuple[int, DayShape]]:
        """Returns (day index, shape) of the days with a block, in order."""
        return [(self.scene.index_of(day), self.shapes[day]) for day in sorted(self.shapes)]

    @cached_property
    def by_class(self) -> dict[int, list[Block]]:
        """Returns the blocks the diagnosis sees, by class, each class in time order."""
        classes: dict[int, list[Block]] = {}
        for _, shape in self.days:
            for block in shape.blocks:
                classes.setdefault(block.class_id, []).append(block)
        return classes

    def with_moves(self, spots: Mapping[int, Spot]) -> Picture:
        """Returns the picture with these items (by id) at other spots."""
        blocks = dict(self.blocks)
        touched: set[int] = set()
        for item_id, spot in spots.items():
            old = blocks[item_id]
            touched |= {old.place.day, spot.place.day}
            blocks[item_id] = _block_at(old, spot)
        shapes = {day: shape for day, shape in self.shapes.items() if day not in touched}
        for day in touched:
            found = [block for block in self._blocks_on(day) if block.item_id not in spots]
            found += [blocks[item_id] for item_id, spot in spots.items() if spot.place.day == day]
            if found:
                shapes[day] = DayShape(self.scene.state.grid, found)
        return Picture(self.scene, blocks, shapes)

    def _blocks_on(self, day: int) -> tuple[Block, ...]:
        shape = self.shapes.get(day)
        return () if shape is None else shape.blocks


def _block_at(block: Block, spot: Spot) -> Block:
    return Block(
        block.state_id,
        block.item_id,
        block.class_id,
        block.subject_type,
        block.high,
        spot.place,
        spot.host_event_id,
        block.movable,
    )


def picture_of(state: ScheduleState) -> Picture:
    scene = PlanFrame(state)
    return Picture(scene, scene.blocks)
