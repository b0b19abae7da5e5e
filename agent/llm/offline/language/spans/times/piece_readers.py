"""What each piece of a time means alone, for a match of its form."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import date, timedelta

from agent.llm.offline.language.normalize import has_chinese
from agent.llm.offline.language.spans.times.hours import sections_of_hours
from agent.llm.offline.language.spans.times.said_time import Time
from agent.llm.offline.language.spans.times.semester import SemesterDates, to_date
from agent.llm.offline.language.spans.times.words import (
    COUNT,
    DAY_NAME,
    EN_COUNTS,
    EN_DAY,
    MONTH,
    NUM,
    ORDINALS,
    PARTS,
    WEEK,
    month_of,
    number_of,
    weekday_of,
)

Match = re.Match[str]
Reader = Callable[[Match, SemesterDates], Iterator[Time]]
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


def read_numbers(found: Match, term: SemesterDates) -> Iterator[Time]:
    """17/04/2026, 04/17/2026: the month comes first where it can."""
    first, second, year = (int(group) for group in found.groups())
    return one_day(to_date(year, second, first) if first > 12 else to_date(year, first, second))


def read_now(found: Match, term: SemesterDates) -> Iterator[Time]:
    return one_day(term.today)


def read_last_week(found: Match, term: SemesterDates) -> Iterator[Time]:
    return one_week(term.weeks, term)


def read_last_day(found: Match, term: SemesterDates) -> Iterator[Time]:
    return one_day(term.last_day)


def read_iso(found: Match, term: SemesterDates) -> Iterator[Time]:
    return one_day(to_date(*(int(part) for part in found.groups())))


def read_month_day(found: Match, term: SemesterDates) -> Iterator[Time]:
    if found[1]:
        return one_day(term.in_year(number_of(found[1]), number_of(found[3])))
    first = _month_off(term, found.group())
    return one_day(to_date(first.year, first.month, number_of(found[3])))


def _month_off(term: SemesterDates, text: str) -> date:
    """The first day of 这个月, 下个月, last month."""
    off = text.startswith("下") - text.startswith("上") + ("next" in text) - ("last month" in text)
    month = term.today.month - 1 + off
    return date(term.today.year + month // 12, month % 12 + 1, 1)


def read_slashed(found: Match, term: SemesterDates) -> Iterator[Time]:
    """4/29 or 29/4: the day comes first where a first number of the text can be no month, or where English tells no
    day to come with the month first."""
    first, second = int(found[1]), int(found[2])
    if max(first, second) > 31 or min(first, second) > 12 or not first or not second:
        return
    day_first = any(int(one[1]) > 12 for one in re.finditer(r"(?<![\d/.])(\d{1,2})/\d{1,2}(?![\d/])", found.string))
    readings = term.in_year(first, second), term.in_year(second, first)
    if not has_chinese(found.string):
        coming = [one is not None and term.next_day <= one <= term.last_day for one in readings]
        day_first = day_first or coming == [False, True]
    yield from one_day(readings[day_first])


def read_dotted(found: Match, term: SemesterDates) -> Iterator[Time]:
    """11.30到12.20: only several, or one beside what has a date or goes to it, are sure to be dates."""
    head, rest = found.string[: found.start()], found.string[found.end() :]
    if _NO_DATE.search(head) or _MEASURED.match(rest):
        return
    several = len(re.findall(DOTTED, found.string)) > 1
    goes = len(found[2]) == 2 and re.search(r"(?:^|[移挪调改排放推]到|在|从)\s*$", head)
    if several or goes or _TO_DATE.search(head) or _DAY_BEHIND.match(rest) or _NEAR_DATE.search(found.string):
        yield from one_day(term.in_year(int(found[1]), int(found[2])))


def read_en_month_day(found: Match, term: SemesterDates) -> Iterator[Time]:
    return one_day(term.in_year(month_of(found[1]), int(found[2])))


def read_en_day_month(found: Match, term: SemesterDates) -> Iterator[Time]:
    return one_day(term.in_year(month_of(found[2]), int(found[1])))


def read_day_alone(found: Match, term: SemesterDates) -> Iterator[Time]:
    said = next(filter(None, found.groups()))
    number = ORDINALS.index(said) + 1 if said in ORDINALS else number_of(said)
    day = next_of_number(number, term.today)
    yield Time("day", first=day, last=day, impossible=day is None, loose=True, number=number)


def next_of_number(number: int, after: date) -> date | None:
    """The next day of a month that has that number."""
    days = (after + timedelta(days=ahead) for ahead in range(62))
    return next((day for day in days if day.day == number), None)


def read_relative_day(found: Match, term: SemesterDates) -> Iterator[Time]:
    said = found[1] or found[2]
    ahead = _TODAY.get(said)
    yield from one_day(term.today + timedelta(days=_EN_TODAY[said] if ahead is None else ahead))
    text = found.group()
    if "nig" in text or "nite" in text or text[-1] in "早晚":
        yield from _part_at(0 if text[-1] == "早" else 2, term)


def read_offset_day(found: Match, term: SemesterDates) -> Iterator[Time]:
    """三天后, in two weeks: so many days from today."""
    count, unit = (next(group for group in found.groups()[at::2] if group) for at in (0, 1))
    if count == "两" and found.group().startswith("过") and unit == "天":
        count = "2"
    days = number_of(count) * (1 if unit in ("天", "日", "day") else 7)
    return one_day(term.today + timedelta(days=days))


def read_week_on(found: Match, term: SemesterDates) -> Iterator[Time]:
    """A week on Thursday, Friday week: so many weeks after the coming one."""
    weeks, name = number_of(found[1] or "one"), found[2] or found[3]
    ahead = 1 if name == "tomorrow" else (weekday_of(name) - term.today.isoweekday()) % 7
    return one_day(term.today + timedelta(days=ahead + 7 * weeks))


def read_days_ahead(found: Match, term: SemesterDates) -> Iterator[Time]:
    """接下来三天, within two weeks: from today on."""
    count, unit = (next((group for group in found.groups()[at::2] if group), "") for at in (0, 1))
    days = number_of(count or "few") * (1 if unit in ("天", "日", "day") else 7)
    return some_days(term.today, term.today + timedelta(days=max(1, days) - 1))


def read_rest_of_week(found: Match, term: SemesterDates) -> Iterator[Time]:
    first = term.today + timedelta(days=1) if found.group().startswith("later") else term.today
    return some_days(first, term.day(term.week, 7))


def read_zh_week(found: Match, term: SemesterDates) -> Iterator[Time]:
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


def read_en_week(found: Match, term: SemesterDates) -> Iterator[Time]:
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


def read_en_weekday(found: Match, term: SemesterDates) -> Iterator[Time]:
    day = weekday_of(found[2])
    if not found[1]:
        yield Time("weekday", weekdays=(day,))
        return
    week = term.week + {"next": 1, "last": -1}.get(found[1], 0)
    ahead = 7 if found[1] == "coming" and term.day(week, day) < term.today else 0
    yield from one_day(term.day(week, day) + timedelta(days=ahead), of_week=True)


def read_weekends(found: Match, term: SemesterDates) -> Iterator[Time]:
    count = number_of(next(filter(None, found.groups())))
    first = term.week + (term.week_day(term.today)[1] == 7)
    for week in range(first, first + min(count, 8)):
        yield from some_days(term.day(week, 6), term.day(week, 7), of_week=True)


def read_en_weekend(found: Match, term: SemesterDates) -> Iterator[Time]:
    if not found[1]:
        yield Time("weekday", weekdays=(6, 7))
        return
    week = term.week + {"next": 1, "last": -1}.get(found[1], 0)
    yield from some_days(term.day(week, 6), term.day(week, 7), of_week=True)


def read_workdays(found: Match, term: SemesterDates) -> Iterator[Time]:
    yield Time("weekday", weekdays=(1, 2, 3, 4, 5))


def read_month_stretch(found: Match, term: SemesterDates) -> Iterator[Time]:
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
    elif half := _HALF_OF_MONTH.search(text):
        middle = first.replace(day=15)
        yield from some_days(*((first, middle) if half["first"] else (middle + timedelta(days=1), last)))
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


_HALF_OF_MONTH = re.compile(r"(?P<first>[上前头]半|\b(?:first|1st) half)|[下后]半|\bhalf\b")


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


def read_part(found: Match, term: SemesterDates) -> Iterator[Time]:
    text = found.group()
    if text in ("白天", "daytime", "during the day"):
        yield from _part_at(0, term)
        yield from _part_at(1, term)
        return
    if text.startswith("this"):
        yield from one_day(term.today)
    alone = {"早": 0, "晚": 2}.get(text)
    part = next(at for at, cues in enumerate(PARTS) if re.search(cues, text)) if alone is None else alone
    yield from _part_at(part, term)


def _part_at(index: int, term: SemesterDates) -> Iterator[Time]:
    if index < len(term.day_parts):
        yield Time("part", part=index, sections=term.day_parts[index])


def read_sections(found: Match, term: SemesterDates) -> Iterator[Time]:
    """5-6节, 第五、六节, Wed 5-6, sections 5 to 6."""
    numbered = "节" in found.group() or "s" in found.group() or "p" in found.group()
    first, last = (number_of(group) for group in (group for group in found.groups() if group))
    if 1 <= first <= last <= term.sections:
        yield Time("sections", sections=(first, last))
    elif numbered and max(first, last) > term.sections:
        yield Time("sections", impossible=True)


_SIDE_BY_SIDE = re.compile("([一二三四五六七八九])([一二三四五六七八九])|(九)(十)|(十)(十一)|(十一)(十二)")
"""七八, 十一十二: two numerals that are no number."""


def read_section(found: Match, term: SemesterDates) -> Iterator[Time]:
    said = next(filter(None, found.groups()))
    number, bare = number_of(said), found[3] is not None
    if pair := _SIDE_BY_SIDE.fullmatch(said):
        first, last = (number_of(one) for one in pair.groups() if one)
        yield Time("sections", sections=(first, last), impossible=last > term.sections)
        return
    if "大节" in found.group():
        yield Time("sections", sections=(2 * number - 1, 2 * number), impossible=2 * number > term.sections)
    elif number:
        beyond = number > term.sections
        if not (bare and beyond):
            yield Time("sections", sections=None if beyond else (number, None), impossible=beyond, loose=bare)


def read_clock(found: Match, term: SemesterDates) -> Iterator[Time]:
    """下午三点半, 2:15 pm, before 10; the half of the day may be told beside it."""
    text = found.group()
    numbers = [number_of(one) for one in re.findall(rf"{NUM}", text)]
    numbers = numbers or [number_of(one) for one in text.split()[:1] if one in EN_COUNTS]
    hour = 12 if text == "noon" else numbers[0]
    minute = 30 if "半" in text else 15 if "刻" in text else numbers[1] if len(numbers) > 1 else 0
    late = text.endswith(("pm", "afternoon", "evening", "night"))
    said = late or text.rstrip(". ").endswith(("am", "pm", "morning")) or text.startswith("早") or text == "noon"
    if hour > 24 or minute > 59:
        yield Time("clock", impossible=True)
        return
    if late and hour < 12:
        hour += 12
    yield Time("clock", clock=f"{hour:02}:{minute:02}", loose=not said and hour < 12)


def read_bare_hours(found: Match, term: SemesterDates) -> Iterator[Time]:
    """Saturdays from 9 to 1: hours without a half of the day."""
    first, last = sections_of_hours(int(found["begin"]), int(found["end"]), term)
    if first and last and first <= last:
        yield Time("clock", sections=(first, last))


def read_every(found: Match, term: SemesterDates) -> Iterator[Time]:
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


DOTTED = r"(?<![\d.])(1[0-2]|[1-9])\.(3[01]|[12]\d|0?[1-9])(?![\d.])"
