"""Where one request of a message ends and the next begins, what each of them may mean, and several items that go each
to a time of its own."""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from agent.llm.offline.language.normalize import fold_numbers, fold_text
from agent.llm.offline.language.paraphrase.frames import OTHER, UNSAID, Frame, read_frames
from agent.llm.offline.language.paraphrase.models import Models
from agent.llm.offline.language.paraphrase.tokens import Token, tokenise
from agent.llm.offline.language.paraphrase.wordings import WORDINGS
from agent.llm.offline.language.spans.times.spelling import spell_out_lists

SURE = 0.9
"""The chance of a frame beside which only a beginning that is heard counts, and that is enough for both pieces."""
LIKELY = 0.4
"""The chance that each of two requests has at least where one may be divided."""
CERTAIN = 0.95
"""The chance that each has where little else tells of a beginning."""
ODDS, LEAST_ODDS, TRIED = -3.0, -6.0, 2
"""The odds, as logarithms, of a place where a request may be divided, likely pieces or certain ones, and how many such
places are tried."""
CONDITIONS = ("most_", "nothing_on", "only_on", "days_between", "not_two", "in_order", "wish_", "never_on", "always_on")
WHOLE = frozenset({OTHER, *(name for name in WORDINGS if name.startswith(CONDITIONS))})
"""Forms of no piece: what is not understood, and conditions, which belong to what stands beside them."""
SHORTEST = 2
"""The tokens of a piece."""


class Request(NamedTuple):
    """The tokens of one request of a message, and its likeliest frames, the likeliest first."""

    tokens: Sequence[Token]
    frames: list[Frame]

    @property
    def chance(self) -> float:
        """The chance of the likeliest frame."""
        return self.frames[0].chance


class Reader:
    """Reads the requests of a folded text with the models, each by what it comes after; a piece that several readings
    have in common is read once."""

    def __init__(self, text: str, models: Models) -> None:
        self._text, self._models = text, models
        self._read_pieces: dict[Hashable, Request] = {}
        self._weighed: dict[tuple[str, ...], list[float]] = {}

    def divide(self, tokens: Sequence[Token], before: Sequence[str], previous: Frame | None) -> list[Request]:
        """The requests of these tokens: divided where the models say that one begins, and where both pieces are surer
        alone than together. `before` and `previous`: what the first comes after."""
        odds = self._weigh(tokens)
        ends = [at for at in range(1, len(tokens)) if odds[at] > max(0, *odds[at - 1 : at], *odds[at + 1 : at + 2])]
        found: list[Request] = []
        for start, end in pairwise([0, *ends, len(tokens)]):
            for request in self._divide_doubtful(tokens[start:end], before, previous):
                found.append(request)
                if request.frames[0].form not in UNSAID:
                    before, previous = _come_after(request)
        return found

    def _divide_doubtful(self, tokens: Sequence[Token], before: Sequence[str], previous: Frame | None) -> list[Request]:
        """One request, or the several that it may be and that are surer."""
        whole = self._read(tokens, before, previous)
        odds = self._weigh(tokens)
        places = range(SHORTEST, len(tokens) - SHORTEST + 1)
        likely = sorted((at for at in places if odds[at] >= LEAST_ODDS), key=lambda at: -odds[at])
        best, least = None, max(LIKELY, min(whole.chance, SURE))
        for at in likely[:TRIED]:
            first = self._read(tokens[:at], before, previous)
            then = self._read(tokens[at:], *_come_after(first))
            chance = min(first.chance, then.chance)
            heard = odds[at] >= ODDS or (chance >= CERTAIN and whole.chance <= SURE)
            if heard and chance > least and not WHOLE & {first.frames[0].form, then.frames[0].form}:
                best, least = at, chance
        if best is None:
            return [whole]
        first_part = self._divide_doubtful(tokens[:best], before, previous)
        return [*first_part, *self._divide_doubtful(tokens[best:], *_come_after(first_part[-1]))]

    def _read(self, tokens: Sequence[Token], before: Sequence[str], previous: Frame | None) -> Request:
        key = (tuple(tokens), tuple(before), previous)
        if key not in self._read_pieces:
            self._read_pieces[key] = Request(tokens, read_frames(self._text, tokens, before, previous, self._models))
        return self._read_pieces[key]

    def _weigh(self, tokens: Sequence[Token]) -> list[float]:
        words = tuple(token.word for token in tokens)
        if words not in self._weighed:
            self._weighed[words] = self._models.weigh_beginnings(words)
        return self._weighed[words]


