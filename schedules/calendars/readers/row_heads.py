"""The sections that the heads of a week grid's rows name: by their numbers, within a part of the day, by the clock."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Protocol

from schedules.calendars.characters import simple
from schedules.calendars.readers.day_times import count_within, cut_clocks, cut_part, cut_span, sections_in
from schedules.calendars.readers.number_lists import Run, plain, sections_of, undo_date
from schedules.calendars.rows import BadRow
from schedules.planner.grid import Calendar

_HANZI = "一二三四五六七八九十"
_ROW = re.compile(rf"第?[\d{_HANZI}]{{1,12}}(?:[-~至到,、][\d{_HANZI}]{{1,12}})*(?:大|小)?节?")
_COUNTED = re.compile(r"大节\(([\d,、~-]{1,20})(?:小)?节?\)")
"""Double sections may be written out: 第五大节(09,10,11小节) has three."""


class Head(Protocol):
    """Tells words, place and height of a cell left of the weekdays."""

    @property
    def row(self) -> int: ...
    @property
    def column(self) -> int: ...
    @property
    def rows(self) -> int: ...
    @property
    def words(self) -> str: ...


def sections_of_rows(cells: Iterable[Head], header: int, first_day: int, calendar: Calendar) -> dict[int, Run | BadRow]:
    """Returns the sections that the cells left of the weekdays name, by row: by number rather than by the clock, and
    the head nearest to the weekdays decides."""
    numbered: dict[int, Run] = {}
    timed: dict[int, Run | BadRow] = {}
    parts: dict[int, int] = {}
    heads = [cell for cell in cells if cell.row > header and cell.column < first_day]
    for cell in sorted(heads, key=lambda cell: cell.column):
        span, words = cut_span(_halfwidth(cell.words))
        part, words = cut_part(cut_clocks(words))
        rows = range(cell.row, cell.row + cell.rows)
        parts |= dict.fromkeys(rows, part) if part is not None else {}
        run = _section_run(words)
        if run is not None:
            numbered |= _shared(run, rows)
        elif span is not None:
            found = sections_in(span, calendar)
            timed |= dict.fromkeys(rows, found) if isinstance(found, BadRow) else _shared(found, rows)
    return timed | _counted_anew(numbered, parts, calendar)


def join_sections(told: Sequence[Run | BadRow]) -> Run | BadRow | None:
    """Returns the sections of neighbouring rows as one run, or why one of them has none."""
    runs = [run for run in told if not isinstance(run, BadRow)]
    if len(runs) < len(told):
        return next(bad for bad in told if isinstance(bad, BadRow))
    return (runs[0][0], runs[-1][1]) if runs else None


def _halfwidth(words: str) -> str:
    text = re.sub(r"[‐-―−]", "-", simple(unicodedata.normalize("NFKC", words)))
    return re.sub(r"(?<=\d)\s+(?=\d)", ",", text)


def _shared(run: Run, rows: range) -> dict[int, Run]:
    """Shares sections among the rows of their head, which either counts them or names them as one."""
    step = (run[1] - run[0] + 1) // len(rows)
    if not step:
        return dict.fromkeys(rows, run)
    return {row: (run[0] + at * step, run[0] + (at + 1) * step - 1) for at, row in enumerate(rows)}


def _counted_anew(numbered: dict[int, Run], parts: dict[int, int], calendar: Calendar) -> dict[int, Run | BadRow]:
    """Returns sections as the day counts them, where a part of the day begins to count from 1 again."""
    seen: set[int] = set()
    counted: dict[int, Run | BadRow] = {}
    head, found = None, None
    for row, run in sorted(numbered.items()):
        if found is None or head != (run, parts.get(row)):
            head = (run, parts.get(row))
            again = run[0] in seen
            found = count_within(parts.get(row), run, calendar.grid) if again else run
            seen.add(run[0])
        counted[row] = found
    return counted


def _section_run(words: str) -> Run | None:
    text = plain(undo_date(words))
    counted = _COUNTED.search(text)
    found = counted[1] if counted else (match[0] if (match := _ROW.match(text)) else "")
    try:
        runs = sections_of(found) if found else []
    except BadRow:
        return None
    return (runs[0][0], runs[-1][1]) if runs else None
