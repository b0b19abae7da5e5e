"""The calendar of exceptions of a semester: holidays, make-up days, exam weeks, and time kept free of study."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Any

from schedules.planner.grid import Calendar, Cell, Outside, week_and_weekday
from schedules.terms.semester_values import Fault

HOLIDAY, MAKEUP, EXAM_WEEK, KEPT_FREE = "holiday", "makeup", "exam_week", "kept_free"
LESSON_KINDS = (HOLIDAY, MAKEUP, EXAM_WEEK)
"""Kinds that say which lessons are held; the other one leaves lessons alone and shares its dates with anything."""
KINDS = (*LESSON_KINDS, KEPT_FREE)
REPLACED, OWN = "replaced", "own"
PARITIES = (REPLACED, OWN)
NAME_MAX, NOTE_MAX = 60, 200


@dataclass(frozen=True, kw_only=True)
class ExceptionValues:
    """Holds one exception in the words of the wire.

    `study_allowed` counts for holidays, `lessons_held` for exam weeks, `follows_date` and `parity` for make-up days:
    `replaced` = the lessons of the followed date with the parity of that date, `own` = with that of the make-up day.
    `section_from` and `section_to` count for time kept free: those sections of every day, none for the whole days.
    """

    kind: str
    name: str
    first_date: date
    last_date: date
    study_allowed: bool = False
    lessons_held: bool = False
    follows_date: date | None = None
    parity: str = REPLACED
    section_from: int | None = None
    section_to: int | None = None
    note: str = ""


@dataclass(frozen=True)
class DayException:
    """Holds one exception as a run of day numbers; `follows` is the day whose lessons a make-up day takes.

    `sections` are the first and last one of each day that are kept free.
    """

    kind: str
    name: str
    first: int
    last: int
    study_allowed: bool
    lessons_held: bool
    follows: int | None
    parity: str
    sections: tuple[int, int]

    @property
    def days(self) -> range:
        return range(self.first, self.last + 1)

    @property
    def other_parity(self) -> bool:
        """Tells whether a make-up day keeps to its own week's parity and that is not the one of the day it follows."""
        return self.follows is not None and self.parity == OWN and (_week(self.follows) - _week(self.first)) % 2 == 1


@dataclass(frozen=True)
class TermExceptions:
    """Holds all exceptions of a student's semester. What they do never depends on the order in which they were made."""

    rows: tuple[DayException, ...] = ()

    @cached_property
    def _of_day(self) -> Mapping[int, DayException]:
        """Returns what counts for the lessons of each day: a make-up day before a holiday before an exam week."""
        ranks = {MAKEUP: 2, HOLIDAY: 1, EXAM_WEEK: 0}
        found: dict[int, DayException] = {}
        for row in sorted((row for row in self.rows if row.kind in ranks), key=lambda row: ranks[row.kind]):
            found |= dict.fromkeys(row.days, row)
        return found

    @cached_property
    def _followed(self) -> Mapping[int, DayException]:
        return {row.follows: row for row in self.rows if row.follows is not None}

    def on(self, day: int) -> DayException | None:
        return self._of_day.get(day)

    def makeup_of(self, day: int) -> DayException | None:
        """Returns the make-up day that takes the lessons of a day."""
        return self._followed.get(day)

    @cached_property
    def makeups(self) -> tuple[DayException, ...]:
        return tuple(row for row in self.rows if row.kind == MAKEUP)

    @cached_property
    def closed_days(self) -> frozenset[int]:
        """Returns holidays on which no study may be put."""
        return frozenset(day for day, row in self._of_day.items() if row.kind == HOLIDAY and not row.study_allowed)

    @cached_property
    def kept_free(self) -> frozenset[Cell]:
        """Returns the cells that the student keeps free of study."""
        return frozenset(
            (day, section)
            for row in self.rows
            if row.kind == KEPT_FREE
            for day in row.days
            for section in range(row.sections[0], row.sections[1] + 1)
        )


