"""Why an item stands where it stands: explain_place."""

from __future__ import annotations

from agent.calls.phrase import say
from agent.calls.values import ToolContext, ToolError, ToolOutcome
from agent.tools.arguments.tools import TaskArgs
from agent.tools.draft.facts import task_json
from agent.tools.draft.refusals import task_words
from agent.tools.draft.replan import refuse_tasks
from agent.tools.words import observations
from agent.tools.words.why import WhyWords
from schedules.planner.advice.why import why
from schedules.planner.draft.state import ScheduleState


def explain_place(draft: ScheduleState, args: TaskArgs, ctx: ToolContext) -> ToolOutcome:
    """Returns the objective's own reasons; `told` for the model, `shown` in the student's language."""
    error, entry = refuse_tasks(draft, [args.task_id]), draft.task(args.task_id)
    if error is not None or entry is None or ctx.calendar is None:
        return ToolOutcome(draft, {}, error=error or ToolError("draft_missing", say("还没有学期")))
    found = why(draft, entry)
    if found is None:
        missing = ToolError("not_placed", say("{task} 还没有位置", task=task_words(entry)))
        return ToolOutcome(draft, {}, error=missing)
    told, shown = (WhyWords(draft, entry, found, calendar=ctx.calendar, locale=locale) for locale in ("zh", ctx.locale))
    data = {
        "task": task_json(draft, entry),
        "told": told.sentence(),
        "shown": shown.sentence(),
        "parts": [dict(part) for part in shown.parts()],
    }
    return ToolOutcome(draft, data)


def observe(outcome: ToolOutcome) -> str:
    if outcome.error is not None:
        return observations.failure_text(outcome.error)
    return f"{observations.task(outcome.data['task'])} {outcome.data['told']}。"
