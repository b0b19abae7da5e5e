"""What is done by a message: a deed may be wanted, or refused, spoken against or told of, and then nothing is done.

Of all words in front of a deed those count first that take it back: "I don't think you should move chapter 2 to friday"
names a deed, and wants none. Before anything else reads a message.
"""

from __future__ import annotations

import re

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.meaning.grammar import Intent
from agent.llm.offline.language.meaning.intents import intent_of
from agent.llm.offline.language.meaning.requests import requests_in
from agent.llm.offline.language.normalize import fold_text
from agent.llm.offline.language.spans.mentions import all_items, classes_in, items_in
from agent.llm.offline.language.spans.times.reading import read_times
from agent.llm.offline.language.words.speech_acts import (
    AGAINST,
    ANY,
    ASKS_AWAY,
    DEED_ZH,
    PLACES,
    STATE_AGAINST,
    STRONGLY,
    WRONG_SIDE,
)

_KEPT: tuple[Intent, ...] = ("keep", "undo", "wish", "limit")


def settle_act(text: str, brief: Brief) -> str:
    """The message, or that nothing is wanted where it only speaks against a deed."""
    said = fold_text(text).replace("’", "'").rstrip(" .。!！?？")
    if (asked := ASKS_AWAY.match(said)) and read_times(said, brief.term):
        return f"what is on{asked['when']}?" if asked["when"] else f"{asked['when_zh']}有什么安排"
    if state := _say_state(said, brief):
        return state
    found = AGAINST.match(said)
    if found is None or _REMINDS.match(said):
        return _REMINDS.sub("", text, count=1)
    deed = next(one for one in (found["deed"], found["ing"], found["zh"], found["bad"]) if one is not None).strip()
    whole = found["ing"] is not None or found["bad"] is not None or STRONGLY.match(said) is not None
    if len(requests_in(text, brief)) > 1 or not _is_deed(deed, brief):
        return text
    if not whole and _BARELY.match(said) and not (intent_of(text, brief) in _DEEDS or _TRADES.search(deed)):
        return text
    if not whole and PLACES.search(deed) and read_times(deed, brief.term):
        return brief.say(f"不要{deed}", f"don't {deed}")
    return brief.say("算了", "never mind")


_BARELY = re.compile(r"(?:please )?(?:don't|do not|never)\b|(?:千万)?(?:不要|别)")
"""A refused deed in its plainest words, which may be the rule that something is not to be at a time."""
_REMINDS = re.compile(
    r"^(?:please |and |also )*(?:don't|don’t|do not|never) forget to |^(?:千万|可)?(?:别|不要)忘[了记]?", re.IGNORECASE
)
"""What wants a deed all the more."""
_DEEDS: tuple[Intent, ...] = ("remove", "mark")
_TRADES = re.compile(r"[互交]换|对调|\b(?:swap|switch|exchange)\b")
"""Deeds that are no rule in any words."""


def _say_state(said: str, brief: Brief) -> str:
    """That something is not to be somewhere, for what only thinks so, and on which side of another thing it is to be
    where it should not be on the other one; empty for other words."""
    told = ""
    if re.search(r"[,，;；。]", said):
        return ""  # more than that
    if found := STATE_AGAINST.match(said):
        told = f"{found['x']} should not {found['rest']}" if found["x"] else f"{found['zh']}不要{found['rest_zh']}"
    if side := WRONG_SIDE.match(told or said):
        one, other = (side[name] or side[f"{name}_zh"] for name in ("x", "y"))
        ahead = side["side"] == "before" or (side["side_zh"] or "")[-2:] in ("前面", "之前", "前")
        if all(items_in(text, brief, among=all_items(brief)) for text in (one, other)):
            ends = ("后面", "after") if ahead else ("前面", "before")
            return f"{one}应该在{other}{ends[0]}" if side["x_zh"] else f"{one} should come {ends[1]} {other}"
    return told


def _is_deed(deed: str, brief: Brief) -> bool:
    """Whether what is spoken against is a deed, and no rule about whatever there may be."""
    named = items_in(deed, brief, among=all_items(brief)) or classes_in(deed, brief.classes)
    if (ANY.search(deed) and not named) or re.search(r"[,，;；]", deed):
        return False
    if not deed.isascii() and not DEED_ZH.search(deed):
        return False
    return bool(named) or intent_of(deed, brief) not in ("other", *_KEPT)
