"""What a model writes and only the semester can tell: dates without a year, parts of a day that stand for blocks."""

from __future__ import annotations

import re
from contextlib import suppress
from datetime import date
from typing import Any

from schedules.planner.grid import Calendar, block_of

YEARLESS = re.compile(r"\s*(\d{1,2})\s*[-/.月]\s*(\d{1,2})\s*[日号]?\s*")
PARTS = {
    **dict.fromkeys(("上午", "早上", "morning", "mornings"), 0),
    **dict.fromkeys(("下午", "afternoon", "afternoons"), 1),
    **dict.fromkeys(("晚上", "晚间", "evening", "evenings", "night"), 2),
}
"""Names of the parts of a day, the first to the third."""


def date_in_term(value: Any, calendar: Calendar) -> Any:
    """Returns a date that lacks its year with the one year in which it lies in the semester."""
    written = YEARLESS.fullmatch(value) if isinstance(value, str) else None
    days: list[date] = []
    for year in range(calendar.first_monday.year, calendar.last_day.year + 1) if written else ():
        with suppress(ValueError):
            days.append(date(year, int(written[1]), int(written[2])))  # type: ignore[index]
    inside = [day for day in days if isinstance(calendar.day_of(day), int)]
    return inside[0].isoformat() if len(inside) == 1 else value


def blocks_of_parts(value: Any, calendar: Calendar) -> Any:
    """Returns the blocks of the parts of a day that are named, in a semester whose days have three."""
    named, parts = [value] if isinstance(value, str) else value, calendar.grid.day_parts
    if not isinstance(named, list) or len(parts) != len(set(PARTS.values())):
        return value
    found: list[Any] = []
    for one in named:
        at = PARTS.get(one.strip().lower()) if isinstance(one, str) else None
        found += [one] if at is None else range(block_of(parts[at][0]), block_of(parts[at][1]) + 1)
    return found if found != named else value
