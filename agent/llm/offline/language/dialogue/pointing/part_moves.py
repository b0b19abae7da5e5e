"""What of a class stands in one week and goes to another one, which are no dates of the class."""

from __future__ import annotations

import re

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.dialogue.entities import join_names
from agent.llm.offline.language.dialogue.memory import Exchange
from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.meaning.whether import asks_whether
from agent.llm.offline.language.normalize import fold_numbers, fold_text
from agent.llm.offline.language.spans.classes.class_times import find_owners
from agent.llm.offline.language.spans.mentions import all_items, classes_in, items_in
from agent.llm.offline.language.spans.targets import shift_in
from agent.llm.offline.language.spans.times.reading import read_times
from agent.llm.offline.language.spans.times.said_time import Time
from agent.llm.offline.language.spans.times.words import WEEK_AFTER

_GOES = re.compile(
    r"[移挪换改调推拖搬放排]|\b(?:mov(?:e|es|ing)|shift|push|put|bump|go(?:es)?|bring|take|postpone|delay|switch|drag)\b"
)
_OF_DATES = re.compile(r"截止|开始|结束|日期|范围|\b(?:deadline|due|dates?|ends?|starts?|begins?|finish\w*)\b")
_TO = (re.compile(r"\b(?:to|into|onto)(?: the)?\s+|[到至](?:了)?"), re.compile(r"\bin(?: the)?\s+|[在去成]"))
"""Before the week to which something goes, the surer words first."""


def move_part(text: str, brief: Brief, week: int | None = None) -> str:
    """What a class has in one week to another one: move the lin alg stuff of next week to the week after. `week`: in
    which it stands where no week is told of it. Empty for any other text."""
    text = fold_numbers(fold_text(text))
    ids = (classes_in(text, brief.classes) or find_owners(text, brief)) if _GOES.search(text) else []
    asks = (asks_whether(text) and not says("polite_form", text)) or _OF_DATES.search(text)
    if not 0 < len(ids) < len(brief.classes) or asks or items_in(text, brief, among=all_items(brief)):
        return ""
    after, shift = WEEK_AFTER.search(text), shift_in(text) if week else None
    front, goal, behind = _divide(text, brief, after)
    times = [*read_times(front, brief.term), *goal, *read_times(behind, brief.term)]
    stands = [one.week for one in times if one not in goal] or [week]
    by = shift.days // 7 if shift and shift.days % 7 == 0 else 1 if after else 0
    if (
        any(one.kind != "week" or one.side not in ("", "from") for one in times)
        or len(stands) != 1
        or bool(goal) == bool(by)
    ):
        return ""
    here, to = stands[0] or 0, (goal[0].week or 0) if goal else (stands[0] or 0) + by
    rows = [
        row for row in brief.tasks_before if (slot := row["slot"]) and slot["week"] == here and row["class_id"] in ids
    ]
    if rows:
        return brief.say("把{names}移到第{to}周", "move {names} to week {to}", names=join_names(rows, brief), to=to)
    none = ("第{here}周有{name}的任务吗？", "what of {name} is in week {here}?")  # told so instead of a move
    return brief.say(*none, name=brief.name_of(ids[0]), here=here) if here else ""


def _divide(text: str, brief: Brief, after: re.Match[str] | None) -> tuple[str, list[Time], str]:
    """A text at the week to which something goes, which is none where it is told by another one."""
    if after:
        return text[: after.start()], [], text[after.end() :]
    for form in _TO:
        for found in reversed([*form.finditer(text)]):
            behind = text[found.end() :]
            goal = [one for one in read_times(behind, brief.term)[:1] if not one.start and one.kind == "week"]
            if goal:
                return text[: found.start()], goal, behind[goal[0].end :]
    return text, [], ""


def move_part_spoken(text: str, last: Exchange, brief: Brief) -> str:
    """What a class has in the week that was spoken of just before to another one: next week is too full, move the
    algebra to the week after."""
    week = last.target.week if not (last.wrote or last.target.days or last.classes or last.items) else None
    return move_part(text, brief, week) if week else ""
