"""The words of a button: an answer that was pressed is read as if it had been typed, whatever its label says."""

from __future__ import annotations

import re
from typing import cast

from agent.loop.view_document import GoalTurnView, View

CHOICE, YES, NO, ALL = "choice_", "yes", "no", "all"
_NUMBERED = re.compile(rf"({CHOICE}|class[:_])(\d+)")
_WORDS = {YES: ("是的", "yes"), NO: ("不是", "no"), ALL: ("全部", "all")}


def spell_options(view: View) -> View:
    """Returns the view with the chosen entry of a list, a class, a yes or a no in words; other options stay."""
    turns = [_spell(turn, view) for turn in view["turns"]]
    if turns == view["turns"]:
        return view
    message = turns[-1]["text"] if view["turns"][-1]["text"] == view["message"] else view["message"]
    return cast(View, {**view, "turns": turns, "message": message})


def _spell(turn: GoalTurnView, view: View) -> GoalTurnView:
    option, english = turn["option"] or "", view["locale"].startswith("en")
    found = _NUMBERED.fullmatch(option)
    if found is None:
        words = _WORDS[option][english] if option in _WORDS else ""
    elif found[1] == CHOICE:
        words = f"number {found[2]}" if english else f"第{found[2]}个"
    else:
        words = next((row["name"] for row in view["classes"] if row["id"] == int(found[2])), "")
    return {**turn, "text": words, "option": None} if words else turn
