"""What is to be done when the first time does not do, and places that another item tells.

周五满了就放周六; if Saturday is free, move it there, else leave it; 第5章放到 Unit 1 前面; on the same day.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Literal

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.lexicon import LEXICON, says
from agent.llm.offline.language.normalize import fold_numbers, fold_text
from agent.llm.offline.language.spans.items.spoken import spell_out_ordinals, spoken_of
from agent.llm.offline.language.spans.mentions import items_in
from agent.llm.offline.language.spans.targets import PlaceTarget, shift_in, target_in
from agent.llm.offline.language.words.guarded import GuardedPattern
from agent.loop.view_document import TaskView

Side = Literal["before", "after", "next", "ahead", "same_day", "apart", "gap"]
_NO_ROOM, _ROOM = (f"(?:{'|'.join(LEXICON[concept])})" for concept in ("no_room", "has_room"))
_IF = GuardedPattern(
    rf"(?P<if>如果|要是|假如|万一|若)?(?P<zh>[^,，。;；就]{{0,16}}?(?:(?P<zh_full>{_NO_ROOM})|(?P<zh_free>{_ROOM})))"
    rf"(?:了|的话)*[,，]?\s*(?:那?就|(?(if)|(?!)))"
    rf"|\b(?:if|(?<!to )when|in case|as long as)\s+"
    rf"(?P<en>[^,.;]{{0,40}}?\b(?:(?P<en_full>{_NO_ROOM})|(?P<en_free>{_ROOM}))\b)"
    rf"(?:,? then)?"
    r"|\bif\s+(?P<en_can>[^,.;]{3,30}?\b(?:can|could) (?:be (?:done|placed|put|moved|scheduled)|go|fit|move)\b"
    r"[^,.;]{0,30})"
    r"|(?:如果|要是|假如)(?P<zh_can>[^,，。;；]{1,20}?能(?:够)?[^,，。;；能]{0,8}?[放排做挪移学背][^,，。;；就]{0,10}?)"
    r"(?:的话)?[,，]?\s*(?=就|那就|把)",
    needed="如果|要是|假如|万一|若|就|if|when|in case|as long as",
)
_ELSE = re.compile(
    rf"(?:否则|不然|不能(?=的话)|(?:如果|要是)(?:{_NO_ROOM})了?|(?:{_NO_ROOM})了?(?=(?:的话)?[,，]?\s*(?:那?就|再"
    rf"|[改放移挪换]到)))(?:的话)?[,，]?\s*(?:那?就|再)?(?P<zh>[^,，。;；]*)"
    rf"|\b(?:otherwise|or else|if not|failing that|(?<!thing )(?<!one )else|if (?:it|that|there)(?:'s"
    rf"| is)? {_NO_ROOM})\b,?\s*(?P<en>[^.;]*)"
)


_ASKED = re.compile(r"\b(?:tell me|see|check|know|ask|wonder\w*)(?: me)?\s*$")
"""Before an "if" that asks."""


@dataclass(frozen=True)
class Alternatives:
    """The time to try first, what to try then, whether nothing is to change where neither does, the words taken; the
    times to try behind them, and whether it is to be taken out where none does."""

    first: PlaceTarget
    then: PlaceTarget
    leave: bool
    said: tuple[str, ...]
    further: tuple[PlaceTarget, ...] = ()
    out: bool = False


def alternatives_in(message: str, brief: Brief) -> Alternatives | None:
    """What a message makes depend on whether there is room; None where it makes nothing depend on that."""
    text = fold_text(message)
    if (chain := _read_chain(text, brief)) is not None:
        return chain
    found = _IF.search(text)
    can = (found["zh_can"] or found["en_can"]) if found else ""
    asked = (found["zh"] or found["en"] or can or "") if found else ""
    if found and _ASKED.search(text[: found.start()]):
        return None
    free = bool(found and (found["zh_free"] or found["en_free"] or can))
    rest = text.replace(found.group(), " ", 1) if found else text
    other = _ELSE.search(rest)
    head = rest[: other.start()] if other else ""
    if found is None and not (target_in(head, brief).said or shift_in(head)):
        return None
    otherwise = (other["zh"] or other["en"] or "") if other else ""
    rest = rest.replace(other.group(), " ", 1) if other else rest
    when, where, then = (target_in(part, brief) for part in (asked, rest, otherwise))
    said = tuple(one.group() for one in (found, other) if one)
    leave = says("left_alone", otherwise)
    if found is None or free:
        first = where.then(when) if when.said else where
        return Alternatives(first, _on_its_day(first, then), leave, said)
    before, _, after = text.partition(found.group())
    if says("left_alone", after):
        return Alternatives(target_in(before, brief), PlaceTarget(), True, said)
    first = _within(target_in(before, brief), when)
    if when.said and first == when:
        return Alternatives(when, _on_its_day(when, where), leave, said)
    return Alternatives(first, _on_its_day(first, _within(first, target_in(after, brief))), leave, said)


_FALLBACK = GuardedPattern(
    rf"[,，;；。\s]+(?:如果|要是|实在|还|再|也|都|真的?|又|那天)*(?:否则|不然|{_NO_ROOM})了?(?:的话)?[,，]?\s*(?:那?就|再|先)*"
    rf"|[,;.\s]+(?:(?:and|but|or|then)\s+)*(?:otherwise|else|if not|failing that|if (?:that|it|there)(?:'s| is)?"
    rf"(?: also)? {_NO_ROOM}(?: too| as well| either)?)\b,?\s*(?:(?:then|just)\s+)*",
    needed="否则|不然|otherwise|else|if not|failing|" + "|".join(LEXICON["no_room"]),
)
"""What begins the next thing to try."""


def _read_chain(text: str, brief: Brief) -> Alternatives | None:
    """What is tried one after the other until one does, where that is more than one thing, or that it is taken out."""
    found = list(_FALLBACK.finditer(text))
    ends = [*(one.start() for one in found[1:]), len(text)]
    parts = [text[one.end() : end] for one, end in zip(found, ends, strict=False)]
    leave, out = (bool(parts) and says(concept, parts[-1]) for concept in ("left_alone", "extract"))
    first = target_in(text[: found[0].start()], brief) if found else PlaceTarget()
    times = [
        _on_its_day(first, _within(first, target_in(part, brief))) for part in parts[: -1 if leave or out else None]
    ]
    if not first.said or not all(target_in(part, brief).said for part in parts[: len(times)]):
        return None
    if len(parts) < _SEVERAL and not out:
        return None
    then, *further = times or [PlaceTarget()]
    return Alternatives(first, then, leave, (text[found[0].start() :],), tuple(further), out and not leave)


_SEVERAL = 2


def is_chain(message: str, brief: Brief) -> bool:
    """Whether several things are to be tried one after the other."""
    return _read_chain(fold_text(message), brief) is not None


_UNLESS = GuardedPattern(
    r"[,;]?\s*\bunless (?:there(?:'s| is| are)|i(?:'ve| have)(?: got)?|something(?:'s| is)|it(?:'s| is)|that(?:'s| is)"
    r"|(?:that|the) day(?:'s| is)) (?:already )?(?:something|anything|stuff|things|sth|lessons?|lectures?|(?:a )?class"
    r"(?:es)?|on|there|taken|occupied|booked)\b[^,.;]*"
    r"|[,，;；]?\s*除非[^,，。;；]{0,10}(?:有[^,，。;；]{0,6}(?:东西|安排|课|事|任务|内容)|排了|占了?)[^,，。;；]*"
    r"|[,;]?\s*\b(?:if|as long as) (?:there(?:'s| is| are) |i(?:'ve| have)(?: got)? )?(?:nothing|no (?:lessons?"
    r"|lectures?|class(?:es)?))\b(?! else (?:mov|ha|need|chang|get|is (?:mov|chang|affect)))[^,.;]*"
    r"|[,，;；]?\s*(?:如果|要是|若|万一)?[^,，。;；]{0,8}(?<!没)有(?:东西|安排|课|事|别的)[^,，。;；]{0,4}[,，]?(?:那?就)"
    r"(?:算了|不[动移挪]|别[动移挪])[^,，。;；]*"
    r"|[,，;；]\s*(?:(?:如果|要是|若|只要|前提是)[^,，。;；]{0,8}没有?(?:别的)?(?:东西|安排|课|事|任务)"
    r"|[^,，。;；]{0,8}没有?(?:别的)?(?:东西|安排|课|事|任务)(?=的话))(?:的话)?",
    needed="unless|除非|有|没|nothing|no ",
)


def find_unless(message: str) -> str:
    """The words that make a move depend on nothing being on yet where it goes; empty for none."""
    found = _UNLESS.search(fold_text(message))
    return found.group() if found else ""


def divide_at_unless(message: str) -> list[str]:
    """The clauses of a message, with such words at the one in front of them; empty where it has none of them."""
    ahead, said, behind = fold_text(message).partition(find_unless(message) or "\n")
    *others, last = re.split(r"\s*[,，;；。]\s*(?:and )?", ahead)
    after = [one for one in re.split(r"\s*[,，;；。]\s*(?:and )?", behind) if one.strip()]
    return [*others, f"{last}{said}", *after] if said else []


def _within(first: PlaceTarget, then: PlaceTarget) -> PlaceTarget:
    """A weekday of no certain week as one of the week that was told before: the 8th, if Wednesday is full then on
    Thursday."""
    if first.week is None or not then.days or then.week is not None or then.run:
        return then if then.said else first
    return replace(first.then(then), week=first.week)


def _on_its_day(first: PlaceTarget, then: PlaceTarget) -> PlaceTarget:
    """A time of the day alone is one of the day that is tried first."""
    return first.then(then) if then.said and not then.dated else then


_CAN = re.compile(r"能|\b(?:can|could)\b")
"""Asks for room, not for where an item is."""


@dataclass(frozen=True)
class Condition:
    """What is to be done only if an item stands at a time: if chapter 2 is on a weekend, move it to Monday."""

    item: TaskView
    where: PlaceTarget
    said: str


_IF_AT = re.compile(
    r"(?:如果|要是|假如|若是?)(?P<zh>[^,，。;；]{2,30}?(?:在|是|排|放"
    r"|落)[^,，。;；]{1,16}?)(?:的话)?(?:[,，]\s*(?:那?就|则)?|那?就|则)"
    r"|\bif\s+(?P<en>[^,.;]{3,60}?)(?:,(?: then)?|(?=\b(?:move|put|push|shift|take|pull|bring|drop|make|reschedule)\b))"
)


def condition_in(message: str, brief: Brief) -> Condition | None:
    """The condition about where an item is; None where a message makes nothing depend on that."""
    text = fold_text(message)
    found = _IF_AT.search(text)
    said = (found["zh"] or found["en"]) if found else ""
    if found is None or says("no_room", said) or says("has_room", said) or _CAN.search(said):
        return None
    rows, where = items_in(said, brief), target_in(said, brief)
    rows = rows or (items_in(text.replace(found.group(), " ", 1), brief) if says("pronoun", said) else [])
    return Condition(rows[0], where, found.group()) if len(rows) == 1 and where.said else None


_PROVISOS = GuardedPattern(
    r"(?P<room>[^,，。;；]{0,4}(?:别的|其[他它余]|另外的)[^,，。;；]{0,6}可以[动移挪改换调][^,，。;；]*|(?:哪怕"
    r"|即使|就算|可以"
    r"|允许)?[^,，。;；]{0,6}(?:别的|其[他它余]|另外的)[^,，。;；]{0,10}"
    r"(?:让[路位开一]|腾|没关系|无所谓|也行|也可以|随便|不要紧)[^,，。;；]*"
    r"|(?:哪怕|即使|就算|可以|允许)[^,，。;；]{0,6}[动挪移换改](?:一下|动|走)?(?:别的|其[他它余]|另外的)[^,，。;；]*"
    r"|\b(?:even (?:if|when)|you (?:can|may)|feel free to|it's (?:ok(?:ay)?|fine)|(?:i )?don't (?:mind|care))\b"
    r"[^,.;]*\b(?:others?|else|stuff|things)\b[^,.;]*)"
    r"|(?P<alone>(?:前提是|只要|条件是|但是?|不过)?(?:[^,，。;；]{0,4}(?:别的|其[他它余]"
    r"|另外的)[^,，。;；]{0,8}(?:不|别|没)[^,，。;；]{0,3}[动变移挪改碰]"
    r"|[^,，。;；]{0,6}(?:不要?|别|没有?)(?:再)?(?:影响|[动碰挪改移])到?(?:别的|其[他它余]|另外的))[^,，。;；]*"
    r"|\b(?:but )?(?:only if|[as]o? long as|as long as|provided(?: that)?|if|without|don't|not)\b[^,.;]*?"
    r"\b(?:(?:nothing|anything|everything|no one) else|no other|(?:the )?others?|(?:the|my) rest)\b[^,.;]*)"
    r"|(?P<fits>(?:如果|要是|只要|假如)?(?:还|真的)?(?:(?:能|可以)?[放排塞装挪移](?:得[下进了])?|可以|行|可能"
    r"|有(?:空|地方|位置))的话"
    r"|(?:如果|要是|只要|假如)(?:还|真的)?(?:(?:能|可以)[放排塞装挪移][下进到]?|[放排塞装]得[下进]|可以|行)(?=$"
    r"|[,，。;；])"
    r"|能[放排挪移塞]就[放排挪移塞](?![^,，。;；]*[到在])"
    r"|\b(?:only )?(?:if|as long as|provided|when)\s+(?:it|that|there|they|you|this)?(?:'s|'re| is| are)?\s*"
    r"(?:still |even |at all )*"
    r"(?:fits?|possible|room|space|doable|can|able)\b(?: to)?(?: (?:do|manage|make) (?:it|that|so))?)"
    r"|(?P<leave>(?:要是|如果|实在)?(?:不行|不可以|放不下|排不下|塞不下|没位置|没地方"
    r"|没空)(?:的话)?[,，]?(?:那?就)?(?:算了|不动|别动|放着|留着|拉倒|作罢)[^,，。;；]*"
    r"|(?:别|不要?)(?:硬来|勉强|硬塞|强求)"
    r"|\b(?:otherwise|or else|else|if (?:not|it (?:doesn't|won't|can't|isn't)[^,.;]*|that's not[^,.;]*))[, ]+(?:then )?"
    r"(?:just )?(?:leave|forget|keep|never mind|skip|don't)\b[^,.;]*)",
    needed="别的|其[他它余]|另外的|的话|如果|要是|只要|假如|就|算了|[不别]动|[放留]着|拉倒|作罢|硬来|硬塞|勉强|强求"
    "|other|else|stuff|things|rest|if|as long as|provided|when",
)
"""Under what a change is wanted: 前提是别的都不动, even if others have to move, if it still fits, 不行就算了."""


_ONLY_IF = re.compile(r"前提|只要|条件|只有|\b(?:if|long as|provided)\b")


@dataclass(frozen=True)
class Proviso:
    """Whether others may move for a change, whether all stays where it is not possible, and the words taken."""

    room: bool
    leave: bool
    said: tuple[str, ...]


def proviso_in(message: str) -> Proviso | None:
    """Under what a message wants its change; None where it names nothing of the kind."""
    found = list(_PROVISOS.finditer(fold_text(message)))
    kinds = {match.lastgroup for match in found}
    if not found:
        return None
    only = any(match["alone"] and _ONLY_IF.search(match["alone"]) for match in found)
    leave = only or bool(kinds & {"fits", "leave"})
    return Proviso("room" in kinds, leave, tuple(match.group().strip() for match in found))


def without_proviso(message: str) -> str:
    """A message without the words under what its change is wanted."""
    return _PROVISOS.sub(" ", fold_text(message)) if _PROVISOS.search(fold_text(message)) else message


@dataclass(frozen=True)
class Relation:
    """Where an item is to go as another one tells: before or behind it, right behind or in front of it, on its day, on
    another day."""

    item: TaskView
    side: Side
    other: TaskView
    days: int = 0
    """Of a gap: at least so many days."""


_DAY = re.compile(r"同1天|同一天|同天|那1?天(?!的?(?:[之以]?[后前]|下|第))|\b(?:the )?same day\b|\bthe day of\b")
_APART = re.compile(r"分开|不同的?(?:天|日子)|\b(?:different|separate) days\b")
_NOT = re.compile(r"不|别|\b(?:not|\w+n't)\b")
_SIDES: dict[Side, re.Pattern[str]] = {
    "before": re.compile(
        r"先.{1,24}?[,，]?再|\b(?:before|ahead of|prior to|earlier than)\b|.{1,20}?(?:之前|前面|以前|前头)"
    ),
    "after": re.compile(r"\b(?:after|behind|following|later than)\b|.{1,20}?(?:之后|后面|以后)"),
}
_GAP = re.compile(
    r"(?:至少|起码|最少|不少于)(?:要|得|隔|差|有|晚|早)*\s*(\d{1,2})\s*天|[隔差]开?\s*(\d{1,2})\s*天以上"
    r"|\bat least (\d{1,2}) days?\b(?! (?:later|earlier|a))|\b(\d{1,2}) days? apart\b"
)
_PIECES = re.compile(
    r"[,，、]|[放排移挪]?[在到]|离|距|隔|再|先|比|和|与|跟"
    r"|\b(?:before|after|ahead of|prior to|behind|following|than|as|and|with)\b"
)


def relation_in(message: str, brief: Brief) -> Relation | None:
    """The relation of two items that a message wants: of two classes, or of their days."""
    text = re.sub(r"\b(?:an?|one)(?= days?\b)", "1", spell_out_ordinals(fold_numbers(message)))
    side = _side_in(text)
    if side is None:
        return None
    pieces = [rows for piece in _PIECES.split(text) if (rows := items_in(piece, brief))]
    rows = [found[0] for found in pieces if len(found) == 1]
    if len(rows) == len(pieces) == 1 and says("pronoun", fold_text(message)):
        rows = [*spoken_of(brief), *rows]
    if len(rows) != 2 or rows[0] == rows[1] or len(pieces) > 2:
        return None
    if (gap := _GAP.search(text)) and target_in(text.replace(gap.group(), " "), brief).said:
        return None
    if gap:
        return Relation(rows[0], "gap", rows[1], int(next(filter(None, gap.groups()))))
    if side in ("before", "after") and rows[0]["class_id"] == rows[1]["class_id"]:
        return None
    return Relation(rows[0], side, rows[1])


def _side_in(text: str) -> Side | None:
    if _GAP.search(text):
        return "gap"
    if _APART.search(text):
        return "apart"
    if _DAY.search(text):
        return "apart" if _NOT.search(text) else "same_day"
    return next((side for side, said in _SIDES.items() if said.search(text)), None)
