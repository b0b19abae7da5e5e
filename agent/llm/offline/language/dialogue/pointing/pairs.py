"""The two items that were spoken of last, where a turn wants something of both: one on tuesday, the other on
thursday."""

from __future__ import annotations

import re

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.dialogue.entities import join_names, name_of
from agent.llm.offline.language.dialogue.memory import Exchange, Memory
from agent.llm.offline.language.dialogue.pointing.pointed_times import SAME_DAY
from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.meaning.intents import intent_of
from agent.llm.offline.language.meaning.whether import asks_whether
from agent.llm.offline.language.normalize import fold_text
from agent.llm.offline.language.spans.mentions import all_items, items_in
from agent.llm.offline.language.spans.targets import target_in
from agent.llm.offline.language.spans.times.reading import read_times
from agent.loop.view_document import TaskView

_PAIR = re.compile(
    r"\b(?:(?:both|those|these|the)(?: of (?:them|those|these))?(?: two)?(?: items)?|them(?: both)?)"
    r"(?=\W*$|,| (?:around|please|over|then))"
    r"|(?:把)?(?:[它他]们|[这那])?(?:[两2二]个|俩|它们)(?:任务)?的?(?:位置|时间|顺序)?"
)
_BOTH = re.compile(
    r"\b(?:them both|both(?: of (?:them|those|these))?|them|they|those two|these two|the two)\b"
    r"|[它他]们俩?|[它这那]?[俩两二2](?:个|项)?"
)
_ONE_DAY = re.compile(rf"{SAME_DAY.pattern}|[放排挪移改][到在]?[一1]天|\bon one day\b|\btogether\b")
_ASKS = re.compile(r"^(?:so |and )?(?:are|is|were|will)\b|吗|是不是")
_EACH = re.compile(
    r"(?P<lead>[^,.;]{0,12}?)\b(?P<one>one|the (?:first|former)(?: one)?)(?P<first>\b[^,.;]*?)"
    r"(?:[,;]|\band\b|\bbut\b|\s)+(?:(?:the |an)other|the (?:second|latter|last))(?: one)?(?P<then>\b.+)"
    r"|(?P<lead2>把?)(?P<one2>[一1]个|前面?[那一1]*个|第[一1]个)(?P<first2>[^,，。;；]+?)"
    r"[,，、;；]?(?:另外?[一1]?个|后面?[那一1]*个|第[二两2]个|[一1]个)(?P<then2>.+)"
)
"""What is told of one of two, and then of the other one."""
_UNORDERED = ("one", "1个", "一个")
"""Which of them is the one is left open."""


def name_pair(text: str, memory: Memory) -> str:
    """A wish for those two with the names of the two items that were spoken of last; empty for other turns."""
    brief, folded = memory.brief, fold_text(text)
    if items_in(text, brief, among=all_items(brief)):
        return ""
    apart = memory.spoken[-2:]
    if len(apart) == 2 and _PAIR.search(folded) and intent_of(text, brief) == "swap":
        one, other = (name_of(row, brief) for row in apart)
        return brief.say(f"{one}和{other}换一下", f"swap {one} and {other}")
    last = memory.last
    rows = [*last.told] if last and last.asked and len(last.told) == 2 else apart
    if len(rows) != 2 or not (last and last.asked):
        return ""
    if (each := _EACH.fullmatch(folded)) and (told := _tell_each(each, rows, brief)):
        return told
    if not (_ONE_DAY.search(folded) and _BOTH.search(folded)) or target_in(folded, brief).dated:
        return ""
    names = join_names(rows, brief)
    if _ASKS.search(folded) and not says("polite_form", folded):
        return brief.say("{names}在什么时候", "when is {names}", names=names)
    return brief.say(
        "把{names}放到同一天",
        "move {one} to the same day as {other}",
        names=names,
        one=name_of(rows[0], brief),
        other=name_of(rows[1], brief),
    )


_BEHIND = re.compile(
    r"\b(?:right|straight|directly|immediately) (?P<en>after|behind|before|in front of)(?: (?:it|that|this)(?: one)?)?"
    r"(?= (?:please|pls)\b|\W*$)"
    r"|(?:就|也)?(?:紧[接跟挨贴]着?|挨着|接着|接在?|[排放]在?)在?(?:它|其|那个)的?(?P<zh>后面?|之后|前面?|之前)?(?=\W*$|吧|好了)"
    r"|(?:紧[接跟挨贴]着?|挨着|接着)[排放]?在?(?:后面?|之后)(?=\W*$|吧|好了)"
)
_IN_FRONT = ("before", "in front of", "前", "前面", "之前")


def place_beside_moved(text: str, last: Exchange, brief: Brief) -> str:
    """An item right behind or in front of the one that was moved just before: and chapter 5 right after it."""
    folded = fold_text(text)
    found, rows = _BEHIND.search(folded), items_in(text, brief)
    ids = [row["item_id"] for row in last.listed] if last.wrote else []
    if found is None or len(rows) != 1 or len(ids) != 1 or rows[0]["item_id"] in ids or asks_whether(text):
        return ""
    other = next((row for row in brief.tasks if row["item_id"] in ids), None)
    if other is None or read_times(folded.replace(found.group(), " "), brief.term):
        return ""
    front = (found["en"] or found["zh"]) in _IN_FRONT
    names = {"name": name_of(rows[0], brief), "other": name_of(other, brief)}
    if front:
        return brief.say("{name}紧接在{other}前面", "put {name} right before {other}", **names)
    return brief.say("{name}紧接在{other}后面", "put {name} right after {other}", **names)


def _tell_each(found: re.Match[str], rows: list[TaskView], brief: Brief) -> str:
    """A place for each of two items; which of them is the one stays as near to where they are as can be."""
    said = {name.rstrip("2"): words for name, words in found.groupdict().items() if words is not None}
    times = [read_times(said[side], brief.term) for side in ("first", "then")]
    if [len(one) for one in times] != [1, 1] or asks_whether(found.group()):
        return ""
    words = [said[side][one[0].start : one[0].end] for side, one in zip(("first", "then"), times, strict=True)]
    goals = [target_in(one, brief) for one in words]
    ways = [rows, rows[::-1]] if said["one"] in _UNORDERED else [rows]
    stay = [
        [bool((slot := row["slot"]) and goal.covers(slot)) for row, goal in zip(way, goals, strict=True)]
        for way in ways
    ]
    best = max(range(len(ways)), key=lambda at: sum(stay[at]))
    goes = [(row, when) for row, when, there in zip(ways[best], words, stay[best], strict=True) if not there]
    if not goes:
        return brief.say("{names}在什么时候", "when is {names}", names=join_names(rows, brief))
    moves = [
        brief.say(f"把{name_of(row, brief)}移到{when}", f"move {name_of(row, brief)} to {when}") for row, when in goes
    ]
    return brief.say("，", ", ").join(moves)
