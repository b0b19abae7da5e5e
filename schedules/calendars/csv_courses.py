"""The CSV form of courses: a header row, then one weekly meeting a row.

Columns stand in any order and are named as in `COLUMNS`, in Chinese or English; others are ignored. UTF-8 (with or
without a byte order mark) and GB18030 are read, with comma, semicolon or tab between the cells. Rows are numbered from
1 below the header; empty ones do not count.
"""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from schedules.calendars.json_courses import course_row
from schedules.calendars.rows import ROWS_MAX, BadRow, NotCourses, Outcome, TooMany, text_of
from schedules.planner.grid import Grid

COLUMNS: dict[str, tuple[str, ...]] = {
    "course_name": ("课程名称", "课程名", "课程"),
    "day_of_week": ("星期", "day"),
    "start_section": ("开始节数", "开始节次"),
    "end_section": ("结束节数", "结束节次"),
    "sections": ("节次", "节数"),
    "weeks": ("周数", "周次"),
    "location": ("地点", "上课地点"),
    "teacher": ("教师", "老师"),
    "is_allow_tasks": ("可嵌入",),
}
NAMES = {alias: name for name, aliases in COLUMNS.items() for alias in (name, *aliases)}
DELIMITERS = ",;\t"
WEEKDAYS = {
    **{day: number for number, days in enumerate(("一", "二", "三", "四", "五", "六", "日天"), 1) for day in days},
    **{day: number for number, day in enumerate(("mon", "tue", "wed", "thu", "fri", "sat", "sun"), 1)},
    **{str(number): number for number in range(1, 8)},
}
FULL_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
TRUE, FALSE = frozenset({"是", "true", "yes", "1"}), frozenset({"", "否", "false", "no", "0"})
PARITY = {"单": 1, "odd": 1, "双": 0, "even": 0}
RANGE = re.compile(r"(?:第)?(\d{1,4})(?:[-~至](\d{1,4}))?")
MARK = re.compile(r"(周?)\(?(单|双|odd|even)?(周?)\)?(周?)")
SECTION_RANGE = re.compile(r"第?(\d{1,4})(?:[-~至]第?(\d{1,4}))?节?")
LINES_MAX = 10_000
"""Lines of a table that are read, blank ones included."""
RANGE_MAX, WEEKS_TEXT_MAX = 60, 200
"""Longest range and longest cell of weeks that is written out; no semester needs half of it."""


def rows_of_csv(data: bytes, grid: Grid) -> Iterator[Outcome]:
    """All rows and row errors of a file, one by one as they are asked for; raises `NotCourses` at once."""
    return rows_of_table(_lines(text_of(data)), grid)


def rows_of_table(table: Iterable[Sequence[str]], grid: Grid) -> Iterator[Outcome]:
    """The same of a table whose first line names the columns."""
    lines = iter(table)
    names = [NAMES.get(plain(cell).lower(), "") for cell in next(lines, [])]
    columns = {name: at for at, name in enumerate(names) if name}
    sections = ("sections",) if "sections" in columns else ("start_section", "end_section")
    missing = tuple(name for name in ("course_name", "day_of_week", *sections, "weeks") if name not in columns)
    if missing:
        raise NotCourses("应恰好有一列", missing)
    if len(columns) < sum(map(bool, names)):
        raise NotCourses("应恰好有一列", tuple(name for name in columns if names.count(name) > 1))
    return _rows(lines, columns, grid)


def _rows(lines: Iterator[Sequence[str]], columns: Mapping[str, int], grid: Grid) -> Iterator[Outcome]:
    number = 0
    for line in lines:
        cells = {name: line[at].strip() if at < len(line) else "" for name, at in columns.items()}
        if not any(cells.values()):
            continue
        number += 1
        try:
            yield course_row(number, *_course(cells, grid), grid)
        except BadRow as bad:
            yield bad.of(number)


def _course(cells: Mapping[str, str], grid: Grid) -> tuple[dict[str, Any], dict[str, Any]]:
    """A row as the course and the arrangement of the JSON form, which judges the numbers."""
    if "sections" in cells:
        first, last = _sections(cells["sections"])
    else:
        first, last = (_number(cells[name], name) for name in ("start_section", "end_section"))
    embeddable = plain(cells.get("is_allow_tasks", "")).lower()
    if embeddable not in TRUE | FALSE:
        raise BadRow("missing_field", "is_allow_tasks", "应为布尔值")
    course = {name: cells.get(name, "") for name in ("course_name", "location", "teacher")}
    arrangement = {
        "weeks": weeks_of(cells["weeks"]),
        "day_of_week": _weekday(cells["day_of_week"]),
        "start_section": first,
        "end_section": last,
    }
    return course | {"is_allow_tasks": embeddable in TRUE}, arrangement


