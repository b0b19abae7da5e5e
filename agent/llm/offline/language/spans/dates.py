"""Dates, weeks, weekdays, parts of the day and sections in a sentence, in Chinese and English.

All functions read a message as `fold_numbers` leaves it, except the weekday of a Chinese sentence, which is read before
its numeral becomes a digit (第三周三 would lose it).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta

from agent.llm.offline.language.normalize import fold_numbers, fold_text
from agent.loop.view_document import SemesterView, View

_ISO = re.compile(r"(?<!\d)(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?")
_MONTH_DAY = re.compile(r"(?<![\d/])(\d{1,2})\s*(?:月\s*(\d{1,2})\s*[日号]?|/(\d{1,2})(?!\d|/))")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = r"(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
_EN_MONTH_DAY = re.compile(rf"\b{_MONTH}\s+(\d{{1,2}})(?:st|nd|rd|th)?\b")
_EN_DAY_MONTH = re.compile(rf"\b(\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?{_MONTH}\b")
_MONTHS_A_YEAR = 12
"""A first number above it is a day: 29/4, and in that message 3/5 as well."""
_DAY_ONLY = re.compile(r"^\s*(?:到|至|-|~|–|—)\s*(\d{1,2})\s*[日号]")
_DAY_ALONE = re.compile(
    r"(?<![\d月/.])([12]?\d|3[01])\s*号(?!楼|线|实验|题)"
    r"|(?<![\d月/.后前迟早晚延挪移推隔])(?P<day>[12]?\d|3[01])\s*日(?=$|[,，。!\s]|上午|下午|晚上|早上|吧)"
    r"|\bthe (\d{1,2})(?:st|nd|rd|th)\b(?! (?:of )?[a-z]{3,}\b(?<!too)(?<!as)(?<!please)(?<!instead))"
)
_TO = r"\s*周?\s*(?:到|至|-|~|–|—|to|until|through)\s*"
_WEEKS = re.compile(
    rf"(?:第\s*|weeks?\s*|wks?\.?\s*)(\d{{1,2}}){_TO}(?:第\s*|weeks?\s*|wk\s*)?(\d{{1,2}})\s*周?(?!\d|\s*节)"
)
_WEEK = re.compile(r"第\s*(\d{1,2})\s*(?:个)?(?:教学)?周|\b(?:week|wk)\.?\s*(\d{1,2})")
_ZH_DAY = re.compile(r"(?:周|星期|礼拜)([一二三四五六日天末])|(?<![\d第])(?:周|星期|礼拜)([1-7])(?!\d|\s?[-~到至])")
_ZH_DAYS = {"一": 1, "二": 2, "三": 3, "四": 4, "五": 5, "六": 6, "日": 7, "天": 7}
_EN_DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_EN_DAY = re.compile(
    r"\b(?:mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:rs?(?:day)?)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?)s?\b"
)
_SECTIONS = re.compile(
    r"(?<!\d)(?:第\s*|sections?\s*)?(\d{1,2})\s*[-~–—到至]\s*(?:第\s*)?(\d{1,2})\s*(?:节|(?=$|[^\d/月日号周.-]))"
)
_SECTIONS_EN = re.compile(r"\bsections?\s*(\d{1,2})\s*(?:to|through|until|and)\s*(\d{1,2})\b")
_SECTION = re.compile(r"第\s*(\d{1,2})\s*节|\bsection\s*(\d{1,2})|(?<!\d)(\d{1,2})\s*节(?!课?[时次])")
_RELATIVE = (
    ("大后天", 3),
    ("后天", 2),
    ("明天", 1),
    ("明儿", 1),
    ("今天", 0),
    ("今儿", 0),
    ("后儿", 2),
    ("昨儿", -1),
    ("昨天", -1),
    ("昨晚", -1),
    ("yesterday", -1),
    ("今晚", 0),
    ("明晚", 1),
    ("tonight", 0),
    ("day after tomorrow", 2),
    ("tomorrow", 1),
    ("today", 0),
)
_DAYS_AHEAD = re.compile(
    r"(?P<now>这|今后)\s*(?P<n>\d|几|两)\s*天|(?:接下来|未来|(?<!往)后面)的?\s*(?P<n2>\d{1,2})\s*天"
    r"|\b(?:the )?(?:next|coming|following) (?:few|couple of|(?P<n3>\d{1,2}))?\s*days\b"
)
"""Some days from today on: 这两天, the next three days."""
_DOTTED = re.compile(r"(?<![\d.])(1[0-2]|[1-9])\.(3[01]|[12]\d|0?[1-9])(?![\d.])")
_BESIDE_DATE = re.compile(r"考|截止|答辩|交|放假|ddl|deadline|exam|due|[日号]")
"""Beside these a number with a dot is a date: 5.20才考."""
_WEEKS_AHEAD = (
    (2, ("下下周", "下下个星期", "下下星期", "下下礼拜", "week after next")),
    (1, ("下周", "下个周", "下星期", "下个星期", "下礼拜", "下个礼拜", "next week")),
    (0, ("本周", "这周", "这个周", "本星期", "这星期", "这个星期", "本礼拜", "这礼拜", "这个礼拜", "this week")),
)
_LAST_WEEK = re.compile(r"(?<![早晚])上个?(?:周|星期|礼拜)(?![1-7日天])|\blast week\b")
_AHEAD = {"上": -1, "last": -1, "下下": 2, "下": 1, "本": 0, "这": 0, "next": 1, "this": 0}
_EN_NAME = r"(mon(?!th)|tue|wed|thu|fri|sat|sun)[a-z]*"
_WEEK_DAY = re.compile(
    rf"(下下|下|本|这|(?<![早晚])上)个?(?:周|星期|礼拜)([1-6](?= )|[日天])|\b(next|this|last) {_EN_NAME}\b"
)
_TO_DAY = re.compile(rf"\s*(?:到|至|-|~|–|to|until)\s*(?:(?:周|星期|礼拜)([1-6](?= )|[日天])|{_EN_NAME}\b)")
_END = re.compile(r"\d\s*[日号]?\s*(?:之前|以前|前|截止|结束)|(?:到|至|by|until|before|ends?)\s*\S{0,12}\s?\d")
_ZH_DAY_RUN = re.compile(
    r"(?:周|星期|礼拜)([一二三四五六])\s*[到至~-]\s*(?:周|星期|礼拜)?([二三四五六日天])(?![一-鿿]*节)"
)
_EN_DAY_RUN = re.compile(
    rf"\bfrom {_EN_NAME} (?:to|through|thru|until|till) {_EN_NAME}\b|\b{_EN_NAME}\s*(?:-|–|through|thru)\s*{_EN_NAME}\b"
)
"""Weekdays from one to another; "Monday to Wednesday" without "from" may tell a move."""
_ZH_DAY_LIST = re.compile(r"(?:周|星期)[一二三四五六日天]((?:[、,和及]\s*[一二三四五六日天](?![一-鿿]*节))+)")
_UNTIL_WEEK = re.compile(
    r"(?<![改移调挪换迟前排])[到至]\s*第?\s*\d{1,2}\s*周|\d周\s*(?:之?前|截止|结束)"
    r"|\b(?:until|till|by|through|before)\s+(?:the end of )?(?:week|wk)"
)
_FROM_WEEK = re.compile(
    r"从\s*第?\s*\d{1,2}\s*周|\d周\s*(?:开始|起)"
    r"|\b(?:from|start(?:s|ing)?(?: in| from)?|since)\s+(?:week|wk)"
)
_PARTS = (
    ("上午", "早上", "早晨", "morning"),
    ("下午", "afternoon"),
    ("晚上", "今晚", "明晚", "晚间", "夜里", "evening", "night"),
)


TIMES = re.compile(
    r"(?<![\d月])\d{1,2}\s*[日号](?!楼|线)|第?\s*\d{1,2}\s*(?:[-~—到至]\s*\d{1,2}\s*)?(?:节|周(?!末))|(?:第\s*)?\d{1,2}\s*[-~到至]\s*\d{1,2}"
    r"|(?:周|星期|礼拜)\s*[一二三四五六日天末1-7]|[上下本这]+个?(?:周|星期|礼拜)(?:\s*[1-7日天])?"
    r"|这\s*[两几\d]\s*天|(?:接下来|未来|后面)的?\s*\d{1,2}\s*天|\b(?:next|coming) (?:\w+ )?days\b"
    r"|\d{1,2}\s*月\s*\d{1,2}\s*[日号]?|大?[今明后][天儿]|[今明昨]晚|昨天|上午|早上|早晨|中午|下午|晚上|晚间|夜里"
    r"|\b(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\b|\b(?:mornings?|afternoons?|evenings?|nights?|weekends?|weekdays?)\b|工作日"
    r"|\b(?:the )?week after next\b"
    r"|\b(?:today|tomorrow|yesterday|next|this|weeks?|wk|sections?)\b|\d{1,2}(?:/\d{1,2}|st|nd|rd|th)?"
)
"""Any word about a time."""
NO_SEMESTER = SemesterView(
    first_monday="2000-01-03", weeks=20, sections=12, day_parts=[[1, 4], [5, 8], [9, 12]], starts=[]
)
"""The measures by which a sentence is read where there is no semester."""


@dataclass(frozen=True)
class SemesterDates:
    """The semester as the view gives it; dates outside it belong to no week."""

    first_monday: date
    weeks: int
    sections: int
    day_parts: tuple[tuple[int, int], ...]
    today: date
    starts: tuple[str, ...] = ()
    """When each section begins, as HH:MM; empty where nobody knows."""

    @classmethod
    def of(cls, view: View) -> SemesterDates:
        semester, today = view["semester"] or NO_SEMESTER, date.fromisoformat(view["now"]["date"])
        parts = tuple((first, last) for first, last in semester["day_parts"])
        first_monday = date.fromisoformat(semester["first_monday"])
        return cls(first_monday, semester["weeks"], semester["sections"], parts, today, tuple(semester["starts"]))

    @property
    def last_day(self) -> date:
        return self.first_monday + timedelta(days=7 * self.weeks - 1)

    def week_day(self, day: date) -> tuple[int, int]:
        offset = (day - self.first_monday).days
        return offset // 7 + 1, offset % 7 + 1

    def day(self, week: int, day_of_week: int) -> date:
        return self.first_monday + timedelta(days=7 * (week - 1) + day_of_week - 1)

    def in_year(self, month: int, day: int) -> date | None:
        """That day in the year of the semester; a semester over New Year takes the year in which it falls."""
        for year in (self.first_monday.year, self.last_day.year):
            found = _date(year, month, day)
            if found and self.first_monday <= found <= self.last_day:
                return found
        return _date(self.today.year, month, day)


def _date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def dates_in(message: str, term: SemesterDates) -> list[date]:
    """Every calendar date of the message in the order of the text; words such as 明天 count."""
    text = fold_numbers(message)
    found: list[tuple[int, int, date | None]] = []
    for match in _ISO.finditer(text):
        found.append((match.start(), match.end(), _date(*(int(part) for part in match.groups()))))
    rest = _ISO.sub(lambda match: " " * len(match.group()), text)
    day_first = any(int(match[1]) > _MONTHS_A_YEAR for match in _MONTH_DAY.finditer(rest) if match[3])
    for match in _MONTH_DAY.finditer(rest):
        first, second = int(match[1]), int(match[2] or match[3])
        month, day = (second, first) if day_first and match[3] else (first, second)
        found.append((match.start(), match.end(), term.in_year(month, day)))
    for match in _EN_MONTH_DAY.finditer(rest):
        found.append((match.start(), match.end(), term.in_year(_month(match[1]), int(match[2]))))
    for match in _EN_DAY_MONTH.finditer(rest):
        found.append((match.start(), match.end(), term.in_year(_month(match[2]), int(match[1]))))
    found += _find_dotted_dates(rest, term)
    found += _find_days_alone(rest, term)
    found += _find_relative_dates(rest, term)
    found += _find_days_ahead(rest, term)
    found += _in_week(rest, term)
    found += _same_month(rest, found)
    return [day for _, _, day in sorted(found, key=lambda entry: entry[0]) if day]


def _find_days_ahead(text: str, term: SemesterDates) -> Iterable[tuple[int, int, date | None]]:
    """The first and the last of some days from today on; no count is two days."""
    for match in _DAYS_AHEAD.finditer(text):
        said = match["n"] or match["n2"] or match["n3"] or ""
        count = int(said) if said.isdigit() else 2
        yield match.start(), match.start(), term.today
        yield match.end(), match.end(), term.today + timedelta(days=max(1, count) - 1)


def _find_days_alone(text: str, term: SemesterDates) -> Iterable[tuple[int, int, date | None]]:
    """17号, the 17th: the next day of that number."""
    taken = [match.span() for pattern in (_EN_MONTH_DAY, _EN_DAY_MONTH, _MONTH_DAY) for match in pattern.finditer(text)]
    taken += [(end, end + 9) for match in _MONTH_DAY.finditer(text) if _DAY_ONLY.match(text[(end := match.end()) :])]
    for match in _DAY_ALONE.finditer(text):
        if not any(first <= match.start() < last for first, last in taken):
            number, day = int(match[1] or match["day"] or match[3]), term.today
            while day.day != number and (day - term.today).days < 62:
                day += timedelta(days=1)
            yield match.start(), match.end(), day if day.day == number else None


def _month(name: str) -> int:
    return _MONTHS.index(name) + 1


def _find_dotted_dates(text: str, term: SemesterDates) -> list[tuple[int, int, date | None]]:
    """11.30到12.20: only a pair is sure to be dates."""
    pairs = list(_DOTTED.finditer(text))
    if len(pairs) == 1 and _BESIDE_DATE.search(text):
        return [(m.start(), m.end(), term.in_year(int(m[1]), int(m[2]))) for m in pairs]
    return [(m.start(), m.end(), term.in_year(int(m[1]), int(m[2]))) for m in pairs] if len(pairs) == 2 else []


def _in_week(text: str, term: SemesterDates) -> Iterable[tuple[int, int, date | None]]:
    """下周一, next Monday; and the second day of 下周一到周五."""
    current = term.week_day(term.today)[0]
    for match in _WEEK_DAY.finditer(text):
        week = current + _AHEAD[match[1] or match[3]]
        first = _weekday(match[2] or match[4])
        yield match.start(), match.end(), term.day(week, first)
        until = _TO_DAY.match(text[match.end() :])
        last = _weekday(until[1] or until[2]) if until else 0
        if until and last > first:
            yield match.end(), match.end() + until.end(), term.day(week, last)


def _weekday(name: str) -> int:
    return int(name) if name.isdigit() else 7 if name in "日天" else _EN_DAYS.index(name[:3]) + 1


def _find_relative_dates(text: str, term: SemesterDates) -> Iterable[tuple[int, int, date | None]]:
    for word, offset in _RELATIVE:
        for match in re.finditer(word, text):
            yield match.start(), match.end(), term.today + timedelta(days=offset)
        text = text.replace(word, " " * len(word))


def _same_month(text: str, found: list[tuple[int, int, date | None]]) -> list[tuple[int, int, date | None]]:
    """3月16日到28日: the second date has no month of its own."""
    more: list[tuple[int, int, date | None]] = []
    for _, end, day in found:
        match = _DAY_ONLY.match(text[end:])
        if day and match:
            more.append((end, end + match.end(), _date(day.year, day.month, int(match[1]))))
    return more


def range_in(message: str, term: SemesterDates) -> tuple[date | None, date | None]:
    """The first and last day that a message names; a week counts as its seven days."""
    text = fold_numbers(message)
    match = _WEEKS.search(text)
    if match:
        first, last = int(match[1]), int(match[2])
        return term.day(first, 1), term.day(last, 7)
    days = dates_in(message, term)
    if len(days) >= 2:
        return min(days[0], days[1]), max(days[0], days[1])
    week = week_in(message, term)
    if week is not None and not days:
        ends, begins = _UNTIL_WEEK.search(text), _FROM_WEEK.search(text)
        return (None if ends else term.day(week, 1)), (None if begins and not ends else term.day(week, 7))
    if days and _END.search(text):
        return None, days[0]
    return (days[0], None) if days else (None, None)


def week_in(message: str, term: SemesterDates) -> int | None:
    """The semester week that a message names: 第4周, week 4, 本周, next week."""
    text = fold_numbers(message)
    match = _WEEK.search(text)
    if match:
        return int(match[1] or match[2])
    current = term.week_day(term.today)[0]
    if _LAST_WEEK.search(text):
        return max(1, current - 1)
    for offset, cues in _WEEKS_AHEAD:
        if any(cue in text for cue in cues):
            return current + offset
    return None


def weekdays_in(message: str) -> list[int]:
    """Weekdays 1..7 of a message in ascending order, the weekend as 6 and 7."""
    text = fold_text(message)
    days: set[int] = set()
    for match in _ZH_DAY.finditer(text):
        said = match[1] or match[2]
        days |= {6, 7} if said == "末" else {_ZH_DAYS.get(said) or int(said)}
    for listed in _ZH_DAY_LIST.finditer(text):
        days |= {_ZH_DAYS[char] for char in listed[1] if char in _ZH_DAYS}
    for run in (*_ZH_DAY_RUN.finditer(text), *_EN_DAY_RUN.finditer(text)):
        first, last = (_ZH_DAYS.get(name) or _weekday(name) for name in filter(None, run.groups()))
        days |= set(range(first, last + 1))
    for match in _EN_DAY.finditer(text):
        days.add(_EN_DAYS.index(match.group()[:3]) + 1)
    if re.search(r"\bweekends?\b", text):
        days |= {6, 7}
    if re.search(r"\bweekdays?\b|工作日|平日", text):
        days |= {1, 2, 3, 4, 5}
    return sorted(days)


def part_in(message: str, term: SemesterDates) -> tuple[int, int] | None:
    """First and last section of the part of the day that a message names."""
    text = fold_text(message)
    for index, cues in enumerate(_PARTS):
        if index < len(term.day_parts) and any(cue in text for cue in cues):
            return term.day_parts[index]
    return None


def parts_in(message: str, term: SemesterDates) -> list[tuple[int, int]]:
    """Every part of the day that a message names: 下午和晚上."""
    text = fold_text(message)
    named = zip(_PARTS, term.day_parts, strict=False)
    return [part for cues, part in named if any(cue in text for cue in cues)]


def sections_in(message: str, term: SemesterDates) -> tuple[int, int | None] | None:
    """First section and, when said, last section: 5-6节, 第5节, Wed 5-6."""
    text = fold_numbers(message)
    for pattern in (_ISO, _MONTH_DAY, _WEEKS):
        text = pattern.sub(" ", text)
    match = _SECTIONS_EN.search(text) or _SECTIONS.search(text)
    if match and 1 <= int(match[1]) <= int(match[2]) <= term.sections:
        return int(match[1]), int(match[2])
    match = _SECTION.search(text)
    if match:
        first = int(match[1] or match[2] or match[3])
        return (first, None) if 1 <= first <= term.sections else None
    return None