def term_exceptions(images: Iterable[Mapping[str, Any]], calendar: Calendar) -> TermExceptions:
    """Returns exceptions, rows or images, on the grid of a semester; days beyond it are left out."""
    rows = (_day_exception(image, calendar) for image in sorted(images, key=lambda image: str(image["first_date"])))
    return TermExceptions(tuple(row for row in rows if row is not None))


def _day_exception(image: Mapping[str, Any], calendar: Calendar) -> DayException | None:
    first, last = (_date(image[name]) for name in ("first_date", "last_date"))
    begin, end = max(first, calendar.first_monday), min(last, calendar.last_day)
    if begin > end:
        return None
    follows = None
    if image["kind"] == MAKEUP:
        source = calendar.day_of(_date(image["follows_date"]))
        if isinstance(source, Outside):
            return None
        follows = source
    first_day, last_day = ((day - calendar.first_monday).days + 1 for day in (begin, end))
    flags = (image["study_allowed"], image["lessons_held"])
    # Images of older batches do not have the sections.
    from_section, to_section = image.get("section_from") or 1, image.get("section_to") or calendar.grid.sections
    sections = (from_section, min(to_section, calendar.grid.sections))
    return DayException(image["kind"], image["name"], first_day, last_day, *flags, follows, image["parity"], sections)


def _date(given: date | str) -> date:
    """Reads a date, which an image has as text."""
    return date.fromisoformat(given) if isinstance(given, str) else given


def _week(day: int) -> int:
    return week_and_weekday(day)[0]


def exception_faults(values: ExceptionValues, calendar: Calendar) -> list[Fault]:
    """Returns everything that keeps values from being an exception of this semester."""
    found: list[Fault] = []
    if not values.name.strip():
        found.append(("name", "不能为空"))
    if values.last_date < values.first_date:
        found.append(("last_date", "结束日期早于开始日期"))
    for name in ("first_date", "last_date", "follows_date"):
        day = getattr(values, name)
        if day is not None and isinstance(calendar.day_of(day), Outside):
            found.append((name, "日期不在本学期内"))
    if values.kind == KEPT_FREE:
        found += _section_faults(values, calendar)
    return found + (list(_makeup_faults(values)) if values.kind == MAKEUP else [])


def _section_faults(values: ExceptionValues, calendar: Calendar) -> Iterator[Fault]:
    first, last = values.section_from, values.section_to
    if (first is None) != (last is None):
        yield ("section_from" if first is None else "section_to"), "缺少该字段"
    elif first is not None and last is not None and not 1 <= first <= last <= calendar.grid.sections:
        yield "section_to", "节次不在一天之内"


def _makeup_faults(values: ExceptionValues) -> Iterator[Fault]:
    if values.first_date != values.last_date:
        yield "last_date", "调休补课只能是一天"
    if values.follows_date is None:
        yield "follows_date", "缺少该字段"
    elif values.first_date <= values.follows_date <= values.last_date:
        yield "follows_date", "补课日不能跟随自己"


def overlaps(images: Sequence[Mapping[str, Any]]) -> list[tuple[Mapping[str, Any], Mapping[str, Any]]]:
    """Returns pairs of exceptions that cannot stand side by side: on one date, or taking the lessons of one date.

    An exam week may have holidays and make-up days in it, and any date time that is kept free.
    """
    return [
        (one, other)
        for index, one in enumerate(images)
        for other in images[index + 1 :]
        if _share_days(one, other) or (one["follows_date"] is not None and one["follows_date"] == other["follows_date"])
    ]


def _share_days(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    if (one["kind"] == EXAM_WEEK) != (other["kind"] == EXAM_WEEK) or KEPT_FREE in (one["kind"], other["kind"]):
        return False
    return bool(one["first_date"] <= other["last_date"] and other["first_date"] <= one["last_date"])
