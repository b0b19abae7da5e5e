"""A time that no calendar has: told and asked for, and the answer stands in its place."""

from __future__ import annotations

from agent.llm.offline.goals.decisions import Decision, ask
from agent.llm.offline.language.brief import NO_SUCH_TIME, Brief
from agent.llm.offline.language.meaning.intents import intent_of
from agent.llm.offline.language.spans.mentions import blank_names
from agent.llm.offline.language.spans.times.reading import find_impossible


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
