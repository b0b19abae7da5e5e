"""The weeks and places of a course in words: `1-16周 周二 3-4节`."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from taskclasses.kernel.i18n import text, weekday_words

PARITIES = {1: "{weeks}周 单周", 0: "{weeks}周 双周"}


def weeks_in_words(weeks: Sequence[int], locale: str = "zh") -> str:
    """Writes ascending weeks: as a run, as the odd or the even weeks of one, or run by run."""
    alternating = len(weeks) > 2 and all(later - earlier == 2 for earlier, later in itertools.pairwise(weeks))
    if alternating:
        return text(PARITIES[weeks[0] % 2], locale, weeks=f"{weeks[0]}-{weeks[-1]}")
    named = [str(first) if first == last else f"{first}-{last}" for first, last in runs_of(weeks)]
    return text("{weeks}周", locale, weeks=text("、", locale).join(named))


def meeting_in_words(weeks: Sequence[int], day_of_week: int, sections: tuple[int, int], locale: str = "zh") -> str:
    first, last = sections
    return text(
        "{weeks} {weekday} {sections}节",
        locale,
        weeks=weeks_in_words(weeks, locale),
        weekday=weekday_words(day_of_week, locale),
        sections=str(first) if first == last else f"{first}-{last}",
    )


def runs_of(weeks: Sequence[int]) -> list[tuple[int, int]]:
    """Returns ascending numbers as runs: first and last of each."""
    runs: list[tuple[int, int]] = []
    for week in weeks:
        if runs and runs[-1][1] == week - 1:
            runs[-1] = (runs[-1][0], week)
        else:
            runs.append((week, week))
    return runs
