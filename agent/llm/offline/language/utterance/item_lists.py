"""Items side by side as one list, however they are joined: lab 1, lab 2 plus lab 3 are done -> lab 1, lab 2 and lab 3
are done."""

from __future__ import annotations

import re
from itertools import pairwise

from agent.llm.offline.language.normalize import fold_text, has_chinese, widths
from agent.llm.offline.language.spans.items.selections import SelectionPlan
from agent.llm.offline.language.spans.times.words import number_of
from agent.llm.offline.language.utterance.phrase_signs import CLASS, ITEM, NUMBERED, TIME, sign_phrases

_ONE = f"(?:{ITEM}|{NUMBERED})"
_JOINT_ZH = r"\s*[,，、]?\s*(?:(?:还有|以及|外?加上?|和|跟|与|及|[,，、])\s*)"
_JOINT_EN = (
    r"(?:,? (?:and(?: also)?|plus|as well as|along with|together with|&) (?:the |my )?|, ?(?:the |my )?|(?: ?[&+] ?))"
)
_RUN = {True: re.compile(f"{_ONE}(?:{_JOINT_ZH}{_ONE})+"), False: re.compile(f"{_ONE}(?:{_JOINT_EN}{_ONE})+")}
_JOINTS = {True: ("、", "和"), False: (", ", " and ")}
"""Between the items of a list, and before its last."""
_MARKS = re.compile(r"[,，。;；!！?？\n]|\.(?:\s|$)")
_NO_VERB = re.compile(
    rf"(?:{TIME}|{CLASS}|我|的|里面?|中|今天|昨天|刚才?|终于|已经|请|帮我|麻烦|把|将|给|让|\s|\b(?:my|the|both|so|ok|and|but|then|also|today"
    r"|in|of|for|from)\b)*"
)
"""What may stand in front of what a clause is about."""
_OBJECT = re.compile(r"[把将][^,，。;；]*$")
_INSTEAD = re.compile(r"(?:不是|不要|别|\bnot|\bno)\s*(?:the |my )?$")
"""In front of what is not meant: behind its comma is what is meant instead."""
_OWN_VERB = re.compile(
    r"\s*(?:[一-鿿]|(?:both |all |also |still |just )*(?:is|are|was|were|has|have|had|did|do|does|should|can|could"
    r"|must|needs?|will|would|goes?|got|gets|went|takes?|isn't|aren't|wasn't|weren't|\w+n't)\b)"
)


_N_ZH = "(?:[0-9]{1,2}|[一二三四五六七八九])"
_KIND_ONCE = re.compile(
    rf"(?P<kind>实验|专题|单元)\s*(?P<numbers>{_N_ZH}(?:\s*(?:[、,，和跟与及&+]|以及)?\s*{_N_ZH})+)(?![\d十.:：/月号日周天个节次小点半章项])"
)
"""Numbers with their kind in front of the first of them alone: 实验一、二, 实验一二."""


def _repeat_kind(found: re.Match[str]) -> str:
    numbers = re.findall(_N_ZH, found["numbers"])
    if [*map(number_of, numbers)] != sorted({*map(number_of, numbers)}):
        return found.group()
    *first, last = (f"{found['kind']}{one}" for one in numbers)
    return f"{'、'.join(first)}和{last}"


def spell_item_lists(message: str, plan: SelectionPlan) -> str:
    """The message with the items that stand side by side in it as lists; any other as it is."""
    text, zh = widths(message), has_chinese(message)
    spelled = _KIND_ONCE.sub(_repeat_kind, text)
    signed = sign_phrases(fold_text(spelled), plan)
    for run in _RUN[zh].finditer(signed.text):
        signs = [*re.finditer(_ONE, run.group())]
        joints = [run.group()[one.end() : two.start()] for one, two in pairwise(signs)]
        commas = [re.search("[,，]", joint) is not None for joint in joints]
        if any(commas) and _is_border(signed.text, *run.span()):
            continue
        goes_on = re.match(_JOINT_ZH if zh else _JOINT_EN, signed.text[run.end() :]) is not None
        for at, (one, two) in enumerate(pairwise(signs)):
            joint = _JOINTS[zh][at == len(joints) - 1 and not goes_on]
            first, last = signed.restore(one.group()), signed.restore(two.group())
            between = r"\s*".join(re.escape(part) for part in joints[at].split())
            form = rf"(?<={re.escape(first)})\s*{between}\s*(?={re.escape(last)})"
            spelled = re.sub(form, joint, spelled, count=1, flags=re.IGNORECASE)
    return message if spelled == text else spelled


def _is_border(text: str, start: int, end: int) -> bool:
    """Whether the comma in a run of items divides two clauses: each of its ends has a verb of its own."""
    before = _MARKS.split(text[:start])[-1]
    governed = _NO_VERB.fullmatch(before) is None and _OBJECT.search(before) is None
    if _INSTEAD.search(before):
        return True
    return governed and _OWN_VERB.match(text[end:]) is not None
