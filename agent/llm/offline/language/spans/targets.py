"""Where and when something is to be: a target in the calendar, a shift from where it is, a day of the window."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.normalize import fold_numbers, fold_text, words
from agent.llm.offline.language.spans.clocks import hours_in
from agent.llm.offline.language.spans.dates import SemesterDates, dates_in, part_in, sections_in, week_in, weekdays_in
from agent.llm.offline.language.spans.mentions import blank_names, said_names, without_mistakes
from agent.loop.view_document import SlotView

_SHIFTED = "挪|移|推|调|放|动|排|延|改|赶|拉|提|拖"
SHIFT = re.compile(
    rf"(?P<zh_way>往后|往前|延长|延期|顺延|拖后|推迟|推后|延后|延迟|提前|后移|前移|向后|向前|晚|早)\s*(?:{_SHIFTED}|拖|移|到|了|考)*\s*"
    r"(?P<zh_n>\d{1,2})\s*个?(?P<zh_unit>天|日(?!期)|周|星期|礼拜|节)"
    rf"|(?:{_SHIFTED})\s*(?:到)?\s*(?P<zh_n2>\d{{1,2}})\s*个?(?P<zh_unit2>天|周|星期|礼拜|节)\s*(?P<zh_way2>之?后|之?前)"
    rf"|(?P<next>(?:第二|第2|(?<!最)后一|(?<!最)后1|下一|下1|次)[天日]|next day|following day|day after(?! tomorrow))"
    r"|(?P<previous>(?:前一|前1|上一|上1)[天日]|previous day|day before(?! yesterday))"
    r"|\b(?P<en_n>\d{1,2})\s+(?:more\s+)?(?P<en_unit>day|week|section|period)s?\s+(?P<en_way>later|earlier|forward|back|after|before|sooner)"
    r"|\b(?:back|forward|by|up)\s+(?:by\s+)?(?P<en_n2>\d{1,2})\s+(?P<en_unit2>day|week|section|period)s?"
    r"|\b(?:delay|postpone|defer|push|extend|shift|move|bump|drag|slide|slip|slid)(?:e?d|e?s|ing)?\b[^,.;]{1,60}?\b(?P<en_n3>\d{1,2})\s+(?P<en_unit3>day|week|section|period)s?\b"
    r"(?:\s+(?P<en_way3>later|earlier|forward|back|after|before|sooner)\b)?"
)
_EARLIER = ("提前", "往前", "前移", "向前", "早", "前", "之前", "earlier", "before", "sooner", "up")
_VAGUE = re.compile(r"\b(?:a )?couple (?:of )?(?:more )?|\ba few (?=day)|(?<=[后前推迟])几(?=天)")
"""Two, where no number is said."""
_COUNTS = {"a": "1", "an": "1", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5"}
_ZH_THEN = (
    r"(?:第?[\d一二三四五六七八九十]+周的?)?(?:(?:周|星期|礼拜)[一二三四五六日天末\d](?:上午|下午|晚上|早上)?"
    r"|工作日|上午|下午|晚上|早上)"
)
_EN_DAY = r"(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*"
_EN_PART = r"(?:mornings?|afternoons?|evenings?|nights?)"
_EN_THEN = rf"(?:{_EN_DAY}(?: {_EN_PART})?|weekends?|weekdays?|(?:the )?{_EN_PART})\b"
_NOT_THEN = re.compile(
    r"从[^,，。;；]{1,14}(?=[移挪调改换推]到)|\bfrom\s+[^,.;]{1,24}(?=\s+to\b)"
    rf"|(?:(?<!能)不(?:要|想要?|能|是(?!说))|别(?!的)|除了|避开)(?:再|给我|放|排|安排|学|做|是|在|到|把[^,，。;；]{{1,12}}?(?=放|排|安排|移))*"
    rf"{_ZH_THEN}"
    rf"|{_ZH_THEN}(?:我|都|要|得|可能)*(?:有(?!空|时间|没有|什么|哪|啥)[^,，。;；]{{1,6}}(?=[,，。;；])|不行|没空|没时间|有事|不可以|上不了|不方便)"
    rf"|\b(?:have|got|'ve|busy|away)\b[^,.;]{{0,30}}?\b(?:on |in )?(?:the )?{_EN_THEN}(?=[,.;])"
    rf"|\b(?:not|\w+n't|avoid|except(?: for)?|other than|anything but|instead of|rather than|out of)\s+"
    rf"(?:(?:put|place|have|do|want|move|keep|schedule|be|it|on|in|a|the|any|(?:chapter|unit|lab|item"
    rf"|part) ?\d*)\s+){{0,4}}{_EN_THEN}"
    rf"|\b{_EN_THEN} (?:(?:does|do|wo|is|are)n't|(?:does|do|will|is|are) not|is (?:no good|out|bad))\b",
    re.IGNORECASE,
)
"""A time that is named because it is not wanted."""
_RANGE = re.compile(r"\d[日号]?\s*(?:到|至|-|~)\s*\d|\b(?:to|until|through|and)\b")
_THAT_WEEK = re.compile(r"那一?(?:周|个?星期|个?礼拜)(?![一二三四五六日天\d])|\bthat week\b")
_ORIGIN = re.compile(r"从|from\b", re.IGNORECASE)
_CALENDAR = re.compile(r"[0-9一二三四五六日天周月末节]|day|week|may|sat|sun|mon", re.IGNORECASE)
"""What may be taken for a date inside a name."""


@dataclass(frozen=True)
class PlaceTarget:
    """Where something should go; whatever was not said is None or empty."""

    week: int | None = None
    days: tuple[int, ...] = ()
    sections: tuple[int, int | None] | None = None
    part: tuple[int, int] | None = None

    @property
    def said(self) -> bool:
        return bool(self.week or self.days or self.sections or self.part)

    def covers(self, slot: SlotView) -> bool:
        """Whether a place lies inside what is said: in the week, on the weekday, in the part of the day."""
        first, last = self.part or (1, 99)
        in_week = self.week in (None, slot["week"])
        return in_week and (not self.days or slot["day_of_week"] in self.days) and first <= slot["slot_start"] <= last

    def then(self, later: PlaceTarget) -> PlaceTarget:
        """This target changed by what was said later: a new day keeps the time, a new time keeps the day."""
        merged = self
        if later.week or later.days:
            merged = replace(merged, week=later.week, days=later.days or self.days)
        if later.sections or later.part:
            merged = replace(merged, sections=later.sections, part=later.part)
        return merged


def target_in(message: str, brief: Brief) -> PlaceTarget:
    """The target that a message names; known names are taken out first, so that 下周六级词汇 is next week."""
    names = [row["name"] for row in brief.classes] + [row["name"] for row in brief.tasks]
    names += said_names(fold_text(message), brief)
    held = [name for name in names if _CALENDAR.search(name)]
    target = read_target(blank_names(fold_text(message), held, least=1) if held else message, brief.term)
    if target.week is None and _THAT_WEEK.search(fold_text(message)):
        told = (week_in(turn["text"], brief.term) for turn in reversed(brief.earlier))
        return replace(target, week=next((week for week in told if week), None))
    return target


def avoided_in(message: str, term: SemesterDates) -> PlaceTarget:
    """The times that are named because they are not wanted: 我周二有社团, not in the evening."""
    said = (found.group() for found in _NOT_THEN.finditer(fold_text(message)) if not _ORIGIN.match(found[0]))
    text = " ".join(said)
    return PlaceTarget(days=tuple(weekdays_in(text)), part=part_in(text, term))


def read_target(message: str, term: SemesterDates) -> PlaceTarget:
    """The target in a text without names."""
    message = _NOT_THEN.sub(" ", without_mistakes(message))
    days = dates_in(message, term)
    if days:
        week, day = term.week_day(days[-1])
        begin = term.week_day(days[-2]) if len(days) > 1 and _RANGE.search(fold_text(message)) else (week, day)
        where = PlaceTarget(week=week, days=tuple(range(begin[1], day + 1)) if begin < (week, day) else (day,))
        where = where if begin[0] == week else PlaceTarget(week=week, days=(day,))
    else:
        where = PlaceTarget(week=week_in(message, term), days=tuple(weekdays_in(message)))
    at, hours = hours_in(message, term)
    return replace(where, sections=sections_in(message, term) or at, part=hours or part_in(message, term))


@dataclass(frozen=True)
class Shift:
    """A place relative to the present one: days and sections, negative for earlier."""

    days: int = 0
    sections: int = 0


def shift_in(message: str) -> Shift | None:
    """By how much something is to be moved from where it is; None when nothing of that kind is said."""
    text = _VAGUE.sub("2 ", fold_numbers(message))
    text = re.sub(r"\b(?:an?|one|two|three|four|five)\b", lambda match: _COUNTS[match.group()], text)
    match = SHIFT.search(text)
    if not match:
        return None
    if match["next"] or match["previous"]:
        return Shift(days=1 if match["next"] else -1)
    number, unit, way = (match[f"zh_{key}"] or match[f"zh_{key}2"] for key in ("n", "unit", "way"))
    if number is None:
        number = match["en_n"] or match["en_n2"] or match["en_n3"]
        unit = match["en_unit"] or match["en_unit2"] or match["en_unit3"]
        way = match["en_way"] or match["en_way3"] or ("up" if words(match.group(), "up", "forward") else "later")
        brought = re.search(r"\bbr(?:ing|ought)\b", text) is not None
        way = ("earlier" if brought else "later") if way == "forward" and (match["en_way"] or match["en_way3"]) else way
    count = -int(number) if way in _EARLIER else int(number)
    if unit in ("节", "section", "period"):
        return Shift(sections=count)
    return Shift(days=count * (7 if unit in ("周", "星期", "礼拜", "week") else 1))


def index_of(brief: Brief, week: int, day_of_week: int) -> int | None:
    """Day index of the draft's window, None outside it."""
    if not brief.draft:
        return None
    window = brief.draft["window"]
    first = window["first"]
    index = 7 * (week - first["week"]) + day_of_week - first["day_of_week"] + 1
    return index if 1 <= index <= window["total_days"] else None


def day_at(brief: Brief, index: int) -> tuple[int, int]:
    """Week and weekday of a day of the draft's window."""
    first = brief.draft["window"]["first"] if brief.draft else {"week": 1, "day_of_week": 1}
    offset = 7 * first["week"] + first["day_of_week"] - 1 + index - 1
    return offset // 7, offset % 7 + 1
