"""Bounds of the hours of a day: the sections up to one, or from one on, that a time means as its words tell."""

from __future__ import annotations

import re

from agent.llm.offline.language.spans.times.said_time import Side, Time
from agent.llm.offline.language.spans.times.semester import SemesterDates
from agent.llm.offline.language.spans.times.sides import read_side
from agent.llm.offline.language.spans.times.words import number_of

BOUNDS = re.compile(
    r"\b(?:not (?:before|until|after|past)|(?:no|not|never) (?:later|earlier|sooner) than)\b|不(?:要)?[早晚迟]于"
    r"|最[早晚迟]|(?:只|顶多|最多)(?:能|可以)*[排学做]?到|\b(?:only|up) (?:until|till|to)\b"
    r"|(?:以后|之后|后|起|开始)(?:我|都)*(?:才|再(?:开始|[学做看排]))"
    r"|只(?:能|有|想|可以|在)*(?:[上下]午|早上|晚上)?(?=[\d一二三四五六七八九十]+点)"
    r"|\bonly (?:(?!on\b|\w+days?\b|weekends?\b)\w+ ){0,3}?(?:after|before|past)\b"
    r"|\b(?:done|finish\w*|wrap\w*|stop\w*|over|through|quit)\b(?: \w+){0,4}? by\b"
    r"|前(?:要|得|必须|全部|都|就|能|把)*(?:[学做弄搞忙]?(?:完|好|定)|结束|收工)"
    r"|点半?钟?(?:就|才)?(?:要|得|能)?(?:结束|收工|睡|起床|有空)"
    r"|\b(?:bed|asleep|(?:get|wake) up|up) (?:at|by|around|before|until)\b"
)
"""What keeps to one side of an hour, and refuses what lies beyond it: not before 2pm keeps to what is from then on."""


_FROM = re.compile(r"从(?:早上|上午|下午|傍晚|晚上)?第?$")
_ON = re.compile(r"往后|\bon\b(?= |$)")


def side_of(one: Time, text: str) -> Side:
    """Which side of sections or of an hour is meant, where they are a bound."""
    if one.kind != "sections" or (one.sections and one.sections[1] and not read_side(one, text)):
        return one.side
    opens = _FROM.search(text[: one.start].rstrip()) or _ON.match(text[one.end :].lstrip())
    return read_side(one, text) or ("from" if opens else "")


def run_of(one: Time, text: str, term: SemesterDates) -> tuple[int, int] | None:
    """First and last section that sections or an hour tell, up to the end of the day where they are a bound."""
    if one.sections is None or one.kind not in ("sections", "clock"):
        return None
    first, last = one.sections[0], one.sections[1] or one.sections[0]
    if one.kind == "clock":
        return (first, last) if one.side or one.sections[1] else None
    side = side_of(one, text)
    first, last = {"from": (first, term.sections), "after": (last + 1, term.sections),
                   "until": (1, last), "before": (1, first - 1)}.get(side, (first, last))  # fmt: skip
    return (first, last) if first <= last else None


def days_of_span(found: re.Match[str]) -> int:
    """How many days a span of days, weeks or months has."""
    number = number_of((found["n"] or found["k"] or "1").replace("两", "2"))
    return max(1, number * _DAYS.get(found["unit"] or found["zm"] or found["en"], 7))


_DAYS = {"天": 1, "day": 1, "月": 30, "month": 30}
