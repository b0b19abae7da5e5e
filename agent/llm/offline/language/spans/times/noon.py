"""The pause at noon, in which no section lies: who wants it free has it free."""

from __future__ import annotations

import re

from agent.llm.offline.language.normalize import fold_numbers
from agent.llm.offline.language.spans.times.hours import SECTION_MINUTES
from agent.llm.offline.language.spans.times.semester import SemesterDates

_NOON = re.compile(r"中午|午休|午[饭觉睡]|正午|\b(?:noon|midday|lunch(?:time| ?break| ?hour)?|siesta)\b")
_FREE = re.compile(
    r"不|别|休|睡|空|吃饭|午[饭觉]|歇|\b(?:no|not|nothing|never|don't|free|nap|rest|break|lunch|eat|siesta)\b"
)
_HOUR = re.compile(
    r"(?P<h>\d{1,2})(?::(?P<m>\d{2})|点(?P<z>半|\d{2})?)|(?P<r>\d{1,2})(?= ?(?:-|–|to|till|until|and) ?\d)"
    r"|(?<=[-–])(?P<s>\d{1,2})|(?<=to )(?P<t>\d{1,2})|(?<=(?:and|til) )(?P<u>\d{1,2})|(?P<v>\d{1,2})(?= ?pm\b)"
)
_OTHER = re.compile(
    r"早|上午|下午|晚|周|星期|礼拜|[月日号节吗?？]|\b(?:mornings?|afternoons?|evenings?|nights?|\w+days?|weeks?|sections?"
    r"|after|before|until|move|put|chapters?|labs?|units?|items?|parts?|lectures?|topics?)\b"
)
_AFTER_NOON = 8
"""Hours below it are those after noon."""
_ASKS_LATER = re.compile(r"\d\s*(?:点|:\d\d)?\s*(?:以?后|以?前|之[前后]|起)")


def noon_pause(term: SemesterDates) -> tuple[int, int] | None:
    """The minutes of the day between the last section of the morning and the first behind it."""
    if len(term.day_parts) < 2 or len(term.starts) < term.day_parts[1][0]:
        return None
    begin = _minutes(term.starts[term.day_parts[0][1] - 1]) + SECTION_MINUTES
    end = _minutes(term.starts[term.day_parts[1][0] - 1])
    return (begin, end) if begin < end else None


def _minutes(clock: str) -> int:
    return 60 * int(clock[:2]) + int(clock[3:])


def frees_noon(clause: str, term: SemesterDates) -> bool:
    """Whether a clause only wants hours free in which no section lies."""
    text, pause = fold_numbers(clause), noon_pause(term)
    if pause is None or _OTHER.search(text) or _ASKS_LATER.search(text):
        return False
    hours = [_hour(found) for found in _HOUR.finditer(text)]
    if re.search(r"\d", _HOUR.sub(" ", text)):
        return False
    within = all(pause[0] <= hour <= pause[1] for hour in hours)
    return within and (len(hours) > 1 or _NOON.search(text) is not None) and _FREE.search(text) is not None


def _hour(found: re.Match[str]) -> int:
    hour = int(next(said for name, said in found.groupdict().items() if said and name not in "mz"))
    minute = 30 if found["z"] == "半" else int(found["m"] or found["z"] or 0)
    return 60 * (hour + 12 * (hour < _AFTER_NOON)) + minute
