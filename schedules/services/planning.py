"""The planner on a student's rows: nothing is stored."""

from __future__ import annotations

import os
from collections.abc import Sequence
from datetime import datetime
from functools import lru_cache

from django.conf import settings
from django.contrib.auth.models import User

from schedules.planner.codec import plan_to_json
from schedules.planner.draft.adapter import apply_plan, problem_of
from schedules.planner.draft.load import load_state
from schedules.planner.draft.preview import candidate_plans, hybrid_entries
from schedules.planner.problem import MAX_ITEMS, Problem
from schedules.planner.solver.rough_build import BoundedPlan, Plan, plan, plan_with_bound
from schedules.presentation.shapes.placement import Planned
from schedules.selectors import facts_load, semester_named
from taskclasses.kernel.errors import CodedError, too_large
from taskclasses.kernel.processes import Processes
from taskclasses.kernel.telemetry import tracing
from taskclasses.kernel.telemetry.metrics import PLANNER_SECONDS
from taskclasses.models import TaskClass
from taskclasses.selectors import task_classes_named


@lru_cache(maxsize=1)
def planners() -> Processes:
    """Returns where the planner works for the requests and runs of this process."""
    return Processes(settings.PLANNER_PROCESSES)


os.register_at_fork(after_in_child=planners.cache_clear)


def check_size(problem: Problem) -> Problem:
    """Returns a problem that a plan can be made of; 40006 for more items than that."""
    if problem.too_large:
        raise too_large("task_class_ids", MAX_ITEMS)
    return problem


def timed_plan(problem: Problem) -> Plan:
    """Returns the plan of a problem; how long it took is counted."""
    with PLANNER_SECONDS.time(), tracing.span("plan"):
        return planners().call(plan, problem)


def timed_plan_with_bound(problem: Problem) -> BoundedPlan:
    """Does as `timed_plan` and bounds what any plan costs."""
    with PLANNER_SECONDS.time(), tracing.span("plan"):
        return planners().call(plan_with_bound, problem)


async def timed_plan_async(problem: Problem) -> Plan:
    """Does as `timed_plan`. The planner stops when the task is cancelled."""
    with PLANNER_SECONDS.time(), tracing.span("plan"):
        return await planners().acall(plan, problem)


def classes_to_plan(user: User, class_ids: Sequence[int]) -> list[TaskClass]:
    """Returns the named classes; 40040 for an unknown one, 40046 for one that is not planned."""
    classes = task_classes_named(user=user, class_ids=class_ids)
    manual = [row.pk for row in classes if row.mode != TaskClass.Mode.AUTO]
    if manual:
        raise CodedError(40046, {"task_class_ids": manual})
    return classes


def smart_planning(*, user: User, class_ids: Sequence[int], now: datetime, semester_id: int | None = None) -> Planned:
    """Plans the pending items of the named classes; what does not fit is data, never an error. 40006, 40040, 40041,
    40046."""
    classes = classes_to_plan(user, class_ids)
    semester = semester_named(user.pk, semester_id)
    calendar = semester.calendar
    scope = [row.pk for row in classes]
    facts = facts_load(user_id=user.pk, class_ids=scope, semester=semester)
    draft = load_state(facts, scope=scope, now=calendar.now_cell(now))
    found = timed_plan_with_bound(check_size(problem_of(draft)))
    planned = apply_plan(draft, found)
    document = plan_to_json(found)
    free = {entry.source_id for entry in draft.items() if entry.status == "pending"}
    return {
        "task_class_ids": scope,
        # Items that are on the timetable already are pinned in the plan; the answer names what is new.
        "placements": [row for row in document["placements"] if row["task_item_id"] in free],
        "unplaced": document["unplaced"],
        "cost": document["cost"],
        "explanations": document["explanations"],
        "bound": document["bound"],
        "gap": document["gap"],
        "hybrid_entries": hybrid_entries(planned),
        "candidate_plans": candidate_plans(planned, calendar=calendar),
    }
