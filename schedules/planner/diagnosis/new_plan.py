"""What planning all anew would gain over a plan, and what of its problems would be gone: told in words, never in
scores."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from schedules.planner.cost.objective import Cost
from schedules.planner.diagnosis.issues import Issue, plan_issues
from schedules.planner.diagnosis.plan_facts import picture_of
from schedules.planner.draft.adapter import apply_plan, cost_of, problem_of
from schedules.planner.draft.diff import changes_between
from schedules.planner.draft.state import ScheduleState
from schedules.planner.solver.rough_build import plan

GAIN_MIN = 10
"""Percent; up to it a plan is as good as one that is made anew."""
KINDS = ("heavy_adjacent", "switch", "long_block", "crowded", "overfull", "slack", "fit", "wish")
"""Pieces of issue ids, by which their problems are told."""


@dataclass(frozen=True)
class NewPlan:
    """Holds by how many percent a plan made anew would be better, how many items move for it, and the days of each
    kind of problem before and after."""

    percent: int
    moves: int
    before: dict[str, int]
    after: dict[str, int]

    def to_json(self) -> dict[str, Any]:
        kinds = [kind for kind in KINDS if self.before.get(kind, 0) != self.after.get(kind, 0)]
        problems = [
            {"problem": kind, "days_before": self.before.get(kind, 0), "days_after": self.after.get(kind, 0)}
            for kind in kinds
        ]
        return {"better_percent": self.percent, "moves": self.moves, "problems": problems}


def compare_with_new_plan(state: ScheduleState, cost: Cost, issues: Iterable[Issue]) -> NewPlan | None:
    """Returns how a plan made anew compares, without problems when it is not better by more than a tenth or leaves
    something out; None when nothing could be placed anew."""
    if not any(entry.status == "suggested" for entry in state.items()):
        return None
    found = plan(problem_of(state, free="pending_and_suggested"))
    new = apply_plan(state, found)
    total = cost_of(new).total
    percent = 100 * (cost.total - total) // cost.total if cost.total else 0
    if found.unplaced or percent <= GAIN_MIN:
        return NewPlan(max(0, min(percent, GAIN_MIN)), 0, {}, {})
    after = _count_days(plan_issues(picture_of(new)))
    return NewPlan(percent, len(changes_between(state, new)), _count_days(issues), after)


def _count_days(issues: Iterable[Issue]) -> dict[str, int]:
    """Returns the number of days with each kind of problem."""
    days: Counter[str] = Counter()
    for issue in issues:
        kind = next((kind for kind in KINDS if kind in issue.issue_id), None)
        if kind is not None and issue.driver:
            days[kind] += max(1, len(issue.days))
    return dict(days)