def weeks_of(words: str) -> list[int]:
    """The weeks of `1-8,10,12-16`; raises `BadRow`.

    单 or 双 (odd, even) keeps the weeks of that parity: of the range it stands at, or of the whole list when it stands
    alone between separators or shares a 周 that only the end of the list carries, as in `1-8,10-16周(单)`.
    """
    parts = [part for part in re.split(r"[,、;]", plain(words)) if part]
    if not parts:
        raise BadRow("missing_field", "weeks", "缺少该字段")
    if len(words) > WEEKS_TEXT_MAX:
        raise BadRow("bad_weeks", "weeks", "应为周次列表")
    read = [_part(part) for part in parts]
    whole = {parity for weeks, parity, _ in read if weeks is None}
    *earlier, (_, parity, said_weeks) = read
    shared = said_weeks and parity is not None and not any(p is not None or said for _, p, said in earlier)
    whole |= {parity} if shared else set()
    found = [week for weeks, own, _ in read for week in weeks or () if own is None or week % 2 == own]
    if len(whole) > 1:
        raise BadRow("bad_weeks", "weeks", "应为周次列表")
    kept = sorted({week for week in found if not whole or week % 2 in whole})
    if not kept:
        raise BadRow("bad_weeks", "weeks", "没有任何一周")
    return kept


def _part(part: str) -> tuple[list[int] | None, int | None, bool]:
    """Weeks of one part (None for a mark alone), the parity it names, whether it says 周."""
    found = RANGE.match(part)
    mark = MARK.fullmatch(part[found.end() :] if found else part)
    if mark is None or (found is None and mark[2] is None):
        raise BadRow("bad_weeks", "weeks", "应为周次列表")
    parity, said = PARITY.get(mark[2] or ""), bool(mark[1] or mark[3] or mark[4])
    if found is None:
        return None, parity, said
    first, last = int(found[1]), int(found[2] or found[1])
    if last < first:
        raise BadRow("bad_range", "weeks", "结束周早于开始周")
    if last - first > RANGE_MAX:
        raise BadRow("bad_weeks", "weeks", "应为周次列表")
    return list(range(first, last + 1)), parity, said


def _weekday(words: str) -> int:
    name = re.sub(r"^(星期|礼拜|周)", "", plain(words).lower())
    name = name[:3] if name in FULL_WEEKDAYS else name
    if not name:
        raise BadRow("missing_field", "day_of_week", "缺少该字段")
    if name not in WEEKDAYS:
        raise BadRow("bad_weekday", "day_of_week", "星期应为 1 到 7")
    return WEEKDAYS[name]


def _sections(words: str) -> tuple[int, int]:
    found = SECTION_RANGE.fullmatch(plain(words))
    if found is None:
        code, message = ("bad_number", "应为整数") if words else ("missing_field", "缺少该字段")
        raise BadRow(code, "sections", message)
    return int(found[1]), int(found[2] or found[1])


def _number(words: str, column: str) -> int:
    digits = plain(words)
    if not digits:
        raise BadRow("missing_field", column, "缺少该字段")
    if not re.fullmatch(r"[0-9]{1,4}", digits):
        raise BadRow("bad_number", column, "应为整数")
    return int(digits)


def plain(words: str) -> str:
    """A cell in half-width characters, with one kind of dash and no blanks."""
    return re.sub(r"[‐-―−]", "-", "".join(unicodedata.normalize("NFKC", words).split()))


def _lines(text: str) -> Iterator[list[str]]:
    """Yields the lines of a table as cells; raises `TooMany` where it goes on for too long, `NotCourses` if broken."""
    header = text.lstrip("\r\n").partition("\n")[0]
    delimiter = max(DELIMITERS, key=header.count)
    table = csv.reader(io.StringIO(text.lstrip("\r\n"), newline=""), delimiter=delimiter, strict=True)
    try:
        for number, line in enumerate(table):
            if number > LINES_MAX:
                raise TooMany("rows", ROWS_MAX)
            yield line
    except csv.Error:
        raise NotCourses("不是有效的 CSV 文件") from None
