"""Whether all is learnt before an exam that is told; what would be late, and how it comes before it.

Where the student says that what is late is to be brought forward, that is done: the class ends on the day before.
"""

from __future__ import annotations

from datetime import timedelta

from agent.llm.offline.goals.decisions import Decision, call, finish, give_up
from agent.llm.offline.goals.questions.reads import item_lines, rows_in_time
from agent.llm.offline.goals.questions.suppositions.supposed import dated_day, items_text, named_classes
from agent.llm.offline.goals.questions.suppositions.what_if import MADE, WHAT_IF, end_earlier
from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.normalize import fold_text
from agent.llm.offline.language.spans.classes.exam_days import read_exam_ahead
from agent.llm.offline.language.spans.conditions.suppositions import Supposition

_REPLAN = "replan"


def answer_exam_ahead(brief: Brief) -> Decision | None:
    """The next step of the answer, or the answer; None where no exam is asked about."""
    found = read_exam_ahead(brief.request, brief)
    if found is None or not (brief.tasks or brief.classes):
        return None
    if (ended := _end_of_move(brief)) is not None:
        return ended
    last, text = found.day - timedelta(days=1), fold_text(brief.plain(brief.request))
    rows = named_classes(brief, text)
    own = [row for row in brief.tasks if len(rows) == 1 and row["class_id"] == rows[0]["id"]]
    late = [row for row in rows_in_time(own) if (slot := row["slot"]) and brief.day_of(slot) > last]
    if not late or not found.moves_up:
        told = end_earlier(brief, Supposition("deadline", text, text), last=last)
        return told if isinstance(told, dict) else give_up(WHAT_IF, f"{told}\n{brief.say(*MADE)}")
    told = brief.say(
        "照现在的安排来不及，{n} 项排在{until}之后：",
        "Not in time as it stands, {items} after {until}:",
        n=len(late),
        items=items_text(len(late)),
        until=dated_day(brief, last),
    )
    asks = {"kind": "deadline", "task_class_id": rows[0]["id"], "date": last.isoformat()}
    return call(brief, _REPLAN, asks, speak="\n".join([told, *item_lines(brief, late)]))


def _end_of_move(brief: Brief) -> Decision | None:
    """The end of a goal that brought forward what was late; None while it has not."""
    moved = [row for row in brief.results if row["tool"] == _REPLAN]
    if moved and moved[-1]["status"] == "done":
        return finish(brief, f"{_REPLAN}: done")
    if brief.last_answer("tool", "reject") is not None:
        return give_up("kept", brief.say("好的，保持不变，什么都没有改。", "All right, nothing was changed."))
    told = ("前面放不下，什么都没有改。", "There is no room for it before that; nothing was changed.")
    return give_up("no_place", brief.say(*told)) if moved else None
