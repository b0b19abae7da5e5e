"""Recurrence rules with an end: what a file asks for is never expanded beyond the semester.

A rule that nothing satisfies is followed to the year 9999, whatever its UNTIL says: it ends with the first occurrence
after it. So only rules are taken that come to an occurrence again and again.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, time
from itertools import islice
from typing import Any

from dateutil.rrule import rrulestr

from schedules.calendars.rows import BadRow

ALWAYS = frozenset({"FREQ", "INTERVAL", "COUNT", "UNTIL", "WKST"})
PARTS: dict[str, frozenset[str]] = {
    "DAILY": frozenset({"BYDAY"}),
    "WEEKLY": frozenset({"BYDAY"}),
    "MONTHLY": frozenset({"BYDAY", "BYSETPOS", "BYMONTHDAY"}),
    "YEARLY": frozenset(),
}
INTERVAL_MAX = 1_000
DAYS_MAX = 150_000
"""Days that the rules of one file may walk through, from their begin to the end of the semester: about a second."""


class RuleLimits:
    """Bounds the rules of one file: `last` is the end of the semester."""

    def __init__(self, last: datetime) -> None:
        self.last = last
        self._days = DAYS_MAX

    def bound(self, rule: Any, start: datetime, walks: int) -> None:
        """Gives a rule (icalendar's `vRecur`) an UNTIL in UTC and takes its COUNT away; raises `BadRow`.

        It is going to be walked through `walks` times.
        """
        if not _recurs_forever(rule):
            raise BadRow("unsupported_recurrence", "RRULE", "不支持的重复规则")
        count = _only(rule, "COUNT")
        self._days -= (walks + (count is not None)) * max(0, (self.last.date() - start.date()).days)
        if self._days < 0:
            raise BadRow("unsupported_recurrence", "RRULE", "重复规则开始得太早")
        until = min(self.last, _until(_only(rule, "UNTIL"), start) or self.last)
        rule["UNTIL"] = [until.astimezone(UTC)]
        if rule.pop("COUNT", None) is not None:
            counted = list(islice(rrulestr(rule.to_ical().decode(), dtstart=start), count))
            rule["UNTIL"] = [(counted[-1] if len(counted) == count else until).astimezone(UTC)]


def _recurs_forever(rule: Any) -> bool:
    frequency = str(_only(rule, "FREQ")).upper()
    if frequency not in PARTS or not set(rule) <= ALWAYS | PARTS[frequency]:
        return False
    if any(len(rule[part]) != 1 for part in set(rule) & ALWAYS):
        return False
    count, interval = _only(rule, "COUNT"), _only(rule, "INTERVAL")
    if (count is not None and count < 1) or (interval is not None and not 1 <= interval <= INTERVAL_MAX):
        return False
    if frequency == "DAILY":
        return "BYDAY" not in rule or (interval or 1) % 7 != 0
    return frequency != "MONTHLY" or _found_monthly(rule, every_month=interval in (None, 1))


def _found_monthly(rule: Any, *, every_month: bool) -> bool:
    """Tells whether the days of a monthly rule exist in every month or, if it is of every month, in some of every
    year."""
    days, weekdays, positions = (rule.get(part, []) for part in ("BYMONTHDAY", "BYDAY", "BYSETPOS"))
    numbered = [weekday.relative for weekday in weekdays if weekday.relative is not None]
    if days:
        return not weekdays and not positions and all(1 <= abs(day) <= (31 if every_month else 28) for day in days)
    # Plain and numbered weekdays side by side would both have to hold: a Monday that is the last Friday.
    if len(numbered) not in (0, len(weekdays)) or (positions and (numbered or not weekdays)):
        return False
    return all(1 <= abs(week) <= (5 if every_month else 4) for week in (*numbered, *positions))


def _only(rule: Any, part: str) -> Any:
    return rule[part][0] if part in rule else None


def _until(value: Any, start: datetime) -> datetime | None:
    """Reads UNTIL: a day counts to its end; a floating time is one of the zone that the event begins in."""
    if isinstance(value, datetime):
        return value if value.tzinfo else value.replace(tzinfo=start.tzinfo)
    if isinstance(value, date):
        return datetime.combine(value, time(23, 59, 59), start.tzinfo)
    return None
