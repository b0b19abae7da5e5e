"""The plan's cost before and after a write, the numbers on consent and result cards. PURE."""

from __future__ import annotations

from schedules.planner.adapter import placements_of, problem_of
from schedules.planner.objective import Cost, evaluate
from schedules.planner.state import ScheduleState


def cost_of(draft: ScheduleState) -> Cost:
    """The objective of the whole draft: what the timetable holds is given, everything else is judged."""
    return evaluate(problem_of(draft, free="pending_and_suggested"), placements_of(draft))


def costs_around(before: ScheduleState, after: ScheduleState) -> tuple[int, int]:
    """Both totals; the part for items without a place is left out of both when the write does not change it, so that
    a small step is not hidden behind millions."""
    old, new = cost_of(before), cost_of(after)
    if old.parts["unplaced"] == new.parts["unplaced"]:
        return old.soft, new.soft
    return old.total, new.total
