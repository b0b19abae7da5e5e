"""A table of plain cells that is a week with a column for each weekday, or a list with one meeting a row."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain

from schedules.calendars.readers.course_table import EMPTY, HEADER_DEPTH, NEEDED, find_header, rows_of_table
from schedules.calendars.readers.week_grid import Cell, find_weekdays, rows_of_grid
from schedules.calendars.rows import NotCourses, Outcome, TooMany
from schedules.planner.grid import Calendar

CELLS_MAX = 20_000
Table = Sequence[Sequence[str]]
Spans = Mapping[tuple[int, int], tuple[int, int]]
"""How many rows and columns a cell covers, by its own row and column, counted from 0."""


def rows_of_any_table(
    table: Table, calendar: Calendar, spans: Spans | None = None, *, after: int = 0
) -> Iterable[Outcome]:
    """Returns the rows and row errors of a table, numbered on from `after`; raises `NotCourses` naming the missing
    columns when it is neither form or empty. In a list a cell over several rows stands in each of them."""
    if not any(cell.strip() for line in table for cell in line):
        raise NotCourses(EMPTY, NEEDED)
    if week_header(table) is not None:
        week = rows_of_grid(_cells(table, spans or {}), calendar, after=after) or iter(())
        first = next(week, None)
        if first is None:
            raise NotCourses("课表里没有课")
        return chain((first,), week)
    lines = _repeat_down(table, spans or {})
    return rows_of_table(lines[find_header(lines) or 0 :], calendar, after=after)


def week_header(table: Table) -> int | None:
    """Returns the line of a table that names weekdays; None for another table."""
    header = find_weekdays(_cells(table[:HEADER_DEPTH], {}))
    return header and header[0]


def _repeat_down(table: Table, spans: Spans) -> Table:
    lines = [list(line) for line in table]
    for (row, column), (rows, _) in spans.items():
        for below in lines[row + 1 : row + rows]:
            below += [""] * (column + 1 - len(below))
            below[column] = lines[row][column]
    return lines


def _cells(table: Table, spans: Spans) -> list[Cell]:
    cells: list[Cell] = []
    for row, line in enumerate(table):
        cells += [
            Cell(row, column, words.split("\n"), *spans.get((row, column), (1, 1)))
            for column, words in enumerate(line)
            if words.strip()
        ]
        if len(cells) > CELLS_MAX:
            raise TooMany("cells", CELLS_MAX)
    return cells
