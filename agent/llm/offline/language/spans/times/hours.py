"""Hours of the clock and the sections of the day that they mean."""

from __future__ import annotations

from agent.llm.offline.language.spans.times.semester import SemesterDates

SECTION_MINUTES = 45
_NEAR = 30


def section_from(clock: str, term: SemesterDates) -> int | None:
    """The first section that begins at an hour or later."""
    return next((number for number, start in enumerate(term.starts, 1) if start >= clock), None) if clock else None


def section_until(clock: str, term: SemesterDates, *, whole: bool = False) -> int | None:
    """The last section that is over by an hour; None where that is none, or all of them unless these count as well."""
    last = sum(_minutes(start) + SECTION_MINUTES <= _minutes(clock) for start in term.starts) if clock else 0
    return last if 0 < last < term.sections + whole else None


def section_at(clock: str, term: SemesterDates) -> int | None:
    """The section that begins nearest to an hour, at most half an hour off."""
    gaps = [(abs(_minutes(start) - _minutes(clock)), number) for number, start in enumerate(term.starts, 1)]
    gap, number = min(gaps, default=(_NEAR + 1, 0))
    return number if clock and gap <= _NEAR else None


def _minutes(clock: str) -> int:
    return 60 * int(clock[:2]) + int(clock[3:]) if clock else 0
