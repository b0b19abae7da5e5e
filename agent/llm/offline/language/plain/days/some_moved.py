"""Some of what is on at one time that is to go to another one: too much in week 4, move something to week 5."""

from __future__ import annotations

import re

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.meaning.whether import asks_whether
from agent.llm.offline.language.normalize import fold_numbers
from agent.llm.offline.language.paraphrase.frames import Frame, frame_of
from agent.llm.offline.language.spans.items.mention_signs import find_mentioned
from agent.llm.offline.language.spans.mentions import classes_in
from agent.llm.offline.language.spans.targets import place_of
from agent.llm.offline.language.spans.times.reading import read_times

_SOME = re.compile(
    r"(?:[挪移搬调匀推][走出掉]?|周的)(?:(?P<few>1些|些|几[个项章])|(?P<n>[1-4])[个项章](?:东西|任务|内容)?|1?点)"
    r"|\b(?:move|shift|push|put|bring|take) (?:just |only )?"
    r"(?:something|one (?:thing|item|step|task|of)|an? (?:item|step|task)|(?P<more>some|a couple|a few)"
    r"|(?P<en>[2-4]) (?:of the )?(?:things|items|steps|tasks))\b"
)
_GOES = re.compile(r"[到去至]\s*$|\b(?:in)?to (?:the )?$")
_PAIR = _FEW = 2
"""The times that are told; how many "some" are."""


def read_some_moved(text: str, brief: Brief) -> list[Frame]:
    """That so many of the items of a time go to another one: those that stand nearest to it are moved."""
    folded = fold_numbers(text)
    some, times = _SOME.search(folded), read_times(folded, brief.term)
    if some is None or len(times) != _PAIR or asks_whether(text) or find_mentioned(text, brief):
        return []
    goals = [one for one in times if _GOES.search(folded[: one.start])]
    if len(goals) != 1 or any(one.side or one.impossible for one in times):
        return []
    goal, start = goals[0], next(one for one in times if one is not goals[0])
    there, owners = place_of([start], brief.term), classes_in(text, brief.classes)
    rows = [row for row in brief.tasks_before if brief.is_ahead(row) and (not owners or row["class_id"] in owners)]
    stands = sorted(
        (brief.day_of(slot), slot["slot_start"], row["name"])
        for row in rows
        if (slot := row["slot"]) and there.covers(slot)
    )
    number = int(some["n"] or some["en"] or (_FEW if some["few"] or some["more"] else 1))
    if not 0 < number < len(stands) or not (goal.first and start.first):
        return []
    nearest = stands[-number:] if goal.first > start.first else stands[:number]
    slots = {"items": tuple(name for _, _, name in nearest), "time": (folded[goal.start : goal.end],)}
    return [frame_of("move_to", slots)]
