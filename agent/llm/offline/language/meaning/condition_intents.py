"""What a message wants that says where items may be and where not."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.meaning.aims import SURER, aims_of, is_text
from agent.llm.offline.language.meaning.features import Features
from agent.llm.offline.language.meaning.grammar import Intent
from agent.llm.offline.language.normalize import fold_text
from agent.llm.offline.language.spans.conditions.limit_forms import CATCHES_UP, DATES_CHANGED
from agent.llm.offline.language.spans.conditions.limits import read_conditions
from agent.llm.offline.language.spans.conditions.said import Conditions, Said
from agent.llm.offline.language.spans.dates import dates_in
from agent.llm.offline.language.spans.happenings import days_in
from agent.llm.offline.language.spans.items.arrangements import Arrangement, read_arrangement
from agent.llm.offline.language.spans.items.groups import takes_waiting
from agent.llm.offline.language.spans.mentions import items_in
from agent.llm.offline.language.spans.targets import read_target, shift_in

_SETS_CLASS = re.compile(
    r"任务类|允许|起止|考试|填充|\b(?:allow\w*|settings?|filler|exam|due|deadline|windows?|times for)\b"
)
_DONE_BY_NOW = re.compile(r"[完好]了|已经|\b(?:already|did|(?:have|has|got)(?! (?:got )?to\b))\b")
_MUST = re.compile(r"必须|务必|一定|最[迟晚]|[要得](?!完)|\b(?:must|ha(?:s|ve) (?:got )?to|needs?|should)\b")
_ASKS = re.compile(
    r"[?？]|[吗呢么](?=[,，。.!！\s]|$)"
    r"|^(?:and |so |but )?(?:can|could|will|would|do|does|is|are) (?!you\b|u\b|i\b|we\b)|\bwhich (?:day|week)"
)
_POLITE = re.compile(
    r"行不行?|好不好|能不能|可以[吗么]|[吧嘛]|^(?:请|麻烦)|\b(?:can|could|would|will) (?:you|u|i|we)\b|\bplease\b"
)
PUTS = re.compile(
    r"补|[排放塞加填][进上入]|塞|(?:找|安排)[^,，。]{0,4}(?:地方|位置|时间)|\b(?:fit|put|place|add|squeeze|find"
    r"|get|schedule)\b"
)
_NARROWS: tuple[Intent, ...] = (
    "wish", "other", "optimise", "load", "show", "free", "next", "fits", "reasons", "try", "keep", "move", "class",
    "place", "replan", "build", "explain", "remove", "mark", "past", "class_facts",
)  # fmt: skip
_FOR_GOOD = re.compile(r"永远|从来|一律|\b(?:never|always)\b")


def _is_of_dates(said: tuple[Said, ...]) -> bool:
    """Whether conditions keep to certain dates or leave them free, which no setting of a class does."""
    times = [row for one in said for row in one.times]
    return bool(times) and all({*_ENDS} <= set(row) for row in times)


_ENDS = ("from_date", "to_date")


@dataclass(frozen=True)
class _Limiting:
    """A message with conditions: what it is likeliest meant for, and what stands beside the conditions in it."""

    meant: Intent
    message: str
    brief: Brief
    found: Conditions

    @property
    def said(self) -> Features:
        return Features(self.message, self.brief)

    @property
    def likeliest(self) -> tuple[str, float]:
        return aims_of(self.message, self.brief)[0]

    @property
    def counted(self) -> bool:
        return bool(self.found.counted)

    @cached_property
    def wanted(self) -> Arrangement | None:
        return read_arrangement(self.found.left, self.brief)

    @cached_property
    def placed(self) -> bool:
        """Whether items are to go somewhere besides."""
        wanted, left = self.wanted, self.found.left
        if wanted is not None and (wanted.target.said or wanted.shift is not None or wanted.beside is not None):
            return True
        goes = items_in(left, self.brief) and (read_target(left, self.brief.term).said or shift_in(left))
        return bool(goes)

    @cached_property
    def waits(self) -> bool:
        """Whether the items that are meant have no place yet."""
        kept = {row for one in self.found.counted for row in one.items}  # what a distance is kept to
        items = self.wanted.items if self.wanted is not None else []
        items = [row for row in items if row["state_id"] not in kept] or items
        return bool(items) and not any(row["slot"] for row in items)


def _keep_what_is_told(read: _Limiting) -> Intent | None:
    """A plan of what was not planned, how one feels today, a question, or what was missed: conditions limit nothing."""
    label, chance = read.likeliest
    if read.meant in ("build", "class") and read.said.plans_unplanned:
        return read.meant
    if label == "chat" and chance >= SURER and not read.counted and read.meant in ("other", "show", "free", "keep"):
        return read.meant
    text = read.said.folded
    asks = (read.said.asks or _ASKS.search(text)) and not _POLITE.search(text)
    return read.meant if asks or label in ("mark_missed", "class_create") else None


def _finish_ahead(read: _Limiting) -> Intent | None:
    """What is to be done by a day that is still to come, where it could be told as done, or asked for."""
    ahead = read.found.finishes_ahead(read.brief.term.today) and not _DONE_BY_NOW.search(read.said.folded)
    if read.meant == "fits" and read.counted and not read.said.has("asking"):
        return "limit"  # so much is enough
    if read.meant in ("past", "fits"):
        return "limit" if ahead and _MUST.search(read.said.folded) else read.meant
    if read.meant != "mark" and read.likeliest[0] != "mark_done":
        return None
    return "limit" if ahead else read.meant


def _begin_plan(read: _Limiting) -> Intent | None:
    """Where nothing is planned yet, conditions alone ask for a plan."""
    if any(row["slot"] for row in read.brief.tasks):
        return None
    found = read.found
    alone = read.meant in ("other", "wish", "replan") and (found.finishes or len(found.counted) > 1)
    return "build" if alone and not found.lasting else read.meant


def _change_dates(read: _Limiting) -> Intent | None:
    left = read.found.left
    dated = len(read.said.classes) == 1 and DATES_CHANGED.search(left) and dates_in(left, read.brief.term)
    return "class" if dated else None


def _limit_pairs(read: _Limiting) -> Intent | None:
    return "limit" if any(one.pair for one in read.found.said) else None


def _limit_waiting(read: _Limiting) -> Intent | None:
    """Items without a place, which only conditions tell where to go."""
    if read.meant not in ("build", "wish", "class", "place") or read.placed:
        return None
    if not (read.waits or takes_waiting(read.message, read.brief)):
        return None
    return "limit" if PUTS.search(read.said.folded) else read.meant


def _limit_removed(read: _Limiting) -> Intent | None:
    if read.meant != "remove":
        return None
    return "limit" if read.waits and not read.placed else read.meant


def _limit_finish(read: _Limiting) -> Intent | None:
    """A last day of everything and other limits beside it, and nothing else."""
    both = read.found.finishes and len(read.found.said) > 1 and not read.found.left.strip(" ,，")
    return "limit" if both and read.meant in ("replan", "move") else None


def _keep_places(read: _Limiting) -> Intent | None:
    catches_up = read.likeliest[0] == "catch_up" and not read.counted
    return read.meant if read.meant == "place" or catches_up else None


def _limit_related(read: _Limiting) -> Intent | None:
    return "limit" if read.found.relates and read.meant in ("class", "move", "replan") else None


def _keep_class(read: _Limiting) -> Intent | None:
    """A class that is described, and a plan whose conditions are to hold for good."""
    said = read.said
    if read.meant in ("build", "class") and (said.has("class_noun") or said.has("describes_class") or said.items):
        return read.meant
    return read.meant if read.meant == "class" and said.builds and not read.found.once else None


_STEPS: tuple[Callable[[_Limiting], Intent | None], ...] = (
    _keep_what_is_told,
    _finish_ahead,
    _begin_plan,
    _change_dates,
    _limit_pairs,
    _limit_waiting,
    _limit_removed,
    _limit_finish,
    _keep_places,
    _limit_related,
    _keep_class,
)
"""What decides whatever else is meant; the first that tells an intent."""


def _limit_plan(read: _Limiting) -> Intent:
    said, found, begins = read.said, read.found, read.brief.view["needs_rough_build"]
    ids = {row["class_id"] for row in read.brief.tasks if row["slot"]}
    stands = ids >= {*(said.classes or [row["id"] for row in read.brief.classes])} and not said.fresh
    dated = all("without" in one.values and all({*_ENDS} & {*row} for row in one.times) for one in found.said)
    if (found.once or dated) and not (said.classes or said.fresh or found.left.strip(" ,，")):
        return read.meant if begins else "limit"
    return "limit" if read.counted and stands and not begins else read.meant


def _limit_class(read: _Limiting) -> Intent:
    found, text = read.found, read.said.folded
    if _FOR_GOOD.search(text) and _is_of_dates(found.said):
        return "limit"
    narrowed = found.narrowed and not found.lasting and not _SETS_CLASS.search(text)
    only_counted = read.counted and len(found.counted) == len(found.said)
    return "limit" if narrowed or found.once or found.spared or found.recurs or only_counted else read.meant


def _limit_new_plan(read: _Limiting) -> Intent:
    found = read.found
    return "limit" if read.counted or found.recurs or found.weekly or found.spared else read.meant


def _limit_move(read: _Limiting) -> Intent:
    found = read.found
    rest = bool(found.spared) or (found.recurs and not found.left.strip(" ,，"))
    away = not read.counted and rest and all("without" in one.values for one in found.said)
    return "limit" if (read.counted or away) and not read.placed else read.meant


def _limit_wish(read: _Limiting) -> Intent:
    lasting = read.said.has("plan_wishes") or read.said.has("unwishes")
    return "limit" if read.found.once or not lasting else read.meant


def _limit_other(read: _Limiting) -> Intent:
    return "limit" if read.counted or read.meant in ("other", "optimise") else read.meant


_BY_INTENT: dict[Intent, Callable[[_Limiting], Intent]] = {
    "build": _limit_plan,
    "class": _limit_class,
    "replan": _limit_new_plan,
    "move": _limit_move,
    "wish": _limit_wish,
}


def of_conditions(meant: Intent, message: str, brief: Brief) -> Intent:
    """What only says where items may be and where not: held against the plan that stands, or made a plan by."""
    if meant in ("class", "wish") and CATCHES_UP.search(fold_text(message)):
        return "replan" if days_in(message, brief.term) else meant
    found = read_conditions(message, brief) if meant in _NARROWS else None
    if found is None or not found.said or is_text(message):
        return meant
    read = _Limiting(meant, message, brief, found)
    told = next((told for step in _STEPS if (told := step(read))), None)
    return told or _BY_INTENT.get(meant, _limit_other)(read)
