"""Classes that an answer listed and a later turn points to by their order: plan the second one."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.llm.offline.language.normalize import fold_numbers, has_chinese
from agent.llm.offline.language.spans.mentions import find_named
from agent.loop.view_document import DialogueTurnView

_TOLD_AS = ("first", "second", "third", "fourth", "fifth")
_POINTER = re.compile(
    r"第\s*(?P<zh>[1-5])\s*[个门项样](?:课|任务类)?(?![章节讲])|(?P<zh_last>(?:最后|后)[面边]?(?:那)?(?:1|一)?[个门])"
    r"|(?P<zh_all>(?:这|那)?(?:[两2]个?|俩)都?|都(?=[排安弄]))"
    r"|\b(?:the )?(?:(?P<en>first|second|third|fourth|fifth)|(?P<nth>[1-5])(?:st|nd|rd|th)|(?P<en_last>last))"
    r"(?: (?:one|class|of (?:them|these|those|the two)))?\b(?! (?:chapter|item|lab|unit|week|day))"
    r"|\b(?P<en_all>both(?: of them)?|all of them|the two(?: of them)?)\b"
)
_PLANS = re.compile(r"[排放塞加弄搞]|安排|\b(?:plan|schedul\w*|do|put|fit|add|arrange|start|begin|slot|take)\b")
_FILLER = re.compile(
    r"[\s,，.。!！?？~]|先|把|帮我|给我|请|麻烦|那就?|吧|了|好|一下|上|进去?|下|呗|嘛|就|的|排|安排|弄|放|塞|加|搞|我|再|行"
    r"|\b(?:ok(?:ay)?|then|please|pls|yes|yeah|well|so|now|first|in|up|my|me|for|and|with|can|could|you|u|let's|just"
    r"|plan|schedule|do|put|fit|add|arrange|start|begin|slot|take|it)\b"
)
_LISTS = re.compile(r"还没有排的任务类|Not planned yet:")
MOST = 60


def spell_listed_classes(said: str, before: DialogueTurnView | None, names: Sequence[str]) -> str:
    """What was said with the names of the classes for their numbers on the list that the answer before it told."""
    text = fold_numbers(said)
    listed = _find_listed(before, names)
    found = _POINTER.search(text) if listed and len(text) <= MOST else None
    if found is None or find_named(_POINTER.sub(" ", text), names):
        return said
    meant = _pick(found, listed)
    rest = f"{text[: found.start()]} {text[found.end() :]}"
    short = not _FILLER.sub("", rest).strip()
    if not meant or not (short or _PLANS.search(rest)):
        return said
    zh = has_chinese(said)
    named = ("、" if zh else " and ").join(meant)
    if short:
        return f"把{named}排好" if zh else f"plan my {named}"
    return f"{text[: found.start()]}{named}{text[found.end() :]}"


def _find_listed(before: DialogueTurnView | None, names: Sequence[str]) -> list[str]:
    """The classes that an answer named last, in its order: one or several that are not planned, or several; none where
    it listed items too."""
    if before is None or before["role"] == "user" or before["item_ids"]:
        return []
    begins = _LISTS.search(before["text"])
    told = before["text"][begins.start() if begins else 0 :]
    named = sorted((name for name in names if name in told), key=told.index)
    return named if begins or len(named) > 1 else []


def _pick(found: re.Match[str], listed: Sequence[str]) -> list[str]:
    if every := found["zh_all"] or found["en_all"]:
        return [*listed] if len(listed) == 2 or not re.search("[两2俩]|both|two", every) else []
    if found["zh_last"] or found["en_last"]:
        return [listed[-1]]
    at = int(found["zh"] or found["nth"] or _TOLD_AS.index(found["en"]) + 1) - 1
    return [listed[at]] if at < len(listed) else []
