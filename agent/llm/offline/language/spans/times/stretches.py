"""Hours of something that takes its time: when it begins, how long it takes, when it is over, and its stretch in full.

at 3pm, takes two hours -> from 15:00 to 17:00; 七点开始，九点结束 -> 19:00到21:00.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from agent.llm.offline.language.normalize import fold_text, has_chinese
from agent.llm.offline.language.spans.classes.rhythms import read_minutes
from agent.llm.offline.language.spans.times.words import EN_COUNTS, MONTH, number_of

Role = Literal["at", "start", "from", "end", "before"]
_NOON, _DAY, _EARLY, _EVENING = 12 * 60, 24 * 60, 8 * 60, 18 * 60
_NUMERAL = "一二两三四五六七八九十"
_NUM = rf"(?:\d{{1,2}}|[{_NUMERAL}]{{1,3}})"
_PART = r"(?P<part>上午|早上|早晨|清晨|中午|下午|午后|傍晚|晚上|今晚|夜里)?"
_WORD = "|".join(EN_COUNTS)
_CLOCK = re.compile(
    rf"{_PART}(?:(?<=[周期拜][一二三四五六日天])|(?<![\d:周期拜第{_NUMERAL}]))(?<![早晚多少快慢好大小有])(?P<zh>{_NUM})点"
    rf"(?!儿)(?<![一1]点(?=[都也]))(?P<past>半|[一1三3]刻|{_NUM}分?)?钟?"
    r"|(?<![\d:./])(?P<h>\d{1,2}):(?P<m>\d\d)(?!\d)(?:\s*(?P<half>[ap])m\b)?"
    r"|(?<![\d:./])(?P<h2>\d{1,2})(?:\s*(?P<half2>[ap])m\b|\s*o'clock\b)|(?P<noon>\b(?:noon|midday|midnight)\b|中午(?!\d|[一二两三四五六七八九十]))"
    rf"|(?<![\d:./])(?<!\d-)\b(?P<bare>\d{{1,2}}|{_WORD})(?:ish)?\b(?![:./-]\d|st\b|nd\b|rd\b|th\b|\s*(?:%|{MONTH}"
    r"|hours?|hrs?|h\b|min|and a half|days?|weeks?|sections?|periods?|items?|chapters?|things?|tasks?|times?|of\b"
    r"|more))"
)
_TO = re.compile(r"\s*(?:-|–|~|到|至|\b(?:to|till?|until)\b)\s*(?:about |around )?")
_HEDGE = r"(?:\s+(?:at|up|it|is|then|again|by|around|about|roughly|like|maybe|probably|until|till|to|usually))*\s*"
_BEFORE = re.compile(r"\b(?:before|earlier than)\s*$")
_ENDS = re.compile(
    rf"(?:\b(?:until|till?|to|through|by|ends?|ending|finish(?:es|ing)?|over|done|out|off|back|home"
    rf"|(?:they|people|guests|he|she) (?:leaves?|go)){_HEDGE}|[-–~到至]\s*)$"
)
_FROM = re.compile(
    rf"(?:\b(?:from|after|past|onwards?|(?:i|we)(?:'ll| have to| need to| must|'m|'re)? (?:leav(?:e|ing)|off))"
    rf"{_HEDGE}|从)$"
)
_STARTS = re.compile(rf"(?:\b(?:start(?:s|ing)?|begin(?:s|ning)?|kicks? off){_HEDGE}|开始(?:是|于|时间)?)$")
_AT = re.compile(r"(?:\b(?:at|around|about|like|than|it|is|it's|make|say|actually|no)|,|^)\s*$")
_ENDS_BEHIND = re.compile(
    r"\s*(?:左右|多)?[就才]?(?:能|会|可以)?(?:结束|完[事了]?|散[场会]?|下[班课]|放学|收工|走(?!开)|为止|回来|回家|到家)|\s*才(?:有空|有时间|能|可以|行)"
)
_BEFORE_BEHIND = re.compile(r"\s*(?:之前|以前|前)")
_STARTS_BEHIND = re.compile(r"\s*(?:左右)?就?(?:开始|开场|上[班课])")
_FROM_BEHIND = re.compile(
    r"\s*(?:左右)?(?:以后|之后|过后|后|起(?!床)|往后|就?我?[得要就]走|[得要就]*出[发门])|\s*onwards?\b|\s*on\b(?=\W*$)"
)
_AMOUNT = (
    rf"(?:\d{{1,3}}(?:\.\d)?|half an?|an?|{_WORD})(?:[ -]and[ -]a[ -]half)?[ -]?(?:hours?|hrs?|h|minutes?|mins?)\b"
    r"(?: and a half)?"
)
_LONG_ZH = rf"(?:\d{{1,3}}(?:\.\d)?|半|[{_NUMERAL}]{{1,3}})个?半?(?:小时|钟头|分钟)半?"
_LENGTH = re.compile(
    r"(?<!\bin )(?<!by )(?<!every )(?<!other )(?<!within )(?<!after )(?:(?:[,;]\s*|\b)(?:and|it|that|which|it'll"
    r"|it's|they|should|will|shouldn't|won't|would|usually|normally|probably|only|just|about|around|roughly|like|maybe"
    r"|up to|at most|(?:no )?(?:more|longer|less) than|takes? me|takes?|lasts?|runs?|goes? on|be|is|for|\s){1,20}"
    r"|[,;]\s*|^|\s)"
    rf"(?P<en>{_AMOUNT})(?:\s+(?:or so|long|tops|max|at most|in total))*"
    r"(?!\s*(?:later|earlier|before|after|ago|each|per|every|an?\b|of\b|from|back|sooner|free|break|more))"
    r"|[,，;；。]?(?<![每推迟前早晚第再隔])(?:它|那个?|这个?|时长|一共|总共|共|大概|大约|差不多|估计|可能|应该|最多|要|得|需要?|花|用"
    rf"|占|持续|会|上|开|做|为期){{0,6}}(?P<zh>{_LONG_ZH})(?!以?[内前后]|[之一]|[早晚]|就?够)(?:左右|上下|吧|呢|的样子|就[行好])*"
)
"""How long something takes, with the words that tell it to be so."""
_END_PIECE = re.compile(
    r"[,，;；]?\s*(?:\b(?:and|it|that|which|it'll|usually|probably)\s+)*(?:\b(?:until|till?|to|ends?|ending"
    rf"|finish(?:es|ing)?|is over|over|done|out|off){_HEDGE}|[到至–~-]\s*)?$"
)
_BEGIN_PIECE = re.compile(rf"[,，;；]?\s*(?:\b(?:and|it|from|at|start(?:s|ing)?|begin(?:s|ning)?){_HEDGE}|从)?$")


_LATE_PARTS = (re.compile(r"下午|\bafternoons?\b"), re.compile(r"晚上|傍晚|\b(?:evenings?|nights?|tonight|dinner)\b"))


@dataclass(frozen=True)
class Hour:
    """An hour of a text in minutes of its day; `loose` where the half of the day is not told."""

    minutes: int
    loose: bool
    role: Role
    start: int
    end: int


@dataclass(frozen=True)
class Hours:
    """What a text tells of a stretch of hours: its hours, and how long it is."""

    told: tuple[Hour, ...]
    length: int | None = None
    spans: tuple[tuple[int, int], ...] = ()
    """Where its length is told."""

    def of(self, *roles: Role) -> Hour | None:
        return next((one for one in self.told if one.role in roles), None)


def read_hours(text: str) -> Hours:
    """What a folded text tells of hours and how long something takes."""
    lengths = [*_LENGTH.finditer(text)]
    found = [hour for one in _CLOCK.finditer(text) if (hour := _hour(one, text, lengths))]
    bare = [one for one in found if one.role == "at" and not _is_told(text, one, found)]
    minutes = [read_minutes(one["en"] or one["zh"]) for one in lengths]
    told = minutes[0] if len(minutes) == 1 else None
    spans = tuple(one.span() for one in lengths)
    late = any(form.search(text) for form in _LATE_PARTS)
    return Hours(tuple(_in_half(one, late) for one in found if one not in bare), told, spans)


def _in_half(hour: Hour, late: bool) -> Hour:
    """An hour after noon where a part of the day behind it is told somewhere."""
    later = late and hour.loose and hour.minutes < _NOON
    return replace(hour, minutes=hour.minutes + _NOON, loose=False) if later else hour


def _hour(one: re.Match[str], text: str, lengths: Sequence[re.Match[str]]) -> Hour | None:
    if any(long.start() <= one.start() and one.end() <= long.end() for long in lengths):
        return None
    said = one["zh"] or one["h"] or one["h2"] or one["bare"] or "12"
    past = one["past"] or one["m"] or ""
    if one["noon"] == "midnight":
        said, past = "23", "59分"
    minutes = 30 if past == "半" else (45 if past[0] in "三3" else 15) if past.endswith("刻") else _number(past)
    number, half = number_of(said), one["half"] or one["half2"]
    if number > 24 or minutes > 59:
        return None
    number += 12 if number < 12 and (half == "p" or (one["part"] or "上午")[:1] in "中下午傍晚今夜") else 0
    told = half or one["part"] or one["noon"] or number > 12
    head, rest = text[: one.start()], text[one.end() :]
    role: Role = "at"
    if _FROM.search(head):
        role = "from"
    elif _BEFORE.search(head) or _BEFORE_BEHIND.match(rest):
        role = "before"
    elif _ENDS.search(head) or _ENDS_BEHIND.match(rest):
        role = "end"
    elif _STARTS.search(head) or _STARTS_BEHIND.match(rest):
        role = "start"
    elif _FROM_BEHIND.match(rest):
        role = "from"
    return Hour(60 * number + minutes, not told, role, one.start(), one.end())


def _number(said: str) -> int:
    return number_of(said.rstrip("分")) if said else 0


def _is_told(text: str, hour: Hour, found: Sequence[Hour]) -> bool:
    """Whether a number is an hour: by what is written beside it, or as one end of a range."""
    said = text[hour.start : hour.end]
    if re.search(r"[点:]|[ap]m$|clock|noon|midday|ish", said):
        return True
    return _AT.search(text[: hour.start]) is not None or any(
        _TO.fullmatch(text[hour.end : other.start]) for other in found if other.start > hour.start
    )


def settle(hours: Hours, near: tuple[int | None, int | None] = (None, None)) -> tuple[int | None, int | None]:
    """The first and the last minute of a stretch; a half of the day that is not told is that of the hours `near` it."""
    first, last = hours.of("from", "start", "at"), hours.of("end", "before")
    begin = _settle_begin(first, near) if first else near[0]
    end = None
    if last:
        after = begin if begin is not None else near[0]
        end = _after(last, after) if after is not None else clock_of(last, near[1])
    elif hours.length and begin is not None:
        end = begin + hours.length
    if first is None and last and begin is None and hours.length and end is not None:
        begin = end - hours.length
    return begin, end


def _after(hour: Hour, begin: int) -> int:
    late = hour.minutes + _NOON
    return late if hour.loose and hour.minutes <= begin and begin < late < _DAY else hour.minutes


def clock_of(hour: Hour, near: int | None) -> int:
    late = hour.minutes + _NOON
    if not hour.loose or late >= _DAY:
        return hour.minutes
    if near is not None:
        return min((hour.minutes, late), key=lambda one: abs(one - near))
    return late if hour.minutes < _EARLY else hour.minutes


def _settle_begin(hour: Hour, near: tuple[int | None, int | None]) -> int:
    late = hour.minutes + _NOON
    if hour.loose and hour.role in ("from", "start") and near[1] is not None:
        return late if late < near[1] else hour.minutes
    return clock_of(hour, near[0] if near[0] is not None else near[1])


def say_hours(begin: int | None, end: int | None, *, zh: bool, single: bool = False) -> str:
    """A stretch of hours in full; open on the side that is not told, a `single` hour alone."""
    told = [f"{one // 60:02}:{one % 60:02}" if one is not None else "" for one in (begin, end)]
    if begin is not None and end is not None:
        return f"{told[0]}到{told[1]}" if zh else f"from {told[0]} to {told[1]}"
    if begin is not None:
        alone = told[0] if zh else f"at {told[0]}"
        return alone if single else f"{told[0]}以后" if zh else f"after {told[0]}"
    return f"{told[1]}之前" if zh else f"before {told[1]}"


_STUDIES = re.compile(
    r"移|挪|推迟|提前|学(?![校生期院])|复习|背|考|[帮给]我[安排]|第[\d一二三四五六]+[章项个]|实验|截止|什么|几|吗|[?？]"
    r"|\b(?:mov|(?<!my )(?<!a )(?<!the )(?<!night )shift(?!s)|push|stud|revis|learn|exam|midterm|test|quiz|deadline"
    r"|due|chapter|lab|item|unit|section|lecture"
    r"|can i|could i|when|what|how|which|why)\w*"
)
"""What tells of something to be planned, or asks."""


def spell_stretch(text: str, names: Sequence[str]) -> str:
    """The text with the hours of what it tells to begin at one and to take so long, or to end at another, from one to
    the other; what has one of `names` or is studied stays as it is."""
    folded = fold_text(text)
    if len(folded) != len(text) or _STUDIES.search(folded) or any(fold_text(name) in folded for name in names):
        return text
    hours = read_hours(folded)
    first, last = hours.of("at", "start", "from"), hours.of("end")
    if first is None or len(hours.told) > 1 + (last is not None) or (last is None) == (hours.length is None):
        return text
    joined = last and _TO.fullmatch(folded[first.end : last.start])
    said = folded[first.start : first.end]
    apart = _LATE_PARTS[1].search(folded) and not _LATE_PARTS[1].search(said)
    if joined and re.search(r"[点:]|[ap]m$", said) and not (apart or said[:2] in ("一点", "1点")):
        return text
    begin, end = settle(replace(hours, told=tuple(filter(None, (first, last)))))
    if begin is None or end is None or not begin < end < _DAY:
        return text
    cuts = [(*_piece(folded, first, _BEGIN_PIECE), f" {say_hours(begin, end, zh=has_chinese(text))} ")]
    cuts += [(*span, "") for span in hours.spans]
    cuts += [(*_piece(folded, last, _END_PIECE), "")] if last else []
    for start, stop, told in sorted(cuts, reverse=True):
        text = text[:start] + told + text[stop:]
    return _GAPS.sub("" if has_chinese(text) else " ", text).strip()


_GAPS = re.compile(r" {2,}|(?<=[\u4e00-\u9fff\d]) (?=[\u4e00-\u9fff\d])")


def _piece(text: str, hour: Hour, lead: re.Pattern[str]) -> tuple[int, int]:
    """From where to where an hour is told, with what tells it to be the first or the last one."""
    ahead = lead.search(text[: hour.start])
    forms = {"end": _ENDS_BEHIND, "start": _STARTS_BEHIND}
    behind = forms.get(hour.role, _FROM_BEHIND).match(text, hour.end)
    return (ahead.start() if ahead else hour.start), (behind.end() if behind else hour.end)
