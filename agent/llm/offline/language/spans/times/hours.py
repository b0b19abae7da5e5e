"""Hours of the clock and the sections of the day that they mean."""

from __future__ import annotations

import re

from agent.llm.offline.language.normalize import fold_numbers
from agent.llm.offline.language.spans.times.semester import SemesterDates

SECTION_MINUTES = 45
_NEAR = 30
_AFTER_NOON = 7
_FEW_MINUTES = 10


def section_from(clock: str, term: SemesterDates) -> int | None:
    """The first section that begins at an hour or later."""
    return next((number for number, start in enumerate(term.starts, 1) if start >= clock), None) if clock else None


def section_until(clock: str, term: SemesterDates, *, whole: bool = False) -> int | None:
    """The last section that is over by an hour; None where that is none, or all of them unless these count as well."""
    last = sum(_minutes(start) + SECTION_MINUTES <= _minutes(clock) for start in term.starts) if clock else 0
    return last if 0 < last < term.sections + whole else None


def section_running(clock: str, term: SemesterDates) -> int | None:
    """The last section where it is not over by an hour at which none begins any more."""
    last = term.starts[-1] if term.starts else ""
    return term.sections if last and _minutes(clock) < _minutes(last) + SECTION_MINUTES else None


def section_at(clock: str, term: SemesterDates) -> int | None:
    """The section that begins nearest to an hour, at most half an hour off."""
    gaps = [(abs(_minutes(start) - _minutes(clock)), number) for number, start in enumerate(term.starts, 1)]
    gap, number = min(gaps, default=(_NEAR + 1, 0))
    return number if clock and gap <= _NEAR else None


def sections_between(clock: str, end: str, term: SemesterDates) -> tuple[int | None, int | None]:
    """The sections from one hour to another: the first that begins about then or later, the last that is over."""
    return section_at(clock, term) or section_from(clock, term), section_until(end, term, whole=True)


def sections_touched(clock: str, end: str, term: SemesterDates) -> tuple[int, int] | None:
    """The sections of which more than a few minutes lie between two hours."""
    first, last = _minutes(clock), _minutes(end)
    starts = [(number, _minutes(start)) for number, start in enumerate(term.starts, 1)]
    found = [at for at, start in starts if min(last, start + SECTION_MINUTES) - max(first, start) > _FEW_MINUTES]
    return (found[0], found[-1]) if found else None


def sections_of_hours(begin: int, end: int, term: SemesterDates) -> tuple[int | None, int | None]:
    """The sections from one bare hour to another; the small ones are after noon: from 9 to 1, from 2 to 6."""
    begin += 12 if begin < _AFTER_NOON else 0
    end += 12 if end <= begin else 0
    return sections_between(f"{begin:02}:00", f"{end:02}:00", term)


def _minutes(clock: str) -> int:
    return 60 * int(clock[:2]) + int(clock[3:]) if clock else 0


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
AT_NOON = re.compile(
    r"的?(?:中午|正午|午[休饭餐]|中饭)(?:休息|吃饭|时间|的?时候|时)*(?![觉睡之以前后过])"
    r"|,? ?\b(?:at|during|over|in|into|to|for) (?:the |my )?(?:lunch(?: ?time| ?break| ?hour)?|midday)\b(?! with)",
    re.IGNORECASE,
)
"""That something is to be at noon, or is then."""
_SMALLEST = 8
"""The hour from which one is before noon, where it lies about noon."""
_ASKS_LATER = re.compile(r"(?:中午|午[饭餐])[之以]?[前后]|\d\s*(?:点|:\d\d)?\s*(?:以?后|以?前|之[前后]|起)")


def noon_pause(term: SemesterDates) -> tuple[int, int] | None:
    """The minutes of the day between the last section of the morning and the first behind it."""
    if len(term.day_parts) < 2 or len(term.starts) < term.day_parts[1][0]:
        return None
    begin = _minutes(term.starts[term.day_parts[0][1] - 1]) + SECTION_MINUTES
    end = _minutes(term.starts[term.day_parts[1][0] - 1])
    return (begin, end) if begin < end else None


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
    return 60 * (hour + 12 * (hour < _SMALLEST)) + minute
