"""Exams beside the last day of a class: 六级6月13号考，词汇延到5月底; an exam on 2 April, all done before that.

The day of an exam is the last day of a class where nothing else tells one; a clause that does tells what is wanted, and
one that only points to the exam wants all done the day before.
"""

from __future__ import annotations

import re

from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.normalize import fold_text
from agent.llm.offline.language.spans.dates import dates_in
from agent.llm.offline.language.spans.times.semester import SemesterDates

_CLAUSE = re.compile(r"[,，;；。]\s*(?:and |so |but |所以|那|而|不过|但)?|\.\s+|\s+(?:so|but)\s+(?=\w)", re.IGNORECASE)
_EXAM = re.compile(r"考(?!虑|察|核|勤|完)|测验|小测|答辩|\b(?:exams?|tests?|quiz|midterms?|finals?)\b")
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
    return _EXAM.search(folded) is not None and not _MOVED.search(folded) and not _LASTS.search(folded)


def ends_before_exam(text: str, clause: str = "") -> bool:
    """Whether all is to be done before the exam that a text tells of, by one of its clauses where it is given: the day
    of the exam is none to study on."""
    folded = fold_text(text)
    before = _BEFORE_IT.search(fold_text(clause or text))
    return before is not None and _EXAM.search(folded) is not None and not says("asking", folded)
