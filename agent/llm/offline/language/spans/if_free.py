"""Items that are to go where there is room, asked for in front of them: is friday free, if so chapter 4 there."""

from __future__ import annotations

import re

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.normalize import fold_text
from agent.llm.offline.language.spans.items.mention_signs import find_mentioned
from agent.llm.offline.language.spans.mentions import items_in
from agent.llm.offline.language.spans.times.reading import read_times

_ASKED_ZH = re.compile(
    r"^(?:帮我|看看|看[1一]?下|查查|查[1一]?下|先|那|如果|要是|假如|若|[,，])*(?P<when>[^,，。;；?？]{2,12}?)(?:那天|要是|如果|还|都|是)*"
    r"(?:有没有空|空不空|有空[吗么没]?|没有?(?P<nothing>安排|事|东西|课)[吗么]?|空[着的]+[吗么]?)[?？,，]*\s*"
    r"(?:(?:如果|要是)?(?:有空?|没有?|空|是|可以|行)?的话|有空?|可以|行)?[,，]?(?:那?就)?(?P<act>[^,，。;；]+)"
)
_FREE = r"(?:still )?(?:free|empty|open|clear)(?: or not)?"
_SO = r"(?:(?:and )?if (?:so|yes|it is|yeah|free|that's the case),? ?)?(?:then )?"
_ASKED_EN = re.compile(
    r"^(?:(?:can|could) you |please |check |see |look )*(?:if|whether|when|in case|is|am|are)? ?"
    r"(?:it's |i'm |i am |i )?"
    r"(?:(?:(?:have |got )*(?P<nothing>nothing|no plans)(?: planned)? (?:on )?|free (?:on )?)(?P<then>[^,.;?]{3,28}?)"
    rf"|(?P<when>[^,.;?]{{3,28}}?)(?: is|'s)? {_FREE})[?,;.]* {_SO}"
    r"(?P<act>(?:please )?(?:put|move|shift|place|plan|do|schedule|push)\b[^,.;?]+?|[^,.;?]{3,24} (?:there|then))"
    r"(?=[,.;?]| and |$)"
)
_DAY_AND_HOURS = 2


def spell_if_free(text: str, brief: Brief) -> str:
    """A message with what is to go to a time that it asks about, each with its name; any other as it is."""
    folded = fold_text(text)
    found = _ASKED_ZH.match(folded) or _ASKED_EN.match(folded)
    told = found.groupdict() if found and len(folded) == len(text) else {}
    when, act = told.get("when") or told.get("then") or "", told.get("act") or ""
    times, rows = read_times(when, brief.term), find_mentioned(act, brief) or items_in(act, brief)
    if found is None or not 0 < len(times) <= _DAY_AND_HOURS or not rows or read_times(act, brief.term):
        return text
    names, when = brief.say("、", " and ").join(row["name"] for row in rows), when[times[0].start : times[-1].end]
    put = (f"如果{when}有空就把{names}放到{when}", f"if {when} is free put {names} on {when}")
    if told["nothing"]:
        put = (f"把{names}放到{when}，除非那天有东西", f"put {names} on {when} unless there is something")
    return brief.say(*put) + text[found.end() :]
