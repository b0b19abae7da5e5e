"""A class with what words tell of it otherwise: over the card that makes it, or behind it."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta
from typing import Any

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.dialogue.revision.other_values import MONTH
from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.meaning.ellipsis import strip_fillers
from agent.llm.offline.language.meaning.features import Features
from agent.llm.offline.language.meaning.intents import intent_of
from agent.llm.offline.language.normalize import fold_numbers, fold_text, has_chinese, widths
from agent.llm.offline.language.spans.classes.class_corrections import change_contents, take_name
from agent.llm.offline.language.spans.classes.class_sentence import ClassSlots
from agent.llm.offline.language.spans.classes.class_times import excludes
from agent.llm.offline.language.spans.classes.item_list import items_of
from agent.llm.offline.language.spans.classes.new_class import opens_class, read_new_class
from agent.llm.offline.language.spans.dates import weekdays_in
from agent.llm.offline.language.spans.items.spoken import spell_out_ordinals
from agent.llm.offline.language.spans.mentions import classes_in, items_in
from agent.llm.offline.language.spans.targets import shift_in

_DENIED = re.compile(
    r"[,，]?\s*(?P<day>不是|\bnot|\binstead of|\brather than)\s*(?:(?:on )?the )?"
    r"\d{1,2}(?:[号日]|st\b|nd\b|rd\b|th\b)[,，]?"
    r"|[,，]?\s*(?:而?不是|别是|\bnot|\binstead of|\brather than)\s*(?:共|只)?\s*(?:\d+|[一二两三四五六七八九十]+)\s*"
    r"(?:[节项个章次]|sections?|items?|sessions?|parts?)?\s*[,，]?",
    re.IGNORECASE,
)
"""A number, or a day, that is not meant: 不是4节, not 4, not the 10th."""
JOINED_CORRECTIONS = re.compile(
    r"\s+and (?=(?:it |to )?(?:ends?|starts?|begins?|finish\w*|until|till|from|no|not|with|make|change|drop|add|remove"
    r"|rename|let|should|comes?|goes|put|place|(?:\d+|two|three|four) \w+)\b)"
    r"|\s+(?=(?:instead|please|then)\b)|(?<=[,，])\s*(?:and|with|but)\s+",
    re.IGNORECASE,
)
"""What divides one correction from the next."""
_MORE = re.compile(r"[加多减少]\s*(?P<zh>\d+)\s*节|\b(?P<en>\d+) (?:more|fewer|less) sections?\b")
_BEGINS = re.compile(r"从|开始|起|\b(?:from|starts?|begins?)\b", re.IGNORECASE)
_ENDS = re.compile(
    r"[到至]|截|结束|前|\b(?:to|until|till|by|ends?|due|finish\w*|deadline)\b|\d\s*[-–~]\s*\d", re.IGNORECASE
)
_DATED = re.compile(
    r"[从到至]|截|结束|开始|起|前|改|提前|推迟|考"
    r"|\b(?:exams?|tests?|until|till|by|ends?|starts?|begins?|from|due|finish\w*|deadline|instead|change|make|date)\b",
    re.IGNORECASE,
)
_DAY_ALONE = re.compile(r"\d{1,2}(?:[号日]|st\b|nd\b|rd\b|th\b)")
_USUAL = 2
"""Sections of an item of which no length is told."""


def correct_class(slots: ClassSlots, message: str, brief: Brief) -> ClassSlots | None:
    """The class with what words over its card tell otherwise; None where they tell nothing of it."""
    denied = [*_DENIED.finditer(widths(message))]
    text = JOINED_CORRECTIONS.sub(", ", _DENIED.sub(",", widths(message))).strip(" ,，")
    asks = Features(message, brief).has("asking") or re.search(r"[?？吗]\s*$", message)
    if asks or opens_class(message):
        return None
    before, (name, text) = slots, take_name(_spell_other(text, slots, brief), slots)
    text = _date_anew(text, slots)
    numbered = number_anew(slots.items, text)
    changed, text = (replace(slots, items=numbered), "") if numbered else change_contents(slots, text)
    items = () if changed == slots else changed.items
    slots = slots if changed == slots else replace(slots, lengths=changed.lengths)
    rest = text.replace(slots.name, " ")
    if items_in(rest, brief) or classes_in(rest, brief.classes):
        return None
    text = brief.read_words(text) if text.strip(" ,，") else ""
    read = read_new_class(text, brief.term) if text else ClassSlots()
    away = intent_of(message, brief) in ("replan", "mark", "undo")
    dated = _DATED.search(text) or any(one["day"] for one in denied)
    if (read.start or read.end) and (away or not dated):
        return None
    if (
        read.end and slots.end and _DAY_ALONE.search(text) and not MONTH.search(fold_text(text))
    ):  # of the month that it ends in
        read = replace(read, end=slots.end + timedelta(days=read.end.day - slots.end.day))
    if read.end and _BEGINS.search(text) and not _ENDS.search(text):
        read = replace(read, start=read.start or read.end, end=None)
    listed = items_of(text)[0] or items
    if (more := _MORE.search(fold_numbers(text))) is not None:
        number = int(more["zh"] or more["en"]) * (-1 if re.search(r"[减少]|fewer|less", more.group()) else 1)
        read = replace(read, total=max(1, (slots.total or 0) + number))
    made = slots.then(replace(read, name=name, items=listed, parts=None, unit="", total=None, each=None))
    made = _count_anew(slots, replace(made, parts=None if made.items else slots.parts), read)
    lifted = {*weekdays_in(text)} & {*(slots.excluded_days or ())}
    if lifted and not excludes(fold_text(text)):
        made = replace(made, excluded_days=tuple(day for day in slots.excluded_days or () if day not in lifted) or None)
    elif read.excludes and not says("correction", fold_text(message)):
        made = replace(
            made,
            excluded_days=_join(slots.excluded_days, read.excluded_days),
            excluded_blocks=_join(slots.excluded_blocks, read.excluded_blocks),
            excluded_cells=_join(slots.excluded_cells, read.excluded_cells),
        )
    return made if made.completed().arguments() != before.completed().arguments() else None


def _join(one: tuple[Any, ...] | None, two: tuple[Any, ...] | None) -> tuple[Any, ...] | None:
    return tuple(sorted({*(one or ()), *(two or ())})) or None


def _count_anew(slots: ClassSlots, made: ClassSlots, read: ClassSlots) -> ClassSlots:
    """How many parts and sections a class has when one of them is told otherwise: items keep their length, unless
    the total is told."""
    before = slots.parts or len(slots.items)
    if read.total and read.total <= len(slots.items):  # no content is shorter than a section
        read = replace(read, each=read.total, total=None)
    each = read.each or usual_length(slots)
    if read.rhythm and not made.items:
        made = replace(made, parts=None, total=None).counted()
    elif read.parts and not made.items:
        made = replace(made, parts=read.parts, unit=read.unit or slots.unit)
    elif read.total and slots.parts and not slots.unit:
        made = replace(made, parts=max(1, read.total // each))
    count = len(made.items) or made.parts or before
    own = {} if read.each else dict(made.lengths)
    made = made if own else replace(made, lengths=())
    kept = slots.total if count == before and not (read.each or own) else each * count
    kept = sum(own.get(item, each) for item in made.items) if own else kept
    return replace(made, total=read.total or kept)


def usual_length(slots: ClassSlots) -> int:
    """How many sections the contents take that have no length of their own."""
    count, own = slots.parts or len(slots.items), dict(slots.lengths)
    rest = count - len(own)
    return ((slots.total or 0) - sum(own.values())) // rest or _USUAL if rest > 0 else _USUAL


def _spell_other(text: str, slots: ClassSlots, brief: Brief) -> str:
    """Words with another name that is told by what the class is not called: 不是日语，是法语, not French but Korean."""
    not_that = rf"(?:不是|\bnot\s)\s*{re.escape(slots.name)}\s*[,，]?\s*(?:而?是|应该是|but|it'?s)\s*"
    return re.sub(not_that, brief.say("改叫", "call it "), text, flags=re.IGNORECASE)


_NUMBER = re.compile(r"\d{1,2}")
_ALONE = re.compile(r"只|就|\b(?:only|just)\b")
_OUT = re.compile(r"不|没|去掉|删|除|别|减|\b(?:without|not?|leave|drop|remove|delete|skip|except|out|minus)\b")
_MORE_OF_IT = re.compile(r"加|还|也|\b(?:also|add|too|and|plus|with|as well)\b")
_AROUND_CONTENTS = re.compile(
    rf"{_ALONE.pattern}|{_OUT.pattern}|{_MORE_OF_IT.pattern}|[1一]?共|[有要了用上掉把再吧和、总改成是]"
    r"|\b(?:a|an|the|it|make|out|please|in all)\b"
)


def number_anew(items: tuple[str, ...], said: str) -> tuple[str, ...]:
    """Numbered contents, as words tell of them by their numbers alone: only chapters 1 and 2; 一共4章; empty for other
    words."""
    forms = {_NUMBER.sub("{}", item, count=1) for item in items}
    form = forms.pop() if len(forms) == 1 else ""
    head, _, tail = (fold_text(one) for one in form.partition("{}"))
    if form.count("{") != 1 or not (head or tail).strip():
        return ()
    text = fold_numbers(spell_out_ordinals(fold_text(said)))
    named = re.compile(rf"{re.escape(head)}(\d{{1,2}}){re.escape(tail)}(?!\d)")
    numbers = [int(one) for one in named.findall(text)]
    counted = re.search(rf"(?<!\d)(\d{{1,2}})\s*(?:个\s*)?{re.escape((tail or head).strip())}s?", text)
    rest = named.sub(" ", text) if numbers else text.replace(counted.group(), " ") if counted else text
    if not (numbers or counted) or strip_fillers(_AROUND_CONTENTS.sub(" ", rest)):
        return ()
    known = [int(found.group()) for one in items if (found := _NUMBER.search(one))]
    if not numbers:
        kept = [*range(1, int(counted[1]) + 1)] if counted and known == [*range(1, len(known) + 1)] else known
    elif _ALONE.search(rest):
        kept = numbers
    elif _OUT.search(rest):
        kept = [one for one in known if one not in numbers]
    else:
        kept = [*known, *(one for one in numbers if one not in known)] if _MORE_OF_IT.search(rest) else known
    return tuple(form.format(one) for one in kept) if kept != known and 0 < len(kept) <= _MOST else ()


_MOST = 30


def _date_anew(text: str, slots: ClassSlots) -> str:
    """Words that tell a first or a last day by its distance from that of a class, with the day: start a week later."""
    shift = shift_in(re.sub(r"\b(?:more|extra) ", "", _LONGER.sub(r"\1 later", text.lower())))
    begins, ends = _BEGINS.search(text), _ENDS.search(text) or _LONGER.search(text.lower())
    if shift is None or not shift.days or bool(begins) == bool(ends):
        return text
    old = slots.start if begins else slots.end
    day = old and old + timedelta(days=shift.days)
    zh = has_chinese(text)
    if day is None:
        return text
    return (f"从{day}开始" if zh else f"from {day}") if begins else (f"到{day}结束" if zh else f"until {day}")


_LONGER = re.compile(r"\b((?:an?|one|two|three|\d+) (?:days?|weeks?)) longer\b")
