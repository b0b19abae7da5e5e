"""The last days before an exam that are left for revision: what is planned is done before them."""

from __future__ import annotations

import re

from agent.llm.offline.language.normalize import fold_text, has_chinese
from agent.llm.offline.language.spans.items.selections import SelectionPlan
from agent.llm.offline.language.spans.times.words import EN_COUNTS, NUM, number_of
from agent.llm.offline.language.utterance.phrase_signs import CLASS, sign_phrases

_ZH = re.compile(
    rf"(?:把|给)?(?P<of>{CLASS})?的?考试?前的?(?:最后)?(?P<n>{NUM})天[都要]?(?:留给|留着|留出来|空出来|空着|用来|拿来|专门)+"
    r"(?:总?复习|用?来?(?:总?复习|冲刺))?"
)
_EN = re.compile(
    r"(?:please )?(?:keep|leave|reserve|save|have) (?:me )?(?:the )?(?:last |final )?"
    rf"(?P<n>\d{{1,2}}|{'|'.join(EN_COUNTS)}) days before (?:the |my )?(?:(?P<of>{CLASS}) )?"
    r"(?:exams?|finals?|tests?)(?: (?:free|empty|open))?"
    r"(?: (?:for|to) (?:(?:my )?revision|review(?:ing)?|revis(?:e|ing)))?"
)


def spell_revision_days(message: str, plan: SelectionPlan) -> str:
    """The message as what is to be done so many days before the exam; any other as it is."""
    text = fold_text(message).strip(" .。!！")
    signed, zh = sign_phrases(text, plan), has_chinese(text)
    found = (_ZH if zh else _EN).fullmatch(signed.text)
    if found is None:
        return message
    days, owner = number_of(found["n"]), signed.restore(found["of"] or "")
    if zh:
        return f"{owner}考前{days}天学完" if owner else f"希望整个计划提前{days}天学完"
    return f"finish {owner} {days} days before the exam" if owner else f"finish everything {days} days before the exams"
