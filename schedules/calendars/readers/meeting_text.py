"""The time of a meeting in words, as school systems print it, and the words around it.

All of these are one thing: `周一第1,2节{第1-16周|单周}`, `(1-2节)1-16周`, `1-16(周)[01-02节]`, `1-15单[3-4]`,
`[1-16周]星期一[5-6节]`, `一[5-6节]`, `星期三 第3-4节 1-8周,10-16周(双)`.
"""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from schedules.calendars.characters import simple
from schedules.calendars.readers.day_times import count_within, cut_part, cut_span, sections_in
from schedules.calendars.readers.number_lists import TEXT_MAX, Run, plain, sections_of, weeks_of
from schedules.calendars.rows import BadRow
from schedules.planner.grid import Calendar

WEEKDAYS = {
    **{day: number for number, days in enumerate(("一", "二", "三", "四", "五", "六", "日天"), 1) for day in days},
    **{day: number for number, day in enumerate(("mon", "tue", "wed", "thu", "fri", "sat", "sun"), 1)},
    **{str(number): number for number in range(1, 8)},
}
FULL_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_DAY = re.compile(r"(?:星期|礼拜|周)([一二三四五六日天])|星期([1-7])|^([一二三四五六日天])(?=\[)")
DATE = re.compile(r"\d{4}(?:年|[-./])\d{1,2}(?:月|[-./])\d{1,2}")
"""The clock times beside a date are those of an exam."""
_ON = re.compile(r"第?(\d{1,2})节连续(\d{1,2})节")
_COUNTED = re.compile(r"(\d{1,2}(?:-\d{1,2})?(?:,\d{1,2}(?:-\d{1,2})?)*[单双]?)\((\d{1,2}(?:[-,]\d{1,2})*)\)")
"""Weeks with the sections in brackets: 1-16(3,4)."""
ENGLISH_WEEKS = re.compile(r"(?i:\b(?:weeks?|wks?)\b\.?:?\s*(\d{1,2}(?:\s*(?:-|,|&|and)\s*\d{1,2})*))")
"""Weeks 1-8, 10 & 12: what Chinese tables write as 1-8,10,12周."""
_NUMBER = r"(?:\d{1,8}|[一二三四五六七八九十]{1,3})"
_DAYS = re.compile(r"(?:星期|礼拜|周)[一二三四五六日天]|(?<![\u4e00-\u9fff])[一二三四五六日天](?=[\[【])")
_END = re.compile(r"[^节\]】]*[节\]】][)）]?")
_BORDERS = " \t,，、/;；"
DAYS_MAX = 1_000
"""Characters of a text that may tell of several weekdays."""
_SECTIONS = re.compile(
    rf"\(?第?({_NUMBER}(?:(?:大?节)?[-~至到,、;]第?{_NUMBER})*(?:大|小)?节)(?!/周)\)?"
    r"|\[(\d{1,2}(?:[-~至到,、;]\d{1,2})*|(?:\d\d){2,4})节?\]"
)
_CODE, _RANK = re.compile(r"^[\[【][0-9A-Za-z_.-]{2,20}[\]】]\s*"), re.compile(r"\s*[\[【][^\]】]{1,12}[\]】]$")
_NUMBERED = re.compile(r"^\d{6,12}\s+(\S.*?)(?:[\[【]\d{2,12}[\]】])?$")
"""金智 prints the number of a course in front and that of its class behind: 100172102 高等数学[01]."""
_SIGNS = "★☆●○◎◇◆□■△▲▽▼※♀♂〇"


@dataclass(frozen=True)
class Meeting:
    """Tells what a text says of a time; None for what it does not say. `weeks` may be why they cannot be read."""

    weekday: int | None = None
    weeks: Sequence[int] | BadRow | None = None
    sections: Sequence[Run] | None = None
    span: Run | None = None
    """Clock times, in minutes of the day."""
    part: int | None = None
    """The part of the day that is named beside the sections, from 0."""
    marked: bool = False
    """Figures with a word or a bracket of times: a bare number is rather a room."""

    @property
    def is_time(self) -> bool:
        """Tells whether the text is the time of a meeting and not some other words."""
        if isinstance(self.weeks, BadRow):
            return self.has_sections or self.weeks.values.get("parity") is not None
        return self.has_sections or (self.marked and self.weeks is not None)

    @property
    def has_sections(self) -> bool:
        return self.sections is not None or self.span is not None

    def runs(self, calendar: Calendar) -> Sequence[Run | BadRow]:
        """Returns the sections in a semester, by their numbers rather than by the clock; none where none are told."""
        if self.sections is not None:
            return [count_within(self.part, run, calendar.grid) for run in self.sections]
        return [] if self.span is None else [sections_in(self.span, calendar)]


NOTHING = Meeting()


def read_meeting(words: str, *, weeks: bool = True) -> Meeting:
    """Reads weekday, weeks and sections that a text tells of; without `weeks` what is left over is not looked at."""
    return _read_meeting(words, weeks=weeks) if len(words) <= 4 * TEXT_MAX else NOTHING


