"""Hours of the clock in a sentence, and the sections of the day that they mean."""

from __future__ import annotations

import re

from agent.llm.offline.language.normalize import fold_numbers
from agent.llm.offline.language.spans.dates import SemesterDates

SECTION_MINUTES = 45
_NOON, _DAY_HOURS, _FIRST_HOUR, _NEAR = 12, 24, 7, 30
CLOCK = re.compile(
    r"(?<![早晚快慢少多差])(?:(早上|上午|中午|下午|晚上)\s*)?(?<!\d)(?:1(?=\s*点[钟半])|(?<=[上午])\s*1(?=\s*点)|(?!1\s*点)\d{1,2})"
    r"\s*(?:点|时(?!间|段)|:00|o'clock)钟?(半)?"
    r"|(?<!\d)(?:(?<=before )|(?<=after )|(?<=until )|(?<=by )|(?=\d{1,2}(?::|\s*[ap]m)))"
    r"(\d{1,2})(?::(\d{2}))?\s*(am|pm)?(?=\s|$|[,.;!?])"
)
BEFORE = re.compile(r"之?前|以前|早于|\bbefore\b|\bearlier than\b|\bprior to\b|\bby\b")
AFTER = re.compile(r"之?后|以后|晚于|\bafter\b|\blater than\b|\bpast\b")


def clock_in(text: str, *, evening: bool = True) -> str:
    """The hour that is named, as HH:MM; empty when there is none. "After ten" is in the `evening` in a wish."""
    match = CLOCK.search(text)
    if match is None:
        return ""
    said = re.search(r"\d{1,2}", match.group())
    assert said is not None
    hour, minute = int(said.group()), 30 if match[2] else int(match[4] or 0)
    late = match[1] in ("下午", "晚上") or match[5] == "pm"
    after = AFTER.search(text) is not None if evening else hour < _FIRST_HOUR
    if hour < _NOON and (late or (after and match[5] != "am" and match[1] not in ("早上", "上午"))):
        hour += _NOON
    return f"{hour:02}:{minute:02}" if hour < _DAY_HOURS else ""


def section_from(clock: str, term: SemesterDates) -> int | None:
    """The first section that begins at an hour or later."""
    return next((number for number, start in enumerate(term.starts, 1) if start >= clock), None) if clock else None


def section_until(clock: str, term: SemesterDates) -> int | None:
    """The last section that is over by an hour; None where that is none, or all of them."""
    last = sum(_minutes(start) + SECTION_MINUTES <= _minutes(clock) for start in term.starts) if clock else 0
    return last if 0 < last < term.sections else None


def section_at(clock: str, term: SemesterDates) -> int | None:
    """The section that begins nearest to an hour, at most half an hour off."""
    gaps = [(abs(_minutes(start) - _minutes(clock)), number) for number, start in enumerate(term.starts, 1)]
    gap, number = min(gaps, default=(_NEAR + 1, 0))
    return number if clock and gap <= _NEAR else None


def hours_in(message: str, term: SemesterDates) -> tuple[tuple[int, int | None] | None, tuple[int, int] | None]:
    """The first section that an hour means, or the run of sections before or after it; nothing for no hour."""
    text = fold_numbers(message)
    clock, match = clock_in(text, evening=False), CLOCK.search(text)
    if not clock or match is None or not term.starts:
        return None, None
    behind, ahead = text[match.end() : match.end() + 3], text[max(0, match.start() - 12) : match.start()]
    if BEFORE.match(behind.strip()) or re.search(r"\b(?:before|by|until)\s*$", ahead):
        last = section_until(clock, term)
        return None, (1, last) if last else None
    if AFTER.match(behind.strip()) or re.search(r"\b(?:after|from|past)\s*$", ahead):
        first = section_from(clock, term)
        return None, (first, term.sections) if first else None
    at = section_at(clock, term)
    return ((at, None) if at else None), None


def _minutes(clock: str) -> int:
    return 60 * int(clock[:2]) + int(clock[3:]) if clock else 0
