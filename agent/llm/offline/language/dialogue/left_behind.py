"""What the answer to a question leaves to point to: the days, hours, weeks, items and classes that it named."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.normalize import fold_text
from agent.llm.offline.language.spans.targets import PlaceTarget
from agent.llm.offline.language.spans.times.reading import read_times
from agent.llm.offline.language.texts import say_hours
from agent.loop.view_document import TaskView

_BESIDE = re.compile(
    r"[前后]面|之[前后]|[上下]一?[个项章]|接[着下]|[学做]完|\b(?:after|before|follow(?:s|ing)?|next|previous|precedes)\b"
)
"""What asks for something beside the item that is named."""
_ASKS_DAYS = re.compile(
    r"哪[1一几些]?[个天日]|几号|周几|什么时候|啥时候|哪些?(?:时间|空)|有空的?时间|空[档闲]"
    r"|\b(?:(?:which|what)\b[^,.;?]*?\b(?:days?|time)|when|free|days (?:without|with no))\b"
)
_ASKS_END = re.compile(
    r"(?:学|做|忙|弄|上)完|结束|完成|\b(?:done|finish\w*|complet\w*|over|ends?(?! (?:date|of))|through)\b"
)
"""What asks when all of a class is done."""
_TOP = re.compile(r"(?<=\n)[^\n]*[:：](?=\n)")
"""The head of a second group of an answer."""
_MOST_DAYS = 7


@dataclass(frozen=True)
class Left:
    """What an answer left, by its kind; each may be one or several."""

    days: tuple[date, ...] = ()
    together: bool = False
    """Whether the days are those that the question named, so that all of them are one time."""
    hours: str = ""
    """The hours of the one day, as words behind it."""
    weeks: tuple[int, ...] = ()
    items: tuple[TaskView, ...] = ()
    classes: tuple[int, ...] = ()


@dataclass(frozen=True)
class Asked:
    """A question with what it named itself."""

    said: str
    target: PlaceTarget
    items: Sequence[TaskView]
    classes: Sequence[int]


def find_left(asked: Asked, answer: str, told: Sequence[TaskView], brief: Brief) -> Left:
    """What the answer to a question left, which `told` of these items."""
    items = _find_items(asked, told)
    days = _find_days(asked, answer, items, brief)
    weeks = _find_weeks(asked, answer, brief)
    owners = {row["class_id"] for row in items}
    classes = tuple(asked.classes) or (tuple(owners) if len(owners) == 1 else ())
    hours = _find_hours(asked, days, brief)
    together = len(days) == len(asked.target.days) and not asked.items
    return Left(days, together, hours, weeks, items, classes)


def _find_items(asked: Asked, told: Sequence[TaskView]) -> tuple[TaskView, ...]:
    """The items that were told, beside the one that the question names where it asks for what is beside it, or out of
    those that it names. When a class is done tells of the class, not of its last item."""
    if asked.classes and not asked.items and not asked.target.said and _ASKS_END.search(fold_text(asked.said)):
        return ()
    own = {row["item_id"] for row in asked.items}
    others = tuple(row for row in told if row["item_id"] not in own)
    if others and own and _BESIDE.search(fold_text(asked.said)):
        return others
    chosen = not others and len(told) < len(own)
    return tuple(asked.items) if own and not (told and chosen) else tuple(told)


def _find_days(asked: Asked, answer: str, items: Sequence[TaskView], brief: Brief) -> tuple[date, ...]:
    """The day that the question named, else those that its answer told, or on which its one item stands."""
    first = _list_days(_TOP.split(answer)[0], brief)
    told = first if len(first) == 1 else _list_days(answer, brief)
    named = _days_of(asked.target, brief)
    if len(asked.target.days) == len(told) == 1 and not asked.items:
        return told
    if named or asked.target.run:
        return named
    if asked.items or not _ASKS_DAYS.search(fold_text(asked.said)):
        slot = items[0]["slot"] if len(items) == 1 else None
        return (brief.day_of(slot),) if slot else ()
    told = first or told
    ends = next((at for at in range(1, len(told)) if told[at] < told[at - 1]), len(told))
    return told[: min(ends, _MOST_DAYS)]  # what begins anew is of another kind


def _days_of(target: PlaceTarget, brief: Brief) -> tuple[date, ...]:
    """The days of a target that are of one certain week."""
    return tuple(brief.term.day(target.week, day) for day in sorted(target.days)) if target.week else ()


def _list_days(text: str, brief: Brief) -> tuple[date, ...]:
    times = [one for one in read_times(text, brief.term) if one.kind == "day"]
    return tuple(dict.fromkeys(one.first for one in times if one.first and one.first == one.last))


def _find_hours(asked: Asked, days: Sequence[date], brief: Brief) -> str:
    """The hours of the one day that the question named."""
    return say_hours(read_times(fold_text(asked.said), brief.term), brief) if len(days) == 1 else ""


def _find_weeks(asked: Asked, answer: str, brief: Brief) -> tuple[int, ...]:
    """The week that the question named as a whole, else the one that its answer told."""
    if asked.target.week:
        return () if asked.target.days else (asked.target.week,)
    weeks = [one.week for one in read_times(_TOP.split(answer)[-2:][0], brief.term) if one.kind == "week" and one.week]
    return tuple(dict.fromkeys(weeks)) if not (asked.target.said or asked.items) else ()
