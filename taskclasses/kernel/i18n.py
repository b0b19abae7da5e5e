"""The message catalogue for code that imports no framework.

Chinese is the source language: a message id *is* the Chinese sentence, English comes from the one gettext catalogue
(`smartmate/locale/en/LC_MESSAGES/django.po`), the same one that Django's own `gettext` reads for pages and REST.
"""

from __future__ import annotations

import gettext
from functools import lru_cache
from pathlib import Path

CATALOGUE = Path(__file__).resolve().parents[2] / "smartmate" / "locale"


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
        message = _catalogue("en").gettext(message)
    return message.format(**values) if values else message
