"""What is wanted and what of it is told so far: any next message is joined with it that only tells more parts."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from difflib import SequenceMatcher

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.dialogue.filling import CLAUSE
from agent.llm.offline.language.dialogue.slots import OF_DAY, Span, find_spans
from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.meaning.ellipsis import says_it, strip_fillers
from agent.llm.offline.language.meaning.intents import intent_of
from agent.llm.offline.language.normalize import fold_numbers, fold_text
from agent.llm.offline.language.spans.mentions import all_items, find_quoted_texts, items_in, without_items
from agent.llm.offline.language.words.deeds import (
    ASKED_BY_GOALS,
    ASKS,
    DEEDS,
    DENIES,
    GENERAL,
    INDEFINITE,
    JOINING,
    MORE,
    NAME_LEAD,
    NAME_TAIL,
    NAME_TOLD,
    ONE,
    POINTS,
    Deed,
    Part,
)

LONGEST = 70
"""Characters of a message that tells some parts; a longer one tells more."""
_LONGEST_NAME = 40
_RATE = re.compile(
    r"(?:最多|不超过|至多)?(?:[每1一](?P<zh>[天日周])|(?P<week>每个?(?:星期|礼拜)))(?:最多|不超过|至多|只|就)*\s*(?P<n>\d{1,2})\s*(?P<u>[项个章节]|小时)?"
    r"|(?:最多|不超过|至多)\s*(?P<n2>\d{1,2})\s*(?P<u2>[项个章节]|小时)?\s*[每1一](?P<zh2>[天日周])"
    r"|(?:\b(?:at most|max(?:imum)?|no more than|up to|only|just) )?\b(?P<n3>\d{1,2}|one)\s*"
    r"(?P<u3>items?|steps?|chapters?|hours?|things?|sections?|periods?|of them)?\s*(?:max )?(?:an?|per|each|every)"
    r"\s+(?P<en>day|week)"
)
_UNITS = {"个": "项", "": "项"}
Parts = Mapping[Part, str]


@dataclass(frozen=True)
class Wanted:
    """A deed with those of its parts that are told."""

    kind: str
    parts: Parts

    @property
    def deed(self) -> Deed:
        return DEEDS[self.kind]

    @property
    def missing(self) -> list[Part]:
        """The parts that are to be asked for; none where enough is told to go on."""
        return [one for one in self.deed.asked if one not in self.parts] if not self.is_enough else []

    @property
    def is_enough(self) -> bool:
        return {*self.deed.needs} <= {*self.parts}

    def spell(self, brief: Brief) -> str:
        """The whole request, in the fullest form of which all parts are told."""
        form = next(one for one in self.deed.forms if {*one.parts} <= {*self.parts})
        values = {"when": _spell_when(self.parts, brief), **{str(part): said for part, said in self.parts.items()}}
        if rate := self.parts.get("rate"):
            values |= dict(zip(("number", "unit", "per"), rate.split("|"), strict=True))
        return brief.say(form.zh, form.en).format(**values)

    def take(self, message: str, brief: Brief) -> Wanted | None:
        """What is wanted with the parts that a message tells and nothing else; None where it tells something else, or
        no part that was open."""
        text = fold_text(message)
        if (
            len(message) > LONGEST
            or DENIES.search(text)
            or MORE.search(text)
            or (ASKS.search(text) and not find_quoted_texts(message))
        ):
            return None
        told = dict[Part, str]()
        for clause in [one for one in CLAUSE.split(message) if one and one.strip()]:
            found = _read_piece(clause, self, brief)
            if found is None and not _is_beside(clause, brief):
                return None
            told |= found or {}
        if "item" in told and "item" in self.parts and "other" in self.deed.takes:
            told["other"] = told.pop("item")
        opened = {*told} - {*self.parts}
        if not told or (self.is_enough and not opened):
            return None
        return replace(self, parts=_join({**self.parts}, told))


def is_asked_by_goal(message: str) -> bool:
    """Whether a message begins a deed whose goal asks for what is missing."""
    text = fold_text(message)
    return DEEDS["lesson"].begins.search(text) is None and ASKED_BY_GOALS.search(text) is not None


def read_begun(message: str, brief: Brief) -> Wanted | None:
    """The deed that a message begins and tells no more of than some of its parts; None for all others."""
    text = fold_text(message)
    if len(message) > LONGEST or POINTS.search(text) or is_asked_by_goal(message):
        return None
    for kind, deed in DEEDS.items():
        if deed.begins.search(text) is None and not ("rate" in deed.takes and _RATE.search(fold_numbers(text))):
            continue
        parts, left = _read_parts(text, deed, brief)
        if deed.begins.search(left) is None:
            continue
        if kind == "off" and "week" in parts and not ({"day", "hour"} & {*parts} or _ANY_DAY.search(left)):
            return None  # all of it
        asks = ASKS.search(text) and not _ASKED_POLITELY.search(text)
        if asks or DENIES.search(deed.begins.sub(" ", left)):
            return None
        left, behind = deed.begins.sub(" ", left), _find_subject(deed.begins.search(left))
        if "name" in deed.takes and kind != "lesson" and (named := _find_told_name(message, parts, left, brief)):
            parts, left = {**parts, "name": named[0]}, named[1]
        rest = strip_fillers(GENERAL.sub(" ", left))
        if (
            kind == "lesson"
            and len(behind) <= _LONGEST_NAME
            and (name := _clean_name(_rest_of(message, behind), brief))
        ):
            parts, rest = {**parts, "name": name}, rest.replace(strip_fillers(GENERAL.sub(" ", behind)), "")
        if rest or not {*parts} <= deed.takes or ("item" in deed.needs and "item" not in parts and says_it(text)):
            return None
        if parts and "item" in deed.needs and "item" not in parts and not (INDEFINITE.search(text) or ONE.search(text)):
            return None
        wanted = Wanted(kind, parts)
        return wanted if deed.takes - {*parts} else None
    return None


_ANY_DAY = re.compile(r"天(?!气)|\bdays?\b")


def _find_subject(begun: re.Match[str] | None) -> str:
    """What stands right in or behind the words for something new."""
    if begun is None:
        return ""
    inside = begun.groupdict().get("zh")
    behind = begun.string[begun.end() :].strip(" ,，:：.。!！")
    other = _SEVERAL.search(behind) or _ABOUT.match(behind) or "  " in behind
    return inside or ("" if other or not strip_fillers(GENERAL.sub(" ", behind)) else behind)


_ABOUT = re.compile(r"(?:for|with|to|from|about|of|in|on)\b")
_ASKED_POLITELY = re.compile(r"^(?:can|could|would|may)\b|能|可以|\bhow much i do\b")


def _read_piece(clause: str, wanted: Wanted, brief: Brief) -> dict[Part, str] | None:
    """The parts that a clause tells; None where it tells anything else."""
    deed, text = wanted.deed, fold_text(clause)
    parts, left = _read_parts(text, deed, brief)
    left = deed.begins.sub(" ", left)
    rest = strip_fillers(JOINING.sub(" ", left))
    if "name" in deed.takes and rest and "name" not in parts:
        name = _clean_name(clause if not parts else _rest_of(clause, left), brief)
        told = NAME_TOLD.search(text) is not None
        if not name or (not told and ("name" in wanted.parts or intent_of(clause, brief) in _WANTS_MORE)):
            return None
        return {**parts, "name": name}
    if rest or not parts or not {*parts} <= deed.takes:
        return None
    return parts


def tells_only_time(message: str, brief: Brief) -> bool:
    """Whether a message is no more than a time, with what joins it to the words before it."""
    text = fold_text(message)
    if DENIES.search(text) or MORE.search(text) or ASKS.search(text):
        return False
    spans = [one for one in find_spans(text, brief, joins=False) if one.kind in ("day", "hour")]
    left = text
    for span in reversed(spans):
        left = f"{left[: span.start]} {left[span.end :]}"
    return bool(spans) and not strip_fillers(JOINING.sub(" ", left))


_WANTS_MORE = ("move", "place", "remove", "swap", "undo", "build", "replan", "mark", "optimise", "delete_class", "wish")

_SEVERAL = re.compile(r"[,，、;；\n]|\band\b")


def _is_beside(clause: str, brief: Brief) -> bool:
    """Whether a clause tells no part, but thanks or gives a reason."""
    text = fold_text(clause)
    return not find_spans(text, brief) and (says("begins_reason", text) or intent_of(clause, brief) == "other")


def _read_parts(text: str, deed: Deed, brief: Brief) -> tuple[dict[Part, str], str]:
    """The parts that a folded text tells, and what is left of it without them."""
    parts = dict[Part, str]()
    if quoted := find_quoted_texts(text):
        parts["name"] = quoted[0]
        text = re.sub(r"[《「『“\"'][^》」』”\"']*[》」』”\"']", " ", text)
    if "rate" in deed.takes and (rate := _RATE.search(folded := fold_numbers(text))):
        parts["rate"] = _spell_rate(rate, brief)
        text = folded[: rate.start()] + brief.say("限制", " limit ") + folded[rate.end() :]
    spans = [one for one in find_spans(text, brief, joins=False) if one.kind == "item" or _part_of(one, deed, text)]
    left = text
    for span in reversed(spans):
        left = f"{left[: span.start]} {left[span.end :]}"
    items = [one for one in spans if one.kind == "item"]
    if items:
        parts["item"] = text[items[0].start : items[0].end]
        parts |= {"other": text[items[1].start : items[1].end]} if len(items) > 1 else {}
    elif "item" in deed.takes and len(rows := items_in(left, brief, among=all_items(brief))) == 1:
        name, folded = fold_text(rows[0]["name"]), fold_numbers(left)
        said = SequenceMatcher(None, name, folded, autojunk=False).find_longest_match()
        parts["item"], left = name[said.a : said.a + said.size].strip(), without_items(folded, rows)
    begun = dict[Part, Span]()
    for span in spans:
        if (part := _part_of(span, deed, text)) is not None:
            first = begun.setdefault(part, span)
            if _BETWEEN.fullmatch(text[first.end : max(first.end, span.start)]) is None:
                left += f" {_UNCLEAR}"
            parts[part], begun[part] = text[first.start : span.end], replace(first, end=span.end)
    if "day" in parts and (week := _OF_WEEK.search(left)):
        parts["week"], left = week[1], left[: week.start()] + left[week.end() :]
    if "item" in parts and "class" in parts and "class" not in deed.takes:
        parts["item"] = brief.say(f"{parts['class']}的{parts['item']}", f"{parts.pop('class')} {parts['item']}")
        parts.pop("class", None)
    return parts, left


_BETWEEN = re.compile(r"(?:[和与、,，&至到-]|\b(?:and|to)\b|\s)*")
_UNCLEAR = "unclear"
"""Stands for words between two times, by which it is not told which of them is meant."""
_TO = re.compile(r"(?:到|\bto)\s*$")
_OF_WEEK = re.compile(r"(?:\b(?:of|in) )?\b(week \d{1,2}|next week|this week)\b")


def _part_of(span: Span, deed: Deed, text: str) -> Part | None:
    if span.kind == "class":
        return "class"
    if span.kind not in ("day", "hour") or not span.times:
        return None
    time = span.times[0]
    goes_to = _TO.search(text[: span.start]) and "前" not in text[span.start : span.end + 2]
    bounds = time.side and "item" in deed.takes and not goes_to
    if time.role == "origin" or bounds or (time.kind == "every" and deed is not DEEDS["lesson"]):
        return None
    return "hour" if time.kind in OF_DAY else "week" if time.kind == "week" else "day"


def _spell_rate(rate: re.Match[str], brief: Brief) -> str:
    number = next(filter(None, (rate[one] for one in ("n", "n2", "n3"))))
    unit = rate["u"] or rate["u2"] or rate["u3"] or ""
    weekly = "周" in (rate["zh"], rate["zh2"]) or rate["week"] or rate["en"] == "week"
    per = brief.say(*(("周", "week") if weekly else ("天", "day")))
    number = "1" if number == "one" else number
    unit = brief.say(_UNITS.get(unit, unit), "items" if unit in ("", "things", "thing", "of them") else unit)
    return f"{number}|{unit}|{per}"


def _find_told_name(message: str, parts: Parts, left: str, brief: Brief) -> tuple[str, str] | None:
    """The name that is given behind a word for it, and what is left without it: rename something to Basics."""
    if "name" in parts:
        return parts["name"], NAME_TOLD.sub(" ", left)
    told = [*NAME_TOLD.finditer(left)]
    if not told or not (name := _clean_name(_rest_of(message, left[told[-1].end() :]), brief)):
        return None
    return name, left[: told[-1].start()]


def _rest_of(message: str, left: str) -> str:
    """What is left of a message, as it is written there."""
    said = left.strip(" ,，:：")
    at = message.casefold().find(said.casefold())
    return message[at : at + len(said)] if at >= 0 else said


def _clean_name(text: str, brief: Brief) -> str:
    """A name without what gives it and without politeness; empty for what can be none."""
    if quoted := find_quoted_texts(text):
        return quoted[0]
    said = text.strip()
    lead = NAME_LEAD.match(said)
    name = NAME_TAIL.sub("", said[lead.end() if lead else 0 :]).strip(" ,，:：")
    known = any(says(one, fold_text(name)) for one in ("never_mind", "keep", "unwanted", "taken_back", "asking"))
    return "" if known or len(name) > _LONGEST_NAME or not any(map(str.isalpha, name)) else name


def _spell_when(parts: Parts, brief: Brief) -> str:
    day, week, hour = (parts.get(one, "") for one in ("day", "week", "hour"))
    if brief.language == "zh":
        return f"{week}{day}{hour}"
    of_week = f"of {week}" if week and (day or hour) else week
    return " ".join(filter(None, (day, hour, of_week)))


def _join(known: dict[Part, str], told: Parts) -> dict[Part, str]:
    """Parts with those told later in their place; a day of a date has its week."""
    joined = {**known, **told}
    if "day" in told and "week" not in told and re.search(r"\d|[下这本上]|\b(?:next|this)\b", told["day"]):
        joined.pop("week", None)
    return joined
