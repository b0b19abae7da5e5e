"""What the student has not begun yet is neither done nor missed: it is told where it stands, and nothing is marked."""

from __future__ import annotations

import re

from agent.llm.offline.goals.questions.reads import item_lines
from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.meaning.features import Features
from agent.llm.offline.language.normalize import fold_text
from agent.llm.offline.language.spans.items.mention_signs import find_mentioned
from agent.llm.offline.language.spans.mentions import classes_in, items_in
from agent.llm.offline.language.spans.targets import shift_in
from agent.loop.view_document import TaskView

_WANTED = ("move", "place", "place_bare", "build", "build_weakly", "build_loosely", "arrange", "swap", "remove",
           "reschedule", "delete", "pick_up", "finished", "partly", "unmark", "lighter", "whole_plan")  # fmt: skip
"""What is wanted or told besides, which is carried out."""
_STATES = re.compile(r"呢[。!！~～\s]*$")
"""At the end of 还没开始呢 no question."""

_NOT_YET = re.compile(r"还没有?[做学看背写弄](?![完到好])|\b(?:haven't|have not) (?:done|studied|touched)\b")


def not_begun_text(brief: Brief) -> str:
    """Where the items stand that a message only tells to be not begun; empty for any other message."""
    text, said = fold_text(brief.message), Features(brief.message, brief)
    asks = said.asks or says("asking", _STATES.sub("", text))
    if not (says("not_begun", text) or _NOT_YET.search(fold_text(brief.own_words))) or asks or said.timed:
        return ""
    if any(says(one, text) for one in _WANTED) or shift_in(text):
        return ""
    rows = find_mentioned(brief.message, brief) or items_in(brief.message, brief)
    owners = classes_in(brief.message, brief.classes) if not rows else []
    rows = rows or [row for row in brief.tasks if row["class_id"] in owners]
    if not rows or any(row["mark"] for row in rows):
        return ""
    if not says("not_begun", text) and not all(map(brief.is_ahead, rows)):
        return ""  # what has passed and is not done was missed
    head = brief.say("还没开始，就不用标记，什么都没有改：", "Not begun is no mark, so nothing was changed:")
    return "\n".join([head, *item_lines(brief, rows), _ways_on(brief, rows)])


def _ways_on(brief: Brief, rows: list[TaskView]) -> str:
    """What can be done now: another time for what lies ahead, a new one for what has passed, one for what has none."""
    now = (brief.now["week"], brief.now["day_of_week"], brief.now["section"])
    name = rows[0]["name"]
    if not all(row["slot"] for row in rows):
        told = ("要给它找时间，请说「把{name}随便放个位置」。", 'To give it a time, say "put {name} anywhere".')
        return brief.say(*told, name=name)
    past = [row for row in rows if (s := row["slot"]) and (s["week"], s["day_of_week"], s["slot_end"]) <= now]
    if past:
        return brief.say(
            "时间已经过了的，请说「{name}没做」，我另排时间。",
            'For what has passed, say "I missed {name}" and I find another time.',
            name=past[0]["name"],
        )
    return brief.say("想换个时间，请说移到哪里。", "To have it at another time, say where to move it.")
