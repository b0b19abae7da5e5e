"""Finding task items, and filling the queue with them: query_target_tasks."""

from __future__ import annotations

from agent.calls.kinds import Json
from agent.calls.values import ToolContext, ToolOutcome
from agent.tools.arguments.tools import TargetTasksArgs
from agent.tools.draft import queue
from agent.tools.draft.facts import class_items, in_list_order, task_json
from agent.tools.words import observations
from schedules.planner.draft.state import ScheduleState, TaskEntry

REFUSED = {
    "pending": "待安排，请用 place",
    "existing": "已安排，请先用 unplace",
    "fixed": "固定日程，不能移动",
    "queued": "已在队列中",
}
"""Why an entry does not enter the queue, by status."""


def query_target_tasks(draft: ScheduleState, args: TargetTasksArgs, ctx: ToolContext) -> ToolOutcome:
    found = in_list_order(entry for entry in draft.items() if matches(draft, entry, args))
    shown = found[: args.limit]
    state = queue.Queue.from_json(ctx.queue)
    if args.reset_queue and (not args.enqueue or to_enqueue(draft, args, shown, queue.Queue())[0]):
        state = queue.Queue()
    entering, refused = to_enqueue(draft, args, shown, state)
    state = state.with_added(entering)
    data: Json = {
        "count": len(shown),
        "total": len(found),
        "status": args.status,
        "items": [task_json(draft, entry) for entry in shown],
        "enqueued": entering,
        "not_enqueued": refused,
        "queue": state.counts(),
        **notes(draft, args),
    }
    after = state.to_json()
    return ToolOutcome(draft, data, queue=after if after != queue.Queue.from_json(ctx.queue).to_json() else None)


def matches(draft: ScheduleState, entry: TaskEntry, args: TargetTasksArgs) -> bool:
    """Tells whether an entry passes all filters at once; a pending item has no day, so any calendar filter leaves it
    out."""
    if args.status not in ("all", entry.status):
        return False
    if not named_by(entry, args) or not in_class(draft, entry, args):
        return False
    if entry.slot is None:
        return not args.filters_days
    return 1 <= entry.slot.day <= draft.window.total_days and args.takes_day(draft, entry.slot.day)


def named_by(entry: TaskEntry, args: TargetTasksArgs) -> bool:
    if args.task_ids is not None and entry.state_id not in args.task_ids:
        return False
    return args.task_item_ids is None or entry.source_id in args.task_item_ids


def in_class(draft: ScheduleState, entry: TaskEntry, args: TargetTasksArgs) -> bool:
    if args.task_class_id is not None and entry.task_class_id != args.task_class_id:
        return False
    return args.category is None or draft.class_of(entry).name == args.category


def to_enqueue(
    draft: ScheduleState, args: TargetTasksArgs, shown: list[TaskEntry], state: queue.Queue
) -> tuple[list[int], list[Json]]:
    """Returns ids that enter the queue, and the others with the reason; entries named by id are answered even when the
    status filter left them out."""
    if not args.enqueue:
        return [], []
    listed = [entry.state_id for entry in shown]
    wanted = [*shown, *(e for e in named_entries(draft, args) if e.state_id not in listed)]
    entering, refused = [], []
    for entry in wanted:
        reason = "queued" if state.holds(entry.state_id) else refusal_code(entry)
        if not reason and entry.state_id in listed:
            entering.append(entry.state_id)
        elif reason:
            row = {"task_id": entry.state_id, "name": entry.name, "status": reason, "reason": REFUSED[reason]}
            refused.append(row)
    return entering, refused


def refusal_code(entry: TaskEntry) -> str:
    if not entry.is_item:
        return "fixed"
    return "" if entry.status == "suggested" else entry.status


def named_entries(draft: ScheduleState, args: TargetTasksArgs) -> list[TaskEntry]:
    by_id = [draft.task(task_id) for task_id in args.task_ids or ()]
    by_item = [draft.by_item(item_id) for item_id in args.task_item_ids or ()]
    return list({entry.state_id: entry for entry in [*by_id, *by_item] if entry is not None}.values())


def notes(draft: ScheduleState, args: TargetTasksArgs) -> Json:
    """Returns ids and classes that do not exist, with what does."""
    found: Json = {}
    if args.task_ids is not None or args.task_item_ids is not None:
        missing_tasks = [one for one in args.task_ids or () if draft.task(one) is None]
        missing_items = [one for one in args.task_item_ids or () if draft.by_item(one) is None]
        found["missing"] = {"task_ids": missing_tasks, "task_item_ids": missing_items}
    names = [meta.name for meta in draft.task_classes if class_items(draft, meta.id)]
    unknown_id = args.task_class_id is not None and draft.task_class(args.task_class_id) is None
    if unknown_id or (args.category is not None and args.category not in names):
        asked = args.category if args.category is not None else f"#{args.task_class_id}"
        found["note"] = f"没有任务类 {asked}；可用：{'、'.join(names) or '无'}"
    return found


def observe(outcome: ToolOutcome) -> str:
    return observations.json_text("query_target_tasks", outcome)
