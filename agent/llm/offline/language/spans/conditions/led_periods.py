"""A period that is a clause of its own beside a clause that counts, as a part of it: 第4周，每天最多一项."""

from __future__ import annotations

import re
from itertools import chain, zip_longest

from agent.llm.offline.language.normalize import fold_numbers, fold_text, has_chinese
from agent.llm.offline.language.spans.conditions.limit_forms import COUNTS
from agent.llm.offline.language.spans.times.reading import read_times
from agent.llm.offline.language.spans.times.semester import NO_TERM

_COMMA = re.compile(r"\s*[,，]\s*")
_AROUND = re.compile(
    r"从|自|在|到|打|截[止至]|为止|[之以]?[前后间]|期间|这?段?时间|的?时候|开始|起|[里内的都]"
    r"|\b(?:from|on|onwards?|in|at|during|for|over|until|till?|up|to|and|including|the|end|of|start\w*|as|by|before"
    r"|after|through\w*|between|within|then)\b"
)
"""What stands around a time and makes it a period."""


_NUMBER = re.compile(r"\d|(?:an?|one|two|three|four|five|six)\b", re.IGNORECASE)
"""A number that would stand beside that of the period: until the end of May, 4 a day."""


def join_led_periods(text: str) -> str:
    """The text without the comma between a period and the clause of so many a day or a week that it is of."""
    pieces, marks = _COMMA.split(text), [one.group() for one in _COMMA.finditer(text)]
    if not marks:
        return text
    counts = [_counts(one) for one in pieces]
    alone = [any(counts) and not counts[at] and _is_period(one) for at, one in enumerate(pieces)]
    for at in range(len(marks)):
        leads = alone[at] and counts[at + 1]
        if leads or (counts[at] and alone[at + 1] and at + 2 == len(pieces)):
            marks[at] = "" if has_chinese(text) else " max " if _NUMBER.match(pieces[at + 1]) else " "
    return "".join(chain.from_iterable(zip_longest(pieces, marks, fillvalue="")))


def _counts(clause: str) -> bool:
    return any(form.search(fold_numbers(clause).replace("两", "2")) for form in COUNTS)


def _is_period(clause: str) -> bool:
    """Whether a clause is a time and nothing else."""
    text = fold_text(clause).rstrip(" .。")
    times = read_times(text, NO_TERM)
    for one in reversed(times):
        text = text[: one.start] + " " + text[one.end :]
    return bool(times) and not re.sub(r"\W", "", _AROUND.sub(" ", text))
