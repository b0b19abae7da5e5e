"""Clauses that want nothing beside one that does: that nothing was on then, or what is done first until then."""

from __future__ import annotations

import re

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.normalize import fold_text
from agent.llm.offline.language.spans.mentions import find_pieces, items_in
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


def without_remarks(message: str, brief: Brief) -> str:
    """A message without such clauses; as it is where nothing would be left of it."""
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
    until = any(_LATER.search(one) for one in others) and not _LATER.search(text)
    first = _FIRST.fullmatch(text) is not None or _find_subject(text, brief) != ""
    return until and first and not read_times(clause, brief.term)
