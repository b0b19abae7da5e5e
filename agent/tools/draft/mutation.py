"""Writes on the draft: place, move, swap, batch_move, unplace, batch_unplace.

The planner's operations judge and change; this module names what changed and how full the touched days became. A dry
run and the write itself are the same call on the same value.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol

from agent.calls.kinds import Json
from agent.calls.values import Change, ToolContext, ToolOutcome
from agent.tools.arguments.tools import BatchMoveArgs, MoveArgs, PlaceArgs, SwapArgs, TaskArgs, TaskListArgs
from agent.tools.draft.facts import identify_entry, loads_touched, status_counts
from agent.tools.draft.refusals import from_refusal
from agent.tools.words import observations
from schedules.planner.draft import diff
from schedules.planner.draft.adapter import cost_of
from schedules.planner.draft.operations import BatchOp, BatchUnplaceOp, MoveOp, PlaceOp, SwapOp, UnplaceOp
from schedules.planner.draft.state import ScheduleState
from schedules.planner.rules.errors import Refusal


class Operation(Protocol):
    def check(self, state: ScheduleState) -> Refusal | None: ...
    def apply(self, state: ScheduleState) -> ScheduleState: ...


def place(draft: ScheduleState, args: PlaceArgs, ctx: ToolContext) -> ToolOutcome:
    return apply_operation(draft, PlaceOp(args.task_id, args.day, args.slot_start), "place")


def move(draft: ScheduleState, args: MoveArgs, ctx: ToolContext) -> ToolOutcome:
    return apply_operation(draft, move_op(args), "move")


def swap(draft: ScheduleState, args: SwapArgs, ctx: ToolContext) -> ToolOutcome:
    return apply_operation(draft, SwapOp(args.task_a, args.task_b), "swap")


def batch_move(draft: ScheduleState, args: BatchMoveArgs, ctx: ToolContext) -> ToolOutcome:
    return apply_operation(draft, BatchOp(tuple(move_op(one) for one in args.moves)), "batch_move")


def unplace(draft: ScheduleState, args: TaskArgs, ctx: ToolContext) -> ToolOutcome:
    return apply_operation(draft, UnplaceOp(args.task_id), "unplace")


def batch_unplace(draft: ScheduleState, args: TaskListArgs, ctx: ToolContext) -> ToolOutcome:
    return apply_operation(draft, BatchUnplaceOp(tuple(args.task_ids)), "batch_unplace")


def move_op(args: MoveArgs) -> MoveOp:
    return MoveOp(args.task_id, args.new_day, args.new_slot_start)


def apply_operation(draft: ScheduleState, operation: Operation, name: str) -> ToolOutcome:
    """Applies the operation to the draft; a refusal leaves the very same draft."""
    refusal = operation.check(draft)
    if refusal is not None:
        return ToolOutcome(draft, {"operation": name}, error=from_refusal(draft, refusal, name))
    after = operation.apply(draft)
    changes = changes_between(draft, after)
    return ToolOutcome(after, write_data(name, draft, after, changes), changes=changes)


def changes_between(before: ScheduleState, after: ScheduleState) -> tuple[Change, ...]:
    """Returns what differs in the placement of items, by state id; a swap is two moves."""
    rows = [one.to_json(after.window) for one in diff.changes_between(before, after)]
    return tuple(Change(**row) for row in sorted(rows, key=lambda row: int(row["task_id"])))


def touched_days(changes: Iterable[Change]) -> list[int]:
    return sorted({spot["day"] for one in changes for spot in (one.before, one.after) if spot})


def write_data(name: str, before: ScheduleState, after: ScheduleState, changes: tuple[Change, ...]) -> Json:
    """Returns facts of a write: changes, hosts by event id, loads of the touched days, what is left, the plan's
    cost."""
    days = touched_days(changes)
    cost_before, cost_after = _costs_around(before, after)
    spots = [spot for one in changes for spot in (one.before, one.after) if spot and spot["embed_course_event_id"]]
    hosts = {str(spot["embed_course_event_id"]): after.by_event(spot["embed_course_event_id"]) for spot in spots}
    return {
        "operation": name,
        "changes": [one.to_json() for one in changes],
        "durations": {str(one.task_id): duration_of(after, one) for one in changes},
        "applied": [one.task_id for one in changes if was_applied(before, one)],
        "hosts": {event: identify_entry(host) for event, host in hosts.items()},
        "affected_days": days,
        "loads": loads_touched(before, after, days),
        "counts": status_counts(after),
        "cost_before": cost_before,
        "cost_after": cost_after,
    }


def _costs_around(before: ScheduleState, after: ScheduleState) -> tuple[int | None, int]:
    """Returns the objective around a write for consent and result cards, without the part for items that have no place.

    That part counts in tens of millions per section. When the write changes it, the two numbers cannot be compared and
    only the second one is given.
    """
    old, new = cost_of(before), cost_of(after)
    same = old.parts["unplaced"] == new.parts["unplaced"]
    return (old.soft if same else None), new.soft


def duration_of(draft: ScheduleState, change: Change) -> int:
    entry = draft.task(change.task_id or 0)
    return entry.duration if entry else 0


def was_applied(draft: ScheduleState, change: Change) -> bool:
    entry = draft.task(change.task_id or 0)
    return entry is not None and entry.status == "existing"


def observe(outcome: ToolOutcome) -> str:
    """Returns what changed, load of the touched days, what is left."""
    if outcome.error is not None:
        return observations.failure_text(outcome.error)
    data = outcome.data
    told = SENTENCES[data["operation"]](data)
    loads = [row for row in data["loads"] if data["operation"] in ONE_ITEM or row["before"] != row["after"]]
    parts = [told, *(["；".join(observations.load(row) for row in loads)] if loads else [])]
    return "。".join([*parts, f"待安排{data['counts']['pending']}项"]) + "。"


def guest_words(data: Json, spot: Json) -> str:
    host = data["hosts"].get(str(spot["embed_course_event_id"]))
    return f"，嵌入{observations.task(host)}" if host else ""


def placed_words(data: Json) -> str:
    change = data["changes"][0]
    after = observations.place(change["after"], full=True)
    return f"已预排：{observations.task(change)} → {after}{guest_words(data, change['after'])}"


def moved_words(data: Json) -> str:
    change = data["changes"][0]
    before, after = observations.place(change["before"], full=True), observations.place(change["after"], full=True)
    return f"已移动：{observations.task(change)} {before} → {after}{guest_words(data, change['after'])}"


def targets_words(data: Json) -> str:
    return "；".join(
        f"{observations.task(one)} → {observations.place(one['after'])}{guest_words(data, one['after'])}"
        for one in data["changes"]
    )


def swapped_words(data: Json) -> str:
    return f"已交换：{targets_words(data)}"


def batch_words(data: Json) -> str:
    return f"已批量移动{len(data['changes'])}项：{targets_words(data)}"


def unplaced_words(data: Json) -> str:
    change = data["changes"][0]
    applied = "，原已写入课表" if change["task_id"] in data["applied"] else ""
    need = data["durations"][str(change["task_id"])]
    return f"已移出：{observations.task(change)}（{observations.place(change['before'])}{applied}）→ 待安排，需{need}节"


def batch_unplaced_words(data: Json) -> str:
    told = "；".join(f"{observations.task(one)}（{observations.place(one['before'])}）" for one in data["changes"])
    return f"已批量移出{len(data['changes'])}项 → 待安排：{told}"


ONE_ITEM = frozenset({"place", "move", "unplace", "queue_apply_head_move"})
SENTENCES: dict[str, Any] = {
    "place": placed_words,
    "move": moved_words,
    "queue_apply_head_move": moved_words,
    "swap": swapped_words,
    "batch_move": batch_words,
    "unplace": unplaced_words,
    "batch_unplace": batch_unplaced_words,
}
