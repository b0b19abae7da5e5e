"""Where an item is to stand as another one tells: on its day, before or behind it, with nothing between them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal

from agent.loop.view_document import TaskView

Side = Literal["day", "day+", "day-", "before", "after", "next", "ahead", "apart", "gap"]
SIGNS = r"\ue000-\ue0ff"
SIGN = f"[{SIGNS}]"
"""What stands for a mention of items in a text."""
_ONE = rf"(?:the |my )?{SIGN}"
_ZH_ONE = rf"{SIGN}\s*的?"
_BESIDE_FORMS: tuple[tuple[Side, str], ...] = (
    (
        "apart",
        rf"(?:不(?:要|能)?|别)(?:再)?(?:和|跟|与|同){_ZH_ONE}(?:排|放)?在?同[1一]?天|(?:和|跟"
        rf"|与){_ZH_ONE}(?:不在同[1一]?天|错开|分开)",
    ),
    (
        "apart",
        rf"\b(?:(?:but |just )?not (?:on )?the same day (?:as|with)|on (?:a |an)?(?:different|other"
        rf"|another) day (?:from|than|to)) {_ONE}",
    ),
    ("gap", rf"(?:和|跟|与|离|距){_ZH_ONE}(?:至少)?(?:隔|差)(?:开)?(?:至少)?\s*(?P<n>\d)\s*天(?:以上)?"),
    ("gap", rf"\bat least (?P<n>\d|an?|one) days? (?:apart |away )?(?:from|after|before) {_ONE}"),
    (
        "day",
        rf"(?:(?:和|跟|与){_ZH_ONE}(?:排|放)?在?(?:同[1一]天|一天)|{_ZH_ONE}\s*(?:当天|那天"
        rf"|同[1一]天))(?![后前])",
    ),
    ("day", rf"\b(?:on |to )?(?:the )?(?:same day (?:as|with)|day of) {_ONE}"),
    (
        "day+",
        rf"{_ZH_ONE}(?:那天)?(?:之?后|过后)的?(?:第)?\s*(?P<n>\d)\s*天|{_ZH_ONE}(?:那天)?的?(?:后"
        rf"|第[2二]|下)[1一]?天",
    ),
    ("day-", rf"{_ZH_ONE}(?:那天)?的?前\s*(?P<n>[1一\d])?\s*天"),
    ("day+", rf"\b(?:on |to )?(?:(?P<n>\d|an?|one) days?|the (?:next )?day|the very next day) after {_ONE}"),
    ("day-", rf"\b(?:on |to )?(?:(?P<n>\d|an?|one) days?|the day) before {_ONE}"),
    ("before", rf"{_ZH_ONE}\s*(?:之前|以前|前面|前头|前)(?!的|[那几\d])"),
    ("after", rf"{_ZH_ONE}\s*(?:之后|以后|后面|后头|后)(?!的|[那几\d])"),
    (
        "before",
        rf"\b(?:to )?(?:right |just |some ?time |straight )*(?:before|ahead of|in front of|prior to"
        rf"|earlier than) {_ONE}",
    ),
    (
        "after",
        rf"\b(?:to )?(?:right |just |some ?time |straight |directly )*(?:after|behind|following|later than) {_ONE}",
    ),
    ("next", rf"(?:紧[接跟挨贴]着?|挨着|贴着|连着|接在|接着){_ZH_ONE}"),
    ("next", rf"\b(?:(?:right )?next to|adjacent to|back[- ]to[- ]back with|attached to|touching) {_ONE}"),
)
BESIDE = tuple((side, re.compile(form)) for side, form in _BESIDE_FORMS)
"""Where something is to be as another item tells: on its day, days from it, before or behind it, on another day."""
_CLOSE: Mapping[Side, Side] = {"after": "next", "before": "ahead"}
CLOSE_BY = re.compile(
    r"(?:给我|要|都)*(?:紧[接跟挨贴](?:着|在)*(?![的把将再又移挪])|紧靠着?|挨(?:着|在[一1]起)|贴着|连着(?!\s*[2-9两几]?\s*天)"
    r"|连在[一1]起|背靠背|无缝衔接|不(?:要|能)?隔开(?=[,，。;；!]|$)|中间(?:别|不要?)(?:隔|空|夹|插)[^,，。;；]*)"
    r"|\b(?:right|straight|directly|immediately|just) (?=(?:after|behind|before|ahead of|in front of|following"
    r"|next to)\b)"
    r"|\b(?:i want |i'd like |so |with |have |make )*(?:them |the two |those two |both |these )?(?:are |to be )?"
    r"(?:back[- ]to[- ]back|(?:with )?(?:nothing|no gap|no break) (?:in )?between(?: them)?"
    r"|(?:right |directly |straight )*after (?:each other|one another)|one (?:right )?after the other)\b"
)
"""The words that want one item right behind or in front of another."""
_REFUSED = re.compile(r"(?:别|不)[^,，。;；]*$|\b(?:not|never|avoid|\w+n't)\b[^,.;]*$")


def close_side(side: Side, item: TaskView, other: TaskView) -> Side:
    """What before, behind and the day of an item become where nothing is to be between."""
    ahead = item["class_id"] == other["class_id"] and item["order"] < other["order"]
    return ("ahead" if ahead else "next") if side == "day" else _CLOSE.get(side, side)


def wants_close(text: str) -> bool:
    """Whether a text wants nothing between two items, and does not refuse that."""
    found = CLOSE_BY.search(text)
    return found is not None and _REFUSED.search(text[: found.start()]) is None
