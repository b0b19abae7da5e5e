"""Times written out before anything is looked for: holidays by name, ranges that name their month once, joined labels.

五一别排 -> 5月1日到5月5日别排; 18-20 April -> 18 April to 20 April; 4月18到20号 -> 4月18日到4月20日; unit4 -> unit 4.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, timedelta
from functools import lru_cache
from itertools import pairwise

from dateutil.easter import easter

from agent.llm.offline.language.normalize import has_chinese
from agent.llm.offline.language.spans.times.words import (
    EN_COUNTS,
    EN_DAY,
    ITEM_KINDS,
    MONTH,
    MONTH_NAMES,
    NUM,
    SUFFIX,
    WEEK,
    WEEKS_BEHIND,
    month_of,
    number_of,
    say_date,
)

_LUNAR = {
    2025: {"清明": "04-04", "端午": "05-31", "中秋": "10-06", "春节": "01-28"},
    2026: {"清明": "04-04", "端午": "06-19", "中秋": "09-25", "春节": "02-16"},
    2027: {"清明": "04-03", "端午": "06-07", "中秋": "09-13", "春节": "02-05"},
    2028: {"清明": "04-02", "端午": "05-27", "中秋": "10-01", "春节": "01-25"},
}
"""First days of the holidays that follow the moon or the sun."""
for _year, _days in _LUNAR.items():
    _days |= {
        name: f"{easter(_year) + timedelta(days=ahead):%m-%d}"
        for name, ahead in (("受难日", -2), ("复活节", -2), ("复活节当天", 0), ("复活节后一天", 1))
    }
_FIXED = {"元旦": "01-01", "五一": "05-01", "国庆": "10-01", "圣诞": "12-25"}
_DAYS = {
    "元旦": 1,
    "五一": 5,
    "国庆": 7,
    "圣诞": 1,
    "清明": 3,
    "端午": 3,
    "中秋": 3,
    "春节": 8,
    "受难日": 1,
    "复活节": 4,
    "复活节当天": 1,
    "复活节后一天": 1,
}
_NAMES = (
    (r"(?:耶稣)?受难日|\b(?:the )?good friday\b", "受难日"), (r"\beaster sunday\b", "复活节当天"),
    (r"\beaster monday\b", "复活节后一天"), (r"复活节|\beaster\b", "复活节"),
    (r"(?:(?<![周期拜])五一|劳动节)", "五一"), (r"国庆节?|十一(?=[假长黄放])", "国庆"), (r"元旦", "元旦"), (r"清明节?",
        "清明"), (r"端午节?", "端午"),
    (r"中秋节?", "中秋"), (r"春节", "春节"), (r"圣诞节?", "圣诞"),
    (r"\b(?:the )?(?:may day|labou?r day|may(?= (?:holiday|break)))\b", "五一"), (r"\b(?:the )?(?:golden week"
        r"|national day)\b", "国庆"),
    (r"\bnew year'?s?(?: day)?\b", "元旦"), (r"\b(?:the )?(?:qing ?ming|tomb[- ]sweeping(?: day)?)\b", "清明"),
    (r"\b(?:the )?dragon boat(?: festival)?\b", "端午"), (r"\b(?:the )?mid[- ]autumn(?: festival)?\b", "中秋"),
    (r"\b(?:the )?(?:spring festival|chinese new year)\b", "春节"), (r"\bchristmas(?: day)?\b", "圣诞"),
)  # fmt: skip
_TAIL = (
    r"(?:的?(?:小?长?假期?|黄金周|放假(?![吗么嘛没不])|期间|那几天|这几天|那[一1]?天|当天|那段时间)"
    r"|\s*(?:holidays?|break|weekend|period))*"
)
_HOLIDAYS = tuple((re.compile(f"(?:{pattern}){_TAIL}", re.IGNORECASE), name) for pattern, name in _NAMES)
_NEXT_DATE = re.compile(r"^[^。;；]{0,14}?\d{1,2}\s*(?:月|[./])\s*\d{1,2}")
_DATE_AHEAD = re.compile(
    rf"\d(?:[日号]|\s*月\s*\d{{1,2}}[日号]?|[./]\d{{1,2}})[的是,，(（\s]*$"
    rf"|\b(?:{MONTH} \d{{1,2}}{SUFFIX}?|\d{{1,2}}{SUFFIX}? {MONTH})[,\s(]*$",
    re.IGNORECASE,
)
"""Before a holiday: the days of it that are meant."""
_WHOLE = re.compile(r"^\s*(?:之?前|以前|之?后|以后)的?(?:那|[一1])+个?(?:周|星期|礼拜)")
"""Behind a holiday: the week beside all of its days."""
_SIDE = re.compile(r"^\s*(?:之前|以前|前(?!后))|^\s*(?P<after>之?后|以后|过后|结束)")
_BEFORE = re.compile(
    r"(?<!week )(?<!weekend )\b(?:until|before|by|(?P<after>after|since|from))\s+(?:the\s+)?$", re.IGNORECASE
)
_TO = r"\s*(?:-|~|–|—|\b(?:to|until|till|through)\b)\s*"
_AND = r"\s*(?:,\s*(?:and\b)?|\band\b|\bor\b|&)\s*"
_ZH_TO = r"\s*(?:到|至|-|~|–|—)\s*"
_ZH_AND = r"\s*(?:、|和|与|跟|及|或)\s*"
_DAY = rf"(\d{{1,2}}){SUFFIX}?"
_KINDS = (f"{kind}{more}" for kind in (*ITEM_KINDS, "section", "week") for more in ("", "s"))
_THING = "".join(f"(?<!{name} )" for name in (*_KINDS, *MONTH_NAMES))
_FOLLOWS = r"(?=$|[\s,，、。;；!?和跟与及或都也的上中下早晚不没别有要我能可吗吧行排])"
_WEEKDAYS = re.compile(
    rf"({WEEK})([一二三四五六日天])(?:({_ZH_TO}|{_ZH_AND}|,)([一二三四五六日天]){_FOLLOWS}|([二三四五六日]+){_FOLLOWS})"
)
_FORTNIGHT = re.compile(r"\b(?:an? )?fortnight\b", re.IGNORECASE)
_HALF_MONTH = re.compile(r"(?<![上前头下后])半个月")
_DASH = re.compile(rf"(?<=\d)\s*[-~–—]\s*(?=\d{{1,2}}{SUFFIX}? (?:of )?{MONTH})", re.IGNORECASE)
_ZH_JOINT, _EN_JOINT = f"({_ZH_TO}|{_ZH_AND})", f"({_TO}|{_AND})"
_LIST_ENDS = (
    rf"(?!,? (?:of )?{MONTH}|:|\d|/|\s*[ap]m\b|\s(?!(?:and|or|to|for|if|please|is|are|off|free|open|empty|clear|moved?"
    rf"|from|except|but|into|onto|on|at|in|over|so|then|can|should|out|by|apart|are)\b)[a-z])"
)
_NUMERALS = "零一二三四五六七八九"
_MORE_DAYS = rf"(?:the )?\d{{1,2}}{SUFFIX}?,? (?:(?:and|&) \d{{1,2}}{SUFFIX}? )?"
_NO_DAY_AHEAD = r"(?<!\d )(?<!\d(?:st|nd|rd|th) )(?<!\d of )(?<!\d(?:st|nd|rd|th) of )"


def _spell_neighbours(found: re.Match[str]) -> str:
    """第一二章 -> 第一章、第二章: numerals side by side that count on are numbers of their own."""
    counts_on = found[1] in _NUMERALS
    return f"{found[2]}、".join(f"第{one}" for one in found[1]) if counts_on else found.group()


def _spell_last_day(found: re.Match[str]) -> str:
    """friday 27 march until wednesday 1 -> friday 27 march until 1 april: the last day of a stretch whose month is told
    at its first one, or the month after it; a smaller number is a day where its weekday is told."""
    first, last = int(found["first"]), int(found["last"])
    if last <= first and not found["weekday"]:
        return found.group()
    month = found["month"] if first < last else MONTH_NAMES[(month_of(found["month"].lower())) % 12]
    return f"{found['begin']}{found['to']}{last} {month}"


_DATED = rf"(?:\d{{1,2}}{SUFFIX}? (?:of )?{MONTH}|{MONTH} (?:the )?\d{{1,2}}{SUFFIX}?)"
_ZH_DAY = rf"[(（]?{WEEK}[一二三四五六日天][)）]?"
_FEW = r"[1-9]|one|two|three|four|five|six"
_NEXT_WEEK = {"this": "next week", "next": "the week after next"}
_WEEK_AND = (
    r"\s*(?:,\s*and\b|\band\b|\bor\b|&)\s*"
    r"|\s*,\s*(?=\d{1,2}(?:\s*,\s*\d{1,2})*(?:,?\s*(?:and|or|&)\s*\d|\s*(?:$|[.;!?])))"
)
"""Between the numbers of weeks; a comma goes on with a list alone, not in week 6, 30 sections."""
_LISTS = tuple(
    (re.compile(form, re.IGNORECASE), spelled)
    for form, spelled in (
        (r"(第\s*[\d一二三四五六七八九十]+\s*(?:章|讲|单元|次|课|项|个))(?=第)", r"\1、"),
        (rf"\b(?:the )?(\d{{1,2}}){SUFFIX}(?: and| to| &|-) ?(\d{{1,2}}){SUFFIX} (period|section)s?\b", r"\3s \1-\2"),
        (rf"\b(?:the )?({EN_DAY}) after next\b(?! week)", r"\1 of the week after next"),
        (r"第([一二三四五六七八九]{2,5})(?=(章|讲|单元|节课|课|项|个实验|周))", _spell_neighbours),
        (r"((?:周|星期|礼拜)[一二三四五六日天])(?=(?:周|星期|礼拜)[一二三四五六日天])", r"\1、"),
        (
            r"\b(this|next) week( and| or|,? plus|,) (?:the )?"
            r"(?:(?:next|following)(?: one)?|(?:(?:one|week) )?after(?: that)?)\b"
            rf"(?! (?:weeks?|month|time|the|my|next|\d|{_FEW}|few|couple|{EN_DAY})\b)",
            lambda found: f"{found[1]} week{found[2]} {_NEXT_WEEK[found[1].lower()]}",
        ),
        (r"\bbefore ((?:this |the |next )?\w+(?: \d{1,2})?) (?:ends|is over|is out|runs out)\b", r"by the end of \1"),
        (rf"({NUM})月({NUM})[日号]?{_ZH_JOINT}({NUM})(?:[日号](?!楼|线(?![性代]))|(?={_ZH_AND}{NUM}\s*[日号]))",
            r"\1月\2日\3\1月\4日"),
        (rf"({NUM})月({NUM})[日号]?({_ZH_TO})({NUM})(?=[^\d月.:/节周章个点零一二两三四五六七八九十日号]|$)",
            r"\1月\2日\3\1月\4日"),
        (rf"(?<![\d月第./:])({NUM}){_ZH_JOINT}(?=(?:{NUM}(?:{_ZH_AND}))*{NUM}号(?!楼|线(?![性代])|实验|题))",
            r"\1号\2"),
        (rf"{_THING}(?<!\d)(?:the )?{_DAY}{_EN_JOINT}(?={_MORE_DAYS}(?:of )?({MONTH}))", r"\1 \3\2"),
        (rf"(?P<begin>(?<![\d-])(?P<first>\d{{1,2}}){SUFFIX}? (?:of )?(?P<month>{MONTH}))(?P<to>{_TO})(?:the )?"
            rf"(?P<weekday>{EN_DAY},? (?:the )?)?(?P<last>\d{{1,2}}){SUFFIX}?\b(?! ?-){_LIST_ENDS}", _spell_last_day),
        (rf"\b({EN_DAY},? (?:the )?){_DAY}{_EN_JOINT}(?=(?:the )?{EN_DAY},? {_MORE_DAYS}(?:of )?({MONTH}))",
            r"\1\2 \4\3"),
        (rf"\b{EN_DAY},? (?:the )?(?={_DATED}{_TO}(?:the )?(?:{EN_DAY},? (?:the )?)?{_DATED})", ""),
        (rf"({_DATED}{_TO})(?:the )?{EN_DAY},? (?:the )?(?={_DATED})", r"\1"),
        (rf"(?<=\d[日号])[(（]{WEEK}[一二三四五六日天][)）]", ""),
        (rf"{_ZH_DAY}(?=(?:{NUM}月)?{NUM}[日号]?{_ZH_TO}(?:{_ZH_DAY})?(?:{NUM}月)?{NUM}[日号])", ""),
        (rf"({NUM}[日号]{_ZH_TO}){_ZH_DAY}(?=(?:{NUM}月)?{NUM}[日号])", r"\1"),
        (rf"({NUM})月({NUM})[日号]?(?:{_ZH_DAY})?({_ZH_TO}){_ZH_DAY}\s*({NUM})"
            r"(?:[日号]|(?=[^\d月.:/节周章个点]|$))", r"\1月\2日\3\1月\4日"),
        (rf"\b{_NO_DAY_AHEAD}({MONTH}) {_DAY}{_EN_JOINT}(?:the )?(?:{EN_DAY},? (?:the )?)?{_DAY}\b{_LIST_ENDS}",
            r"\1 \2\3\1 \4"),
        (r"\bbetween (\d{1,2}) and (\d{1,2}) ?([ap]m)\b", r"from \1 \3 to \2 \3"),
        (rf"\bbetween (?:{EN_DAY},? (?:the )?)?({_DATED}) and (?:{EN_DAY},? (?:the )?)?(?={_DATED})", r"from \1 to "),
        (rf"第\s*({NUM})\s*周?({_ZH_AND})第?(?=(?:{NUM}\s*周?{_ZH_AND}第?)+{NUM}\s*周)", r"第\1周\2第"),
        (rf"第\s*({NUM})\s*周?{_ZH_JOINT}第?\s*({NUM})\s*周", r"第\1周\2第\3周"),
        (rf"第\s*({NUM})\s*(?=第\s*{NUM}\s*周)", r"第\1周、"),
        (rf"(第\s*{NUM}\s*周)(\s*[、,，和与跟及]\s*)(第\s*{NUM}\s*周)的?({WEEK}[一二三四五六日天])"
            r"(?![一二三四五六日天、和])", r"\1\4\2\3\4"),
        (rf"(?<![\d第周:月./-])({NUM})({_ZH_TO})(?={NUM}点(?!儿))", r"\1点\2"),
        (r"(?<![\d第])(\d{1,2})(\s*[-~]\s*)(\d{1,2})周", r"第\1周\2第\3周"),
        (rf"\b(?:weeks?|wks?)\s*(\d{{1,2}})({_TO}|{_WEEK_AND})(?:weeks\s*|wks\s*)?(\d{{1,2}})\b(?!\s*节|:)"
            r"(?! (?:\w+ ){0,2}(?:per|an?|each|every) (?:day|week)\b)",
            r"week \1\2week \3"),
        (rf"\bno,? (?=(?:weekends?|weekdays?|mornings?|afternoons?|evenings?|{EN_DAY}s?) only\b)", ""),
        (rf"\b(?P<day>{EN_DAY}s?(?: (?:morning|afternoon|evening|night)s?)?)(?P<of> (?:of|in) )(?P<week>week \d{{1,2}})"
            rf"(?P<joint>,? (?:and|or|&) |, )(?:(?:of|in) )?(?=week \d)",
            r"\g<day>\g<of>\g<week>\g<joint>\g<day>\g<of>"),
        (rf"(\d{SUFFIX}? {MONTH},?) (\d{{1,2}})({_TO})(\d{{1,2}}) ?([ap]m)\b", r"\1 \2 \5\3\4 \5"),
        (rf"{_THING}\b(\d{{1,2}})({_TO})(\d{{1,2}}) ?([ap]m)\b", r"\1 \4\2\3 \4"),
    )
)  # fmt: skip
"""What is said once for several: the month, the week, the half of the day."""
_JOINED = re.compile(
    r"\b(unit|chapter|chap|ch|lab|lecture|lesson|part|item|week|wk)s?\.?(\d{1,3})(?!\d|[a-z])", re.IGNORECASE
)
_ARROW = re.compile(r"\s*(?:[-=]+>|→|➡️?|⇒)\s*")
_WEEK = "一二三四五六日天"
_MOST = 8
"""Members of a list that are spelled out."""
_HALF_DAY = re.compile(r"\b((?:mon|tue|wed|thu|fri|sat|sun)[a-z]*|tomorrow|today) (am|pm)\b", re.IGNORECASE)
"""fri pm; what is no hour."""
_ONLY_ZH = r"((?:每?(?:周|星期|礼拜)[末一二三四五六日天]|工作日|晚上|上午|下午|早上|中午|[、和])+)"
_ONLY_EN = (
    r"(?:on |in )?(?=(?:the )?(?:week(?:end|day)s?|mornings?|afternoons?|evenings?"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)days?)\b)"
)
_NUMERAL_PAIRS = "|".join(("一两", "一二", "两三", "三五", *map("".join, pairwise("二三四五六七八九"))))
_LAST_TWO = {
    "上午": "3-4节", "早上": "3-4节", "下午": "7-8节", "晚上": "11-12节",
    "morning": "sections 3-4", "afternoon": "sections 7-8", "evening": "sections 11-12",
}  # fmt: skip
_FREE_ZH = r"周末|(?:周|星期|礼拜)[一二三四五六日天]"
_RESTS_EN = (
    r"i(?:'d| would)? (?:(?:just|only|really|always|rather|prefer to|(?:want|like|need) to|wanna) )*"
    r"(?:chill|relax|rest|sleep|laze|do nothing)(?! in)\b(?: out)?"
)
_EVENING = re.compile(r"晚|\b(?:evenings?|nights?|tonight|dinner|pm)\b", re.IGNORECASE)
_MOVES = re.compile(r"[挪移推调改]|\b(?:mov|push|shift|put)\w*", re.IGNORECASE)
_MORNING = re.compile(r"\bmornings?\b|早|上午", re.IGNORECASE)
_NOON, _FIRST_HOUR = 12, 7
_SECTIONS_OF = (range(1, 5), range(5, 9), range(9, 13))
_EN_WEEK = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


def _spell_end_of_week(week: str, said: str, *, last: bool) -> str:
    """So many of the first days of a week, or of its last ones, by their weekdays: the first three days of week 4."""
    count, english = number_of(said), week.isascii()
    run = (7 - count, 6) if last else (0, count - 1)
    first, end = (_EN_WEEK[at] if english else f"周{_WEEK[at]}" for at in run)
    return f"{first} to {end} {week}" if english else f"{week}{first}到{end}"


def _spell_hours(found: re.Match[str]) -> str:
    """7 till 9, round 5ish to 8: two bare hours with their halves of the day; the small ones are after noon."""
    begin, end = int(found["begin"]), int(found["end"])
    if not (0 < begin <= _NOON and 0 < end <= _NOON):
        return found.group()
    late = begin < _FIRST_HOUR or (begin < _NOON and _EVENING.search(found.string))
    begin += _NOON if late else 0
    end += _NOON if end <= begin and end < _NOON else 0
    told = (f"{(hour - 1) % _NOON + 1} {'pm' if hour >= _NOON else 'am'}" for hour in (begin, end))
    return "from " + " to ".join(told)


def _spell_part_hours(found: re.Match[str]) -> str:
    """Evenings 6-10, saturdays 12-8: numbers that are no sections of the time they are said with, as its hours."""
    begin, end, part = int(found["begin"]), int(found["end"]), found["part"]
    at = 0 if found["day"] or _MORNING.search(part) else 2 if _EVENING.search(part) else 1
    none = begin in _SECTIONS_OF[at] or (found["day"] and begin <= end)
    if none or not (0 < begin <= _NOON and 0 < end <= _NOON):
        return found.group()
    if not part.isascii():
        return f"{part}{begin}点到{end}点"
    begin += _NOON if at and begin < _NOON else 0
    end += _NOON if end <= begin and end < _NOON else 0
    return f"{part} from {begin}:00 to {end}:00"


def _spell_eve(found: re.Match[str]) -> str:
    """复活节前能弄完吗（复活节是4月5号）: what is to be before some day, with the date of that day."""
    if not found["date"].isascii():
        month, day = map(int, re.findall(r"\d+", found["date"]))
        eve = date(_LEAP, month, day) - timedelta(days=1)
        return f"{eve.month}月{eve.day}日之前{found['mid'].rstrip(' (（，,')}"
    return f"before {found['date']}{found['mid'].rstrip(' (,')}"


_LEAP = 2024
_HOUR_SAID = rf"(?:sections? )?\d{{1,2}}(?::\d\d)?(?: ?[ap]m\b| o'clock)?(?! ?(?:\d|/|{SUFFIX}|{MONTH}))"
_HOUR_EN = rf"1[0-2]|[1-9]|{'|'.join(EN_COUNTS)}"


def _spell_quarter(found: re.Match[str]) -> str:
    """Half past two, half 2, quarter to five: an hour with its minutes."""
    part, side, hour = found[1].lower(), (found[2] or "").strip().lower(), number_of(found[3].lower())
    if part == "quarter" and not side:
        return found.group()
    minutes = 60 * hour + (30 if part == "half" else 15) * (-1 if side == "to" else 1)
    return f"{minutes // 60 or _NOON}:{minutes % 60:02}"


_PHRASES = tuple(
    (re.compile(form, re.IGNORECASE), spelled)
    for form, spelled in (
        (
            r"\bbefore (?:the |my |our )?(?P<what>[a-z]{3,20}(?: [a-z]{2,20})?)\b(?P<mid>[^.;\d]{0,40}?)"
            r"\b(?:(?:the |my |our )?(?P=what)|it|that|which)(?:'s| is| falls| will be)? (?:on )?"
            rf"(?P<date>{_DATED}|the \d{{1,2}}{SUFFIX})\b[)]?",
            _spell_eve,
        ),
        (
            r"(?P<what>[一-鿿]{2,6})(?:之前|以前|前)(?P<mid>[^。;；\d]{0,20}?)(?:(?P=what)|那天)(?:就|正好)?[是在]"
            r"(?P<date>(?:1[0-2]|[1-9])月(?:3[01]|[12]\d|[1-9])[日号])[)）]?",
            _spell_eve,
        ),
        (
            r"(?P<part>\b(?:mornings?|afternoons?|evenings?|nights?|tonight|(?P<day>weekends?|\w+days?))\b|早上|[上下]午|晚上)"
            r"(?:,? (?:from |at |between )?|从)?(?P<begin>\d{1,2}) ?(?:-|–|~|to|到|至) ?(?P<end>\d{1,2})"
            rf"(?![\d:/.-]|{SUFFIX}|\s*(?:[ap]\.?m|of\b|{MONTH}|days?|weeks?|sections?|periods?|items?"
            r"|[节月日号周天点个项章]))",
            _spell_part_hours,
        ),
        # half past 2, quarter to five, till half 8
        (rf"\b(half|quarter)( past| to)? ({_HOUR_EN})\b(?! ?(?:hours?|days?|weeks?))", _spell_quarter),
        (
            rf"{_THING}(?<![\d:./-])\b(?:(?:from|between|a?round|about|like) )*(?P<begin>\d{{1,2}})"
            r"(?:ish ?(?:to|and|-|till?|until) ?| ?(?:till?|until) ?(?=\d)| ?(?:to|and|-) ?(?=\d{1,2}ish\b))"
            rf"(?P<end>\d{{1,2}})(?:ish\b)?(?![\d:/.-]|{SUFFIX}|\s*(?:[ap]\.?m|of\b|{MONTH}|days?|weeks?|sections?))",
            _spell_hours,
        ),
        (
            r"\b(?:(?:at|a?round|about|like) )*(?<![\d:.])(\d{1,2})ish\b(?! ?[ap]m\b)",
            lambda found: (
                f"at {found[1]} {'pm' if int(found[1]) <= _FIRST_HOUR or _EVENING.search(found.string) else 'am'}"
            ),
        ),
        # The days that tell what part of a month is meant.
        (
            r"(?:(\d{1,2}月|[一二三四五六七八九十]{1,3}月)|(?<![上下个\d])(?:这个?|本)?月)[底末初]"
            r"([^,，。;；\d]{0,12}[,，][^,，。;；\d]{0,6})(?=\d{1,2}[日号]?\s*[到至~-]\s*\d{1,2}[日号])",
            lambda found: found.group() if _MOVES.search(found.string) else f"{found[2]}{found[1] or ''}",
        ),
        (
            rf"\b(?:(?:at|around|towards?) )?(?:the )?(?:end|beginning|start) of (?:({MONTH})|(?:the|this) month)"
            rf"([^.;\d]{{0,24}}?\d{{1,2}}{SUFFIX}?{_TO}(?:the )?\d{{1,2}}{SUFFIX}?)\b(?! (?:of )?{MONTH})",
            lambda found: (
                found.group() if _MOVES.search(found.string) else found[2] + f" of {found[1]}" * bool(found[1])
            ),
        ),
        (r"(?<!keep )(?<!take )\bprob(?= (?:gonna|going|be|not|won't|will|out|off|away|can't|just)\b)", "probably"),
        (r"(?<=[一-鿿])最后[面头]?再?(?=加[上个一])", ""),
        (r"(?<=[一-鿿]{2})(?<![懂取获觉记值省难赢])得了(?=[。!！\s]*$)", "吧"),
        (
            r"((?:要是|如果|万一|假如)[^,，。;；?？]{1,14}?)了?[,，]?我?该?(?:咋|怎么)(?:办|整|弄)(?=[呢啊呀?？\s]*$)",
            r"\1会怎样",
        ),
        (rf"\bthat week(?:end)?,? (?=(?:on )?(?:the )?\d{{1,2}}{SUFFIX}\b)", "on "),
        (rf"\bthe ({EN_DAY}) (?:stuff|things|ones)\b(?! (?:of|in|on)\b)", r"everything on \1"),
        (r"(?<![^\s,，。;；!！\d我们你他她也都那就能天晚午周日号一二三四五六末])估计(?=[不要得会没能可])", "可能"),
        (rf"\b({EN_DAY}) (stuff|things?|items?|tasks?|ones?) (?:of|in) (week \d)", r"\2 on \1 \3"),
        (rf"\b({EN_DAY}) (?:of|in) (week \d)", r"\1 \2"),
        (r"\b(?:quite |very |rather )?late in the day\b", "in the evening"),
        (r"\b(?:quite |very |rather )?early in the day\b", "in the morning"),
        (r"(?:每天|一天里?)?(?:靠后|偏晚|晚一?[点些])的(?:时间段?|时段|时候)", "晚上"),
        (r"(?:每天|一天里?)?(?:靠前|偏早|早一?[点些])的(?:时间段?|时段|时候)", "上午"),
        (r"^(?:也就是说?|就是说)[,，]?(?=\d+-\d+节|周|星期|[上下]午|晚上)", ""),
        (
            r"^(?:and |so |then )*if (?:not|nothing(?:'s| is)?(?: on| there)?),? (?:then )?"
            r"(?=(?:put|move|place|stick|schedule)\b)",
            "if it is free, ",
        ),
        # What somebody is like, or will not do, is when nothing is to be, or most of it.
        (r"^(?:我(?:就|其实)?是)?(?:[一1]?个)?(?:夜猫子|夜型人).*", "以后尽量安排在晚上"),
        (r"^(?:我(?:就|其实)?是)?(?:[一1]?个)?(?:早鸟|早起鸟|晨型人).*", "以后尽量安排在上午"),
        (
            r"^我?(?:还是|比较|更|最|其实|就|一般)*(?:喜欢|习惯)(?:在|于)?"
            r"((?:(?:周|星期)[一二三四五六日天末]|工作日|[上下]午|晚上|早上|[、和])+)(?:里|的时候)?(?:学习?|看书|复习|做事)[了啊呀]*$",
            r"以后尽量安排在\1",
        ),
        (r"^i(?:'m| am) (?:(?!not\b)[a-z]+ ){0,4}night (?:owl|person)\b.*", "evenings if possible"),
        (r"^i(?:'m| am) (?:(?!not\b)[a-z]+ ){0,4}(?:morning person|early bird)\b.*", "mornings if possible"),
        (r"(?:什么|啥)(?:事|东西)?[都也]不(?:想|愿意?)(?:再)?(?:干|做|学|动|碰|看|弄)", "没空"),
        (r"(?:别|不要|不想|不愿意?)(?:让我|叫我|再)*(?:(?:那么|这么|太)?早起|起(?:那么|这么|太)早)", "1-2节不要安排"),
        (
            r"\b(?:don't|do not) (?:make|let) me (?:get|wake|be) up (?:so |that )?early\b"
            r"|\b(?:i hate|no) (?:getting up early|early (?:mornings|starts))\b",
            "nothing in sections 1-2",
        ),
        (rf"^({_FREE_ZH})(?:就|都)?是(?:用来|拿来|留着)?(?:放松|休息|躺平|玩)的", r"以后\1都不要安排"),
        (
            rf"^我?({_FREE_ZH})我?(?:(?<=末)|(?<=末我)|[就都只])[就都只]*[想要](?:好好|在家)*(?:躺|睡|休息|放松|歇)"
            r"[^,，。;；\d]{0,3}(?=$|[,，。!！])",
            r"以后\1都不要安排",
        ),
        (
            rf"^(?:on |at )?(?:the |my )?({EN_DAY}|weekend)(?:s,? {_RESTS_EN}|s? (?:is|are) (?:just |only |strictly )?"
            r"(?:meant )?for (?:chill|relax|rest|fun|family|friends|me\b|sleep)).*",
            r"always nothing on \1s",
        ),
        (rf"^{_RESTS_EN} (?:on |at )?(?:the )?({EN_DAY}|weekend)s\W*$", r"always nothing on \1s"),
        (r"早[八8](?!点|[:：.]|\d)(?:的课)?", "1-2节"),
        (r"(?<![\d.])(1[0-2]|[1-9])\.(\d{1,2})(\s*[到至]\s*)(1[0-2]|[1-9])\.(\d{1,2})(?![\d.])", r"\1月\2日\3\4月\5日"),
        # Nothing except then is only then.
        (
            rf"除了?{_ONLY_ZH}(?:之外|以外|外)?[,，]?(?:都|其他时[间候]|别的时[间候])?(?:别|不要?|不许)(?:再|给我)?(?:排|安排|放)"
            r"(?:任何)?(?:东西|任务|课)?",
            r"只安排在\1",
        ),
        (
            r"\b(?:(?:don't|do not|never) (?:plan|schedule|put|place) (?:anything|things|study)|nothing)"
            rf" (?:except|but|other than|apart from) {_ONLY_EN}",
            "only plan on ",
        ),
        (r"(?:吃[完过])?(?:午饭|中饭|午餐|中午)(?:之后|以后|过后|后)(?=的|[都全])", "下午和晚上"),
        (r"(?:吃[完过])?(?:午饭|中饭|午餐|中午)(?:之后|以后|过后|后)", "下午"),
        (r"(?:午饭|中饭|午餐|中午)(?:之前|以前|前)", "上午"),
        (
            r"(?<=thing )(?:after|post)[- ](?:the )?(?:lunch(?:time|[- ]?break)?|midday)\b",
            "in the afternoon and evening",
        ),
        (r"\b(?:after|post)[- ](?:the )?(?:lunch(?:time|[- ]?break)?|midday)\b", "in the afternoon"),
        (r"\b(?:before|pre)[- ](?:the )?(?:lunch(?:time)?|midday)\b", "in the morning"),
        (r"\b(?:after|post)[- ](?:dinner(?:time)?|supper)\b", "in the evening"),
        (r"\b(by|before|until|till) (?:dinner(?:time)?|supper(?:time)?|teatime)\b", r"\1 7pm"),
        (r"(?:吃?晚饭|晚餐)(?:之前|以前|前)", "晚上7点前"),
        (
            rf"\bat (?:the )?(earliest|latest)(?: (?:at|by|from))? (?={_HOUR_SAID})",
            lambda found: "not before " if found[1].lower() == "earliest" else "not after ",
        ),
        (
            rf"(?:^|(?<=, )|\b(?:at|by|from|until|till) )({_HOUR_SAID}),?"
            r" (?:at (?:the )?)?(earliest|latest|most|tops|max)\b",
            lambda found: f"not {'before' if found[2].lower() == 'earliest' else 'after'} {found[1]}",
        ),
        (
            r"\b(postpone|delay|defer|hold off(?: on)?|put (?:\w+ ){0,4}off|wait)\b([^,.;]{0,40}?)"
            r" (?:until|till|til)\b",
            r"\1\2 to",
        ),
        (r"月的?(?:头|前|开头)[几两三]天", "月初"),
        (r"(?<=\d[日号])[这那](?:几|些|两|三|四)天", ""),
        # A weekday beside its date is the same day.
        (r"(?<=\d[日号])的?[这那]个?(?=(?:周|星期|礼拜)[一二三四五六日天])", ""),
        (r"(?:别|不要)再?(?:给我|帮我)?(?:安?排|放|塞|学)(?:得|的)?(?:那么|这么|太)多(?:任务|东西|内容)?", "少排点"),
        (
            r"\b(?:don't|do not) (?:plan|schedule|put|give me) (?:me )?(?:so|that|too|as) (?:much|many)"
            r"(?: (?:things|items|tasks|study|work))?\b",
            "less",
        ),
        (r"\bbetween (?:now|today) and\b", "until"),
        (
            rf"\b(?:once|when|as soon as) ((?:this |next |the )?(?:week|month|{MONTH})(?: \d{{1,2}})?)"
            r" (?:is (?:over|done|finished|through)|has (?:ended|passed)|ends)\b",
            r"after \1",
        ),
        (rf"(?:等|到)?过了(第{NUM}周|[这本下]个?周)(?:之?后|以后)?", r"\1以后"),
        (r"\b(?:tmrw|tmr|tmw|tmrow|tmorrow|tomoz|2moro|2morrow)\b", "tomorrow"),
        (r"\bnxt\b", "next"),
        (r"\b(?:some|any|an?other|one|a) (?:other )?day (?:during|in) the week\b(?! (?:of|after|before))", "a weekday"),
        (r"\bbetween (\d{1,2}) and (\d{1,2}) ?([ap]m)\b", r"\1 \3 to \2 \3"),
        (r"(?<=\d(?:st|nd|rd|th) )between (\d{1,2}) and (\d{1,2})(?=[,.;]|\s*$)", r"from \1 to \2"),
        (r"\bb4\b", "before"),
        (r"\barvos?\b", "afternoon"),
        (rf"\b({EN_DAY}|tomorrow|today|this|the|{SUFFIX}) eves?\b", r"\1 evening"),
        (rf"\b({EN_DAY}) aft\b", r"\1 afternoon"),
        (rf"\b({EN_DAY}s?) n (?={EN_DAY}s?\b)", r"\1 and "),
        (rf"\bfrom (\d{{1,2}}){SUFFIX}? (?:to|till|until) (\d{{1,2}}){SUFFIX}? (section|period)s?\b", r"\3s \1-\2"),
        (rf"\b(\d{{1,2}}){SUFFIX} (section|period)\b", r"\2 \1"),
        (
            r"((?:推|延|挪|移|提|顺|拖|错)(?:迟|后|前|延|开)?|[往向][前后][推提挪移延]|[晚早]|[迟前后])几(?=个?(?:天|周|星期|礼拜)(?!吗|呢|[?？]))",
            r"\g<1>3",
        ),
        # Of about so many days the smaller number is meant.
        (
            rf"(?<![周期拜十])(?:{_NUMERAL_PAIRS})(?=个?(?:天|周(?![一二三四五六日天末])|星期|礼拜))",
            lambda found: found.group()[0],
        ),
        (r"(?<![\d-])([1-9])\s*[-~–]\s*[2-9](?=\s*个?(?:天|星期|礼拜)[^,，。;；]{0,4}$)", r"\1"),
        (
            rf"{_THING}\b({_FEW})(?: or |-to-|-| to )(?:{_FEW}) (days?|weeks?|sections?)"
            r"(?= (?:later|earlier|sooner|back|forward|ahead|out)\b|\W*$)",
            r"\1 \2",
        ),
        (r"\b(an?|one) (day|week|section) or (?:so|two|three)\b", r"\1 \2"),
        (r"仨(?=天|周|个?星期|个?礼拜)", "三"),
        (r"(?<![前后上下末])半个?(?:周|星期|礼拜)(?=$|[,，。;；吧])", "3天"),
        (r"((?:推|延|挪|移|提|顺|拖)(?:迟|后|前|延|开|长|期)?)[一1]个月", r"\g<1>30天"),
        (r"((?:推|延|挪|移|提|顺|拖)(?:迟|后|前|延|开|长|期)?)[两2]个月", r"\g<1>60天"),
        (r"\bhalf a week(?= (?:later|earlier|back|forward|ahead)\b)", "3 days"),
        (r"\banother week(?= (?:later|earlier|back|forward|ahead)\b)", "a week"),
        (r"\b(?:a|one|another) month(?= (?:later|earlier|back|forward|ahead)\b)", "30 days"),
        (r"今明(?:[两俩]天|天)", "今天和明天"),
        (r"明后(?:[两俩]天|天)", "明天和后天"),
        (r"([今明昨后])儿个?(?!子)", r"\1天"),
        (r"今(?=上午|下午|早上)", "今天"),
        (
            r"\b(?:get|have) (?:everything|it all|all of (?:it|this)) (?:sorted|organi[sz]ed)(?: out)?\b",
            "plan everything",
        ),
        (r"周末(?:这|那)?[两俩]天", "周末"),
        # The first days of a week, or the last ones.
        (
            rf"((?:[下这本那上]{{1,2}}一?个?|第{NUM}){WEEK})的?(?:里|中)?(?:最?([前头])|最?[后末]面?)([一两二三四五六1-6])天(?![前后内])",
            lambda found: _spell_end_of_week(found[1], found[3], last=not found[2]),
        ),
        (
            rf"\b(?:the )?(?:(first)|last|final) ({_FEW}) days (?:of|in) "
            rf"((?:this|next|that) week|the week after next|week {NUM})\b",
            lambda found: _spell_end_of_week(found[3], found[2], last=not found[1]),
        ),
        # The days of a weekend that is named beside them.
        (
            rf"([上下这本]个?周末[^。;；]{{0,14}}?)[,，]?{WEEK}六[和、跟,，]?(?:{WEEK})?[日天](?:这|那)?(?:[两俩]天)?",
            r"\1",
        ),
        (r"\b((?:this|next|the|that) weekend\b[^.;]{0,24}?),? (?:both |on )?saturday and sunday\b", r"\1"),
        (
            rf"(?:别|不要|不许)(?:再|给我)*(?:往|在)({WEEK}[一二三四五六日天末])(?:里|上)?[加塞](?:东西|任务|内容|事情?)?",
            r"以后\1别排",
        ),
        (
            rf"\b(?:don't|do not) (?:add|put|give me) anything (?:else|more|new) (?:to|on|onto) (?:my )?({EN_DAY})s?\b",
            r"from now on nothing on \1s",
        ),
        (r"(上午|早上|下午|晚上)的?最后的?[那这]?[两二2]节", lambda found: _LAST_TWO[found[1]]),
        (
            r"\b(?:the )?last two sections (?:of|in) the (morning|afternoon|evening)s?\b",
            lambda found: _LAST_TWO[found[1].lower()],
        ),
        (r"^(?:也)?就是(?:说)?(?=\d)", ""),
        # One time and not another, each as a clause.
        (
            rf"((?:[早晚]上|[上中下]午|{WEEK}[一二三四五六日天末]|[这本下]个?{WEEK})[学排做弄看背]?)而?不是"
            rf"(?=[早晚]上|[上中下]午|[这本下]?个?{WEEK})",
            r"\1，不是",
        ),
        (
            r"\b(mornings?|afternoons?|evenings?|\w+days?) (?:not|instead of|rather than) (?:in |on )?(?:the )?"
            r"(?=(?:mornings?|afternoons?|evenings?|\w+days?)\b)",
            r"\1, not ",
        ),
        (r"这一(?=周|个?星期|个?礼拜)", "这"),
        (rf"({WEEK}[一二三四五六日天末]|\d[日号]|[明后今]天)(?:[这那]一?天|的?一?[全整][天日])", r"\1"),
        (r"晚自习(?:之后|以后|后)?", "晚上"),
        (r"(?:不要?|别|不能|不可以)超过(?=(?:[上下]午|早上|晚上)?(?:[一二三四五六七八九十]{1,3}|\d{1,2})点)", "不晚于"),
        (r"(?<!最)晚(?=(?:[七八九十]|十一|\d{1,2})点)", "晚上"),
        (r"([一二三四五六日天早上])[前头]([两二])节", r"\g<1>1-2节"),
        (r"([一二三四五六日天早上])[前头]([三四])节", r"\g<1>1-\2节"),
        (
            r"(?<![第\d一二三四五六七八九])(1\d|十[一二三四五六七八九]?)(?:教学)?周(?![前后内的]|以[前后内]|时间)",
            r"第\1周",
        ),
        (
            rf"(?<![第\d一二三四五六七八九十后前上下这那每])([1-9]|[一二三四五六七八九])周(?={WEEK}[一二三四五六日天末])",
            r"第\1周",
        ),
        (r"(?<![\d.-])(1[0-2]|0?[1-9])-(0[1-9])(?=\s*(?:号|日)?(?:$|[,，。之以前后上下晚有的是没的]))", r"\1月\2日"),
        (r"(?:吃[完过])?(?:晚饭|晚餐)(?:之后|以后|后|过后)", "晚上"),
    )
)
"""Phrases that tell a time by something else: a meal, the head of a month, what something is put off until."""
_LONG_FORM = {"ch": "chapter", "chap": "chapter", "wk": "week"}


def spell_out_times(message: str, names: Sequence[str], today: date) -> str:
    """The message with every range of days told by its two ends; what `names` contain stays as it is."""
    text = _JOINED.sub(lambda found: f"{_LONG_FORM.get(found[1].lower(), found[1])} {found[2]}", message)
    text = _ARROW.sub(" to " if message.isascii() or not has_chinese(message) else "移到", text)
    text = _HALF_DAY.sub(lambda found: f"{found[1]} {'morning' if found[2] == 'am' else 'afternoon'}", text)
    text = spell_out_lists(text)
    for pattern, spelled in _PHRASES:
        text = pattern.sub(spelled, text)
    for pattern, name in _HOLIDAYS:
        if pattern.search(text) and not any(pattern.search(known) for known in names):
            text = pattern.sub(lambda found, name=name: _find_days(found, name, today), text)  # type: ignore[misc]
    return text


def names_holiday(text: str) -> bool:
    """Whether a text names a holiday of the calendar."""
    return any(pattern.search(text) for pattern, _ in _HOLIDAYS)


def find_own_words(said: str, message: str, names: Sequence[str], today: date) -> str:
    """A piece of what was written out in the words of the message: 国庆 for 10月1日到10月7日."""
    for pattern, name in _HOLIDAYS:
        told = [*pattern.finditer(message)]
        for found in () if told and any(pattern.search(known) for known in names) else told:
            said = said.replace(_find_days(found, name, today), found.group())
    return said


@lru_cache(maxsize=4096)
def spell_out_lists(text: str) -> str:
    """The text with each of several days, weeks or hours said in full: 周一三五 -> 周一、周三、周五."""
    text = _HALF_MONTH.sub("15天", _DASH.sub(" to ", _FORTNIGHT.sub("two weeks", text)))
    for form, spelled in (*WEEKS_BEHIND, *_LISTS):
        for _ in range(_MOST):
            text, changed = form.subn(spelled, text)
            if not changed:
                break
    for _ in range(_MOST):
        text, changed = _WEEKDAYS.subn(_spell_weekdays, text)
        if not changed:
            break
    return text


def _spell_weekdays(found: re.Match[str]) -> str:
    """周一三五, 周二、四, 周一至五; numerals that do not ascend belong to something else."""
    week, first, joint, other, more = found.groups()
    if other:
        return f"{week}{first}{joint}{week}{other}"
    run = [_WEEK.index(name) for name in first + more]
    return "、".join(week + name for name in first + more) if run == sorted(set(run)) else found.group()


def _find_days(found: re.Match[str], name: str, today: date) -> str:
    """The days of a holiday; only its last one before "after", its eve before "before"; its name where dates
    beside it tell it better."""
    first = _first_day(name, today)
    rest, head = found.string[found.end() :], found.string[: found.start()]
    if first is None or _NEXT_DATE.match(rest) or _DATE_AHEAD.search(head):
        return found.group()
    last = first + timedelta(days=_DAYS[name] - 1)
    side = None if _WHOLE.match(rest) else _SIDE.match(rest) or _BEFORE.search(head)
    english = found.group().isascii()
    if side is not None and side.group().strip().lower().startswith("before"):
        return say_date(first, zh=not english)  # which is not meant itself
    if side is not None:
        return say_date(last if side["after"] else first - timedelta(days=1), zh=not english)
    said = [say_date(day, zh=not english) for day in dict.fromkeys((first, last))]
    return (" to " if english else "到").join(said)


def _first_day(name: str, today: date) -> date | None:
    """The next time the holiday begins, or the one that is not over yet."""
    for year in (today.year, today.year + 1):
        said = _FIXED.get(name) or _LUNAR.get(year, {}).get(name)
        if said and (day := date.fromisoformat(f"{year}-{said}")) + timedelta(days=_DAYS[name] + 30) >= today:
            return day
    return None
