"""Planning all anew that is only suggested: what stands in the timetable and what the student keeps stay."""

from __future__ import annotations

from schedules.planner.draft.adapter import apply_plan, problem_of
from schedules.planner.draft.state import ScheduleState
from schedules.planner.replan.least_change import Replanned
from schedules.planner.solver.rough_build import plan


def plan_anew(state: ScheduleState) -> Replanned:
    """Returns the draft with its suggestions and what is pending planned as if for the first time."""
    found = plan(problem_of(state, free="pending_and_suggested"))
    left = {row.task_item_id: str(row.rule) for row in found.unplaced}
    return Replanned(state, apply_plan(state, found), {}, left)
