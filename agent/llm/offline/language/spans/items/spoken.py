"""Items named side by side, and the items that were named last."""

from __future__ import annotations

import re
from functools import lru_cache

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.normalize import fold_numbers, fold_text
from agent.llm.offline.language.spans.mentions import items_in, without_mistakes
from agent.loop.view_document import TaskView

_AND = re.compile(r"[、和与跟及&]|\b(?:and|plus)\b|[,，]")
UNIT = "章|项|讲|部分|单元|次|课|篇"
_RANGE = re.compile(rf"第\s*(\d{{1,3}})\s*({UNIT})?\s*[-~到至]\s*第?\s*(\d{{1,3}})\s*({UNIT})")
_KIND = "实验|专题|单元|chapter|ch|item|part|unit|lecture|lesson|lab|list"
_RANGE_EN = re.compile(
    rf"(?<![a-z])({_KIND})(s?)\s*(\d{{1,3}})\s*(to|through|thru|[-–~到至])\s*(?:({_KIND})s?\s*)?(\d{{1,3}})"
    r"(?!\d|\s*(?:am|pm|:|/|(?:st|nd|rd|th)\b|[节号日点月天周]|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)))"
)
_GOES = re.compile(r"\b(?:move|put|shift|push|bring|place|do|have|drag|reschedule)\b[^,.;]*$")
_GOES_ON = re.compile(r"\s+(?:to|on|in|into|by|out|back|later|earlier|(?:an?|one|two|\d) (?:day|week)s?)\b")
_LISTED = re.compile(rf"第\s*(\d{{1,3}})((?:\s*[、和与,，]\s*第?\s*\d{{1,3}}|\s*第\s*\d{{1,3}})+)\s*({UNIT})")
_LISTED_EN = re.compile(
    r"\b(chapter|ch|item|part|unit|lecture|lesson|lab)s?\s*(\d{1,3})"
    r"((?:\s*(?:,|and|&|\+|[、和与跟])\s*(?:and\s+)?\d{1,3}(?![-\d:]| ?(?:sections?|periods?|slots?|hours?)\b))+)"
)


def spoken_of(brief: Brief) -> list[TaskView]:
    """The items named last before this goal: by the student in any way, to the student by their [id] only; of a reason
    that names others the one that the student asked about."""
    told: list[TaskView] = []
    for turn in reversed(brief.earlier):
        if turn["role"] != "user":
            told = told or [row for row in brief.tasks if row["item_id"] in turn["item_ids"]]
            continue
        found = named_items(turn["text"], brief) or items_in(turn["text"], brief)
        if told or found:
            return explained_of(turn["text"], found, told) or told or found
    return told


def explained_of(question: str, named: list[TaskView], told: list[TaskView]) -> list[TaskView]:
    """The items of a question for the reason, where the answer tells of them beside others."""
    ids = {row["item_id"] for row in told}
    whole = named and all(row["item_id"] in ids for row in named)
    return named if whole and says("why_asked", fold_text(question)) else []


def split_list(text: str) -> list[str]:
    """The pieces of a text between the words and signs of a list."""
    return _AND.split(text)


def named_items(message: str, brief: Brief) -> list[TaskView]:
    """Two or more items named side by side, each beyond doubt; nothing otherwise."""
    found: list[TaskView] = []
    for piece in _AND.split(spell_out_ordinals(without_mistakes(fold_numbers(message)))):
        rows = items_in(piece, brief)
        if len(rows) > 1:
            return []
        found += [row for row in rows if row not in found]
    return found if len(found) > 1 else []


def _spell(first: str, last: str, form: str, joint: str) -> str:
    """The ordinals from the first to the last, at most a dozen."""
    numbers = range(int(first), min(int(last), int(first) + 11) + 1)
    return joint.join(form.format(number) for number in numbers)


def _spell_range(match: re.Match[str]) -> str:
    """Labs 1 to 3, lab 1 to lab 3, 实验一到三, I did lab 1 to 3; not move lab 1 to 3, which may be a day."""
    kind, several, first, joint, again, last = match.groups()
    head, rest = match.string[: match.start()], match.string[match.end() :]
    told = _GOES.search(head) is None or _GOES_ON.match(rest) is not None
    told = told or bool(several) or again == kind or not joint.isascii() or joint == "-" or not kind.isascii()
    form, joint = (f"{kind} {{}}", ", ") if kind.isascii() else (f"{kind}{{}}", "、")
    return _spell(first, last, form, joint) if told and again in (None, kind) else match.group()


@lru_cache(maxsize=4096)
def spell_out_ordinals(message: str) -> str:
    """第2、3章 -> 第2章、第3章; chapters 2 and 3 -> chapter 2, chapter 3."""
    text = _RANGE.sub(lambda match: _spell(match[1], match[3], f"第{{}}{match[4]}", "、"), fold_numbers(message))
    text = _RANGE_EN.sub(_spell_range, text)
    text = _LISTED.sub(
        lambda match: "、".join(f"第{n}{match[3]}" for n in re.findall(r"\d+", match[1] + match[2])), text
    )
    return _LISTED_EN.sub(
        lambda match: " and ".join(f"{match[1]} {n}" for n in [match[2], *re.findall(r"\d+", match[3])]), text
    )
