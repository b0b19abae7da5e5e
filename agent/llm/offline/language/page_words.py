"""The words of the page in a message: its dates with blanks, and in English its steps, tasks and periods.

The page calls an item a step, a task class a task and a section a period; reading goes on with the words of the rest.
"""

from __future__ import annotations

import re

_APART = re.compile(r"(?<=\d) (?=[年月日号节])|(?<=[年月每天日周次项回]) (?=\d)")
"""4 月 22 日, 每天 1 节: a date or a rate as the page writes it."""
_DATE_APART = re.compile(
    r"(?<!\d)(?:\d{4} ?年 ?)?\d{1,2} ?月(?: ?\d{1,2}(?: ?[日号])?)?|(?<!\d)\d{1,2} [日号](?![语本文记常报])"
    r"|每[天日周次项回] ?\d{1,2}(?: ?节)?"
)
_STEP = re.compile(r"\bstep(s?)\b(?! by step)(?<!by step)", re.IGNORECASE)
_NO_ITEM = re.compile(
    r"\b(?:undo|redo|revert|back)\b|\bin (?:\w+ )?steps\b|\bsteps? (?:to take|should i take|i should take)\b",
    re.IGNORECASE,
)
"""Steps of what was done, or of doing it."""
_NEW_TASK = re.compile(
    r"\b((?:(?:creat|mak|add|start)\w*|set up) (?:an? |another |the )?(?:new )?|new )task(?=:| (?:called|named)\b)",
    re.IGNORECASE,
)
_PERIOD = re.compile(r"(?<=\d )period(s?)\b|\bperiod(s?)(?= \d)", re.IGNORECASE)


def read_page_words(said: str, names: tuple[str, ...]) -> str:
    """Returns a message with the words of the page in the place of its own; what `names` contain stays as it is."""
    said = _DATE_APART.sub(lambda date: date[0] if _is_named(date[0], names) else _APART.sub("", date[0]), said)
    said = _PERIOD.sub(r"section\1\2", _NEW_TASK.sub(r"\1task class", said))
    return said if _NO_ITEM.search(said) or _is_named("step", names) else _STEP.sub(r"item\1", said)


def _is_named(words: str, names: tuple[str, ...]) -> bool:
    return any(words in name.lower() for name in names)
