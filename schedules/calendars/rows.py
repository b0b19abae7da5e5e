"""What every course format is parsed into: rows, and remarks that name row and column."""

from __future__ import annotations

import codecs
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date

from schedules.calendars.characters import decode_text
from taskclasses.kernel.i18n import text

ROWS_MAX, OCCURRENCES_MAX, FILE_MAX = 2_000, 10_000, 5 * 1024 * 1024
NAME_MAX, SOURCE_MAX = 255, 300
"""Characters of a name, and of the text of the file that a report quotes."""


@dataclass(frozen=True)
class Remark:
    """Tells what is said of a row: `code` of the format's list, the columns concerned, a message id and its values."""

    row: int
    code: str
    column: str
    message: str
    values: Mapping[str, object] = field(default_factory=dict)
    course_name: str = field(default="", compare=False)
    source: str = field(default="", compare=False)
    """What stands in the file."""

    def sentence(self, locale: str) -> str:
        told = text(self.message, locale, **self.values)
        return f"{self.column}: {told}" if self.column else told


@dataclass(frozen=True)
class RowError(Remark):
    """Tells why a row is not understood; `offers` are the ways to take it all the same."""

    offers: tuple[MendOffer, ...] = field(default=(), compare=False)


class RowNote(Remark):
    """Tells why an understood row adds nothing, or what about a row is doubtful. It never stops an import."""


@dataclass(frozen=True)
class CourseRow:
    """Holds one weekly meeting of a course in the named weeks (ascending, unique)."""

    row: int
    course_name: str
    location: str
    is_allow_tasks: bool
    weeks: tuple[int, ...]
    day_of_week: int
    section_from: int
    section_to: int
    teacher: str = ""
    interrupted: bool = False
    """The lessons are cancelled and keep their time."""
    task: bool = False
    """SmartMate wrote it for a task item: it is known already where that task stands."""
    notes: tuple[RowNote, ...] = ()
    source: str = field(default="", compare=False)
    """What stands in the file."""
    confidence: float | None = field(default=None, compare=False)
    """How sure a reader of pictures is, from 0 to 1; None where nothing was guessed."""
    first_monday: date | None = field(default=None, compare=False)
    """The Monday of week 1 by the file, where it tells of one."""


@dataclass(frozen=True)
class MendOffer:
    """Holds a row that is not understood as it would be if the student agreed: `kind` of what is mended, and a
    sentence. A row with a second fault is still not understood, and offers what would mend that one."""

    kind: str
    message: str
    values: Mapping[str, object]
    row: CourseRow | RowError


Outcome = CourseRow | RowError | RowNote


class BadRow(Exception):
    """Tells why a row is not understood, as `RowError` tells it."""

    def __init__(self, code: str, column: str, message: str, **values: object) -> None:
        super().__init__(code)
        self.code, self.column, self.message, self.values = code, column, message, values

    def of(self, row: int, course_name: str = "", source: str = "") -> RowError:
        return RowError(row, self.code, self.column, self.message, self.values, course_name, source[:SOURCE_MAX])


class NotCourses(Exception):
    """Tells that the file as a whole holds no courses that can be read: `message` says why, of the `columns` named if
    any."""

    def __init__(self, message: str, columns: tuple[str, ...] = (), *, code: str = "") -> None:
        super().__init__(f"{message} {', '.join(columns)}".strip())
        self.message, self.columns, self.code = message, columns, code


class UnknownForm(NotCourses):
    """Tells that the file has a form that is not read, or whose table is not recognised: `form` names it."""

    def __init__(self, form: str) -> None:
        super().__init__(form, code="unknown_form")


class TooMany(Exception):
    """Tells that the file is over a limit: `what` is `file` (bytes), `rows` or `occurrences`."""

    def __init__(self, what: str, limit: int) -> None:
        super().__init__(f"{what} > {limit}")
        self.what, self.limit = what, limit


def collect_rows(outcomes: Iterable[Outcome]) -> list[Outcome]:
    """Collects all outcomes, read no further than the limits allow; raises `TooMany`."""
    rows: list[Outcome] = []
    occurrences = 0
    for outcome in outcomes:
        rows.append(outcome)
        occurrences += len(outcome.weeks) if isinstance(outcome, CourseRow) else 0
        if len(rows) > ROWS_MAX:
            raise TooMany("rows", ROWS_MAX)
        if occurrences > OCCURRENCES_MAX:
            raise TooMany("occurrences", OCCURRENCES_MAX)
    return rows


def in_bytes_of_ascii(data: bytes) -> bytes:
    """Returns a file in UTF-16 (by its byte order mark: the Unicode text of spreadsheets) in UTF-8, another as it is;
    raises `NotCourses`."""
    if not data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return data
    try:
        return data.decode("utf-16").encode()
    except UnicodeDecodeError:
        raise NotCourses("文件编码不是 UTF-8、UTF-16、GB18030 或 Big5") from None


def text_of(data: bytes) -> str:
    """Returns the text of a file in an encoding that timetables have; raises `NotCourses`."""
    text_read = decode_text(data)
    if text_read is None:
        raise NotCourses("文件编码不是 UTF-8、UTF-16、GB18030 或 Big5")
    return text_read
