"""Mends of a file of courses: what could be done about doubtful rows, offered one by one and done only when taken.

A mend has an id that the same file gives again: its kind, with the number of its row. `first_monday` moves the weeks of
all rows, `weeks` and `sections` take a row as its offer says, `confirm` takes a row that a picture shows badly,
`overlap` leaves out the lessons whose time is taken, `leave` leaves a row out.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from schedules.calendars.rows import CourseRow, MendOffer, Outcome, RowError
from schedules.planner.grid import Calendar
from taskclasses.kernel.i18n import text

FIRST_MONDAY = "first_monday"
ID = re.compile(r"first_monday|(weeks|sections|confirm|overlap|leave):[1-9][0-9]{0,4}")
WEEK_DAYS = 7


@dataclass(frozen=True)
class Mend:
    """Holds one offer of a report; `row` is 0 for one that is about the whole file."""

    kind: str
    row: int
    message: str
    values: Mapping[str, object]
    taken: bool = False

    @property
    def id(self) -> str:
        return f"{self.kind}:{self.row}" if self.row else self.kind

    def sentence(self, locale: str) -> str:
        return text(self.message, locale, **self.values)


@dataclass(frozen=True)
class Mended:
    """Holds rows with the taken mends done, and all that can be taken of them, in the sequence of the file."""

    rows: Sequence[Outcome]
    mends: Sequence[Mend]


def mend_rows(rows: Sequence[Outcome], calendar: Calendar, taken: Collection[str]) -> Mended:
    """Returns the rows as they are with the mends whose ids are `taken`."""
    offered: list[Mend] = []
    shift = _shift_of(rows, calendar)
    if shift is not None:
        offered.append(shift := replace(shift, taken=shift.id in taken))
        if shift.taken:
            rows = [_shift_row(row, calendar) if isinstance(row, CourseRow) else row for row in rows]
    kept: list[Outcome] = []
    for row in rows:
        mended: Outcome | None = row
        while isinstance(mended, RowError):
            mends = list(_mends_of(mended, taken))
            offered += mends
            chosen = next((mend for mend in mends if mend.taken), None)
            if chosen is None:
                break
            # A row with two faults has its second mend offered once the first is taken.
            mended = None if chosen.kind == "leave" else mended.offers[0].row
        if mended is not None:
            kept.append(mended)
    return Mended(kept, list(dict.fromkeys(offered)))


def _mends_of(row: Outcome, taken: Collection[str]) -> Iterator[Mend]:
    if not isinstance(row, RowError):
        return
    for offer in row.offers[:1]:
        mend = Mend(offer.kind, row.row, offer.message, _Values(offer.values))
        yield replace(mend, taken=mend.id in taken)
    leave = Mend("leave", row.row, "不导入这一行", _Values())
    yield replace(leave, taken=leave.id in taken)


class _Values(dict[str, object]):
    """Holds values of a sentence that can be told apart from others."""

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(tuple(sorted((name, str(value)) for name, value in self.items())))


def _shift_of(rows: Iterable[Outcome], calendar: Calendar) -> Mend | None:
    monday = next((row.first_monday for row in rows if isinstance(row, CourseRow) and row.first_monday), None)
    weeks = 0 if monday is None else (monday - calendar.first_monday).days // WEEK_DAYS
    if monday is None or weeks == 0:
        return None
    message = (
        "文件的第一周从 {file} 开始，整体推后 {weeks} 周"
        if weeks > 0
        else "文件的第一周从 {file} 开始，整体提前 {weeks} 周"
    )
    return Mend(FIRST_MONDAY, 0, message, _Values(file=monday.isoformat(), weeks=abs(weeks)))


def _shift_row(row: CourseRow, calendar: Calendar) -> Outcome:
    """Returns a row in the weeks of the semester that its dates lie in."""
    if row.first_monday is None:
        return row
    by = (row.first_monday - calendar.first_monday).days // WEEK_DAYS
    notes = tuple(note for note in row.notes if note.column != "startDate")
    moved = replace(row, weeks=tuple(week + by for week in row.weeks), notes=notes, first_monday=None)
    inside = tuple(week for week in moved.weeks if 1 <= week <= calendar.weeks)
    if inside == moved.weeks:
        return moved
    message, high = "周次应在 1 到 {high} 之间", {"high": calendar.weeks}
    offers = (MendOffer("weeks", "只保留第1到{high}周", high, replace(moved, weeks=inside)),) if inside else ()
    return RowError(row.row, "week_outside_semester", "weeks", message, high, row.course_name, row.source, offers)
