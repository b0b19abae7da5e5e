"""A new lesson of the timetable, which is told like a new class: only the courses page adds it."""

from __future__ import annotations

import re

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.meaning.whether import asks_whether
from agent.llm.offline.language.normalize import fold_text
from agent.llm.offline.language.plain.classes.counted_class import find_only_name
from agent.llm.offline.language.spans.classes.item_list import as_written
from agent.llm.offline.language.spans.classes.new_class import (
    find_count,
    find_opened_name,
    tells_new_lesson,
    without_spans,
)
from agent.llm.offline.language.spans.conditions.limit_forms import PASTIME
from agent.llm.offline.language.spans.mentions import all_items, items_in
from agent.llm.offline.language.spans.times.reading import read_times
from agent.llm.offline.language.spans.times.spelling import spell_out_lists

ADDED_ELSEWHERE = (
    "这听起来是课表里的课，课我不能添加，什么都没有改；请在「课程」页点「新课程」填上它的时间和周次，或导入课表。"
    "要为它排学习任务，请说「新建任务类{name}」，并说有哪些内容。",
    "That sounds like a lesson of the timetable. I cannot add lessons, so nothing was changed; please press "
    '"New course" on the courses page and enter its hours and weeks, or import a timetable. To plan study for it, say '
    '"create a task class {name}" with its items.',
)
_BESIDE_TIMES = re.compile(
    r"[改是在从到的和]|不对?|应该|其实|还有|每周?"
    r"|\b(?:actually|no|sorry|wait|it(?:'?s)?|is|at|on|from|to|and|also|too|every|make|i mean)\b"
)


def tell_lesson_elsewhere(brief: Brief) -> str:
    """Where a lesson is put into the timetable, for a message that wants one there, or only says when it is held after
    that was told."""
    said = brief.spoken.get(brief.last_said, brief.last_said)
    head = brief.say(*ADDED_ELSEWHERE, name="\n").split("\n")[0]
    told = str(brief.earlier[-1]["text"]) if brief.earlier else ""
    times = read_times(said, brief.term)
    if head in told and times and not re.search(r"\w", _BESIDE_TIMES.sub(" ", fold_text(without_spans(said, times)))):
        return told
    if items_in(said, brief, among=all_items(brief)):
        return ""
    held = _find_held(said, brief)
    if not (held or tells_new_lesson(said, brief.term)):
        return ""
    return brief.say(*ADDED_ELSEWHERE, name=held or find_opened_name(said, brief.term) or "…")


_ROOM = re.compile(
    r"(?:[在去]|教室(?:是|在)?|(?:\b(?:in|at) )?\b(?:room|hall) ?|\bin )?(?<![a-z])[a-z]{0,2}-?\d{3,4}(?!\d)"
    r"(?:教室|上课?)?"
)
_COURSE = re.compile(
    r"课(?!后|余)|教室|[选报]了|新开|每[周星][^,，]{1,12}上|\b(?:class|course|lecture|seminar|tutorial|joined|enrolled)\b"
)
_AROUND_HELD = re.compile(
    r"新?课程?表?|新?[选报上加开]了?|这?个?学期|以后|每|多了?一?门"
    r"|\b(?:from now on|every|each|joined|added|lectures?|seminars?|periods?|timetable|now|is|it's|on|at|in)\b"
)
"""What is said around the name of a lesson."""


def _find_held(said: str, brief: Brief) -> str:
    """The name of the lesson of which a message tells its weekday and hours, maybe its room, and nothing else."""
    text = fold_text(spell_out_lists(fold_text(said)))
    times = read_times(text, brief.term)
    kinds = {one.kind for one in times}
    dated = any(one.first or one.last or one.side or one.impossible for one in times)
    if dated or not {"weekday", "sections"} <= kinds <= {"weekday", "sections", "every"} or asks_whether(text):
        return ""
    rest = without_spans(text, times)
    plain = _AROUND_HELD.sub("|", _ROOM.sub("|", rest))
    told = _ROOM.search(rest) or _COURSE.search(text)
    if not told or PASTIME.search(rest) or find_count(rest) or says("no_study", plain):
        return ""
    return as_written(find_only_name(plain, brief), said)
