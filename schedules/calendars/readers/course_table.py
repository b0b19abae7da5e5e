"""A table with a header row, one meeting a row: CSV, spreadsheets, pasted text and the course lists of school systems.

Columns stand in any order and are named as in `COLUMNS`, in Chinese or English; others are ignored. Rows are numbered
from 1 below the header; empty ones do not count. A row whose sections are several runs is several meetings of its
number.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import Any

from schedules.calendars.characters import simple
from schedules.calendars.json_courses import name_of, read_row
from schedules.calendars.readers.meeting_text import (
    Meeting,
    bare_name,
    bare_teacher,
    read_meeting,
    read_weekday,
    split_days,
)
from schedules.calendars.readers.number_lists import PARITY, Run, plain, sections_of, undo_date, weeks_of
from schedules.calendars.rows import NAME_MAX, SOURCE_MAX, BadRow, NotCourses, Outcome, RowNote
from schedules.planner.grid import Calendar

COLUMNS: dict[str, tuple[str, ...]] = {
    "course_name": (
        "课程名称",
        "课程名",
        "课程",
        "科目",
        "科目名称",
        "course",
        "coursename",
        "subject",
        "module",
        "activity",
    ),
    "day_of_week": ("星期", "day", "上课星期", "周几", "星期几", "weekday", "dayofweek"),
    "start_section": ("开始节数", "开始节次", "startsection"),
    "end_section": ("结束节数", "结束节次", "endsection"),
    "sections": ("节次", "上课节次", "第几节", "periods", "period"),
    "section_count": ("节数", "持续节次"),
    "start_time": ("开始时间", "上课开始时间", "starttime", "start"),
    "end_time": ("结束时间", "下课时间", "endtime", "end"),
    "weeks": ("周数", "周次", "起止周", "上课周次", "上课周", "week"),
    "start_week": ("开始周", "起始周", "开始周次", "起始周次", "startweek"),
    "end_week": ("结束周", "终止周", "结束周次", "终止周次", "endweek"),
    "week_type": ("单双周", "单双", "周类型", "weektype"),
    "meeting": ("上课时间", "时间", "上课时间地点", "上课时间、地点", "上课时间/地点", "时间地点"),
    "location": ("地点", "上课地点", "教室", "上课教室", "教室名称", "场地", "room", "venue"),
    "campus": ("校区",),
    "building": ("教学楼",),
    "teacher": (
        "教师",
        "老师",
        "任课教师",
        "任课老师",
        "授课教师",
        "授课老师",
        "上课教师",
        "教师姓名",
        "lecturer",
        "instructor",
    ),
    "is_allow_tasks": ("可嵌入",),
}
"""Names of columns without blanks, as they are compared."""
NAMES = {alias: name for name, aliases in COLUMNS.items() for alias in (name, *aliases)}
RARER = (
    *("course", "subject", "科目", "module", "activity", "weekday", "dayofweek", "周几", "星期几"),
    *("periods", "period", "第几节", "week", "上课周", "start", "end", "room", "教室名称", "venue", "场地"),
    *("任课老师", "授课老师", "lecturer", "instructor"),
)
"""Names that have other meanings too, the likeliest first: beside a column that tells the same they do not count."""
NEEDED = ("course_name", "day_of_week", "start_section", "end_section", "weeks")
CHANGED = "调课、停课或补课没有导入，请在课程里改这节课"
EMPTY, LACKING, DOUBLED = "文件是空的", "没有这一列", "应恰好有一列"
"""Why a table as a whole is not read; the columns that are meant stand beside it."""
HEADER_DEPTH = 8
"""Lines above the header that a pasted or saved table may have."""
CELL_MAX = 4_000
"""Characters of a cell that are looked at, more than any limit that they are judged by: a workbook says a long text
once for thousands of cells."""
SECTIONS = ("start_section", "end_section", "sections", "start_time", "end_time")
LISTS = ("sections", "weeks")
"""Columns whose ranges a spreadsheet may have taken for days."""
WHEN = ("meeting", "day_of_week", *SECTIONS, "weeks", "start_week", "end_week")
"""Columns that tell when a course meets."""
TRUE, FALSE = frozenset({"是", "true", "yes", "1"}), frozenset({"", "否", "false", "no", "0"})
Line = Sequence[str]


def rows_of_table(table: Iterable[Line], calendar: Calendar, *, after: int = 0) -> Iterator[Outcome]:
    """Returns all rows and row errors of a table whose first line names the columns, numbered on from `after`; raises
    `NotCourses` at once."""
    lines = iter(table)
    return _rows(lines, _columns(next(lines, [])), calendar, after)


def find_header(table: Sequence[Line]) -> int | None:
    """Returns the line that names the columns of a course list, None when there is none."""
    for at, line in enumerate(islice(table, HEADER_DEPTH)):
        try:
            _columns(line)
        except NotCourses:
            continue
        return at
    return None


def rows_beside(table: Sequence[Line], known: Collection[str], number: int, calendar: Calendar) -> Iterator[Outcome]:
    """Returns what a table beside a week tells of courses that the week does not have, and of changed lessons; its rows
    are numbered on from `number`."""
    header = find_header(table)
    if header is not None:
        listed = rows_of_table(table[header:], calendar, after=number)
        yield from (row for row in listed if row.course_name and row.course_name not in known)
        return
    named = ((at, column) for at, line in enumerate(table[:HEADER_DEPTH]) for column in _name_columns(line))
    header, column = next(named, (len(table), 0))
    changes = header < len(table) and any("原上课" in plain(cell) for cell in table[header])
    for line in table[header + 1 :]:
        name = bare_name(line[column])[:NAME_MAX] if column < len(line) else ""
        if not name or (name in known and not changes):
            continue
        number += 1
        code, message = ("lesson_change", CHANGED) if changes else ("no_fixed_time", "没有固定的上课时间，已跳过")
        source = " | ".join(cell.strip() for cell in line if cell.strip())[:SOURCE_MAX]
        yield RowNote(number, code, "", message, course_name=name, source=source)


def _name_columns(line: Line) -> Iterator[int]:
    """Returns the column of a header that names courses; none of a line with nothing beside."""
    if sum(1 for cell in line if cell.strip()) > 1:
        yield from (at for at, cell in enumerate(line) if NAMES.get(plain(cell).lower()) == "course_name")


def _names(header: Line) -> list[str]:
    """Returns what each column is called in `COLUMNS`, "" for one that is not looked at."""
    told = [plain(cell).lower() for cell in header]
    ranks = [1 + RARER.index(alias) if alias in RARER else 0 for alias in told]
    names = [NAMES.get(alias, "") for alias in told]
    best: dict[str, int] = {}
    for name, rank in zip(names, ranks, strict=True):
        best[name] = min(rank, best.get(name, rank))
    return [name if rank == best[name] else "" for name, rank in zip(names, ranks, strict=True)]


def _columns(header: Line) -> dict[str, int]:
    names = _names(header)
    if "sections" not in names:  # alone, a number of sections says which they are
        names = ["sections" if name == "section_count" else name for name in names]
    columns = {name: at for at, name in enumerate(names) if name}
    if "meeting" in columns:
        needed: tuple[str, ...] = ("course_name",)
    else:
        sections: tuple[str, ...] = ("sections",) if "sections" in columns else ("start_section", "end_section")
        sections = ("start_time", "end_time") if {"start_time", "end_time"} <= {*columns} else sections
        # A list of the sections may name the weekday as well: 一[5-6节].
        day = ("day_of_week",) if "sections" not in columns or "weeks" not in columns else ()
        weeks = ("start_week", "end_week") if {"start_week", "end_week"} <= {*columns} else ("weeks",)
        needed = ("course_name", *day, *sections, *weeks)
    missing = tuple(name for name in needed if name not in columns)
    if missing:
        raise NotCourses(LACKING, missing)
    if len(columns) < sum(map(bool, names)):
        raise NotCourses(DOUBLED, tuple(name for name in columns if names.count(name) > 1))
    return columns


def _rows(lines: Iterator[Line], columns: Mapping[str, int], calendar: Calendar, number: int) -> Iterator[Outcome]:
    name = ""
    reaches = 1 + max(columns.get(column, 0) for column in WHEN)
    for line in lines:
        cells = {column: line[at].strip()[:CELL_MAX] if at < len(line) else "" for column, at in columns.items()}
        if not any(cells.values()):
            continue
        cells |= {column: undo_date(cells[column]) for column in LISTS if column in cells}
        number += 1
        if (
            "meeting" in cells or "section_count" in cells
        ):  # a course list names a course once and leaves the name out below
            name = cells["course_name"] or name
            cells["course_name"] = name
        source = " | ".join(cell.strip()[:SOURCE_MAX] for cell in line if cell.strip())
        if cells["course_name"] and reaches <= len(line) and _has_no_time(cells):
            known, message = bare_name(cells["course_name"])[:NAME_MAX], "没有固定的上课时间，已跳过"
            yield RowNote(number, "no_fixed_time", "", message, course_name=known, source=source[:SOURCE_MAX])
            continue
        for course, arrangement in _meetings(cells, calendar):
            yield _row(number, course, arrangement, calendar, source)


def _has_no_time(cells: Mapping[str, str]) -> bool:
    """Tells whether a line says nothing of when its course meets, or in a course list no more than the weeks."""
    if not any(cells.get(column) for column in WHEN):
        return True
    said = read_meeting(cells.get("meeting", ""))
    return bool(said.marked and said.weeks) and not (said.weekday or said.has_sections or _sections_beside(cells))


def _sections_beside(cells: Mapping[str, str]) -> bool:
    return any(cells.get(column) for column in ("day_of_week", *SECTIONS))


def _row(number: int, course: Mapping[str, Any], arrangement: Any, calendar: Calendar, source: str) -> Outcome:
    for fault in (arrangement["start_section"], arrangement["end_section"], course["is_allow_tasks"]):
        if isinstance(fault, BadRow):
            return fault.of(number, name_of(course), source)
    return read_row(number, course, arrangement, calendar.grid, source=source)


def _meetings(cells: Mapping[str, str], calendar: Calendar) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Yields the course of a line with each of its arrangements, in the JSON form, which judges the numbers."""
    embeddable = plain(cells.get("is_allow_tasks", "")).lower()
    course: dict[str, Any] = {
        "course_name": bare_name(cells.get("course_name", "")),
        "location": _room(cells),
        "teacher": bare_teacher(cells.get("teacher", "")),
        "is_allow_tasks": BadRow("missing_field", "is_allow_tasks", "应为布尔值")
        if embeddable not in TRUE | FALSE
        else embeddable in TRUE,
    }
    if "meeting" in cells:
        for words in re.split(r"[\n;；]", cells["meeting"]) if cells["meeting"] else [""]:
            place, times = _part_words(words)
            for arrangement in (one for time in split_days(times) for one in _arrangements(cells, time, calendar)):
                yield course | {"location": place or course["location"]}, arrangement
        return
    for arrangement in _arrangements(cells, "", calendar):
        yield course, arrangement


