"""The JSON form of courses: `courses[{course_name, location, is_allow_tasks, arrangements[...]}]`.

Each arrangement is one row, numbered from 1 over the whole document. Weeks are a list `weeks`, or `start_week`,
`end_week` and `week_type` (all, odd, even).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from schedules.calendars.rows import NAME_MAX, SOURCE_MAX, BadRow, CourseRow, MendOffer, Outcome, RowError
from schedules.planner.grid import Grid
from taskclasses.spec import is_blank

WEEK_TYPES = {"all": (0, 1), "odd": (1,), "even": (0,)}
EVERY_WEEK: dict[object, str] = {
    None: "按第1到{high}周每周上课",
    1: "按第1到{high}周的单周上课",
    0: "按第1到{high}周的双周上课",
}
"""What weeks that are not told are taken as, by the parity that is told of them."""


def rows_of_document(document: Mapping[str, Any], grid: Grid) -> Iterator[Outcome]:
    """Yields the rows and row errors of a document whose `courses` is a list; one bad row never hides the others."""
    return _rows(document.get("courses") or [], grid)


def _rows(courses: list[Any], grid: Grid) -> Iterator[Outcome]:
    number = 0
    for course in courses:
        arrangements = course.get("arrangements") if isinstance(course, Mapping) else None
        if not isinstance(arrangements, list) or not arrangements:
            number += 1
            bad = BadRow("missing_field", "arrangements", "缺少上课时间")
            yield bad.of(number, name_of(course), quote(course))
            continue
        for arrangement in arrangements:
            number += 1
            yield read_row(number, course, arrangement, grid, source=quote(arrangement))


def quote(value: Any) -> str:
    """Returns a value of a JSON file as its report quotes it; what no answer could carry becomes a question mark."""
    words = json.dumps(value, ensure_ascii=False, default=str)[:SOURCE_MAX]
    return words.encode(errors="replace").decode()


def name_of(course: Any) -> str:
    """Returns the name of a course as far as it can be told."""
    try:
        return _text(course, "course_name") if isinstance(course, Mapping) else ""
    except BadRow:
        return ""


def read_row(
    number: int,
    course: Mapping[str, Any],
    arrangement: Any,
    grid: Grid,
    *,
    source: str,
    columns: Mapping[str, str] | None = None,
) -> CourseRow | RowError:
    """Reads one arrangement as a row, or why it is none and what would make it one.

    `weeks`, `day_of_week` and the sections may be a `BadRow`, for a reader that could not read them. `columns` are the
    names that the file gives to the columns of the JSON form.
    """
    try:
        return replace(course_row(number, course, arrangement, grid), source=source[:SOURCE_MAX])
    except BadRow as bad:
        named = BadRow(bad.code, (columns or {}).get(bad.column, bad.column), bad.message, **bad.values)
        error = named.of(number, name_of(course), source)
        found = _mend_fault(bad, arrangement, grid)
        if found is None:
            return error
        kind, message, changes = found
        mended = read_row(number, course, {**arrangement, **changes}, grid, source=error.source, columns=columns)
        if isinstance(mended, RowError) and not mended.offers:
            return error
        values = {"high": grid.sections if kind == "sections" else grid.weeks}
        return replace(error, offers=(MendOffer(kind, message, values, mended),))


def _mend_fault(bad: BadRow, arrangement: Any, grid: Grid) -> tuple[str, str, dict[str, Any]] | None:
    """Returns a kind of mend, its sentence and what it changes: all weeks for weeks that are not told, less for what is
    too much."""
    if not isinstance(arrangement, Mapping):
        return None
    if bad.code == "section_outside_day":
        first = arrangement.get("start_section")
        fits = type(first) is int and 1 <= first <= grid.sections
        return ("sections", "只保留到第{high}节", {"end_section": grid.sections}) if fits else None
    if bad.code == "week_outside_semester":
        inside = _inside(arrangement, grid)
        return ("weeks", "只保留第1到{high}周", {"weeks": inside}) if inside else None
    if "week" in bad.column and "day" not in bad.column and bad.code in ("missing_field", "bad_weeks"):
        parity = bad.values.get("parity")
        weeks = [week for week in range(1, grid.weeks + 1) if parity is None or week % 2 == parity]
        return "weeks", EVERY_WEEK[parity], {"weeks": weeks}
    return None


def _inside(arrangement: Mapping[str, Any], grid: Grid) -> list[int]:
    """Returns the weeks of an arrangement that the semester has."""
    listed = arrangement.get("weeks")
    if listed is None:
        first, last = max(1, number_of(arrangement, "start_week")), min(grid.weeks, number_of(arrangement, "end_week"))
        kept = WEEK_TYPES.get(arrangement.get("week_type", "all"), (0, 1))
        return [week for week in range(first, last + 1) if week % 2 in kept]
    return [week for week in listed if 1 <= week <= grid.weeks]


def course_row(number: int, course: Mapping[str, Any], arrangement: Any, grid: Grid) -> CourseRow:
    """Returns one arrangement of a course; raises `BadRow` for the first thing that is wrong with it."""
    if not isinstance(arrangement, Mapping):
        raise BadRow("missing_field", "arrangements", "应为对象")
    name = _text(course, "course_name", required=True)
    location = _text(arrangement, "location") or _text(course, "location")
    embeddable = course.get("is_allow_tasks", False)
    if not isinstance(embeddable, bool):
        raise BadRow("missing_field", "is_allow_tasks", "应为布尔值")
    weekday = number_of(arrangement, "day_of_week")
    if not 1 <= weekday <= 7:
        raise BadRow("bad_weekday", "day_of_week", "星期应为 1 到 7")
    first, last = number_of(arrangement, "start_section"), number_of(arrangement, "end_section")
    if last < first:
        raise BadRow("bad_range", "end_section", "结束节早于开始节")
    if not 1 <= first <= last <= grid.sections:
        raise BadRow(
            "section_outside_day", "start_section, end_section", "节次应在 1 到 {high} 之间", high=grid.sections
        )
    weeks = _weeks(arrangement, grid)
    teacher = _text(course, "teacher")
    return CourseRow(number, name, location, embeddable, weeks, weekday, first, last, teacher)


def _weeks(arrangement: Mapping[str, Any], grid: Grid) -> tuple[int, ...]:
    listed = arrangement.get("weeks")
    if isinstance(listed, BadRow):
        raise listed
    if listed is not None:
        if not isinstance(listed, list) or not listed or any(type(week) is not int for week in listed):
            raise BadRow("bad_weeks", "weeks", "应为周次列表")
        weeks = tuple(sorted(set(listed)))
        column = "weeks"
    else:
        first, last = number_of(arrangement, "start_week"), number_of(arrangement, "end_week")
        kind = arrangement.get("week_type", "all")
        if not isinstance(kind, str) or kind not in WEEK_TYPES:
            raise BadRow("bad_weeks", "week_type", "应为 all、odd 或 even")
        if last < first:
            raise BadRow("bad_range", "end_week", "结束周早于开始周")
        if first < 1 or last > grid.weeks:
            raise BadRow("week_outside_semester", "start_week, end_week", "周次应在 1 到 {high} 之间", high=grid.weeks)
        weeks = tuple(week for week in range(first, last + 1) if week % 2 in WEEK_TYPES[kind])
        column = "week_type"
    if not weeks:
        raise BadRow("bad_weeks", column, "没有任何一周")
    if weeks[0] < 1 or weeks[-1] > grid.weeks:
        raise BadRow("week_outside_semester", "weeks", "周次应在 1 到 {high} 之间", high=grid.weeks)
    return weeks


def number_of(row: Mapping[str, Any], column: str) -> int:
    value = row.get(column)
    if isinstance(value, BadRow):
        raise value
    if value is None:
        raise BadRow("missing_field", column, "缺少该字段")
    if type(value) is not int:
        raise BadRow("bad_number", column, "应为整数")
    return value


def _text(row: Mapping[str, Any], column: str, *, required: bool = False) -> str:
    value = row.get(column)
    if value is None or (isinstance(value, str) and is_blank(value)):
        if required:
            raise BadRow("missing_field", column, "缺少该字段")
        return ""
    if not isinstance(value, str) or "\x00" in value or any("\ud800" <= char <= "\udfff" for char in value):
        raise BadRow("missing_field", column, "应为文字")
    if len(value.strip()) > NAME_MAX:
        raise BadRow("missing_field", column, "最多{n}个字", n=NAME_MAX)
    return value.strip()
