"""What happened in the term, in a sentence: which days, which part of a day, which week, how many sections."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, timedelta

from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.normalize import fold_numbers, fold_text
from agent.llm.offline.language.spans.dates import dates_in, part_in, range_in, sections_in, week_in
from agent.llm.offline.language.spans.targets import avoided_in, read_target
from agent.llm.offline.language.spans.times.reading import read_times
from agent.llm.offline.language.spans.times.semester import SemesterDates

_COUNT = re.compile(
    r"(\d{1,2})\s*(?:个)?(?:节|课时)|\b(\d{1,2}|one|two|three|four)\s*(?:more\s+)?(?:sections?|periods?|classes)\b"
)
_SOME_DAYS = re.compile(r"(?<![第\d])(\d{1,2})\s*(?:天|days?\b)")
"""So many days, from today on."""
_ENGLISH = {"one": 1, "two": 2, "three": 3, "four": 4}
_HALF = re.compile(r"一半|[1一]半|\bhalf\b")
_AHEAD = re.compile(r"[下要会将]|明|后|\b(?:will|going to|next|tomorrow|am away|be)\b")


_BEHIND = re.compile(r"[了过]|没|\b(?:was|were|had|did|didn't|missed|fell|got)\b")
_UNTIL = re.compile(
    r"^(?:(?!(?:周|星期|礼拜)[1-7一二三四五六日天]).)*[到至](?:这|本)?(?:周|星期|礼拜)"
    r"|^(?:(?!\b(?:mon|tue|wed|thu|fri|sat|sun)).)*\b(?:till|until|through|up to)\b"
)
_ROUND_TRIP = re.compile(r"走|出发|回来|\b(?:leave|leaving|back|return)\b")


@dataclass(frozen=True)
class Days:
    """A run of dates, and the sections of each that are meant; None for the whole day."""

    first: date
    last: date
    sections: tuple[int, int] | None = None


def days_in(message: str, term: SemesterDates) -> Days | None:
    """The dates that a sentence is about; a weekday alone is the nearest one, behind when it tells of the past."""
    first, last = range_in(message, term)
    days = dates_in(message, term)
    if days:
        first, last = min(days[:2]), max(days[:2])
    elif first is None or last is None:
        first, last = _weekdays(message, term)
        if last is not None and last >= term.today and _UNTIL.search(fold_text(message)):
            first = term.today
        count = _SOME_DAYS.search(fold_numbers(message)) if first is None else None
        if count:
            first, last = term.today, term.today + timedelta(days=max(1, int(count[1])) - 1)
    elif target := read_target(message, term).days:
        week = term.week_day(first)[0]
        first, last = term.day(week, target[0]), term.day(week, target[-1])
    if first is None or last is None:
        return None
    away = first != last and _ROUND_TRIP.search(fold_text(message)) is not None
    return Days(first, last, None if away else _sections(message, term))


def _weekdays(message: str, term: SemesterDates) -> tuple[date | None, date | None]:
    found = read_target(message, term).days or avoided_in(message, term).days
    if not found:
        return None, None
    week = term.week_day(term.today)[0]
    days = term.day(week, found[0]), term.day(week, found[-1])
    if days[0] > term.today and _BEHIND.search(fold_text(message)) and not _AHEAD.search(fold_text(message)):
        return days[0] - timedelta(days=7), days[1] - timedelta(days=7)
    return days


def _sections(message: str, term: SemesterDates) -> tuple[int, int] | None:
    said = sections_in(message, term)
    if said is not None:
        return said[0], said[1] or said[0]
    return part_in(message, term)


def eve_of_month(message: str, term: SemesterDates) -> date | None:
    """The last day before a month that is named as a bound: 五月之前, before May."""
    bounds = (one.last for one in read_times(message, term) if one.kind == "days" and one.side == "until")
    return next((day for day in bounds if day and (day + timedelta(days=1)).day == 1), None)


def is_dated(message: str, term: SemesterDates) -> bool:
    """Whether single dates are meant, not a weekday of every week."""
    return bool(dates_in(message, term)) or week_in(message, term) is not None


def count_in(message: str) -> int | None:
    """A number of sections."""
    match = _COUNT.search(fold_numbers(message))
    if match is None:
        return None
    return int(match[1]) if match[1] else _ENGLISH.get(match[2]) or int(match[2])


def tells_half(message: str) -> bool:
    return _HALF.search(fold_text(message)) is not None


def progress_in(message: str) -> str:
    """What a sentence says of an item: open, done, partial or missed; empty for nothing."""
    text = fold_text(message)
    for progress, concept in (
        ("open", "unmark"),
        ("partial", "partly"),
        ("done", "finished"),
        ("missed", "missed"),
        ("missed", "not_done"),
        ("missed", "did_nothing"),
    ):
        if says(concept, text):
            return progress
    return ""