def _room(cells: Mapping[str, str]) -> str:
    """Returns the room behind its campus and building where these have columns of their own."""
    room = cells.get("location", "")
    around = (cells.get(column, "") for column in ("campus", "building"))
    return " ".join([*(words for words in around if words and words not in room), room]).strip()


def _part_words(words: str) -> tuple[str, str]:
    """Returns place and time of `[1-16周]星期一[5-6节]/XB309`."""
    time, slash, place = words.rpartition("/")
    return (place.strip(), time) if slash and "周" not in simple(place) else ("", words)


def _arrangements(cells: Mapping[str, str], time: str, calendar: Calendar) -> Iterator[dict[str, Any]]:
    said = read_meeting(time) if time else read_meeting(cells.get("sections", ""), weeks=False)
    day = cells.get("day_of_week", "")
    weekday: Any = _hold_error(read_weekday, day) if day or said.weekday is None else said.weekday
    weeks = _weeks(cells, said)
    for first, last in _runs(cells, said, calendar):
        yield {"weeks": weeks, "day_of_week": weekday, "start_section": first, "end_section": last}


def _weeks(cells: Mapping[str, str], said: Meeting) -> Any:
    """Returns the weeks of a line, those of its parity where a column tells one, or why there are none."""
    listed = cells.get("weeks") or "-".join(cells[name] for name in ("start_week", "end_week") if cells.get(name))
    weeks: Any = _hold_error(weeks_of, listed) if listed or said.weeks is None else said.weeks
    kind = plain(cells.get("week_type", "")).lower()
    parities = {parity for mark, parity in PARITY.items() if mark in kind}
    if len(parities) != 1 or isinstance(weeks, BadRow):
        return weeks
    return [week for week in weeks if week % 2 in parities] or BadRow("bad_weeks", "weeks", "没有任何一周")


