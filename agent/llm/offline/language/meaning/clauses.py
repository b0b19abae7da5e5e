"""The clauses of a message, each with what it is meant for by itself, the items that are to stay, and later questions
about what the first one names."""

from __future__ import annotations

import re

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.meaning.aims import aims_of
from agent.llm.offline.language.meaning.whether import asks_whether
from agent.llm.offline.language.normalize import fold_text
from agent.llm.offline.language.remember import remember_found
from agent.llm.offline.language.spans.classes.class_times import find_owners
from agent.llm.offline.language.spans.conditions.suppositions import ACTS, read_supposition
from agent.llm.offline.language.spans.items.arrangements import read_spared
from agent.llm.offline.language.spans.items.mention_signs import find_mentioned
from agent.llm.offline.language.spans.items.spoken import named_items
from agent.llm.offline.language.spans.mentions import all_items, blank_names, classes_in, items_in, said_names
from agent.loop.view_document import TaskView

BREAK = re.compile(
    r"[,，;；。!！?？\n]+\s*|\.(?:\s+|$)|\s+(?:and|but)\s+(?=\w)|\s*(?:但是?|不过)\s*|\s+(?=(?:except|apart from)\b)"
    r"|\s+(?=without (?:mov|touch|chang|shift|reschedul)\w*)"
)
SURE = 0.75
"""The probability from which a clause alone is taken for what it is likeliest meant for."""
_OTHERS = re.compile(
    r"其[他余它]|剩下|另外的|别的|\b(?:others?|(?:the )?(?:rest|remaining)|(?:nothing|anything|everything) else)\b"
)
_ALONE = re.compile(
    r"只(?:许|准|能|可以?)?(?:[动移挪改调换])(?!到|去|成|在)"
    r"|\bonly (?:move|touch|change|shift)\b"
    r"|\bonly (?:the |my )?[\w -]{1,24}? (?:(?:may|can|should|get to) )?(?:move|change)s?\b"
)
"""只动实验, only the labs move: all others stay."""

_WITHOUT = re.compile(r"without (?:mov|touch|chang|shift|reschedul)\w*")
_EXCEPT = re.compile(
    r"^(?:除[了非]?|不包括|不算)|(?:除外|例外|以外|不算)$|^(?:except|apart from|but not|other than|not counting)\b"
)
_ALLOWS = re.compile(r"(?<!不)(?:可以|能|行|没问题|照旧|照常)|\b(?:fine|ok(?:ay)?|can|still possible|as usual)\b")


def clauses_of(message: str) -> list[str]:
    return [clause for clause in map(str.strip, BREAK.split(message)) if clause]


def aim_of(clause: str, brief: Brief) -> str:
    """The label of a clause alone; empty where the classifier is not sure."""
    label, chance = aims_of(clause, brief)[0]
    return label if chance >= SURE else ""


def tells_stayers(clause: str, brief: Brief) -> bool:
    """Whether a clause only tells what is to stay."""
    text = fold_text(clause)
    if _WITHOUT.match(text):
        return True
    return (aim_of(clause, brief) == "keep" and not says("extract", text)) or _ALONE.search(text) is not None


def without_stayers(message: str, brief: Brief) -> str:
    """A message without the clauses that only tell what is to stay."""
    for clause in clauses_of(message):
        if tells_stayers(clause, brief) or _spares(clause, brief):
            message = message.replace(clause, " ")
    return message.strip(" ,，;；。.")


def _spares(clause: str, brief: Brief) -> bool:
    """Whether a clause leaves a class or an item out of what is said before it: except vocab, 六级可以在路上背."""
    text = blank_names(fold_text(clause), [row["name"] for row in (*brief.classes, *all_items(brief))])
    return (_EXCEPT.search(text) or _ALLOWS.search(text)) is not None and bool(_items_of(clause, brief))


def find_stayers(brief: Brief) -> list[TaskView]:
    """The items that the request wants to stay where they are: 第1章不动, only the labs move, except vocab."""
    clauses = clauses_of((brief.whole or brief).request)
    keeping = [clause for clause in clauses if tells_stayers(clause, brief) and not _ALONE.search(fold_text(clause))]
    alone = [clause for clause in clauses if clause not in keeping and _ALONE.search(fold_text(clause))]
    told = [row for clause in keeping if not _OTHERS.search(fold_text(clause)) for row in _items_of(clause, brief)]
    told += read_spared((brief.whole or brief).request, brief)
    told += [row for clause in clauses[1:] if _spares(clause, brief) for row in _items_of(clause, brief)]
    if any(_OTHERS.search(fold_text(clause)) for clause in keeping) or alone:
        rest = [clause for clause in clauses if clause not in keeping]
        free = [row for clause in alone or rest for row in _items_of(clause, brief)]
        told += [row for row in brief.tasks if row not in free] if free else []
    return [row for row in brief.tasks if row in told and row["slot"]]


def _items_of(clause: str, brief: Brief) -> list[TaskView]:
    """The items that a clause names one by one, else those of the classes that it names."""
    named = find_mentioned(clause, brief) or items_in(clause, brief)
    owners = find_owners(clause, brief) if not named else []
    return named or [row for row in brief.tasks if row["class_id"] in owners]


_ASKED = re.compile(
    r"哪|什么|啥|几(?!乎)|多少|多久|吗|有没有|是不是|会不会"
    r"|^(?:(?:so|and|hey|ok|also|btw|then),? )*(?:what|which|when|where|how (?:many|much|long|far)|is|are|do"
    r"|does|did|can|could)\b"
)
_BETWEEN = re.compile(
    r"[?？]+\s*|(?<=[一-鿿])\s+(?=[一-鿿])|[,，;；]\s*(?:还有|另外|以及|顺便问下?|那么?|然后)?(?=[^,，;；?？]*(?:哪|什么|啥|几|多少|多久|吗|有没有|是不是|会不会))"
    r"|,? and (?:also )?(?=(?:what|which|when|where|how|is|are|do|does|did|can|could)\b)"
    r"|, (?:also )?(?=(?:what|which|when|where|how (?:many|much|long|far)|(?:can|could) (?:it|i|you))\b)",
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
    pieces = [piece for piece in pieces if not _HAIL.fullmatch(piece.lower())]
    if len(pieces) < 2 or len(message) > _LONGEST or _SUPPOSES.search(text) or ACTS.search(text):
        return []
    points = any(_IT.search(fold_text(piece)) for piece in pieces[1:]) and not _names_any(pieces[0], brief)
    if points or not all(map(_asks, pieces)) or read_supposition(message, brief) is not None:
        return []
    ask = brief.say("？", "?")
    return share_subject([f"{piece}{ask}" for piece in pieces], brief)


_HAIL = re.compile(r"在[吗么嘛]|(?:are )?(?:you|u) there")
"""What looks like a question and asks nothing."""


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
