"""A new lesson of the timetable, which is told like a new class: only the courses page adds it."""

from __future__ import annotations

import re

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.normalize import fold_text
from agent.llm.offline.language.spans.classes.new_class import find_opened_name, tells_new_lesson, without_spans
from agent.llm.offline.language.spans.mentions import all_items, items_in
from agent.llm.offline.language.spans.times.reading import read_times

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
    if not tells_new_lesson(said, brief.term) or items_in(said, brief, among=all_items(brief)):
        return ""
    return brief.say(*ADDED_ELSEWHERE, name=find_opened_name(said, brief.term) or "…")
