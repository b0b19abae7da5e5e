"""Lessons in a request about items: the days of one are looked up, then the request is read with the weekdays they are;
of a course that is to move as if it were an item it is told that courses are fixed."""

from __future__ import annotations

import re
from dataclasses import replace

from agent.llm.offline.goals.decisions import Decision, call, give_up
from agent.llm.offline.goals.items.extreme_day import TIMETABLE
from agent.llm.offline.goals.questions.lessons.lesson_questions import is_named
from agent.llm.offline.language.brief import Brief, Json
from agent.llm.offline.language.meaning.ellipsis import strip_known, unknown_name
from agent.llm.offline.language.normalize import fold_text
from agent.llm.offline.language.spans.conditions.limit_forms import ONCE
from agent.llm.offline.language.spans.mentions import items_in
from agent.llm.offline.language.spans.times.semester import weekday_names

_SAID = re.compile(
    r"有(?P<zh>[^,，。;；有没]{2,10}?)课?的(?:那?[一1]?天|日子|那?几天)"
    r"|\b(?:on )?(?:the )?days? (?:with|when i have|i have) (?:a |an |my |the )?(?P<en>[a-z][a-z &]{1,28}?)"
    r" (?:lesson|lecture|class)(?:es|s)?\b"
)
_WEEKS = 3
"""So many weeks behind this one are looked at: a lesson comes each week."""


def find_lesson_days(brief: Brief) -> re.Match[str] | None:
    """The days of a lesson that a condition for this plan alone names; None where it names none."""
    text = fold_text(brief.request)
    return _SAID.search(text) if ONCE.search(text) else None


def _weeks(brief: Brief) -> dict[str, int]:
    return {"week_from": max(1, brief.term.week), "week_to": min(brief.term.weeks, brief.term.week + _WEEKS)}


def look_up_lesson_days(brief: Brief) -> Decision | None:
    """The look-up of the timetable, and that it has no such lesson; None where no such days are meant."""
    said = find_lesson_days(brief)
    if said is None:
        return None
    if _looked_up(brief) is None:
        return call(brief, TIMETABLE, _weeks(brief))
    told = brief.say(
        "课表里没有叫「{name}」的课，什么都没有改。",
        'There is no lesson called "{name}" in the timetable; nothing was changed.',
        name=said["zh"] or said["en"],
    )
    return give_up("no_lesson", told)


def with_lesson_days(brief: Brief) -> Brief:
    """The brief with the weekdays of a lesson in the place of its days, once the timetable was looked up."""
    said, data = find_lesson_days(brief), _looked_up(brief)
    if said is None or data is None:
        return brief
    name = said["zh"] or said["en"]
    days = {
        brief.day_of(row).isoweekday()
        for row in data["days"]
        for one in row["entries"]
        if one["status"] == "fixed" and is_named(fold_text(one["name"]), name)
    }
    if not days:
        return brief
    text = fold_text(brief.request)
    named = weekday_names(sorted(days), "zh" if said["zh"] else "en")
    listed = "、".join(named) if said["zh"] else "on " + " and ".join(name[:-1] for name in named)
    return replace(brief, completed=text[: said.start()] + listed + text[said.end() :])


def _looked_up(brief: Brief) -> Json | None:
    weeks = _weeks(brief)
    found = (one for one in brief.results if one["tool"] == TIMETABLE and weeks.items() <= one["arguments"].items())
    return next((one["data"] for one in found if one["status"] == "done"), None)


_FEW = 2
"""Letters that are too few for a name."""


def find_course(brief: Brief) -> Decision | None:
    """That what is to change is a course, which is fixed, or the look-up that tells so; None for no course."""
    said = strip_known(brief.request, brief)
    if sum(char.isalnum() for char in said) < _FEW or unknown_name(brief.request) or items_in(brief.request, brief):
        return None
    weeks = _weeks(brief)
    done = next((row for row in brief.results if (row["tool"], row["arguments"]) == (TIMETABLE, weeks)), None)
    if done is None:
        return call(brief, TIMETABLE, weeks)
    entries = (one for row in (done["data"] or {}).get("days") or () for one in row["entries"])
    names = sorted({one["name"] for one in entries if one["status"] == "fixed"})
    name = next((name for name in names if is_named(name.lower(), said)), "")
    told = brief.say(
        "「{name}」是课表里的课程，课程是固定的，整门课要改请在课表页面的「调课、假期与考试」里修改，这里什么都没有改。"
        "只调某一次课的话，请说哪天的那次调到哪天第几节。",
        "{name} is a course of the timetable. Courses are fixed: change one as a whole on the timetable page; nothing "
        "was changed here. To move a single lesson, say which day's goes to which day and sections.",
        name=name,
    )
    return give_up("fixed_entry", told) if name else None
