"""Several items that go each to a time of its own: labs 1 and 2 on monday and tuesday."""

from __future__ import annotations

import re
from dataclasses import replace

from agent.llm.offline.language.normalize import fold_numbers, fold_text
from agent.llm.offline.language.paraphrase.frames import Frame
from agent.llm.offline.language.paraphrase.tokens import tokenise
from agent.llm.offline.language.spans.times.spelling import spell_out_lists

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
