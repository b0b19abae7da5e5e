"""Looking closer: query_range, get_task_info, list_tasks."""

from __future__ import annotations

from agent.calls.kinds import Json
from agent.calls.phrase import one_line
from agent.calls.values import ToolContext, ToolOutcome
from agent.tools.arguments.tools import ListTasksArgs, RangeArgs, TaskArgs
from agent.tools.draft.facts import (
    DraftDays,
    class_items,
    class_json,
    day_ref,
    entry_json,
    identify_entry,
    in_list_order,
    ordinals_of,
    status_counts,
)
from agent.tools.draft.overview import limits, with_dates
from agent.tools.draft.refusals import cell_json, next_cell, previous_cell, task_not_found
from agent.tools.words import observations
from schedules.planner.draft.state import ScheduleState, TaskEntry
from schedules.planner.rules.placement import neighbours


def query_range(draft: ScheduleState, args: RangeArgs, ctx: ToolContext) -> ToolOutcome:
    days, day = DraftDays(draft), args.day
    whole = args.slot_start is None
    first, last = args.slot_start or 1, args.slot_end or days.sections
    rows = [section_json(days, day, section) for section in range(first, last + 1)]
    used = sum(row["owner"] is not None for row in rows)
    data: Json = {
        **day_ref(draft, day),
        **days.shut(day),
        "whole_day": whole,
        "slot_start": first,
        "slot_end": last,
        "rows": blocks(rows) if whole else rows,
        "used": used,
        "free": last - first + 1 - used,
        "free_ranges": days.free_ranges(day, first, last),
        "embeddable": [one for one in days.embeddable(day) if first <= one["slot_end"] and one["slot_start"] <= last],
    }
    return ToolOutcome(draft, data)


def section_json(days: DraftDays, day: int, section: int) -> Json:
    owner = days.owners.get((day, section))
    guest = days.draft.task(owner.embedded_by) if owner and owner.embedded_by is not None else None
    inside = guest is not None and guest.slot is not None and guest.slot.slot_start <= section <= guest.slot.slot_end
    return {
        "slot_start": section,
        "slot_end": section,
        "owner": None if owner is None else entry_json(days.draft, owner),
        "guest": entry_json(days.draft, guest) if guest is not None and inside else None,
    }


def blocks(rows: list[Json]) -> list[Json]:
    """Joins double sections with the same occupants into one row."""
    merged: list[Json] = []
    for row in rows:
        last = merged[-1] if merged else None
        pair = last is not None and last["slot_start"] == last["slot_end"] and row["slot_start"] % 2 == 0
        if last is not None and pair and (last["owner"], last["guest"]) == (row["owner"], row["guest"]):
            last["slot_end"] = row["slot_end"]
        else:
            merged.append(dict(row))
    return merged


def observe_range(outcome: ToolOutcome) -> str:
    if outcome.error is not None:
        return observations.failure_text(outcome.error)
    data = outcome.data
    rows = "；".join(f"{row_place(data, row)} {occupants(row)}" for row in data["rows"])
    counts = f"空闲{data['free']}，占用{data['used']}{observations.shut(data)}"
    if not data["whole_day"]:
        return (
            f"{observations.day(data)}{observations.sections(data['slot_start'], data['slot_end'])}：{rows}。{counts}。"
        )
    hosts = "、".join(
        f"{observations.task(h)} {observations.sections(h['slot_start'], h['slot_end'])}" for h in data["embeddable"]
    )
    free = observations.ranges(data["free_ranges"])
    return f"{observations.day(data)}全天：{rows}。空闲段：{free}。可嵌入：{hosts or '无'}。{counts}。"


def row_place(data: Json, row: Json) -> str:
    if data["whole_day"]:
        return observations.sections(row["slot_start"], row["slot_end"])
    return f"第{row['slot_start']}节"


def occupants(row: Json) -> str:
    if row["owner"] is None:
        return "空"
    words = f"{observations.task(row['owner'])}({owner_words(row['owner'])})"
    return (
        f"{words}内嵌{observations.task(row['guest'])}({observations.STATUS[row['guest']['status']]})"
        if row["guest"]
        else words
    )


def owner_words(entry: Json) -> str:
    return observations.STATUS[entry["status"]] + (",可嵌入" if entry["can_embed"] and not entry["guest"] else "")


def get_task_info(draft: ScheduleState, args: TaskArgs, ctx: ToolContext) -> ToolOutcome:
    entry = draft.task(args.task_id)
    if entry is None:
        return ToolOutcome(draft, {}, error=task_not_found(draft, args.task_id))
    data: Json = {**entry_json(draft, entry), "source": entry.source, "event_type": entry.event_type}
    if entry.is_item:
        data |= neighbourhood(draft, entry)
        data["limits"] = with_dates(class_json(draft.class_of(entry)), ctx.calendar)
    return ToolOutcome(draft, data)


