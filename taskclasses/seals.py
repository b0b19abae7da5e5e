"""What a task class is known by at a glance: a place in the row of colours and a seal, one character."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable

import regex

from taskclasses.fields import COLORS

SEAL_MAX = 16
"""Code points that one character may be made of."""


def is_seal(value: object) -> bool:
    """Tells whether a value is one character that can be seen (UAX 29 says what one is)."""
    if not isinstance(value, str) or not 0 < len(value) <= SEAL_MAX:
        return False
    return regex.fullmatch(r"\X", value) is not None and _kind(value) in "LNPS"


def choose_seal(name: str, taken: Collection[str]) -> str:
    """Returns the first character of a name that is not taken, letters and digits before signs; the first one when all
    are."""
    seen = [one for one in regex.findall(r"\X", name) if is_seal(one)]
    seen.sort(key=lambda one: _kind(one) not in "LN")
    return next((one for one in seen if one not in taken), seen[0] if seen else "")


def follow_name(seal: str, *, before: str, after: str, taken: Collection[str]) -> str:
    """Returns the seal of a class that is renamed: one that stood in the old name and is not in the new one is chosen
    anew."""
    if seal and (seal in after or seal not in before):
        return seal
    return choose_seal(after, taken)


def choose_color(taken: Iterable[int], colors: int = COLORS) -> int:
    """Returns the first of the least used places in a row of so many colours."""
    counts = Counter(taken)
    return min(range(colors), key=lambda color: (counts[color], color))


def _kind(character: str) -> str:
    return unicodedata.category(character[0])[0]
