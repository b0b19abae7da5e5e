"""Clauses that want nothing beside one that does: that nothing was on then, or what is done first until then."""

from __future__ import annotations

import re

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.normalize import fold_text
from agent.llm.offline.language.paraphrase.frames import Frame, frame_of
from agent.llm.offline.language.spans.items.groups import takes_everything
from agent.llm.offline.language.spans.items.mention_signs import find_mentioned
from agent.llm.offline.language.spans.mentions import classes_in, find_pieces, items_in
from agent.llm.offline.language.spans.times.reading import read_times

_CLAUSE = re.compile(r"\s*[,，;；。!！~]+\s*")
_NOTHING_WAS = re.compile(
    r"(?:今天|昨天|前天|这两天|上周|周末|刚才|最近)?(?:好像|我|也|其实|都)*(?:没有?|无)(?:啥|什么|排|安排)*(?:任务|安排|事情?|课|内容)[^,，]{0,3}"
    r"|(?:there (?:was|were|wasn't|weren't)|had|i had|didn't have|i didn't have)? ?(?:nothing|anything|no tasks?)"
    r"(?: (?:much|on|planned|to do|scheduled|at all))* ?(?:yesterday|today|on \w+day|last week|i think|was it)*"
)
"""That there was nothing to do at some time."""
_FIRST = re.compile(
    r"(?:我|那|就|想|打算|要|准备|还是|等)*先(?!排|别|不|把[^,，]{1,10}[移挪放排])(?:把)?[^,，]{0,10}?[学搞看弄做背啃攻忙][^,，]{0,10}"
    r"|(?:i'll|i will|i want to|i'd like to|let me|let's|want to|going to|just)* ?(?:do|doing|study|studying"
    r"|focus on|get through"
    r"|concentrate on|tackle|start with)\b[^,]{1,40}\bfirst\b(?: of all)?|(?:starting|beginning) with [^,]{1,40}"
)
"""What one does first."""
_LATER = re.compile(
    r"(?:再|才)开始|开始就行|取消|移出|拿[掉走]|去掉|不[排学做要]了?|往后|推[迟后]|[日号周一二三四五六]开始"
    r"|\b(?:start\w*|begin\w*|cancel\w*|take .{2,40}\bout|drop|remove|postpone|push)\b"
)
"""What is wanted of the other until then."""


_VERB = (
    r"(?:删|移除|移[出走]|拿[掉走]|[去撤抽]掉|取消|交换|对调|互换|换(?![成个到为在])|改名|重命名|延长|缩短|加长)",
    r"(?:delete|remove|drop|unschedule|unplan|unplace|take out|swap|switch|rename|cancel|scrap|lengthen|shorten|extend"
    r"|make\b[^,.;]*\b(?:longer|shorter))\b",
)
_DENIED_CHANGE = re.compile(
    rf"(?:(?<![分特级类个])别|不(?:要|用|必|想|需要|准|许))(?:再|去|给我|把[^,，。;；]{{1,12}}?)*{_VERB[0]}"
    r"|\b(?:don't|dont|do not|never|not|shouldn't)(?: (?:want|wanna|need|have|to|go|ever|please|just|you|dare))* "
    rf"{_VERB[1]}"
)
_DENIED_TO = re.compile(
    r"(?:(?<![分特级类个])别|不(?:要|用|必|想|需要))(?:再|给我|把[^,，。;；]{1,12}?)*[移挪换改调推搬][到去](?!后|前)"
    r"|\b(?:don't|dont|do not|never|shouldn't)(?: (?:want|have|to|ever|please|just|you))* "
    r"(?:move|shift|push|go|bring|postpone)\b[^,.;]*\bto\b"
)
_TAKEN_BACK = re.compile(
    r"(?<=[^\s,，])[?？,，.。;；…\s]+(?:no|wait|hm+|actually|sorry|oh|还是|等等|哦|啊|[,，\s])*"
    r"(?:don't|dont|do not|别了?|不要了?|算了)\W*$"
)
"""A change that is denied, and one that is taken back in the same breath."""


def read_denied(text: str, brief: Brief) -> list[Frame]:
    """That what is named stays as it is: don't delete chapter 3; swap chapter 1 and 2? no, don't."""
    back = _TAKEN_BACK.search(text)
    clauses = [one for one in _CLAUSE.split(text) if one.strip(" ?？.")]
    denied = _DENIED_CHANGE.search(text) or _DENIED_TO.search(text)
    alone = denied and len(clauses) == 1 and not re.search(_VERB[1], text[: denied.start()])
    if not (back or alone) or says("question", text):
        return []
    names = [row["name"] for row in find_mentioned(text, brief)]
    if not names and takes_everything(text):
        names = ["everything" if text.isascii() else "全部"]
    names = names or [row["name"] for row in brief.classes if row["id"] in classes_in(text, brief.classes)]
    timed = not back and read_times(text, brief.term) and not _DENIED_TO.search(text)
    return [frame_of("leave_items", {"items": tuple(names)})] if names and not timed else []


