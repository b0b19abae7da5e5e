"""Sections that a table tells by clock times, or by their number within a part of the day.

`08:00-09:40`, `9:00 AM - 10:15 AM` and `下午第1节` name sections only beside the section table of a semester.
"""

from __future__ import annotations

import re

from schedules.calendars.clock import DAY, sections_at
from schedules.calendars.readers.number_lists import Run
from schedules.calendars.rows import BadRow
from schedules.planner.grid import Calendar, Grid

_CLOCK = r"(?<!\d)(\d{1,2}):(\d\d)(?::\d\d)?\s{0,3}([ap])?(?:\.?m\.?)?(?!\d)"
_SPAN = re.compile(rf"{_CLOCK}\s{{0,3}}(?:[-~至到,]|to)\s{{0,3}}{_CLOCK}", re.IGNORECASE)
_ONE = re.compile(_CLOCK, re.IGNORECASE)
_HOLLOW = re.compile(r"[(\[]\s*[)\]]")
_PARTS = {"上午": 0, "早上": 0, "早晨": 0, "下午": 1, "晚上": 2, "晚间": 2, "夜间": 2}
_PART = re.compile("|".join(_PARTS))


def cut_span(words: str) -> tuple[Run | None, str]:
    """Cuts the first span of clock times, in minutes of the day, out of half-width words; the other clock times go
    with it."""
    found = _SPAN.search(words)
    if found is None:
        return None, words
    begin_mark, end_mark = (found[at] and found[at].lower() for at in (3, 6))
    begin, end = _minute(found[1], found[2], begin_mark), _minute(found[4], found[5], end_mark)
    if begin_mark is None and end_mark is not None:  # 9:00-10:15 PM is one half of a day, 11:00-1:00 PM is both
        same = _minute(found[1], found[2], end_mark)
        begin = same if same < end else begin
    return (begin, end), _HOLLOW.sub(" ", cut_clocks(_SPAN.sub(" ", words)))


def cut_clocks(words: str) -> str:
    """Cuts all clock times out of half-width words."""
    return _ONE.sub(" ", words)


def cut_part(words: str) -> tuple[int | None, str]:
    """Cuts the name of a part of the day out of words; tells which part it is, from 0."""
    found = _PART.search(words)
    return (None, words) if found is None else (_PARTS[found[0]], words.replace(found[0], " "))


def sections_in(span: Run, calendar: Calendar) -> Run | BadRow:
    """Returns the sections that a span of clock times covers, or why there are none."""
    begin, end = span
    told = {"begin": f"{begin // 60:02}:{begin % 60:02}", "end": f"{end // 60:02}:{end % 60:02}"}
    if end <= begin or end > DAY:
        return BadRow("bad_range", "sections", "结束时间不晚于开始时间")
    found = sections_at(calendar.section_times, begin, end)
    return found or BadRow("no_section_for_time", "sections", "{begin} 到 {end} 不对应任何节次", **told)


def count_within(part: int | None, run: Run, grid: Grid) -> Run | BadRow:
    """Returns sections that are counted within a part of the day as the day counts them; those that the part cannot
    have are counted by the day already."""
    earlier = grid.day_parts[min(part, len(grid.day_parts)) - 1][1] if part else 0
    if not part or run[0] > earlier:
        return run
    if part >= len(grid.day_parts):
        return BadRow("bad_number", "sections", "看不出是一天里的第几节")
    first, last = grid.day_parts[part]
    return run if run[1] > last - first + 1 else (first - 1 + run[0], first - 1 + run[1])


def _minute(hour: str, minute: str, mark: str | None) -> int:
    hours = int(hour) if mark is None else int(hour) % 12 + 12 * (mark == "p")
    return 60 * hours + int(minute)
