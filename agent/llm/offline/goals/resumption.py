"""Consent in words to what was just refused: the goal is taken up again from what was said before.

A sentence typed over a card refuses it, whatever it says, and a goal never asks twice for what was refused. So consent
ends the goal, and the next one begins with the words of the last.
"""

from __future__ import annotations

from dataclasses import replace

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.dialogue.tracking import CHANGING, DialogueState
from agent.llm.offline.language.meaning.ellipsis import adds_nothing, affirms
from agent.llm.offline.language.meaning.intents import intent_of
from agent.loop.view_document import GoalTurnView, View

REMEMBERED = 6


def read_in_context(brief: Brief) -> Brief:
    """The brief with its words as they are meant after what was said before: fragments are completed, what is pointed
    to is named."""
    brief = resume_goal(brief)
    turns = brief.view["turns"]
    if not turns or turns[0]["option"] is not None or not brief.earlier:
        return _spell_out_later(brief) if len(turns) > 1 else brief
    state = DialogueState(replace(brief, view=_as_before(brief)) if brief.changes else brief)
    if state.points_nowhere(brief.request):
        return replace(brief, unlisted=tuple(row["name"] for row in state.listed))
    whole = state.read(brief.request)
    return _spell_out_later(brief if whole == brief.request else replace(brief, completed=whole))


def _as_before(brief: Brief) -> View:
    """The view with the draft as it was when the goal began: words mean what they meant before they were done."""
    draft = brief.view["draft"]
    return {**brief.view, "draft": draft and {**draft, "tasks": brief.tasks_before}}


def _spell_out_later(brief: Brief) -> Brief:
    """The brief with what its last words point to said in full."""
    last = brief.view["turns"][-1]
    if len(brief.view["turns"]) < 2 or last["option"] is not None:
        return brief
    state = DialogueState(brief)
    state.hear(brief.request)
    if brief.asked and brief.asked[-1]["about"].keys() & {"places", "items", "readings"}:
        state.listed = []
    said = state.resolve(last["text"])
    turns = [*brief.view["turns"][:-1], GoalTurnView(text=said, via=last["via"], option=None)]
    return brief if said == last["text"] else replace(brief, view={**brief.view, "turns": turns, "message": said})


def resume_goal(brief: Brief) -> Brief:
    """The brief of a goal that begins with consent, with the words of the goal that it is consent to."""
    words = _find_unfinished_request(brief) if brief.view["resumes"] else []
    if not words:
        return brief
    own = brief.view["turns"][:1]
    later = [*(() if not own or affirms(own[0]["text"]) else own), *brief.view["turns"][1:]]
    turns = [*(GoalTurnView(text=word, via="message", option=None) for word in words), *later]
    message = later[-1]["text"] if later else words[0]
    return Brief({**brief.view, "request": words[0], "turns": turns, "message": message})


def _find_unfinished_request(brief: Brief) -> list[str]:
    """What the student said from the last request on."""
    said = [str(turn["text"]) for turn in brief.earlier if turn["role"] == "user"][-REMEMBERED:]
    for at in range(len(said) - 1, -1, -1):
        asks = intent_of(said[at], brief) in (*CHANGING, "undo")
        if asks and not adds_nothing(said[at], brief) and not affirms(said[at]):
            return [word for word in said[at:] if not affirms(word)]
    return []
