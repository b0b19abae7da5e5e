"""Hours of the clock and the sections of the day that they mean."""

from __future__ import annotations

from agent.llm.offline.language.spans.times.semester import SemesterDates

SECTION_MINUTES = 45
_NEAR = 30
_AFTER_NOON = 7


def section_from(clock: str, term: SemesterDates) -> int | None:
    """The first section that begins at an hour or later."""
    return next((number for number, start in enumerate(term.starts, 1) if start >= clock), None) if clock else None


def section_until(clock: str, term: SemesterDates, *, whole: bool = False) -> int | None:
    """The last section that is over by an hour; None where that is none, or all of them unless these count as well."""
    last = sum(_minutes(start) + SECTION_MINUTES <= _minutes(clock) for start in term.starts) if clock else 0
    return last if 0 < last < term.sections + whole else None


def section_running(clock: str, term: SemesterDates) -> int | None:
    """The last section where it is not over by an hour at which none begins any more."""
    last = term.starts[-1] if term.starts else ""
    return term.sections if last and _minutes(clock) < _minutes(last) + SECTION_MINUTES else None


def section_at(clock: str, term: SemesterDates) -> int | None:
    """The section that begins nearest to an hour, at most half an hour off."""
    gaps = [(abs(_minutes(start) - _minutes(clock)), number) for number, start in enumerate(term.starts, 1)]
    gap, number = min(gaps, default=(_NEAR + 1, 0))
    return number if clock and gap <= _NEAR else None


def sections_between(clock: str, end: str, term: SemesterDates) -> tuple[int | None, int | None]:
    """The sections from one hour to another: the first that begins about then or later, the last that is over."""
    return section_at(clock, term) or section_from(clock, term), section_until(end, term, whole=True)


def sections_of_hours(begin: int, end: int, term: SemesterDates) -> tuple[int | None, int | None]:
    """The sections from one bare hour to another; the small ones are after noon: from 9 to 1, from 2 to 6."""
    begin += 12 if begin < _AFTER_NOON else 0
    end += 12 if end <= begin else 0
    return sections_between(f"{begin:02}:00", f"{end:02}:00", term)


def _minutes(clock: str) -> int:
    return 60 * int(clock[:2]) + int(clock[3:]) if clock else 0
