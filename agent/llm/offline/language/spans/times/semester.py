"""The semester in which a sentence is read."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta

from agent.loop.view_document import SemesterView, View

NO_SEMESTER = SemesterView(
    first_monday="2000-01-03", weeks=20, sections=12, day_parts=[[1, 4], [5, 8], [9, 12]], starts=[]
)
"""The measures by which a sentence is read where there is no semester."""
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
WEEKDAYS_ZH = ("周一", "周二", "周三", "周四", "周五", "周六", "周日")


@dataclass(frozen=True)
class SemesterDates:
    """The semester as the view gives it; dates outside it belong to no week."""

    first_monday: date
    weeks: int
    sections: int
    day_parts: tuple[tuple[int, int], ...]
    today: date
    starts: tuple[str, ...] = ()
    """When each section begins, as HH:MM; empty where nobody knows."""

    @classmethod
    def of(cls, view: View) -> SemesterDates:
        semester, today = view["semester"] or NO_SEMESTER, date.fromisoformat(view["now"]["date"])
        parts = tuple((first, last) for first, last in semester["day_parts"])
        first_monday = date.fromisoformat(semester["first_monday"])
        return cls(first_monday, semester["weeks"], semester["sections"], parts, today, tuple(semester["starts"]))

    @property
    def last_day(self) -> date:
        return self.first_monday + timedelta(days=7 * self.weeks - 1)

    @property
    def week(self) -> int:
        """The week of today."""
        return self.week_day(self.today)[0]

    @property
    def next_day(self) -> date:
        """Today, or the first day of a semester that has not begun."""
        return max(self.today, self.first_monday)

    def week_day(self, day: date) -> tuple[int, int]:
        offset = (day - self.first_monday).days
        return offset // 7 + 1, offset % 7 + 1

    def day(self, week: int, day_of_week: int) -> date:
        return self.first_monday + timedelta(days=7 * (week - 1) + day_of_week - 1)

    def in_year(self, month: int, day: int) -> date | None:
        """That day in the year of the semester; a semester over New Year takes the year in which it falls."""
        for year in (self.first_monday.year, self.last_day.year):
            found = to_date(year, month, day)
            if found and self.first_monday <= found <= self.last_day:
                return found
        return to_date(self.today.year, month, day)


def to_date(year: int, month: int, day: int) -> date | None:
    """A day of the calendar; None for one that it does not have."""
    try:
        return date(year, month, day)
    except ValueError:
        return None


NO_TERM = SemesterDates(date(2000, 1, 3), 20, 12, ((1, 4), (5, 8), (9, 12)), date(2000, 1, 3))
"""For what is read without a calendar."""


def weekday_names(days: Iterable[int], language: str) -> list[str]:
    """Returns the names of weekdays that come again: 周一, Mondays. 1 is Monday."""
    return [WEEKDAYS_ZH[day - 1] if language == "zh" else f"{WEEKDAYS[day - 1]}s" for day in days]
