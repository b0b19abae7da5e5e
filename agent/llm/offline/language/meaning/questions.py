"""Several questions in one message, each as a question of its own: which ends first, and which has most left?

A later one that names nothing is about the class of the first.
"""

from __future__ import annotations

import re

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.meaning.whether import asks_whether
from agent.llm.offline.language.normalize import fold_text
from agent.llm.offline.language.remember import remember_found
from agent.llm.offline.language.spans.conditions.suppositions import ACTS, read_supposition
from agent.llm.offline.language.spans.items.spoken import named_items
from agent.llm.offline.language.spans.mentions import all_items, classes_in, items_in, said_names

_ASKED = re.compile(
    r"哪|什么|啥|几(?!乎)|多少|多久|吗|有没有|是不是|会不会"
    r"|^(?:(?:so|and|hey|ok|also|btw|then),? )*(?:what|which|when|where|how (?:many|much|long|far)|is|are|do"
    r"|does|did)\b"
)
_BETWEEN = re.compile(
    r"[?？]+\s*|(?<=[一-鿿])\s+(?=[一-鿿])|[,，;；]\s*(?:还有|另外|以及|顺便问下?|那么?|然后)?(?=[^,，;；?？]*(?:哪|什么|啥|几|多少|多久|吗|有没有|是不是|会不会))"
    r"|,? and (?:also )?(?=(?:what|which|when|where|how|is|are|do|does|did)\b)"
    r"|, (?:also )?(?=(?:what|which|when|where|how (?:many|much|long|far))\b)",
    re.IGNORECASE,
)
_SUPPOSES = re.compile(r"如果|要是|假如|的话|不然|还是|\b(?:if|suppose|otherwise|would|should|why)\b")
_IT = re.compile(r"它们?|那门课?|这门课?|(?:in|of|for) (?:it|that one|them)\b|\b(?:it|they)\b")
_ANY = re.compile(r"(?:啥|什么|哪[里儿天]?)(?=[都也])|[那这]几")
"""Words of questions that ask nothing: 啥都不排, 那几天."""
_LONGEST = 160


@remember_found
def divide_questions(message: str, brief: Brief) -> list[str]:
    """The questions of a message that asks several and nothing else; none for any other."""
    text = fold_text(message)
    pieces = [piece for one in _BETWEEN.split(message) if (piece := one.strip(" ,，.。!！"))]
    if len(pieces) < 2 or len(message) > _LONGEST or _SUPPOSES.search(text) or ACTS.search(text):
        return []
    points = any(_IT.search(fold_text(piece)) for piece in pieces[1:]) and not _names_any(pieces[0], brief)
    if points or not all(map(_asks, pieces)) or read_supposition(message, brief) is not None:
        return []
    ask = brief.say("？", "?")
    return share_subject([f"{piece}{ask}" for piece in pieces], brief)


def share_subject(pieces: list[str], brief: Brief) -> list[str]:
    """The pieces of a message with the class or the items of the first in the later questions that name nothing."""
    first, *rest = pieces
    own = classes_in(first, brief.classes) if said_names(fold_text(first), brief) else []
    names = [row["name"] for row in named_items(first, brief)] or [
        row["name"] for row in brief.classes if [row["id"]] == own
    ]
    name, goes_on = brief.say("和", " and ").join(names), _asks(first)
    return [
        first,
        *(
            put_subject(one, name, brief) if name and _asks(one) and (goes_on or _IT.search(one)) else one
            for one in rest
        ),
    ]


def _asks(piece: str) -> bool:
    piece = _ANY.sub(" ", piece.lower())
    return _ASKED.search(piece) is not None or asks_whether(piece)


def _names_any(text: str, brief: Brief) -> bool:
    return bool(said_names(fold_text(text), brief) or items_in(text, brief, among=all_items(brief)))


def put_subject(question: str, name: str, brief: Brief) -> str:
    """A question that names nothing itself, of the class of this name."""
    if _names_any(question, brief):
        return question
    if not question.isascii():
        return f"{name}{_IT.sub('', question)}"
    found = _IT.search(question)
    if found is None:
        return f"{question.rstrip(' ?')} in {name}?"
    behind = found.group().split(" ")[0] + " " if " " in found.group() else ""
    return f"{question[: found.start()]}{behind}{name}{question[found.end() :]}"
