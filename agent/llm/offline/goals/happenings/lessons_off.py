"""Lessons of the timetable that are off or somewhere else: they are told apart from the classes that are studied, also
where one of these is of the same subject (no english on wednesday, beside a class for its vocabulary)."""

from __future__ import annotations

import re

from agent.llm.offline.goals.unsettled.beyond import wants_more
from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.meaning.features import Features
from agent.llm.offline.language.meaning.whether import asks_whether
from agent.llm.offline.language.normalize import fold_text
from agent.llm.offline.language.spans.conditions.suppositions import only_supposes, read_supposition
from agent.llm.offline.language.spans.lesson_moves import (
    SUBJECTS,
    says_lesson,
    says_studied,
    says_subject,
    without_subjects,
)
from agent.llm.offline.language.spans.mentions import all_items, classes_in, is_meant_by_subject, items_in
from agent.llm.offline.language.spans.times.reading import read_times
from agent.llm.offline.language.spans.times.said_time import Time

COURSES_FIXED = (
    "课程是固定的：停课、删除和改整门课，请在课表页面的「调课、假期与考试」里做，这里什么都没有改。这里只能把某一次课调到别的"
    "时间（请说哪天的哪门课调到哪天第几节）。任务要挪的话，请说移到哪里。",
    "Courses are fixed: to cancel, remove or change one as a whole, please use the timetable page; nothing was changed "
    "here. Here only a single lesson can move to another time: say which lesson of which day goes to which day and "
    "sections. To move an item, say where it should go.",
)
_OF_LESSONS = re.compile(
    r"停[1一]?[次节堂回]?课|停上|(?:[换改]|变更|调整)(?:了|到)?(?:[1一]?个)?教室|教室(?:[换改变]|调整)"
    r"|[换改挪移调在]到?教[1-9a-z一二三四五六七八九]"
    r"|\b(?:is|are|held|moved|takes place)(?: now)? (?:in|to) (?:room|hall|building)\b"
    r"|(?:老师|教授|学校|学院|教务)[^,，。;；]{0,12}(?:不上|停|取消|放假)"
    r"|\b(?:in|to) (?:a |the )?(?:another|different|new|other) (?:room|building|hall)\b"
    r"|\b(?:room|building) (?:has |was |is |got )?(?:been )?changed?\b"
    r"|(?<![\d一二三四五六七八九十])课(?:已经|都|要|被|全)*(?:停了|取消|不上(?!课))|停课"
    r"|^(?:there(?:'s| is| are| will be) )?no (?:more )?(?:lecture|lesson)s?\b"
    r"|\b(?:lecture|lesson)s?\b[^.;]{0,40}\b(?:cancell?ed|called off)\b"
    r"|\b(?:prof(?:essor)?|teacher|lecturer|tutor|uni(?:versity)?|school|faculty)(?:'s| has| have)?(?: just)?"
    r" (?:cancell?ed|called off|scrapped|dropped)\b"
)
"""What happens to lessons alone."""
_IN_ROOM = re.compile(r"(?<![a-z])[a-z]{1,2}\d{3,4}(?!\d)")
"""A room by its number; with weekday and hours it is told of a new lesson."""
_TAUGHT = rf"(?:{SUBJECTS.pattern})"
_OFF = re.compile(
    rf"(?:不用?上|(?<!有)没有?|取消|停掉?)[^,，。;；]{{0,8}}{_TAUGHT}"
    rf"|{_TAUGHT}[^,，。;；]{{0,12}}(?:不用?上|停(?!留)|取消|[去翘]掉|放假|没有?了|没有?$)"
    rf"|\b(?:no|cancel|drop|skip|ditch|call off)(?: more)?(?: my| our| the)? {_TAUGHT}"
    rf"|(?:\bnot|n't) (?:have|having|got)(?: any| our| my)? {_TAUGHT}"
    rf"|{_TAUGHT}\b.*(?:\b(?:is|are|was|were|been|gets?|got|will be)|'s)(?: just| now)? (?:off|cancell?ed|called off"
    rf"|dropped|scrapped)\b"
    rf"|{_TAUGHT}\b.*(?:\bnot|n't) (?:be |being )?(?:tak(?:e|ing) place|held|happen\w*|meet\w*|on\b|given)"
)
"""That a lesson of that name is not held."""
_NO_LESSON = re.compile(
    r"考|截止|作业|答辩|测验|ddl|\b(?:exams?|midterms?|finals?|quiz\w*|tests?|homework|deadlines?|due|assignments?)\b"
)
"""What has a room, and is called off, and is no lesson."""
_CLAUSE = re.compile(r"[,，。;；]\s*|\.\s+")
_SHORT = 40


def tell_lesson_off(brief: Brief) -> str:
    """Where a lesson that is off is noted, for a message that only tells of one; empty for others. `brief` has the
    student's own words."""
    return brief.say(*COURSES_FIXED) if tells_lesson_off(brief.view["message"], brief) else ""


def tells_lesson_off(said: str, brief: Brief) -> bool:
    """Whether a message only tells that a lesson of the timetable is off, or is in another room."""
    text = fold_text(said)
    clauses = [one for one in _CLAUSE.split(text) if one.strip()]
    off = [one for one in clauses if _is_off(one, brief)]
    others = [one for one in clauses if one not in off]
    if not off and len(text) < _SHORT and _is_off(_CLAUSE.sub(" ", text), brief):
        off, others = clauses, []  # the name of a lesson and what becomes of it were taken for two clauses
    if not off or asks_whether(said) or Features(said, brief).asks:
        return False
    if read_supposition(said, brief) is not None or only_supposes(said, brief):
        return False
    return not wants_more(others, brief)


def _is_off(clause: str, brief: Brief) -> bool:
    """Whether a folded clause tells of a lesson: of what happens to lessons alone, or of a subject at the day of a
    lesson while no class is named by more than this subject."""
    if _NO_LESSON.search(clause) or items_in(clause, brief, among=all_items(brief)):
        return False
    named = classes_in(clause, brief.classes)
    held_then = any(one.kind in ("weekday", "sections", "clock") for one in read_times(clause, brief.term))
    if _OF_LESSONS.search(clause) or (_IN_ROOM.search(clause) and not held_then):
        return bool(named) or says_subject(clause) or says_lesson(clause)
    if not _OFF.search(clause) or says_studied(clause):
        return False
    times = read_times(clause, brief.term)
    held = says_lesson(clause) or (any(map(_is_lesson_day, times)) if named else bool(times))
    return held and (not named or (is_meant_by_subject(clause, brief.classes) and not _speaks_of(named, brief)))


def _speaks_of(classes: list[int], brief: Brief) -> bool:
    """Whether the student's last words name one of these classes by more than what is taught."""
    said = next((turn["text"] for turn in reversed(brief.earlier) if turn["role"] == "user"), "")
    return bool({*classes} & {*classes_in(without_subjects(fold_text(said)), brief.classes)})


def _is_lesson_day(one: Time) -> bool:
    """Whether lessons may be held at a time: it tells of a day, and not of weekends alone."""
    days = one.weekdays or ((one.first.isoweekday(),) if one.first and one.last in (None, one.first) else ())
    return any(day <= 5 for day in days) or one.kind == "sections"
