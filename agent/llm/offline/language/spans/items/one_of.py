"""One of several items that a request names, and not which: move matrices or determinants."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.dialogue.slots import find_spans
from agent.llm.offline.language.normalize import fold_text
from agent.llm.offline.language.remember import remember_of_plan
from agent.llm.offline.language.spans.mentions import items_in
from agent.loop.view_document import TaskView

_OR = re.compile(r"\s+or\s+|\s*或\s*")
_LISTED = re.compile(r"\s*[,，、]\s*")
_NOT = re.compile(r"不|别|\b(?:not|don't|without|nor|neither|except|whether)\b")


def name_alternatives(rows: Sequence[TaskView], brief: Brief) -> str:
    """The names of items of which one is meant."""
    names = [row["name"] for row in rows]
    first = [brief.say("、", ", ").join(names[:-1])] if len(names) > 1 else []
    return brief.say("或", " or ").join([*first, names[-1]])


@remember_of_plan
def find_alternatives(message: str, brief: Brief) -> tuple[tuple[TaskView, ...], str]:
    """The items of which a message means one, and its words for them; none where it names no such choice."""
    text = fold_text(message).replace("或者", "或")
    for one in find_spans(text, brief):
        said = text[one.start : one.end]
        if one.kind != "item" or not _OR.search(said) or _NOT.search(text[: one.start]):
            continue
        pieces = [piece for part in _OR.split(said) for piece in _LISTED.split(part) if piece]
        found = [items_in(piece, brief) for piece in pieces]
        if len(found) > 1 and all(len(rows) == 1 for rows in found):
            return tuple({rows[0]["state_id"]: rows[0] for rows in found}.values()), said
    return (), ""
