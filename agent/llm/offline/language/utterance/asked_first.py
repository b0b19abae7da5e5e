"""What is to be done with an item if it has a place or none, or stands at a time or not, asked in front of it.

Whether it is so is known when the message is read: what is to be done then is said alone, else the question alone. Is
lab 1 placed? if not put it on friday -> put Lab 1 on friday.
"""

from __future__ import annotations

import re

from agent.llm.offline.language.normalize import fold_text, has_chinese
from agent.llm.offline.language.spans.items.selections import SelectionPlan, name_alone
from agent.llm.offline.language.utterance.described import stands_in
from agent.llm.offline.language.utterance.phrase_signs import ITEM, NUMBERED, TIME, Signed, sign_phrases
from agent.loop.view_document import TaskView

_ONE = f"(?P<one>{ITEM}|{NUMBERED})"
_EN_PLACED = r"(?:placed|scheduled|planned|(?:in|on) (?:the|my) (?:plan|schedule|calendar|timetable)|in there)"
_EN_THERE = rf"(?:(?:on|in|at|before|after) )?(?:an? |the )?(?P<there>{TIME}(?:,? {TIME})*)"
_EN_IS = rf"(?:been )?(?:already |still |even )?(?:{_EN_PLACED}|{_EN_THERE})(?: yet| already)?"
_EN_ACT = r",? (?:then |please |just |can you |could you )*(?P<act>\S.+)"
_EN = tuple(
    re.compile(form + _EN_ACT)
    for form in (
        rf"(?:so |and |hey,? )?(?:is|are|has|was) (?:the )?{_ONE} {_EN_IS}\s*[?,.;]+ *(?:and |but )?"
        r"if (?:(?P<no>not|no|(?:it|that)(?:'s| is| has) not|(?:it|that) (?:isn't|hasn't|wasn't))"
        r"|so|yes|(?:it|that) (?:is|has|was))(?![a-z])",
        rf"(?:so |and )?when is (?:the )?{_ONE}\s*[?,.;]+ *(?:and )?"
        rf"if (?:it|that)(?:'s| is)(?P<no>n't| not)? {_EN_THERE}",
        rf"if (?:the )?{_ONE} (?:is|has|was)(?P<no>n't| not)? {_EN_IS}",
    )
)
_IF = "(?:如果|要是|假如)"
_ZH_PUT = r"(?:安?排|放)(?:[上好过]|进去)?"
_ZH_THERE = rf"(?:是|在|排在)在?(?P<there>{TIME}+)"
_ZH_ACT = r"(?:的话)?[,，]?(?:那|就|请|帮我|给我|再|把[它他])*(?P<act>\S.+)"
_ZH = tuple(
    re.compile(form + _ZH_ACT)
    for form in (
        rf"{_ONE}(?:现在|目前|已经|都|到底)*(?:(?:有没有|是不是|是否){_ZH_PUT}了?[吗么嘛]?|{_ZH_PUT}了?(?:没有?|[吗么嘛])"
        rf"|(?:是不|在不){_ZH_THERE}|{_ZH_THERE.replace('there', 'there2')}[吗么嘛])[?？,，。\s]*"
        rf"{_IF}?(?:(?P<no>还?没有?(?:安?排)?[上好进]?|不[是在]?)|有|是|在|排了)",
        rf"{_ONE}(?:是|在|排在)?(?:哪[1一]?[天周]|什么时候)[?？,，。\s]*{_IF}(?P<no>不)?{_ZH_THERE}",
        rf"(?:{_IF}{_ONE}|{_ONE.replace('one', 'one2')}{_IF})(?:现在|目前)?"
        rf"(?:(?P<no>还?没有?){_ZH_PUT}|(?:已经{_ZH_PUT}|{_ZH_PUT}了)了?|(?P<no2>不)?{_ZH_THERE})",
    )
)
_IT = re.compile(r"\b(?:it|that one|this one)\b|[把将]?[它他](?=[移挪排放改调换])")
_THERE = re.compile(r"\bthere\b|\bthen\b|那[里儿天]|过去")
_ASKS = re.compile(r"[吗呢么不][?？\s]*$|怎|会|行|[?？]|\b(?:what|how|would|will)\b")
"""That what would follow is asked, and nothing told to be done."""
_LONGEST = 120


def spell_asked_first(message: str, plan: SelectionPlan) -> str:
    """The message as what is to be done alone, or as the question alone; any other as it is."""
    text = fold_text(message).strip()
    if (not plan.tasks and not plan.classes) or len(text) > _LONGEST:
        return message
    signed, zh = sign_phrases(text, plan), has_chinese(text)
    found = next((one for form in (_ZH if zh else _EN) if (one := form.fullmatch(signed.text))), None)
    named = (found.groupdict().get("one2") or found["one"]) if found else ""
    rows = signed.items_of(named, f"{ITEM}|{NUMBERED}")
    if found is None or len(rows) != 1 or _ASKS.search(found["act"]):
        return message
    return _say(found, rows[0], signed, plan, zh=zh)


def _say(found: re.Match[str], row: TaskView, signed: Signed, plan: SelectionPlan, *, zh: bool) -> str:
    told, slot, name = found.groupdict(), row["slot"], name_alone(row, signed.rows)
    place = told["there"] or told.get("there2") or ""
    times = signed.times_of(place)
    holds = slot is not None and (not times or stands_in(slot, times, plan.term))
    if holds == bool(told["no"] or told.get("no2")):
        return f"{name}在什么时候？" if zh else f"when is {name}?"
    there = signed.restore(place)
    act = _THERE.sub(f"到{there}" if zh else f"on {there}", told["act"]) if there else told["act"]
    act, named = _IT.subn(f"把{name}" if zh else name, act, count=1)
    if not named and not re.search(f"{ITEM}|{NUMBERED}", act):
        act = f"把{name}{act}" if zh else f"{act} {name}"
    return signed.restore(act)