_NOT = r"(?:does|do|will|ca|can|could|wo)(?:n['’]?t|not| not)"
_THOSE = r"(?:what(?:ever)?|any(?:thing| of (?:it|them))?|things|stuff|those|the ones?|some(?:thing)?|it|they|one)"
_STAYS = r"(?:leave|stays?|skip|keep|forget|remains?|drop that)"
_WITHOUT_ROOM = re.compile(
    r"[,，。;；]\s*(?:但|要是|如果|实在|万一|有)*(?:[放排塞装挤挪]不(?:下|进去?|了|过去)|不行|没(?:有)?(?:位置|地方|空))(?:的话|的)?[,，]?"
    r"(?:那|就|都|先)*(?:算了|[不别]用?[动管挪移]|[放留]着|留(?:在)?原[处地位]|保持原样|拉倒|作罢|跳过)[吧了]*(?=$|[,，。;；!！])"
    rf"|[,.;]\s*(?:and |but )?(?:(?:if )?{_THOSE} (?:that |which )?{_NOT} (?:fit|work|go)(?: in| there)?,? "
    rf"(?:can |may |should |just |then )*{_STAYS}|{_STAYS} (?:about )?{_THOSE} (?:that |which )?{_NOT} (?:fit|work|go))"
    r"(?: (?:it|them|that|those|there|in|alone|where|is|are|they|be|as))*(?=$|[,.;!])",
    re.IGNORECASE,
)
"""That what finds no room stays where it is, which it does anyway."""


def without_remarks(message: str, brief: Brief) -> str:
    """A message without such clauses; as it is where nothing would be left of it."""
    rest = _WITHOUT_ROOM.sub("", message)
    message = message if find_mentioned(rest, brief) else rest
    clauses = [clause for clause in _CLAUSE.split(message) if clause]
    kept = [_find_subject(clause, brief) if _wants_nothing(clause, clauses, brief) else clause for clause in clauses]
    if any(clause != own and _FIRST.search(fold_text(clause)) for clause, own in zip(clauses, kept, strict=True)):
        kept = [_CALLED_OFF.sub("移出计划", clause) for clause in kept]
    rest = "，".join(filter(None, kept)).replace(_OF, "")
    return rest if rest and kept != clauses and any(kept) else message


_CALLED_OFF = re.compile(r"(?:都|先|就|暂时)*(?:取消掉?|不[排学做要背看])(?:了|吧)*(?=$|[,，])")
"""That the others wait until then, and are not gone from their class."""
_OF = "\u2063，"
"""Between a class and what is wanted of it."""


def _find_subject(clause: str, brief: Brief) -> str:
    """The class that a clause tells first, which is that of the next one as well; empty where it tells none there."""
    names = tuple(row["name"] for row in brief.classes)
    piece = next((one for one in find_pieces(clause, names) if clause.startswith(one)), "")
    return f"{piece}\u2063" if piece and _FIRST.fullmatch(clause[len(piece) :]) else ""


def _wants_nothing(clause: str, clauses: list[str], brief: Brief) -> bool:
    text = fold_text(clause).strip(" .。")
    others = [fold_text(one) for one in clauses if one is not clause]
    if _NOTHING_WAS.fullmatch(text):
        told = any(says(one, other) for one in ("finished", "partly") for other in others)
        return told and not items_in(clause, brief)
    if _DENIED_CHANGE.search(text) and not read_times(clause, brief.term):
        return any(items_in(one, brief) for one in others)
    until = any(_LATER.search(one) for one in others) and not _LATER.search(text)
    first = _FIRST.fullmatch(text) is not None or _find_subject(text, brief) != ""
    return until and first and not read_times(clause, brief.term)


_PINNED = re.compile(
    r"(?:把|将)?(?P<zh>(?!取消)[^,，。;；把将]{1,16}?)(?:先|给我)*(?:锁定|锁住|钉住|钉死)(?:了|吧)*(?=[,，;；。]\s*\S)"
    r"|\b(?:lock|pin) (?P<en>(?!(?:[^,.;]* )?(?:on|to|at|in)\b)[^,.;]{2,40}?)(?=[,;] ?\S| and | but )",
    re.IGNORECASE,
)


def keep_pinned(message: str) -> str:
    """A message in which what is to be pinned stays where it is, for what else is wanted beside it."""
    return _PINNED.sub(lambda one: f"{one['zh']}不动" if one["zh"] else f"leave {one['en']} alone", message)
