"""Dates, clock times and places in words for the student: no section ids, no week arithmetic."""

from __future__ import annotations

from datetime import date

from schedules.planner.grid import Calendar, Cell, Place
from taskclasses.kernel.i18n import text

WEEKDAYS = ("周一", "周二", "周三", "周四", "周五", "周六", "周日")
MONTHS = ("1 月", "2 月", "3 月", "4 月", "5 月", "6 月", "7 月", "8 月", "9 月", "10 月", "11 月", "12 月")


def weekday_words(weekday: int, locale: str) -> str:
    """Writes a weekday in words; 1 = Monday."""
    return text(WEEKDAYS[weekday - 1], locale)


def date_words(day: date, locale: str) -> str:
    """Writes a date in words: `10 月 23 日 周五`, `Fri, Oct 23`."""
    month, weekday = text(MONTHS[day.month - 1], locale), weekday_words(day.isoweekday(), locale)
    return text("{month} {day} 日 {weekday}", locale, month=month, day=day.day, weekday=weekday)


def clock_words(calendar: Calendar, first: int, last: int) -> str:
    """Writes clock times in words: `19:00–20:40` for a run of sections."""
    return f"{calendar.section_times[first - 1][0]:%H:%M}–{calendar.section_times[last - 1][1]:%H:%M}"


def place_words(calendar: Calendar, place: Place, locale: str) -> str:
    """Writes a place in words: `10 月 23 日 周五 19:00–20:40`."""
    return f"{date_words(calendar.date_of(place.day), locale)} {clock_words(calendar, place.first, place.last)}"


def begin_words(calendar: Calendar, cell: Cell, locale: str) -> str:
    """Tells when a cell begins."""
    return f"{date_words(calendar.date_of(cell[0]), locale)} {calendar.section_times[cell[1] - 1][0]:%H:%M}"


def end_words(calendar: Calendar, cell: Cell, locale: str) -> str:
    """Tells when a cell ends."""
    return f"{date_words(calendar.date_of(cell[0]), locale)} {calendar.section_times[cell[1] - 1][1]:%H:%M}"
