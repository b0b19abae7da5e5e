"""When a lesson begins and ends by the clock: the one that is named, or that was spoken of just before."""

from __future__ import annotations

import re
from datetime import date, timedelta

from agent.llm.offline.goals.decisions import Decision, call, give_up
from agent.llm.offline.goals.explain import end_text
from agent.llm.offline.goals.questions.inquiry import Inquiry, asked_in
from agent.llm.offline.goals.questions.lessons.lesson_questions import LESSONS, asks_about_lessons, is_named
from agent.llm.offline.goals.questions.lessons.rows import clock_times
from agent.llm.offline.goals.questions.query_answers import answer_query
from agent.llm.offline.goals.questions.timetable import NAME, sections_text
from agent.llm.offline.language.brief import Brief, Json
from agent.llm.offline.language.normalize import fold_text
from agent.llm.offline.language.spans.mentions import all_items, items_in, said_names
from agent.llm.offline.language.spans.times.reading import read_times
from agent.llm.offline.language.texts import dated_text

_MOST = 5
"""Lessons of one answer."""
_HOURS = re.compile(
    r"(?:几点|什么时候|啥时候|何时|多久|多长时间|几分)[^,，。;；]{0,6}(?:下课|结束|上完|放学|完|散)|上到几点|到几点"
    r"|几点(?:上|有课|开始|下)|[课节](?:是|在|大概)?几点|节(?:什么|啥)时候[上开]"
    r"|(?:上|持续)(?:多久|多长)"
    r"|\b(?:when|what time|how late|how long)\b[^,.;?]{0,40}\b(?:ends?|finish(?:es)?|over|out|done|last|go on|begins?"
    r"|starts?)\b|\bwhat time (?:is|are|do i have) (?:my |the |our )?[a-z]+ (?:lessons?|lectures?|class(?:es)?)\b"
    r"|\b(?:when|what time)(?: is|'s| are)? (?:section|period)s? \d"
    r"|\b(?:till|until) (?:when|what time)\b[^,.;?]{0,30}\b(?:go|last|be|is|it)\b"
)
_OF_PLAN = re.compile(
    r"全部|所有|计划|学完|复习|做完|任务|考|\b(?:i|we|i'll|we'll|plan|everything|all|studying|exam|deadline|term"
    r"|semester)\b"
)
"""What is asked for the end of the plan, not of a lesson."""


def asks_lesson_hours(brief: Brief) -> bool:
    """Whether it may be asked when a lesson begins or ends."""
    text = fold_text(brief.plain(brief.message))
    known = items_in(text, brief, among=all_items(brief)) or said_names(text, brief)
    return _HOURS.search(text) is not None and not known and _OF_PLAN.search(text) is None


def answer_lesson_hours(brief: Brief) -> Decision | None:
    """The look-up of the timetable, then the hours of the lesson; what else is known where no lesson is meant."""
    if not asks_lesson_hours(brief):
        return None
    asked = _days_asked(brief)
    first, last = (brief.term.week_day(day)[0] for day in (asked.first, asked.last) if day)
    wanted = {"week_from": max(1, first), "week_to": min(brief.term.weeks, last)}
    done = next((row for row in brief.results if row["tool"] == NAME and row["arguments"] == wanted), None)
    if done is None:
        return call(brief, NAME, wanted)
    told = _tell(brief, asked, done["data"] or {"days": []})
    if not told and asks_about_lessons(brief):
        return None
    return give_up(LESSONS, told or answer_query(brief) or end_text(brief))


def _texts(brief: Brief) -> list[str]:
    """The question and the student's words before it."""
    before = [turn["text"] for turn in brief.earlier if turn["role"] == "user"]
    said = [*before, *brief.turns[:-1]][-1:]
    return [fold_text(text) for text in (_typed(brief), *said)]


def _typed(brief: Brief) -> str:
    """The student's own words, before what they point to was told by items."""
    return brief.turns[-1] if len(brief.view["turns"]) > 1 else brief.view["request"]


def _days_asked(brief: Brief) -> Inquiry:
    """The days of the question, of the words before it where it tells none, else the week from today on."""
    timed = (text for text in _texts(brief) if read_times(text, brief.term))
    found = next((asked for text in timed if (asked := asked_in(text, brief)).runs), None)
    today = brief.term.today
    return found or Inquiry(((today, min(today + timedelta(days=6), brief.term.last_day)),))


def _tell(brief: Brief, asked: Inquiry, data: Json) -> str:
    """The lessons of the name that was said last, with their hours; empty where no lesson was named."""
    lessons = [
        (day, one)
        for row in data["days"]
        for one in row["entries"]
        if one["status"] == "fixed" and asked.has_day(day := brief.day_of(row))
    ]
    names = {one["name"] for row in data["days"] for one in row["entries"] if one["status"] == "fixed"}
    if not any(is_named(fold_text(name), _texts(brief)[0]) for name in names) and (told := _tell_sections(brief)):
        return told
    meant: set[str] = set()
    for text in _texts(brief):
        meant = meant or {name for name in names if is_named(fold_text(name), text)}
    found = [(day, one) for day, one in lessons if one["name"] in meant]
    if meant and not found:
        what = brief.say("、", ", ").join(sorted(meant))
        return brief.say("那时候没有{what}。", "There is no {what} then.", what=what)
    return "\n".join(_line(brief, day, one) for day, one in found[:_MOST])


def _tell_sections(brief: Brief) -> str:
    """When sections begin and end by the clock, where these alone are asked about."""
    times, known = read_times(_typed(brief), brief.term), len(brief.term.starts)
    runs = [(run[0], run[1] or run[0]) for one in times if one.kind == "sections" and (run := one.sections)]
    if len(runs) < len(times) or not all(last <= known for _, last in runs):
        return ""
    told = ("第{at}节：{begin} 开始，{end} 结束。", "Section {at}: from {begin} to {end}.")
    hours = [(f"{first}-{last}" if last > first else first, *clock_times(brief, first, last)) for first, last in runs]
    return "\n".join(brief.say(*told, at=at, begin=begin, end=end) for at, begin, end in hours)


def _line(brief: Brief, day: date, one: Json) -> str:
    first, last = one["slot_start"], one["slot_end"]
    begin, end = clock_times(brief, first, last)
    where = f"{dated_text(brief, *brief.term.week_day(day))} {sections_text(brief, first, last)} {one['name']}"
    told = ("{where}：{begin} 开始，{end} 结束。", "{where}: from {begin} to {end}.")
    return brief.say(*told, where=where, begin=begin, end=end)
