"""A change of one of several items that the request names: asked which, and never made for all of them."""

from __future__ import annotations

from dataclasses import replace

from agent.llm.offline.goals.decisions import Decision
from agent.llm.offline.goals.items.item_texts import ask_which_item
from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.dialogue.entities import name_of
from agent.llm.offline.language.meaning.ellipsis import leaves_it_open
from agent.llm.offline.language.meaning.intents import OPERATIONS, intent_of
from agent.llm.offline.language.normalize import fold_text
from agent.llm.offline.language.spans.items.one_of import find_alternatives
from agent.llm.offline.language.spans.mentions import choice_in, items_in
from agent.llm.offline.language.spans.targets import target_in
from agent.loop.view_document import GoalTurnView, TaskView

TOPIC = "item_of_several"
_OF_ONE = (*(one for one in OPERATIONS if one != "swap"), "class", "mark")
"""What may be wanted of one item."""


def ask_which_of(brief: Brief) -> Decision | None:
    """The question which of the items that a request leaves open is meant."""
    rows, _ = find_alternatives(brief.request, brief)
    if not rows or intent_of(brief.request, brief) not in _OF_ONE:
        return None
    return ask_which_item(brief, TOPIC, rows)


def choose_one_of(brief: Brief) -> Brief:
    """The brief with the item that the student chose when asked, in the place of those that the request left open."""
    turns = brief.view["turns"]
    asked = any(row["topic"] == TOPIC for row in brief.asked)
    rows, said = find_alternatives(brief.request, brief) if asked and len(turns) > 1 else ((), "")
    chosen = _find_chosen(turns[1]["text"], rows, brief) if rows else None
    if chosen is None:
        return brief
    request = fold_text(brief.request).replace("或者", "或").replace(said, name_of(chosen, brief), 1)
    begun: GoalTurnView = {**turns[0], "text": request}
    left = [begun, *turns[2:]]
    message = left[-1]["text"] if len(left) > 1 else request
    return replace(brief, view={**brief.view, "request": request, "turns": left, "message": message})


def _find_chosen(answer: str, rows: tuple[TaskView, ...], brief: Brief) -> TaskView | None:
    """The one of these items that an answer names, by its number, its name or its day."""
    number = choice_in(answer, len(rows)) or (1 if leaves_it_open(answer) else None)
    if number:
        return rows[number - 1]
    named = items_in(answer, brief, among=rows)
    target = target_in(answer, brief)
    then = [row for row in rows if target.dated and row["slot"] and target.covers(row["slot"])]
    return next((found[0] for found in (named, then) if len(found) == 1), None)
