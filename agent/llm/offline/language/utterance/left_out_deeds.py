"""A deed that a clause leaves out because the one before it has told it: lab 1 is done, lab 2 isn't -> lab 1 is done,
lab 2 isn't done."""

from __future__ import annotations

import re

_DEED = re.compile(
    r"\b(?:is|are|was|were|'s|'re)(?: all| already| now)* (?P<deed>done|finished|completed?)\b", re.IGNORECASE
)
_LEAVES_OUT = re.compile(
    r"[,;.] ?(?:but |and |while )*[^,;.]+ (?:isn't|aren't|wasn't|weren't|is not|are not)(?: yet)?$", re.IGNORECASE
)


def spell_left_out_deed(message: str) -> str:
    """The message with the deed that its last clause leaves out; any other as it is."""
    text = message.rstrip(" .!")
    told, left = _DEED.search(text), _LEAVES_OUT.search(text)
    if not told or not left or told.end() > left.start():
        return message
    yet = " yet" if text.endswith(" yet") else ""
    return f"{text.removesuffix(yet)} {told['deed']}{yet}"
