"""The term of the documents' examples as a pure calendar, and files as school systems write them."""

from __future__ import annotations

from datetime import date, time
from pathlib import Path

from schedules.planner.grid import Calendar

FILES = Path(__file__).parent / "files"
TIMES = "08:00-08:45 08:55-09:40 10:15-11:00 11:10-11:55 14:00-14:45 14:55-15:40 16:15-17:00 17:10-17:55"
TIMES += " 19:00-19:45 19:55-20:40 20:50-21:35 21:45-22:30"


def calendar(zone: str = "Asia/Shanghai", times: str = TIMES, weeks: int = 20) -> Calendar:
    sections = [section.split("-") for section in times.split()]
    table = tuple((time.fromisoformat(begin), time.fromisoformat(end)) for begin, end in sections)
    return Calendar(date(2026, 3, 2), weeks, table, zone)


def vevent(*lines: str) -> str:
    return "\r\n".join(("BEGIN:VEVENT", *lines, "END:VEVENT", ""))


def ics(*events: str) -> bytes:
    return ("BEGIN:VCALENDAR\r\nVERSION:2.0\r\n" + "".join(events) + "END:VCALENDAR\r\n").encode()
