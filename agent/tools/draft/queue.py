"""The queue: one suggested task at a time, for the length of a goal.

The queue is a small JSON value in the goal's state; every tool that changes it hands back the new value.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from agent.calls.kinds import Json
from agent.calls.phrase import say
from agent.calls.values import ToolContext, ToolError, ToolOutcome
from agent.tools.argument_schema import Args
from agent.tools.arguments.tools import HeadMoveArgs, SkipHeadArgs
from agent.tools.draft import mutation
from agent.tools.draft.facts import task_json
from agent.tools.words import observations
from schedules.planner.draft.operations import MoveOp
from schedules.planner.draft.state import ScheduleState

ATTEMPTS = 3
NEXT_SHOWN = 5


@dataclass(frozen=True)
class Queue:
    """Holds ids waiting, the one being worked on with its attempt (from 1), and those done with."""

    pending: tuple[int, ...] = ()
    current: int | None = None
    attempt: int = 0
    completed: tuple[int, ...] = ()
    skipped: tuple[int, ...] = ()
    last_error: str = ""

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> Queue:
        return cls(
            pending=tuple(document.get("pending", ())),
            current=document.get("current"),
            attempt=document.get("attempt", 0),
            completed=tuple(document.get("completed", ())),
            skipped=tuple(document.get("skipped", ())),
            last_error=document.get("last_error", ""),
        )

    def to_json(self) -> Json:
        return {
            "pending": list(self.pending),
            "current": self.current,
            "attempt": self.attempt,
            "completed": list(self.completed),
            "skipped": list(self.skipped),
            "last_error": self.last_error,
        }

    def counts(self) -> Json:
        return {
            "pending_count": len(self.pending),
            "completed_count": len(self.completed),
            "skipped_count": len(self.skipped),
        }

    def holds(self, task_id: int) -> bool:
        return task_id in self.pending or task_id == self.current

    def with_added(self, ids: Iterable[int]) -> Queue:
        return replace(self, pending=(*self.pending, *(one for one in ids if not self.holds(one))))

    def pop(self, draft: ScheduleState) -> tuple[Queue, list[int]]:
        """Makes the next suggested task the current one; ids that are no longer suggested fall out."""
        dropped: list[int] = []
        rest = list(self.pending)
        while rest and not is_suggested(draft, rest[0]):
            dropped.append(rest.pop(0))
        if not rest:
            return replace(self, pending=()), dropped
        head, *tail = rest
        return replace(self, pending=tuple(tail), current=head, attempt=1, last_error=""), dropped

    def close(self, *, completed: bool) -> Queue:
        """Returns the queue without a current task: it is done with."""
        assert self.current is not None
        done = (*self.completed, self.current) if completed else self.completed
        skipped = self.skipped if completed else (*self.skipped, self.current)
        return replace(self, current=None, attempt=0, completed=done, skipped=skipped, last_error="")

    def fail(self, reason: str) -> Queue:
        return replace(self, attempt=self.attempt + 1, last_error=reason)


def is_suggested(draft: ScheduleState, task_id: int) -> bool:
    entry = draft.task(task_id)
    return entry is not None and entry.is_item and entry.status == "suggested"


def shown_task(draft: ScheduleState, task_id: int) -> Json:
    entry = draft.task(task_id)
    return task_json(draft, entry) if entry is not None else {"task_id": task_id, "name": "", "slots": []}


def queue_status(draft: ScheduleState, args: Args, ctx: ToolContext) -> ToolOutcome:
    state = Queue.from_json(ctx.queue)
    data: Json = {**state.counts(), "current_attempt": min(state.attempt, ATTEMPTS)}
    data["next_task_ids"] = list(state.pending[:NEXT_SHOWN])
    if state.current is not None:
        data["current"] = shown_task(draft, state.current)
    if state.last_error:
        data["last_error"] = state.last_error
    return ToolOutcome(draft, {**data, "next": next_tasks(draft, state)})


def next_tasks(draft: ScheduleState, state: Queue) -> list[Json]:
    return [shown_task(draft, one) for one in state.pending[:NEXT_SHOWN]]


def queue_pop_head(draft: ScheduleState, args: Args, ctx: ToolContext) -> ToolOutcome:
    before = Queue.from_json(ctx.queue)
    state, dropped = (before, []) if before.current is not None else before.pop(draft)
    data: Json = {**state.counts(), "has_head": state.current is not None}
    if state.current is not None:
        data["current"] = shown_task(draft, state.current)
    data |= {"dropped": dropped, "next": next_tasks(draft, state)}
    return ToolOutcome(draft, data, queue=state.to_json() if state != before else None)


def queue_apply_head_move(draft: ScheduleState, args: HeadMoveArgs, ctx: ToolContext) -> ToolOutcome:
    """Moves the current task; a failure keeps it current with one attempt more."""
    state = Queue.from_json(ctx.queue)
    if state.current is None:
        return ToolOutcome(draft, operation_data(state, state), error=no_current())
    if state.attempt > ATTEMPTS:
        return ToolOutcome(draft, failed_data(state, state), error=refuse_exhausted())
    outcome = mutation.apply_operation(draft, MoveOp(state.current, args.new_day, args.new_slot_start), "move")
    if outcome.error is not None:
        return failed_move(draft, state, outcome.error)
    after = state.close(completed=True)
    words = mutation.observe(outcome)
    data = {**outcome.data, **operation_data(state, after), "task_id": state.current, "result": words}
    return replace(outcome, data=data, queue=after.to_json())


def failed_move(draft: ScheduleState, state: Queue, error: ToolError) -> ToolOutcome:
    reason = f"{error.code}/{error.rule}" if error.rule else error.code
    after = state.fail(reason)
    if after.attempt > ATTEMPTS:
        error = refuse_exhausted(error)
    return ToolOutcome(draft, failed_data(state, after), error=error, queue=after.to_json())


def failed_data(before: Queue, after: Queue) -> Json:
    return {**operation_data(before, after), "task_id": before.current, "current_attempt": min(after.attempt, ATTEMPTS)}


def operation_data(before: Queue, after: Queue) -> Json:
    snapshot = {"before": before.to_json(), "after": after.to_json()}
    return {"operation": "queue_apply_head_move", **after.counts(), "queue_snapshot": snapshot}


def no_current() -> ToolError:
    return ToolError("no_current", say("队列没有正在处理的任务"), hint="请先用 queue_pop_head")


def refuse_exhausted(cause: ToolError | None = None) -> ToolError:
    lines = (cause.reason, *cause.lines) if cause else ()
    reason = say("这项任务已尝试 {n} 次，不再尝试", n=ATTEMPTS)
    return ToolError(
        "attempts_exhausted", reason, rule=cause.rule if cause else "", lines=lines, hint="请用 queue_skip_head"
    )


def queue_skip_head(draft: ScheduleState, args: SkipHeadArgs, ctx: ToolContext) -> ToolOutcome:
    state = Queue.from_json(ctx.queue)
    if state.current is None:
        return ToolOutcome(draft, {**operation_data(state, state), "operation": "queue_skip_head"}, error=no_current())
    after = state.close(completed=False)
    entry = draft.task(state.current)
    data = {
        **operation_data(state, after),
        "operation": "queue_skip_head",
        "skipped_task_id": state.current,
        "name": entry.name if entry else "",
        "reason": args.reason,
    }
    return ToolOutcome(draft, data, queue=after.to_json())


COUNTS = ("pending_count", "completed_count", "skipped_count")
TOLD = {
    "queue_status": (*COUNTS, "current", "current_attempt", "last_error", "next_task_ids"),
    "queue_pop_head": (*COUNTS, "has_head", "current", "dropped"),
    "queue_apply_head_move": (*COUNTS, "task_id", "current_attempt", "result"),
    "queue_skip_head": (*COUNTS, "skipped_task_id", "reason"),
}
"""Keys of the JSON observation, in order; the card knows more."""


def observer(tool: str) -> observations.Observer:
    def observe(outcome: ToolOutcome) -> str:
        data = {key: outcome.data[key] for key in TOLD[tool] if key in outcome.data}
        error = outcome.error
        if error is None:
            return observations.dump({"tool": tool, "success": True, **data})
        found: Json = {"tool": tool, "success": False, **data, "error_code": error.code}
        if error.rule:
            found["rule"] = error.rule
        rest = {key: value for key, value in error.details.items() if key not in found}
        return observations.dump({**found, "error": error.message, **rest})

    return observe
