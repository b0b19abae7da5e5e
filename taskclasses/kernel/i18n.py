"""The message catalogue for code that imports no framework.

Chinese is the source language: a message id *is* the Chinese sentence, English comes from the one gettext catalogue
(`smartmate/locale/en/LC_MESSAGES/django.po`), the same one that Django's own `gettext` reads for pages and REST.
"""

from __future__ import annotations

import gettext
import re
from collections.abc import Mapping
from datetime import date
from functools import lru_cache
from pathlib import Path

WEEKDAYS = ("周一", "周二", "周三", "周四", "周五", "周六", "周日")
MONTHS = ("1 月", "2 月", "3 月", "4 月", "5 月", "6 月", "7 月", "8 月", "9 月", "10 月", "11 月", "12 月")
CATALOGUE = Path(__file__).resolve().parents[2] / "smartmate" / "locale"


_COUNTED = re.compile(
    r"(?P<number>\{(?P<name>\w+)\} (?:(?:more|other|free|full|filler|demanding|planned|unplaced|task) )?)"
    r"(?P<noun>step|item|period|section|task|class|day|week|month|minute|hour|evening|lesson|lecture|course|exam|change|gap"
    r"|time|place|row|cell|name|note|message|session|field|character|result|switch|move|problem|event|way|draft)"
    r"(?P<more>(?<=ss)es|(?<=ch)es|s)\b"
    r"(?P<verb> (?:no longer |already )?(?:are|were|have|do|need|fit|stand|keep|overlap)\b)?"
)
_ONE = {"are": "is", "were": "was", "have": "has", "do": "does"}


def agree(sentence: str, values: Mapping[str, object]) -> str:
    """Returns an English sentence in which each noun behind a field that is one stands in the singular, with its
    verb."""
    return _COUNTED.sub(lambda found: _one_of(found) if values.get(found["name"]) == 1 else found[0], sentence)


def _one_of(found: re.Match[str]) -> str:
    before, _, verb = (found["verb"] or "").rpartition(" ")
    return found["number"] + found["noun"] + (f"{before} {_ONE.get(verb, verb + 's')}" if verb else "")


@lru_cache(maxsize=4)
def _catalogue(language: str) -> gettext.NullTranslations:
    return gettext.translation("django", localedir=str(CATALOGUE), languages=[language], fallback=True)


def language_of(locale: str) -> str:
    """Returns `zh` or `en` for any locale tag; everything that is not English reads Chinese."""
    return "en" if locale.lower().startswith("en") else "zh"


def text(message: str, locale: str, /, **values: object) -> str:
    """Returns the message in the language of `locale`, with `{name}` fields filled from `values`.

    `message` is the Chinese sentence. A sentence missing from the catalogue is shown in Chinese.
    """
    if message and language_of(locale) == "en":
        message = agree(_catalogue("en").gettext(message), values)
    return message.format(**values) if values else message


def weekday_words(weekday: int, locale: str) -> str:
    """Writes a weekday in words; 1 = Monday."""
    return text(WEEKDAYS[weekday - 1], locale)


def date_words(day: date, locale: str) -> str:
    """Writes a date in words: `10 月 23 日 周五`, `Fri, Oct 23`."""
    month, weekday = text(MONTHS[day.month - 1], locale), weekday_words(day.isoweekday(), locale)
    return text("{month} {day} 日 {weekday}", locale, month=month, day=day.day, weekday=weekday)
