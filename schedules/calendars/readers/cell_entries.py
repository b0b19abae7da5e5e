"""The meetings that one cell of a week grid tells of, by its lines alone.

School systems print a name, then time, teacher and room in a sequence of their own (正方: name, time, teacher, room,
its new form the room first; 青果: name, teacher, time, room); entries of one cell stand apart by an empty line, a line
of dashes, or not at all. Who writes a table by hand puts all of an entry in one line: `高等数学 1-16周 教1-101 张三`.
Below a name a line may tell a time with what belongs to it (正方 in print: `(1-2节)1-16周/场地:教1/教师:张三`; 金智:
`1-5周,9-13周,星期1,第1节-第2节,教1`); several such lines, or times with a room each, are meetings of that name.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from schedules.calendars.characters import simple
from schedules.calendars.readers.meeting_text import DATE, Meeting, bare_name, bare_teacher, read_meeting
from schedules.calendars.rows import BadRow

KIND = re.compile(
    r"(专业|公共|通识|学科|院系?|校|跨)*(必修|选修|限选|任选|公选|指选|基础|平台|必选)课?|理论|实践|实验|讲课"
)
RULE = re.compile(r"[-—–_=─*]{4,}")
LABEL = re.compile(
    r"\s*(课程名称|课程|任课教师|授课教师|上课教师|教师|老师|上课地点|地点|场地|教室|校区|上课时间|时间|周次|周数|节次)"
    r"\s*[:：]\s*"
)
OTHER_LABEL = re.compile(r"\s*[\u4e00-\u9fff]{2,10}\s*[:：]")
"""What stands before something else than a time, a teacher or a room: 教学班:, 考核方式:, 总学时:."""
ROOM = re.compile(r"\d|校[区區]|[楼樓]|室|[馆館]|[场場]|院|[厅廳]|中心|基地|[线線]上|[网網][络絡]|[机機]房")
_INSIDE = r"[^()（）\[\]【】{}]*"
_OTHER = r"(?![\u4e00-\u9fff])"
_BARE = (
    r"(?<!\d)第?\d{1,2}(?:[周节]?\s*[-–—~至到,，、]\s*第?\d{1,2})*[单双]?"
    # Behind a blank 周 or 单 may begin a name, as in 教1-01 周红.
    rf"(?:\s*[(（]周[)）]|周|节|\s+(?:周|节)(?:(?=[单双])|{_OTHER}))"
    rf"(?:\s*[(（\[{{|][单双]周?[)）\]}}]?|[单双]周?[)）\]}}]?|\s+[单双](?:周|{_OTHER}))?"
    # 周天宇 is a name, 周天 and 周天第1节 are days.
    rf"|星期[一二三四五六日天]|周[一二三四五六日天](?:(?=[第上下早晚中至到和及、一二三四五六七八九十])|{_OTHER})"
    r"|星期[1-7]|[(（][单双]周?[)）]"
)
_ENGLISH = r"(?i:\b(?:weeks?|wks?)\b\.?:?\s*\d{1,2}(?:\s*(?:[-–,&]|and)\s*\d{1,2})*)"
_BARE = rf"{_BARE}|{_ENGLISH}"
_TIME = rf"(?:[(（\[【{{](?={_INSIDE}\d{_INSIDE}[周节]){_INSIDE}[)）\]】}}]|[(（\[]{_ENGLISH}{_INSIDE}[)）\]]|{_BARE})"
_GAP = r"[\s,，、;；]*"
TIMES_WITHIN = (re.compile(rf"{_TIME}(?:{_GAP}{_TIME})*"), re.compile(rf"(?:{_BARE})(?:{_GAP}(?:{_BARE}))*"))
"""Times in a line of other words: with brackets around them, else wherever they stand."""
BORDER = re.compile(r"\s*[/|｜@,，;；]\s*")
BORDERS = (";；", "|｜", "/", ",，、")
"""What stands between entries of one line, the strongest first."""
NAMED = re.compile(r"[^\W\d_]")
ROOM_ALONE = re.compile(r"[^\W\d]{0,6}[教楼樓馆館室]\w{0,2}\d[\w-]{0,6}|[^\W\d]{0,8}[\w-]{0,4}\d{3}[A-Za-z]?")
"""Words that are rather a room than a course: 教1-101, 理科楼202, A101."""
NAME_OF_TEACHER = re.compile(r"[\u4e00-\u9fff]{2,3}(?:老[师師]|教授)?")
_WEEKS = r"[单双]?\d{1,2}(?:-\d{1,2})?"
_ROOM = r"(?=[^()（）]*(?:[^\d\s,，()（）-]|\d{3}))[^()（）]*(?:[(（][^()（）]*[)）][^()（）]*)?"
WEEKS_AND_ROOM = re.compile(
    rf"[(（]({_WEEKS}(?:[\s,，]+{_WEEKS})*)[\s,，]+({_ROOM})[)）]|[(（]({_WEEKS}(?<=\d-\d|-\d\d))[)）]"
)
"""树维 prints the weeks and the room of an entry in brackets of their own: (1-16,教1-101)."""
NUMBERED = re.compile(
    r"(?:([\u4e00-\u9fff·]{2,8}(?:[,，、][\u4e00-\u9fff·]{2,8})*)\s+)?(\S.*?)\s*"
    r"[(（](?![vV]?\d{1,2}\.)[\w-]{2,20}\.[\w.-]{1,12}[)）]",
    re.ASCII,
)
"""A name with the number of its class, the teachers in front: 张三 高等数学(MATH1001.01). A version, v3.11, is none."""
LABELS = {
    **dict.fromkeys(("课程名称", "课程"), "name"),
    **dict.fromkeys(("任课教师", "授课教师", "上课教师", "教师", "老师"), "teacher"),
    **dict.fromkeys(("上课地点", "地点", "场地", "教室"), "location"),
    "校区": "campus",
}
LINES_MAX = 400
"""Lines of a cell that are looked at."""
LINE_MAX = 200
"""Characters of a line that may hold an entry."""


@dataclass(frozen=True)
class CellEntry:
    """Holds one meeting as a cell tells it; `times` are the texts that say when."""

    name: str
    teacher: str = ""
    location: str = ""
    times: tuple[str, ...] = ()
    source: str = ""
    exam: str = ""
    """When and where its exam is, as the cell says it."""

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
        next((one.span for one in said if one.span is not None), None),
        next((one.part for one in said if one.part is not None), None),
    )


def entries_of(lines: Sequence[str]) -> Iterator[CellEntry]:
    """Yields the entries of a cell; an empty line stands for any border between them."""
    block: list[str] = []
    for line in [*lines[:LINES_MAX], ""]:
        words = line.strip()
        several = _split_line(words)
        if len(several) > 1:
            block += several
        elif words and not RULE.fullmatch(words):
            block.append(words)
        elif block:
            yield from _entries_of_block(block)
            block = []


def _split_line(line: str) -> list[str]:
    """Splits a line of several entries at the border before each name: `英语(1-8周)/物理(9-16周)`."""
    if len(line) > LINE_MAX:
        return [line]
    times = list(TIMES_WITHIN[0].finditer(simple(line)))
    parts, begin = [], 0
    for time, later in itertools.pairwise(times):
        between = line[time.end() : later.start()]
        cut = _border_before_name(between)
        if cut >= 0 and line[begin : time.start()].strip():
            parts.append(line[begin : time.end() + cut].strip())
            begin = time.end() + cut + 1
    return [*parts, line[begin:].strip()]


def _border_before_name(between: str) -> int:
    """Returns where the strongest border before a name stands, -1 when there is none: a room is no name."""
    for borders in BORDERS:
        cut = max(between.rfind(border) for border in borders)
        name = BORDER.split(between[cut + 1 :])[0].strip(" (（[【{")
        if cut >= 0 and not ROOM_ALONE.fullmatch(name):
            return cut if NAMED.search(name) else -1
    return -1


def _entries_of_block(block: list[str]) -> Iterator[CellEntry]:
    if _parts_of(block[0]) and not any(_is_time(line) and not _parts_of(line) for line in block[1:]):
        yield from _entries_of_lines(block)
        return
    times = [at for at, line in enumerate(block) if at and (_is_time(line) or _split_times(line))]
    firsts = [at for at in times if at - 1 not in times]
    if len(firsts) < 2:
        yield from _entries_of_lines_below(block)
        return
    before = firsts[0]
    # An entry has as many lines before its time as the first one, but never the time of the one before.
    starts = [max(at - before, 1 + max((time for time in times if time < at), default=-1)) for at in firsts]
    head: list[str] = []
    for start, first, end in zip(starts, firsts, [*starts[1:], len(block)], strict=True):
        if head and ROOM_ALONE.fullmatch(block[start]):
            yield from _entries_of_lines_below([*head, *block[start + 1 : end]])
            continue
        head = block[start:first]
        # What stands before the next time is the room of this one, where it can be no name.
        room = end < len(block) and ROOM_ALONE.fullmatch(block[end])
        yield from _entries_of_lines_below(block[start : end + 1 if room else end])


def _entries_of_lines_below(lines: list[str]) -> Iterator[CellEntry]:
    """Yields what the lines below a name tell: an entry for each that has a time with other words, else one."""
    told = [(at, part) for at, line in enumerate(lines) if at for part in _split_times(line)]
    if not told:
        yield _entry(lines)
        return
    taken = {at for at, _ in told}
    before = [line for at, line in enumerate(lines) if at < min(taken)]
    after = [line for at, line in enumerate(lines) if at > min(taken) and at not in taken]
    for _, part in told:
        yield replace(_entry([*before, *part, *after]), source=" / ".join(lines))


def _split_times(line: str) -> list[list[str]]:
    """Splits a line that has times beside other words: what belongs to each of them, as lines; none for another
    line."""
    said = read_meeting(line)
    if (said.is_time and not isinstance(said.weeks, BadRow)) or LABEL.match(simple(line)) or _weeks_and_room(line):
        return []
    told: list[list[str]] = []
    words: list[str] = []
    leads = False
    for piece in line.split("/"):
        begin = 0
        for time in _times_within(piece):
            words += _split_words(piece[begin : time.start()], named=False)
            leads = bool(words) if not told else leads
            # Where something stands before the first time, it stands before the others too.
            if told and not leads:
                told[-1] += words
                words = []
            told.append([*words, time[0]])
            words, begin = [], time.end()
        if begin:
            words += _split_words(piece[begin:], named=False)
        elif LABEL.match(simple(piece)) or not OTHER_LABEL.match(piece):
            words.append(piece.strip())
    if told:
        told[-1] += filter(None, words)
    return told if any(len(part) > 1 for part in told) else []


def _times_within(piece: str) -> list[re.Match[str]]:
    if len(piece) > LINE_MAX:
        return []
    found = ([time for time in within.finditer(simple(piece)) if _is_time(time[0])] for within in TIMES_WITHIN)
    return next(filter(None, found), [])


def _entries_of_lines(block: list[str]) -> Iterator[CellEntry]:
    """Yields an entry for each line that has a name and a time, with the lines behind that have neither."""
    parts: list[str] = []
    source: list[str] = []
    for line in block:
        opened = _parts_of(line)
        if opened is not None and parts:
            yield replace(_entry(parts), source=" / ".join(source))
            parts, source = [], []
        parts += opened or [line]
        source.append(line)
    yield replace(_entry(parts), source=" / ".join(source))


def _parts_of(line: str) -> list[str] | None:
    """Returns the name, the time and the other words of a line that holds a whole entry; None for another line."""
    if len(line) > LINE_MAX or LABEL.match(simple(line)):
        return None
    read = simple(line)
    for within in TIMES_WITHIN:
        found = within.search(read)
        before = line[: found.start()].strip(" \t/|｜@,，;；、:：-(（[【{") if found else ""
        if found and before and _is_time(found[0]):
            name, *others = _split_words(before, named=True)
            if within.search(read, found.end()):  # which time is whose cannot be told
                return [name, *_split_words(line[found.start() :], named=False)]
            return [name, found[0], *others, *_split_words(line[found.end() :], named=False)]
    return None


def _split_words(words: str, *, named: bool) -> list[str]:
    """Splits at borders, else at blanks where a teacher or a room begins; with `named` the first part is the name."""
    parts = BORDER.split(words)
    if len(parts) == 1 or not named:
        parts = [part for one in parts for part in one.split()]
    joined: list[str] = []
    for part in filter(None, map(_without_half_brackets, parts)):
        is_name = not NAME_OF_TEACHER.fullmatch(part) and not ROOM.search(part)
        both_rooms = joined and ROOM.search(part) and ROOM.search(joined[-1]) and not (named and len(joined) == 1)
        if both_rooms or (named and len(joined) == 1 and is_name):
            joined[-1] += f" {part}"
        else:
            joined.append(part)
    return joined


def _without_half_brackets(part: str) -> str:
    """Returns words without the brackets whose other half stands at the time beside them."""
    bare = part.lstrip(" )）]】}").rstrip(" (（[【{")
    closed = re.match(r"[^(（\[【{]*?(?=[)）\]】}]+$)", bare)
    return closed[0] if closed else bare


def _is_time(line: str) -> bool:
    return read_meeting(LABEL.sub("", simple(line), count=1)).is_time or _weeks_and_room(line) is not None


def _weeks_and_room(line: str) -> tuple[str, str] | None:
    found = WEEKS_AND_ROOM.fullmatch(line) if len(line) <= LINE_MAX else None
    return found and (f"{found[1] or found[3]}周", found[2] or "")


def _entry(lines: Sequence[str]) -> CellEntry:
    exam = next((at for at, line in enumerate(lines) if at and DATE.match(line)), len(lines))
    found: dict[str, str] = {}
    times: list[str] = []
    rest: list[tuple[bool, str]] = []
    for at, line in enumerate(lines[:exam]):
        label = LABEL.match(simple(line))
        words = line[label.end() :].strip() if label else line
        kind = LABELS.get(label[1]) if label else None
        weeks_and_room = _weeks_and_room(line) if at else None
        if weeks_and_room is not None:
            times.append(weeks_and_room[0])
            found.setdefault("location", weeks_and_room[1])
        elif kind:
            found.setdefault(kind, words)
        elif at and (label or _is_time(words)):
            times.append(words)
        elif at == 0:
            numbered = NUMBERED.fullmatch(words) if len(words) <= LINE_MAX else None
            found.setdefault("name", numbered[2] if numbered else words)
            if numbered and numbered[1]:
                found["teacher"] = numbered[1]
        elif not KIND.fullmatch(simple(words)):
            rest.append((bool(times), words))
    _name_the_rest(rest, found, timed=bool(times))
    room, campus = found.get("location", ""), found.get("campus", "")
    return CellEntry(
        bare_name(found.get("name", "")),
        bare_teacher(found.get("teacher", "")),
        room if campus in room else f"{campus} {room}".strip(),
        tuple(times),
        " / ".join(lines),
        " ".join(lines[exam:]),
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
