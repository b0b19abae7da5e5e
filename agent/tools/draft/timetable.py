"""The timetable itself, week by week, whatever the draft's window is: query_timetable."""

from __future__ import annotations

from agent.calls.kinds import Json
from agent.calls.phrase import one_line, say
from agent.calls.values import ToolContext, ToolError, ToolOutcome
from agent.tools.arguments.tools import TimetableArgs
from agent.tools.words import observations
from schedules.planner.draft.state import ScheduleState
from schedules.planner.facts import EventFact, Facts
from schedules.planner.grid import Grid, Place, day_number, week_and_weekday


async def query_timetable(draft: ScheduleState | None, args: TimetableArgs, ctx: ToolContext) -> ToolOutcome:
    """Returns lessons and applied items of these weeks from the stored timetable, suggested ones from the draft, and
    the time that the student keeps free."""
    if ctx.ports.load_facts is None or ctx.calendar is None:
        return ToolOutcome(draft, {}, error=ToolError("timetable_missing", say("还没有学期，读不到课表")))
    weeks = ctx.calendar.weeks
    first = args.week_from or (week_and_weekday(ctx.now_cell[0])[0] if ctx.now_cell else 1)
    last = args.week_to or first
    if not 1 <= first <= last <= weeks:
        outside = ToolError("outside_semester", say("学期只有第 1 到第 {n} 周", n=weeks), details={"weeks": weeks})
        return ToolOutcome(draft, {}, error=outside)
    facts = await ctx.ports.load_facts(ctx.scope)
    rows = [*_rows_stored(facts), *_rows_suggested(draft), *_rows_kept(facts.grid)]
    days = range(day_number(first, 1), day_number(last, 7) + 1)
    data: Json = {
        "week_from": first,
        "week_to": last,
        "days": [_day(facts.grid, day, [row for row in rows if row[0].day == day]) for day in days],
    }
    data |= {key: sum(row[key] for row in data["days"]) for key in ("courses", "tasks", "free")}
    return ToolOutcome(draft, data)


Row = tuple[Place, str, str]


def _rows_stored(facts: Facts) -> list[Row]:
    """Returns every event; the guest of a lesson has a row of its own."""
    names = {item.id: item.content for row in facts.task_classes for item in row.items}
    rows: list[Row] = [(event.place, event.name, _status(event)) for event in facts.events if not event.interrupted]
    guests = [event for event in facts.events if event.guest_task_item_id and not event.interrupted]
    for event in guests:
        name = names.get(event.guest_task_item_id or 0, "")
        rows.append((event.guest_place or event.place, name, "embedded"))
    return rows


def _status(event: EventFact) -> str:
    return "fixed" if event.task_item_id is None else "existing"


def _rows_suggested(draft: ScheduleState | None) -> list[Row]:
    if draft is None:
        return []
    placed = [entry for entry in draft.items() if entry.status == "suggested"]
    rows = [(spot.place, entry.name, spot.host_event_id) for entry in placed if (spot := draft.spot_of(entry))]
    return [(place, name, "suggested_embedded" if host else "suggested") for place, name, host in rows]


def _rows_kept(grid: Grid) -> list[Row]:
    """Returns each run of sections that the student keeps free."""
    cells = sorted(grid.kept_free)
    heads = [(day, section) for day, section in cells if (day, section - 1) not in grid.kept_free]
    ends = [section for day, section in cells if (day, section + 1) not in grid.kept_free]
    return [(Place(day, head, end - head + 1), "留空", KEPT) for (day, head), end in zip(heads, ends, strict=True)]


def _day(grid: Grid, day: int, rows: list[Row]) -> Json:
    """Returns one day; what is held inside a lesson takes no section of its own."""
    week, weekday = week_and_weekday(day)
    lessons, items, kept = (
        {section for place, _, of in rows if of in kind for section in place.sections} for kind in (*KINDS, (KEPT,))
    )
    courses, tasks = lessons, items - lessons
    entries = [
        {"slot_start": place.first, "slot_end": place.last, "name": name, "status": status.removesuffix("_embedded")}
        for place, name, status in sorted(rows, key=lambda row: (row[0].first, row[2]))
    ]
    free = grid.sections - len(courses | tasks | kept)
    return {
        "week": week,
        "day_of_week": weekday,
        "courses": len(courses),
        "tasks": len(tasks),
        "free": free,
        "entries": entries,
        **({"closed": True} if day in grid.closed_days else {}),
    }


KINDS = (("fixed",), ("existing", "suggested"))
"""What is a lesson and what is an item, by status."""
KEPT = "kept"
"""The status of time that the student keeps free."""


def observe_timetable(outcome: ToolOutcome) -> str:
    if outcome.error is not None:
        return observations.failure_text(outcome.error)
    lines = []
    for row in outcome.data["days"]:
        told = "、".join(
            f"{observations.sections(one['slot_start'], one['slot_end'])} {one_line(one['name'])}"
            for one in row["entries"]
        )
        head = f"第{row['week']}周{observations.WEEKDAYS[row['day_of_week']]}"
        counts = f"课程{row['courses']}节，任务{row['tasks']}节，空闲{row['free']}节{observations.shut(row)}"
        lines.append(f"{head}：{counts}" + (f"：{told}" if told else ""))
    return "\n".join(lines)
