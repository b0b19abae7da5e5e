"""What an answer offered: to do in words that are to be said, taken by a word of consent, as in 那就改吧; and the
options of a question in the words of its buttons."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import cast

from agent.llm.offline.language.normalize import fold_numbers, fold_text, has_chinese
from agent.loop.phrases import SECOND_BUILD, says
from agent.loop.view_document import DialogueTurnView, GoalTurnView, View

CHOICE, YES, NO, ALL = "choice_", "yes", "no", "all"
_NUMBERED = re.compile(rf"({CHOICE}|class[:_])(\d+)")
_WORDS = {YES: ("是的", "yes"), NO: ("不是", "no"), ALL: ("全部", "all")}


def spell_options(view: View) -> View:
    """Returns the view with the chosen entry of a list, a class, a yes or a no in words; other options stay."""
    turns = [_spell(turn, view) for turn in view["turns"]]
    if turns == view["turns"]:
        return view
    message = turns[-1]["text"] if view["turns"][-1]["text"] == view["message"] else view["message"]
    return cast(View, {**view, "turns": turns, "message": message})


def _spell(turn: GoalTurnView, view: View) -> GoalTurnView:
    option, english = turn["option"] or "", view["locale"].startswith("en")
    found = _NUMBERED.fullmatch(option)
    if found is None:
        words = _WORDS[option][english] if option in _WORDS else ""
    elif found[1] == CHOICE:
        words = f"number {found[2]}" if english else f"第{found[2]}个"
    else:
        words = next((row["name"] for row in view["classes"] if row["id"] == int(found[2])), "")
    return {**turn, "text": words, "option": None} if words else turn


_PLACE = re.compile(
    r"可以：(?P<zh_name>.+?) 可以放在第(?P<zh_week>\d+)周 周(?P<zh_day>[一二三四五六日]) (?P<zh_at>[\d-]+)节"
    r"|Yes: (?P<name>.+?) could go to wk (?P<week>\d+) (?P<day>Mon|Tue|Wed|Thu|Fri|Sat|Sun) (?P<at>[\d-]+)"
)
"""A place that an item could have, as it was told."""
_OFFER = re.compile(r"请说「([^」]+)」，会先出确认卡片|say \"([^\"]+)\"; a card comes first")
_SAY = re.compile(r"请说「([^」]+)」|\bsay \"([^\"]+)\"")
"""What is to be said for the one thing that an answer offers."""
TAKES = re.compile(
    r"(?:那|就|好|行|可以|嗯+|哦|ok|对|成|中|[吧啊]|[,，\s])*"
    r"(?:(?:就|照|按)*(?:[这那][么样个])?(?:[改挪做办移调弄来换塞放]|照做|照办|这[么样]办?|执行))(?:一下|过去)?(?:吧|了|呗|好了|咯|啦)*[。.!！\s]*"
    r"|(?:(?:ok(?:ay)?|yes|yeah|yep|sure|alright|great|good|then|so|please|perfect|fine|cool|well|and|right)[,!. ]*)*"
    r"(?:let'?s |pls |please )?(?:do|make|move|go (?:for|ahead(?: with)?)|change)(?: (?:that|it|so|this))?"
    r"(?:,? (?:then|please|pls|thanks))*[.! ]*"
    r"|(?:yes|yeah|yep|ok(?:ay)?|sure),? (?:please|pls|do)[.! ]*"
)


_ENDS = re.compile(r"「(?P<zh>[^」]+)」最后一项是|The last item of \"(?P<en>[^\"]+)\" is")
"""When a class ends, as it was told."""
_EARLIER = re.compile(
    r"(?:那|还|我)*(?:能不能|可不可以|能|可以)(?:再)?(?:提前|提早|[早快]一?[点些])(?:就)?(?:[学做弄搞背看]完|完成|结束|搞定)?[吗么不]?[?？\s]*"
    r"|(?:and |so |but |ok,? )*(?:can|could) (?:i|it|we) (?:also )?(?:finish|be|be done|get (?:it )?done|end|wrap up)"
    r"(?: it| that)? (?:any |a bit |a little )?(?:earlier|sooner|faster)(?: than that)?[?.! ]*"
)


def take_offer(said: str, before: DialogueTurnView | None) -> str:
    """What was offered right before where the words only take it, or what they ask of its end; else what was said."""
    if before is None or before["role"] == "user":
        return said
    ends = _ENDS.findall(before["text"]) if _EARLIER.fullmatch(fold_text(said)) else []
    if len(ends) == 1:
        zh, en = ends[0]
        return f"{zh}想早点学完" if zh else f"I want to finish {en} earlier"
    return (TAKES.fullmatch(fold_text(said)) and find_offered(before["text"])) or said


_SAYS_LITTLE = re.compile(
    r"那就|就|那|好的?|行|对[的啊]?|是的?|没错|可以|吧|呢|呗|啊|嗯|了|的|请|帮我|给我|一下|选|这[样么]|[,，。.!！\s]+"
    r"|\b(?:ok(?:ay)?|yes|yeah|yep|yup|sure|right|correct|exactly|please|pls|then|just|the|let's|do|it|that|them|for|me|my|a|an|to|go|with|option|one"
    r"|ahead|and|so|now|fine|well|good|great|cool|alright)\b"
)


def choose_reading(said: str, readings: Sequence[str], *, takes_first: bool = False, core: str | None = None) -> str:
    """The request among those offered that an answer means, by its number or by its words, all of which that one alone
    has: lighten it; by consent the only one, or the first where they stand in such an order. Empty for none. The
    `core` is the answer without what tells nothing of which it is."""
    if readings and (number := choice_in(said, len(readings))) is not None:
        return readings[number - 1]
    words = _SAYS_LITTLE.sub(" ", fold_text(said)).split()
    if (len(readings) == 1 or (takes_first and readings)) and not words:
        return readings[0]
    if len(readings) == 1 and _NARROWS.search(said):
        return ""
    if takes_first and not _DIGIT.search(said) and len(said) <= _SHORT:
        core = _A_BIT.sub("", said if core is None else core)
        alike = [(SequenceMatcher(None, core, one).find_longest_match().size, one) for one in readings]
        best = max(size for size, _ in alike)
        most = [one for size, one in alike if size == best]
        if has_chinese(said) and best >= _ALIKE and len(most) == 1:
            return most[0]
    meant = [one for one in readings if words and all(word in fold_text(one) for word in words)]
    return meant[0] if len(meant) == 1 and len(said) < _LONG else ""


_NARROWS = re.compile(r"[只就](?=[周星礼工])|\b(?:just|only)\b", re.IGNORECASE)
"""What wants a part of the only one that was offered."""
_DIGIT = re.compile(r"[\d二两三四五六七八九十]|一(?![点些下])")
_A_BIT = re.compile(r"一?[点些下][吧呗啊了]*$")
_SHORT, _ALIKE = 12, 2
"""Characters of an answer in Chinese, and how many of them in a row a request has that it means: 截止日期往后推."""
_LONG = 40
"""Characters of an answer; what is longer tells more."""


def find_offered(told: str) -> str:
    """The request that an answer offers to carry out; empty where it offers none."""
    if (place := _PLACE.search(told)) is not None:
        return _say_move(place)
    offered = _OFFER.search(told)
    # That a plan is made anew the loop does only where the student says so.
    alone = [one for one in _SAY.finditer(told) if not says(fold_text(one.group()), SECOND_BUILD)]
    if offered is None and len(alone) == 1:
        offered = alone[0]
    return (offered[1] or offered[2]) if offered else ""


def _say_move(place: re.Match[str]) -> str:
    if place["zh_name"]:
        return f"把{place['zh_name']}移到第{place['zh_week']}周周{place['zh_day']}{place['zh_at']}节"
    return f"move {place['name']} to week {place['week']} {place['day']} {place['at']}"


_LEAD = (
    r"(?:那|就|还是|选|用|要|我|放|不对?|不是|改成|换成|[,，]|the|option|no\.?|number|第|#|let's|i'?ll|take|go|with|do|please|make"
    r"|it|actually|wait|rather|ok(?:ay)?|then|try|\s)*"
)
_TAIL = (
    r"(?:办法|方案|选项|地方|位置|时间|时段|one|option|slot|time|place|of (?:those|them|these)|then|please"
    r"|\s)*[.。!、吧呗啊,，\s]*"
)
_CHOICE = re.compile(rf"{_LEAD}(\d{{1,2}})\s*(?:个|项|号|st|nd|rd|th)?\s*{_TAIL}")
_FIRST_OR_LAST = (
    (
        re.compile(
            rf"{_LEAD}(?:(?:最后|最[晚迟]|后面|后边|末尾)(?:那|1|面|的)*个?|last|latter|later|latest)\s*{_TAIL}"
        ),
        -1,
    ),
    (re.compile(rf"{_LEAD}(?:(?:前面|前边|最前|最早|头)(?:那|1|面|的)*个|former|earlier|earliest)\s*{_TAIL}"), 1),
    (re.compile(rf"{_LEAD}(?:中间|当中)(?:那|1|的)*个?\s*{_TAIL}|{_LEAD}middle\s*{_TAIL}"), 0),
)
"""An end or the middle of a list, and where it is: the first, the last, the one between."""
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")
_SPELLED = re.compile(rf"\b({'|'.join(_ORDINALS)})\b")


def choice_in(message: str, size: int) -> int | None:
    """The number of a list entry (from 1) when the whole message is one."""
    text = _SPELLED.sub(lambda found: str(_ORDINALS.index(found[1]) + 1), fold_numbers(message))
    for ends, where in _FIRST_OR_LAST:
        if ends.fullmatch(text):
            return size if where < 0 else where or (size + 1) // 2
    match = _CHOICE.fullmatch(text)
    return int(match[1]) if match and 1 <= int(match[1]) <= size else None
