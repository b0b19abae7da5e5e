"""Which item comes next, of a class or of all: the first one that is still to come."""

from __future__ import annotations

import re

from agent.llm.offline.goals.questions.query import ASKS, find_owners
from agent.llm.offline.goals.questions.reads import item_lines, rows_in_time
from agent.llm.offline.goals.questions.suppositions.supposed import find_unplanned, tell_unplanned
from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.normalize import fold_text
from agent.llm.offline.language.spans.conditions.suppositions import ACTS
from agent.llm.offline.language.spans.mentions import items_in
from agent.llm.offline.language.spans.times.reading import read_times

_NEXT_ONE = re.compile(
    r"(?:下|接下来的?|最近的?)\s*[一1]?\s*[次回个项节门](?!周|月|星期|礼拜|学期)(?:什么|哪)?|下回|接下来最近"
    r"|\b(?:chapter|unit|lab|item|task|session|one|topic) (?:is|comes) next\b"
    r"|\bnext (?!up\b|few\b|couple\b|several\b|\d|two\b|three\b|four\b|five\b|term\b|semester\b)"
    r"(?!(?:\w+ ){0,2}(?:items|tasks|things|chapters|units|labs|sessions|days|weeks|topics)\b)(?=[a-z])"
)
"""That one item is asked for, not those of some time or so many of them."""
_SUBJECT = re.compile(
    r"任务|内容|学|复习|背|\b(?:session|chapter|unit|lab|item|task|thing|study(?:ing)?|topic|revision|stuff)\b"
)
_BEHIND = re.compile(r"之后|以后|后面|接着|\b(?:after|following|behind)\b")
"""What comes behind something that is named, not from now on."""


def answer_next(brief: Brief) -> str:
    """The first item still to come of the classes that are named, of all where none is; empty where the message asks
    anything else."""
    text = fold_text(brief.plain(brief.message))
    if not brief.classes or not _NEXT_ONE.search(text) or ACTS.search(text) or _BEHIND.search(text) or len(text) > 80:
        return ""
    asks = ASKS.search(text) or re.search(r"\bwhen\b|什么时候|几号", text) or text.startswith("next ")
    owners = find_owners(text, brief)[0]
    if not asks or not (owners or _SUBJECT.search(text)) or read_times(text, brief.term) or items_in(text, brief):
        return ""
    if owners and (unplanned := find_unplanned(brief, owners)):
        first = [row["items"][0]["content"] for row in brief.classes if row["id"] in unplanned[:1] and row["items"]]
        begins = brief.say("它从{item}开始。", " It begins with {item}.", item=first[0]) if first else ""
        return tell_unplanned(brief, unplanned) + begins
    ahead = [
        row for row in rows_in_time(brief.tasks)
        if brief.is_ahead(row) and row["mark"] != "done" and (not owners or row["class_id"] in owners)
    ]  # fmt: skip
    if not ahead:
        return brief.say("后面没有排好的内容。", "Nothing is planned from then on.")
    return "\n".join([brief.say("下一项是：", "The next one:"), *item_lines(brief, ahead[:1])])
