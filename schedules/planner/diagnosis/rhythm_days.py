"""What one day of a plan looks like: neighbours, chains, heavy runs.

A *block* is a placed item. Two blocks that follow each other are *adjacent* when the first ends and the second begins
in the same day part with fewer than two sections between them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from schedules.planner.cost.weights import WEIGHTS
from schedules.planner.grid import Grid, Place

GAP = 2
"""Blocks with this many sections between them are no longer adjacent."""

LONG_RUN_SECTIONS = WEIGHTS["long_run_sections"]
"""Consecutive sections under heavy classes from which a run is long."""

LONG_BLOCK = 5
"""Sections of one class in a chain from which it is compressed."""


@dataclass(frozen=True, slots=True)
class Block:
    """Holds one placed item; `movable` = suggested, not kept by the student, not past."""

    state_id: int
    item_id: int
    class_id: int
    subject_type: str | None
    high: bool
    place: Place
    host_event_id: int | None
    movable: bool

    @property
    def guest(self) -> bool:
        return self.host_event_id is not None

    @property
    def sort_key(self) -> tuple[Place, int]:
        return (self.place, self.state_id)


Pair = tuple[Block, Block]


class DayShape:
    """Holds the rhythm of one day; `blocks` ordered by first section. Everything else follows from them."""

    def __init__(self, grid: Grid, blocks: Iterable[Block]) -> None:
        self.grid = grid
        self.blocks: tuple[Block, ...] = tuple(sorted(blocks, key=lambda block: block.sort_key))

    @cached_property
    def pairs(self) -> Sequence[Pair]:
        return [pair for pair in zip(self.blocks, self.blocks[1:], strict=False) if self._adjacent(*pair)]

    def _adjacent(self, one: Block, other: Block) -> bool:
        same_part = self.grid.part_of(one.place.last) == self.grid.part_of(other.place.first)
        return same_part and other.place.first - one.place.last - 1 < GAP

    @cached_property
    def switch_count(self) -> int:
        return sum(one.class_id != other.class_id for one, other in self.pairs)

    @cached_property
    def heavy_pairs(self) -> Sequence[Pair]:
        """Returns adjacent pairs of two different high classes."""
        return [(a, b) for a, b in self.pairs if a.high and b.high and a.class_id != b.class_id]

    @property
    def same_type_pairs(self) -> int:
        return sum(a.subject_type is not None and a.subject_type == b.subject_type for a, b in self.pairs)

    @cached_property
    def chains(self) -> Sequence[int]:
        """Returns sizes in sections of the maximal runs of adjacent blocks of one class."""
        joined = {(a.state_id, b.state_id) for a, b in self.pairs if a.class_id == b.class_id}
        sizes: list[int] = []
        before: Block | None = None
        for block in self.blocks:
            if before is not None and (before.state_id, block.state_id) in joined:
                sizes[-1] += block.place.length
            else:
                sizes.append(block.place.length)
            before = block
        return sizes

    @property
    def max_block(self) -> int:
        return max(self.chains, default=0)

    @cached_property
    def _high_runs(self) -> Sequence[tuple[int, tuple[Block, ...]]]:
        """Returns (sections, blocks) of the maximal runs of sections of one part under high classes."""
        runs: list[tuple[int, tuple[Block, ...]]] = []
        owner = {section: block for block in self.blocks if block.high for section in block.place.sections}
        for first, last in self.grid.day_parts:
            run: list[Block] = []
            for section in range(first, last + 2):
                block = owner.get(section) if section <= last else None
                if block is not None:
                    run.append(block)
                elif run:
                    runs.append((len(run), tuple(dict.fromkeys(run))))
                    run = []
        return runs

    @cached_property
    def high_run(self) -> int:
        return max((size for size, _ in self._high_runs), default=0)

    @cached_property
    def long_runs(self) -> Sequence[tuple[Block, ...]]:
        """Returns blocks of the runs of four and more sections that at least two items make."""
        return [blocks for size, blocks in self._high_runs if size >= LONG_RUN_SECTIONS and len(blocks) >= 2]

    @property
    def fragmented(self) -> bool:
        """Tells whether the day is in pieces: three switches, or two that make up 55 % of the adjacent pairs."""
        many = self.switch_count >= 3
        return many or (self.switch_count >= 2 and 100 * self.switch_count >= 55 * len(self.pairs))

    @property
    def compressed(self) -> bool:
        return self.max_block >= LONG_BLOCK or self.high_run >= LONG_RUN_SECTIONS


def two_decimals(numerator: int, denominator: int) -> float:
    """Returns a fraction with two decimals, half up; 0 for an empty denominator."""
    if denominator == 0:
        return 0.0
    return (200 * numerator + denominator) // (2 * denominator) / 100


def rhythm_metrics(days: Sequence[tuple[int, DayShape]]) -> dict[str, float | int]:
    """Computes `metrics.rhythm` over (day index, shape) in day order."""
    shapes = [shape for _, shape in days if shape.blocks]
    most = max((shape.switch_count for shape in shapes), default=0)
    chains = [size for shape in shapes for size in shape.chains]
    pairs = sum(len(shape.pairs) for shape in shapes)
    fragmented = sum(shape.fragmented for shape in shapes)
    compressed = sum(shape.compressed for shape in shapes)
    return {
        "avg_switches_per_day": two_decimals(sum(shape.switch_count for shape in shapes), len(shapes)),
        "max_switch_count": most,
        "max_switch_day": next((index for index, shape in days if most and shape.switch_count == most), 0),
        "avg_block_size": two_decimals(sum(chains), len(chains)),
        "longest_same_subject_run": max(chains, default=0),
        "heavy_adjacent_days": sum(bool(shape.heavy_pairs) for shape in shapes),
        "high_intensity_days": sum(any(block.high for block in shape.blocks) for shape in shapes),
        "long_high_intensity_days": sum(shape.high_run >= LONG_RUN_SECTIONS for shape in shapes),
        "fragmented_count": fragmented,
        "compressed_run_count": compressed,
        "block_balance": fragmented - compressed,
        "same_type_transition_ratio": two_decimals(sum(shape.same_type_pairs for shape in shapes), pairs)
        if pairs
        else 1.0,
    }
