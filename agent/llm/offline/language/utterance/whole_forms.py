"""Requests that one form tells as a whole, in plain words.

What is to be done if an item has a place or none, or stands at a time or not, asked in front of it: whether it is so is
known when the message is read, so that what is to be done then is said alone, else the question alone (is lab 1 placed?
if not put it on friday). The last days before an exam that are left for revision. An item that is studied before the
others of its class: 特征值先学，其他的往后放 -> 线性代数先学特征值再学行列式、矩阵运算、向量组.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from agent.llm.offline.language.normalize import fold_text, has_chinese
from agent.llm.offline.language.spans.items.selections import SelectionPlan, join_names, name_alone
from agent.llm.offline.language.spans.times.words import EN_COUNTS, NUM, number_of
from agent.llm.offline.language.utterance.described import stands_in
from agent.llm.offline.language.utterance.phrase_signs import CLASS, ITEM, NUMBERED, TIME, Signed, sign_phrases

_ONE = f"(?:{ITEM}|{NUMBERED})"
_LONGEST = 120
_ASKED = f"(?P<one>{ITEM}|{NUMBERED})"
_EN_PLACED = r"(?:placed|scheduled|planned|(?:in|on) (?:the|my) (?:plan|schedule|calendar|timetable)|in there)"
_EN_THERE = rf"(?:(?:on|in|at|before|after) )?(?:an? |the )?(?P<there>{TIME}(?:,? {TIME})*)"
_EN_IS = rf"(?:been )?(?:already |still |even )?(?:{_EN_PLACED}|{_EN_THERE})(?: yet| already)?"
_EN_ACT = r",? (?:then |please |just |can you |could you )*(?P<act>\S.+)"
_ASKED_EN = tuple(
    re.compile(form + _EN_ACT)
    for form in (
        rf"(?:so |and |hey,? )?(?:is|are|has|was) (?:the )?{_ASKED} {_EN_IS}\s*[?,.;]+ *(?:and |but )?"
        r"if (?:(?P<no>not|no|(?:it|that)(?:'s| is| has) not|(?:it|that) (?:isn't|hasn't|wasn't))"
        r"|so|yes|(?:it|that) (?:is|has|was))(?![a-z])",
        rf"(?:so |and )?when is (?:the )?{_ASKED}\s*[?,.;]+ *(?:and )?"
        rf"if (?:it|that)(?:'s| is)(?P<no>n't| not)? {_EN_THERE}",
        rf"if (?:the )?{_ASKED} (?:is|has|was)(?P<no>n't| not)? {_EN_IS}",
    )
)
_IF = "(?:如果|要是|假如)"
_ZH_PUT = r"(?:安?排|放)(?:[上好过]|进去)?"
_ZH_THERE = rf"(?:是|在|排在)在?(?P<there>{TIME}+)"
_ZH_ACT = r"(?:的话)?[,，]?(?:那|就|请|帮我|给我|再|把[它他])*(?P<act>\S.+)"
_ASKED_ZH = tuple(
    re.compile(form + _ZH_ACT)
    for form in (
        rf"{_ASKED}(?:现在|目前|已经|都|到底)*(?:(?:有没有|是不是|是否){_ZH_PUT}了?[吗么嘛]?|{_ZH_PUT}了?(?:没有?|[吗么嘛])"
        rf"|(?:是不|在不){_ZH_THERE}|{_ZH_THERE.replace('there', 'there2')}[吗么嘛])[?？,，。\s]*"
        rf"{_IF}?(?:(?P<no>还?没有?(?:安?排)?[上好进]?|不[是在]?)|有|是|在|排了)",
        rf"{_ASKED}(?:是|在|排在)?(?:哪[1一]?[天周]|什么时候)[?？,，。\s]*{_IF}(?P<no>不)?{_ZH_THERE}",
        rf"(?:{_IF}{_ASKED}|{_ASKED.replace('one', 'one2')}{_IF})(?:现在|目前)?"
        rf"(?:(?P<no>还?没有?){_ZH_PUT}|(?:已经{_ZH_PUT}|{_ZH_PUT}了)了?|(?P<no2>不)?{_ZH_THERE})",
    )
)
_IT = re.compile(r"\b(?:it|that one|this one)\b|[把将]?[它他](?=[移挪排放改调换])")
_THERE = re.compile(r"\bthere\b|\bthen\b|那[里儿天]|过去")
_ASKS = re.compile(r"[吗呢么不][?？\s]*$|怎|会|行|[?？]|\b(?:what|how|would|will)\b")
"""That what would follow is asked, and nothing told to be done."""
_REVISION_ZH = re.compile(
    rf"(?:把|给)?(?P<of>{CLASS})?的?考试?前的?(?:最后)?(?P<n>{NUM})天[都要]?(?:留给|留着|留出来|空出来|空着|用来|拿来|专门)+"
    r"(?:总?复习|用?来?(?:总?复习|冲刺))?"
)
_REVISION_EN = re.compile(
    r"(?:please )?(?:keep|leave|reserve|save|have) (?:me )?(?:the )?(?:last |final )?"
    rf"(?P<n>\d{{1,2}}|{'|'.join(EN_COUNTS)}) days before (?:the |my )?(?:(?P<of>{CLASS}) )?"
    r"(?:exams?|finals?|tests?)(?: (?:free|empty|open))?"
    r"(?: (?:for|to) (?:(?:my )?revision|review(?:ing)?|revis(?:e|ing)))?"
)

_LEARN = "(?:[学做看背上排]|复习)"
_FIRST_ZH = re.compile(
    rf"(?:{CLASS}[里的]?)?(?:我?[想要]|那)*(?:先{_LEARN}完?{_ONE}|{_ONE}先{_LEARN})[,，]?(?:然后|之后|接着|再|后|就|也)*"
    rf"{_LEARN}?(?:其[他她它余]|别|剩下)的?(?:都|内容|章节|几[章项个])*(?:往后|后面?|再|最后|放|排|推|{_LEARN})*"
)
_FIRST_EN = re.compile(
    rf"(?:(?:for|in) (?:the |my )?{CLASS},? )?(?:i(?:'d like| want) to )?(?:do|study|learn|start with|take)? ?"
    rf"(?:the )?{_ONE}(?: (?:has to|should|must) (?:come|be))? "
    rf"(?:first(?:,? (?:and )?(?:then )?(?:the )?(?:others?|rest)(?: of (?:it|{CLASS}))?(?: after(?:wards)?)?)"
    r"|(?:first,? (?:and )?)?before (?:all )?(?:of )?the "
    rf"(?:others?|rest|other (?:{CLASS} )?[a-z]+s|other {CLASS})(?: (?:in|of) (?:the )?{CLASS})?"
    rf"|before (?:anything|everything|all(?: the)?) (?:else|others?|rest)(?: (?:in|of) (?:the )?{CLASS})?)"
)


def spell_whole_form(message: str, plan: SelectionPlan) -> str:
    """The message in plain words where one form tells all of it; any other as it is."""
    text = fold_text(message).strip(" .。!！")
    if len(text) > _LONGEST:
        return message
    signed, zh = sign_phrases(text, plan), has_chinese(text)
    for chinese, english, say in _FORMS:
        for form in chinese if zh else english:
            if (found := form.fullmatch(signed.text)) and (told := say(found, signed, plan, zh)):
                return told
    return message


def _say_asked(found: re.Match[str], signed: Signed, plan: SelectionPlan, zh: bool) -> str:
    """What is to be done, where what is asked in front of it is so; else the question alone."""
    told = found.groupdict()
    rows = signed.items_of(told.get("one2") or told["one"], _ONE)
    if len(rows) != 1 or _ASKS.search(told["act"]):
        return ""
    slot, name = rows[0]["slot"], name_alone(rows[0], signed.rows)
    place = told["there"] or told.get("there2") or ""
    times = signed.times_of(place)
    holds = slot is not None and (not times or stands_in(slot, times, plan.term))
    if holds == bool(told["no"] or told.get("no2")):
        return f"{name}在什么时候？" if zh else f"when is {name}?"
    there = signed.restore(place)
    act = _THERE.sub(f"到{there}" if zh else f"on {there}", told["act"]) if there else told["act"]
    act, named = _IT.subn(f"把{name}" if zh else name, act, count=1)
    if not named and not re.search(_ONE, act):
        act = f"把{name}{act}" if zh else f"{act} {name}"
    return signed.restore(act)


def _say_revision(found: re.Match[str], signed: Signed, plan: SelectionPlan, zh: bool) -> str:
    """How many days before the exam everything is done."""
    days, owner = number_of(found["n"]), signed.restore(found["of"] or "")
    if zh:
        return f"{owner}考前{days}天学完" if owner else f"希望整个计划提前{days}天学完"
    return f"finish {owner} {days} days before the exam" if owner else f"finish everything {days} days before the exams"


def _say_first(found: re.Match[str], signed: Signed, plan: SelectionPlan, zh: bool) -> str:
    """The order of a class of which one item comes first."""
    rows = signed.items_of(signed.text, _ONE)
    others = [row for row in signed.rows if row["class_id"] == rows[0]["class_id"] and row != rows[0]]
    if len(rows) != 1 or not others:
        return ""
    name = next(signed.restore(one) for one in re.findall(_ONE, signed.text))
    owner = next(row["name"] for row in plan.classes if row["id"] == rows[0]["class_id"])
    rest = join_names(others, signed.rows, zh=True)
    return f"{owner}先学{name}再学{rest}" if zh else f"do {name} first, then the other {owner} ones"


_Forms = tuple[re.Pattern[str], ...]
_FORMS: tuple[tuple[_Forms, _Forms, Callable[[re.Match[str], Signed, SelectionPlan, bool], str]], ...] = (
    (_ASKED_ZH, _ASKED_EN, _say_asked),
    ((_REVISION_ZH,), (_REVISION_EN,), _say_revision),
    ((_FIRST_ZH,), (_FIRST_EN,), _say_first),
)
"""The Chinese and the English forms of each request, and how it is said."""
