"""Requests that were offered, with the day, the length or the week of an answer in the place of their own."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.meaning.ellipsis import strip_known
from agent.llm.offline.language.normalize import fold_numbers
from agent.llm.offline.language.paraphrase.frames import frame_of
from agent.llm.offline.language.spans.mentions import all_items, classes_in, items_in
from agent.llm.offline.language.spans.times.piece_readers import next_of_number
from agent.llm.offline.language.spans.times.reading import read_times
from agent.llm.offline.language.spans.times.words import number_of

MONTH = re.compile(r"月|\d\s?[./-]\s?\d|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)[a-z]*\b")
"""What names the month of a day."""
EXTENDED = re.compile(
    r"延(?!误)|宽限|多给|加时|推到|\bgive (?:\w+ ){1,3}(?:until|till)\b"
    r"|\b(?:extend|lengthen|prolong)\w*\b|\b(?:more|extra|additional|another) (?:weeks?|days?)\b"
)
"""What gives a class a later end."""
_LENGTH = re.compile(
    r"(?<![第\d月])(?P<zh>\d{1,2}) ?个?(?P<unit>天|周|星期|礼拜)(?![一二三四五六日天末\d])"
    r"|\b(?P<en>\d{1,2}|an?|one|two|three|four|five|six|ten) (?:more |extra )?(?P<unit2>day|week)s?\b"
)
_DAY = re.compile(
    r"\d{1,2}月\d{1,2}[日号]|\b\d{1,2} (?:January|February|March|April|May|June|July|August|September|October|November"
    r"|December)\b"
)
_WEEK = re.compile(r"第 ?\d{1,2} ?周|\bweek \d{1,2}\b")
_LATER = re.compile(r"推迟\d+天|\d+ days? later")
_GIVES = re.compile(
    r"延[长后期迟]?到?|截止(?:日期|时间)?|宽限|给|只|用|[学做弄搞]完|完成|结束|一?点|以内|之内|内"
    r"|\b(?:give|extend|deadline|due|end(?:s|ing)?|finish(?:ed)?|done|have|has|only|i'd|need|think|not)\b|'"
)
"""Words around a value that say nothing else."""

_GOES_TO = re.compile(r"[移挪推调][^,，。;；]{0,4}到|\b(?:move|push|shift)\b.*\bto\b")
"""Before a week to which something goes, which is no other one that is too full."""


def offer_other_value(said: str, readings: Sequence[str], brief: Brief) -> str:
    """One of the requests that were offered with another value that an answer tells, and nothing but that: until the
    20th, make it two weeks, rather week 4; empty for other answers."""
    text = fold_numbers(said)
    lengths, times = [*_LENGTH.finditer(text)], read_times(text, brief.term)
    days = [day for one in times if one.kind in ("day", "days") and (day := one.last or one.first)]
    bare = strip_known(_GIVES.sub(" ", _LENGTH.sub(" ", text)), brief)
    if len(lengths) + len(times) != 1 or any(map(str.isalnum, bare)) or items_in(text, brief, among=all_items(brief)):
        return ""
    named = classes_in(text, brief.classes)
    readings = [narrow_to_classes(one, named, brief) for one in readings if not named or classes_in(one, brief.classes)]
    if lengths:
        found = lengths[0]
        weeks = (found["unit"] or found["unit2"]) not in ("天", "day")
        number = number_of(found["zh"] or found["en"]) * (7 if weeks else 1)
        offered = next((one for one in readings if _LATER.search(one)), "")
        return _LENGTH.sub(brief.say(f"{number}天", f"{number} days"), offered)
    if times[0].kind == "week":
        readings = () if _GOES_TO.search(text) else readings
        return next((_WEEK.sub(text[times[0].start : times[0].end], one) for one in readings if _WEEK.search(one)), "")
    return _put_day(days[0], text, readings, brief) if days else ""


def _put_day(day: date, text: str, readings: Sequence[str], brief: Brief) -> str:
    """The offer of another day, else of a later end, with this day."""
    if dated := next((one for one in readings if _DAY.search(one)), ""):
        return _DAY.sub(_name(day, brief), dated, count=1)
    later = next((one for one in readings if _LATER.search(one)), "")
    owners = [row for one in classes_in(later, brief.classes) if (row := brief.class_of(one))]
    if not owners:
        return ""
    present = max(date.fromisoformat(row["end_date"]) for row in owners if row["end_date"])
    if day <= present and not MONTH.search(text):
        day = next_of_number(day.day, present) or day
    slots = {"class": tuple(row["name"] for row in owners), "time": (_name(day, brief),)}
    return frame_of("deadline", slots).say(brief.language)


def narrow_to_classes(reading: str, ids: Sequence[int], brief: Brief) -> str:
    """An offer for several classes, for those alone that are named."""
    told = [brief.name_of(one) for one in classes_in(reading, brief.classes)]
    kept = [brief.name_of(one) for one in ids if brief.name_of(one) in told]
    if not kept or len(kept) == len(told):
        return reading
    start, end = min(reading.find(one) for one in told), max(reading.find(one) + len(one) for one in told)
    return f"{reading[:start]}{brief.say('和', ' and ').join(kept)}{reading[end:]}"


def _name(day: date, brief: Brief) -> str:
    return brief.say(f"{day.month}月{day.day}日", f"{day.day} {day:%B}")
