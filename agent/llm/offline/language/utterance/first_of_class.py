"""An item that is to be studied before the others of its class, in plain words: 特征值先学，其他的往后放 ->
线性代数先学特征值再学行列式、矩阵运算、向量组."""

from __future__ import annotations

import re

from agent.llm.offline.language.normalize import fold_text, has_chinese
from agent.llm.offline.language.spans.items.selections import SelectionPlan, join_names
from agent.llm.offline.language.utterance.phrase_signs import CLASS, ITEM, NUMBERED, sign_phrases

_ONE = f"(?:{ITEM}|{NUMBERED})"
_LEARN = "(?:[学做看背上排]|复习)"
_ZH = re.compile(
    rf"(?:{CLASS}[里的]?)?(?:我?[想要]|那)*(?:先{_LEARN}完?{_ONE}|{_ONE}先{_LEARN})[,，]?(?:然后|之后|接着|再|后|就|也)*"
    rf"{_LEARN}?(?:其[他她它余]|别|剩下)的?(?:都|内容|章节|几[章项个])*(?:往后|后面?|再|最后|放|排|推|{_LEARN})*"
)
_EN = re.compile(
    rf"(?:(?:for|in) (?:the |my )?{CLASS},? )?(?:i(?:'d like| want) to )?(?:do|study|learn|start with|take)? ?"
    rf"(?:the )?{_ONE}(?: (?:has to|should|must) (?:come|be))? "
    rf"(?:first(?:,? (?:and )?(?:then )?(?:the )?(?:others?|rest)(?: of (?:it|{CLASS}))?(?: after(?:wards)?)?)"
    rf"|before (?:anything|everything|all(?: the)?) (?:else|others?|rest)(?: (?:in|of) (?:the )?{CLASS})?)"
)


def spell_first_of_class(message: str, plan: SelectionPlan) -> str:
    """The message in plain words where it puts one item before all others of its class; any other as it is."""
    text = fold_text(message).strip(" .。!！")
    signed, zh = sign_phrases(text, plan), has_chinese(text)
    rows = signed.items_of(signed.text, _ONE)
    if len(rows) != 1 or not (_ZH if zh else _EN).fullmatch(signed.text):
        return message
    name = next(signed.restore(one) for one in re.findall(_ONE, signed.text))
    owner = next(row["name"] for row in plan.classes if row["id"] == rows[0]["class_id"])
    others = [row for row in signed.rows if row["class_id"] == rows[0]["class_id"] and row != rows[0]]
    if not others:
        return message
    return (
        f"{owner}先学{name}再学{join_names(others, signed.rows, zh=True)}"
        if zh
        else f"do {name} first, then the others"
    )
