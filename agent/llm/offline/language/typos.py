"""Slips of the keyboard: command words, weekdays and known names within a bounded edit distance are read as meant."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from rapidfuzz.distance import OSA

_SLIPS = {
    "u": "you", "ur": "your", "r": "are", "wat": "what", "waht": "what", "wen": "when", "pls": "please",
    "plz": "please", "plese": "please", "tmr": "tomorrow", "tmrw": "tomorrow", "tmw": "tomorrow", "2moro": "tomorrow",
    "befor": "before", "bfore": "before", "chaptr": "chapter",
    "plna": "plan", "paln": "plan", "pln": "plan", "mvoe": "move", "moev": "move", "movee": "move", "swpa": "swap",
    "chaper": "chapter", "chp": "chapter", "aft": "afternoon", "arvo": "afternoon", "morn": "morning", "eve": "evening",
    "wk": "week", "nxt": "next", "wed": "wed", "dedline": "deadline", "tomorow": "tomorrow", "adn": "and", "teh": "the",
    "dont": "don't", "doesnt": "doesn't", "didnt": "didn't", "cant": "can't", "im": "i'm", "whats": "what's",
    "wheres": "where's",
    "whens": "when's", "theres": "there's", "ive": "i've", "havent": "haven't",
    "thats": "that's", "isnt": "isn't", "wont": "won't", "thru": "through", "b4": "before",
}  # fmt: skip
_LONG = (
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "tomorrow", "afternoon", "morning",
    "evening", "weekend", "schedule", "chapter", "rebuild", "revision", "optimise", "deadline", "postpone",
    "reschedule", "unplace",
)  # fmt: skip
_WORD = re.compile(r"(?<![A-Za-z0-9'-])[A-Za-z0-9]+(?![A-Za-z0-9'-])")
_QUOTED = re.compile(r"[《「『“\"][^》」』”\"]*[》」』”\"]")
_CJK_RUN = re.compile("[一-鿿]+")
_ZH_SLIPS = {
    "星期夭": "星期天",
    "笫": "第",
    "下午下午": "下午",
    "第而章": "第二章",
    "体捡": "体检",
    "移道": "移到",
    "拍好": "排好",
    "排号": "排好",
}
_AT_PRESENT = re.compile(r"\b(?:at|for) (?:the|this) moment\b", re.IGNORECASE)
"""No slip for an item like Moments."""
_CHAPTER = re.compile(r"(第[\d一二三四五六七八九十]+)[张張]")
_WEEKDAY = re.compile(r"(?<![礼禮崇朝])拜([一二三四五六日天])(?!拜)")
_NUMERALS = frozenset("零一二两三四五六七八九十百")
_UNSAFE = frozenset("把将移挪排放改调换和与跟到在的了周第日月号节上下午晚早不")
"""A window of a name may not begin or end with one of these unless the name does."""


def correct_spelling(message: str, names: Sequence[str] = ()) -> str:
    """`message` without slips; quoted text and the words of `names` stay as they are."""
    known = {word.lower() for name in names for word in _WORD.findall(name)}
    pieces, end = [], 0
    for match in _QUOTED.finditer(message):
        pieces += [_correct(message[end : match.start()], known, names), match.group()]
        end = match.end()
    return "".join([*pieces, _correct(message[end:], known, names)])


def _correct(text: str, known: set[str], names: Sequence[str]) -> str:
    text = _WORD.sub(lambda match: _correct_word(match.group(), known), _AT_PRESENT.sub("now", text))
    if text.isascii():
        return text
    for wrong, right in _ZH_SLIPS.items():
        text = text.replace(wrong, right)
    text = _WEEKDAY.sub(r"礼拜\1", _CHAPTER.sub(r"\1章", text))
    return _correct_names(text, names)


def _correct_word(word: str, known: set[str]) -> str:
    typed = word.lower()
    if typed in known or any(typed.startswith(right) for right in _LONG):
        return word
    if typed in _SLIPS:
        return _SLIPS[typed]
    if 4 <= len(typed) < 7 and typed.isalpha():
        short = [right for right in sorted(known) if len(right) in (4, 5) and right[0] == typed[0]]
        slip = next((right for right in short if slips_between(typed, right) == 1 and typed != f"{right}s"), "")
        if (slip and sorted(slip) == sorted(set(typed) & set(slip))) or (slip and sorted(typed) == sorted(slip)):
            return slip
    if len(typed) < 6 or not typed.isalpha():
        return word
    near = [right for right in (*_LONG, *sorted(known)) if len(right) >= 6 and right[0] == typed[0]]
    return next((right for right in near if slips_between(typed, right) <= (1 if len(right) < 8 else 2)), word)


def slips_between(typed: str, right: str) -> int:
    """Letters missing, added, wrong or exchanged with their neighbour."""
    return OSA.distance(typed, right)


def _correct_names(text: str, names: Iterable[str]) -> str:
    """Chinese names with a wrong, missing, doubled or exchanged character: 线性袋数 for 线性代数."""
    parts = {part for name in names for part in _CJK_RUN.findall(name) if len(part) >= 4}
    for part in sorted(parts, key=lambda part: (-len(part), part)):
        if part not in text and not any(part[:size] in text for size in range(max(3, len(part) - 3), len(part))):
            text = _replace_window(text, part, parts)
    return text


def _replace_window(text: str, name: str, known: Iterable[str]) -> str:
    """The text with the first slip of a name mended; what is another known name, or counts otherwise, is none."""
    taken = [one.span() for other in known for one in re.finditer(re.escape(other), text)]
    most = 1 if len(name) < 8 else 2
    for size in (len(name), len(name) + 1, len(name) - 1):
        for at in range(len(text) - size + 1):
            window = text[at : at + size]
            fits = window[0] == name[0] or window[-1] == name[-1]
            fits = fits and _numerals_in(window) == _numerals_in(name)
            if any(at < end and start < at + size for start, end in taken):
                continue
            if fits and _is_safe(window, name) and OSA.distance(window, name, score_cutoff=most) <= most:
                return text[:at] + name + text[at + size :]
    return text


def _numerals_in(text: str) -> str:
    return "".join(char for char in text if char in _NUMERALS)


def _is_safe(window: str, name: str) -> bool:
    begins = window[0] == name[0] or window[0] not in _UNSAFE
    ends = window[-1] == name[-1] or window[-1] not in _UNSAFE
    return begins and ends and all("一" <= char <= "鿿" for char in window)
