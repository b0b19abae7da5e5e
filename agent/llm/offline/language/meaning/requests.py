"""A message with several requests of different kinds, divided: 第3章改到周三，顺便看看周五有没有空.

A part begins where a word joins it to what is before, or where a sentence ends, and where its own words ask for
something of another kind. What only gives a reason or goes on about the same stays with its request.
"""

from __future__ import annotations

import re

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.meaning.grammar import OPERATIONS, Intent
from agent.llm.offline.language.meaning.intents import intent_of, told_intent
from agent.llm.offline.language.normalize import fold_text
from agent.llm.offline.language.spans.alternatives import alternatives_in, condition_in
from agent.llm.offline.language.spans.happenings import progress_in
from agent.llm.offline.language.spans.mentions import all_items, classes_in, items_in
from agent.llm.offline.language.spans.targets import target_in

_VERB = (
    r"(?:tell|show|let|check|is|are|am|what|when|where|how|why|add|delete|plan|move|take|put|swap|remove|mark|rename|keep"
    r"|shift|push|create|drop)\b"
)
_JOINT = re.compile(
    r"[,，;；、]?\s*(?:然后|接着|之?后再|顺便|顺带|另外|此外|还有就?是?|最后再?|并且?|同时|(?<=[,，;；])(?:再|也))(?!一)"
    r"|[,，;；]\s*(?=(?:帮我|给我|告诉我|看看|查一?下|把|将|要是|还有))|[。!！?？;；]\s*"
    r"|\s*[,;]?\s*\b(?:and then|and also|then(?= \w+ \w)|also|plus|besides|while you're at it,?)\s+"
    rf"|\s*[,;]?\s*\band (?={_VERB})|[,;] (?={_VERB})|[.!?;]\s+",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"[《「『“\"][^》」』”\"]*[》」』”\"]|```.*?(?:```|$)", re.DOTALL)
_MOST = 4
_LONGEST = 300
_TOGETHER: dict[Intent, str] = dict.fromkeys(OPERATIONS, "items") | {
    "swap": "swap",
    "class": "class",
    "mark": "happened",
    "replan": "happened",
}
_ALONE: tuple[Intent, ...] = (
    "move", "place", "remove", "swap", "show", "free", "load", "fits", "mark", "replan", "class", "build", "explain",
    "classes", "class_facts", "end_asked", "next", "past", "due", "wish", "delete_class", "optimise", "reasons", "undo",
)  # fmt: skip


def requests_in(message: str, brief: Brief) -> list[str]:
    """The requests of a message, each a part of its words; one for a message that asks for one kind of thing."""
    depends = alternatives_in(message, brief) or condition_in(message, brief)
    if depends is not None and intent_of(message, brief) in OPERATIONS:
        return [message]
    if says("that_day", fold_text(message)) and intent_of(message, brief) == "replan":
        return [message]
    if len(message) > _LONGEST or (intent_of(message, brief) in ("plan_first", "other") and not _JOINT.search(message)):
        return [message]
    if apart := _tells_of_each(message, brief):
        return apart
    found: list[tuple[str, str]] = []
    for piece in _divide(message):
        kind = _kind_of(piece, brief)
        if found and (not kind or kind == found[-1][0]):
            found[-1] = (
                found[-1][0],
                f"{found[-1][1]}，{piece}" if not piece.isascii() else f"{found[-1][1]}, {piece}",
            )
        elif found and not found[-1][0]:
            found[-1] = (kind, f"{found[-1][1]}，{piece}" if not piece.isascii() else f"{found[-1][1]}, {piece}")
        else:
            found.append((kind, piece))
    parts = [text for kind, text in found if kind]
    whole = len(found) < 2 or len(parts) < len(found) or len(found) > _MOST
    return [message] if whole or any(intent_of(text, brief) not in _ALONE for text in parts) else parts


def _divide(message: str) -> list[str]:
    """The pieces between the joints; what is quoted stays whole."""
    masked = _QUOTED.sub(lambda quoted: "x" * len(quoted.group()), message)
    pieces, begin = [], 0
    for joint in _JOINT.finditer(masked):
        pieces.append(message[begin : joint.start()])
        begin = joint.end()
    return [piece.strip() for piece in (*pieces, message[begin:]) if piece.strip()]


def _tells_of_each(message: str, brief: Brief) -> list[str]:
    """实验二做完了，第2章只看了一半: each clause its own item and what became of it."""
    pieces = [piece.strip() for piece in re.split(r"[,，;；]|但是?|不过|\bbut\b", message) if piece.strip()]
    kinds = [_kind_of(piece, brief) for piece in pieces]
    apart = len(pieces) > 1 and all(kind.startswith("mark:") for kind in kinds) and len(set(kinds)) == len(kinds)
    return pieces if apart else []


def _kind_of(piece: str, brief: Brief) -> str:
    """What a piece asks for by its own words; empty when it only goes on about what is before."""
    intent = told_intent(piece, brief)
    if intent == "undo":
        return intent
    if intent not in _ALONE or not _is_about_something(piece, brief):
        return ""
    return f"mark:{progress_in(piece)}" if intent == "mark" else _TOGETHER.get(intent, intent)


def _is_about_something(piece: str, brief: Brief) -> bool:
    """Whether a piece names an item, a class or a time of its own."""
    items = items_in(piece, brief) or items_in(piece, brief, among=all_items(brief))
    return bool(items) or bool(classes_in(piece, brief.classes)) or target_in(piece, brief).said
