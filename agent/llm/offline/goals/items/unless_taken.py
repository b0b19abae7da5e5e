"""A move on the condition that nothing is on yet where it goes: held against the draft and the timetable."""

from __future__ import annotations

import re
from typing import Any

from agent.llm.offline.goals.decisions import WRITES, Decision, call, give_up
from agent.llm.offline.goals.items.one_item import local
from agent.llm.offline.goals.questions.timetable import NAME as TIMETABLE
from agent.llm.offline.goals.questions.timetable import entries_of
from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.meaning.intents import intent_of
from agent.llm.offline.language.normalize import fold_text
from agent.llm.offline.language.spans.alternatives import find_unless
from agent.llm.offline.language.spans.targets import day_at, target_in
from agent.llm.offline.language.texts import dated_text

_LESSONS = re.compile(r"课|\b(?:lessons?|lectures?|class(?:es)?)\b")


def move_unless_taken(brief: Brief) -> Decision | None:
    """The move once the day is looked up, or what is on then; None for another goal, and behind the move."""
    said = find_unless(brief.request)
    if not said or intent_of(brief.request, brief) not in ("move", "place"):
        return None
    if brief.done(*WRITES):
        return None
    words = fold_text(brief.request).replace(said, " ").strip(" ,，")
    decision = local(brief.part([words, *brief.turns[1:]], brief.results))
    made = (decision or {}).get("tool_call") or {}
    if made.get("name") not in ("move", "place"):
        return decision
    arguments = made["arguments"]
    week, weekday = day_at(brief, arguments.get("new_day", arguments.get("day", 1)))
    wanted = {"week_from": week, "week_to": week}
    looked = next((row for row in brief.results if row["tool"] == TIMETABLE and row["arguments"] == wanted), None)
    if looked is None:
        return call(brief, TIMETABLE, wanted)
    there = _find_there(brief, looked["data"] or {"days": []}, weekday, words, said)
    there = [name for name in there if name != (brief.task(arguments["task_id"]) or {"name": ""})["name"]]
    when = dated_text(brief, week, weekday)
    if there:
        told = (
            "{when}已经有：{there}。按你说的没有移动。",
            "{when} already has: {there}. As you said, nothing was moved.",
        )
        return give_up("settled", brief.say(*told, when=when, there=brief.say("、", ", ").join(there)))
    told = ("那时候还没有别的（{when}）。", "Nothing is on then yet ({when}).")
    if _LESSONS.search(said):
        told = ("那时候没有课（{when}）。", "There are no lessons then ({when}).")
    return {**(decision or {}), "speak": f"{brief.say(*told, when=when)} {(decision or {}).get('speak', '')}".strip()}


def _find_there(brief: Brief, data: Any, weekday: int, words: str, said: str) -> list[str]:
    """The names of what is on at that day, or at the part of it that is named; lessons alone where these are meant."""
    part = target_in(words, brief).part or (1, brief.term.sections)
    only_lessons = _LESSONS.search(said) is not None
    entries = (one for row in data["days"] if row["day_of_week"] == weekday for one in entries_of(brief, row))
    return [
        one["name"]
        for one in entries
        if (one["status"] == "fixed" or not only_lessons)
        and one["slot_start"] <= part[1]
        and part[0] <= one["slot_end"]
    ]
