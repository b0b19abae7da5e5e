"""Last days that are put off: a day of the month told by its number alone is one after the present end.

What makes a class longer never shortens it: a date that lies before its present end is asked about.
"""

from __future__ import annotations

import re
from datetime import date

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.normalize import fold_numbers, fold_text
from agent.llm.offline.language.spans.dates import dates_in
from agent.llm.offline.language.spans.targets import way_in, way_to
from agent.llm.offline.language.spans.times.piece_readers import next_of_number
from agent.llm.offline.language.texts import date_text
from agent.loop.view_document import ClassView

EXTENDED = re.compile(
    r"延(?!误)|宽限|多给|加时"
    r"|\b(?:extend|lengthen|prolong)\w*\b|\b(?:more|extra|additional|another) (?:weeks?|days?)\b"
)
_SOONER = re.compile(
    r"提[前早]|早(?:了|到|一|1)|往前|缩短"
    r"|\b(?:earlier|sooner|forward|ahead|shorten\w*|brought|bring\w*|pull\w*|not? (?:extend|more))\b"
)
_MONTH = re.compile(r"月|\d\s?[./-]\s?\d|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)[a-z]*\b")


def own_words(brief: Brief, turn: str) -> str:
    """What the student wrote of a turn, beside its plain words: these leave out whether a date was put off."""
    own = dict((brief.whole or brief).written)
    return f"{turn}, {own.get(turn, '')}"


def puts_off(brief: Brief, turn: str) -> bool:
    """Whether a turn tells of a later end, not of an earlier one."""
    text = fold_text(own_words(brief, turn))
    later = EXTENDED.search(fold_numbers(text)) or way_to(text) == 1 or way_in(text) == 1
    return bool(later) and not _SOONER.search(text)


def tells_month(turn: str) -> bool:
    """Whether a turn names the month of its dates."""
    return _MONTH.search(fold_text(turn)) is not None


def later_end(brief: Brief, row: ClassView, turn: str, end: date) -> date:
    """The end that is told, in the first month in which it is later than the present one where it is put off."""
    present = date.fromisoformat(row["end_date"]) if row["end_date"] else end
    if end > present or tells_month(turn) or not puts_off(brief, turn):
        return end
    return next_of_number(end.day, present) or end


def tell_no_later(brief: Brief, row: ClassView, turn: str, end: date | None) -> str:
    """What is asked where an end that is put off would come before the present one; empty where it does not."""
    present = date.fromisoformat(row["end_date"]) if row["end_date"] else None
    if end is None or present is None or end >= present or not puts_off(brief, turn):
        return ""
    return brief.say(
        "「{name}」现在到 {present} 结束，{end} 比它还早，不是延长。要改到哪一天？",
        '"{name}" ends on {present} now; {end} is earlier than that, so it would get shorter. Which day do you mean?',
        name=row["name"],
        present=date_text(brief, present),
        end=date_text(brief, end),
    )


def end_said_later(brief: Brief) -> date | None:
    """The day that was named in answer to that question."""
    return next((day for turn in reversed(brief.turns[1:]) for day in dates_in(turn, brief.term)), None)
