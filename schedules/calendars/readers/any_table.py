"""A table of plain cells that is a week with a column for each weekday, or a list with one meeting a row."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from schedules.calendars.readers.course_table import EMPTY, NEEDED, find_header, rows_of_table
from schedules.calendars.readers.week_grid import HEADER_DEPTH, Cell, rows_of_grid
from schedules.calendars.rows import NotCourses, Outcome, TooMany
from schedules.planner.grid import Grid

CELLS_MAX = 20_000
Table = Sequence[Sequence[str]]


def rows_of_any_table(table: Table, grid: Grid) -> Iterable[Outcome]:
    """Returns the rows and row errors of a table; raises `NotCourses` naming the missing columns when it is neither
    form or empty."""
    if not any(cell.strip() for line in table for cell in line):
        raise NotCourses(EMPTY, NEEDED)
    week = rows_of_week(table, grid)
    return rows_of_table(table[find_header(table) or 0 :], grid) if week is None else week


def rows_of_week(table: Table, grid: Grid) -> Iterator[Outcome] | None:
    """Returns the rows and row errors of a week; None for another table."""
    if rows_of_grid(_cells(table[:HEADER_DEPTH]), grid) is None:
        return None
    return rows_of_grid(_cells(table), grid)


def _cells(table: Table) -> list[Cell]:
    cells: list[Cell] = []
    for row, line in enumerate(table):
        cells += [Cell(row, column, words.split("\n")) for column, words in enumerate(line) if words.strip()]
        if len(cells) > CELLS_MAX:
            raise TooMany("cells", CELLS_MAX)
    return cells
