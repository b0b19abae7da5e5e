"""The plan's cost before and after a write, the numbers on consent and result cards."""

from __future__ import annotations

from schedules.planner.draft.adapter import cost_of
from schedules.planner.draft.state import ScheduleState


def costs_around(before: ScheduleState, after: ScheduleState) -> tuple[int | None, int]:
    """Returns the objective around a write, without the part for items that have no place.

    That part counts in tens of millions per section. When the write changes it, the two numbers cannot be compared and
    only the second one is given.
    """
    old, new = cost_of(before), cost_of(after)
    same = old.parts["unplaced"] == new.parts["unplaced"]
    return (old.soft if same else None), new.soft
