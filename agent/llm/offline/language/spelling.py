"""English as it is typed: common slips in command words, weekdays and parts of the day are read as what is meant."""

from __future__ import annotations

import re
from collections.abc import Iterable

_SLIPS = {
    "u": "you", "ur": "your", "r": "are", "wat": "what", "waht": "what", "wen": "when", "pls": "please",
    "plz": "please", "plese": "please", "tmr": "tomorrow", "tmrw": "tomorrow", "tmw": "tomorrow", "2moro": "tomorrow",
    "plna": "plan", "paln": "plan", "pln": "plan", "mvoe": "move", "moev": "move", "movee": "move", "swpa": "swap",
    "chaper": "chapter", "chp": "chapter", "aft": "afternoon", "arvo": "afternoon", "morn": "morning", "eve": "evening",
}  # fmt: skip
_LONG = (
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "tomorrow", "afternoon", "morning",
    "evening", "weekend", "schedule", "chapter", "rebuild", "revision", "optimise",
)  # fmt: skip
_WORD = re.compile(r"(?<![A-Za-z0-9'-])[A-Za-z0-9]+(?![A-Za-z0-9'-])")
_QUOTED = re.compile(r"[《「『“\"][^》」』”\"]*[》」』”\"]")


def correct_spelling(message: str, names: Iterable[str] = ()) -> str:
    """`message` without slips; quoted text and the words of `names` stay as they are."""
    known = {word.lower() for name in names for word in _WORD.findall(name)}
    pieces, end = [], 0
    for match in _QUOTED.finditer(message):
        pieces += [_correct_words(message[end : match.start()], known), match.group()]
        end = match.end()
    return "".join([*pieces, _correct_words(message[end:], known)])


def _correct_words(text: str, known: set[str]) -> str:
    return _WORD.sub(lambda match: _correct_word(match.group(), known), text)


def _correct_word(word: str, known: set[str]) -> str:
    typed = word.lower()
    if typed in known or any(typed.startswith(right) for right in _LONG):
        return word
    if typed in _SLIPS:
        return _SLIPS[typed]
    if len(typed) < 6 or not typed.isalpha():
        return word
    near = [right for right in (*_LONG, *sorted(known)) if len(right) >= 6 and right[0] == typed[0]]
    return next((right for right in near if slips_between(typed, right) <= (1 if len(right) < 8 else 2)), word)


def slips_between(typed: str, right: str) -> int:
    """Letters missing, added, wrong or exchanged with their neighbour."""
    last: list[int] = []
    row = list(range(len(right) + 1))
    for i, char in enumerate(typed, 1):
        earlier, last, row = last, row, [i]
        for j, other in enumerate(right, 1):
            cost = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (char != other))
            if i > 1 and j > 1 and (char, typed[i - 2]) == (right[j - 2], other):
                cost = min(cost, earlier[j - 2] + 1)
            row.append(cost)
    return row[-1]
