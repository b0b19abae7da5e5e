"""Times written out before anything is looked for: holidays by name, ranges that name their month once, joined labels.

五一别排 -> 5月1日到5月5日别排; 18-20 April -> 18 April to 20 April; 4月18到20号 -> 4月18日到4月20日; unit4 -> unit 4.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, timedelta

_LUNAR = {
    2025: {"清明": "04-04", "端午": "05-31", "中秋": "10-06", "春节": "01-28"},
    2026: {"清明": "04-04", "端午": "06-19", "中秋": "09-25", "春节": "02-16"},
    2027: {"清明": "04-03", "端午": "06-07", "中秋": "09-13", "春节": "02-05"},
    2028: {"清明": "04-02", "端午": "05-27", "中秋": "10-01", "春节": "01-25"},
}
"""First days of the holidays that follow the moon or the sun."""
_FIXED = {"元旦": "01-01", "五一": "05-01", "国庆": "10-01", "圣诞": "12-25"}
_DAYS = {"元旦": 1, "五一": 5, "国庆": 7, "圣诞": 1, "清明": 3, "端午": 3, "中秋": 3, "春节": 8}
_NAMES = (
    (r"(?:五一|劳动节)", "五一"), (r"国庆节?|十一(?=[假长黄放])", "国庆"), (r"元旦", "元旦"), (r"清明节?",
        "清明"), (r"端午节?", "端午"),
    (r"中秋节?", "中秋"), (r"春节", "春节"), (r"圣诞节?", "圣诞"),
    (r"\b(?:the )?(?:may day|labou?r day)\b", "五一"), (r"\b(?:the )?(?:golden week|national day)\b", "国庆"),
    (r"\bnew year'?s?(?: day)?\b", "元旦"), (r"\b(?:the )?(?:qing ?ming|tomb[- ]sweeping(?: day)?)\b", "清明"),
    (r"\b(?:the )?dragon boat(?: festival)?\b", "端午"), (r"\b(?:the )?mid[- ]autumn(?: festival)?\b", "中秋"),
    (r"\b(?:the )?(?:spring festival|chinese new year)\b", "春节"), (r"\bchristmas(?: day)?\b", "圣诞"),
)  # fmt: skip
_TAIL = r"(?:的?(?:小?长?假期?|黄金周|放假|期间|那几天|这几天|那段时间)|\s*(?:holidays?|break|weekend|period))*"
_HOLIDAYS = tuple((re.compile(f"(?:{pattern}){_TAIL}", re.IGNORECASE), name) for pattern, name in _NAMES)
_NEXT_DATE = re.compile(r"^[^。;；]{0,14}?\d{1,2}\s*(?:月|[./])\s*\d{1,2}")
_SIDE = re.compile(r"^\s*(?:之?前|以前)|^\s*(?P<after>之?后|以后|过后|结束)")
_BEFORE = re.compile(r"\b(?:until|before|by|(?P<after>after|since|from))\s+(?:the\s+)?$", re.IGNORECASE)
_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
_TO = r"\s*(?:-|~|–|—|to|until|till|through|and)\s*"
_DAY = r"(\d{1,2})(?:st|nd|rd|th)?"
_EN_RANGE = re.compile(rf"\b(?:the )?{_DAY}{_TO}(?:the )?{_DAY} (?:of )?({_MONTH})(?![a-z])", re.IGNORECASE)
_EN_RANGE_AFTER = re.compile(rf"\b({_MONTH}) {_DAY}{_TO}{_DAY}\b(?! (?:of )?{_MONTH}|:|\d)", re.IGNORECASE)
_ZH_RANGE = re.compile(
    r"(\d{1,2})月(\d{1,2})[日号]?\s*(?:到|至|-|~|–|—|和|、)\s*(\d{1,2})(?:[日号](?!楼|线)|(?=[^\d月.:/节周章]|$))"
)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH_END = re.compile(
    rf"(?:(?P<zh>\d{{1,2}})月|这个月|本月|月)(?:底|末)|\b(?:the )?end of (?P<en>{_MONTH}|the month"
    rf"|this month)(?![a-z])",
    re.IGNORECASE,
)
_JOINED = re.compile(r"\b(unit|chapter|chap|ch|lab|lecture|lesson|part|item)s?\.?(\d{1,3})(?!\d|[a-z])", re.IGNORECASE)
_ARROW = re.compile(r"\s*(?:[-=]+>|→|➡️?|⇒)\s*")
_CJK = re.compile("[\u4e00-\u9fff]")
_HALF_DAY = re.compile(r"\b((?:mon|tue|wed|thu|fri|sat|sun)[a-z]*|tomorrow|today) (am|pm)\b", re.IGNORECASE)
"""fri pm; what is no hour."""
_LONG_FORM = {"ch": "chapter", "chap": "chapter"}


def spell_out_times(message: str, names: Sequence[str], today: date) -> str:
    """The message with every range of days told by its two ends; what `names` contain stays as it is."""
    text = _JOINED.sub(lambda found: f"{_LONG_FORM.get(found[1].lower(), found[1])} {found[2]}", message)
    text = _ARROW.sub(" to " if message.isascii() or not _CJK.search(message) else "移到", text)
    text = _HALF_DAY.sub(lambda found: f"{found[1]} {'morning' if found[2] == 'am' else 'afternoon'}", text)
    text = _EN_RANGE.sub(r"\1 \3 to \2 \3", text)
    text = _EN_RANGE_AFTER.sub(r"\1 \2 to \1 \3", text)
    text = _ZH_RANGE.sub(r"\1月\2日到\1月\3日", text)
    text = _MONTH_END.sub(lambda found: _find_end(found, today), text)
    for pattern, name in _HOLIDAYS:
        if not any(pattern.search(known) for known in names):
            text = pattern.sub(lambda found, name=name: _find_days(found, name, today), text)  # type: ignore[misc]
    return text


def find_own_words(said: str, message: str, names: Sequence[str], today: date) -> str:
    """A piece of what was written out in the words of the message: 国庆 for 10月1日到10月7日."""
    for pattern, name in _HOLIDAYS:
        for found in () if any(pattern.search(known) for known in names) else pattern.finditer(message):
            said = said.replace(_find_days(found, name, today), found.group())
    return said


def _find_end(found: re.Match[str], today: date) -> str:
    """The last day of a month: 4月底, the end of April, 月底."""
    english = found["en"] is not None
    said = (found["en"] or "").lower()[:3]
    month = int(found["zh"] or 0) or (_MONTHS.index(said) + 1 if said in _MONTHS else today.month)
    following = date(today.year + month // 12, month % 12 + 1, 1)
    return _say(following - timedelta(days=1), english)


def _find_days(found: re.Match[str], name: str, today: date) -> str:
    """The days of a holiday; only its last one before "after", its first one before "before"; its name where dates
    follow that tell it better."""
    first = _first_day(name, today)
    rest, head = found.string[found.end() :], found.string[: found.start()]
    if first is None or _NEXT_DATE.match(rest):
        return found.group()
    last = first + timedelta(days=_DAYS[name] - 1)
    side = _SIDE.match(rest) or _BEFORE.search(head)
    english = found.group().isascii()
    if side is not None:
        return _say(last if side["after"] else first, english)
    return _say(first, english) + ("" if first == last else (" to " if english else "到") + _say(last, english))


def _first_day(name: str, today: date) -> date | None:
    """The next time the holiday begins, or the one that is not over yet."""
    for year in (today.year, today.year + 1):
        said = _FIXED.get(name) or _LUNAR.get(year, {}).get(name)
        if said and (day := date.fromisoformat(f"{year}-{said}")) + timedelta(days=_DAYS[name] + 30) >= today:
            return day
    return None


def _say(day: date, english: bool) -> str:
    return f"{day.day} {day:%B}" if english else f"{day.month}月{day.day}日"
