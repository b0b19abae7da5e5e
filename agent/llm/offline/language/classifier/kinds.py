"""A message as the classifier reads it: words and characters, with names, times and numbers replaced by their kinds."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from agent.llm.offline.language.normalize import fold_numbers
from agent.llm.offline.language.spans.mentions import find_pieces

CLASS, ITEM = "Ⓒ", "Ⓘ"
_WEEKDAY = r"(?:周|星期|礼拜)(?:[一二三四五六日天末]|[1-7](?!\d|周))"
_EN_WEEKDAY = r"\b(?:mon|tues?|wed(?:s|nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?(?:'?s)?\b"
_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)[a-z]*\.?"
ORDINAL = re.compile(
    r"第\s*\d+\s*(?:章节?|讲|单元|实验|次|课|篇|专题|项|部分)|(?:实验|专题|单元|章|任务)\s*\d+(?![节天])"
    r"|\b(?:chapters?|ch|units?|u|labs?|lists?|lectures?|lec|lessons?|items?|parts?|topics?)\.?\s?#?\d+(?!\d|\s*(?:day|week))"
)
"""An item told by a number; which one it is does not matter here, nor whether it is there."""
KINDS = tuple(
    (sign, re.compile(pattern))
    for sign, pattern in (
        ("Ⓢ", r"第?\d+\s*[-~到至]\s*第?\d+\s*节|第?\d+节(?!课)|\b(?:sections?|periods?)\s*\d+(?:\s*(?:-|to)\s*\d+)?"),
        ("Ⓗ", r"\d{1,2}[:：]\d\d|\d{1,2}点(?:半|\d+分?)?|\b\d{1,2}(?::\d\d)?\s?(?:am|pm|o'clock)\b|\bnoon\b"),
        (
            "Ⓔ",
            r"\d{4}-\d\d-\d\d|\d{1,2}月\d{1,2}[日号]?|\d{1,2}[日号](?!节)|\d{1,2}/\d{1,2}"
            rf"|\b{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?\b"
            rf"|\b(?:the )?\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {_MONTH}(?![a-z])|\bthe \d{{1,2}}(?:st|nd|rd|th)\b"
            r"|五一|十一|清明|端午|国庆|中秋|元旦|\d{1,2}月(?:底|初|中旬)?"
            r"|\b(?:january|february|march|april|june|july|august|september|october|november|december)\b",
        ),
        (
            "Ⓦ",
            r"第\s*\d+\s*周|\bweek \d+\b|[下上这本]+个?(?:周|星期|礼拜)(?![一二三四五六日天末\d])"
            r"|\b(?:next|last|this|the following|coming) week\b",
        ),
        (
            "Ⓓ",
            rf"[下上这本]*个?{_WEEKDAY}|(?:\b(?:next|this|last|on|every) )?{_EN_WEEKDAY}|\bweekends?\b|\bweekdays?\b"
            r"|工作日|双休日?",
        ),
        (
            "Ⓨ",
            r"[今明][天日儿]|大?后天|昨[天儿]|前天|[今明昨]晚|\b(?:today|tomorrow|tonight|yesterday)\b",
        ),
        (
            "Ⓟ",
            r"上午|下午|晚上|早上|中午|傍晚|凌晨|清早|夜里|夜晚"
            r"|\b(?:mornings?|afternoons?|evenings?|nights?|nite|lunchtime)\b",
        ),
        (
            "Ⓛ",
            r"\d+\s*(?:个?(?:天|周|星期|礼拜|小时|钟头|月)|分钟)|半个?(?:天|小时)"
            r"|\b(?:\d+|an?|couple of|few|one) (?:more )?(?:days?|weeks?|hours?|months?|minutes?|mins?)\b",
        ),
        ("Ⓝ", r"\d+(?:\.\d+)?"),
    )
)
"""Sections, clock, date, week, weekday, day, part of a day, length of time, number: each kind has a sign of its own."""
_TOKEN = re.compile(r"[Ⓐ-ⓩ]|[a-z]+(?:'[a-z]+)?|[一-鿿]|[?!.,;:。…、]")
_LONGEST = 400
"""Characters that are read: what a message wants is said early."""


@lru_cache(maxsize=1024)
def read_tokens(message: str, classes: tuple[str, ...], items: tuple[str, ...]) -> tuple[str, ...]:
    """The words, Chinese characters, marks and signs of kinds of a message, in order."""
    text = fold_numbers(message[:_LONGEST])
    for name in _folded(items):
        text = _replace(text, name, ITEM)
    text = ORDINAL.sub(ITEM, text)
    for name in _folded((*classes, *find_pieces(text, classes, fold_numbers))):
        text = _replace(text, name, CLASS)
    for sign, pattern in KINDS:
        text = pattern.sub(sign, text)
    return tuple(_TOKEN.findall(text))


@lru_cache(maxsize=256)
def _folded(names: Sequence[str]) -> tuple[str, ...]:
    return tuple(sorted({fold_numbers(name) for name in names if len(name) > 1}, key=lambda name: (-len(name), name)))


def _replace(text: str, name: str, sign: str) -> str:
    if name not in text:
        return text
    if not name.isascii():
        return text.replace(name, sign)
    return re.sub(rf"(?<![a-z0-9]){re.escape(name)}(?![a-z0-9])", sign, text)
