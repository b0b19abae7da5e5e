"""Classes of which each gets a time of its own, told side by side: labs and vocab at 8 and 10 respectively."""

from __future__ import annotations

import re

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.spans.classes.class_times import find_owners
from agent.llm.offline.language.spans.mentions import all_items, find_pieces, items_in
from agent.llm.offline.language.spans.times.reading import read_times

_EACH = re.compile(r"分别|各自|,?\s*\brespectively\b", re.IGNORECASE)
_JOINT = re.compile(r"\s*(?:[和与跟、]|,(?: and)?(?=\s)|\band\b|&)\s*", re.IGNORECASE)
_COMMA = re.compile(r",(?= (?:on|in|at|to|by|for) )", re.IGNORECASE)
_FIRST_WORD = re.compile(r"^(?:(?:the|my) )?(?:[一-鿿]+|\w+)", re.IGNORECASE)
_END = re.compile(r"[,，。;；!！]|\.(?:\s|$)|$")


def spell_one_each(text: str, brief: Brief) -> str:
    """A message with the time of each class behind its name; any other as it is."""
    if not _EACH.search(text) or items_in(text, brief, among=all_items(brief)):
        return text
    plain = _COMMA.sub("", _EACH.sub("", text))
    read = read_times(plain, brief.term)
    head, last = (plain[: read[0].start], read[-1].end) if read else ("", 0)
    times = _JOINT.split(plain[len(head) : last])
    pieces = _JOINT.split(head)[-len(times) :]
    owners = [find_owners(piece, brief) for piece in pieces]
    several = len(times) > 1 and len(pieces) == len(times) and all(read_times(one, brief.term) for one in times)
    if not several or any(len(one) != 1 for one in owners) or len({one[0] for one in owners}) < len(owners):
        return text
    names = [brief.name_of(one[0]) for one in owners]
    lead, link = _around(pieces[0], names[0])[0], _around(pieces[-1], names[-1])[1]
    lead = head[: head.rfind(pieces[0])] + lead
    end = _END.search(plain, last)
    tail = plain[last : end.start() if end else last]
    told = [f"{lead}{name}{link}{one}{tail}" for name, one in zip(names, times, strict=True)]
    return brief.say("，", ", ").join(told) + plain[last + len(tail) :]


def _around(piece: str, name: str) -> tuple[str, str]:
    """What a piece has in front of the name of a class, and behind it."""
    said = max(find_pieces(piece, (name,)), key=len, default="") or (_FIRST_WORD.search(piece) or [""])[0]
    before, _, behind = piece.partition(said)
    return before, behind
