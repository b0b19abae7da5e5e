"""What a student finds too much or too little: a class, a week, weekdays, or all that is planned."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.meaning.intents import Intent, intent_of
from agent.llm.offline.language.meaning.whether import asks_whether
from agent.llm.offline.language.normalize import fold_numbers, fold_text
from agent.llm.offline.language.plain.days.appointments import read_only_free
from agent.llm.offline.language.plain.days.habits import IN_A_ROW, read_habits
from agent.llm.offline.language.plain.shapes import find_classes
from agent.llm.offline.language.spans.conditions.limit_forms import CLAUSE_BREAK
from agent.llm.offline.language.spans.conditions.limits import read_conditions
from agent.llm.offline.language.spans.times.reading import read_times
from agent.llm.offline.language.spans.times.said_time import Time

Way = Literal["less", "more"]
_WAYS: tuple[tuple[Way, str], ...] = (
    ("less", "too_much"), ("less", "worn_out"), ("less", "ends_early"), ("more", "too_little"),
)  # fmt: skip
_IF = re.compile(r"如果|(?<!主)要是|的话|\bif\b|\bwhen(?:ever)?\b")
_ASKS = re.compile(r"哪|几|多少|什么时候|\b(?:which|when|where|how (?:many|much|full|long)|first|in time)\b")
_EACH = re.compile(r"每|总|老是|\b(?:\w+days|weekends)\b")
_COUNTED = re.compile(r"\d(?![点些下])")
_LESS = re.compile(
    r"少(?:安?排|放|来|学|做)?[1一]?[点些]|(?:排|放|安排)得?少[1一]?[点些]"
    r"|\b(?:schedule|plan|do|have|give me|study|put|want) (?:(?:a (?:bit|little|lot)|much|in) )?(?:less|fewer)\b"
    r"|\b(?:less of (?:it|that|this)|cut (?:it )?(?:down|back))\b"
)
"""That there is to be less of something, not told how much less."""
_EVENLY = re.compile(r"均匀|平均|\beven")


@dataclass(frozen=True)
class Complaint:
    """What there is to be less or more of: these classes, all that is planned where there are none, at this time."""

    way: Way
    classes: tuple[int, ...]
    time: Time | None
    said: str
    """The student's own words for the time."""
    full: int | None = None
    """The week that has too much of what another one has too little of."""


def read_complaint(text: str, brief: Brief) -> Complaint | None:
    """What a folded message finds too much or too little; None where it tells what is to be done, or how many."""
    if (told_of_two := _read_two_weeks(text, brief)) is not None:
        return told_of_two
    named = find_classes(text, brief)
    bare = len(named) == 1 and not (
        read_times(text, brief.term) or re.search(r"\d", fold_numbers(text).replace("1点", ""))
    )
    if bare and _LESS.search(text):
        return Complaint("less", tuple(named), None, "")
    clauses = [one for one in CLAUSE_BREAK.split(text) if one.strip()]
    told = [(one, way) for one in clauses for way, words in _WAYS if says(words, one)]
    times = [one for one in read_times(text, brief.term) if one.kind != "every"]
    classes = find_classes(text, brief)
    if _is_known_better(text, classes, times, brief) or _is_condition(text, classes, brief):
        return None
    ways = {way for _, way in told}
    if not ways or (len(ways) > 1 and times) or len(times) > 1:
        return None
    said = [clause for clause, _ in told]
    if _COUNTED.search(fold_numbers(_without_times(text, times))) or any(
        _wants(one, brief) for one in clauses if one not in said
    ):
        return None
    time = times[0] if times else None
    way: Way = "less" if "less" in ways else "more"
    owners = classes if len(classes) < len(brief.classes) else []  # everything: all that is planned
    return Complaint(way, tuple(owners), time, text[time.start : time.end] if time else "")


_CLAUSES = re.compile(r"[,，;；。]|\b(?:while|and|but|whereas)\b|[而但]")

_EMPTY = re.compile(r"空|轻|少|闲|没(?:有|排|什么)|\b(?:empty|light|free|quiet|nothing)\b")


def _read_two_weeks(text: str, brief: Brief) -> Complaint | None:
    """One week that is too full, and another one that is too empty."""
    told = [(one, clause) for clause in _CLAUSES.split(text) for one in read_times(clause, brief.term) if one.week]
    full = [one.week for one, clause in told if says("too_much", clause)]
    empty = [one for one, clause in told if _EMPTY.search(clause) and one.week not in full]
    asks = says("asking", text) and not says("polite_form", text)
    if asks or not (len(full) == len(empty) == 1) or len(told) != len(full) + len(empty):
        return None
    return Complaint("more", (), empty[0], "", full[0])


def _is_known_better(text: str, classes: Sequence[int], times: Sequence[Time], brief: Brief) -> bool:
    """Whether another goal knows what is wanted: a question, a wish, a part of the day that is never to be used, a day
    or a week that is to have less, or what words mean by those before them."""
    intent, meant = intent_of(text, brief), fold_text(brief.request)
    asks = _ASKS.search(text) or (intent_of(meant, brief) == "load" and (says("asking", text) or asks_whether(text)))
    early = (says("too_early", text) or intent == "wish") and not says("ends_early", text)
    other = asks or _IF.search(text) or IN_A_ROW.search(text) or early
    each = _EACH.search(text) or any(len(one.weekdays) > 1 and not (one.week or one.first) for one in times)
    wanted = "太多" in text or any(says(word, text) for word in ("lighter", "wants_change", "move"))
    lightens = intent == "replan" and times and not each and wanted
    told = read_habits(text, brief) or read_only_free(text, brief)
    return bool(other or lightens or told or (find_classes(meant, brief) and not classes))


def _is_condition(text: str, classes: Sequence[int], brief: Brief) -> bool:
    """Whether a message limits places; that all is to be wider apart than now is none that is kept already."""
    told = read_conditions(text, brief).counted
    even = all({*one.values} == {"even"} for one in told) and not _EVENLY.search(text)
    return bool(told) and not (even and not (0 < len(classes) < len(brief.classes) and says("wants_change", text)))


def _without_times(text: str, times: list[Time]) -> str:
    for one in times:
        text = text[: one.start] + " " * (one.end - one.start) + text[one.end :]
    return text


_TELLS: tuple[Intent, ...] = ("other", "free", "due", "show", "load")
"""What a clause beside a complaint may seem to ask that only tells something."""


def _wants(clause: str, brief: Brief) -> bool:
    """Whether a clause beside the complaint wants something of its own."""
    change = says("wants_change", clause)
    tells = intent_of(clause, brief) in (_TELLS if not says("asking", clause) else _TELLS[:1])
    return change or not (tells or says("complains", clause))
