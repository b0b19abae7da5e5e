"""How much room the calendar leaves for a task class on its own."""

from __future__ import annotations

from datetime import date

from agent.calls.kinds import Json
from agent.calls.values import ToolContext
from schedules.planner.class_rules import rules_of
from schedules.planner.draft.feasibility import room
from schedules.planner.draft.load import board_of, subject_of
from schedules.planner.facts import ClassFact, Facts, ItemFact
from schedules.planner.grid import Calendar, Outside, day_json
from schedules.planner.rules.placement import Situation
from taskclasses.spec import item_lengths

NEW_CLASS = 0


async def space_for(merged: Json, class_id: int | None, ctx: ToolContext, calendar: Calendar) -> int | None:
    """Returns sections of the class that find room for it alone; None when it has no dates or nobody can tell."""
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
    """Returns the class as the planner would see it; its items get ids of their own that clash with none."""
    rows, total = merged["items"], merged.get("total_slots")
    lengths = item_lengths([row.get("duration") for row in rows], total)
    numbered = enumerate(zip(rows, lengths, strict=True), 1)
    items = tuple(ItemFact(-index, index, row["content"], length, False) for index, (row, length) in numbered)
    start = day_of(merged["start_date"], calendar, 1)
    rules = rules_of(merged, start_day=start, end_day=day_of(merged["end_date"], calendar, calendar.grid.days))
    return ClassFact(class_id, merged["name"], total, rules, items)


def day_of(words: str, calendar: Calendar, outside: int) -> int:
    found = calendar.day_of(date.fromisoformat(words))
    return outside if isinstance(found, Outside) else found


def dates_of(merged: Json, calendar: Calendar) -> Json:
    """Returns first and last day of a valid class as week and weekday."""
    first = day_of(merged["start_date"], calendar, 1)
    return {"first": day_json(first), "last": day_json(day_of(merged["end_date"], calendar, calendar.grid.days))}
