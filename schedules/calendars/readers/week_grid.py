"""A table that is a week: a column for each weekday, a row for each section or double section.

Where a cell says its own sections or weekday, the cell is believed; else its row and column tell them. The same words
in cells one below the other are one meeting. Meetings are numbered from 1 as they are read, row by row.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from schedules.calendars.characters import simple
from schedules.calendars.json_courses import read_row
from schedules.calendars.readers.cell_entries import NAMED, CellEntry, entries_of
from schedules.calendars.readers.course_table import HEADER_DEPTH
from schedules.calendars.readers.meeting_text import WEEKDAYS, read_meeting, split_days
from schedules.calendars.readers.number_lists import Run
from schedules.calendars.readers.row_heads import join_sections, sections_of_rows
from schedules.calendars.rows import NAME_MAX, ROWS_MAX, SOURCE_MAX, BadRow, Outcome, RowNote, TooMany
from schedules.planner.grid import Calendar

HEAD_MAX = 60
"""Characters of the head of a column."""
WEEKDAYS_MIN = 3
"""Weekdays that a header names at least."""
LINES_MAX = 20_000
"""Lines of all cells together; the fullest timetable has a few hundred."""
TEXT_MAX = 200_000
"""Characters of all cells together, some microseconds each; the fullest timetable has a few ten thousand."""
_HEAD = re.compile(
    r"(?:星期|礼拜|周)([一二三四五六日天1-7])"
    r"|\b(mon|tue|wed|thu|fri|sat|sun)(?:day|s|sday|nesday|rs|r|rsday|urday)?\b",
    re.IGNORECASE,
)
_DATE = re.compile(
    r"(?:[\d\s./(),年月日号-]|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b)*", re.IGNORECASE
)
_DAY = re.compile(r"\d\s*[-./月]\s*\d|\d\s*[a-z]|[a-z]\s*\d", re.IGNORECASE)


@dataclass(frozen=True)
class Cell:
    """Holds a cell of a table with its place and extent; `entries` where the page itself says which words are what."""

    row: int
    column: int
    lines: Sequence[str]
    rows: int = 1
    columns: int = 1
    entries: tuple[CellEntry, ...] | None = None

    @property
    def words(self) -> str:
        return " ".join(line for line in self.lines if line)


WIDE = 3
"""A cell over so many weekdays holds remarks, such as courses without a fixed time."""


_REMARK = re.compile(r"(?:备注|说明|注[:：]|实践|其[它他]|未安排|网络?课)")
_PAUSE = re.compile(
    r"[\d:：~-]*(?:(?:早晨|上午|中午|下午|晚上|午间|午休|午餐|课间操?|大课间|休息|lunch|break)[\d:：~-]*)+",
    re.IGNORECASE,
)
_LEGEND = re.compile(r"[★☆●○◎◇◆□■△▲▽▼※]\s*[:：]|打印")


@dataclass(frozen=True)
class _Found:
    """Holds an entry with the weekday of its column and the sections of its rows."""

    entry: CellEntry
    weekday: int | None
    """None below a head that names no weekday, 0 for remarks."""
    rows: tuple[int, int]
    sections: Run | BadRow | None


def rows_of_grid(cells: Sequence[Cell], calendar: Calendar, *, after: int = 0) -> Iterator[Outcome] | None:
    """Returns the rows and row errors of a week grid, numbered on from `after`; None when the table is none."""
    header = find_weekdays(cells)
    if header is None:
        return None
    below, weekdays = header
    return _rows(_join_equal(_find_entries(cells, below, weekdays, calendar)), calendar, after + 1)


def rows_of_entries(entries: Iterable[CellEntry], calendar: Calendar) -> Iterator[Outcome]:
    """Returns the rows and row errors of entries that stand in no table, and tell their weekdays themselves."""
    told = (replace(entry, times=(time,)) for entry in entries for time in split_days(" ".join(entry.times)))
    return _rows((_Found(entry, None, (0, 0), None) for entry in told), calendar, 1)


def find_weekdays(cells: Sequence[Cell]) -> tuple[int, dict[int, int]] | None:
    """Returns the row that names weekdays, and the weekday of each of its columns."""
    for row in range(HEADER_DEPTH):
        weekdays: dict[int, int] = {}
        for cell in cells:
            number = _weekday(cell.words) if cell.row == row else None
            if number is not None:
                weekdays |= {cell.column + offset: number for offset in range(cell.columns)}
        if len(set(weekdays.values())) >= WEEKDAYS_MIN:
            return row, weekdays
    return None


def _weekday(words: str) -> int | None:
    text = simple(unicodedata.normalize("NFKC", words))
    if len(text) > HEAD_MAX or not _DATE.fullmatch(_HEAD.sub(" ", text)):
        return None
    days = {WEEKDAYS[(found[1] or found[2]).lower()] for found in _HEAD.finditer(text)}
    return days.pop() if len(days) == 1 else None


def _find_entries(cells: Sequence[Cell], header: int, weekdays: dict[int, int], calendar: Calendar) -> Iterator[_Found]:
    if sum(len(cell.lines) for cell in cells) > LINES_MAX:
        raise TooMany("lines", LINES_MAX)
    if sum(len(line) for cell in cells for line in cell.lines) > TEXT_MAX:
        raise TooMany("text", TEXT_MAX)
    heads = {cell.column: cell.words for cell in cells if cell.row == header}
    sections = sections_of_rows(cells, header, min(weekdays), calendar)
    for cell in sorted(cells, key=lambda cell: (cell.row, cell.column)):
        if cell.row <= header:
            continue
        rows = (cell.row, cell.row + cell.rows - 1)
        if cell.columns >= WIDE or cell.column not in weekdays:
            if _is_remark(cell) or _REMARK.match(simple(heads.get(cell.column, ""))):
                yield _Found(CellEntry("", source=cell.words), 0, rows, None)
                continue
            if cell.columns >= WIDE or cell.column < min(weekdays) or _names_no_course(cell):
                continue
        if _DATE.fullmatch(cell.words) and _DAY.search(cell.words):
            continue  # below the weekdays a week may tell their dates
        run = join_sections([sections[row] for row in range(rows[0], rows[1] + 1) if row in sections])
        for entry in cell.entries if cell.entries is not None else entries_of(cell.lines):
            yield _Found(entry, weekdays.get(cell.column), rows, run)


def _is_remark(cell: Cell) -> bool:
    """Tells whether a cell beside the weekdays tells of courses."""
    words = simple("".join(cell.words.split()))
    if tells_no_course(words):
        return False
    return cell.columns >= WIDE or bool(_REMARK.match(words) and len(words) > len("备注："))


def _names_no_course(cell: Cell) -> bool:
    """Tells whether a cell beside the weekdays is the head of its row once more, or a sum."""
    words = cell.words
    return not NAMED.search(words) or read_meeting(words).is_time or tells_no_course("".join(words.split()))


def tells_no_course(words: str) -> bool:
    """Tells whether words without blanks are a pause, the meaning of signs or when a table was printed."""
    return bool(_LEGEND.match(words) or _PAUSE.fullmatch(simple(words)))


def _join_equal(found: Iterable[_Found]) -> Iterator[_Found]:
    """Returns each meeting once: equal ones are dropped, and those that differ only in adjoining rows become one."""
    kept: dict[tuple[Any, ...], list[_Found]] = {}
    for number, one in enumerate(found, 1):
        if number > ROWS_MAX:
            raise TooMany("rows", ROWS_MAX)
        entry = one.entry
        same = kept.setdefault((entry.name, entry.teacher, entry.location, entry.times, one.weekday), [])
        last = same[-1] if same else None
        if entry.meeting.has_sections:
            if last is None:
                same.append(one)
        elif last is not None and last.rows[1] + 1 == one.rows[0] and last.sections and one.sections:
            both = join_sections([last.sections, one.sections])
            same[-1] = replace(last, rows=(last.rows[0], one.rows[1]), sections=both)
        else:
            same.append(one)
    return (one for same in kept.values() for one in same)


def _rows(found: Iterable[_Found], calendar: Calendar, start: int) -> Iterator[Outcome]:
    for number, one in enumerate(found, start):
        entry, said = one.entry, one.entry.meeting
        if one.weekday == 0:
            yield RowNote(number, "no_fixed_time", "", "没有固定的上课时间，已跳过", source=entry.source[:SOURCE_MAX])
            continue
        course = {"course_name": entry.name, "teacher": entry.teacher, "location": entry.location}
        missing = BadRow("missing_field", "sections", "缺少该字段")
        for run in said.runs(calendar) or [one.sections or missing]:
            first, last = (run, run) if isinstance(run, BadRow) else run
            arrangement = {
                "weeks": BadRow("missing_field", "weeks", "缺少该字段") if said.weeks is None else said.weeks,
                "day_of_week": said.weekday or one.weekday or BadRow("missing_field", "day_of_week", "缺少该字段"),
                "start_section": first,
                "end_section": last,
            }
            yield read_row(number, course, arrangement, calendar.grid, source=entry.source)
        if entry.exam:
            told = {"when": entry.exam[:SOURCE_MAX]}
            yield RowNote(
                number, "exam", "", "考试没有导入：{when}", told, entry.name[:NAME_MAX], entry.source[:SOURCE_MAX]
            )