def neighbourhood(draft: ScheduleState, entry: TaskEntry) -> Json:
    """Returns the item before and after in its class, and the cells that placed siblings leave."""
    siblings = class_items(draft, entry.task_class_id)
    index = siblings.index(entry)
    lower, higher = neighbours(draft.board(), draft.subject(entry))
    low = next_cell(draft, lower.place.end_cell) if lower else None
    high = previous_cell(draft, higher.place.cell) if higher else None
    return {
        "previous": neighbour(draft, siblings[index - 1] if index else None),
        "next": neighbour(draft, siblings[index + 1] if index + 1 < len(siblings) else None),
        "range_from": cell_json(draft, low),
        "range_to": cell_json(draft, high),
    }


def neighbour(draft: ScheduleState, entry: TaskEntry | None) -> Json | None:
    row = identify_entry(entry)
    if entry is None or row is None:
        return None
    slot = entry_json(draft, entry)["slots"]
    return {**row, "slots": slot}


def observe_info(outcome: ToolOutcome) -> str:
    if outcome.error is not None:
        return observations.failure_text(outcome.error)
    data = outcome.data
    kind = one_line(data["category"])
    parts = [
        observations.task(data),
        f"{kind}#{data['task_class_id']} 第{data['ordinal']}项" if data["ordinal"] else kind,
    ]
    parts.append(observations.STATUS[data["status"]])
    if data["slots"]:
        slot = data["slots"][0]
        parts.append(f"{observations.day(slot)}{observations.sections(slot['slot_start'], slot['slot_end'])}")
    parts.append(f"{data['duration']}节")
    parts += observations.said_of(data)
    parts += embedding_words(data)
    if data["ordinal"]:
        parts.append(order_words(data))
    return "｜".join(parts)


def embedding_words(data: Json) -> list[str]:
    if data["host"]:
        return [f"嵌入{observations.task(data['host'])}"]
    if data["guest"]:
        return [f"已嵌入{observations.task(data['guest'])}"]
    return ["可嵌入"] if data["can_embed"] else []


def order_words(data: Json) -> str:
    before, after = data["previous"], data["next"]
    words = [
        "前一项无" if before is None else f"前一项[{before['task_id']}]{where(before, 'slot_end', '止于')}",
        "后一项无" if after is None else f"后一项[{after['task_id']}]{where(after, 'slot_start', '始于')}",
    ]
    return f"{'，'.join(words)}；可用范围：{range_words(data)}；约束：{', '.join(limits(data['limits']))}"


def where(row: Json, end: str, word: str) -> str:
    if not row["slots"]:
        return "未安排"
    slot = row["slots"][0]
    return f"{word}第{slot['day']}天{slot[end]}节"


def range_words(data: Json) -> str:
    first, last = data["range_from"], data["range_to"]
    if first and last:
        return f"第{first['day']}天{first['section']}节 ~ 第{last['day']}天{last['section']}节"
    if first:
        return f"第{first['day']}天第{first['section']}节 之后"
    return f"第{last['day']}天第{last['section']}节 之前" if last else "不受前后项限制"


def list_tasks(draft: ScheduleState, args: ListTasksArgs, ctx: ToolContext) -> ToolOutcome:
    """Lists items by default; a category also reaches the fixed entries of that name."""
    found = [entry for entry in draft.tasks if matches(entry, args)]
    shown, ordinals = in_list_order(found)[: args.limit], ordinals_of(draft)
    categories = sorted({entry.category for entry in draft.tasks}, key=lambda name: (name != "课程", name))
    data: Json = {
        "status": args.status,
        "category": args.category,
        "total": len(found),
        "count": len(shown),
        "tasks": [entry_json(draft, entry, ordinals) for entry in shown],
        "counts": status_counts(draft),
        "categories": categories,
        "unknown_category": args.category is not None and args.category not in categories,
    }
    return ToolOutcome(draft, data)


def matches(entry: TaskEntry, args: ListTasksArgs) -> bool:
    if args.category is None and not entry.is_item:
        return False
    if args.category is not None and entry.category != args.category:
        return False
    return args.status in ("all", entry.status)


def observe_list(outcome: ToolOutcome) -> str:
    if outcome.error is not None:
        return observations.failure_text(outcome.error)
    data = outcome.data
    if not data["total"]:
        return nothing_listed(data)
    kind = "全部" if data["status"] == "all" else observations.STATUS[data["status"]]
    lines = [f"{kind} 共{data['total']}项：", *(observations.entry_line(row) for row in data["tasks"])]
    left = data["total"] - data["count"]
    if left:
        lines.append(f"…其余 {left} 项，请用 status 或 category 缩小范围")
    return "\n".join(lines)


def nothing_listed(data: Json) -> str:
    """Says which values exist."""
    if data["unknown_category"]:
        known = "、".join(one_line(name) for name in data["categories"])
        return f"没有符合条件的任务：category={one_line(data['category'])} 不存在；可用：{known}。"
    existing = "、".join(f"{observations.STATUS[key]}{count}项" for key, count in data["counts"].items())
    asked = f"status={data['status']}" + (f" category={one_line(data['category'])}" if data["category"] else "")
    return f"没有符合条件的任务：{asked}；现有：{existing}。"
