"""Clauses that want nothing by themselves beside one that does: a reason, a grumble, an aim.

A clause is one by the word it begins with (因为, since, otherwise), by what it complains of or is taken up with, or by
what it hopes for; never where it wants a change itself, or tells a fact that is kept: what is done, when an exam is.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.normalize import fold_text
from agent.llm.offline.language.spans.mentions import find_pieces
from agent.llm.offline.language.spans.times.reading import read_times
from agent.llm.offline.language.spans.times.semester import SemesterDates
from agent.llm.offline.language.spans.times.spelling import names_holiday

Kind = Literal["", "reason", "grumble", "busy", "aim"]
"""What a clause is: empty for one that wants or tells something by itself; a reason by its first word, a grumble, what
is on at some time, what is hoped for."""

_JOINT = re.compile(
    r"[,，;；。!！?？~…\n]+\s*|\.+(?:\s+|$)|(?<=[一-鿿])\s+(?=[一-鿿])|(?<=.)(?=因为|由于|所以|毕竟|反正|不然|否则|要不然|免得|省得)"
    r"|\s+-+\s+|\s+(?=(?:because|'?cause|cos|coz|cuz|otherwise|or else|seeing (?:as|that))\b)"
    r"|\s+(?=since (?:i|we|my|it|that|the|there|\w+days?|mornings|afternoons|evenings)\b[^,.;]*"
    r"(?:'m|'s|'ve|'re|\b(?:is|are|am|have|has|need|can't|don't|work|was|will)\b))"
    r"|\s+(?=so (?:that )?(?:i|we|you|could|can|would|please|pls|maybe|let|move|put|shift|push|pull|take|swap|plan)\b)"
    r"|(?<=\w)\s+(?=(?:could|can|would) (?:you|we|u|i|it|that|this)\b)|\s+(?=(?:please|pls) \w+ \w)",
    re.IGNORECASE,
)
"""Where one clause ends and another begins."""
_LEADS = re.compile(r"^(?:所以|因此|那就?|and|so|but|但是?)\s*(?=\S)")
"""What leads from a reason to its request."""


@dataclass(frozen=True)
class Clause:
    """A clause of a message in the student's words, and what it is."""

    text: str
    kind: Kind


def find_clauses(message: str, names: tuple[str, ...], term: SemesterDates) -> list[Clause]:
    """The clauses of a message, names in one piece."""
    masked = message
    for piece in find_pieces(message, names, str):
        masked = masked.replace(piece, "x" * len(piece)) if " " in piece else masked
    pieces, begin = [], 0
    for joint in _JOINT.finditer(masked):
        pieces.append(message[begin : joint.start()])
        begin = joint.end()
    said = [piece.strip() for piece in (*pieces, message[begin:]) if piece.strip()]
    kinds = [_kind_of(fold_text(piece), term) for piece in said]
    for at, then in enumerate(said[1:]):
        if not kinds[at] and _SO.match(then) and _is_told(fold_text(said[at]), term):
            kinds[at] = "reason"
    plain = [
        _LEADS.sub("", piece) if not kind and any(kinds) else piece for piece, kind in zip(said, kinds, strict=True)
    ]
    return [Clause(piece, kind) for piece, kind in zip(plain, kinds, strict=True)]


_SO = re.compile(r"(?:所以|因此|so)(?![a-z])", re.IGNORECASE)


def _is_told(text: str, term: SemesterDates) -> bool:
    """Whether a clause only tells something that is no fact to be kept."""
    other = any(says(one, text) for one in ("wants_change", "asking"))
    return not other and not _tells_fact(text, term)


def _kind_of(text: str, term: SemesterDates) -> Kind:
    """What a folded clause is."""
    if says("aims_at", text) and not (says("shifts", text) or read_times(text, term) or names_holiday(text)):
        return "aim"
    if _tells_fact(text, term) and not says("known_anyway", text):
        return ""
    if says("dislikes", text) and not says("asking", text):
        return "grumble"
    wants = says("wants_change", text)
    if says("gives_alternative", text):
        return "" if wants else "reason"
    if says("gives_reason", text) or (says("undecided", text) and not says("shifts", text)):
        return "reason"
    if says("wonders_why", text) and not says("shifts", text):
        return "grumble"
    if wants or says("asking", text) or says("suits", text):
        return ""
    if says("complains", text):
        return "grumble"
    occupied = says("busy_then", text) or says("occupied", text) or _states(text, term)
    return "busy" if occupied and (_THEN.search(text) or read_times(text, term)) else ""


_THEN = re.compile(r"那[几两天]|这几天|\b(?:then|that day|those days)\b")
_FACTS = ("missed", "finished", "partly", "not_done", "not_begun", "unmark")


def _tells_fact(text: str, term: SemesterDates) -> bool:
    """Whether a clause tells what is kept beside any change: progress, a dated exam, a lesson that is off."""
    if any(says(fact, text) for fact in _FACTS) or re.search(r"停课|\bcancell?ed\b", text):
        return True
    return re.search(r"考|测验|截止|\b(?:exam|due|deadline|test|quiz)\b", text) is not None and any(
        one.first for one in read_times(text, term)
    )


_IS = re.compile(
    r"\s*(?:morning|afternoon|evening|night)?s?(?:'s| is| are|'re)(?= )|\s*(?:morning|evening)?s? \w+ (?:me|my)\b"
)


def _states(text: str, term: SemesterDates) -> bool:
    """Whether a clause begins with a time and tells what it is for: sundays are for church."""
    return any(
        text[: one.start].strip() in ("", "my", "the") and _IS.match(text[one.end :]) for one in read_times(text, term)
    )
