"""Questions about lessons by their names, which only the timetable knows: English on Friday? 高数一周几节课."""

from __future__ import annotations

import re
from itertools import pairwise

from agent.llm.offline.goals.decisions import Decision, call, give_up
from agent.llm.offline.goals.questions.inquiry import WEEK_DAYS, Inquiry, asked_in
from agent.llm.offline.goals.questions.query import ASKS
from agent.llm.offline.goals.questions.query_answers import answer_query
from agent.llm.offline.goals.questions.timetable import NAME, day_of, sections_text
from agent.llm.offline.language.brief import Brief, Json
from agent.llm.offline.language.meaning.whether import asks_whether
from agent.llm.offline.language.normalize import fold_text
from agent.llm.offline.language.spans.conditions.suppositions import ACTS
from agent.llm.offline.language.spans.mentions import classes_in, items_in
from agent.llm.offline.language.texts import dated_text, run_text

LESSONS = "lessons"
_LESSON = re.compile(r"课(?!时)|\b(?:lessons?|lectures?|class(?:es)?)\b")
_BY_NAME = re.compile(
    r"[几多少]节[^,，。;；]{0,4}课(?!时)|几节(?:的)?[^,，。;；?？任内要学]{2,5}\s*[?？]?$|有(?!没|别的|其[他它余])[^,，。;；有什么哪几多空时事排项]{2,5}(?:课)?[吗么]|有没有[^,，。;；什么哪几多]{2,5}课"
    r"|\b(?:do|did|will|don't) i (?:still )?have (?:any |a |an )?[a-z]+(?: (?:class|lesson|lecture)(?:es"
    r"|s)?)? (?:on|this|next|tomorrow"
    r"|today|in)\b|\bhow many (?:[a-z]+ )?(?:lessons|lectures)\b"
)
_ITEMS = re.compile(
    r"任务|内容|单词|词汇|复习|背|章|单元|实验|\b(?:items?|tasks?|units?|chapters?|labs?|words?|revision|vocab"
    r"|study)\b"
)


def asks_about_lessons(brief: Brief) -> bool:
    """Whether lessons may be asked about by their names."""
    text = fold_text(brief.plain(brief.message))
    known = any(fold_text(brief.names_of([one])).strip("「」") in text for one in classes_in(text, brief.classes))
    plain = ASKS.search(text) and _BY_NAME.search(text) and not (_ITEMS.search(text) or ACTS.search(text) or known)
    told = _LESSON.search(text) or asked_in(text, brief).timed
    return bool(plain and told) and not items_in(text, brief)


def answer_lessons(brief: Brief) -> Decision | None:
    """The look-up of the timetable, then when such lessons are; what else is known where it has none of that name."""
    if not asks_about_lessons(brief):
        return None
    asked = _days(brief)
    first, last = (
        brief.term.week_day(day)[0] for day in (asked.first or brief.term.today, asked.last or brief.term.today)
    )
    wanted = {"week_from": max(1, first), "week_to": min(brief.term.weeks, last)}
    done = next((row for row in brief.results if row["tool"] == NAME and row["arguments"] == wanted), None)
    if done is None:
        return call(brief, NAME, wanted)
    told = _tell(brief, asked, done["data"] or {"days": []})
    return give_up(LESSONS, told) if told else None


def _days(brief: Brief) -> Inquiry:
    """The days that are asked about, this week where none are."""
    asked, term = asked_in(brief.message, brief), brief.term
    week = (term.day(term.week, 1), term.day(term.week, WEEK_DAYS))
    return asked if asked.runs else Inquiry((week,), asked.hours)


def _tell(brief: Brief, asked: Inquiry, data: Json) -> str:
    text = fold_text(brief.plain(brief.message))
    days = [(day, row) for row in data["days"] if asked.has_day(day := day_of(brief, row))]
    lessons = [(day, one) for day, row in days for one in row["entries"] if one["status"] == "fixed"]
    found = [(day, one) for day, one in lessons if asked.meets(one["slot_start"], one["slot_end"])]
    every = {one["name"] for row in data["days"] for one in row["entries"] if one["status"] == "fixed"}
    named = {name for name in every if is_named(fold_text(name), text)}
    meant = [(day, one) for day, one in found if not named or one["name"] in named]
    when = brief.say("、", ", ").join(run_text(brief, *run) for run in asked.runs[:3])
    if not named and not _LESSON.search(text):
        return answer_query(brief)
    what = brief.say("、", ", ").join(sorted(named)) or brief.say("课", "lesson")
    if not meant:
        others = brief.say("、", ", ").join(_line(brief, one) for _, one in found)
        told = brief.say("没有，{when}没有{what}。", "No, there is no {what} ({when}).", when=when, what=what)
        return told + (brief.say("那时候的课：{o}。", " The lessons then: {o}.", o=others) if others else "")
    sections = sum(one["slot_end"] - one["slot_start"] + 1 for _, one in meant)
    lead = brief.say("有，", "Yes: ") if asks_whether(text) else ""
    head = ("{lead}{when}{what}一共 {n} 次，{m} 节：", "{lead}{of}{n} lessons, {m} sections ({when}):")
    values = {"lead": lead, "when": when, "what": what, "of": f"{what}: " if named else ""}
    lines = [f"{dated_text(brief, *brief.term.week_day(day))} {_line(brief, one)}" for day, one in meant[:21]]
    return "\n".join([brief.say(*head, **values, n=len(meant), m=sections), *lines])


def _line(brief: Brief, one: Json) -> str:
    return f"{sections_text(brief, one['slot_start'], one['slot_end'])} {one['name']}"


def is_named(name: str, text: str) -> bool:
    """Whether a lesson is said by its name, by the beginning of a word of it (calc), or by two of its characters in
    their order: 高数 for 高等数学."""
    said = [word for word in re.findall(r"[a-z]+", text) if len(word) > 3]
    if name in text or any(one.startswith(word) for one in name.split() for word in said):
        return True
    pairs = (a + b for a, b in pairwise(text) if "一" <= a <= "鿿" and "一" <= b <= "鿿")
    return any(one[0] in name and one[1] in name[name.index(one[0]) + 1 :] for one in pairs)