def _come_after(request: Request) -> tuple[tuple[str, ...], Frame]:
    """What stands before a request behind this one."""
    return (f"same {request.frames[0].form}",), request.frames[0]


PLACED = frozenset({"move_to", "put_in_on", "catch_up_items_on"})
EACH = "each"
"""What marks a frame that was divided."""
_BETWEEN = re.compile(r"\s*(?:[,，、&]\s*(?:and\s+)?|\band\b|(?<![a-z])[和与跟及](?![a-z]))\s*", re.IGNORECASE)
_NUMBERED = re.compile(r"(?P<head>.*?)(?P<number>\d+)(?P<tail>\D*)")
_DAYS, _HOURS = frozenset("ⒺⒹⓎ"), frozenset("ⓅⓈⒽ")
_WEEK_AHEAD = re.compile(r"(?:[上下这本]+个?周|第\d+周|(?:next|this) (?=\w)|(?:in )?week \d+ )", re.IGNORECASE)
_WEEK_BEHIND = re.compile(r"\s+(?:of|in) (?:(?:next|this|the) (?:\w+ )?week|week \d+)$", re.IGNORECASE)
_WEEKDAY = re.compile(r"周(?=[1-7一二三四五六日天])")


def divide_by_time(frame: Frame) -> list[Frame]:
    """A frame for each of several items where as many times are said; empty where they go together."""
    if frame.form not in PLACED or not {"items", "time"} <= frame.filled:
        return []
    items = _name_each([part for piece in frame.slots["items"] for part in _split(fold_numbers(piece))])
    said = " ".join(frame.slots["time"]) if len(frame.slots["time"]) > 1 else frame.slots["time"][0]
    times = _tell_each(_split(spell_out_lists(fold_text(said))))
    if not 1 < len(items) == len(times) or not all(_kinds_of(time) & _DAYS for time in times):
        return []
    pairs = zip(items, times, strict=True)
    return [replace(frame, slots={**frame.slots, "items": (item,), "time": (time,)}) for item, time in pairs]


def _split(text: str) -> list[str]:
    return [part.strip() for part in _BETWEEN.split(text) if part.strip()]


def _name_each(parts: list[str]) -> list[str]:
    """Each of several items by its whole label: labs 1 and 2 -> lab 1, lab 2; 第5、6章 -> 第5章, 第6章."""
    found = [_NUMBERED.fullmatch(part) for part in parts]
    first, last = found[0] if found else None, found[-1] if found else None
    if first is None or last is None:
        return parts
    plural = len(parts) > 1 and not (found[1] and found[1]["head"])
    head = re.sub(r"(?<=[a-z])s(?=\s*$)", "", first["head"]) if plural else first["head"]
    tail = first["tail"] or last["tail"]
    named = [first["head"] and head, *(one["head"] if one else "" for one in found[1:])]
    return [
        f"{own or head}{one['number']}{one['tail'] or tail}" if one else part
        for one, own, part in zip(found, named, parts, strict=True)
    ]


def _tell_each(parts: list[str]) -> list[str]:
    """Each of several times with the week that is said once for all, and the hours that are said behind the last."""
    if not parts:
        return []
    behind, ahead = _WEEK_BEHIND.search(parts[-1]), _WEEK_AHEAD.match(parts[0])
    hours = [one for one in tokenise(parts[-1], ()) if one.word in _HOURS]
    told = []
    for part in parts:
        if hours and not _kinds_of(part) & _HOURS:
            part += (" " if part.isascii() else "") + parts[-1][hours[0].start : hours[-1].end]
        if behind and not _WEEK_BEHIND.search(part):
            part += behind.group()
        elif ahead and not _WEEK_AHEAD.match(part) and _kinds_of(part) <= {"Ⓓ", *_HOURS}:
            week = ahead.group()
            part = week + (_WEEKDAY.sub("", part, count=1) if re.search(r"[上下这本]", week) else part)
        told.append(part)
    return told


def _kinds_of(text: str) -> frozenset[str]:
    return frozenset(token.word for token in tokenise(text, ()))
