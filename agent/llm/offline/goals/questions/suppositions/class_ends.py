"""How late or how early a class could come to its end, with the other classes as they are."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import cast

from agent.llm.offline.goals.questions.suppositions.supposed import (
    PLACES,
    TIMETABLE,
    Answer,
    find_unplanned,
    look_up,
    tell_unplanned,
)
from agent.llm.offline.goals.questions.timetable import entries_of
from agent.llm.offline.language.brief import Brief, Json
from agent.llm.offline.language.texts import date_text, dated_slot_text, place_text
from agent.loop.view_document import ClassView, SlotView

MOST_PLACES = 60
_BLOCK = 2


def reach_end(brief: Brief, classes: Sequence[ClassView], *, early: bool) -> Answer:
    """When a class could end at the latest or at the earliest."""
    row = classes[0] if classes else None
    own = [task for task in brief.tasks if row and task["class_id"] == row["id"] and task["mark"] != "done"]
    if row is None or not own or find_unplanned(brief, [row["id"]]):
        return tell_unplanned(brief, [row["id"]] if row else [])
    return _reach_earliest(brief, row, len(own)) if early else _reach_latest(brief, row)


def _reach_latest(brief: Brief, row: ClassView) -> Answer:
    """The last place that the last item could have."""
    last = max((task for task in brief.tasks if task["class_id"] == row["id"]), key=lambda task: task["order"])
    found, decision = look_up(brief, PLACES, {"for_task_id": last["state_id"], "limit": MOST_PLACES})
    if decision is not None:
        return decision
    places = [cast("SlotView", one) for one in (found or {}).get("slots", ())]
    places += [last["slot"]] if last["slot"] else []
    at = max(places, key=lambda one: (one["week"], one["day_of_week"], one["slot_start"]))
    told = (
        "「{name}」最晚可以在{where}学完：那是最后一项{item}能放的最晚位置，任务类{end}截止。",
        '"{name}" could end on {where} at the latest: the last place that its last item, {item}, could have; the class '
        "ends on {end}.",
    )
    end = date_text(brief, date.fromisoformat(row["end_date"])) if row["end_date"] else "-"
    return brief.say(*told, name=row["name"], where=dated_slot_text(brief, at), item=last["name"], end=end)


def _reach_earliest(brief: Brief, row: ClassView, number: int) -> Answer:
    """The place of the last item if all of them follow each other closely."""
    first = max(brief.term.today, date.fromisoformat(row["start_date"]) if row["start_date"] else brief.term.today)
    end = date.fromisoformat(row["end_date"]) if row["end_date"] else brief.term.last_day
    weeks = {
        "week_from": max(1, brief.term.week_day(first)[0]),
        "week_to": min(brief.term.weeks, brief.term.week_day(end)[0]),
    }
    data, decision = look_up(brief, TIMETABLE, weeks)
    if data is None:
        return decision or brief.say("读不到课表。", "The timetable cannot be read.")
    free = [one for day in data["days"] if first <= brief.day_of(day) <= end for one in _free_blocks(brief, day, row)]
    if len(free) < number:
        return brief.say("「{name}」在它的日期里排不下。", '"{name}" does not fit within its dates.', name=row["name"])
    week, weekday, block = free[number - 1]
    where = place_text(brief, week, weekday, _BLOCK * block - 1, _BLOCK * block)
    told = (
        "「{name}」剩下的 {n} 项一项接一项地排，最早可以在{where}（{day}）学完；任务类从{first}开始。",
        'Put as close together as its times allow, the {n} items of "{name}" could be done by {where} ({day}) at the '
        "earliest; the class begins on {first}.",
    )
    day = date_text(brief, brief.term.day(week, weekday))
    return brief.say(*told, name=row["name"], n=number, where=where, day=day, first=date_text(brief, first))


def _free_blocks(brief: Brief, day: Json, row: ClassView) -> list[tuple[int, int, int]]:
    """The blocks of a day that neither a lesson nor another class takes, and that the class does not leave free."""
    own = {task["name"] for task in brief.tasks if task["class_id"] == row["id"]}
    busy = {
        section
        for one in entries_of(brief, day) if one["name"] not in own
        for section in range(one["slot_start"], one["slot_end"] + 1)
    }  # fmt: skip
    weekday, cells = day["day_of_week"], {(cell[0], cell[1]) for cell in row["excluded_cells"]}
    begun = brief.now["section"] if brief.day_of(day) == brief.term.today else 0
    return [
        (day["week"], weekday, block)
        for block in range(1, brief.term.sections // _BLOCK + 1)
        if weekday not in row["excluded_days"] and block not in row["excluded_blocks"] and (weekday, block) not in cells
        and _BLOCK * block - 1 > begun and not busy & {_BLOCK * block - 1, _BLOCK * block}
    ]  # fmt: skip
