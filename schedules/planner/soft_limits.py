"""What a student would like of a plan, as parameters: soft limits that the objective charges and no rule enforces."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

from schedules.planner.grid import Grid, Place, week_and_weekday

Kind = Literal["earliest_section", "latest_section", "day_part", "light_weekday", "blocks_a_day", "finish_early"]
KINDS: tuple[Kind, ...] = get_args(Kind)
VALUE_MAX: Mapping[Kind, int] = {
    "earliest_section": 16,
    "latest_section": 16,
    "day_part": 4,
    "light_weekday": 7,
    "blocks_a_day": 8,
    "finish_early": 30,
}
"""The largest `value` by kind; the least is 1."""
MANY: frozenset[Kind] = frozenset({"light_weekday"})
"""Kinds of which one scope may have several, one for each value."""


@dataclass(frozen=True, slots=True)
class SoftLimit:
    """Holds one wish. `value` is a section, a part of the day (from 1), a weekday, blocks a day, or days before the
    end.

    `class_id` None: it is for the whole plan. `hard_only`: it is about heavy classes alone.
    """

    kind: Kind
    value: int
    class_id: int | None = None
    hard_only: bool = False

    @property
    def identity(self) -> tuple[Any, ...]:
        """Returns what a new wish of the same identity takes the place of."""
        return (self.class_id, self.kind, self.hard_only, self.value if self.kind in MANY else 0)

    @property
    def sort_key(self) -> tuple[Any, ...]:
        return (self.class_id or 0, KINDS.index(self.kind), self.value, self.hard_only)

    @property
    def of_day(self) -> bool:
        """Tells whether it looks at whole days and not at each item by itself."""
        return self.kind == "blocks_a_day"

    def concerns(self, class_id: int, *, high: bool) -> bool:
        """Tells whether it is about the items of a class."""
        return self.class_id in (None, class_id) and (high or not self.hard_only)

    def sections_against(self, grid: Grid, place: Place) -> int:
        """Returns how many sections of a place the limit speaks against."""
        if self.kind == "earliest_section":
            return sum(section < self.value for section in place.sections)
        if self.kind == "latest_section":
            return sum(section > self.value for section in place.sections)
        if self.kind == "day_part":
            if self.value > len(grid.day_parts):
                return 0
            first, last = grid.day_parts[self.value - 1]
            return sum(not first <= section <= last for section in place.sections)
        if self.kind == "light_weekday":
            return place.length if week_and_weekday(place.day)[1] == self.value else 0
        return 0

    def days_against(self, place: Place, end_day: int) -> int:
        """Returns how many days too late a place is for a class that ends so."""
        return max(0, place.day - (end_day - self.value)) if self.kind == "finish_early" else 0


def limit_to_json(limit: SoftLimit) -> dict[str, Any]:
    return {"kind": limit.kind, "value": limit.value, "class_id": limit.class_id, "hard_only": limit.hard_only}


def limit_from_json(row: Mapping[str, Any]) -> SoftLimit:
    return SoftLimit(row["kind"], row["value"], row["class_id"], row["hard_only"])


def in_order(limits: Any) -> tuple[SoftLimit, ...]:
    """Returns each limit once, in canonical order."""
    return tuple(sorted(set(limits), key=lambda limit: limit.sort_key))
