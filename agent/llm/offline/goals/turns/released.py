"""Days that were just written as kept free, of which some are free for study after all: I'm back on the 29th already.

What is written of days stands on the timetable page, where it is taken back: no tool opens a day of it, nor one of a
rule of every week.
"""

from __future__ import annotations

import re
from datetime import date, timedelta

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.dialogue.revision.open_after_all import is_written, spell_once
from agent.llm.offline.language.dialogue.tracking import DialogueState
from agent.llm.offline.language.meaning.features import Features
from agent.llm.offline.language.meaning.intents import intent_of
from agent.llm.offline.language.meaning.standing_rules import excluded_of, read_closed
from agent.llm.offline.language.meaning.whether import asks_whether
from agent.llm.offline.language.normalize import fold_text
from agent.llm.offline.language.spans.happenings import Days, days_in
from agent.llm.offline.language.spans.mentions import classes_in, items_in
from agent.llm.offline.language.spans.times.reading import read_times
from agent.llm.offline.language.spans.times.semester import weekday_names
from agent.llm.offline.language.texts import date_text, find_written

NOT_RELEASED = (
    "{days}刚才记成了空出，单独放开其中几天我做不到，什么都没有改。请在课表的「调课、假期与考试」里删掉那一条，"
    "再告诉我哪几天仍然没空；要放到那天的任务，之后请说移到哪天。",
    "{days} was written as kept free a moment ago, and I cannot open some of these days alone; nothing was changed. "
    'Please delete the note on the timetable page under "Changes, days off and exams", then tell me the days on which '
    "you are still away; to have an item on a day that is free again, say which one goes there.",
)
STILL_NOTED = (
    "{days}刚才记成的空出还在，我不能放开；请在课表的「调课、假期与考试」里删掉那一条，那天才会再用上。",
    "The note that keeps {days} free stays, I cannot take it away; please delete it on the timetable page under "
    '"Changes, days off and exams" to have that time again.',
)
STILL_WEEKLY = (
    "{names}每一周都把那段时间空着，单独放开某一天我做不到，什么都没有改。要每周都放开，请说「{days}又可以排」；之后只要现在的计划避开"
    "其余的日子，可以说「{once}」。",
    "{names}: that time stays free every week, and I cannot open a single day of it; nothing was changed. To open it "
    'every week say "{days} are fine again"; to keep the other days of the plan as it is free then, say "{once}".',
)
_FREE_AGAIN = re.compile(
    r"可以|[又也]行|行了|能[学排用干]|有空|回来|到家|回校|在家|不用空|提前"
    r"|\b(?:fine|okay?|free|usable|possible|works?|available|back|home|return"
    r"|can (?:study|work|use|do)|no need|already)\b"
)
"""What tells of a time that it may be used."""


def release_text(brief: Brief) -> str:
    """That days which were just kept free cannot be opened by words, and how they are; empty for other messages, and
    where other days are told to be kept free instead."""
    kept, opened, others = _find_released(brief)
    told = brief.say(*NOT_RELEASED, days=_tell(kept, brief)) if opened and not others else ""
    return told or _tell_still_weekly(brief)


def _tell_still_weekly(brief: Brief) -> str:
    """That a day of what classes were just told to leave free every week cannot be opened alone."""
    said, request = brief.spoken.get(brief.last_said, brief.last_said), DialogueState(brief).request
    once = spell_once(said, request, brief) if request and is_written(request, brief) else ""
    if not once:
        return ""
    closed = read_closed(request, brief)
    names = brief.names_of([row["id"] for row in brief.classes if closed <= excluded_of(row, brief.term)])
    days = brief.say("、", " and ").join(weekday_names(sorted({one for one, _ in closed}), brief.language))
    return brief.say(*STILL_WEEKLY, names=names, days=days, once=once)


def tell_still_noted(brief: Brief) -> str:
    """That days which were just kept free stay noted, where others are to be free instead; empty for other messages."""
    _, opened, others = _find_released(brief)
    return brief.say(*STILL_NOTED, days=_tell([Days(opened[0], opened[-1])], brief)) if opened and others else ""


def _tell(kept: list[Days], brief: Brief) -> str:
    first, last = kept[0].first, kept[-1].last
    return brief.say("到", " to ").join(date_text(brief, day) for day in dict.fromkeys((first, last)))


def _find_released(brief: Brief) -> tuple[list[Days], list[date], bool]:
    """The days that were just kept free, those of them that a message opens, and whether it tells of others too."""
    asks = asks_whether(brief.last_said) or Features(brief.view["request"], brief).asks
    if "replan" not in find_written(brief) or asks:
        return [], [], False
    message = brief.read_words(brief.spoken.get(brief.last_said, brief.last_said))
    message = re.sub(r"\bafter all\b", "", message)  # the one "all" that means no classes
    if not _FREE_AGAIN.search(fold_text(message)) or items_in(message, brief) or classes_in(message, brief.classes):
        return [], [], False
    state = DialogueState(brief)
    kept = days_in(state.request, brief.term) if intent_of(state.request, brief) == "replan" else []
    times = read_times(message, brief.term)
    said = [one.first for one in times if one.kind == "day" and one.first]
    if weekdays := {day for one in times if one.kind == "weekday" and not one.week for day in one.weekdays}:
        held = [run.first + timedelta(days=at) for run in kept for at in range((run.last - run.first).days + 1)]
        said += [day for day in held if day.isoweekday() in weekdays]
    opened = [day for day in said if any(run.first <= day <= run.last for run in kept)]
    others = len(opened) < len(said)
    if others:  # those of them that are not among what the message wants free
        wanted = days_in(message, brief.term)
        opened = [day for day in opened if not any(run.first <= day <= run.last for run in wanted)]
    return kept, opened, others
