"""Times in a sentence: pieces side by side are one time, a range or a list, as the words between them tell.

What stands before and behind a time tells whether it is a bound (until, since), one that is not wanted (not, except),
or where something is moved from.
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date, timedelta
from functools import lru_cache
from itertools import pairwise

from agent.llm.offline.language.normalize import fold_text
from agent.llm.offline.language.spans.times.hours import (
    sections_between,
    sections_touched,
)
from agent.llm.offline.language.spans.times.piece_readers import Reader, next_of_number
from agent.llm.offline.language.spans.times.pieces import PIECES
from agent.llm.offline.language.spans.times.said_time import Kind, Time
from agent.llm.offline.language.spans.times.semester import SemesterDates, to_date
from agent.llm.offline.language.spans.times.sides import (
    CLAUSE,
    DAY,
    EARLIER_BEHIND,
    LATER_BEHIND,
    MOVED,
    ORIGIN_BEFORE,
    TOLD_WHERE,
    set_role,
    set_side,
    settle_middle,
    side_of,
)
from agent.llm.offline.language.spans.times.spelling import spell_out_lists
from agent.llm.offline.language.spans.times.words import EN_DAY, NUM, WEEK

_PIECES: tuple[tuple[re.Pattern[str], Reader], ...] = tuple((re.compile(form), reader) for form, reader in PIECES)
_TO = re.compile(r"\s*的?(?:开始|起)?\s*(?:一?直?到|至|-|~|–|—|\bto|until|till|through|thru)\s*(?:the |on |in )?")
_APPOSED = re.compile(r"[\s,，(（]*(?:the |on )?")
_BETWEEN = re.compile(r"\bbetween (?:the )?$")
_AND = re.compile(
    r"\s*(?:[,、&/]|和|与|跟|及|以及|还有|或者?|,?\s*\b(?:and|or|plus|as well as)\b)*"
    r"\s*(?:是|在|the |on |in the |in |also )*+\s*"
)
_OF = re.compile(r"\s*(?:of|in)\s*(?:the )?")
_BESIDE = re.compile(r"\s*(?:的|里的?|,|\bof\b|\bin\b|\bon\b|\bat\b|\bthe\b)*\s*")
_COUNTED = re.compile(r"第\s*\w+?\s*大?节|\w+?\s*大节|[一二三四]{2}节")
"""One section or double section by its number: it may be counted from the part of the day before it."""
_ORIGIN_ON = re.compile(
    r"\b(?:everything|anything|whatever|all|rest|stuff|things|tasks|items|one|ones|what"
    r"|chapters|sessions|units|labs|topics)"
    r"(?: that's| i have| is| are| planned| scheduled)*(?: (?:on|for|of|in|during|from))? (?:the )?"
    r"(?:\w+day,?(?: (?:of|in))? )?$"
)
"""Before the day of what is picked, not the first of some days: move everything on April 15 to April 17."""
_PICKS_BEHIND = re.compile(r"\s*(?:的(?!周|星期|\d|早|晚|上|下)|里|所有|全部|那[几些两三]|'s)")
"""Behind a time by which something is picked."""
_GOES_TO = re.compile(r"[到往去]|放|\b(?:to|into|onto)\b")


_NEAR_WEEK = tuple(
    (
        side,
        re.compile(rf"\b(week|weekend) (?:{before}) (?:the )?$"),
        re.compile(rf"\s*(?:{behind})个?{WEEK}(末|(?![一二三四五六日天\d]))"),
    )
    for side, before, behind in (
        (-1, "before", "(?:之前|以前|前)的?(?:那|[一1])+"),
        (1, "after|following", "(?:之后|以后|后)的?(?:那|[一1])+"),
        (0, "of|around|with", "(?:的|所在的?)?那[一1]?"),
    )
)
"""A week or weekend told by a day: which side of it, and the words before and behind the day."""
_WEEK_FROM = (
    re.compile(
        r"(?<!next )(?<!this )(?<!last )\bweek\b(?:(?! (?:before|after)\b)[^.;]){0,24}? (?:that )?"
        rf"(?:from|(?:start|beginn?|commenc)(?:s|ing)(?: on| from| with)?) (?:(?:the|{EN_DAY}),? )*$"
    ),
    re.compile(rf"\s*(?:开始|起|打头)的?(?:[那这]?[一1]|[那这])个?{WEEK}(?![一二三四五六日天末\d])"),
)
"""A week that is told by its first day: my week starting the 23rd, 23号开始的一周."""
_POINTS_BACK = re.compile(rf"这\s*(?:几|{NUM})\s*个?天")
"""Behind dates: these days, not the next ones."""
_FIRST_HOUR = 7
_WEEK_DAYS = 7


@lru_cache(maxsize=4096)
def read_times(message: str, term: SemesterDates) -> tuple[Time, ...]:
    """Every time that a message names, in the order of the text."""
    text = spell_out_lists(fold_text(message))
    found = _in_context(_scan(text, term), text)
    found = _near_weeks(_join(_date_ends(found, text, term), text, term), text, term)
    found = _drop_repeated([set_role(at, found, text) for at in range(len(found))], text)
    found = _attach_days(_attach_week(found, text, term), text)
    return tuple(_date_bounds([set_side(one, text, term) for one in found]))


def _date_bounds(found: list[Time]) -> list[Time]:
    """Times with a weekday of one week that bounds those of every week as the day that it is: 第4周周五之前每周三."""
    every = any(one.kind == "weekday" and not (one.side or one.week) for one in found)
    return [
        replace(one, kind="day") if every and one.kind == "weekday" and one.week and one.side else one for one in found
    ]


_WEEKEND = {6, 7}
_THAT = re.compile(r"(?:\b(?:that|those)|那个?)\s*$")


def _drop_repeated(found: list[Time], text: str) -> list[Time]:
    """Times without a weekend that only points back to the dates before it: on the 21st and 22nd, keep that weekend
    free."""
    dated = [one.start for one in found if one.kind in ("day", "days") and one.first and one.last]

    def repeats(one: Time) -> bool:
        return set(one.weekdays) == _WEEKEND and bool(_THAT.search(text[: one.start])) and min(dated) < one.start

    return [one for one in found if not (dated and repeats(one))]


def find_impossible(message: str, term: SemesterDates) -> list[tuple[Kind, str]]:
    """Kind and words of the times that no calendar has: 4月31日, week 25 of 20."""
    text = spell_out_lists(fold_text(message))
    found = [one for one in read_times(message, term) if one.impossible]
    return [(one.kind, text[one.start : one.end].strip()) for one in found]


def find_empty_hours(message: str, term: SemesterDates) -> list[tuple[str, str]]:
    """The stretches of hours that a message names and in which no section lies."""
    return [(one.clock, one.until) for one in read_times(message, term) if one.until]


def find_recurrences(message: str, term: SemesterDates) -> list[str]:
    """The words that tell of something again and again but not each time: every other Tuesday, 隔周的周三."""
    text = spell_out_lists(fold_text(message))
    found = [*enumerate(read_times(message, term))]
    return [_with_next(at, text, term, message) for at, one in found if one.every not in ("", "1")]


def _with_next(at: int, text: str, term: SemesterDates, message: str) -> str:
    times = read_times(message, term)
    one, other = times[at], times[at + 1] if at + 1 < len(times) else None
    return text[one.start : other.end if other and other.start - one.end <= 1 else one.end].strip()


def _scan(text: str, term: SemesterDates) -> list[Time]:
    """The pieces of a text from left to right, the longest reach of the first kind first."""
    matches = [(match.start(), rank, match, reader) for rank, (form, reader) in enumerate(_PIECES)
               for match in form.finditer(text)]  # fmt: skip
    found: list[Time] = []
    end = 0
    for start, _, match, reader in sorted(matches, key=lambda one: one[:2]):
        if start >= end and (times := list(reader(match, term))):
            end = match.end()
            found += [replace(one, start=start, end=end) for one in times]
    return found


def _in_context(found: list[Time], text: str) -> list[Time]:
    """A day without a month in the month said before; the half of the day of an hour; sections only beside a day."""
    read: list[Time] = []
    for one in found:
        if _POINTS_BACK.fullmatch(text[one.start : one.end]) and any(other.first for other in read):
            continue
        before = read[-1] if read else None
        beside = before is not None and _BESIDE.fullmatch(text[before.end : one.start]) is not None
        counted = one.kind == "sections" and _COUNTED.match(text, one.start) is not None
        if before is not None and beside and before.kind == "part" and counted:
            one = _count_from_part(one, before)
        whole = before is not None and beside and before.whole_month
        if (
            one.whole_month
            and before is not None
            and before.kind == "day"
            and before.loose
            and _OF.fullmatch(text[before.end : one.start])
        ):
            read[-1] = _in_month(before, one, text)
        elif whole and before is not None and one.kind == "day" and one.loose:
            read[-1] = _in_month(one, before, text)
        elif one.kind == "day" and one.loose and one.first:
            known = [other.first for other in read if other.first and other.kind in ("day", "days")][-2:]
            day = next_of_number(one.first.day, min(known)) if known else one.first
            if known and day and day > known[-1]:  # what lies between two days is told of them again
                day = next_of_number(one.first.day, known[-1])
            read.append(replace(one, first=day, last=day))
        elif one.kind == "sections" and one.loose:
            told = beside and before is not None and before.kind in ("day", "weekday", "week", "part")
            read += [one] if told or _BY_NUMBER.search(text[: one.start]) or _is_bound_of_day(one, text) else []
        elif one.kind == "clock" and one.clock and one.loose:
            read.append(_in_half(one, before if beside else None))
        else:
            read.append(one)
    return read


_BY_NUMBER = re.compile(r"[到在]\s*$")
_DAY_AHEAD = re.compile(r"(?:^|[,，。;；、!！\s]|每[天日]|以后|平时|我|就|[和或到在])$")


def _is_bound_of_day(one: Time, text: str) -> bool:
    """Whether a section without 第 stands alone as one after or before which something is, 11节以后不学: no word in
    front of it does something for so many sections."""
    behind = text[one.end :]
    return bool(_DAY_AHEAD.search(text[: one.start]) and (LATER_BEHIND.match(behind) or EARLIER_BEHIND.match(behind)))


def _in_month(one: Time, month: Time, text: str) -> Time:
    """下个月8号, the 8th of next month."""
    assert month.first is not None
    day = to_date(month.first.year, month.first.month, one.number) if one.number else None
    start, end = min(one.start, month.start), max(one.end, month.end)
    return replace(one, start=start, end=end, first=day, last=day, impossible=day is None, loose=False)


def _count_from_part(one: Time, part: Time) -> Time:
    """下午第一大节: sections that lie outside the part of the day they are told of, counted from where it begins."""
    if not (one.sections and part.sections):
        return one
    (first, last), (begin, end) = one.sections, part.sections
    apart = (last or first) < begin and end is not None and (last or first) + begin - 1 <= end
    return replace(one, sections=(first + begin - 1, last and last + begin - 1)) if apart else one


def _in_half(one: Time, before: Time | None) -> Time:
    """An hour after 下午 is of the afternoon; a small one alone as well."""
    hour = int(one.clock[:2])
    late = before is not None and before.kind == "part" and before.part in (1, 2)
    early = before is not None and before.kind == "part" and before.part == 0
    told = replace(one, loose=not (late or early))
    return replace(told, clock=f"{hour + 12:02}{one.clock[2:]}") if late or (hour < _FIRST_HOUR and not early) else told


_OF_DAY = ("part", "sections", "clock")
_DATED = ("day", "days", "week")


_PLURAL = re.compile(r"days\W*$")


def _date_ends(found: list[Time], text: str, term: SemesterDates) -> list[Time]:
    """Times with the two days between which a run lies, each a weekday beside its week: 第4周周五到第5周周三."""
    pairs = list[tuple[int, Time]]()
    for at, two in enumerate(pairwise(found)):
        day, week = two if two[0].kind == "weekday" else two[::-1]
        alone = (day.kind, week.kind) == ("weekday", "week") and len(day.weekdays) == 1
        if alone and week.week and _stands_beside(day, week, text):
            when, start, end = term.day(week.week, day.weekdays[0]), min(day.start, week.start), max(day.end, week.end)
            pairs.append((at, replace(day, kind="day", first=when, last=when, start=start, end=end)))
    for (at, first), (then, last) in pairwise(pairs):
        if then == at + 2 and _TO.fullmatch(text[first.end : last.start]):
            return [*found[:at], first, last, *found[then + 2 :]]
    return found


def _join(found: list[Time], text: str, term: SemesterDates) -> list[Time]:
    """Ranges in one piece; what is listed with a day of a week is of the same week."""
    read: list[Time] = []
    for one in found:
        before = read[-1] if read else None
        gap = text[before.end : one.start] if before else ""
        between = before is not None and _BETWEEN.search(text[: before.start]) is not None
        joined = None
        if before is not None and before.end <= one.start:
            each = _PLURAL.search(text[before.start : before.end]) and "til" in gap  # those of all weeks until then
            if (_TO.fullmatch(gap) and not each) or (between and _AND.fullmatch(gap)):
                joined = _range(before, one, text, term)
                if before.part == 0 and one.part == 2:
                    read.append(replace(before, part=1, sections=term.day_parts[1]))
            elif _AND.fullmatch(gap) and gap.strip():
                joined = _two_weeks(before, one, gap, text)
                one = _listed(before, one, term)
            elif one.kind == "clock" and not gap.strip():
                joined = _join_halves(read, one, text, term)
        if joined is None:
            read.append(one)
        else:
            read[-1] = joined
    return read


_EACH_WEEK = re.compile(
    r"分别|各|轻松|空闲|[空忙满闲][一点些吗么呢?？]|更|比较|哪|比|交换|对调|互换|还是|\b(?:lighter|busier|fuller|easier|emptier|freer|respectively|each|which|whichever|than|versus|vs|compare\w*|swap|switch|exchange)\b"
)
"""What is said of weeks one by one."""


_ENDS_BEHIND = re.compile(r"\s*(?:until|till?|through|up to|到|至)")


def _two_weeks(one: Time, other: Time, gap: str, text: str) -> Time | None:
    """A week and the one behind it, as the stretch that they are; None where either is meant, or each for itself."""
    if one.kind != "week" or other.kind != "week" or not (one.last and other.first) or one.impossible:
        return None
    follows = other.first - one.last == DAY and not other.impossible
    ends = _ENDS_BEHIND.match(text[other.end :])
    if not follows or ends or re.search(r"或|\bor\b", gap) or _EACH_WEEK.search(text):
        return None
    return replace(one, last=other.last, week=None, end=other.end)


def _join_halves(read: list[Time], end: Time, text: str, term: SemesterDates) -> Time | None:
    """The hours up to one whose half of the day is said before it: 早上8点到晚上9点; of what they replace only
    the last stays in `read`."""
    if [one.kind for one in read[-2:]] != ["clock", "part"]:
        return None
    begin, half = read[-2:]
    hours = _hours_between(begin, end, term) if _TO.fullmatch(text[begin.end : half.start]) else None
    if hours is None:
        return None
    read.pop()
    if len(read) > 1 and read[-2].kind == "part" and read[-2].part != half.part:
        hours = replace(hours, start=read.pop(-2).start)  # they are not in one half
    return replace(hours, end=end.end)


def _range(one: Time, other: Time, text: str, term: SemesterDates) -> Time | None:
    """From one time to another; None where they make no range, or something is moved from one to the other."""
    origin = ORIGIN_BEFORE.search(text[: one.start])
    origin_on = _ORIGIN_ON.search(text[: one.start]) and " to " not in CLAUSE.split(text[other.end :])[0] + " "
    moved = MOVED.search(CLAUSE.split(text[: one.start])[-1])
    hours = one.kind == "clock" and TOLD_WHERE.search(CLAUSE.split(text[: one.start])[-1])
    if (origin or origin_on) and moved and not hours and "to" in text[one.end : other.start]:
        return None
    piece = text[one.start : one.end]
    one, other = settle_middle(one, text), settle_middle(other, text)
    one = replace(one, start=origin.start() if origin else one.start, end=other.end)
    if one.impossible or other.impossible:
        return replace(one, impossible=True)
    if one.first != one.last and one.kind == "days" and moved and _is_range(piece):
        return None
    if other.kind == "weekday" and one.first and one.kind in _DATED:
        other = _first_weekday(one, other)
    if one.kind in _DATED and other.kind in _DATED and one.first and other.last:
        weeks = one.kind == other.kind == "week"
        begin, end = sorted((one.first, other.last))
        ahead = range(min((end - begin).days + 1, _WEEK_DAYS) if one.weekdays else 0)
        weekdays = tuple((begin + days * DAY).isoweekday() for days in ahead)
        kind: Kind = "week" if weeks else "days"
        return replace(one, kind=kind, first=begin, last=end, week=None, weekdays=weekdays)
    if one.kind == other.kind == "weekday" and one.weekdays and other.weekdays:
        first, last = one.weekdays[0], other.weekdays[-1]
        run = range(first, last + 1) if first <= last else (*range(first, 8), *range(1, last + 1))
        return replace(one, weekdays=tuple(run))
    if one.kind == other.kind == "clock":
        return _hours_between(one, other, term)
    if one.sections and other.sections and one.kind == other.kind == "sections":
        return replace(one, sections=(one.sections[0], other.sections[1] or other.sections[0]))
    return None


def _is_range(said: str) -> bool:
    return re.search(r"到|至|\b(?:to|until|till|through|and)\b|\d\s*[-~–]\s*\d", said) is not None


def _hours_between(one: Time, other: Time, term: SemesterDates) -> Time | None:
    """下午两点到四点: the sections within; the half of the day is said once."""
    hour = int(other.clock[:2])
    end = f"{hour + 12:02}{other.clock[2:]}" if other.clock < one.clock and hour < 12 else other.clock
    (first, last), touched = sections_between(one.clock, end, term), sections_touched(one.clock, end, term)
    within = (first, last) if first and last and first <= last else touched
    if within:
        return replace(one, sections=within, touched=touched)
    return replace(one, until=end) if term.starts and one.clock < end else None


def _first_weekday(one: Time, other: Time) -> Time:
    """The weekday on or after a day: 下周一到周三, tomorrow until Friday."""
    assert one.first is not None
    ahead = (other.weekdays[-1] - one.first.isoweekday()) % 7 if other.weekdays else 0
    day = one.first + timedelta(days=ahead)
    return replace(other, kind="day", first=day, last=day, weekdays=())


def _listed(one: Time, other: Time, term: SemesterDates) -> Time:
    """下周二和周四, next Tuesday and Thursday: both of that week."""
    if (
        one.kind == "day"
        and one.weekdays
        and one.first
        and other.kind == "weekday"
        and len(other.weekdays) == 1
        and other.week is None
    ):
        day = term.day(term.week_day(one.first)[0], other.weekdays[0])
        return replace(other, kind="day", first=day, last=day, weekdays=())
    return other


def _near_weeks(found: list[Time], text: str, term: SemesterDates) -> list[Time]:
    """The week before a day, the weekend of the 18th, 20号那周: told by a day in it or beside it."""
    read: list[Time] = []
    taken = 0
    for one in found:
        if one.start < taken:
            continue
        near = _near_week(one, text, term) if one.kind in ("day", "days") and one.first else None
        if near is not None:
            taken = near.end
            read = [other for other in read if other.end <= near.start]
        read.append(near or one)
    return read


def _near_week(one: Time, text: str, term: SemesterDates) -> Time | None:
    assert one.first is not None
    assert one.last is not None
    before, behind = _WEEK_FROM
    if (from_week := before.search(text[: one.start])) and one.kind == "day":
        return Time("days", from_week.start(), one.end, one.first, one.first + (_WEEK_DAYS - 1) * DAY)
    if one.kind == "day" and (after := behind.match(text[one.end :])):
        start = one.start - text[: one.start].endswith("从")
        return Time("days", start, one.end + after.end(), one.first, one.first + (_WEEK_DAYS - 1) * DAY)
    for side, before, behind in _NEAR_WEEK:
        ahead, after = before.search(text[: one.start]), behind.match(text[one.end :])
        if ahead is None and after is None:
            continue
        start, end = (ahead.start(), one.end) if ahead else (one.start, one.end + after.end())  # type: ignore[union-attr]
        if (ahead and ahead[1] == "weekend") or (after and after[1]):
            anchor = one.last if side > 0 else one.first
            week, day = term.week_day(anchor)
            week += (-1, 0, day > 5)[side + 1]
            first, last = term.day(week, 6), term.day(week, _WEEK_DAYS)
        elif side:
            begin = one.last + DAY if side > 0 else one.first - _WEEK_DAYS * DAY
            first, last = begin, begin + (_WEEK_DAYS - 1) * DAY
        else:
            week = term.week_day(one.first)[0]
            first, last = term.day(week, 1), term.day(week, _WEEK_DAYS)
        return Time("days", start, end, first, last)
    return None


def _picks(one: Time, text: str) -> bool:
    """Whether what is on at a time is meant: everything in week 9, 周末那几项."""
    return _ORIGIN_ON.search(text[: one.start]) is not None or _PICKS_BEHIND.match(text[one.end :]) is not None


_OF_WEEK = re.compile(r"\s*(?:的|of|in|on|,)?\s*(?:the )?")


def _belongs(day: Time, week: Time, found: list[Time], text: str) -> bool:
    """Whether a weekday is one of the week that is named: right beside it it always is, Friday evening of week 6."""
    if day.start >= week.start:
        return not _picks(week, text)
    hours = [one for one in found if one.kind in _OF_DAY and day.end <= one.start and one.end <= week.start]
    if hours and _OF_WEEK.fullmatch(_gap_before(week, [day, *hours], text)):
        return True
    return not _picks(day, text) and _GOES_TO.search(text[day.end : week.start]) is None


def _pair_weeks(found: list[Time], text: str, term: SemesterDates) -> tuple[list[Time], list[Time]]:
    """The times with each weekday joined to the week that stands beside it, and those weekdays: 第9周周四, Thursday of
    week 9."""
    weeks = [one for one in found if one.kind == "week" and one.week is not None and not _is_bound(one, found, text)]
    if len(weeks) < 2 and len([one for one in found if one.kind == "weekday"]) != 1:
        return found, []
    read: list[Time] = []
    paired: list[Time] = []
    used: list[Time] = []
    for one in found:
        week = next((week for week in weeks if one.weekdays and _stands_beside(one, week, text)), None)
        if week is not None and one.kind == "weekday":
            first, last = (term.day(week.week or 0, one.weekdays[at]) for at in (0, -1))
            whole = replace(one, start=min(one.start, week.start), end=max(one.end, week.end), first=first, last=last)
            one = replace(whole, week=week.week, impossible=week.impossible)
            paired.append(one)
            used.append(week)
        read.append(one)
    return [one for one in read if one not in used], paired


def _find_recurring(found: list[Time]) -> set[int]:
    """Where a weekday begins that comes each week: every Tuesday."""
    return {one.end + gap for one in found if one.every for gap in (0, 1)}


def _is_bound(week: Time, found: list[Time], text: str) -> bool:
    """Whether a week only tells from or until when: the weekdays beside it are those of many weeks; one weekday written
    with it is a day until which something is, 第4周周五之前."""
    side = side_of(text[: week.start], text[week.end :])
    one_day = any(one.kind == "weekday" and one.start == week.start and len(one.weekdays) == 1 for one in found)
    others = any(one.kind == "weekday" and one.start != week.start for one in found)
    return side != "" and not (one_day and (others or side not in ("from", "after")))


def _stands_beside(day: Time, week: Time, text: str) -> bool:
    if day.start >= week.end:
        return _OF_WEEK.fullmatch(text[week.end : day.start]) is not None
    return day.start == week.start or _OF_WEEK.fullmatch(text[day.end : week.start]) is not None


def _bounds_with(one: Time, week: Time, text: str) -> bool:
    """Whether a weekday and the week beside it are the day from or until which something is."""
    around = text[: min(one.start, week.start)], text[max(one.end, week.end) :]
    return _stands_beside(one, week, text) and side_of(*around) != ""


def _attach_week(found: list[Time], text: str, term: SemesterDates) -> list[Time]:
    """Weekdays of the one week that is named: 第7周周二, Friday next week; not where one picks and the other is where
    that goes."""
    found, paired = _pair_weeks(found, text, term)
    weeks = [one for one in found if one.kind == "week"]
    every = _find_recurring(found)
    bare = [
        one for one in found if one.kind == "weekday" and one.weekdays and one.start not in every and one not in paired
    ]
    if len(weeks) != 1 or (weeks[0].week is None and not weeks[0].impossible):
        return found
    whole = weeks[0]
    if _is_bound(whole, found, text):
        return found
    bare = [one for one in bare if _belongs(one, whole, found, text)]
    bare = [one for one in bare if _bounds_with(one, whole, text)] or bare
    if not bare:
        return found
    read: list[Time] = []
    for one in found:
        if one in bare:
            first, last = (term.day(whole.week or 0, one.weekdays[at]) for at in (0, -1))
            read.append(replace(one, week=whole.week, first=first, last=last, impossible=whole.impossible))
        elif one is not whole or all(day.role == "avoided" != whole.role for day in bare):
            read.append(one)
    return read


def _attach_days(found: list[Time], text: str) -> list[Time]:
    """A weekday beside its date, or beside the few days in which it lies: Friday the 17th; this weekend, Saturday."""
    read: list[Time] = []
    every = _find_recurring(found)
    for one in found:
        at = next((at for at in range(len(read) - 1, -1, -1) if read[at].kind not in _OF_DAY), None)
        before = None if at is None else read[at]
        gap = _gap_before(one, read[at or 0 :], text)
        if at is None or before is None or one.kind in _OF_DAY or not _APPOSED.fullmatch(gap):
            read.append(one)
            continue
        days, name = (before, one) if before.first else (one, before)
        dated = days.first and days.last and days.kind in ("day", "days")
        long = dated and days.first and days.last and (days.last - days.first).days >= _WEEK_DAYS
        if name.start in every or long or not (dated and _is_bare(name)):
            read.append(one)
            continue
        fits = next((day for day in _days_of(days) if day.isoweekday() == name.weekdays[0]), None)
        if fits or (days.kind == "day" and not gap.strip()):
            read[at] = replace(days, kind="day", start=before.start, end=one.end, first=fits, last=fits,
                               impossible=fits is None)  # fmt: skip
        else:
            read.append(one)
    return read


def _gap_before(one: Time, before: list[Time], text: str) -> str:
    """What stands between times, those of the day left out."""
    return " ".join(text[here.end : there.start] for here, there in pairwise([*before, one]))


def _is_bare(one: Time) -> bool:
    return one.kind == "weekday" and len(one.weekdays) == 1 and one.first is None and not one.every


def _days_of(one: Time) -> list[date]:
    """The days of a short run."""
    assert one.first is not None
    assert one.last is not None
    return [one.first + ahead * DAY for ahead in range(min((one.last - one.first).days + 1, _WEEK_DAYS))]
