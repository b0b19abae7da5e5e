"""The time model: weeks, days, sections, blocks, day parts and the semester's calendar.

Sections count from 1; `day_of_week` is 1 = Monday .. 7; a *day number* D runs from 1 to 7 * weeks over the semester.
All intervals include both ends.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import cached_property
from zoneinfo import ZoneInfo

from schedules.planner.shapes import WeekDay

Cell = tuple[int, int]
"""(day number, section); compares in time order."""

DAY_PART_PAUSE = timedelta(minutes=60)
"""A pause this long before the next section ends a part of the day."""


def day_number(week: int, day_of_week: int) -> int:
    return (week - 1) * 7 + day_of_week


def week_and_weekday(day: int) -> tuple[int, int]:
    """Returns (week, day_of_week) of a day number."""
    week, weekday = divmod(day - 1, 7)
    return week + 1, weekday + 1


def day_json(day: int) -> WeekDay:
    """Returns a day number as the documents write it."""
    week, weekday = week_and_weekday(day)
    return {"week": week, "day_of_week": weekday}


def day_from_json(row: Mapping[str, int]) -> int:
    """Reads what `day_json` wrote."""
    return day_number(row["week"], row["day_of_week"])


def block_of(section: int) -> int:
    """Returns the double section a section lies in: block k = sections 2k-1 and 2k."""
    return (section + 1) // 2


@dataclass(frozen=True, order=True, slots=True)
class Place:
    """Holds consecutive sections of one day: day number, first section, length in sections."""

    day: int
    first: int
    length: int

    @property
    def last(self) -> int:
        return self.first + self.length - 1

    @property
    def cell(self) -> Cell:
        return (self.day, self.first)

    @property
    def end_cell(self) -> Cell:
        return (self.day, self.last)

    @property
    def sections(self) -> range:
        return range(self.first, self.first + self.length)

    def overlaps(self, other: Place) -> bool:
        return self.day == other.day and self.first <= other.last and other.first <= self.last

    def inside(self, other: Place) -> bool:
        return self.day == other.day and other.first <= self.first and self.last <= other.last


@dataclass(frozen=True)
class Grid:
    """Holds size and shape of a semester's grid. `day_parts` are (first, last) sections, covering 1..sections in order.

    Nothing may be put on `closed_days`: holidays on which the student does not study. The `kept_free` cells are what
    the student wants to have to themselves.
    """

    weeks: int
    sections: int
    day_parts: tuple[tuple[int, int], ...]
    closed_days: frozenset[int] = frozenset()
    kept_free: frozenset[Cell] = frozenset()

    @property
    def days(self) -> int:
        return 7 * self.weeks

    @property
    def blocks(self) -> int:
        return block_of(self.sections)

    @cached_property
    def _parts(self) -> tuple[int, ...]:
        table = [0] * (self.sections + 1)
        for index, (first, last) in enumerate(self.day_parts):
            for section in range(first, last + 1):
                table[section] = index
        return tuple(table)

    @cached_property
    def kept_masks(self) -> Mapping[int, int]:
        """Returns the kept sections of each day that has some, as bits."""
        masks: dict[int, int] = {}
        for day, section in self.kept_free:
            masks[day] = masks.get(day, 0) | 1 << section
        return masks

    def part_of(self, section: int) -> int:
        """Returns index (from 0) of the day part a section lies in."""
        return self._parts[section]

    def is_evening(self, section: int) -> bool:
        """Tells whether a section is evening: the third part of the day and all later ones."""
        return self._parts[section] >= 2

    @property
    def evening(self) -> tuple[int, int] | None:
        """Returns the first and the last section that are evening; None for days without one."""
        return (self.day_parts[2][0], self.sections) if len(self.day_parts) > 2 else None

    def contains(self, place: Place) -> bool:
        return 1 <= place.day <= self.days and place.first >= 1 and place.length >= 1 and place.last <= self.sections


@dataclass(frozen=True)
class Outside:
    """Tells of a date before the first or after the last day of the semester."""

    day: date
    before: bool


def day_parts_of(section_times: Sequence[tuple[time, time]]) -> tuple[tuple[int, int], ...]:
    """Derives day parts from the section table: a part ends where the pause before the next section is an hour."""
    parts: list[tuple[int, int]] = []
    first = 1
    for index in range(1, len(section_times)):
        pause = minute_of(section_times[index][0]) - minute_of(section_times[index - 1][1])
        if pause >= DAY_PART_PAUSE.total_seconds() // 60:
            parts.append((first, index))
            first = index + 1
    parts.append((first, len(section_times)))
    return tuple(parts)


def minute_of(clock: time) -> int:
    """Returns the minute of the day."""
    return clock.hour * 60 + clock.minute


@dataclass(frozen=True)
class Calendar:
    """Holds a semester's grid tied to dates: `first_monday`, weeks, section clock times, time zone."""

    first_monday: date
    weeks: int
    section_times: tuple[tuple[time, time], ...]
    time_zone: str

    @cached_property
    def grid(self) -> Grid:
        return Grid(self.weeks, len(self.section_times), day_parts_of(self.section_times))

    @cached_property
    def zone(self) -> ZoneInfo:
        return ZoneInfo(self.time_zone)

    @property
    def last_day(self) -> date:
        return self.date_of(self.grid.days)

    def day_of(self, day: date) -> int | Outside:
        """Returns the day number of a date, or the typed answer that it lies outside the semester."""
        offset = (day - self.first_monday).days
        if offset < 0 or offset >= self.grid.days:
            return Outside(day, before=offset < 0)
        return offset + 1

    def date_of(self, day: int) -> date:
        return self.first_monday + timedelta(days=day - 1)

    def interval(self, place: Place) -> tuple[datetime, datetime]:
        """Returns the begin and end of a place as aware instants in UTC."""
        day = self.date_of(place.day)
        begin = datetime.combine(day, self.section_times[place.first - 1][0], self.zone)
        end = datetime.combine(day, self.section_times[place.last - 1][1], self.zone)
        return begin.astimezone(UTC), end.astimezone(UTC)

    def sections_over(self, begin: time, end: time) -> tuple[int, int] | None:
        """Returns first and last of the sections that a span of clock times overlaps; None when it overlaps none."""
        touched = [n for n, (start, stop) in enumerate(self.section_times, 1) if start < end and begin < stop]
        return (touched[0], touched[-1]) if touched else None

    def place_of(self, begin: datetime, end: datetime) -> Place | Outside | None:
        """Finds the place whose interval is exactly (begin, end); None when no sections match. Inverse of
        `interval`."""
        local, until = begin.astimezone(self.zone), end.astimezone(self.zone)
        day = self.day_of(local.date())
        if isinstance(day, Outside):
            return day
        firsts = [i for i, (start, _) in enumerate(self.section_times, 1) if start == local.time()]
        lasts = [i for i, (_, stop) in enumerate(self.section_times, 1) if stop == until.time()]
        if until.date() != local.date() or not firsts or not lasts or lasts[0] < firsts[0]:
            return None
        return Place(day, firsts[0], lasts[0] - firsts[0] + 1)

    def ended(self, instant: datetime) -> Cell:
        """Returns the day of an aware instant and how many of its sections have ended; day 0 before the semester."""
        day = self.day_of(instant.astimezone(self.zone).date())
        if isinstance(day, Outside):
            return (0, 0) if day.before else (self.grid.days + 1, 0)
        ends = (self.interval(Place(day, section, 1))[1] for section in range(1, self.grid.sections + 1))
        return (day, sum(end <= instant for end in ends))

    def now_cell(self, instant: datetime) -> Cell:
        """Returns the first cell that has not begun at an aware instant; section S+1 after a day's last section."""
        local = instant.astimezone(self.zone)
        day = self.day_of(local.date())
        if isinstance(day, Outside):
            return (1, 1) if day.before else (self.grid.days, self.grid.sections + 1)
        clock = local.time()
        for section, (begin, _) in enumerate(self.section_times, 1):
            if begin > clock:
                return (day, section)
        return (day, self.grid.sections + 1)
