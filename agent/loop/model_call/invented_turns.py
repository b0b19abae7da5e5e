"""Words that a model writes for the student: one that does not know where to stop goes on with the student's turn."""

from __future__ import annotations

import re

TURN = re.compile(r"\n[ \t*#>]*(?:学生|用户|student|user|human)[ \t*]*[:：]", re.IGNORECASE)
"""How the turn of another begins, on a line of its own behind words of the model."""


def drop_invented_turns(text: str, *, before: str = "") -> str:
    """Returns what the model says itself, up to where it begins to speak for the student; `before` is what was said
    before this piece."""
    whole = before + text
    found = TURN.search(whole, 0 if before else len(whole) - len(whole.lstrip()))
    return text[: max(0, found.start() - len(before))].rstrip() if found is not None else text
