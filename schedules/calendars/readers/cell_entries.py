"""The meetings that one cell of a week grid tells of, by its lines alone.

School systems print a name, then time, teacher and room in a sequence of their own (正方: name, time, teacher, room,
its new form the room first; 青果: name, teacher, time, room); entries of one cell stand apart by an empty line, a line
of dashes, or not at all.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from schedules.calendars.readers.meeting_text import Meeting, bare_name, bare_teacher, read_meeting
from schedules.calendars.rows import BadRow

KIND = re.compile(
    r"(专业|公共|通识|学科|院系?|校|跨)*(必修|选修|限选|任选|公选|指选|基础|平台|必选)课?|理论|实践|实验|讲课"
)
RULE = re.compile(r"[-—–_=─*]{4,}")
LABEL = re.compile(
    r"\s*(课程名称|课程|任课教师|授课教师|上课教师|教师|老师|上课地点|地点|教室|上课时间|时间|周次|周数|节次)\s*[:：]\s*"
)
ROOM = re.compile(r"\d|楼|室|馆|场|院|厅|中心|基地|线上|网络|机房")
LABELS = {
    **dict.fromkeys(("课程名称", "课程"), "name"),
    **dict.fromkeys(("任课教师", "授课教师", "上课教师", "教师", "老师"), "teacher"),
    **dict.fromkeys(("上课地点", "地点", "教室"), "location"),
}
LINES_MAX = 400
"""Lines of a cell that are looked at."""


@dataclass(frozen=True)
class CellEntry:
    """Holds one meeting as a cell tells it; `times` are the texts that say when."""

    name: str
    teacher: str = ""
    location: str = ""
    times: tuple[str, ...] = ()
    source: str = ""

    @property
    def meeting(self) -> Meeting:
        """Returns what all its times say together."""
        return join_meetings([read_meeting(words) for words in self.times])


def join_meetings(said: Sequence[Meeting]) -> Meeting:
    """Joins meetings: the first that says it decides each of weekday, weeks and sections."""
    told = sorted((one.weeks for one in said if one.weeks is not None), key=lambda weeks: isinstance(weeks, BadRow))
    return Meeting(
        next((one.weekday for one in said if one.weekday is not None), None),
        told[0] if told else None,
        next((one.sections for one in said if one.sections is not None), None),
    )


def entries_of(lines: Sequence[str]) -> Iterator[CellEntry]:
    """Yields the entries of a cell; an empty line stands for any border between them."""
    block: list[str] = []
    for line in [*lines[:LINES_MAX], ""]:
        words = line.strip()
        if words and not RULE.fullmatch(words):
            block.append(words)
        elif block:
            yield from _entries_of_block(block)
            block = []


def _entries_of_block(block: list[str]) -> Iterator[CellEntry]:
    times = [at for at, line in enumerate(block) if at and _is_time(line)]
    firsts = [at for at in times if at - 1 not in times]
    if len(firsts) < 2:
        yield _entry(block)
        return
    before = firsts[0]
    starts = [max(0, at - before) for at in firsts]
    for start, end in zip(starts, [*starts[1:], len(block)], strict=True):
        yield _entry(block[start:end])


def _is_time(line: str) -> bool:
    return read_meeting(LABEL.sub("", line, count=1)).is_time


def _entry(lines: Sequence[str]) -> CellEntry:
    found: dict[str, str] = {}
    times: list[str] = []
    rest: list[tuple[bool, str]] = []
    for at, line in enumerate(lines):
        label = LABEL.match(line)
        words = line[label.end() :].strip() if label else line
        kind = LABELS.get(label[1]) if label else None
        if kind:
            found.setdefault(kind, words)
        elif at and (label or _is_time(words)):
            times.append(words)
        elif at == 0:
            found.setdefault("name", words)
        elif not KIND.fullmatch(words):
            rest.append((bool(times), words))
    _name_the_rest(rest, found, timed=bool(times))
    return CellEntry(
        bare_name(found.get("name", "")),
        bare_teacher(found.get("teacher", "")),
        found.get("location", ""),
        tuple(times),
        " / ".join(lines),
    )


def _name_the_rest(rest: list[tuple[bool, str]], found: dict[str, str], *, timed: bool) -> None:
    """Names lines without a label: a teacher before the time or first behind it, then the room.

    The new 正方 prints the room first: it is one when it looks like a room and the line behind it does not.
    """
    before = [words for late, words in rest if not late]
    after = [words for late, words in rest if late]
    if len(after) > 1 and ROOM.search(after[0]) and not ROOM.search(after[1]):
        after[:2] = after[1::-1]
    if not timed:
        before, after = [], before
    if before:
        found.setdefault("teacher", before[-1])
    if "teacher" not in found and after and (len(after) > 1 or not ROOM.search(after[0])) and timed:
        found["teacher"] = after.pop(0)
    if after:
        found.setdefault("location", after[0])
