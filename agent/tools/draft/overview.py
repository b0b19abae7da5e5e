"""The whole draft at a glance: get_overview."""

from __future__ import annotations

from collections.abc import Mapping

from agent.calls.kinds import Json
from agent.calls.phrase import one_line
from agent.calls.values import ToolContext, ToolOutcome
from agent.tools.argument_schema import Args
from agent.tools.draft.facts import (
    DraftDays,
    class_json,
    day_ref,
    entry_json,
    in_list_order,
    ordinals_of,
    status_counts,
)
from agent.tools.words import observations
from schedules.planner.draft.state import ScheduleState
from schedules.planner.grid import Calendar
from taskclasses.fields import CLASS_FIELDS

OVERVIEW_LINES = 150


def get_overview(draft: ScheduleState, args: Args, ctx: ToolContext) -> ToolOutcome:
    days, ordinals = DraftDays(draft), ordinals_of(draft)
    window, sections = draft.window, draft.grid.sections
    rows = [day_json(days, index, ordinals) for index in range(1, window.total_days + 1)]
    used = sum(row["used"] for row in rows)
    tasks = in_list_order(draft.items())
    data: Json = {
        "first": day_ref(draft, 1),
        "last": day_ref(draft, window.total_days),
        "total_days": window.total_days,
        "sections": sections,
        "total": window.total_days * sections,
        "used": used,
        "free": window.total_days * sections - used,
        "course_count": sum(1 for e in draft.tasks if not e.is_item and e.event_type == "course"),
        "counts": status_counts(draft),
        "days": rows,
        "tasks": [entry_json(draft, entry, ordinals) for entry in tasks[:OVERVIEW_LINES]],
        "tasks_left": max(0, len(tasks) - OVERVIEW_LINES),
        "classes": [with_dates(class_json(meta), ctx.calendar) for meta in draft.task_classes],
    }
    return ToolOutcome(draft, data)


def day_json(days: DraftDays, index: int, ordinals: Mapping[int, int]) -> Json:
    """Returns a day's load with its items, and what is neither an item nor a lesson: an exam."""
    items = [entry_json(days.draft, entry, ordinals) for entry in days.items(index)]
    fixed = [entry for entry in days.entries(index) if not entry.is_item and entry.event_type != "course"]
    others = {"others": [entry_json(days.draft, entry, ordinals) for entry in fixed]} if fixed else {}
    return {**days.load(index), "items": items, **others}


def with_dates(row: Json, calendar: Calendar | None) -> Json:
    """Returns the class with its dates as YYYY-MM-DD, where the semester's calendar is known."""
    if calendar is None:
        return row
    dates = {
        f"{key}_date": calendar.date_of((row[key]["week"] - 1) * 7 + row[key]["day_of_week"]).isoformat()
        for key in ("start", "end")
        if row[key]
    }
    return {**row, **dates}


def observe_overview(outcome: ToolOutcome) -> str:
    if outcome.error is not None:
        return observations.failure_text(outcome.error)
    data = outcome.data
    lines = [overview_head(data), *(overview_day(row) for row in data["days"]), "任务清单："]
    lines += [observations.entry_line(row) for row in data["tasks"]]
    if data["tasks_left"]:
        lines.append(f"…其余 {data['tasks_left']} 项用 list_tasks 查询")
    lines += ["任务类约束：", *(class_line(row) for row in data["classes"])]
    return "\n".join(lines)


def overview_head(data: Json) -> str:
    first, last = data["first"], data["last"]
    span = " ~ ".join(f"第{ref['week']}周 {observations.WEEKDAYS[ref['day_of_week']]}" for ref in (first, last))
    counts = data["counts"]
    return (
        f"规划窗口：{span}，{data['total_days']}天×{data['sections']}节={data['total']}节；"
        f"已占用{data['used']}，空闲{data['free']}，课程{data['course_count']}场；"
        f"已安排{counts['existing']}，已预排{counts['suggested']}，待安排{counts['pending']}。"
    )


def overview_day(row: Json) -> str:
    told = "、".join(day_item(one) for one in [*row["items"], *row.get("others", ())])
    return f"{observations.day(row)}：{observations.day_load(row)}" + (f"：{told}" if told else "")


def day_item(row: Json) -> str:
    slot = row["slots"][0]
    words = [observations.STATUS[row["status"]], observations.sections(slot["slot_start"], slot["slot_end"])]
    if row["host"]:
        words.append(f"嵌入{observations.task(row['host'])}")
    return f"{observations.task(row)}({','.join(words)})"


def class_line(row: Json) -> str:
    total = f"{row['total_slots']}节" if row["total_slots"] else observations.UNKNOWN
    words = observations.SUBJECT | observations.LEVEL
    profile = "/".join(words.get(row[field.name], observations.UNKNOWN) for field in CLASS_FIELDS if field.missing)
    parts = [f"策略={observations.STRATEGY[row['strategy']]}", f"总预算={total}", *limits(row), f"画像={profile}"]
    return f"[{row['task_class_id']}]{one_line(row['name'])}：" + ", ".join(parts)


def limits(row: Json) -> list[str]:
    """Returns what a class may not do, and its dates."""
    switches = [f"{words}={'是' if row[name] else '否'}" for name, words in observations.FLAGS.items()]
    told = [(words, row[name]) for name, words in observations.LISTS.items() if name != "excluded_cells" or row[name]]
    lists = [f"{words}=[{','.join(map(list_value, values))}]" for words, values in told]
    return [*switches, *lists, f"日期={date_range(row)}"]


def list_value(value: int | Json) -> str:
    if isinstance(value, dict):
        return f"{observations.WEEKDAYS[value['day_of_week']]}{value['block']}"
    return str(value)


def date_range(row: Json) -> str:
    if row.get("start") is None or row.get("end") is None:
        return observations.UNKNOWN
    if "start_date" in row:
        return f"{row['start_date']}~{row['end_date']}"
    return "~".join(
        f"第{row[key]['week']}周{observations.WEEKDAYS[row[key]['day_of_week']]}" for key in ("start", "end")
    )
