"""What a student pastes: a piece of a page, a piece of a spreadsheet, or the JSON of a school system."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Sequence

from schedules.calendars.json_courses import rows_of_document
from schedules.calendars.readers.any_table import rows_of_any_table, rows_of_week
from schedules.calendars.readers.course_table import find_header
from schedules.calendars.readers.html_courses import rows_of_page
from schedules.calendars.readers.zhengfang_json import is_zhengfang, rows_of_zhengfang
from schedules.calendars.rows import Outcome, TooMany, UnknownForm
from schedules.planner.grid import Calendar, Grid

TEXT_MAX, LINES_MAX = 1024 * 1024, 2_000
"""Characters and lines that are read."""
MARKUP = re.compile(r"<\s*(table|tr|td|th|tbody)\b", re.IGNORECASE)
DELIMITERS = "\t,;"


def rows_of_paste(text: str, calendar: Calendar) -> Iterable[Outcome]:
    """Returns all rows and row errors of a pasted text; raises `UnknownForm` when it holds no timetable, `TooMany`."""
    if len(text) > TEXT_MAX:
        raise TooMany("text", TEXT_MAX)
    if MARKUP.search(text):
        return rows_of_page(text, calendar)
    if text.lstrip().startswith("{"):
        return _rows_of_json(text, calendar.grid)
    return _rows_of_table(_table(text), calendar)


def _rows_of_table(table: Sequence[Sequence[str]], calendar: Calendar) -> Iterable[Outcome]:
    if rows_of_week(table, calendar) is None and find_header(table) is None:
        raise UnknownForm("表格里没有找到课表：首行应写明星期，或写明课程名称、星期、节次、周次")
    return rows_of_any_table(table, calendar)


def _rows_of_json(text: str, grid: Grid) -> Iterable[Outcome]:
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        raise UnknownForm("不是有效的 JSON 文件") from None
    if is_zhengfang(document):
        return rows_of_zhengfang(document, grid)
    if isinstance(document, dict) and isinstance(document.get("courses"), list):
        return rows_of_document(document, grid)
    raise UnknownForm("JSON 里没有 kbList 或 courses")


def _table(text: str) -> list[list[str]]:
    """Returns the cells of a text: quoted as spreadsheets do it, or as they stand when the quotes do not fit
    together."""
    delimiter = max(DELIMITERS, key=text.count)
    lines: list[list[str]] = []
    try:
        for line in csv.reader(io.StringIO(text.lstrip("\r\n"), newline=""), delimiter=delimiter, strict=True):
            if len(lines) == LINES_MAX:
                raise TooMany("rows", LINES_MAX)
            lines.append(line)
    except csv.Error:
        return [line.split(delimiter) for line in text.splitlines()[:LINES_MAX]]
    return lines
