"""Times of every week that a message keeps free for good: a rule of the classes, not of the plan that stands.

It comes again where the message says so (Mondays, every week, from now on) or tells what the student does then that
comes again (choir, a job); a date, this week and a condition for this plan alone do not. What is allowed again is taken
from what the classes leave free.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.normalize import fold_numbers, fold_text
from agent.llm.offline.language.remember import remember_of_plan
from agent.llm.offline.language.spans.classes.class_sentence import ClassSlots
from agent.llm.offline.language.spans.classes.class_times import (
    FREE_AGAIN,
    Cells,
    as_exclusions,
    excludes,
    read_exclusions,
)
from agent.llm.offline.language.spans.conditions.limit_forms import EVENT, EVERY, HABIT, LASTING, ONCE
from agent.llm.offline.language.spans.conditions.limits import read_conditions
from agent.llm.offline.language.spans.conditions.said import Json
from agent.llm.offline.language.spans.dates import part_in, sections_in, weekdays_in
from agent.llm.offline.language.spans.items.groups import EXCEPTION
from agent.llm.offline.language.spans.mentions import blank_names
from agent.llm.offline.language.spans.times.reading import read_times
from agent.llm.offline.language.spans.times.semester import SemesterDates
from agent.loop.view_document import ClassView

_PARTS = re.compile(r"\b(?:mornings|afternoons|evenings|nights|weekends)\b|早[八8]|(?:周|星期|礼拜)[1-7日天末].{0,4}都")
_DAYS = range(1, 8)
_AGAIN = re.compile(
    r"\b(?:again|after all|once more|(?:is|are) (?:free|available|open|fine|ok(?:ay)?|back|possible)\b)"
    r"|\bcan (?:use|study|plan|put|do|work)\b"
    r"|(?:又|还是|也|重新|现在)?(?:可以|能|行)(?:再)?(?:用|学|排|放|安排|看|做|背)"
    r"|(?:又|还是|也)(?:可以|能|行)|不用(?:再)?(?:空|留|避)|(?:空|有时间)(?:出来)?了"
)
"""What allows times again."""


@remember_of_plan
def read_standing(message: str, brief: Brief) -> dict[int, ClassSlots]:
    """What each class is to leave free every week by a message; empty where it keeps nothing free for good."""
    found = read_conditions(message, brief)
    if found.once or found.spared or not found.leaves_free or not _comes_again(message):
        return {}
    cells: dict[int, Cells] = {}
    for one in found.said:
        out = {cell for row in one.values["without"] for cell in cells_of_row(row, brief.term)}
        for class_id in one.owners or [row["id"] for row in brief.classes]:
            cells.setdefault(class_id, set()).update(out)
    return {class_id: ClassSlots(**as_exclusions(out, brief.term)) for class_id, out in cells.items()}


def _comes_again(message: str) -> bool:
    text = fold_numbers(message)
    habit = HABIT.search(text) is not None and EVENT.search(text) is None
    recurs = habit or any(form.search(text) for form in (EVERY, LASTING, _PARTS))
    return recurs and not (ONCE.search(text) or FREE_AGAIN.search(text))


def cells_of_row(row: Json, term: SemesterDates) -> Cells:
    """Answers the weekdays and blocks that a time of every week touches."""
    first, last = row.get("section_from", 1), row.get("section_to", term.sections)
    blocks = range((first + 1) // 2, (last + 1) // 2 + 1)
    return {(day, block) for day in row.get("weekdays", _DAYS) for block in blocks}


@dataclass(frozen=True)
class Opened:
    """Times of every week that are allowed again."""

    cells: frozenset[tuple[int, int]]

    def left_of(self, out: Cells, term: SemesterDates) -> dict[str, Any]:
        """What is left free of these times still."""
        return {name: cells or () for name, cells in as_exclusions(out - self.cells, term).items()}


def excluded_of(row: ClassView, term: SemesterDates) -> Cells:
    """The weekdays and blocks that a class leaves free."""
    return cells_of(row["excluded_days"], row["excluded_blocks"], row["excluded_cells"], term)


def cells_of(days: Sequence[int], blocks: Sequence[int], cells: Sequence[Sequence[int]], term: SemesterDates) -> Cells:
    """Whole days, blocks of all days and single blocks as the blocks of each weekday."""
    every = range(1, (term.sections + 1) // 2 + 1)
    whole = {(day, block) for day in days for block in every} | {(day, block) for day in _DAYS for block in blocks}
    return whole | {(day, block) for day, block in cells}


_BARE_DAY = re.compile(r"\s*(?:on )?(?:(?:周|星期|礼拜)[一二三四五六日天]|(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*)?\s*")


@remember_of_plan
def read_opened(message: str, brief: Brief) -> Opened | None:
    """The times that a message allows again, where some class leaves them free; None where it allows none."""
    cells: Cells = set()
    named = ""
    for piece in re.split(r"[,，、。;；!！\n]|\.(?:\s|$)|\bbut\b|\band\b", EXCEPTION.sub(" ", fold_text(message))):
        clause = f"{named} {piece}"
        named = clause if _BARE_DAY.fullmatch(piece) else ""  # what is said of the last day is said of all
        if (_AGAIN.search(clause) or says("open_up", clause)) and not excludes(clause):
            cells |= read_weekly(clause, brief.term)
    held = any(cells & excluded_of(row, brief.term) for row in brief.classes)
    return Opened(frozenset(cells)) if held else None


_ANY_DAY = re.compile(r"(?:哪|任何|每)一?天|所有(?:的)?(?:时间|日子)|\b(?:any|every|all) ?(?:days?|times?)\b")


def read_weekly(clause: str, term: SemesterDates) -> Cells:
    """Answers the weekdays and blocks of the times of every week that a clause names, whatever it says of them."""
    times = [one for one in read_times(clause, term) if one.kind in ("weekday", "part", "sections", "clock")]
    clocks = [one for one in times if one.kind == "clock"]
    hours = [one.sections for one in clocks if one.sections]
    if any(one.first for one in times) or not (times or _ANY_DAY.search(clause)) or len(hours) < len(clocks):
        return set()
    told = (*hours, part_in(clause, term), sections_in(clause, term))
    run = next(filter(None, told), (1, term.sections))
    row = {"section_from": run[0], "section_to": run[1] or run[0]}
    return cells_of_row({**row, "weekdays": weekdays_in(clause) or [*_DAYS]}, term)


def read_closed(message: str, brief: Brief) -> Cells:
    """Answers the times of every week that a message leaves free, or beside which it names the only ones; none of
    certain dates or items."""
    said = read_conditions(message, brief).said
    rows = [row for one in said for row in one.times]
    if any(one.items or one.pair for one in said) or any({"from_date", "to_date"} & {*row} for row in rows):
        return set()
    out = {cell for one in said for row in one.values.get("without", ()) for cell in cells_of_row(row, brief.term)}
    kept = {cell for one in said for row in one.values.get("within", ()) for cell in cells_of_row(row, brief.term)}
    if kept:
        out |= cells_of_row({}, brief.term) - kept
    names = [item["content"] for owner in brief.classes for item in owner["items"]]
    found = read_exclusions(blank_names(fold_text(message), names), brief.term)
    days, blocks, cells = (found[name] or () for name in ("excluded_days", "excluded_blocks", "excluded_cells"))
    return out or cells_of(days, blocks, cells, brief.term)


def stands_in(cells: Cells, brief: Brief) -> bool:
    """Whether something of the plan stands in times of every week."""
    slots = [slot for row in brief.tasks if (slot := row["slot"])]
    return any(
        (slot["day_of_week"], block) in cells
        for slot in slots
        for block in range((slot["slot_start"] + 1) // 2, (slot["slot_end"] + 1) // 2 + 1)
    )


_REFUSES_DAYS = re.compile(
    r"(?:[那但就我也都,，。!！\s]|[不别]要?(?:有|排|安排|学)?|没有|[了吧])*"
    r"|(?:(?:and|but|just|please|also|not|no|none|never|nothing|don't|any|plan|put|study|on|at all|either|without)\b"
    r"|[\s,.!])*"
)
"""What stands around weekdays that are only refused."""
_NOT_ONE = re.compile(r"一(?:节课?|个任务|[个项])(?=[也都]?[不没别])")


def spell_refused_days(piece: str, brief: Brief) -> str:
    """A piece of a message that only refuses weekdays as the rule that nothing is on then: not on fridays; empty for
    other pieces."""
    text = _NOT_ONE.sub("", fold_text(piece))
    times, told = read_times(text, brief.term), read_conditions(piece, brief).said
    if (
        len(times) != 1
        or times[0].kind != "weekday"
        or times[0].first
        or times[0].week
        or [{*one.values} for one in told] != [{"without"}]
    ):
        return ""
    days, rest = text[times[0].start : times[0].end], text[: times[0].start] + text[times[0].end :]
    rule = (f"以后{days}都不要安排", f"from now on nothing on {days}")
    return brief.say(*rule) if _REFUSES_DAYS.fullmatch(rest) else ""
