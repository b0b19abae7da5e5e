"""The words of which times are said, and the numbers, months and weekdays that they mean."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date

from agent.llm.offline.language.normalize import digits, has_chinese

NUM = r"(?:\d{1,3}|[零〇一二两三四五六七八九十]{1,4})"
EN_COUNTS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
COUNT = rf"(?:\d{{1,2}}|(?:a )?couple(?: of)?|(?:a )?few|an?|{'|'.join(EN_COUNTS)})"
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
ITEM_KINDS = ("chapter", "unit", "lab", "item", "part", "lecture", "lesson", "topic")
SUFFIX = "(?:st|nd|rd|th)"
EN_DAY = (
    r"(?:mon(?:day)?|tue(?:s(?:day)?)?|weds?(?:nesday)?|thu(?:r?s?(?:day)?)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?)"
)
_EN_DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
PARTS = (
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

WEEK_AFTER = re.compile(
    r"(?:再下[1一]?个?|后[1一]?个?|(?<!下)下[1一]个?|接下来的?[1一]?个?)(?:周|星期|礼拜)(?![1-7一二三四五六日天末])"
    r"|\b(?:following week|week after(?! next))\b"
)
"""The week behind one that is told."""


def number_of(said: str) -> int:
    """三十一, a couple of, 12: a number; 几 and a few are three."""
    said = said.strip()
    if said in EN_COUNTS:
        return EN_COUNTS.index(said) + 1
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


def _say_week_behind(found: re.Match[str]) -> str:
    week = number_of(found["week"]) + 1
    return f"{found['told']}第{week}周" if has_chinese(found.group()) else f"{found['told']}week {week}"


_TOLD_ZH = rf"(?P<told>第\s*(?P<week>{NUM})\s*周(?:(?!第\s*{NUM}\s*周)[^。;；])*?)"
_TOLD_EN = r"(?P<told>\b(?:week|wk) (?P<week>\d{1,2})\b(?:(?!\b(?:week|wk) \d)[^.;])*?)"
WEEKS_BEHIND: tuple[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]], ...] = (
    (
        re.compile(rf"{_TOLD_ZH}(?:再下[一1]?个?{WEEK}|(?<=[,，])下[一1]个?{WEEK}(?![一二三四五六日天末]))"),
        _say_week_behind,
    ),
    (
        re.compile(
            rf"{_TOLD_EN}\b(?:in )?(?:the week after(?: that)?|the following week)\b(?! (?:next|{EN_DAY}|\d))",
            re.IGNORECASE,
        ),
        _say_week_behind,
    ),
    (re.compile(rf"再下[一1]?个?(?={WEEK})"), "下下"),
)
"""The week behind the last one that is told, by its number: 第4周到第5周学线代，再下一周 -> 第6周; else that behind the
next one."""


def say_date(day: date, *, zh: bool) -> str:
    """Says a day by its month and number, in words that are read as that day again: 4月9日, 9 April."""
    return f"{day.month}月{day.day}日" if zh else f"{day.day} {day:%B}"
