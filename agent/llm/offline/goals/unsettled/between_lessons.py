"""Hours in which no section lies, as those at noon: nothing is ever planned then, which is told; the rest is read."""

from __future__ import annotations

import re
from itertools import chain

from agent.llm.offline.goals.decisions import Decision, ask
from agent.llm.offline.goals.unsettled.beyond import wants_more
from agent.llm.offline.language.brief import NO_SUCH_TIME, Brief
from agent.llm.offline.language.meaning.intents import intent_of
from agent.llm.offline.language.spans.mentions import blank_names
from agent.llm.offline.language.spans.times.hours import AT_NOON, frees_noon, noon_pause
from agent.llm.offline.language.spans.times.reading import find_empty_hours, find_impossible, read_times
from agent.loop.view_document import View

_CLAUSE = re.compile(r"[,，。;；!！]\s*|\.(?:\s+|$)")
_TOLD = (
    "{hours} 没有课节，这段时间本来就不会排任务{end}",
    "No section lies in {hours}, so nothing is ever planned then{end}",
)


def tell_between_lessons(brief: Brief) -> tuple[str, bool]:
    """That no section lies in the hours that a message names, and whether it wants nothing else; empty where it names
    none. `brief` has the student's own words."""
    clauses = [one for one in _CLAUSE.split(brief.view["message"]) if one.strip()]
    mine = {one: hours for one in clauses if (hours := _find_hours(one, brief))}
    both = [] if mine or len(clauses) != _HOUR_AND_LENGTH else _find_hours(brief.view["message"], brief)
    mine = dict.fromkeys(clauses, both) if both else mine
    if not mine:
        return "", False
    others = [one for one in clauses if one not in mine]
    puts = not both and any(intent_of(one, brief) in ("move", "place") for one in mine)
    alone = not puts and not wants_more(others, brief)
    named = brief.say("、", ", ").join(f"{first}–{last}" for first, last in dict.fromkeys(chain(*mine.values())))
    ends = ("；什么都没有改。", ". Nothing was changed.") if alone else ("。", ".")
    return brief.say(*_TOLD, hours=named, end=brief.say(*ends)), alone


_HOUR_AND_LENGTH = 2
"""Clauses of which one tells when something begins, and the other how long it takes."""


def without_empty_hours(view: View) -> View:
    """A view without the clauses that only name hours in which no section lies, where the student said more."""
    brief = Brief(view)
    said = {turn["text"] for turn in view["dialogue"] if turn["role"] == "user"} | {view["message"], view["request"]}
    cut = {text: rest for text in said if (rest := _cut(text, brief)) != text}
    if not cut:
        return view
    return {
        **view,
        "message": cut.get(view["message"], view["message"]),
        "request": cut.get(view["request"], view["request"]),
        "turns": [{**turn, "text": cut.get(turn["text"], turn["text"])} for turn in view["turns"]],
        "dialogue": [{**turn, "text": cut.get(turn["text"], turn["text"])} for turn in view["dialogue"]],
    }


def _cut(text: str, brief: Brief) -> str:
    clauses = [one for one in _CLAUSE.split(text) if one.strip()]
    rest = [one for one in clauses if not _find_hours(one, brief)]
    joint = ", " if text.isascii() else "，"
    text = joint.join(rest) if 0 < len(rest) < len(clauses) else text
    return AT_NOON.sub("", text) if _is_at_noon(text, brief) else text


def _is_at_noon(text: str, brief: Brief) -> bool:
    """Whether a text names the pause at noon, and no other time of the day."""
    if noon_pause(brief.term) is None or not AT_NOON.search(text):
        return False
    return not any(one.kind in ("clock", "sections", "part") for one in read_times(AT_NOON.sub("", text), brief.term))


_HOUR = re.compile(r"\d|点|noon")


def _find_hours(clause: str, brief: Brief) -> list[tuple[str, str]]:
    """The hours of a clause in which no section lies, the pause at noon where that is wanted free."""
    found = find_empty_hours(brief.read_words(clause), brief.term) if _HOUR.search(clause) else []
    pause = noon_pause(brief.term)
    if found or pause is None or not (frees_noon(clause, brief.term) or _is_at_noon(clause, brief)):
        return found
    return [(_clock(pause[0]), _clock(pause[1]))]


def _clock(minutes: int) -> str:
    return f"{minutes // 60:02}:{minutes % 60:02}"


def ask_for_possible_time(brief: Brief) -> Decision | None:
    """没有4月31日，是什么时候？ Before anything is looked up or written."""
    kind, said = no_such_time(brief, brief.turns[-1])
    if not said or brief.changes:
        return None
    told = brief.say(*_WHY.get(kind, _WHY["day"]), said=said, weeks=brief.term.weeks, sections=brief.term.sections)
    return ask(brief, NO_SUCH_TIME, told, said=said)


_WHY = {
    "day": ("没有「{said}」这个时间。你指的是什么时候？", 'There is no "{said}". When do you mean?'),
    "week": (
        "没有「{said}」，这学期有 {weeks} 周。你指的是什么时候？",
        'There is no "{said}": the semester has {weeks} weeks. When do you mean?',
    ),
    "sections": (
        "没有「{said}」，每天有 {sections} 节。你指的是第几节？",
        'There is no "{said}": a day has {sections} sections. Which ones do you mean?',
    ),
}


def no_such_time(brief: Brief, turn: str) -> tuple[str, str]:
    """Kind and words of the first time in a turn that does not exist; empty for none. A lesson of a class is one."""
    names = [row["name"] for row in brief.classes] + [row["name"] for row in brief.tasks]
    found = find_impossible(blank_names(turn, names), brief.term)
    lessons = intent_of(brief.request, brief) == "class"
    return next(((kind, said) for kind, said in found if not (lessons and kind == "sections")), ("", ""))
