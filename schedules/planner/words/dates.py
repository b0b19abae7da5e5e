"""Dates, clock times and places in words for the student: no section ids, no week arithmetic."""

from __future__ import annotations

from schedules.planner.grid import Calendar, Cell, Place
from taskclasses.kernel.i18n import date_words


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
