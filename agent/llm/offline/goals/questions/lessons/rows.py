"""The lessons of the timetable as rows, and the words in which they are told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from agent.llm.offline.goals.questions.timetable import sections_text
from agent.llm.offline.language.brief import Brief, Json
from agent.llm.offline.language.spans.times.hours import SECTION_MINUTES
from agent.llm.offline.language.texts import dated_text

_NAMES = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_FEW = 2
Sections = tuple[int, int]


@dataclass(frozen=True, order=True)
class Lesson:
    """One lesson of the timetable."""

    day: date
    sections: Sections
    name: str


def lessons_of(brief: Brief, data: Json) -> list[Lesson]:
    """The lessons of a look-up, in the order of time."""
    return sorted(
        Lesson(brief.day_of(row), (one["slot_start"], one["slot_end"]), one["name"])
        for row in data["days"]
        for one in row["entries"]
        if one["status"] == "fixed"
    )


def when_text(brief: Brief, one: Lesson) -> str:
    """第2周 周三（3月11日） 3-4节 大学英语 / wk 2 Wed (11 Mar) 3-4 English."""
    day = dated_text(brief, *brief.term.week_day(one.day))
    return f"{day} {sections_text(brief, *one.sections)} {one.name}"


def clock_text(brief: Brief, one: Lesson) -> str:
    """From when until when a lesson is held by the clock; empty where nobody knows."""
    if len(brief.term.starts) < one.sections[1]:
        return ""
    return brief.say("，{t}", ", {t}", t="–".join(clock_times(brief, *one.sections)))


def clock_times(brief: Brief, first: int, last: int) -> tuple[str, str]:
    """When the first of some sections begins and the last of them ends."""
    clock = brief.term.starts[last - 1]
    whole = 60 * int(clock[:2]) + int(clock[3:]) + SECTION_MINUTES
    return brief.term.starts[first - 1], f"{whole // 60:02d}:{whole % 60:02d}"


def pattern_lines(brief: Brief, lessons: Sequence[Lesson], *, clock: bool = False) -> list[str]:
    """For each name its weekdays, sections, hours by the `clock` and weeks: 高等数学：周一至周五 1-2节（第2-12周）."""
    kinds = dict[tuple[str, Sections], list[Lesson]]()
    for one in lessons:
        kinds.setdefault((one.name, one.sections), []).append(one)
    told = dict[str, list[str]]()
    for (name, sections), rows in kinds.items():
        days = _days_text(brief, sorted({one.day.isoweekday() for one in rows}))
        weeks = sorted({brief.term.week_day(one.day)[0] for one in rows})
        values = {"days": days, "at": sections_text(brief, *sections), "weeks": _weeks_text(brief, weeks)}
        values["at"] += clock_text(brief, rows[0]) if clock else ""
        told.setdefault(name, []).append(brief.say("{days} {at}（{weeks}）", "{days} {at} ({weeks})", **values))
    return [f"{name}{brief.say('：', ': ')}{brief.say('；', '; ').join(parts)}" for name, parts in told.items()]


def _days_text(brief: Brief, days: Sequence[int]) -> str:
    names = [brief.say(f"周{'一二三四五六日'[day - 1]}", _NAMES[day - 1]) for day in days]
    if len(days) > _FEW and days[-1] - days[0] == len(days) - 1:
        return names[0] + brief.say("至", "–") + names[-1]
    return brief.say("、", ", ").join(names)


def _weeks_text(brief: Brief, weeks: Sequence[int]) -> str:
    first, last = weeks[0], weeks[-1]
    if first == last:
        return brief.say(f"第{first}周", f"week {first}")
    return brief.say(f"第{first}-{last}周", f"weeks {first}–{last}")
