"""Answers that choose among requests that were offered: by words, or with a day, a length or a week of their own."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.dialogue.offers import choose_reading
from agent.llm.offline.language.dialogue.pointing.pointed_times import name_day
from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.meaning.ellipsis import form_of, strip_known
from agent.llm.offline.language.normalize import fold_numbers, fold_text
from agent.llm.offline.language.paraphrase.frames import frame_of
from agent.llm.offline.language.spans.conditions.limits import read_conditions
from agent.llm.offline.language.spans.items.beside import SIGN
from agent.llm.offline.language.spans.items.mention_signs import fold_mentions, rows_of, sign_mentions
from agent.llm.offline.language.spans.mentions import all_items, classes_in, items_in, without_classes
from agent.llm.offline.language.spans.targets import way_in
from agent.llm.offline.language.spans.times.piece_readers import next_of_number
from agent.llm.offline.language.spans.times.reading import read_times
from agent.llm.offline.language.spans.times.words import number_of, say_date
from agent.loop.phrases import language_of_message
from agent.loop.view_document import DialogueTurnView, GoalTurnView, TaskView, View

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
    return say_date(day, zh=brief.language == "zh")


def spell_choice(view: View) -> View:
    """The view with the requests that were chosen among those offered in the place of the words that choose them."""
    said = view["dialogue"]
    chosen = {at: words for at in range(1, len(said)) if (words := _find_chosen(said[: at + 1], view))}
    if not chosen:
        return view
    dialogue: list[DialogueTurnView] = [
        {**turn, "text": chosen.get(number, turn["text"])} for number, turn in enumerate(said)
    ]
    at = max(
        (at for at, turn in enumerate(said) if (turn["role"], turn["text"]) == ("user", view["request"])), default=0
    )
    spelled = {said[at]["text"]: chosen[at]} if at in chosen else {}
    last, asks = len(said) - 1, said[-2]["asks"] if len(said) > 1 else None
    if last in chosen and chosen[last] not in (asks["about"].get("readings", ()) if asks else ()):
        spelled[said[last]["text"]] = chosen[last]  # what was offered as it stands is taken where it was asked
    turns: list[GoalTurnView] = [{**turn, "text": spelled.get(turn["text"], turn["text"])} for turn in view["turns"]]
    request, message = (spelled.get(one, one) for one in (view["request"], view["message"]))
    return {**view, "dialogue": dialogue, "request": request, "message": message, "turns": turns}


def _find_chosen(dialogue: Sequence[DialogueTurnView], view: View) -> str:
    """The request that the last turn chooses among those that were offered right before it; empty for none."""
    *_, before, turn = dialogue
    asks, brief = before["asks"] if turn["role"] == "user" else None, Brief(view)
    readings: Sequence[str] = asks["about"].get("readings", ()) if asks else ()
    loose = asks is not None and asks["topic"] == LOOSE
    asked = next((one["text"] for one in reversed(dialogue[:-1]) if one["role"] == "user"), "")
    if asks is not None and asks["topic"] == CHANGE and (EXTENDED.search(fold_text(asked)) or way_in(asked) > 0):
        names = [brief.name_of(one) for one in classes_in(asked, brief.classes)]
        later = frame_of("deadline_later", {"class": tuple(names), "length": (brief.say("7天", "7 days"),)})
        return offer_other_value(turn["text"], [later.say(brief.language)], brief)
    if asks is not None and asks["topic"] == CHANGE and (ends := _end_on(turn["text"], asked, brief)):
        return ends
    told = _say_of_class(turn["text"], readings, brief) if loose else ""
    told = told or (offer_other_value(turn["text"], readings, brief) if readings else "")
    if loose and not told and form_of(turn["text"], brief) == "class":
        told = _narrow_complaint(turn["text"], asked, brief)
    core, named = without_classes(fold_numbers(turn["text"]), brief), classes_in(turn["text"], brief.classes)
    told = told or _lengthen(turn["text"], readings, view)
    told = told or narrow_to_classes(choose_reading(turn["text"], readings, takes_first=loose, core=core), named, brief)
    return told or (readings[0] if loose and _wants_the_same(turn["text"], readings[0], brief) else "")


_OF_END = re.compile(r"考|截止|提前|ddl|\b(?:deadline|due|exams?|tests?|finals?|earlier|sooner|forward)\b")
"""What tells of the last day of a class."""


def _end_on(said: str, asked: str, brief: Brief) -> str:
    """A day that answers what should change of a class of whose exam or last day was spoken: it is that day; empty for
    other answers."""
    times = [one for one in read_times(fold_text(said), brief.term) if one.kind == "day" and one.first]
    names = tuple(brief.name_of(one) for one in classes_in(asked, brief.classes))
    day = times[0].first if len(times) == 1 and form_of(said, brief) == "time" else None
    if day is None or len(names) != 1 or not _OF_END.search(fold_text(asked)):
        return ""
    return frame_of("deadline", {"class": names, "time": (name_day(day, brief),)}).say(brief.language)


def _narrow_complaint(said: str, asked: str, brief: Brief) -> str:
    """What was complained of all that is planned, said of the classes alone that an answer names."""
    names = brief.say("和", " and ").join(brief.name_of(one) for one in classes_in(said, brief.classes))
    return "" if classes_in(asked, brief.classes) else brief.say(f"{names}{asked}", f"{names}: {asked}")


def _wants_the_same(said: str, offered: str, brief: Brief) -> bool:
    """Whether an answer only says once more that there is to be less, or more, as what was offered first makes it."""
    if _EACH_TAKES.search(offered) and not says("too_little", fold_text(said)):
        return False  # longer
    again = any(says(one, fold_text(said)) for one in ("too_much", "too_little", "lighter", "wish_light"))
    named = read_times(fold_text(said), brief.term) or classes_in(said, brief.classes)
    return again and len(said) <= _SHORT and not (named or find_beside_items(said, brief)[0])


_SHORT = 24
"""Characters of an answer that only says so."""


LOOSE, CHANGE = "loose_words", "change_of_class"
"""The questions what is to be done of what would mend a complaint, the likeliest first, and what of a class is to be
changed."""


def _say_of_class(said: str, readings: Sequence[str], brief: Brief) -> str:
    """An answer that tells only how many, or when, of the class that the question was about; empty for others."""
    owners = {one for reading in readings for one in classes_in(reading, brief.classes)}
    told = read_conditions(said, brief).said
    if len(owners) != 1 or not told or any(one.owners or one.items for one in told):
        return ""
    return brief.say("{name}{said}", "{name}: {said}", name=brief.name_of(owners.pop()), said=said)


_EACH_TAKES = re.compile(r"每项\s*(\d+)\s*节|\b(\d+) sections? per item")
_BESIDE_ITEMS = re.compile(
    rf"{SIGN}|[\s,，.。!！、和跟与的吧就呢嗯是在]|主要|尤其|特别|只|\b(?:the|and|ok|just|only|mostly|mainly|especially|maybe|probably"
    r"|for|on|i|think|guess|please|one|ones|both|yes|yeah)\b"
)
"""What an answer has around the items that it names alone."""


def find_beside_items(said: str, brief: Brief) -> tuple[list[TaskView], str]:
    """The items that a text names, and what it has besides them and the words around an answer."""
    text, known = sign_mentions(fold_mentions(brief.read_words(said)), brief, all_items(brief))
    rows = rows_of("".join(char for char in text if char in known and known[char][1] == "item"), known)
    return [row for _, row in rows], _BESIDE_ITEMS.sub("", text) if rows else text


def _lengthen(said: str, readings: Sequence[str], view: View) -> str:
    """The length that was offered for each item of a class for those alone that an answer names: the last two chapters;
    empty for other answers."""
    offered, brief = next((one for one in readings if _EACH_TAKES.search(one)), ""), Brief(view)
    rows, rest = find_beside_items(said, brief) if offered else ([], "")
    if rest or not rows or [*{row["class_id"] for row in rows}] != classes_in(offered, brief.classes):
        return ""
    slots = {"items": tuple(row["name"] for row in rows), "number": (max(_EACH_TAKES.findall(offered)[0]),)}
    return frame_of("takes", slots).say(language_of_message(offered, "zh"))
