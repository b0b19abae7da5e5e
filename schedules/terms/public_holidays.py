"""Public holidays and days worked in lieu of a country, as exceptions that a student may take over."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import lru_cache
from typing import Any

from babel.core import get_global

from schedules.planner.grid import Calendar
from schedules.terms.exceptions import HOLIDAY, MAKEUP, NAME_MAX, ExceptionValues
from taskclasses.kernel.i18n import text

DAY = timedelta(days=1)
LANGUAGES = {"zh": ("zh_CN", "zh_TW"), "en": ("en_US", "en_GB")}
"""The languages of a name by our own, the best first; the country's own where it has none of them."""


@lru_cache(maxsize=1)
def countries() -> frozenset[str]:
    """Returns the codes of all countries whose holidays are known."""
    import holidays

    return frozenset(holidays.list_supported_countries(include_aliases=False))


def country_of(time_zone: str) -> str | None:
    """Returns the country that a time zone lies in; None for a zone of no known country."""
    zones: Mapping[str, str] = get_global("zone_territories")
    aliases: Mapping[str, str] = get_global("zone_aliases")
    found = zones.get(aliases.get(time_zone, time_zone))
    return found if found in countries() else None


def propose_exceptions(country: str, calendar: Calendar, locale: str) -> list[ExceptionValues]:
    """Returns holidays and make-up days of a country in a semester, in time order.

    A holiday is a run of free dates, the weekend beside it included. A make-up day follows the date that it is worked
    for; one whose date lies outside the semester has no lessons to take and is left out.
    """
    first, last = calendar.first_monday, calendar.last_day
    book = _Book.load(country, range(first.year, last.year + 1), locale)
    found = list(_holidays(book, (first, last)))
    for free, day in book.worked.items():
        if first <= day <= last and first <= free <= last:
            holiday = next(row.name for row in found if row.first_date <= free <= row.last_date)
            name = text("{name}调休补课", locale, name=holiday)
            found.append(ExceptionValues(kind=MAKEUP, name=name, first_date=day, last_date=day, follows_date=free))
    return sorted(found, key=lambda values: values.first_date)


@dataclass(frozen=True)
class _Book:
    """Tells what the package knows of some years: names of free dates, and the weekend day that is worked for one."""

    names: Mapping[date, str]
    worked: Mapping[date, date]
    weekend: frozenset[int]

    @classmethod
    def load(cls, country: str, years: Iterable[int], locale: str) -> _Book:
        # The library is loaded when the first calendar is asked for, not at every start.
        import holidays

        blank: Any = holidays.country_holidays(country)
        known = blank.supported_languages
        language = next((name for name in LANGUAGES.get(locale, ()) if name in known), blank.default_language)
        # Of the labels only those in the country's own language are known to us.
        native: Any = holidays.country_holidays(country, years=years, language=blank.default_language)
        names = dict(holidays.country_holidays(country, years=years, language=language))
        return cls(names, dict(_worked_in_lieu(native)), frozenset(blank.weekend))

    def is_free_weekend(self, day: date) -> bool:
        return day.weekday() in self.weekend and day not in self.worked.values()

    def name_of(self, days: Iterable[date]) -> str:
        """Returns the name of a run: of a day that is a holiday by itself, not one observed or worked for."""
        named = [day for day in days if day in self.names]
        own = [self.names[day] for day in named if day not in self.worked] or [self.names[day] for day in named]
        return next(
            (name for name in own if not any(name != other and name.startswith(other) for other in own)), own[0]
        )


def _worked_in_lieu(native: Any) -> Iterator[tuple[date, date]]:
    """Yields free dates with the weekend day that is worked for each; the package says it in the label of the free
    date."""
    label, form = getattr(native, "substituted_label", None), getattr(native, "substituted_date_format", None)
    if label is None or form is None:
        return
    pattern = re.compile(re.escape(label).replace("%s", "(.+)"))
    for day, name in native.items():
        match = next((match for part in name.split("; ") if (match := pattern.fullmatch(part))), None)
        worked = None if match is None else datetime.strptime(match.group(1), form).date()
        if worked is not None and worked in native.weekend_workdays:
            yield day, worked


def _holidays(book: _Book, bounds: tuple[date, date]) -> Iterator[ExceptionValues]:
    free = {day for run in _runs(sorted(book.names)) for day in _with_weekends(run, book)}
    for first, last in _runs(sorted(free)):
        name = book.name_of(first + DAY * step for step in range((last - first).days + 1))
        begin, end = max(first, bounds[0]), min(last, bounds[1])
        if begin <= end:
            yield ExceptionValues(kind=HOLIDAY, name=name[:NAME_MAX], first_date=begin, last_date=end)


def _runs(days: Iterable[date]) -> list[tuple[date, date]]:
    found: list[tuple[date, date]] = []
    for day in days:
        if found and found[-1][1] == day - DAY:
            found[-1] = (found[-1][0], day)
        else:
            found.append((day, day))
    return found


def _with_weekends(run: tuple[date, date], book: _Book) -> Iterator[date]:
    first, last = run
    while book.is_free_weekend(first - DAY):
        first -= DAY
    while book.is_free_weekend(last + DAY):
        last += DAY
    return (first + DAY * step for step in range((last - first).days + 1))