@lru_cache(maxsize=2_048)  # readers ask for the same line several times: whether it is a time, then which
def _read_meeting(words: str, *, weeks: bool) -> Meeting:
    text = _halfwidth(words)
    if not text or len(text) > 2 * TEXT_MAX:
        return NOTHING
    text = _ON.sub(lambda found: f"{found[1]}-{int(found[1]) + int(found[2]) - 1}节", text)
    counted = _COUNTED.fullmatch(text)
    text = f"{counted[1]}周[{counted[2]}]" if counted else text
    marked = bool(re.search(r"[周单双\[{]", text) and re.search(r"\d", text))
    span, text = (None, text) if DATE.search(text) else cut_span(text)
    part, text = cut_part(text)
    day = _DAY.search(text)
    # 周一 is a day, and its figure must not be taken for a number of sections.
    rest = text if day is None else f"{text[: day.start()]} {text[day.end() :]}"
    found = _SECTIONS.search(rest)
    runs = None
    if found is not None:
        try:
            runs = sections_of(found[1] or found[2])
        except BadRow:
            return NOTHING
        rest = f"{rest[: found.start()]} {rest[found.end() :]}"
    weekday = WEEKDAYS[next(group for group in day.groups() if group)] if day else None
    told = _weeks(rest) if weeks else None
    if found is not None and "节" not in found[0] and isinstance(told, BadRow):
        return NOTHING  # a number in brackets behind other words than weeks is that of a class: 概率论[01]
    return Meeting(weekday, told, runs, span, part, marked)


def _weeks(rest: str) -> Sequence[int] | BadRow | None:
    listed = re.sub(r"[\[\]{}]", " ", rest).replace("()", " ").strip(" ,;|/")
    if not listed:
        return None
    try:
        return weeks_of(re.sub(r"\s+", " ", listed))
    except BadRow as bad:
        return bad


def _weeks_in_chinese(found: re.Match[str]) -> str:
    return re.sub(r"\s*(?:&|and)\s*", ",", found[1], flags=re.IGNORECASE) + "周"


def _halfwidth(words: str) -> str:
    """Writes half-width simplified characters, brackets of one kind, blanks only where they part two lists."""
    text = re.sub(r"[‐-―−]", "-", simple(unicodedata.normalize("NFKC", words))).translate(
        str.maketrans("【】〔〕", "[][]")
    )
    text = ENGLISH_WEEKS.sub(_weeks_in_chinese, text)
    return re.sub(r"(?<![\d周节)\]}])\s+|\s+(?![\d第])", "", text.strip())


def read_weekday(words: str) -> int:
    """Reads the number of a weekday: 1, 一, 星期一, Mon; raises `BadRow`."""
    name = re.sub(r"^(星期|礼拜|周)", "", plain(words).lower()).rstrip(".")
    if len(name) > 1:  # Mo, Tues and Thursday are short or full forms
        name = next((day[:3] for day in (*FULL_WEEKDAYS, "weds") if day.startswith(name)), name)
    if not name:
        raise BadRow("missing_field", "day_of_week", "缺少该字段")
    if name not in WEEKDAYS:
        raise BadRow("bad_weekday", "day_of_week", "星期应为 1 到 7")
    return WEEKDAYS[name]


def split_days(words: str) -> list[str]:
    """Splits what is told of several weekdays: `1-16周 一[1-2] 三[3-4]`, `周一1-2节,周三3-4节 1-16周`.

    Weeks that stand once are those of all.
    """
    words = simple(words)
    days = list(_DAYS.finditer(words)) if len(words) <= DAYS_MAX else []
    if len(days) < 2:
        return [words]
    weeks = words[: days[0].start()].strip(_BORDERS)
    tails = [words[day.end() : next_.start()] for day, next_ in itertools.pairwise(days)] + [words[days[-1].end() :]]
    if not weeks:
        parts = [f"{day[0]}{tail.strip(_BORDERS)}" for day, tail in zip(days, tails, strict=True)]
        told = [read_meeting(part).weeks for part in parts]
        shared = tails[-1].strip(_BORDERS) if told[-1] is not None and not any(told[:-1]) else ""
        last = _END.match(shared)
        return [f"{part} {shared[last.end() :]}" for part in parts[:-1]] + parts[-1:] if last else parts
    parts = []
    for day, tail in zip(days, tails, strict=True):
        end = _END.match(tail)
        parts.append(f"{weeks} {day[0]}{tail[: end.end()] if end else tail}")
        weeks = (tail[end.end() :].strip(_BORDERS) if end else "") or weeks
    return parts


def bare_name(words: str) -> str:
    """Returns the name of a course without its code in front and the signs behind that tell of its kind."""
    bare = _CODE.sub("", _NUMBERED.sub(r"\1", words.strip()))
    return bare.rstrip(_SIGNS + " ") or words.strip()


def bare_teacher(words: str) -> str:
    """Returns the name of a teacher without the rank behind, and without signs and brackets around it."""
    name = _RANK.sub("", words.strip()).rstrip("* ")
    return name[1:-1].strip() if re.fullmatch(r"[(（][^()（）]+[)）]", name) else name
