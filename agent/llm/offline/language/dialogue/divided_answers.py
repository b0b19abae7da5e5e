"""Answers that divide a card of several moves: the first is fine, the second rather on friday; 第一个可以，第二个别动.

Each part of an answer is about one of the moves, which it tells by its number among them, by its item, by its day or as
the rest of them: it agrees to it, drops it, or gives it another time.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import reduce
from itertools import pairwise

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.dialogue.filling import put_in
from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.meaning.ellipsis import strip_fillers
from agent.llm.offline.language.meaning.intents import intent_of
from agent.llm.offline.language.normalize import fold_text
from agent.llm.offline.language.spans.items.mention_signs import fold_said, sign_mentions
from agent.llm.offline.language.spans.items.references import parts_of
from agent.llm.offline.language.spans.targets import shift_in, target_in
from agent.llm.offline.language.spans.times.reading import read_times
from agent.loop.view_document import TaskView

_LONGEST = 120
BARE = re.compile(r"\[\d+\]|把|\b(?:move|put|push|shift|place|schedule|and)\b")
"""What stands around where an item goes."""
_ONE = r"[个项条门章]"
_NUMBERS = ((1, "first|1st"), (2, "second|2nd"), (3, "third|3rd"), (4, "fourth|4th"))
_NTH = [
    re.compile(rf"第{number}{_ONE}|\b(?:the )?(?:{word}|number {number})(?: (?:one|move|change|of them))?\b")
    for number, word in _NUMBERS
]
_FORMER = re.compile(rf"前者|前[面1]?1?{_ONE}|\bthe former\b")
_LATTER = re.compile(rf"后者|后[面1]?1?{_ONE}|最后(?:1{_ONE})?|\b(?:the )?(?:latter|last)(?: one)?\b")
_OTHERS = re.compile(
    rf"(?:另外?|其[他它余]|别的|剩下?的?)(?:[1那]?{_ONE})?的?|\b(?:the )?(?:others?|rest)(?: ones?)?\b"
)
_FIRST_SIGN, _REST = 0xF000, chr(0xF009)
"""The first of the signs that stand for moves, and the one for all that are not told."""
_MOVE = rf"[{chr(_FIRST_SIGN)}-{_REST}]"
_JOINT = re.compile(r"[,，。;；!！]\s*|\.(?=\s|$)|\b(?:and|but)\b|但是?|不过")
_REFUSES = re.compile(
    r"不(?:太?(?:行|好|对|合适|方便)|可以|要|用|同意|变|[改移动挪换]了?)|别(?:[改移动挪换]了?)?|取消|算了|(?:保持)?(?:原样|不变|不动)"
    r"|\b(?:no|nope|not|don't|do not|doesn't|does not|isn't|won't|never ?mind|drop|skip|cancel|forget"
    r"|leave|stays?|reject)\b"
    r"|\bkeep\b.*\b(?:where|as) it\b"
)
_AGREES = re.compile(
    r"可以|没问题|同意|就(?:这样|这么定|按(?:这个|卡片)来?|行|好)|要|行|好|对|留着?|保留"
    r"|\b(?:ok(?:ay)?|fine|good|great|perfect|yes|yep|yeah|sure|right|works?|suits?|accept(?:ed)?|agree(?:d)?"
    r"|approve(?:d)?|keep)\b"
)
_ONLY = re.compile(r"只|\b(?:only|just)\b")
_AROUND = re.compile(
    r"(?:[改移挪换调放排][成到在去]?|我|想|更|请|帮我|把|吧|的|先|也|都|倒|那|给|不如|最好|时间|还是|做|了|是"
    r"|\b(?:it|that|this|is|it's|that's|to|for|on|at|in|the|make|move|put|shift|have|do|go|goes|should|be|let's|rather|better"
    r"|instead|please|pls|then|with|me|i|i'd|would|like|want|prefer|change|well|so|work|where|as|was|alone|though|all"
    r"|of|them|are|just|only|can|could|one|after)\b|[只不])"
)


_STAYS = re.compile(r"\b(?:where|as) (?:it|they) (?:is|are|was|were)\b")
_KEPT, _DROPPED, _UNCLEAR = "kept", "dropped", "unclear"
"""What is said of a move, where no other time is."""


_PARTS = re.compile(
    r"个|另|[前后]者|可以|[不没]|[行好]|\b(?:ones?|others?|first|second|third|former|latter|yes|no|not|fine|ok(?:ay)?|keep|leave)\b",
    re.IGNORECASE,
)
"""Words that tell one of several from the others."""


def divide_answer(said: str, request: str, brief: Brief) -> str:
    """The request for several moves as an answer leaves it which tells of some of them apart; empty for other words."""
    if not _PARTS.search(said):
        return ""
    asks = says("asking", _STAYS.sub(" ", fold_text(said)))
    if len(said) > _LONGEST or asks or intent_of(request, brief) not in ("move", "place"):
        return ""
    parts = parts_of(request, brief)
    if not 1 < len(parts) <= len(_NTH) or len({row["item_id"] for row, _ in parts}) < len(parts):
        return ""
    told = list[str]()
    for (row, text), verdict in zip(parts, _read_verdicts(said, parts, brief), strict=False):
        where = " ".join(BARE.sub(" ", fold_said(f"{text} ")).split())
        whole = brief.say(f"把{row['name']}{where}", f"move {row['name']} {where}")
        told += [] if verdict == _DROPPED else [whole if verdict == _KEPT else put_in(verdict, whole, brief)]
    return brief.say("，", " and ").join(told) if all(told) else ""


def _read_verdicts(said: str, parts: Sequence[tuple[TaskView, str]], brief: Brief) -> list[str]:
    """What an answer says of each move: the words of another time, or what becomes of it; nothing where it tells of
    none apart, or says more."""
    verdicts, at, rest = dict[str, str](), list[str](), _KEPT
    targets = {chr(_FIRST_SIGN + at): {*target_in(where, brief).days} for at, (_, where) in enumerate(parts)}
    for piece in _divide(_sign_moves(said, targets, parts, brief)):
        told, bare = re.findall(_MOVE, piece), re.sub(_MOVE, " ", piece)
        verdict = _read_verdict(bare, [targets[one] for one in told if one in targets], brief)
        if verdict == _UNCLEAR or any(one in verdicts for one in told):
            return []
        timed = verdict not in ("", _KEPT, _DROPPED)
        if told and not verdict:
            verdict = _KEPT if _ONLY.search(bare) else ""
            rest = _DROPPED if verdict else rest
        at = told or at
        if timed and not at:
            return []  # a time of all of them
        verdicts |= {one: verdict for one in at if one in told or timed}
    rest = verdicts.pop(_REST, rest)
    found = [verdicts.get(one, rest) for one in targets]
    return found if verdicts and all(found) and len({*found}) > 1 else []


def _divide(text: str) -> list[str]:
    """The pieces of an answer, each about the moves that one verdict is told of."""
    pieces = list[str]()
    for clause in filter(None, map(str.strip, _JOINT.split(text))):
        ends = (
            [one.start() for one in re.finditer(rf"(?<=\w)\s*(?={_MOVE})", clause)] if re.match(_MOVE, clause) else []
        )
        cuts = [0, *(end for end in ends if end), len(clause)]
        pieces += [clause[start:end] for start, end in pairwise(cuts)]
    return pieces


def _read_verdict(bare: str, own: Sequence[set[int]], brief: Brief) -> str:
    """What a piece says of its move: the words of another time, that it is kept or dropped, or nothing."""
    times, refuses = read_times(bare, brief.term), _REFUSES.search(bare)
    left = bare
    for time in reversed(times):
        left = f"{left[: time.start]} {left[time.end :]}"
    if shift_in(bare) is not None or any(time.side for time in times):
        return _UNCLEAR
    if strip_fillers(_AROUND.sub(" ", _AGREES.sub(" ", _REFUSES.sub(" ", left)))):
        return _UNCLEAR
    if times:
        when = bare[times[0].start : times[-1].end]
        there = target_in(when, brief)
        drops = refuses or any(time.role == "avoided" for time in times)
        as_told = [{*there.days}] == [*own] and not (there.part or there.sections)
        return (_DROPPED if drops else _KEPT) if as_told else _UNCLEAR if drops else when
    return _DROPPED if refuses else _KEPT if _AGREES.search(left) else ""


def _sign_moves(said: str, targets: Mapping[str, set[int]], parts: Sequence[tuple[TaskView, str]], brief: Brief) -> str:
    """An answer with a sign for each move that it tells by its number, its item, or the day to which it goes."""
    named = {row["item_id"]: sign for sign, (row, _) in zip(targets, parts, strict=True)}
    names = [(fold_said(row["name"]), named[row["item_id"]]) for row, _ in parts]
    signs, text = [*targets], reduce(lambda text, one: text.replace(*one), names, fold_said(said))
    text, items = sign_mentions(text, brief)
    for char, (words, _, rows) in items.items():
        own = {named[row["item_id"]] for row in rows if row["item_id"] in named}
        text = text.replace(char, own.pop() if len(own) == 1 else words)
    for sign, form in zip(signs, _NTH, strict=False):
        text = form.sub(sign, text)
    text = _LATTER.sub(signs[-1], _FORMER.sub(signs[0], text))
    if not re.search(_MOVE, text):
        for time in reversed(read_times(text, brief.term)):
            days = {*target_in(text[time.start : time.end], brief).days}
            of_day = [sign for sign, there in targets.items() if days and days == there and sign not in text]
            text = f"{text[: time.start]}{of_day[0]}{text[time.end :]}" if len(of_day) == 1 else text
    return _OTHERS.sub(_REST, text) if re.search(_MOVE, text) else text
