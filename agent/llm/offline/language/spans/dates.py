"""What a sentence says of one kind of time: its dates, week, weekdays, parts of the day, sections, hours."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from itertools import pairwise

from agent.llm.offline.language.normalize import fold_numbers
from agent.llm.offline.language.spans.times.pieces import PIECES
from agent.llm.offline.language.spans.times.reading import read_times
from agent.llm.offline.language.spans.times.said_time import Time
from agent.llm.offline.language.spans.times.semester import NO_TERM, SemesterDates

_END = re.compile(
    r"\d\s*[日号]?\s*(?:之前|以前|前|截止|结束)|(?:到|至|by|until|before|end(?:s|ing)?|finish(?:es|ing)?)\s*\S{0,12}\s?\d"
)
_PIECE = "|".join(form for form, _ in PIECES)
TIMES = re.compile(
    _PIECE
    + r"|之间|期间|第?\s*\d{1,2}\s*(?:[-~—到至]\s*\d{1,2}\s*)?(?:节|周(?!末))|(?:第\s*)?\d{1,2}\s*[-~到至]\s*\d{1,2}"
    r"|(?:周|星期|礼拜)\s*[末1-7]|[上下本这]+个?(?:周|星期|礼拜)|中午"
    r"|\b(?:next|this|weeks?|wk|sections?)\b|\d{1,2}(?:/\d{1,2}|st|nd|rd|th)?"
)
"""Any word about a time."""


def dates_in(message: str, term: SemesterDates) -> list[date]:
    """Every calendar date of the message in the order of the text, a run of days by its two ends."""
    found = [one for one in read_times(message, term) if one.kind in ("day", "days") and not one.impossible]
    return [day for one in found for day in dict.fromkeys((one.first, one.last)) if day]


def range_in(message: str, term: SemesterDates) -> tuple[date | None, date | None]:
    """The first and last day that a message names; a week counts as its seven days."""
    times = [one for one in read_times(message, term) if not one.impossible]
    found = [one for one in times if one.kind in ("day", "days")]
    found = found or [one for one in times if one.kind == "weekday" and one.week]
    days = [day for one in found for day in dict.fromkeys((one.first, one.last)) if day]
    if len(days) >= 2:
        return min(days[0], days[1]), max(days[0], days[1])
    if days:
        one, weeks = found[0], [one for one in times if one.kind == "week"]
        if begins := [week.first for week in weeks if week.side == "from" and week.first and week.first < days[0]]:
            return begins[0], days[0]
        if ending := [week.last for week in weeks if week.side == "until" and week.last and week.last > days[0]]:
            return days[0], ending[0]
        ends = one.side == "until" or (not one.side and _END.search(fold_numbers(message)))
        return (None, days[0]) if ends else (days[0], None)
    weeks = [one for one in read_times(message, term) if one.kind == "week" or one.week is not None]
    if not weeks:
        return None, None
    last = next((one.last for one in weeks[1:] if one.side != "from"), None)
    return (weeks[0].first, last) if weeks[0].side == "from" and last else (weeks[0].first, weeks[0].last)


def week_in(message: str, term: SemesterDates) -> int | None:
    """The semester week that a message names: 第4周, week 4, 本周, next week."""
    return next(_find_weeks(message, term), None)


def weeks_in(message: str, term: SemesterDates) -> set[int]:
    """The semester weeks that a message names."""
    return {*_find_weeks(message, term)}


def _find_weeks(message: str, term: SemesterDates) -> Iterator[int]:
    for one in read_times(message, term):
        if one.week is not None:
            yield max(1, one.week)
        elif one.first and (one.kind == "week" or (one.weekdays and one.kind in ("day", "days"))):
            yield max(1, term.week_day(one.first)[0])


def weekdays_in(message: str) -> list[int]:
    """Weekdays 1..7 of a message in ascending order, the weekend as 6 and 7."""
    return sorted({day for one in read_times(message, NO_TERM) for day in one.weekdays})


def part_in(message: str, term: SemesterDates) -> tuple[int, int] | None:
    """First and last section of the part of the day that a message names; parts that meet are one."""
    return join_parts(parts_in(message, term))


def parts_in(message: str, term: SemesterDates) -> list[tuple[int, int]]:
    """Every part of the day that a message names: 下午和晚上."""
    named = {one.part for one in read_times(message, term) if one.part is not None}
    return [term.day_parts[part] for part in sorted(named)]


def join_parts(parts: list[tuple[int, int]]) -> tuple[int, int] | None:
    """One stretch of sections where parts meet, else the first of them."""
    meet = all(one[1] + 1 == other[0] for one, other in pairwise(parts))
    return (parts[0][0], parts[-1 if meet else 0][1]) if parts else None


def sections_in(message: str, term: SemesterDates) -> tuple[int, int | None] | None:
    """First section and, when said, last section: 5-6节, 第5节, Wed 5-6."""
    return choose_sections([*read_times(message, term)])


def choose_sections(times: list[Time]) -> tuple[int, int | None] | None:
    """Of several sections a run before a single one."""
    found = [one.sections for one in times if one.kind == "sections" and one.sections]
    return next((run for run in found if run[1] is not None), found[0] if found else None)


def hours_in(message: str, term: SemesterDates) -> tuple[tuple[int, int | None] | None, tuple[int, int] | None]:
    """The sections that an hour means, or the run of sections before or after it; nothing for no hour."""
    return choose_hours([*read_times(message, term)])


def choose_hours(times: list[Time]) -> tuple[tuple[int, int | None] | None, tuple[int, int] | None]:
    """Sections to begin at, or bounds; of several hours the first."""
    one = next((one for one in times if one.kind == "clock"), None)
    if one is None or one.sections is None:
        return None, None
    first, last = one.sections
    return ((first, last), None) if last is None or not one.side else (None, (first, last))
