"""Weekdays told beside a date: Friday 3 April and Saturday too is the 3rd and the 4th, not this week's Saturday.

They are written out as dates before the message is read, since its pieces are read one by one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, timedelta

from agent.llm.offline.language.normalize import fold_text
from agent.llm.offline.language.spans.times.reading import read_times
from agent.llm.offline.language.spans.times.said_time import Time
from agent.llm.offline.language.spans.times.semester import SemesterDates

_BOTH = re.compile(
    r"也|都|还有|以及|连同|[两这]天|[和与跟及、]"
    r"|\b(?:too|also|both|either|as well|and|plus|neither)\b"
)
"""That the weekday is told beside the date, not in place of it."""
_GOES_TO = re.compile(
    r"(?:[到至去]|[移挪改换放推排]到?|每个?|最晚|或者?)\s*$"
    r"|\b(?:to|into|onto|until|till|by|before|after|from|since|next|this|last|every|each|or|instead of|between)\s+"
    r"(?:the |on )?$"
)
"""In front of a weekday that something is moved to, or that is told by itself."""
_GOES = re.compile(
    r"[移挪搬推调换改]|[学做复]完|截止|考试|\b(?:mov|shift|push|put|bring|postpon|reschedul|swap|chang|plan|start|exam"
    r"|deadline|due|test|quiz)\w*"
)
"""What is told of such days is more than that they are taken."""
_CLAUSE = re.compile(r"[,，。;；.]")
_AHEAD = 6


def spell_out_neighbours(text: str, today: date) -> str:
    """The text with the date of each weekday that is told beside another date: the next one after it; its name again,
    as in Good Friday, as nothing."""
    folded = fold_text(text)
    if len(folded) != len(text) or _GOES.search(folded) or not _BOTH.search(folded):
        return text
    for day, start, end in reversed(_days_beside(folded, _year_around(today))):
        named = text[start:end]
        text = text[:start] + (_add_date(named, day) if day else "") + text[end:]
    return text


_BOUND_THERE = re.compile(
    r"\b(?P<en>before|after|until|till) (?:that|then)\b"
    r"|(?<=[,，。;；])(?:在?[那这])?(?:之|以)?(?P<zh>[前后])(?=都?[别不没])"
)
"""Before or after an hour that was told in front of it."""


_DAY = r"(?:(?:next |this )?(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*|(?:[下这本]?个?(?:周|星期|礼拜)[一二三四五六日天]))"
_NOT_PUT = r"(?:不要|不能|不可以|不得|不许|别)(?:再?安?[排放拖挪移]到?在?)?"
_BOUNDS = (
    (re.compile(rf"\bnot (?:any )?(?:before|(?:earlier|sooner) than)(?= {_DAY})", re.IGNORECASE), "no earlier than"),
    (re.compile(rf"\bnot (?:any )?(?:after|later than)(?= {_DAY})", re.IGNORECASE), "no later than"),
    (
        re.compile(rf"\bkeep ([\w ]{{3,40}}) from (?:being|going|landing|ending up) after(?= {_DAY})", re.IGNORECASE),
        r"\1 no later than",
    ),
    (re.compile(rf"(?:{_NOT_PUT}|不)得?早[于过](?={_DAY})"), "最早"),
    (re.compile(rf"(?:{_NOT_PUT}|不)得?[晚迟][于过](?={_DAY})|不要?超过(?={_DAY})"), "最晚"),
    (re.compile(rf"{_NOT_PUT}({_DAY})[之以]?前"), r"最早\1"),
    (re.compile(rf"{_NOT_PUT}({_DAY})[之以]?后"), r"最晚\1"),
)
"""A day before or behind which something may not be, in the words that tell that day to be the first or the last."""


def spell_out_bounds(text: str, today: date) -> str:
    """The text with the hour to which a bound points: home at 7pm, so nothing before that; 七点到家，之前别安排."""
    for form, plain in _BOUNDS:
        text = form.sub(plain, text)
    folded = fold_text(text)
    found = _BOUND_THERE.search(folded)
    if found is None or len(folded) != len(text):
        return text
    times = read_times(folded[: found.start()], _year_around(today))
    hours = [one for one in times if one.kind == "clock"]
    if len(hours) != 1:
        return text
    head, hour, behind = text[: hours[0].start], text[hours[0].start : hours[0].end], text[hours[0].end : found.start()]
    days = [text[one.start : one.end] for one in times if one.kind == "weekday"]
    if found["en"]:
        told = " ".join([found["en"], hour, *(f"on {day}" for day in days)])
    else:
        told = f"{''.join(days)}{hour}之{found['zh']}"
    return _BEFORE_HOUR.sub("", head) + behind + told + text[found.end() :]


_BEFORE_HOUR = re.compile(r"\s*\b(?:at|until|till|by|around|about)\s*$")


_SAME_HOURS = re.compile(
    r",?\s*\b(?:(?:at|in) )?(?:the )?same (?:time|hours?|sections|slot)\b"
    r"|也?在?(?:同样|同一|同1|同|一样|相同)[个的]*(?:时间|时段|节次)段?"
)
_DAY_THERE = re.compile(
    r"\b(?:the )?(?P<en>(?:mon|tues|wednes|thurs|fri|satur|sun)day) (?:after|following|of that week|that week)\b"
    r"|(?:之后|后面|接下来|[那同当][一1]?周)的?(?P<zh>(?:周|星期|礼拜)[一二三四五六日天1-7])"
)


def spell_out_same_hours(text: str, today: date) -> str:
    """The text with the hours and the week of a day told for a second one: the thursday after, same time."""
    folded = fold_text(text)
    same = _SAME_HOURS.search(folded) if len(folded) == len(text) else None
    times = read_times(folded[: same.start()], _year_around(today)) if same else []
    hours, days = ([one for one in times if one.kind in kinds] for kinds in (("sections", "clock"), ("weekday",)))
    if same is None or len(hours) != 1 or len(days) != 2 or days[1].start < hours[0].end:
        return text
    text = f"{text[: same.start()]} {text[hours[0].start : hours[0].end]}{text[same.end() :]}"
    there, week = _DAY_THERE.search(folded[: same.start()]), days[0].week
    if there is None or week is None:
        return text
    week += days[1].weekdays[0] <= days[0].weekdays[0]
    told = f"on {there['en']} week {week}" if there["en"] else f"第{week}周{there['zh']}"
    return text[: there.start()] + told + text[there.end() :]


_OF_PLAN = re.compile(
    r"\b(?:the )?(?P<end>first|last) (?P<en>(?:mon|tues|wednes|thurs|fri|satur|sun)day) (?:of|in|on) (?:the |my )?"
    r"(?:plan|schedule)\b"
    r"|(?:计划|安排|草稿)[里中]?的?(?:第[一1]个?|(?P<last>最后[一1]?个?))(?:周|星期|礼拜)(?P<zh>[一二三四五六日天])",
    re.IGNORECASE,
)


def spell_out_days_of_plan(text: str, days: Sequence[date]) -> str:
    """The text with the date of the first or the last of some weekday in the plan, whose days are given."""
    found = _OF_PLAN.search(text) if days else None
    if found is None:
        return text
    last = bool(found["last"]) or (found["end"] or "").lower() == "last"
    weekday = (
        "一二三四五六日".find(found["zh"].replace("天", "日"))
        if found["zh"]
        else _WEEKDAYS.index(found["en"][:3].lower())
    )
    edge = max(days) if last else min(days)
    day = edge + timedelta(days=-((edge.weekday() - weekday) % 7) if last else (weekday - edge.weekday()) % 7)
    named = f"{day.month}月{day.day}日" if found["zh"] else _add_date(found["en"], day)
    return text[: found.start()] + named + text[found.end() :]


_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


def _days_beside(text: str, term: SemesterDates) -> list[tuple[date | None, int, int]]:
    """The weekdays that are told beside a date, each with its day; none for the weekday of that date."""
    found = list[tuple[date | None, int, int]]()
    anchor: date | None = None
    behind = 0
    for one in read_times(text, term):
        if one.kind == "day" and one.first and one.first == one.last and not one.side and _is_date(text, one):
            anchor, behind = one.first, one.end
        elif anchor and _is_alone(one, text):
            ahead = (one.weekdays[0] - anchor.isoweekday()) % 7
            same_clause = _CLAUSE.search(text[behind : one.start]) is None
            if 0 < ahead <= _AHEAD:
                anchor, behind = anchor + timedelta(days=ahead), one.end
                found.append((anchor, one.start, one.end))
            elif same_clause:
                found.append((None, one.start, one.end))
    return found


def _is_date(text: str, one: Time) -> bool:
    """Whether a day is told by the calendar, not as tomorrow or next Friday."""
    return re.search(r"\d|[一二三四五六七八九十]+[日号]", text[one.start : one.end]) is not None


def _is_alone(one: Time, text: str) -> bool:
    """Whether one weekday is named that is no end of anything, and neither of every week nor of another one."""
    bare = one.kind == "weekday" and len(one.weekdays) == 1 and one.first is None and not (one.every or one.side)
    plural = text[one.start : one.end].endswith("s") or text[one.end : one.end + 1] == "s"
    return bare and not plural and one.week is None and _GOES_TO.search(text[: one.start]) is None


def _year_around(today: date) -> SemesterDates:
    """A calendar in which dates are found without a semester."""
    monday = today - timedelta(days=today.weekday() + 70)
    return SemesterDates(monday, 40, 12, ((1, 4), (5, 8), (9, 12)), today)


def _add_date(name: str, day: date) -> str:
    return f"{name} {day.day} {day:%B}" if name.isascii() else f"{name}{day.month}月{day.day}日"
