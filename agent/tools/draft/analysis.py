"""Diagnosis: analyze_health, analyze_rhythm. The planner judges; this module adds the names a card needs."""

from __future__ import annotations

from agent.calls.kinds import Json
from agent.calls.values import ToolContext, ToolOutcome
from agent.tools.arguments.tools import HealthArgs, RhythmArgs
from agent.tools.draft.facts import day_ref
from agent.tools.words import observations
from schedules.planner.diagnosis import health, rhythm
from schedules.planner.draft.state import ScheduleState

NAMES = "names"
"""Key of the names in the data; they are for the card only and never told to the model."""
FIRST = "first_full"
"""The mode right after a build: nothing would be gained by planning anew."""
UNTOLD = frozenset({NAMES, "metric_schema"})
"""What a prompt does not repeat: the schema of the metrics never changes."""


async def analyze_health(draft: ScheduleState, args: HealthArgs, ctx: ToolContext) -> ToolOutcome:
    found = await ctx.compute(
        health.analyze_health,
        draft,
        locale="zh",
        previous_signal=ctx.previous_signal,
        previous_count=ctx.previous_count,
        left_out=ctx.left_out,
        detail=args.detail,
        anew=ctx.mode != FIRST,
    )
    return ToolOutcome(draft, {**found, NAMES: names_of(draft)})


def analyze_rhythm(draft: ScheduleState, args: RhythmArgs, ctx: ToolContext) -> ToolOutcome:
    found = rhythm.analyze_rhythm(
        draft, locale="zh", category=args.category, include_pending=args.include_pending, detail=args.detail
    )
    return ToolOutcome(draft, {**found, NAMES: names_of(draft)})


def names_of(draft: ScheduleState) -> Json:
    """Returns tasks by state id, classes by id, days by index: what ids on a card are called."""
    return {
        "tasks": {str(entry.state_id): {"name": entry.name, "duration": entry.duration} for entry in draft.items()},
        "classes": {str(meta.id): meta.name for meta in draft.task_classes},
        "days": {str(index): day_ref(draft, index) for index in range(1, draft.window.total_days + 1)},
    }


def observer(tool: str) -> observations.Observer:
    def observe(outcome: ToolOutcome) -> str:
        if outcome.error is not None:
            return observations.failure_json(tool, outcome.error, {})
        return observations.dump({key: value for key, value in outcome.data.items() if key not in UNTOLD})

    return observe
