"""How much room the calendar leaves for a task class on its own."""

from __future__ import annotations

from datetime import date

from agent.tools.draft.facts import week_day
from agent.tools.types import Json, ToolContext
from schedules.planner.draft.feasibility import room
from schedules.planner.draft.load import board_of, subject_of
from schedules.planner.facts import ClassFact, Facts, ItemFact
from schedules.planner.grid import Calendar, Outside
from schedules.planner.rules.placement import Situation
from taskclasses.spec import item_lengths

NEW_CLASS = 0


async def space_for(merged: Json, class_id: int | None, ctx: ToolContext, calendar: Calendar) -> int | None:
    """Sections of the class that find room for it alone; None when it has no dates or nobody can tell."""
    if ctx.ports.load_facts is None or not merged.get("start_date") or not merged.get("end_date"):
        return None
    facts = await ctx.ports.load_facts([] if class_id is None else [class_id])
    return room_of(class_fact(merged, class_id or NEW_CLASS, calendar), facts, ctx)


def room_of(wanted: ClassFact, facts: Facts, ctx: ToolContext) -> int:
    board = board_of(facts)
    for row in facts.task_classes:
        for item in row.items if row.id == wanted.id else ():
            board.lift(item.id)
    subjects = [subject_of(wanted, item) for item in wanted.items]
    return room(board, subjects, Situation(now=ctx.now_cell, planner=True))


def class_fact(merged: Json, class_id: int, calendar: Calendar) -> ClassFact:
    """The class as the planner would see it; its items get ids of their own that clash with none."""
    items = merged["items"]
    lengths = item_lengths([row.get("duration") for row in items], merged.get("total_slots"))
    return ClassFact(
        id=class_id,
        name=merged["name"],
        strategy=merged["strategy"],
        mode=merged["mode"],
        start_day=day_of(merged["start_date"], calendar, 1),
        end_day=day_of(merged["end_date"], calendar, calendar.grid.days),
        total_slots=merged.get("total_slots"),
        allow_filler_course=merged["allow_filler_course"],
        excluded_slots=tuple(merged["excluded_slots"]),
        excluded_days_of_week=tuple(merged["excluded_days_of_week"]),
        subject_type=merged.get("subject_type"),
        difficulty_level=merged.get("difficulty_level"),
        cognitive_intensity=merged.get("cognitive_intensity"),
        items=tuple(
            ItemFact(-index, index, row["content"], length, False)
            for index, (row, length) in enumerate(zip(items, lengths, strict=True), 1)
        ),
    )


def day_of(words: str, calendar: Calendar, outside: int) -> int:
    found = calendar.day_of(date.fromisoformat(words))
    return outside if isinstance(found, Outside) else found


def dates_of(merged: Json, calendar: Calendar) -> Json:
    """First and last day of a valid class as week and weekday."""
    first = day_of(merged["start_date"], calendar, 1)
    return {"first": week_day(first), "last": week_day(day_of(merged["end_date"], calendar, calendar.grid.days))}
