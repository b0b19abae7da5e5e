"""Clock times and the sections they stand for."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, time

from schedules.planner.grid import minute_of

OVERLAP_MIN = 15
"""A section counts when this many minutes of it, or all of a shorter one, are covered."""
DAY = 24 * 60
Times = Sequence[tuple[time, time]]


def sections_at(times: Times, begin: int, end: int) -> tuple[int, int] | None:
    """Returns first and last section covered from minute `begin` of a day to minute `end` (of the next day above 24
    hours).

    None when no section is, or when sections of the next day are too. What is covered is consecutive: of one stretch
    of time only the first and the last section can be covered in part.
    """
    covered = [number for number, section in enumerate(times, 1) if _covers(section, begin, end)]
    tomorrow = any(_covers(section, begin - DAY, end - DAY) for section in times)
    return None if tomorrow or not covered else (covered[0], covered[-1])


def _covers(section: tuple[time, time], begin: int, end: int) -> bool:
    first, last = minute_of(section[0]), minute_of(section[1])
    return min(end, last) - max(begin, first) >= min(OVERLAP_MIN, last - first)


def sections_between(times: Times, begin: datetime, end: datetime) -> tuple[int, int] | None:
    """Returns the same for two local moments; the day is the one of `begin`."""
    days = (end.date() - begin.date()).days
    return None if days > 1 else sections_at(times, minute_of(begin.time()), days * DAY + minute_of(end.time()))
