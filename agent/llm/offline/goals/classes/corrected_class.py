"""The card of a new class that is not approved: what it holds is the request with its corrections in order, said whole
in one request."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date
from typing import Any

from agent.llm.offline.goals.classes.class_request import NOT_UNDERSTOOD, NOT_UNDERSTOOD_TOPIC
from agent.llm.offline.goals.decisions import Decision, ask, give_up
from agent.llm.offline.goals.in_turn import tool_requests
from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.dialogue.tracking import NOT_SAVED_TOPIC
from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.meaning.features import Features
from agent.llm.offline.language.meaning.intents import intent_of, wants_build
from agent.llm.offline.language.meaning.requests import APART
from agent.llm.offline.language.normalize import fold_numbers, fold_text, widths
from agent.llm.offline.language.plain.new_classes import say_class
from agent.llm.offline.language.spans.classes.class_sentence import ClassSlots
from agent.llm.offline.language.spans.classes.class_times import excludes
from agent.llm.offline.language.spans.classes.item_list import items_of, tells_fact
from agent.llm.offline.language.spans.classes.new_class import opens_class, read_new_class
from agent.llm.offline.language.spans.dates import weekdays_in
from agent.llm.offline.language.spans.mentions import classes_in, items_in
from agent.llm.offline.language.spans.times.reading import read_times
from agent.llm.offline.language.spans.times.semester import NO_TERM
from agent.llm.offline.language.texts import CARD_BECOMES
from agent.loop.nodes.enter import SAME_REQUEST
from agent.loop.view_document import CallView

_DENIED = re.compile(
    r"[,，]?\s*(?:而?不是|别是|\bnot|\binstead of|\brather than)\s*(?:共|只)?\s*(?:\d+|[一二两三四五六七八九十]+)\s*"
    r"(?:[节项个章次]|sections?|items?|sessions?|parts?)?\s*[,，]?",
    re.IGNORECASE,
)
"""A number that is not meant: 不是4节, not 4."""
_JOINED = re.compile(
    r"\s+and (?=(?:it |to )?(?:ends?|starts?|begins?|finish\w*|until|till|from|no|not|with|make|change|drop|add|remove"
    r"|rename|let|\d+ \w+)\b)|\s+(?=(?:instead|please|then)\b)|(?<=[,，])\s*(?:and|with|but)\s+",
    re.IGNORECASE,
)
"""What divides one correction from the next."""
_NAMED = re.compile(
    r"(?:(?:名字|名称)[^,，]{0,4}[,，]?\s*)?(?:应该|还是|就)*"
    r"(?:改?叫(?:做|成)?|改名(?:叫|为|成)?|(?:名字|名称)?(?:改|换)[成为]|应该是|(?:名字|名称)还?是)\s*"
    r"(?P<zh>[^,，。;；!！]{1,30}?)(?:吧|好了|就行)?\s*(?=[,，。;；!！]|$)"
    r"|(?:\b(?:call (?:it|this|that)|(?P<make>make (?:it|that))"
    r"|rename (?:it|this|the class)(?: to| as)?|(?:change|set) (?:the |its )?name to"
    r"|name it|(?:the |its )?name (?:should be|is|to)|keep (?:the |its )?(?:old )?name"
    r"|(?:it should|to) be called|it'?s called)"
    r"|\bname\b[^,]{0,10}, (?:it'?s|it is|it should be))\s+(?P<en>[^,.;!]{1,40}?)\s*(?=[,.;!]|$)",
    re.IGNORECASE,
)
_OUT = re.compile(
    r"去掉|删[掉除]|拿掉|不要|\b(?:drop|remove|delete|without|leave out|take out|skip|take)\b", re.IGNORECASE
)
_ADDED = re.compile(
    r"^(?:再|还要?)?(?:加上?|添加|增加|补上?|(?<=还)有)(?:[一1]?[个项章])?[:：]?"
    r"|^(?:please )?(?:also )?(?:add|include)\b(?: (?:an? |one more )?(?:item|part|topic))?[: ]",
    re.IGNORECASE,
)
_RENAMES = re.compile(
    r"^\s*(?:应该)?(?:改名?[成为叫]|换成|叫|->|→|\bto|\bshould be(?: called)?|\bis called)\s*", re.IGNORECASE
)
_NO_CONTENT = re.compile(
    r"^[快急紧密大多入进到]|[点些天周]$|[课计]表|计划|\b(?:it|them|this|that|more|days?|weeks?|time|breaks?|plan)\b",
    re.IGNORECASE,
)
"""What is added that is none of the contents."""
_MORE = re.compile(r"[加多减少]\s*(?P<zh>\d+)\s*节|\b(?P<en>\d+) (?:more|fewer|less) sections?\b")
_CALLS = re.compile(r"(?:please )?(?:call|rename|name)\b", re.IGNORECASE)
_BEGINS = re.compile(r"从|开始|起|\b(?:from|starts?|begins?)\b", re.IGNORECASE)
_ENDS = re.compile(
    r"[到至]|截|结束|前|\b(?:to|until|till|by|ends?|due|finish\w*|deadline)\b|\d\s*[-–~]\s*\d", re.IGNORECASE
)
_DATED = re.compile(
    r"[从到至]|截|结束|开始|起|前|改|提前|推迟"
    r"|\b(?:until|till|by|ends?|starts?|begins?|from|due|finish\w*|deadline|instead|change|make|date)\b",
    re.IGNORECASE,
)
_USUAL = 2
"""Sections of an item of which no length is told."""


def answer_correction(brief: Brief) -> Decision | None:
    """Makes the card of a new class anew with what was corrected; None for words that correct nothing of it."""
    call, answer = _find_refused(brief), brief.interaction
    if call is None or answer is None or not answer["message"]:
        return None
    before = read_card(call)
    made, plans = correct_class(before, answer["message"], brief), _plans_it(answer["message"], before, brief)
    made = before if made is None and plans else made
    if made is None and tells_of_one(answer["message"], before, brief):
        return ask(brief, NOT_UNDERSTOOD_TOPIC, brief.say(*NOT_UNDERSTOOD))
    left = made and spell_left(made, brief, plans=plans)
    return give_up(SAME_REQUEST, brief.say(*CARD_BECOMES, request=left)) if left else None


def tells_of_one(message: str, slots: ClassSlots, brief: Brief) -> bool:
    """Whether words tell how long one of the contents is, which have all the same length: 语法每次3节."""
    read = read_new_class(message, brief.term)
    named = [one for one in slots.items if fold_text(one) in fold_text(message)]
    return len(named) == 1 < len(slots.items) and bool(read.total or read.each)


def _find_refused(brief: Brief) -> CallView | None:
    """The call of a new class that the last words are about: typed over its card, or as the answer to what was asked
    after its refusal."""
    answer = brief.interaction
    over, rows = brief.last_answer("tool", "reject"), [row for row in brief.view["rejected"] if is_new(row)]
    if over is not None:
        return over["call"] if over["call"] and is_new(over["call"]) else None
    asked = answer is not None and answer["topic"] in (NOT_UNDERSTOOD_TOPIC, NOT_SAVED_TOPIC)
    return rows[-1] if rows and asked else None


def is_new(call: CallView) -> bool:
    """Whether a call makes a class that was not there."""
    return call["name"] == "upsert_task_class" and not call["arguments"].get("id")


def _plans_it(message: str, slots: ClassSlots, brief: Brief) -> bool:
    """Whether words over the card of a new class want it planned as well: 顺便排一下, and plan it right away."""
    rest = fold_text(message).replace(fold_text(slots.name), " ")
    named = items_in(rest, brief) or classes_in(rest, brief.classes) or Features(rest, brief).has("asking")
    clauses = [one for one in re.split(r"[,，;；。]", rest) if one.strip() and not excludes(one)]
    told = any(wants_build(one) or intent_of(one, brief) in ("build", "place") for one in clauses)
    return told and not named and not brief.view["needs_rough_build"]


def spell_left(slots: ClassSlots, brief: Brief, *, plans: bool = False) -> str:
    """A new class with all that its card holds as one request, and what else was asked for behind it; empty where the
    request would not be read so."""
    said = tool_requests(brief)
    own = next((at for at, text in enumerate(said) if opens_class(text)), -1)
    text = _say_whole(slots, brief, wished=plans or brief.view["needs_rough_build"])
    return (brief.say("；", "; ") + APART).join([text, *(said[own + 1 :] if own >= 0 else [])]) if text else ""


def _say_whole(slots: ClassSlots, brief: Brief, *, wished: bool) -> str:
    unit = slots.unit.replace("第", "").replace("{}", "").strip()
    numbered = brief.say(f"{slots.parts}{unit or '项'}", f"{slots.parts} {unit or 'item'}s") if slots.parts else ""
    length = (slots.total or 0) // max(1, slots.parts or len(slots.items))
    each = replace(slots, total=None, each=None if length == _USUAL else length)
    listed = replace(slots, items=slots.completed().items, parts=None)
    wanted = slots.completed().arguments()
    ways = ((each, numbered), (slots, ""), (listed, ""))
    for one, count in ways if slots.unit or not slots.parts else ways[1:]:
        told = ["", *_say_settings(one, brief)]
        text = say_class(one, count, told, wished=wished, zh=brief.language == "zh", brief=brief)
        if read_new_class(text, brief.term).completed().arguments() == wanted:
            return text
    return ""


def _say_settings(slots: ClassSlots, brief: Brief) -> list[str]:
    """What a class keeps to, each in a clause of its own."""
    days = [
        brief.say(f"周{'一二三四五六日'[day - 1]}", f"{date(2024, 1, day):%A}s") for day in slots.excluded_days or ()
    ]
    blocks = [(2 * block - 1, 2 * block) for block in slots.excluded_blocks or ()]
    hours = [brief.say(f"{first}-{last}节", f"sections {first}-{last}") for first, last in blocks]
    no = [brief.say(f"{'、'.join(one)}不排", f"no {' or '.join(one)}") for one in (days, hours) if one]
    told: tuple[str | bool | int | None, ...] = (
        brief.say(f"每项{slots.each}节", f"{slots.each} sections each") if slots.each else "",
        slots.total and brief.say(f"共{slots.total}节", f"{slots.total} sections"),
        slots.strategy == "rapid" and brief.say("集中排", "cram it"),
        slots.filler and brief.say("可以嵌入水课", "filler courses may be used"),
    )
    return [*no, *(one for one in told if isinstance(one, str) and one)]


def read_card(call: CallView) -> ClassSlots:
    """What the card of a new class holds; contents that are only numbered are so many parts."""
    row, items = call["arguments"]["task_class"], tuple(one["content"] for one in call["arguments"].get("items") or ())
    told, name = row.get("config") or {}, row.get("name", "")
    slots = ClassSlots(
        name=name, items=items, total=told.get("total_slots"), strategy=told.get("strategy", ""),
        start=date.fromisoformat(row["start_date"]), end=date.fromisoformat(row["end_date"]),
        filler=told.get("allow_filler_course"), subject_type=row.get("subject_type", ""),
        difficulty=row.get("difficulty_level", ""), intensity=row.get("cognitive_intensity", ""),
        excluded_days=_tuple(told.get("excluded_days_of_week")), excluded_blocks=_tuple(told.get("excluded_slots")),
        excluded_cells=_tuple((one["day_of_week"], one["block"]) for one in told["excluded_cells"])
        if told.get("excluded_cells") is not None else None,
    )  # fmt: skip
    unit = items[0][len(name) + 1 :].replace("1", "{}", 1) if items and items[0].startswith(f"{name} ") else ""
    numbered = replace(slots, items=(), parts=len(items), unit="" if unit == "{}" else unit)
    return numbered if unit and numbered.completed().items == items else slots


def _tuple(values: Any) -> tuple[Any, ...] | None:
    return None if values is None else tuple(values)


def correct_class(slots: ClassSlots, message: str, brief: Brief) -> ClassSlots | None:
    """The class with what words over its card tell otherwise; None where they tell nothing of it."""
    text = _JOINED.sub(", ", _DENIED.sub(",", widths(message))).strip(" ,，")
    asks = Features(message, brief).has("asking") or re.search(r"[?？吗]\s*$", message)
    if asks or opens_class(message):
        return None
    name, text = _take_name(_spell_other(text, slots, brief), slots)
    items, text = _change_items(text, slots)
    rest = text.replace(slots.name, " ")
    if items_in(rest, brief) or classes_in(rest, brief.classes):
        return None
    text = brief.read_words(text) if text.strip(" ,，") else ""
    read = read_new_class(text, brief.term) if text else ClassSlots()
    away = intent_of(message, brief) in ("replan", "mark", "undo")
    if tells_of_one(text, slots, brief) or ((read.start or read.end) and (away or not _DATED.search(text))):
        return None
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
    return made if made.completed().arguments() != slots.completed().arguments() else None


def _join(one: tuple[Any, ...] | None, two: tuple[Any, ...] | None) -> tuple[Any, ...] | None:
    return tuple(sorted({*(one or ()), *(two or ())})) or None


def _count_anew(slots: ClassSlots, made: ClassSlots, read: ClassSlots) -> ClassSlots:
    """How many parts and sections a class has when one of them is told otherwise: items keep their length, unless
    the total is told."""
    before = slots.parts or len(slots.items)
    each = read.each or (slots.total or 0) // max(1, before) or _USUAL
    if read.parts and not made.items:
        made = replace(made, parts=read.parts, unit=read.unit or slots.unit)
    elif read.total and slots.parts and not slots.unit:
        made = replace(made, parts=max(1, read.total // each))
    count = len(made.items) or made.parts or before
    kept = slots.total if count == before and not read.each else each * count
    return replace(made, total=read.total or kept)


def _spell_other(text: str, slots: ClassSlots, brief: Brief) -> str:
    """Words with another name that is told by what the class is not called: 不是日语，是法语, not French but Korean."""
    not_that = rf"(?:不是|\bnot\s)\s*{re.escape(slots.name)}\s*[,，]?\s*(?:而?是|应该是|but|it'?s)\s*"
    return re.sub(not_that, brief.say("改叫", "call it "), text, flags=re.IGNORECASE)


def _take_name(text: str, slots: ClassSlots) -> tuple[str, str]:
    """The name that words give the class, and the words without it; no name for a time, a number or a manner."""
    for found in _NAMED.finditer(text):
        name = (found["zh"] or found["en"]).strip(" '\"“”「」")
        item = any(one in text[: found.end()] for one in slots.items)
        manner = re.search(r"[点些]$|均匀|集中|难度|强度|排", name)
        fact = tells_fact(name) or read_times(name, NO_TERM) or re.search(r"\d", name)
        known = found["make"] and not name[:1].isupper()
        if name and not (item or manner or fact or known):
            return name, text[: found.start()] + text[found.end() :]
    return "", text


def _change_items(text: str, slots: ClassSlots) -> tuple[tuple[str, ...], str]:
    """The contents with those left out, added or named otherwise that words tell, and what else the words tell."""
    items, rest = list(slots.items), list[str]()
    for clause in re.split(r"[,，。;；]", text) if items else [text]:
        at = next((at for at, one in enumerate(items) if fold_text(one) in fold_text(clause)), -1)
        behind = clause[fold_text(clause).index(fold_text(items[at])) + len(items[at]) :] if at >= 0 else ""
        added = _ADDED.match(clause.strip())
        if at >= 0 and ((to := _RENAMES.match(behind)) or (behind.strip() and _CALLS.match(clause.strip()))):
            items[at] = behind[to.end() if to else 0 :].strip()
        elif at >= 0 and _OUT.search(clause):
            items = [one for one in items if fold_text(one) not in fold_text(clause)]
        elif added and items and (new := _strip_added(clause.strip()[added.end() :])):
            items += [one for one in re.split(r"[、和与]|\s+and\s+", new) if one]
        else:
            rest.append(clause)
    return (tuple(items) if items != list(slots.items) else ()), ",".join(rest)


def _strip_added(text: str) -> str:
    new = re.sub(r"\s+(?:too|as well|to it)$|^[一1]?[个项]", "", text.strip(" .!吧")).strip()
    return "" if _NO_CONTENT.search(new) or tells_fact(new) else new
