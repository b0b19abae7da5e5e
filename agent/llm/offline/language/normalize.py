"""Messages in one form: width-folded, lower case, Chinese numerals as digits."""

from __future__ import annotations

import re
import unicodedata

from agent.loop.phrases import fold_text

_DIGITS = {"零": 0, "〇": 0, "一": 1, "二": 2, "两": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9}
_WEEKDAY = re.compile("((?:周|星期|礼拜)[一二三四五六])")
_NUMERAL = re.compile("[零〇一二两三四五六七八九十百]+")


def widths(message: str) -> str:
    """NFKC: full-width letters, digits and punctuation in their usual width. Case is kept."""
    return unicodedata.normalize("NFKC", message).strip()


def digits(text: str) -> str:
    """`text` with runs of Chinese numerals up to 999 written in digits: 十二节 -> 12节."""
    return _NUMERAL.sub(lambda match: _number(match.group()), text)


def fold_numbers(message: str) -> str:
    """The form in which numbers are looked for: folded, with digits; a weekday is kept apart from what follows."""
    return digits(_WEEKDAY.sub(r"\1 ", fold_text(message)))


def _number(run: str) -> str:
    if not set(run) & set("十百"):
        return "".join(str(_DIGITS[char]) for char in run)
    total, current = 0, None
    for char in run:
        if char == "百":
            total, current = total + 100 * (1 if current is None else current), None
        elif char == "十":
            total, current = total + 10 * (1 if current is None else current), None
        else:
            current = _DIGITS[char]
    return str(total + (current or 0))


def words(text: str, *cues: str) -> bool:
    """True when one of the cues occurs: Chinese as a substring, a Latin one as whole words."""
    return any(_occurs(cue, text) for cue in cues)


def _occurs(cue: str, text: str) -> bool:
    if cue.isascii():
        return re.search(rf"(?<![a-z]){re.escape(cue)}(?![a-z])", text) is not None
    return cue in text
