"""A shift by an exact amount has one place to go to: that one, or it is told why not and what else that day has."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, timedelta

from agent.llm.offline.goals.decisions import Decision, ask_readings
from agent.llm.offline.language.brief import Brief, Json
from agent.llm.offline.language.normalize import fold_text
from agent.llm.offline.language.paraphrase.frames import Frame
from agent.llm.offline.language.spans.targets import PlaceTarget, Shift, day_at
from agent.llm.offline.language.spans.times.hours import section_at
from agent.llm.offline.language.texts import date_text, day_and_date, place_text, run_text
from agent.loop.view_document import SlotView, TaskView

_EXACTLY = re.compile(
    r"正好|刚好|恰好|整整|(?:时间段?|时段|节次|钟点)(?:都|也|要)*(?:保持)?(?:不变|不动|别[变动]|不要变|一样)"
    r"|(?:同样|相同|一样|原来|同[1一]个?)的?(?:时间|时段|节次)"
    r"|\b(?:exactly|precisely|same (?:time|hours?|slot|sections?)s?)\b"
)


def find_shifted_place(slot: SlotView, shift: Shift, brief: Brief) -> PlaceTarget:
    """Where a place lies after a shift; without sections where no section begins at its hour."""
    offset = 7 * (slot["week"] - 1) + slot["day_of_week"] - 1 + shift.days
    first, length = slot["slot_start"] + shift.sections, slot["slot_end"] - slot["slot_start"]
    begins = _begins_at(first, shift, brief)
    sections = (begins, begins + length) if begins else None
    return PlaceTarget(week=offset // 7 + 1, days=(offset % 7 + 1,), sections=sections)


def _begins_at(first: int, shift: Shift, brief: Brief) -> int | None:
    """The section from which on a shifted place reaches: by the clock where hours are told."""
    if not shift.minutes:
        return first if 1 <= first <= brief.term.sections else None
    clock = clock_after(first, shift.minutes, brief)
    return section_at(clock, brief.term) if clock else None


def clock_after(first: int, minutes: int, brief: Brief) -> str:
    """The hour so many minutes behind the beginning of a section; empty where that is on another day."""
    starts = brief.term.starts
    begin = starts[first - 1] if 0 < first <= len(starts) else ""
    at = 60 * int(begin[:2]) + int(begin[3:]) + minutes if begin else -1
    return f"{at // 60:02}:{at % 60:02}" if 0 <= at < 24 * 60 else ""


def is_firm(shift: Shift, brief: Brief) -> bool:
    """Whether the hours of a shift are as firm as its day: exactly a week later, two sections later."""
    said = fold_text((brief.whole or brief).own_words)
    return bool(shift.sections or shift.minutes) or _EXACTLY.search(said) is not None


def tell_no_such_hour(brief: Brief, here: SlotView, shift: Shift) -> str:
    """That no section begins where a shift leads."""
    clock = clock_after(here["slot_start"], shift.minutes, brief) if shift.minutes else ""
    if clock:
        return brief.say("{clock} 没有课节。", "No section begins at {clock}.", clock=clock)
    return brief.say("那一天没有这样的节次。", "The day has no such sections.")


def tell_where_to(brief: Brief, row: TaskView, place: Json) -> str:
    """The one place to which a shift leads."""
    first = place["slot_start"]
    where = place_text(brief, *day_at(brief, place["day"]), first, first + row["duration"] - 1)
    return brief.say("那是{where}。", "That would be {where}. ", where=where)


def tell_other_hours(brief: Brief, row: TaskView, shift: Shift | None, here: SlotView | None, there: Json) -> str:
    """That an item cannot keep its sections on the day to which it is shifted, or not that day of another week; empty
    where it does."""
    if here is None or shift is None or not shift.days:
        return ""
    week, day, first, last = there["week"], there["day_of_week"], here["slot_start"], here["slot_end"]
    at = there["slot_start"], there["slot_end"]
    if shift.days % 7 == 0 and here["day_of_week"] != day:
        told = ("{name}不在{where}，改在{then}，这样次序和空位才对得上。",
                "{name}: not {where} but {then}, so that order and room are kept.")  # fmt: skip
        where = place_text(brief, week, here["day_of_week"], first, last)
        return brief.say(*told, name=row["name"], where=where, then=place_text(brief, week, day, *at))
    if first == at[0]:
        return ""
    wanted = {"name": row["name"], "where": place_text(brief, week, day, first, last)}
    then = "{}-{}".format(*at)
    told = ("{name}同样的节次（{where}）放不下{why}，所以是那一天的 {then} 节。",
            "{name} cannot have the same sections ({where}){why}; on that day it would be {then}.")  # fmt: skip
    return brief.say(*told, **wanted, why=_tell_holder(brief, row, week, day, (first, last)), then=then)


def _tell_holder(brief: Brief, row: TaskView, week: int, day: int, run: tuple[int, int]) -> str:
    """Which item stands at a place, as a part of a sentence; empty where none does."""
    there = PlaceTarget(week=week, days=(day,), sections=run)
    held = (one for one in brief.tasks if one is not row and (slot := one["slot"]) and there.meets(slot))
    other = next(held, None)
    return brief.say("，那里是{name}", ": {name} is there", name=other["name"]) if other else ""


def offer_less(brief: Brief, rows: Sequence[TaskView], shift: Shift) -> Decision | None:
    """The question for what is possible, where all of a class would end behind its last day; None where it would not.
    Its end may move first, or it goes as far as there is room."""
    found = [
        ((date.fromisoformat(owner["end_date"]) - day).days, day + timedelta(days=shift.days), row["name"], owner)
        for row in rows
        if (slot := row["slot"]) and (owner := brief.class_of(row["class_id"])) and owner["end_date"]
        and (day := brief.day_of(slot))
    ]  # fmt: skip
    room, then, name, owner = min(found, key=lambda one: one[:2], default=(shift.days, None, "", None))
    owners = {row["class_id"] for row in rows}
    if not then or not owner or shift.days <= room or len(rows) < sum(row["class_id"] in owners for row in brief.tasks):
        return None
    names = tuple(row["name"] for row in brief.classes if row["id"] in owners)
    less = Frame("shift_all_later", {"class": names, "length": (brief.say(f"{room}天", f"{room} days"),)})
    later = Frame("deadline", {"class": (owner["name"],), "time": (date_text(brief, then),)})
    readings = [one.say(brief.language) for one in ([less] if room > 0 else []) + [later]]
    told = (
        "整体往后推 {n} 天，{name}就在{day}，超出「{owner}」的截止日期（{end}）。可以：{listed}。",
        '{n} days later {name} would be on {day}, after the end date of "{owner}" ({end}). What is possible: {listed}.',
    )
    listed = brief.say("，或者", ", or ").join(brief.say(f"「{one}」", f'"{one}"') for one in readings)
    question = brief.say(*told, n=shift.days, name=name, day=day_and_date(brief, then), owner=owner["name"],
                         end=day_and_date(brief, owner["end_date"]), listed=listed)  # fmt: skip
    return ask_readings(brief, "less_far", question, readings)


def tell_outside(brief: Brief, row: TaskView, target: PlaceTarget) -> str:
    """That every day asked for lies outside the dates of the class of an item; empty where one does not."""
    own = brief.class_of(row["class_id"])
    days = [brief.term.day(target.week, day) for day in target.days or range(1, 8)] if target.week else []
    if not own or not days or any(own["start_date"] <= day.isoformat() <= own["end_date"] for day in days):
        return ""
    told = ("那是{day}，不在「{name}」的起止日期内（{first} 到 {last}）。",
            "That would be {day}, outside the dates of {name} ({first} to {last}).")  # fmt: skip
    ends = {"first": day_and_date(brief, own["start_date"]), "last": day_and_date(brief, own["end_date"])}
    listed = brief.say("、", ", ").join(day_and_date(brief, day) for day in days if target.days)
    listed = listed or run_text(brief, days[0], days[-1])
    return brief.say(*told, day=listed, name=own["name"], **ends)


def count_day(brief: Brief, target: PlaceTarget, here: SlotView | None) -> int | None:
    """The number of the day of a target, also before and behind the days of the draft; None where it is no one day."""
    week = target.week or (here["week"] if here else None)
    if not (brief.draft and week and len(target.days) == 1):
        return None
    first = brief.draft["window"]["first"]
    return 7 * (week - first["week"]) + target.days[0] - first["day_of_week"] + 1
