"""A deed that a clause leaves out because the one before it has told it: lab 1 is done, lab 2 isn't -> lab 1 is done,
lab 2 isn't done; 第四章学完了，第五章一半 -> 第四章学完了，第五章做了一半."""

from __future__ import annotations

import re

_DEED = re.compile(
    r"\b(?:is|are|was|were|'s|'re)(?: all| already| now)* (?P<deed>done|finished|completed?)\b", re.IGNORECASE
)
_DONE_ZH = re.compile(r"[完好]了|(?:学|做|看|背|写|弄|复习|搞)[完好定]")
_HALF_ZH = re.compile(r"(?<=[^学做看背写弄搞习过完了成剩到的前后另])(?:才|只|就)?一半(?=$|[,，。;；])")
_LEAVES_OUT = re.compile(
    r"[,;.] ?(?:but |and |while )*[^,;.]+ (?:isn't|aren't|wasn't|weren't|is not|are not)(?: yet)?$", re.IGNORECASE
)


def spell_left_out_deed(message: str) -> str:
    """The message with the deed that its last clause leaves out; any other as it is."""
    if _DONE_ZH.search(message):
        return _HALF_ZH.sub("做了一半", message)
    text = message.rstrip(" .!")
    told, left = _DEED.search(text), _LEAVES_OUT.search(text)
    if not told or not left or told.end() > left.start():
        return message
    yet = " yet" if text.endswith(" yet") else ""
    return f"{text.removesuffix(yet)} {told['deed']}{yet}"
