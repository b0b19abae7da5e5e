"""English words of which two neighbouring letters were typed the other way round: snuday, remvoe."""

from __future__ import annotations

import re
from functools import lru_cache

from rapidfuzz.distance import OSA

from agent.llm.offline.language.lexicon import LEXICON

LONG_WORDS = (
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "tomorrow", "afternoon", "morning",
    "evening", "weekend", "schedule", "chapter", "rebuild", "revision", "optimise", "deadline", "postpone",
    "reschedule", "unplace", "before",
)  # fmt: skip
"""Words that are known with other slips, too."""
_WORD = re.compile(r"[a-z]{5,}")
"""A word that is long enough to tell what it was meant to be."""
_OTHER_WORDS = frozenset([
    "three", "tired", "tried", "united", "untied", "scared", "sacred", "quite", "quiet", "trail", "trial", "angel",
    "angle", "dairy", "diary", "casual", "causal",
])  # fmt: skip
"""Words that differ so from another one, and are meant."""


def find_exchanged(typed: str) -> str:
    """Answers the word of the lexicon that was meant by one with two letters exchanged; empty for others."""
    words = _words_by_letters().get("".join(sorted(typed)), ())
    if typed in words or typed in _OTHER_WORDS:
        return ""
    return next((right for right in words if right[0] == typed[0] and OSA.distance(typed, right) == 1), "")


@lru_cache(maxsize=1)
def _words_by_letters() -> dict[str, tuple[str, ...]]:
    entries = (entry.lower() for words in LEXICON.values() for entry in words if not entry.startswith("re:"))
    known = {word for entry in entries for word in _WORD.findall(entry)}
    known |= {*LONG_WORDS, *(f"{word}s" for word in LONG_WORDS)}
    found: dict[str, tuple[str, ...]] = {}
    for word in sorted(known):
        letters = "".join(sorted(word))
        found[letters] = (*found.get(letters, ()), word)
    return found
