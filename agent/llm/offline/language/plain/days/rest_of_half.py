"""What is left of an item that was half done, as the item itself: halfway through matrices, the rest on Friday."""

from __future__ import annotations

import re

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.dialogue.pointing.same_for_others import find_names_run
from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.normalize import fold_numbers, fold_text
from agent.llm.offline.language.paraphrase.names import find_shortened
from agent.llm.offline.language.spans.mentions import items_in

_CLAUSE = re.compile(r"\s*(?:[,，;；。.!！]|\s[-–—]\s)+\s*(?:(?:and|so|but|then|please)\s+)*|\s+(?:and|so|but) (?=\w)")
_REST = re.compile(
    r"(?:剩下|剩余|余下|没[学做看]完|另外|另|后)的?(?:那)?(?:[一1]?半|部分|内容)(?:的)?|(?:剩下|剩余|余下)的?(?!章|项|那?几|任务|其)"
    r"|\b(?:the )?(?:other|second|remaining) (?:half|part|bit)\b|\bthe (?:rest|remainder)(?: of it)?\b(?! of\b)"
    r"|\b(?:finish|complete|continue) (?:it|that)\b|\bwhat(?:'s| is) left(?: of it)?\b"
    r"|^rest\b"
)
"""What is left, where nothing else is named."""
_MOVED = re.compile(
    r"[放排挪移推延改安补换]|找[^,，]{0,4}(?:时间|位置|地方|空)|(?:another|other) (?:day|time)"
    r"|\b(?:put|move|go|do|find|schedule|plan|place|push|shift|rest)\b|\d|周|明|后天"
)
_HALF = re.compile(r"一半|半|\b(?:half|halfway|partly|partially)\b")


def name_what_is_left(message: str, brief: Brief) -> tuple[str, str]:
    """The item that a message tells to be half done, and what it wants of the rest with the item named there; empty
    where it tells no such thing."""
    clauses = [clause for clause in _CLAUSE.split(message) if clause]
    for at, clause in enumerate(clauses[1:], start=1):
        rest, name = _REST.search(clause.lower()), _find_half(", ".join(clauses[:at]), brief)
        if rest is None or not name or not _MOVED.search(clause.lower()) or items_in(clause, brief):
            continue
        joint = " " if name.isascii() else ""
        behind = clause[rest.end() :].lstrip()
        wanted = f"{clause[: rest.start()]}{name}{joint if behind else ''}{behind}"
        return name, ", ".join([wanted, *clauses[at + 1 :]])
    return "", ""


_REST_IN_FRONT = re.compile(r"\b(?:the )?(?:rest|remainder|remaining (?:half|part)|other half|second half) of $")
_REST_BEHIND = re.compile(r"的?(?:剩下|剩余|余下|没[学做看]完|后[一1]?半)的?(?:那?[一1]?半|部分|内容)?")


def drop_rest_of_item(message: str, brief: Brief) -> str:
    """A message with one item in the place of what is left of it: an item is moved as a whole."""
    text = fold_numbers(message)
    at = find_names_run(text, brief) if len(items_in(message, brief)) == 1 else None
    front = _REST_IN_FRONT.search(text[: at[0]]) if at else None
    behind = _REST_BEHIND.match(text, at[1]) if at else None
    if at is None or not (front or behind) or (behind and not (text[: at[0]] + text[behind.end() :]).strip(" 。.!！")):
        return message  # nothing is wanted of it: 第四章没做完 tells how far it is
    return text[: front.start() if front else at[0]] + text[slice(*at)] + text[behind.end() if behind else at[1] :]


def _find_half(done: str, brief: Brief) -> str:
    """The one item that the words in front tell to be half done."""
    text = fold_text(done)
    if not (_HALF.search(text) or says("partly", text)):
        return ""
    names = [row["name"] for row in brief.tasks]
    told = {row["name"] for row in items_in(done, brief)} or {*find_shortened(done, (), names)}
    return told.pop() if len(told) == 1 else ""
