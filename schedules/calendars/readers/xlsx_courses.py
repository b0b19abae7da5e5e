"""The XLSX form of courses: the first sheet is the same table as in CSV, or a week with a column for each weekday.

The reader is an optional extra of the project (`xlsx` in pyproject.toml). A workbook is a zip of XML: what it may
unpack to is bounded before it is opened, and defusedxml refuses entities that would grow without an end.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable
from importlib import import_module
from typing import Any

from schedules.calendars.readers.any_table import rows_of_any_table
from schedules.calendars.readers.csv_courses import LINES_MAX
from schedules.calendars.rows import NotCourses, Outcome
from schedules.planner.grid import Grid

UNPACKED_MAX, MEMBERS_MAX = 8 * 1024 * 1024, 500
COLUMNS_MAX = 64
"""What is read of a line of a sheet."""


def rows_of_xlsx(data: bytes, grid: Grid) -> Iterable[Outcome]:
    """Returns all rows and row errors of a workbook; raises `NotCourses` at once."""
    try:
        reader = import_module("openpyxl")
        import_module("defusedxml")
    except ImportError:
        raise NotCourses("服务器没有安装 XLSX 支持", code="xlsx_not_enabled") from None
    _refuse_bomb(data)
    return rows_of_any_table(_table(reader, data), grid)


def _refuse_bomb(data: bytes) -> None:
    """Refuses a file that would unpack to too much: members give back no more bytes than the directory says, so its sum
    bounds what can come out."""
    try:
        members = zipfile.ZipFile(io.BytesIO(data)).infolist()
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError):
        raise NotCourses("不是有效的 XLSX 文件") from None
    if len(members) > MEMBERS_MAX or sum(member.file_size for member in members) > UNPACKED_MAX:
        raise NotCourses("XLSX 文件解压后过大")


def _table(reader: Any, data: bytes) -> list[list[str]]:
    try:
        book = reader.load_workbook(io.BytesIO(data), read_only=True, data_only=True, keep_links=False)
        sheet = book.worksheets[0]
        lines = sheet.iter_rows(max_row=LINES_MAX, max_col=COLUMNS_MAX, values_only=True)
        table = [[_words(cell) for cell in line] for line in lines]
    except Exception as error:  # the library raises whatever it stumbles over in a broken workbook
        raise NotCourses("不是有效的 XLSX 文件") from error
    return [line for line in table if any(line)]


def _words(cell: Any) -> str:
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return str(cell).lower()
    return str(int(cell)) if isinstance(cell, float) and cell.is_integer() else str(cell).strip()
