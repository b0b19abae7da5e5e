"""A word taken back at once: what stands before "no wait" gives way to what stands after it."""

from __future__ import annotations

import re

_NUM = r"[\d一二三四五六七八九十]{1,3}"
_KINDS = (
    rf"(?:第\s*{_NUM}\s*[章项个讲课单]|[一-鿿]{{2,4}}{_NUM}(?![天周节点月日号])"
    r"|\b(?:chapter|unit|lab|lecture|lesson|part|item)\s*\d{1,3}\b)",
    r"(?:[下本这上]*(?:周|星期|礼拜)[一二三四五六日天]|\b(?:(?:next|this) )?(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\b)",
    rf"(?:(?:{_NUM}\s*月)?\s*{_NUM}\s*[日号]|\b(?:the )?\d{{1,2}}(?:st|nd|rd|th)\b)",
)
"""What may take the place of another of its kind: an item, a weekday, a date."""
_TAKEN_BACK = (
    r"[\s,，.。…;；!！—-]*(?:啊|哦|噢|额|诶|嗯)?(?:不是(?=[\s,，.。…把将])|不对|不不|说错了?|打错了?|(?<=[.。…])[啊哦]不"
    r"|\b(?:no wait|wait,? no|no no|(?:oh )?sorry|scratch that|i mean|i meant|make that|or rather)\b)[\s,，.。…!！]*"
    r"(?:(?:我说的?)?是|把|将|the|on)?\s*"
)
_SLIPS = tuple(re.compile(rf"(?:把|将)?{kind}{_TAKEN_BACK}(?={kind})", re.IGNORECASE) for kind in _KINDS)


_WHOLE = re.compile(
    rf"(?:把|将)?{_KINDS[0]}(?P<rest>[^.。;；!！?？]{{1,24}}?){_TAKEN_BACK}(?={_KINDS[0]}[^.。;；!！?？]*[^\s\W])",
    re.IGNORECASE,
)
"""An item with what was wanted of it, before another item with what is wanted of that."""


_GAP = re.compile(
    r"(?<=[一-鿿\d])[ \u3000]+(?=(?:如果|要是|假如|但是?|不过|除了|其[他它余]|先别|不要"
    r"|几号|什么时候|啥时候|那一?天))"
)
"""Where a clause begins behind a gap instead of a comma."""


def drop_slips(message: str) -> str:
    """The message without what it takes back: 把第3章…不是，把实验三; chapter 3, no wait, lab 3."""
    message = _WHOLE.sub("", _GAP.sub("，", message))
    for slip in _SLIPS:
        message = slip.sub("", message)
    return message