def _runs(cells: Mapping[str, str], said: Meeting, calendar: Calendar) -> list[tuple[Any, Any]]:
    runs: Sequence[Any] = said.runs(calendar)
    numbered = cells.get("sections") or cells.get("start_section")
    if not runs and not numbered and cells.get("start_time"):
        told = read_meeting(f"{cells['start_time']}-{cells.get('end_time', '')}", weeks=False)
        runs = told.runs(calendar) or [BadRow("bad_number", "start_time", "应为 HH:MM 时间")]
    if not runs and ("sections" in cells or "start_section" not in cells):
        found = _hold_error(sections_of, cells.get("sections", ""))
        runs = [found] if isinstance(found, BadRow) else _counted(found, cells.get("section_count", ""))
    if runs:
        return [(run, run) if isinstance(run, BadRow) else run for run in runs]
    first, last = (_hold_error(partial(_number, column=name), cells[name]) for name in ("start_section", "end_section"))
    return [(first, last)]


def _counted(runs: list[Run], count: str) -> list[Run]:
    """Returns as many sections as are told beside the first one: 节次 3, 节数 2."""
    digits = plain(count)
    alone = len(runs) == 1 and runs[0][0] == runs[0][1] and re.fullmatch(r"[1-9]\d?", digits)
    return [(runs[0][0], runs[0][0] + int(digits) - 1)] if alone else runs


def _hold_error(read: Any, words: str) -> Any:
    """Returns what is read, or the `BadRow` that reading raised: the next reader of the row decides when it counts."""
    try:
        return read(words)
    except BadRow as bad:
        return bad


def _number(words: str, column: str) -> int:
    digits = plain(words)
    if not digits:
        raise BadRow("missing_field", column, "缺少该字段")
    if not re.fullmatch(r"[0-9]{1,4}", digits):
        raise BadRow("bad_number", column, "应为整数")
    return int(digits)
