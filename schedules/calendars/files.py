"""A file of courses in any of the formats.

Each format that needs a library of its own loads it when the first such file comes: a server that never sees one does
not wait for it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import PurePath

from schedules.calendars.csv_courses import rows_of_csv
from schedules.calendars.json_courses import rows_of_document
from schedules.calendars.rows import FILE_MAX, NotCourses, Outcome, TooMany, collect_rows, text_of
from schedules.calendars.wakeup_courses import rows_of_wakeup
from schedules.planner.grid import Calendar

WHOLE = frozenset({"ics", "wakeup"})
"""Formats whose files hold a whole timetable: a lesson that such a file lacks is a lesson that was dropped."""


def rows_of_file(form: str, data: bytes, calendar: Calendar) -> list[Outcome]:
    """All rows, notes and row errors of a file in a format of `FORMATS`; raises `NotCourses` or `TooMany`."""
    if len(data) > FILE_MAX:
        raise TooMany("file", FILE_MAX)
    return collect_rows(READERS[form](data, calendar))


def format_of(name: str) -> str:
    """The format that a file's name tells of; JSON when it tells nothing."""
    suffix = PurePath(name).suffix.lower().lstrip(".")
    return "wakeup" if suffix == "wakeup_schedule" else suffix if suffix in READERS else "json"


def _json(data: bytes, calendar: Calendar) -> Iterable[Outcome]:
    try:
        document = json.loads(text_of(data))
    except (ValueError, RecursionError):
        raise NotCourses("不是有效的 JSON 文件") from None
    if not isinstance(document, dict) or not isinstance(document.get("courses"), list):
        raise NotCourses("应为数组", ("courses",))
    return rows_of_document(document, calendar.grid)


def _csv(data: bytes, calendar: Calendar) -> Iterable[Outcome]:
    return rows_of_csv(data, calendar.grid)


def _xlsx(data: bytes, calendar: Calendar) -> Iterable[Outcome]:
    from schedules.calendars.xlsx_courses import rows_of_xlsx

    return rows_of_xlsx(data, calendar.grid)


def _ics(data: bytes, calendar: Calendar) -> Iterable[Outcome]:
    from schedules.calendars.ics_courses import rows_of_ics

    return rows_of_ics(data, calendar)


READERS: dict[str, Callable[[bytes, Calendar], Iterable[Outcome]]] = {
    "json": _json, "csv": _csv, "xlsx": _xlsx, "ics": _ics, "wakeup": rows_of_wakeup,
}  # fmt: skip
FORMATS = tuple(READERS)
