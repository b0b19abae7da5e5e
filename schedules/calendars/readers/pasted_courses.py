"""What a student pastes: a piece of a page, a piece of a spreadsheet, the JSON of a school system, or lines that tell
a course each."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Sequence

from schedules.calendars.characters import simple
from schedules.calendars.json_courses import rows_of_document
from schedules.calendars.readers.any_table import rows_of_any_table, week_header
from schedules.calendars.readers.cell_entries import CellEntry, entries_of
from schedules.calendars.readers.course_table import find_header
from schedules.calendars.readers.html_courses import rows_of_page
from schedules.calendars.readers.week_grid import rows_of_entries, tells_no_course
from schedules.calendars.readers.zhengfang_json import is_zhengfang, rows_of_zhengfang
from schedules.calendars.rows import Outcome, TooMany, UnknownForm
from schedules.planner.grid import Calendar, Grid

TEXT_MAX, LINES_MAX = 1024 * 1024, 2_000
"""Characters and lines that are read."""
MARKUP = re.compile(r"<\s*(table|tr|td|th|tbody)\b", re.IGNORECASE)
REMARK = re.compile(r"\s*(备注|说明|注[:：])")
DELIMITERS = "\t,;"
NUMBERING = re.compile(r"^\s*(?:[-*•·]|\d{1,2}\s*[.、)）])\s*")
"""What a list begins its lines with."""


def rows_of_paste(text: str, calendar: Calendar) -> Iterable[Outcome]:
    """Returns all rows and row errors of a pasted text; raises `UnknownForm` when it holds no timetable, `TooMany`."""
    if len(text) > TEXT_MAX:
        raise TooMany("text", TEXT_MAX)
    if MARKUP.search(text):
        return rows_of_page(text, calendar)
    if text.lstrip().startswith("{"):
        return _rows_of_json(text, calendar.grid)
    return _rows_of_table(text, calendar)


def _rows_of_table(text: str, calendar: Calendar) -> Iterable[Outcome]:
    table = _table(text)
    header = week_header(table)
    if header is not None and "\t" in text and _is_broken(table[header:]):
        raise UnknownForm(
            "从网页复制的文字，格子断开了，分不清是哪一天的课：请把网页存成文件再导入，或者粘贴网页源代码"
        )
    if header is None and find_header(table) is None:
        listed = _list_entries(text)
        if not any(entry.meeting.weekday and entry.meeting.has_sections for entry in listed):
            raise UnknownForm(
                "没有找到课表：首行应写明星期，或写明课程名称、星期、节次、周次；或一行一门课：高数 周一1-2节 1-16周"
            )
        return rows_of_entries(listed, calendar)
    return rows_of_any_table(table, calendar)


def _list_entries(text: str) -> list[CellEntry]:
    """Returns what each line tells by itself: `高等数学 周一1-2节,周三3-4节 1-16周 教1-101 张三`."""
    lines = (NUMBERING.sub("", line) for line in text.splitlines()[:LINES_MAX])
    return [entry for line in lines for entry in entries_of([line])]


def _is_broken(week: Sequence[Sequence[str]]) -> bool:
    """Tells whether lines have other cells than their header: a text that a browser copies breaks cells at their lines
    and leaves those out that a cell above reaches into."""
    width = len(week[0])
    lines = [line for line in week[1:] if any(cell.strip() for cell in line) and not REMARK.match(simple(line[0]))]
    return any(len(line) != width and not tells_no_course("".join("".join(line).split())) for line in lines)


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
