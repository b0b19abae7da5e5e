"""What a message wants that says where items may be and where not."""

from __future__ import annotations

import re

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.meaning.aims import SURER, aims_of, is_text
from agent.llm.offline.language.meaning.features import Features
from agent.llm.offline.language.meaning.grammar import Intent
from agent.llm.offline.language.normalize import fold_text
from agent.llm.offline.language.spans.conditions.limit_forms import CATCHES_UP, DATES_CHANGED
from agent.llm.offline.language.spans.conditions.limits import read_conditions
from agent.llm.offline.language.spans.conditions.said import Said
from agent.llm.offline.language.spans.dates import dates_in
from agent.llm.offline.language.spans.happenings import days_in
from agent.llm.offline.language.spans.items.arrangements import read_arrangement
from agent.llm.offline.language.spans.items.groups import takes_waiting
from agent.llm.offline.language.spans.mentions import items_in
from agent.llm.offline.language.spans.targets import read_target, shift_in

_SETS_CLASS = re.compile(
    r"任务类|允许|起止|考试|填充|\b(?:allow\w*|settings?|filler|exam|due|deadline|windows?|times for)\b"
)
_DONE_BY_NOW = re.compile(r"[完好]了|已经|\b(?:already|did|have|has|got)\b")
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
    "place", "replan", "build", "explain", "remove", "mark",
)  # fmt: skip
_FOR_GOOD = re.compile(r"永远|从来|一律|\b(?:never|always)\b")


def _is_of_dates(said: tuple[Said, ...]) -> bool:
    """Whether conditions keep to certain dates or leave them free, which no setting of a class does."""
    times = [row for one in said for row in one.times]
    return bool(times) and all({"from_date", "to_date"} <= set(row) for row in times)


def of_conditions(meant: Intent, message: str, brief: Brief) -> Intent:
    """What only says where items may be and where not: held against the plan that stands, or made a plan by."""
    if meant in ("class", "wish") and CATCHES_UP.search(fold_text(message)):
        return "replan" if days_in(message, brief.term) else meant
    found = read_conditions(message, brief) if meant in _NARROWS else None
    if found is None or not found.said or is_text(message):
        return meant
    if meant in ("build", "class") and Features(message, brief).plans_unplanned:
        return meant
    said, counted, planned = Features(message, brief), bool(found.counted), any(row["slot"] for row in brief.tasks)
    label, chance = aims_of(message, brief)[0]
    if label == "chat" and chance >= SURER and not counted and meant in ("other", "show", "free", "keep"):
        return meant  # how one feels today limits nothing
    asks = (said.asks or _ASKS.search(said.folded)) and not _POLITE.search(said.folded)
    if asks or aims_of(message, brief)[0][0] in ("mark_missed", "class_create"):
        return meant
    if meant == "mark" or aims_of(message, brief)[0][0] == "mark_done":
        return "limit" if found.finishes_ahead(brief.term.today) and not _DONE_BY_NOW.search(said.folded) else meant
    if not planned:
        alone = meant in ("other", "wish", "replan") and (found.finishes or len(found.counted) > 1)
        return "build" if alone and not found.lasting else meant
    if len(said.classes) == 1 and DATES_CHANGED.search(found.left) and dates_in(found.left, brief.term):
        return "class"
    if any(one.pair for one in found.said):
        return "limit"
    wanted = read_arrangement(found.left, brief)
    placed = wanted is not None and (wanted.target.said or wanted.shift is not None or wanted.beside is not None)
    placed = placed or bool(
        items_in(found.left, brief) and (read_target(found.left, brief.term).said or shift_in(found.left))
    )
    waits = wanted is not None and wanted.items and not any(row["slot"] for row in wanted.items)
    if not placed and meant in ("build", "wish", "class", "place") and (waits or takes_waiting(message, brief)):
        return "limit" if PUTS.search(said.folded) else meant
    if meant == "remove":
        return "limit" if wanted is not None and waits and not placed else meant
    if meant == "place" or (aims_of(message, brief)[0][0] == "catch_up" and not counted):
        return meant
    if found.relates and meant in ("class", "move", "replan"):
        return "limit"
    if meant in ("build", "class") and (said.has("class_noun") or said.has("describes_class") or said.items):
        return meant
    if meant == "class" and said.builds and not found.once:
        return meant
    if meant == "build":
        ids = {row["class_id"] for row in brief.tasks if row["slot"]}
        stands = ids >= {*(said.classes or [row["id"] for row in brief.classes])} and not said.fresh
        if found.once and not (said.classes or said.fresh or found.left.strip(" ,，")):
            return meant if brief.view["needs_rough_build"] else "limit"
        return "limit" if counted and stands and not brief.view["needs_rough_build"] else meant
    if meant == "class" and _FOR_GOOD.search(said.folded) and _is_of_dates(found.said):
        return "limit"
    if meant == "class":
        narrowed = found.narrowed and not found.lasting and not _SETS_CLASS.search(said.folded)
        return (
            "limit"
            if narrowed or found.once or found.recurs or (counted and len(found.counted) == len(found.said))
            else meant
        )
    if meant == "replan":
        return "limit" if counted or found.recurs or found.weekly or found.spared else meant
    if meant == "move":
        away = not counted and bool(found.spared) and all("without" in one.values for one in found.said)
        return "limit" if (counted or away) and not placed else meant
    if meant == "wish":
        return "limit" if found.once or not (said.has("plan_wishes") or said.has("unwishes")) else meant
    return "limit" if counted or meant in ("other", "optimise") else meant
