"""The slots of a turn: what it says of a class, an item, a day, an hour or a number, and where."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.lexicon import pattern
from agent.llm.offline.language.meaning.ellipsis import strip_fillers
from agent.llm.offline.language.normalize import fold_numbers, fold_text
from agent.llm.offline.language.spans.mentions import (
    KINDS,
    LABEL,
    STATE_ID,
    all_items,
    said_names,
)
from agent.llm.offline.language.spans.targets import SHIFT
from agent.llm.offline.language.spans.times.reading import read_times
from agent.llm.offline.language.spans.times.said_time import Time

Kind = Literal["class", "item", "day", "hour", "count", "name"]
_NUM = "[0-9一二两三四五六七八九十]{1,3}"
_HEADS = "|".join(re.escape(word) for kinds in KINDS for word in (*kinds, *(f"{kind}s" for kind in kinds)))
ORDINAL = re.compile(
    rf"第\s*{_NUM}\s*(?:章节?|项|个|讲|部分|单元|次|课|篇)"
    rf"|(?<![a-z])(?:{_HEADS}|item|part)\.?\s*#?{_NUM}(?![\d周月天节个])"
)
COUNT = re.compile(
    rf"(?P<number>(?<![\d:/.-]){_NUM}(?![\d:/.-])|\b(?:one|two|three|four|five|six)\b|\ban?(?= (?:day|week)))\s*个?"
    r"(?P<unit>天|周|星期|节|小时|分钟|项|章|次|\b(?:day|week|section|period|hour|minute|item|chapter|unit)s?\b)?"
)
_DIGITS = str.maketrans("一两二三四五六七八九", "1223456789")
_SPELLED = {"one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "an": "1", "a": "1"}
_HOW_FAR = re.compile(r"\b\d{1,2} +(?:more +)?(?:days?|weeks?|sections?|periods?)\b")
"""In "move all labs a day later" the words of the shift alone."""
_JOINED = re.compile(r"\s*(?:[、,，&的和与跟及或到至-]|\b(?:and|or|to|on|in|the|of|at)\b|\s)*\s*")
_NAME = re.compile(r"[《「『“\"][^》」』”\"]{1,60}[》」』”\"]")
"""A text in quotation marks."""
OF_DAY = ("part", "sections", "clock")


@dataclass(frozen=True)
class Span:
    """What a text says of one kind at `start` to `end`."""

    kind: Kind
    start: int
    end: int
    times: tuple[Time, ...] = ()


def find_bare_count(text: str) -> re.Match[str] | None:
    """The number that folded words tell, where they tell nothing else: make it two; 两天更好."""
    found = COUNT.search(text)
    rest = _OF_EACH.sub(" ", pattern("pronoun").sub(" ", COUNT.sub(" ", text)))
    return found if found and not strip_fillers(rest) else None


_OF_EACH = re.compile(
    r"[每各][一1]?[章项个讲次]|^不[,，]|最多|不超过|^(?:yes|yeah|yep|yup|sure)\b"
    r"|\b(?:at most|max(?:imum)?|up to)\b|\b(?:for )?(?:each|both)(?: of (?:them|those))?\b"
)
"""What a number is told for, over a card of several items, and consent in front of it."""


def find_spans(
    text: str, brief: Brief, *, pronouns: bool = False, names: bool = False, joins: bool = True
) -> list[Span]:
    """The spans of a folded text in order, those of one kind side by side as one, if this `joins` them; `pronouns`
    count as items, and what is quoted as `names` even where an item has that name."""
    found = [Span("item", *match.span()) for match in STATE_ID.finditer(text)]
    found = found or [Span("item", *at) for at in _find_items(text, brief)]
    quoted = [match for match in _NAME.finditer(text) if names or not _overlaps(match, found)]
    found = [one for one in found if not any(match.start() < one.start < match.end() for match in quoted)]
    found += [Span("name", *match.span()) for match in quoted]
    left = mask_spans(text, found)
    for name in sorted(said_names(left, brief), key=lambda name: -len(name)):
        found += [Span("class", left.index(name), left.index(name) + len(name))] if name in left else []
        left = mask_spans(text, found)
    counted = _in_digits(left)
    shift = SHIFT.search(counted)
    if shift:
        how_far = _HOW_FAR.search(counted, *shift.span())
        found.append(Span("day", how_far.start() if how_far else shift.start(), shift.end()))
        left = mask_spans(text, found)
    times = [one for one in read_times(left, brief.term) if not one.impossible]
    found += [Span("hour" if one.kind in OF_DAY else "day", one.start, one.end, (one,)) for one in times]
    if pronouns and not any(one.kind == "item" for one in found):
        found += [
            Span("item", *match.span())
            for match in pattern("pronoun").finditer(left)
            if len(match.group()) > 1 or match.group() == "它"
        ]
    left = mask_spans(text, [one for one in found if one.start != (shift.start() if shift else -1)])
    found += [Span("count", match.start(), match.end(2 if match[2] else 1)) for match in COUNT.finditer(left)]
    ordered = sorted(found, key=lambda one: (one.start, one.end))
    return _join(ordered, text) if joins else ordered


def _overlaps(match: re.Match[str], found: list[Span]) -> bool:
    return any(one.start < match.end() and match.start() < one.end for one in found)


def _join(found: list[Span], text: str) -> list[Span]:
    joined: list[Span] = []
    for one in found:
        last = next((other for other in reversed(joined) if other.kind == one.kind), None)
        if last is not None and last is joined[-1] and _JOINED.fullmatch(text[last.end : max(one.start, last.end)]):
            joined[-1] = Span(one.kind, last.start, max(last.end, one.end), (*last.times, *one.times))
        else:
            joined.append(one)
    return joined


def mask_spans(text: str, spans: list[Span]) -> str:
    """The text with what is known blanked out, each character by one that means nothing."""
    for one in spans:
        text = text[: one.start] + "_" * (one.end - one.start) + text[one.end :]
    return text


def _in_digits(text: str) -> str:
    """The text with its numerals in digits, in as many characters."""
    spelled = re.sub(
        r"\b(?:one|two|three|four|five|six|an?)\b",
        lambda found: _SPELLED[found.group()].ljust(len(found.group())),
        text,
    )
    return re.sub(
        r"(?<![周期拜])[一二两三四五六七八九](?![一二三四五六七八九十])",
        lambda found: found.group().translate(_DIGITS),
        spelled,
    )


def _find_items(text: str, brief: Brief) -> list[tuple[int, int]]:
    """Where items are named: in full, by a label at the head of their name, or by their number."""
    known = _write_names(frozenset(row["name"] for row in (*brief.tasks, *all_items(brief))))
    found = [match.span() for match in known.finditer(text)] if known else []
    taken = [Span("item", *at) for at in found]
    found += [match.span() for match in ORDINAL.finditer(text) if not _overlaps(match, taken)]
    return found


@lru_cache(maxsize=256)
def _write_names(of_items: frozenset[str]) -> re.Pattern[str] | None:
    """The names of items, in full or by a label at their head, as one expression."""
    names = {*map(fold_text, of_items)}
    heads = {
        match[1].strip() for name in names if (match := LABEL.match(fold_numbers(name))) and match[1].strip() != "第"
    }
    forms = [re.escape(name) for name in sorted(names, key=lambda name: -len(name)) if len(name) > 1]
    forms += [rf"{re.escape(head)}\s*#?{_NUM}(?![\d周月天节个])" for head in heads if head]
    if not forms:
        return None
    return re.compile("|".join(rf"(?<![a-z0-9])(?:{form})(?!\d)" if form[0].isascii() else form for form in forms))
