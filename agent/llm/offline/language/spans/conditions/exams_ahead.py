"""An exam that is told with the question whether all is learnt before it: 4月2号小测，来得及吗？来不及就往前调."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.normalize import fold_text
from agent.llm.offline.language.spans.times.reading import read_times

_EXAM_TOLD = re.compile(
    r"考(?!虑|察|核|勤)|测验|小测|测试|随堂测|答辩"
    r"|\b(?:exam|test|quiz|midterm|final|assessment)s?\b(?! (?:chapter|unit|lab)s?)"
)
_READY = re.compile(
    r"[来赶]得[及上]|来不来得及|赶不赶得上|[学做看背弄搞复过整]得?完|复习[得完好]|准备[得好]"
    r"|\b(?:in time|on time|make it|covered|ready|prepared|by then|before (?:that|then|it)"
    r"|(?:be|am|are|have) (?:i |we )?(?:\w+ ){0,4}(?:done|finished|through))\b"
)
_ASKS = re.compile(
    r"[?？吗么]|[不没]\s*(?:[,，。]|$)"
    r"|\b(?:will|am|can|do|would|could|is|are) (?:i|we|it|everything|all)\b"
)
_HAS_MOVED = re.compile(
    r"(?:改|推迟|提前|延期?|挪|调)(?:到|至|了|成)"
    r"|\b(?:moved|postponed|pushed|pulled|brought|rescheduled|changed)\b(?! it)"
)
"""That the exam itself has another day, which is a change of its class."""
_MOVE_UP = re.compile(
    r"(?:[来赶]不[及上]|[学做看背弄搞]不完|不(?:够|行)|没[^,，。;；]{0,3}完|如果不|要是不)[^。;；?？]{0,10}?"
    r"(?:往前|提前|提早|早[点些]|前[移挪调])"
    r"|\b(?:if (?:not|i (?:do|wo|ca)n't)|otherwise)\b[^.;]{0,24}"
    r"\b(?:pull|bring|move|shift|push|drag|put)\b[^.;]*\b(?:forward|ahead|up|earlier|before)\b"
)
"""What is late is to be brought forward."""


@dataclass(frozen=True)
class ExamAhead:
    """The day of an exam; `moves_up` whether what would be late is to be brought forward at once."""

    day: date
    moves_up: bool = False


def read_exam_ahead(message: str, brief: Brief) -> ExamAhead | None:
    """The exam ahead for which it is asked whether all is learnt by then; None for anything else."""
    text = fold_text(brief.plain(message))
    if not (_EXAM_TOLD.search(text) and _READY.search(text) and _ASKS.search(text)) or _HAS_MOVED.search(text):
        return None
    times = [one for one in read_times(text, brief.term) if one.kind == "day" and not one.impossible]
    days = {day for one in times if (day := one.first or one.last) and day > brief.term.today}
    return ExamAhead(days.pop(), _MOVE_UP.search(text) is not None) if len(days) == 1 else None
