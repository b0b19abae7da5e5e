"""Calendar and section filters shared by several tools.

Groups are ANDed. Two forms of one group, a reversed range or a value outside the window is an error; a filter that
matches nothing matches nothing.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from agent.calls.kinds import Json
from agent.tools.argument_schema import INT_MAX, Args, violation
from schedules.planner.draft.state import ScheduleState
from schedules.planner.grid import Place, week_and_weekday

Day = Annotated[int, Field(ge=1, le=INT_MAX)]
Week = Annotated[int, Field(ge=1, le=INT_MAX)]
Weekday = Annotated[int, Field(ge=1, le=7)]
Section = Annotated[int, Field(ge=1, le=INT_MAX)]

WEEKEND = frozenset({6, 7})
SCOPES = {"all": frozenset(range(1, 8)), "workday": frozenset(range(1, 6)), "weekend": WEEKEND}


def both_or_neither(values: Json, first: str, last: str) -> list[Json]:
    """Checks that a range has both ends, in order."""
    if (first in values) != (last in values):
        absent = last if first in values else first
        return [violation(absent, "missing", "integer", None)]
    low, high = values.get(first), values.get(last)
    if isinstance(low, int) and isinstance(high, int) and low > high:
        return [violation(last, "range", f">= {first}", high)]
    return []


def one_form(values: Json, forms: tuple[tuple[str, ...], ...]) -> list[Json]:
    given = [form for form in forms if any(key in values for key in form)]
    if len(given) < 2:
        return []
    key = next(key for key in given[1] if key in values)
    other = next(key for key in given[0] if key in values)
    return [violation(key, "conflict", f"{other} 与 {key} 只能用一种", values[key])]


class CalendarArgs(Args):
    """Which days."""

    day: Day | None = None
    day_start: Day | None = None
    day_end: Day | None = None
    week: Week | None = None
    week_from: Week | None = None
    week_to: Week | None = None
    week_filter: Annotated[list[Week], Field(min_length=1, max_length=60)] | None = None
    day_of_week: Annotated[list[Weekday], Field(min_length=1, max_length=7)] | None = None
    day_scope: Literal["all", "workday", "weekend"] | None = None

    @classmethod
    def conflicts(cls, values: Json) -> list[Json]:
        found = super().conflicts(values)
        found += both_or_neither(values, "day_start", "day_end") + both_or_neither(values, "week_from", "week_to")
        found += one_form(values, (("day",), ("day_start", "day_end")))
        found += one_form(values, (("week",), ("week_from", "week_to"), ("week_filter",)))
        return found + one_form(values, (("day_scope",), ("day_of_week",)))

    def bounds(self, draft: ScheduleState) -> list[Json]:
        total = draft.window.total_days
        weeks = [week_and_weekday(draft.window.day_of(index))[0] for index in (1, total)]
        found = []
        for key in ("day", "day_start", "day_end"):
            value = getattr(self, key)
            if value is not None and value > total:
                found.append(violation(key, "range", f"1..{total}", value))
        for key, value in self._weeks():
            if not weeks[0] <= value <= weeks[1]:
                found.append(violation(key, "range", f"{weeks[0]}..{weeks[1]}", value))
        return found

    def _weeks(self) -> list[tuple[str, int]]:
        single = [(key, getattr(self, key)) for key in ("week", "week_from", "week_to")]
        listed = [(f"week_filter[{i}]", week) for i, week in enumerate(self.week_filter or [])]
        return [(key, week) for key, week in single + listed if week is not None]

    @property
    def filters_days(self) -> bool:
        keys = ("day", "day_start", "week", "week_from", "week_filter", "day_of_week", "day_scope")
        return any(getattr(self, key) is not None for key in keys)

    def takes_day(self, draft: ScheduleState, index: int) -> bool:
        """Tells whether the day of that window index passes every given group."""
        week, weekday = week_and_weekday(draft.window.day_of(index))
        return self._takes_index(index) and self._takes_week(week) and self._takes_weekday(weekday)

    def _takes_index(self, index: int) -> bool:
        if self.day is not None and index != self.day:
            return False
        return self.day_start is None or self.day_end is None or self.day_start <= index <= self.day_end

    def _takes_week(self, week: int) -> bool:
        if self.week is not None and week != self.week:
            return False
        if self.week_filter is not None and week not in self.week_filter:
            return False
        return self.week_from is None or self.week_to is None or self.week_from <= week <= self.week_to

    def _takes_weekday(self, weekday: int) -> bool:
        if self.day_of_week is not None:
            return weekday in self.day_of_week
        return weekday in SCOPES[self.day_scope or "all"]

    def days(self, draft: ScheduleState) -> list[int]:
        return [index for index in range(1, draft.window.total_days + 1) if self.takes_day(draft, index)]


class SectionArgs(Args):
    """Which sections of a day."""

    section_from: Section | None = None
    section_to: Section | None = None
    after_section: Section | None = None
    before_section: Section | None = None
    exclude_sections: Annotated[list[Section], Field(min_length=1, max_length=16)] | None = None

    @classmethod
    def conflicts(cls, values: Json) -> list[Json]:
        return super().conflicts(values) + both_or_neither(values, "section_from", "section_to")

    def bounds(self, draft: ScheduleState) -> list[Json]:
        sections = draft.semester.grid.sections
        keys = ("section_from", "section_to", "after_section", "before_section")
        given = [(key, getattr(self, key)) for key in keys]
        given += [(f"exclude_sections[{i}]", value) for i, value in enumerate(self.exclude_sections or [])]
        outside = [(key, value) for key, value in given if value is not None and value > sections]
        return super().bounds(draft) + [violation(key, "range", f"1..{sections}", value) for key, value in outside]

    def takes_sections(self, place: Place) -> bool:
        if (
            self.section_from is not None
            and self.section_to is not None
            and not (self.section_from <= place.first and place.last <= self.section_to)
        ):
            return False
        if self.after_section is not None and place.first <= self.after_section:
            return False
        if self.before_section is not None and place.last >= self.before_section:
            return False
        return not set(self.exclude_sections or ()) & set(place.sections)


class SlotFilterArgs(CalendarArgs, SectionArgs):
    """Which days and which sections of them."""

    def bounds(self, draft: ScheduleState) -> list[Json]:
        return CalendarArgs.bounds(self, draft) + SectionArgs.bounds(self, draft)
