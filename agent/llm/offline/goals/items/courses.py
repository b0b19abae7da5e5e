"""A course of the timetable that is to move as if it were an item: only the timetable knows its name."""

from __future__ import annotations

from agent.llm.offline.goals.decisions import Decision, call, give_up
from agent.llm.offline.goals.items.extreme_day import TIMETABLE
from agent.llm.offline.goals.questions.lessons.lesson_questions import is_named
from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.meaning.ellipsis import strip_known, unknown_name
from agent.llm.offline.language.spans.mentions import items_in

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
