"""The pieces of which a time is said, Chinese and English: what each looks like, and what it means alone.

A piece is a day, some days, a week, weekdays, a part of the day, sections, an hour, or how often. How pieces side by
side make ranges and lists, and what stands before and behind them, is told in `reading`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal

from agent.llm.offline.language.normalize import digits
from agent.llm.offline.language.spans.times.hours import sections_of_hours
from agent.llm.offline.language.spans.times.semester import SemesterDates, to_date

Kind = Literal["day", "days", "week", "weekday", "part", "sections", "clock", "every"]
Side = Literal["", "before", "until", "from", "after"]
Role = Literal["", "avoided", "origin"]


@dataclass(frozen=True)
class Time:
    """A time that a text names at `start` to `end`; what was not said is None or empty.

    An open range has only a first or only a last day; a weekday of no certain week has neither.
    """

    kind: Kind
    start: int = 0
    end: int = 0
    first: date | None = None
    last: date | None = None
    week: int | None = None
    weekdays: tuple[int, ...] = ()
    part: int | None = None
    sections: tuple[int, int | None] | None = None
    clock: str = ""
    every: str = ""
    side: Side = ""
    role: Role = ""
    impossible: bool = False
    strict: bool = False
    """Of a bound that is a day: whether that day is none of it: before Saturday."""
    number: int | None = None
    """Of a day that is named by its number alone."""
    whole_month: bool = False
    loose: bool = False
    """Whether the month, the half of the day or the meaning itself depends on what stands beside it."""


Match = re.Match[str]
Reader = Callable[[Match, SemesterDates], Iterator[Time]]

NUM = r"(?:\d{1,3}|[零〇一二两三四五六七八九十]{1,4})"
_EN_COUNTS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
COUNT = rf"(?:\d{{1,2}}|(?:a )?couple(?: of)?|(?:a )?few|an?|{'|'.join(_EN_COUNTS)})"
WEEK = "(?:周|星期|礼拜)"
DAY_NAME = "[一二三四五六日天]"
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
MONTH_NAMES = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december", "jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec",
)  # fmt: skip
MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)(?![a-z])\.?"
)
_MAY = (
    r"(?:(?<!\bmay)|(?<=and \d may)|(?<=and \d\d may)|(?<=to \d may)|(?<=to \d\d may)|(?! (?:i|have|we|need|take)\b))"
)
"""What stands behind a number and "may": the month ends a range whatever follows, else a verb may; no other month is
a verb."""
_MONTH_SAID = (
    rf"(?!may\b|mar\b|march\b){MONTH}|(?:(?<=\bin )|(?<=\bof )|(?<=\bby )|(?<=before )|(?<=until )|(?<=till )"
    rf"|(?<=after )|(?<=since )|(?<=during )|(?<=\ball )|(?<=from )|(?<=mid-)|(?<=mid )|(?<=early )|(?<=late )"
    rf"|(?<=this )|(?<=next )|(?<=\bto )|(?<=into ))(?:may|mar|march)(?![a-z])|\bmay(?= (?:off|free)\b)"
)
ITEM_KINDS = ("chapter", "unit", "lab", "item", "part", "lecture", "lesson", "topic")
SUFFIX = "(?:st|nd|rd|th)"
EN_DAY = (
    r"(?:mon(?:day)?|tue(?:s(?:day)?)?|weds?(?:nesday)?|thu(?:r?s?(?:day)?)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?)"
)
_EN_DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_PARTS = (
    r"上午|一大早上?|大清早|早上|早晨|清晨|清早|(?<=[一二三四五六日天末号])早(?!一?[点些]|[八8上晨])|\bmornings?\b",
    r"下午|午后|\bafternoons?\b|\bafter lunch\b",
    r"晚上|晚间|夜里|夜晚|傍晚|晚?饭后|(?<=[每一二三四五六日天末号])晚(?!一?[点些])"
    r"|\b(?:evenings?|nights?|nite)\b|\bafter (?:dinner|supper)\b",
)
_UNITS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")
ORDINALS = (
    *_UNITS, "tenth", "eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth",
    "eighteenth", "nineteenth", "twentieth", *(f"twenty-{unit}" for unit in _UNITS), "thirtieth", "thirty-first",
)  # fmt: skip
_TODAY = {"大后天": 3, "后天": 2, "后儿": 2, "明": 1, "今": 0, "昨": -1, "大前天": -3, "前天": -2}
_EN_TODAY = {
    "day after tomorrow": 2, "day before yesterday": -2, "tomorrow": 1, "today": 0, "tonight": 0, "last night": -1,
    "yesterday": -1, "this": 0,
}  # fmt: skip
_EARLY, _MIDDLE, _LATE, _END = (1, 3), (2, 4), (4, 7), (5, 7)
_EDGES = {
    "前半": _EARLY, "上半": _EARLY, "初": _EARLY, "early": _EARLY, "beginning": _EARLY, "start": _EARLY,
    "first": _EARLY, "中": _MIDDLE, "middle": _MIDDLE, "mid": _MIDDLE, "后半": _LATE, "下半": _LATE, "late": _LATE,
    "second": _LATE,
    "end": _END,
}  # fmt: skip
"""The weekdays of an edge of a week."""
_NEAR_DATE = re.compile(r"考|截止|答辩|交|放假|ddl|deadline|exam|due|[日号]")
"""Beside these a single number with a dot is a date: 5.20才考."""
_NO_DATE = re.compile(
    r"(?:第|\b(?:chapter|chap|ch|unit|section|sec|lab|part|item|lesson|lecture|topic|version|v)s?\.?)\s*$"
)
_MEASURED = re.compile(r"\s*(?:个|节|小时|分|章|倍|版|学分|%|hours?|h\b|credits?|points?)")
"""Around a number with a dot that is no date: section 3.2, 1.5小时."""
_TO_DATE = re.compile(
    r"(?:[改换调延推移挪提][到成至为]|(?:截止|结束|开始)(?:日期|时间)?(?:到|是|为|:)?|[从自]|日期(?:是|为)?)\s*$"
    r"|\b(?:by|until|till|from|since|due|deadline is|starting|starts|ends?)(?: on| at| by)? $"
)
_DAY_BEHIND = re.compile(
    r"\s*(?:之?前|以前|之?后|以后|那[天1一]|当天|开始|起|截止|结束|为止|[上下]午|晚上|早上|我?(?:没|有)[空事])"
)
"""Around a number with a dot that is a date: 截止改成4.5, 4.5之前."""


def number_of(said: str) -> int:
    """三十一, a couple of, 12: a number; 几 and a few are three."""
    said = said.strip()
    if said in _EN_COUNTS:
        return _EN_COUNTS.index(said) + 1
    if "couple" in said or said in ("a", "an"):
        return 2 if "couple" in said else 1
    flat = digits(said)
    return int(flat) if flat.isdigit() else 3


def month_of(name: str) -> int:
    return _MONTHS.index(name[:3]) + 1


def weekday_of(name: str) -> int:
    if name[0] in "日天":
        return 7
    flat = digits(name)
    return int(flat) if flat.isdigit() else _EN_DAYS.index(name[:3]) + 1


def one_day(day: date | None, *, of_week: bool = False) -> Iterator[Time]:
    """A day; one of a week may be followed by others of that week."""
    weekdays = (day.isoweekday(),) if day and of_week else ()
    yield Time("day", first=day, last=day, weekdays=weekdays, impossible=day is None)


def some_days(first: date, last: date, *, of_week: bool = False) -> Iterator[Time]:
    weekdays = tuple(range(first.isoweekday(), last.isoweekday() + 1)) if of_week else ()
    yield Time("days", first=first, last=last, weekdays=weekdays)


def one_week(week: int, term: SemesterDates, *, counted: bool = False) -> Iterator[Time]:
    """A week; one that is counted is to be in the semester."""
    beyond = counted and not 1 <= week <= term.weeks
    yield Time("week", first=term.day(week, 1), last=term.day(week, 7), week=week, impossible=beyond)


def _numbers(found: Match, term: SemesterDates) -> Iterator[Time]:
    """17/04/2026, 04/17/2026: the month comes first where it can."""
    first, second, year = (int(group) for group in found.groups())
    return one_day(to_date(year, second, first) if first > 12 else to_date(year, first, second))


def _now(found: Match, term: SemesterDates) -> Iterator[Time]:
    return one_day(term.today)


def _last_week(found: Match, term: SemesterDates) -> Iterator[Time]:
    return one_week(term.weeks, term)


def _last_day(found: Match, term: SemesterDates) -> Iterator[Time]:
    return one_day(term.last_day)


def _iso(found: Match, term: SemesterDates) -> Iterator[Time]:
    return one_day(to_date(*(int(part) for part in found.groups())))


def _month_day(found: Match, term: SemesterDates) -> Iterator[Time]:
    if found[1]:
        return one_day(term.in_year(number_of(found[1]), number_of(found[3])))
    first = _month_off(term, found.group())
    return one_day(to_date(first.year, first.month, number_of(found[3])))


def _month_off(term: SemesterDates, text: str) -> date:
    """The first day of 这个月, 下个月, last month."""
    off = text.startswith("下") - text.startswith("上") + ("next" in text) - ("last month" in text)
    month = term.today.month - 1 + off
    return date(term.today.year + month // 12, month % 12 + 1, 1)


def _slashed(found: Match, term: SemesterDates) -> Iterator[Time]:
    """4/29 or 29/4: the day comes first where a first number of the text can be no month."""
    first, second = int(found[1]), int(found[2])
    if max(first, second) > 31 or min(first, second) > 12 or not first or not second:
        return
    day_first = any(int(one[1]) > 12 for one in re.finditer(r"(?<![\d/.])(\d{1,2})/\d{1,2}(?![\d/])", found.string))
    yield from one_day(term.in_year(second, first) if day_first else term.in_year(first, second))


def _dotted(found: Match, term: SemesterDates) -> Iterator[Time]:
    """11.30到12.20: only several, or one beside what has a date or goes to it, are sure to be dates."""
    head, rest = found.string[: found.start()], found.string[found.end() :]
    if _NO_DATE.search(head) or _MEASURED.match(rest):
        return
    several = len(re.findall(_DOTTED, found.string)) > 1
    goes = len(found[2]) == 2 and re.search(r"(?:^|[移挪调改排放推]到|在|从)\s*$", head)
    if several or goes or _TO_DATE.search(head) or _DAY_BEHIND.match(rest) or _NEAR_DATE.search(found.string):
        yield from one_day(term.in_year(int(found[1]), int(found[2])))


def _en_month_day(found: Match, term: SemesterDates) -> Iterator[Time]:
    return one_day(term.in_year(month_of(found[1]), int(found[2])))


def _en_day_month(found: Match, term: SemesterDates) -> Iterator[Time]:
    return one_day(term.in_year(month_of(found[2]), int(found[1])))


def _day_alone(found: Match, term: SemesterDates) -> Iterator[Time]:
    said = next(filter(None, found.groups()))
    number = ORDINALS.index(said) + 1 if said in ORDINALS else number_of(said)
    day = next_of_number(number, term.today)
    yield Time("day", first=day, last=day, impossible=day is None, loose=True, number=number)


def next_of_number(number: int, after: date) -> date | None:
    """The next day of a month that has that number."""
    days = (after + timedelta(days=ahead) for ahead in range(62))
    return next((day for day in days if day.day == number), None)


def _relative_day(found: Match, term: SemesterDates) -> Iterator[Time]:
    said = found[1] or found[2]
    ahead = _TODAY.get(said)
    yield from one_day(term.today + timedelta(days=_EN_TODAY[said] if ahead is None else ahead))
    text = found.group()
    if "nig" in text or "nite" in text or text[-1] in "早晚":
        yield from _part_at(0 if text[-1] == "早" else 2, term)


def _offset_day(found: Match, term: SemesterDates) -> Iterator[Time]:
    """三天后, in two weeks: so many days from today."""
    count, unit = (next(group for group in found.groups()[at::2] if group) for at in (0, 1))
    if count == "两" and found.group().startswith("过") and unit == "天":
        count = "2"
    days = number_of(count) * (1 if unit in ("天", "日", "day") else 7)
    return one_day(term.today + timedelta(days=days))


def _week_on(found: Match, term: SemesterDates) -> Iterator[Time]:
    """A week on Thursday, Friday week: so many weeks after the coming one."""
    weeks, name = number_of(found[1] or "one"), found[2] or found[3]
    ahead = 1 if name == "tomorrow" else (weekday_of(name) - term.today.isoweekday()) % 7
    return one_day(term.today + timedelta(days=ahead + 7 * weeks))


def _days_ahead(found: Match, term: SemesterDates) -> Iterator[Time]:
    """接下来三天, within two weeks: from today on."""
    count, unit = (next((group for group in found.groups()[at::2] if group), "") for at in (0, 1))
    days = number_of(count or "few") * (1 if unit in ("天", "日", "day") else 7)
    return some_days(term.today, term.today + timedelta(days=max(1, days) - 1))


def _rest_of_week(found: Match, term: SemesterDates) -> Iterator[Time]:
    first = term.today + timedelta(days=1) if found.group().startswith("later") else term.today
    return some_days(first, term.day(term.week, 7))


def _zh_week(found: Match, term: SemesterDates) -> Iterator[Time]:
    """下下周, 第7周周三, 周五, 上周末, 下周前半周."""
    said, edge, day = (found[1] or "").replace(" ", ""), found[2], found[3] or found[4]
    if not said:
        yield from ([Time("weekday", weekdays=(6, 7))] if day == "末" else _bare_weekday(day))
        return
    counted = said.startswith("第")
    week = number_of(said[1:].rstrip("个教学")) if counted else term.week + _weeks_off(said)
    if edge:
        first, last = _EDGES[edge.rstrip("周")]
        yield from some_days(term.day(week, first), term.day(week, last), of_week=True)
        return
    whole = next(one_week(week, term, counted=counted))
    if not day or whole.impossible:
        yield whole
    elif day == "末":
        yield from some_days(term.day(week, 6), term.day(week, 7), of_week=True)
    elif counted:
        yield whole
        yield from _bare_weekday(day)
    else:
        yield from one_day(term.day(week, weekday_of(day)), of_week=True)


def _bare_weekday(name: str) -> Iterator[Time]:
    day = weekday_of(name)
    yield Time("weekday", weekdays=(day,) if day < 8 else (), impossible=day > 7)


def _weeks_off(said: str) -> int:
    return said.count("下") - said.count("上")


def _en_week(found: Match, term: SemesterDates) -> Iterator[Time]:
    edge, said, counted = found[1] or found[4], found[2], found[3]
    if "weekend" in found.group():
        week = term.week + (1 if "after" in found.group() else -2)
        yield from some_days(term.day(week, 6), term.day(week, 7), of_week=True)
        return
    if not (counted or said or edge):
        yield from one_week(term.week + (2 if "after" in found.group() else -2), term)
        return
    week = int(counted) if counted else term.week + {"next": 1, "last": -1, "following": 1}.get(said or "", 0)
    whole = next(one_week(week, term, counted=counted is not None))
    if not edge or whole.impossible:
        yield whole
        return
    first, last = _EDGES[edge.split()[0]]
    yield from some_days(term.day(week, first), term.day(week, last), of_week=True)


def _en_weekday(found: Match, term: SemesterDates) -> Iterator[Time]:
    day = weekday_of(found[2])
    if not found[1]:
        yield Time("weekday", weekdays=(day,))
        return
    week = term.week + {"next": 1, "last": -1}.get(found[1], 0)
    ahead = 7 if found[1] == "coming" and term.day(week, day) < term.today else 0
    yield from one_day(term.day(week, day) + timedelta(days=ahead), of_week=True)


def _weekends(found: Match, term: SemesterDates) -> Iterator[Time]:
    count = number_of(next(filter(None, found.groups())))
    first = term.week + (term.week_day(term.today)[1] == 7)
    for week in range(first, first + min(count, 8)):
        yield from some_days(term.day(week, 6), term.day(week, 7), of_week=True)


def _en_weekend(found: Match, term: SemesterDates) -> Iterator[Time]:
    if not found[1]:
        yield Time("weekday", weekdays=(6, 7))
        return
    week = term.week + {"next": 1, "last": -1}.get(found[1], 0)
    yield from some_days(term.day(week, 6), term.day(week, 7), of_week=True)


def _workdays(found: Match, term: SemesterDates) -> Iterator[Time]:
    yield Time("weekday", weekdays=(1, 2, 3, 4, 5))


def _month_stretch(found: Match, term: SemesterDates) -> Iterator[Time]:
    """5月, 月底, the last week of April, mid-May: a month or a part of it."""
    text = found.group()
    named = re.search(MONTH, text)
    numbered = re.match(rf"({NUM})月", text)
    if numbered and not 1 <= number_of(numbered[1]) <= 12:
        yield from one_day(None)
        return
    if named or numbered:
        first = term.in_year(month_of(named.group()) if named else number_of(numbered[1]) if numbered else 1, 1)
        assert first is not None
    else:
        first = _month_off(term, text)
    last = (first.replace(day=28) + timedelta(days=4)).replace(day=1) - timedelta(days=1)
    counted = re.search(rf"(?:第\s*({NUM})\s*个?{WEEK}|(first|second|third|fourth) week)", text)
    weekday = re.search(rf"(first|second|third|fourth|last) ({EN_DAY}|weekend)", text) or re.search(
        rf"(最后[一1]|第\s*{NUM})\s*个?{WEEK}({DAY_NAME}|末)", text
    )
    several = re.search(rf"(first|last) ({COUNT}) weeks", text)
    if weekday:
        ends = weekday[2] in ("末", "weekend")
        day = _weekday_of_month(first, last, weekday[1], 6 if ends else weekday_of(weekday[2]))
        yield from some_days(day, day + timedelta(days=1), of_week=True) if ends else one_day(day)
    elif re.search(rf"最后\s*[一1]?\s*个?{WEEK}|last week", text) or counted:
        number = (number_of(counted[1]) if counted[1] else ORDINALS.index(counted[2]) + 1) if counted else 0
        yield from some_days(*_week_of_month(first, last, number))
    elif several:
        days = timedelta(days=7 * number_of(several[2]) - 1)
        yield from some_days(*((first, first + days) if several[1] == "first" else (last - days, last)))
    elif re.search(r"[底末]|\bend of|last day", text):
        yield from one_day(last)
    elif "first day" in text:
        yield from one_day(first)
    elif re.search(r"初|上旬|beginning|start|early", text):
        yield from some_days(first, first.replace(day=10))
    elif re.search(r"中|mid", text):
        yield from some_days(first.replace(day=11), first.replace(day=20))
    elif re.search(r"下旬|late", text):
        yield from some_days(first.replace(day=21), last)
    elif re.search(r"剩|余|rest|remainder", text):
        yield from some_days(term.today, last)
    else:
        yield Time("days", first=first, last=last, whole_month=True)


def _weekday_of_month(first: date, last: date, which: str, weekday: int) -> date:
    """The first Monday, the last Friday of a month."""
    if which == "last" or which.startswith("最后"):
        return last - timedelta(days=(last.isoweekday() - weekday) % 7)
    number = ORDINALS.index(which) if which in ORDINALS else number_of(which[1:]) - 1
    return first + timedelta(days=(weekday - first.isoweekday()) % 7 + 7 * number)


def _week_of_month(first: date, last: date, number: int) -> tuple[date, date]:
    """A week of a month by number, 0 for the last: a week belongs to the month in which most of its days are."""
    thursday = first + timedelta(days=(3 - first.weekday()) % 7)
    latest = last - timedelta(days=(last.weekday() - 3) % 7)
    middle = thursday + timedelta(days=7 * (number - 1)) if number else latest
    return middle - timedelta(days=3), middle + timedelta(days=3)


def _part(found: Match, term: SemesterDates) -> Iterator[Time]:
    text = found.group()
    if text in ("白天", "daytime"):
        yield from _part_at(0, term)
        yield from _part_at(1, term)
        return
    if text.startswith("this"):
        yield from one_day(term.today)
    alone = {"早": 0, "晚": 2}.get(text)
    part = next(at for at, cues in enumerate(_PARTS) if re.search(cues, text)) if alone is None else alone
    yield from _part_at(part, term)


def _part_at(index: int, term: SemesterDates) -> Iterator[Time]:
    if index < len(term.day_parts):
        yield Time("part", part=index, sections=term.day_parts[index])


def _sections(found: Match, term: SemesterDates) -> Iterator[Time]:
    """5-6节, 第五、六节, Wed 5-6, sections 5 to 6."""
    numbered = "节" in found.group() or "s" in found.group() or "p" in found.group()
    first, last = (number_of(group) for group in (group for group in found.groups() if group))
    if 1 <= first <= last <= term.sections:
        yield Time("sections", sections=(first, last))
    elif numbered and max(first, last) > term.sections:
        yield Time("sections", impossible=True)


def _section(found: Match, term: SemesterDates) -> Iterator[Time]:
    said = next(filter(None, found.groups()))
    number, bare = number_of(said), found[3] is not None
    if re.fullmatch("[一二三四五六七八九]{2}", said):
        first, last = (number_of(one) for one in said)
        yield Time("sections", sections=(first, last), impossible=last > term.sections)
        return
    if "大节" in found.group():
        yield Time("sections", sections=(2 * number - 1, 2 * number), impossible=2 * number > term.sections)
    elif number:
        beyond = number > term.sections
        if not (bare and beyond):
            yield Time("sections", sections=None if beyond else (number, None), impossible=beyond, loose=bare)


def _clock(found: Match, term: SemesterDates) -> Iterator[Time]:
    """下午三点半, 2:15 pm, before 10; the half of the day may be told beside it."""
    text = found.group()
    numbers = [number_of(one) for one in re.findall(rf"{NUM}", text)]
    numbers = numbers or ([number_of(text)] if text in _EN_COUNTS else [])
    hour = 12 if text == "noon" else numbers[0]
    minute = 30 if "半" in text else 15 if "刻" in text else numbers[1] if len(numbers) > 1 else 0
    said = text.rstrip(". ").endswith(("am", "pm")) or text.startswith("早") or text == "noon"
    if hour > 24 or minute > 59:
        yield Time("clock", impossible=True)
        return
    if text.endswith("pm") and hour < 12:
        hour += 12
    yield Time("clock", clock=f"{hour:02}:{minute:02}", loose=not said and hour < 12)


def _bare_hours(found: Match, term: SemesterDates) -> Iterator[Time]:
    """Saturdays from 9 to 1: hours without a half of the day."""
    first, last = sections_of_hours(int(found["begin"]), int(found["end"]), term)
    if first and last and first <= last:
        yield Time("clock", sections=(first, last))


def _every(found: Match, term: SemesterDates) -> Iterator[Time]:
    text = found.group()
    unit = "w" if re.search(r"周|星期|礼拜|week|fortnight", text) else "d"
    counted = re.search(rf"每?隔\s*({NUM})?|每\s*({NUM})|every (?:(other|second)|({COUNT}) )", text)
    if re.search(r"fortnight|alternate|[单双]", text):
        yield Time("every", every="2w")
    elif counted and "隔" in counted.group():
        yield Time("every", every=f"{number_of(counted[1] or '1') + 1}{unit}")
    elif counted and counted[3]:
        yield Time("every", every=f"2{unit if re.search('day|week', text) else 'w'}")
    elif counted:
        yield Time("every", every=f"{number_of(counted[2] or counted[4])}{unit}")
    else:
        yield Time("every", every="1")


_DOTTED = r"(?<![\d.])(1[0-2]|[1-9])\.(3[01]|[12]\d|0?[1-9])(?![\d.])"
_NO_HOUSE = r"(?!\s*(?:楼|线|实验|题|教室|机|店|书))"
"""Behind a number with 号 that is no date: 5号楼."""
_NO_NOUN = (
    r"(?=\s*(?:$|[^\sa-z]|(?:to|and|or|at|in|on|is|as|too|please|instead|if|for|so|then|but|when|because|until|till"
    r"|through|thru|from|with|by|would|will|works?|does\w*|isn|can\w*|mornings?|afternoons?|evenings?|nights?|onwards?"
    r"|off|free|out|was|are|of (?:the|this|next) month|after|before|not|i|we|pm|am|weekend|now|only|also"
    r"|already|actually|anyway|again|though|really)\b))"
)
"""Behind an ordinal that counts nothing: the 22nd, not the 3rd chapter."""
_NEXT = r"(?:这|今后|接下来|未来|往后|(?<!往)后面|之后|下面)"
_SHIFTS = "挪移推调放动排延改赶拉提拖迟后前晚早隔差长顺"
_THINGS = "次章个节项点门遍份"
_DAY_OF_WEEK = rf"(?:一(?![直定共样些])|[二三四五六日天]|末)(?!\s*[{_THINGS}]|小时|单元)"
_DIGIT_OF_WEEK = r"[1-7](?=\s|$|[^\d\s节.:/月~到至、,和课-]|[到至-]\s*(?:周|星期|礼拜))"
_NO_ITEM = "".join(f"(?<!{kind}{more} )" for kind in ITEM_KINDS for more in ("", "s"))
_HOURS_BEHIND = f"{DAY_NAME}[零一二两三四五六七八九十]"
_NO_WEEKDAY = rf"(?!(?<=周){_HOURS_BEHIND})(?!(?<=星期|礼拜){_HOURS_BEHIND})"
"""Before an hour: the weekday in front of it is none of its numerals, 周五十点."""
_EN_HOURS = "|".join(_EN_COUNTS[2:])
_EDGE_EN = "beginning|start|first half|middle|second half|end"
PIECES: tuple[tuple[str, Reader], ...] = (
    (r"(?<!\d)(\d{4})\s*[-/.年]\s*(\d{1,2})\s*[-/.月]\s*(\d{1,2})(?!\d)日?", _iso),
    (r"(?<![\d/.])(\d{1,2})[/.](\d{1,2})[/.](20\d\d)", _numbers),
    (r"(?<=从)现在|(?<=from )now(?= (?:until|till|to|on)\b)", _now),
    (rf"(?:学期的?)?最后[一1]个?(?:教学)?{WEEK}|\b(?:the )?(?:last|final) week of (?:the )?(?:term|semester)\b",
        _last_week),
    (r"学期(?:的?末尾?|结束|底|的?最后[一1]天)|(?<=到)期末(?=$|[\s,，。之以前为排学])"
        r"|\b(?:the )?(?:very )?(?:end|last day) of (?:the )?(?:term|semester)\b", _last_day),
    (rf"每隔\s*(?:{NUM})?\s*个?(?:天|日|{WEEK})|隔\s*[一1]?\s*个?(?:天|日|{WEEK})|每\s*{NUM}\s*个?(?:天|{WEEK})|每[天日]"
        rf"|[每逢](?:个|逢)?(?={WEEK}{DAY_NAME}|{WEEK}\d|{WEEK}末|晚|上午|下午|早)"
        rf"|每个?{WEEK}(?!末)|\b(?:every|each) (?:single )?(?:day|week)\b"
        rf"|[单双]周(?=的?{WEEK})"
        r"|\bevery (?:other|second)(?: day\b| week\b)?|\balternate\b|\b(?:daily|fortnightly)\b"
        rf"|\bevery {COUNT} (?:days?|weeks?)\b"
        rf"|\b(?:every|each)(?= (?:{EN_DAY}|weekend|weekday|evening|morning|afternoon|night)s?\b)", _every),
    (rf"[这本]个?{WEEK}的?(?:剩下|余下|剩余)的?(?:几天|日子|时间|天|日)?"
        r"|\b(?:the )?(?:rest|remainder) of (?:the|this) week\b|\blater (?:on )?this week\b", _rest_of_week),
    (rf"{_NEXT}的?\s*({NUM})\s*个?周末|\b(?:the )?(?:next|coming|following) ({COUNT}) (?:weekends|wkends)\b",
        _weekends),
    (rf"{_NEXT}的?\s*(几|{NUM})\s*个?(天|{WEEK})(?!末)|(?<![第\d{_SHIFTS}])(几|{NUM})\s*个?(天|{WEEK})(?:之|以)?内"
        rf"|\b(?:within|in|over|for) (?:the )?(?:next|coming|following) (?:({COUNT}) )?(day|week)s\b"
        rf"|\bwithin ({COUNT}) (day|week)s?\b|\b(?:the )?(?:next|coming|following) (?:({COUNT}) )?(day|week)s\b",
        _days_ahead),
    (rf"(?<!once )(?<!twice )(?<!times )(?<!hours )(?<!sections )"
        rf"\b(an?|one|two|three) weeks? (?:on|from) (?:the )?(?:coming )?({EN_DAY}|tomorrow)\b"
        rf"|\b(?:this |coming )?({EN_DAY}|tomorrow) week\b(?! (?:\d|(?:after|before|of|beginning|starting)\b))",
        _week_on),
    (rf"再?过\s*(几|{NUM})\s*个?(天|{WEEK})|(?<![第\d{_SHIFTS}])(几|{NUM})\s*个?(天|{WEEK})(?:之|以)?后"
        rf"|\bin ({COUNT}) (day|week)s?(?:'s? time)?\b|\b({COUNT}) (day|week)s? from (?:now|today)\b", _offset_day),
    (rf"(?<![\d第])(?:({NUM})月份?|([这本上下]个?月))的?\s*({NUM})"
        rf"(?:[日号]{_NO_HOUSE}|(?![\d个章节项周天点月]))", _month_day),
    (r"(?<![\d/.了完])(\d{1,2})/(\d{1,2})(?![\d/]| of\b)", _slashed),
    (_DOTTED, _dotted),
    (rf"(?<![\d第])(?:{NUM}月份?|(?:[这本]个?|[上下]个?)月|(?<![个\d一二三四五六七八九十每几])月(?=[底末初中]))"
        rf"的?(?:底|末|初|[上中下]旬|中(?!午)|(?:剩下|余下|剩余)的?(?:几天|日子|时间)?|(?:最后\s*[一1]?|第\s*{NUM})\s*个?{WEEK}(?:{DAY_NAME}|末)?)?(?![\d一二三四五六七八九十])"
        rf"|\b(?:the )?(?:(?:last|first|second|third|fourth) (?:week(?:end)?|{EN_DAY})"
        rf"|(?:first|last) (?:day|{COUNT} weeks)"
        r"|beginning|start"
        r"|middle|end|rest|remainder) (?:of|in) "
        rf"(?:(?:the|this|next|last) month\b|{MONTH})(?! \d)"
        rf"|\b(?:early|late|mid)(?:-| in | )(?:(?:this|next) month|{MONTH})(?! \d)"
        rf"|\b(?:this|next|last) month\b|\b(?:{_MONTH_SAID})(?!\s?-?\d)", _month_stretch),
    (rf"\b({MONTH})\s+(?:the )?(\d{{1,2}}){SUFFIX}?\b(?!\s*(?:am\b|pm\b|:\d))(?:,? 20\d\d)?", _en_month_day),
    (rf"\b(?:the )?(\d{{1,2}}){SUFFIX}?\s+(?:of\s+)?({MONTH})(?! (?:be|not|also)\b){_MAY}(?:,? 20\d\d)?",
        _en_day_month),
    (rf"(?<![\d月/.第])({NUM})号{_NO_HOUSE}|(?<![\d月/.后前迟早晚延挪移推隔每第])({NUM})日"
        r"(?=$|[,，。!\s?？、]|上午|下午|晚上|早上|吧|之?[前后]|以|[到至-]|那|[和与])"
        rf"|\b(?:the )?(\d{{1,2}}){SUFFIX}\b{_NO_NOUN}|(?<=day )(?:the )?(\d{{1,2}}){SUFFIX}\b"
        rf"|\b(?:the )?({'|'.join(reversed(ORDINALS))})(?= of (?:{MONTH}|(?:the|this|next) month))",
        _day_alone),
    (r"(大[前后]天|[前后]天|后儿|[今明昨](?=[天儿日早晚]))[天儿日]?(?:[早晚](?!上|间))?"
        r"|\b(?:the )?(day after tomorrow|day before yesterday|tomorrow|today|tonight|last night|yesterday)\b",
        _relative_day),
    (rf"(第\s*{NUM}\s*个?(?:教学)?|(?:(?<![早晚以加])上+|下+|[这本])\s*[一1]?\s*个?){WEEK}"
        rf"(?:(前半周?|上半周?|后半周?|下半周?|初|中(?!午))|的?{WEEK}?({_DAY_OF_WEEK}|{_DIGIT_OF_WEEK}))?"
        rf"|(?:(?<![第\d])|(?<=[周期拜][1-7])){WEEK}({_DAY_OF_WEEK}|[八九](?![{_THINGS}])|{_DIGIT_OF_WEEK})", _zh_week),
    (r"\b(?:(?:the )?(early|late|(?:beginning|start|first half|middle|second half|end) of|mid)[ -](?:in )?(?:the )?)?"
        r"(?:(this|next|last|coming|following) (?:week|wk)\b|(?:week|wk)\.?\s*(\d{1,2})(?!\d))"
        rf"|\b(?:the )?({_EDGE_EN}) of the week\b|\b(?:the )?week(?:end)? (?:after next|before last)\b", _en_week),
    (rf"\b(?:(next|this|last|coming) )?(?!(?<=it )sat\b|(?<=\bi )sat\b|(?<=he )sat\b)({EN_DAY})s?\b", _en_weekday),
    (r"\b(?:the )?(?:(this|next|last|coming) )?(?:weekends?|wkends?|wknd)\b|双休日", _en_weekend),
    (r"工作日|平日|\b(?:weekdays?|workdays?|working days)\b", _workdays),
    (rf"\bthis (?:morning|afternoon|evening)\b|白天|\bdaytime\b|{'|'.join(_PARTS)}", _part),
    (rf"(?<![\d.:])第?\s*({NUM})\s*节?\s*[-~–—到至、,和]\s*第?\s*({NUM})\s*节(?!课?[时次])"
        r"|\b(?:sections?|periods?)\s*(\d{1,2})\s*(?:to|through|until|and|-|–|~)\s*(\d{1,2})\b"
        rf"|(?<![\d./:月第-]){_NO_ITEM}(\d{{1,2}})\s*[-~–—到至]\s*(\d{{1,2}})"
        r"(?=$|[^\d/月日号周.:章项个讲单点天-])(?!\s*(?:[ap]m\b|[章项个讲单点天周]|chapters?|units?|items?|days?|weeks?|hours?))",
        _sections),
    (r"(?:(?<=day )|(?<=days )|(?<=ends )|(?<=end )|(?<=ing )|(?<=ings )|(?<=daily ))"
        r"(?:from |between )(?P<begin>\d{1,2}) ?(?:to|till|until|and|-|–) ?(?P<end>\d{1,2})"
        rf"(?![\d:/.-]|{SUFFIX}|\s*(?:[ap]\.?m|{_MONTH_SAID}|days?|weeks?|hours?|sections?|periods?|items?|chapters?))",
        _bare_hours),
    (rf"第\s*({NUM})\s*大?节(?!课?[时次])|\b(?:section|period)\s*(\d{{1,2}})\b|(?<![\d第])({NUM})\s*节(?!课|[时次点])",
        _section),
    (rf"早[八8](?![天周个节])|(?<![快慢少多差几有\d:]){_NO_WEEKDAY}(?:(?<=午)|(?<=[早晚]上)|(?![一1]\s*点(?!钟|半))){NUM}"
        rf"\s*(?:点(?![儿都也])|时(?!间|段|候))钟?(?:半|[一1]刻|{NUM}分)?"
        r"|(?<![\d:])\d{1,2}:\d{2}(?:\s*[ap]m\b)?|\b\d{1,2}\s*(?:am|pm|o'clock)\b|\bnoon\b"
        r"|(?:(?<=before )|(?<=after )|(?<=until )|(?<=till )|(?<=\bby )|(?<=\bat )|(?<=than )|(?<=past ))\d{1,2}"
        r"(?=\s*(?:$|[,.;!?])|\s+(?:and|or|on)\b)"
        rf"|(?:(?<=before )|(?<=after )|(?<=until )|(?<=till )|(?<=past ))(?:{_EN_HOURS})(?=\s*(?:$|[,.;!?])|\s+on\b)",
        _clock),
)  # fmt: skip
"""What a piece looks like and how it is read; of two that begin at the same place the first is meant."""
