"""Days and hours that are to stay free, in plain words: leave friday open -> keep friday free, 周二什么都不要排 ->
周二别排."""

from __future__ import annotations

import re

from agent.llm.offline.language.normalize import fold_text, has_chinese, widths
from agent.llm.offline.language.spans.conditions.limit_forms import EVERY
from agent.llm.offline.language.spans.items.selections import SelectionPlan
from agent.llm.offline.language.spans.times.semester import weekday_names
from agent.llm.offline.language.spans.times.words import say_date
from agent.llm.offline.language.utterance.phrase_signs import TIME, Signed, sign_phrases

_TIMES = (
    rf"(?P<times>{TIME}(?:(?:\s|[,，、&]|的|和|与|跟|到|至|\b(?:and|or|to|of|the|on|in|through|until|till)\b)*{TIME})*)"
)
_WHOLE_ZH = r"(?:一?整[天周日]|全[天周]|一天|这?[几两三]天)?"
_NOT_ZH = r"(?:不要|别|不想|不用|不能|没法|没办法|不(?=安?排|放|学|做|塞|加))(?:再|给我|帮我|有)*"
_NOT_ZH += r"(?:排|安排|放|学习?|做|弄|塞|加|干)?(?:任务|东西|学习|内容|事情?)?"
_FORMS_ZH = tuple(
    re.compile(form)
    for form in (
        rf"(?:我|请|帮我|把|在)*{_TIMES}(?:我|的)?{_WHOLE_ZH}(?:我|就|都|也)*(?:什么|啥|任何)"
        rf"(?:东西|任务|内容|事情?|学习)?(?:都|也)*{_NOT_ZH}[了吧哦]*",
        rf"(?:我|请|帮我|把)*{_TIMES}(?:我)?{_WHOLE_ZH}(?:我|就|都|也)*(?:没时间|没空|不想学习?|学不了|不学习?)了?",
    )
)
_POLITE = r"(?:(?:can|could|would) you |please |i(?:'d| would) like (?:you )?to |i want (?:you )?to |let'?s |just )*"
_ON = r"(?:(?:on|in|for|during|all of|all|the whole of|the whole|my) )*"
_FORMS_EN = tuple(
    re.compile(form)
    for form in (
        rf"{_POLITE}(?:clear(?: out)?|free up|empty|block(?: out| off)?|wipe) {_ON}{_TIMES}"
        r"(?: (?:for me|please|completely))*",
        rf"{_POLITE}(?:leave|keep) {_ON}{_TIMES} (?:completely |totally )?"
        r"(?:open|empty|free|clear|blank|alone)(?: for me| please)*",
        rf"{_POLITE}(?:don'?t|do not|never) (?:put|plan|schedule|place|book|add) "
        rf"(?:anything|any(?: \w+)?|stuff|tasks|things) {_ON}{_TIMES}",
        rf"(?:absolutely )?nothing {_ON}{_TIMES}",
    )
)
_BESIDE = re.compile(r"[前后]|\b(?:before|after)\b")
"""A day that is told by another."""
_ENDS = re.compile(r"[\s,.，。!！]*(?:please|thanks|谢谢)?[\s,.，。!！]*$")
_JOINT = r"(?:[\s,/&]|\b(?:and|or|to|of|the|on|in|at|every|each|through|until|till|from|between|before|after|past)\b)*"
_HOURS = rf"(?P<times>{_JOINT}{TIME}(?:{_JOINT}{TIME})+)"
_FORMS_OF_HOURS = tuple(
    re.compile(form)
    for form in (
        rf"{_POLITE}(?:don'?t|do not|never|not) (?:put|plan|schedule|place|book|add) "
        rf"(?:anything|any(?: \w+)?|stuff|tasks|things){_HOURS}",
        rf"(?:absolutely )?(?:nothing|no (?:stud(?:y|ying)|work|sessions|tasks|learning)){_HOURS}",
        rf"{_HOURS} (?:is|are) (?:all |always |totally |completely )?"
        r"(?:off[- ]limits|out|taboo|sacred|blocked|an? no[- ]?go)",
        rf"(?:anything|everything|all|whatever(?: is|'s)?){_HOURS} (?:has to|must|needs to|should) (?:go|be gone|move)",
    )
)
"""Hours of weekdays that are to stay free, which holds for every week."""


def spell_free_days(message: str, plan: SelectionPlan) -> str:
    """The message in plain words where all that it wants is that days or hours stay free; any other as it is."""
    text, zh = _ENDS.sub("", widths(message)), has_chinese(message)
    signed = sign_phrases(fold_text(text), plan)
    if not zh and (told := _spell_hours(signed)):
        return told
    found = next((one for form in (_FORMS_ZH if zh else _FORMS_EN) if (one := form.fullmatch(signed.text))), None)
    if found is None or not all(one.first for one in signed.times_of(found["times"]) if one.weekdays):
        return message  # of every week, or of none that is told
    times = signed.restore(found["times"])
    if _BESIDE.search(times):
        runs = [(one.first, one.last) for one in signed.times_of(found["times"])]
        if len(runs) != 1 or not (runs[0][0] and runs[0][1]):
            return message
        days = dict.fromkeys(say_date(day, zh=zh) for day in runs[0] if day)
        times = ("到" if zh else " to ").join(days)
    return f"{times}别排" if zh else f"keep {times} free"


def _spell_hours(signed: Signed) -> str:
    """The rule that hours of some weekdays stay free; empty where it is none: tue/thu after 8pm are off limits."""
    found = next((one for form in _FORMS_OF_HOURS if (one := form.fullmatch(signed.text))), None)
    times = signed.times_of(found["times"]) if found else []
    days = [day for one in times if one.kind == "weekday" and not (one.first or one.week) for day in one.weekdays]
    hours = [one for one in times if one.kind in ("clock", "part", "sections")]
    others = len(times) - len(hours) - sum(one.kind in ("weekday", "every") for one in times)
    again = len({*days}) > 1 or (days and EVERY.search(signed.restore(signed.text)))
    if found is None or not again or len(hours) != 1 or others or any(one.first or one.week for one in times):
        return ""
    named = {char: one for char in found["times"] for one in signed.times_of(char)}
    rest = "".join(char for char in found["times"] if named.get(char) in (None, *hours))
    at = next(char for char, one in named.items() if one in hours)
    side = re.search(rf"(?:\b(?:before|after|past|until|till|from|between) (?:the )?)?{at}", rest)
    when = " and ".join(weekday_names(sorted({*days}), "en"))
    told = signed.restore(side.group() if side else at)
    told = f"in the {told.rstrip('s')}s" if hours[0].kind == "part" else told
    return f"nothing {told} on {when}"
