"""Questions that hold items against lessons: on one day, or in the way of a lesson at a supposed time."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from agent.llm.offline.goals.questions.inquiry import asked_in
from agent.llm.offline.goals.questions.lessons.lesson_questions import CLASHES, is_named
from agent.llm.offline.goals.questions.lessons.rows import Lesson, pattern_lines
from agent.llm.offline.goals.questions.reads import rows_in_time
from agent.llm.offline.goals.questions.timetable import sections_text
from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.meaning.whether import asks_whether
from agent.llm.offline.language.normalize import fold_text
from agent.llm.offline.language.spans.items.spoken import named_items, spoken_of
from agent.llm.offline.language.spans.lesson_moves import without_subjects
from agent.llm.offline.language.spans.mentions import items_in
from agent.llm.offline.language.spans.times.reading import read_times
from agent.llm.offline.language.spans.times.said_time import Time
from agent.llm.offline.language.texts import dated_slot_text
from agent.loop.view_document import SlotView, TaskView

_THEY = re.compile(r"它们?|他们|\b(?:they|them|those|these|both|it)\b")


def tell_beside_items(
    brief: Brief, text: str, lessons: Sequence[Lesson], named: Sequence[str], every: Sequence[Lesson]
) -> str:
    """Whether items would be in the way of a lesson at that time, or which share a day with one; `every` lesson of the
    timetable."""
    rows = [row for row in _items(brief, text) if row["slot"]]
    placed = [row for row in brief.tasks if row["slot"]]
    if not CLASHES.search(text):
        return _tell_days(brief, rows or placed, bool(rows), lessons, named, text)
    if times := _places(brief, text):
        supposed = _Supposed.of(brief, times, text, max((one.day for one in lessons), default=brief.term.last_day))
        if held := supposed.find_lessons(every, _first_named(text, named)):
            return "\n".join([brief.say(*_CLASHES_WITH), *pattern_lines(brief, held)])
        told = _tell_clash(brief, rows or placed, supposed)
        return "\n".join([*([brief.say(*_NO_LESSONS)] if len(named) > 1 else []), told])
    never = ("不会冲突：任务从不排在课上面。", "No: nothing to study is ever put on a lesson.")
    days = _tell_days(brief, rows, True, lessons, named, "") if rows else ""
    return "\n".join(filter(None, [brief.say(*never), days]))


def _items(brief: Brief, text: str) -> list[TaskView]:
    rest = CLASHES.sub(" ", without_subjects(text))
    return named_items(rest, brief) or items_in(rest, brief) or (spoken_of(brief) if _THEY.search(text) else [])


def _places(brief: Brief, text: str) -> list[Time]:
    return [one for one in read_times(text, brief.term) if not one.impossible]


def _first_named(text: str, named: Sequence[str]) -> str:
    """The lesson that a text names first: the one that is supposed to move."""
    ends = {name: next(end for end in range(len(text) + 1) if end == len(text) or is_named(fold_text(name), text[:end]))
            for name in named}  # fmt: skip
    return min(named, key=ends.__getitem__, default="")


_NO_LESSONS = ("那个时间没有别的课。", "No other lesson is held then.")
_CLASHES_WITH = ("会冲突，那个时间有课：", "Yes, that would clash with lessons:")


def _tell_clash(brief: Brief, rows: Sequence[TaskView], supposed: _Supposed) -> str:
    """Whether items lie where a lesson is supposed to be."""
    hit = [row for row in rows if (slot := row["slot"]) and supposed.meets(slot, brief)]
    told = rows_in_time(hit or (rows if len(rows) < len(brief.tasks) else []))
    lines = [
        f"{row['name']}{brief.say('：', ': ')}{dated_slot_text(brief, row['slot'])}" for row in told if row["slot"]
    ]
    if hit:
        return "\n".join([brief.say("会冲突：", "Yes, that would clash:"), *lines])
    if lines:
        return "\n".join([brief.say("不会冲突，不在那个时间：", "No, that would not clash:"), *lines])
    return brief.say("不会冲突，那个时间没有排任务。", "No, nothing to study is planned then.")


@dataclass(frozen=True)
class _Supposed:
    """When a lesson is supposed to be: on these days, or on these weekdays until its last one, at these hours."""

    runs: tuple[tuple[date, date], ...]
    weekdays: frozenset[int]
    hours: tuple[tuple[int, int], ...]
    last: date

    @classmethod
    def of(cls, brief: Brief, times: Sequence[Time], text: str, last: date) -> _Supposed:
        runs = tuple((one.first, one.last or one.first) for one in times if one.first and not one.weekdays)
        weekdays = frozenset(day for one in times for day in one.weekdays)
        return cls(runs, weekdays, asked_in(text, brief).hours, last)

    def meets(self, slot: SlotView, brief: Brief) -> bool:
        hours = self.hours or ((1, brief.term.sections),)
        day = brief.day_of(slot)
        return self._is_on(day) and _overlaps((slot["slot_start"], slot["slot_end"]), hours)

    def find_lessons(self, lessons: Sequence[Lesson], moved: str) -> list[Lesson]:
        """The lessons, beside the one that moves, that are held at these hours."""
        others = [one for one in lessons if one.name != moved]
        return [one for one in others if self._is_on(one.day) and _overlaps(one.sections, self.hours)]

    def _is_on(self, day: date) -> bool:
        if self.weekdays or not self.runs:
            return day.isoweekday() in self.weekdays and day <= self.last
        return any(first <= day <= end for first, end in self.runs)


def _overlaps(sections: tuple[int, int], hours: Sequence[tuple[int, int]]) -> bool:
    return any(sections[0] <= end and first <= sections[1] for first, end in hours)


def _tell_days(
    brief: Brief, rows: Sequence[TaskView], some: bool, lessons: Sequence[Lesson], named: Sequence[str], text: str
) -> str:
    """Which items share a day with a lesson."""
    lines, shared = [], []
    what = brief.say("、", ", ").join(named) or brief.say("课", "lesson")
    for row in rows_in_time(rows):
        slot = row["slot"]
        assert slot is not None
        day = brief.day_of(slot)
        held = [one for one in lessons if one.day == day]
        shared += [row] if held else []
        if some or held:
            beside = brief.say("、", ", ").join(f"{sections_text(brief, *one.sections)} {one.name}" for one in held)
            # The lessons stand on a line of their own: beside the item their hours would be taken for its own.
            told = ("{name}：{at}\n那天的课：{beside}", "{name}: {at}\nLessons of that day: {beside}")
            none = ("{name}：{at}\n那天没有{what}", "{name}: {at}\nNo {what} that day")
            at = dated_slot_text(brief, slot)
            lines.append(brief.say(*(told if held else none), name=row["name"], at=at, beside=beside, what=what))
    if not some and not shared:
        told = ("没有，没有一项排在有{what}的日子。", "None: no item is on a day with {what}.")
        return brief.say(*told, what=what)
    if not some:
        head = brief.say("排在有{what}的日子的有 {n} 项：", "On a day with {what}: {n}.", what=what, n=len(shared))
        return "\n".join([head, *lines])
    lead = ""
    if asks_whether(text):
        every = brief.say("是的：" if len(shared) == len(rows) else "不全是：" if shared else "没有：",
                          "Yes:" if len(shared) == len(rows) else "In part:" if shared else "No:")  # fmt: skip
        lead = every
    return "\n".join(filter(None, [lead, *lines]))
