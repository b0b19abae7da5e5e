"""Exams ahead, and those beside the last day of a class: 六级6月13号考，词汇延到5月底; exam on 2 April, done by it.

The day of an exam is the last day of a class where nothing else tells one; a clause that does tells what is wanted, and
one that only points to the exam wants all done the day before.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.normalize import fold_text
from agent.llm.offline.language.spans.dates import dates_in
from agent.llm.offline.language.spans.times.reading import read_times
from agent.llm.offline.language.spans.times.semester import SemesterDates

_CLAUSE = re.compile(r"[,，;；。]\s*(?:and |so |but |所以|那|而|不过|但)?|\.\s+|\s+(?:so|but)\s+(?=\w)", re.IGNORECASE)
EXAM = re.compile(r"考(?!虑|察|核|勤|完)|测验|小测|答辩|\b(?:exams?|tests?|quiz|midterms?|finals?)\b")
_LASTS = re.compile(
    r"延|宽限|拖|(?:截止|结束|学|排|弄|搞|做|推|放宽|持续)到|[到至].{0,8}(?:截止|结束|为止)|底(?:之?前)?(?:完成|结束|搞定|学完|弄完)"
    r"|前[^,，。;；]{0,6}(?:完成|结束|搞定|[学弄做看背复习]完)"
    r"|\b(?:until|till|extend\w*|end(?:s|ing)?(?! of)|last(?:s|ing)?|run|go on|deadline|due)\b"
    r"|\b(?:done|finish\w*|complete\w*|ready|through|over)(?: \w+){0,3} (?:by|before|until)\b"
)
"""What tells how long something goes on."""
_MOVED = re.compile(
    r"(?:改|推迟|提前|延期?|挪|调)(?:到|至|了|成)|\b(?:moved|postponed|pushed|brought|rescheduled|changed)\b"
)
"""That the exam itself has another day."""
_BEFORE_IT = re.compile(
    r"(?:那|它|这|其|考试?|测验|小测)[一1]?[天日]?(?:之|以)?前(?!面|头|[一二三四五两几\d]+个?[天周])"
    r"|\bbefore (?:that|then|it|the (?:exam|test|midterm|final|quiz)s?)\b(?! (?:week|month))"
)
"""Before the exam that was told, which is not told again."""


def without_exam_day(text: str, term: SemesterDates) -> str:
    """A text without the clauses that only tell the day of an exam, where another clause tells how long to go on."""
    clauses = [clause for clause in _CLAUSE.split(text) if clause.strip()]
    dated = [clause for clause in clauses if dates_in(clause, term)]
    told = [clause for clause in dated if _tells_exam(clause)]
    lasts = [clause for clause in dated if clause not in told and _LASTS.search(fold_text(clause))]
    if not told or not lasts:
        return text
    joint = "，" if not text.isascii() else ", "
    return joint.join(clause for clause in clauses if clause not in told)


def _tells_exam(clause: str) -> bool:
    folded = fold_text(clause)
    return EXAM.search(folded) is not None and not _MOVED.search(folded) and not _LASTS.search(folded)


def ends_before_exam(text: str, clause: str = "") -> bool:
    """Whether all is to be done before the exam that a text tells of, by one of its clauses where it is given: the day
    of the exam is none to study on."""
    folded = fold_text(text)
    before = _BEFORE_IT.search(fold_text(clause or text))
    return before is not None and EXAM.search(folded) is not None and not says("asking", folded)


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
