"""The message catalogue for code that imports no framework.

Chinese is the source language: a message id *is* the Chinese sentence, English comes from the one gettext catalogue
(`smartmate/locale/en/LC_MESSAGES/django.po`), the same one that Django's own `gettext` reads for pages and REST.
"""

from __future__ import annotations

import gettext
import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

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
