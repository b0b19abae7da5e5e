"""Items of a class that are counted from its beginning or its end: 最后两个单元, the first three chapters; and items of
which one is meant: chapter 2 or 3."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.dialogue.slots import find_spans
from agent.llm.offline.language.normalize import fold_numbers, fold_text
from agent.llm.offline.language.remember import remember_of_plan
from agent.llm.offline.language.spans.mentions import KINDS, all_items, classes_in, find_pieces, items_in
from agent.loop.view_document import TaskView

_KIND = r"章节?|单元|实验|讲|课|项|个|部分|chapters?|units?|labs?|lectures?|lessons?|parts?|items?|ones?"
COUNTED = re.compile(
    rf"(?P<zh>最后|末尾|后|最前|前|开头)面?的?\s*(?P<zh_n>\d{{1,2}})\s*个?(?P<zh_kind>{_KIND})"
    rf"|\b(?P<en>last|final|first) (?:(?P<en_n>\d{{1,2}}) |(?!items?|ones?|parts?))(?P<en_kind>{_KIND})\b"
)


def find_counted_items(message: str, brief: Brief) -> list[TaskView]:
    """The items so counted, of the class that is named or the only one with such items; empty when none is meant."""
    text = fold_numbers(message)
    match = COUNTED.search(text) or COUNTED.search(_without_classes(text, brief))
    if match is None:
        return []
    count, kind = int(match["zh_n"] or match["en_n"] or 1), match["zh_kind"] or match["en_kind"]
    pool = of_kind(kind, all_items(brief))
    named = classes_in(message, brief.classes)
    owners = [row["id"] for row in brief.classes if any(item["class_id"] == row["id"] for item in pool)]
    meant = [class_id for class_id in owners if class_id in named] or owners
    if len(meant) != 1:
        return []
    own = sorted((item for item in pool if item["class_id"] == meant[0]), key=lambda item: item["order"])
    ahead = (match["zh"] or match["en"]) in ("最前", "前", "开头", "first")
    return own[:count] if ahead else own[-count:]


def name_counted_anew(message: str, brief: Brief) -> str:
    """A message that gives a name with what it counts by the name that it has: rename the last lab."""
    rows, told = (find_counted_items(message, brief), fold_numbers(message)) if _RENAMES.search(message) else ([], "")
    if (
        len(rows) == 1
        and (counted := COUNTED.search(told))
        and not classes_in(message[: counted.start()], brief.classes)
    ):
        told = message if len(message) == len(told) else told  # a new name as it was written
        return f"{told[: counted.start()].removesuffix('the ')}{rows[0]['name']}{told[counted.end() :]}"
    return message


_RENAMES = re.compile(r"\brename\b|改名|重命名", re.IGNORECASE)
"""What gives a name to what is counted, or to its class."""


def _without_classes(text: str, brief: Brief) -> str:
    """A text without the names of classes, which may stand before what is counted: the last two probability labs."""
    for row in brief.classes:
        for piece in find_pieces(text, (row["name"],), fold_numbers):
            text = text.replace(piece, " ")
    return re.sub(r"\s+", " ", text)


_KIND_WORDS = tuple((kinds, re.compile(rf"(?<![a-z])(?:{'|'.join(kinds)})(?:e?s)?(?![a-z])")) for kinds in KINDS)


def of_kind(said: str, items: list[TaskView]) -> list[TaskView]:
    """The items of the kind that a text says, all of them where it says none."""
    for kinds, form in _KIND_WORDS:
        if form.search(said):
            return [row for row in items if any(kind in fold_text(row["name"]) for kind in kinds)]
    return items


_OR = re.compile(r"\s+or\s+|\s*或\s*")
_LISTED = re.compile(r"\s*[,，、]\s*")
_NOT = re.compile(r"不|别|\b(?:not|don't|without|nor|neither|except|whether)\b")


def name_alternatives(rows: Sequence[TaskView], brief: Brief) -> str:
    """The names of items of which one is meant."""
    return brief.say("或", " or ").join(row["name"] for row in rows)


@remember_of_plan
def find_alternatives(message: str, brief: Brief) -> tuple[tuple[TaskView, ...], str]:
    """The items of which a message means one, and its words for them; none where it names no such choice."""
    text = fold_text(message).replace("或者", "或")
    for one in find_spans(text, brief):
        said = text[one.start : one.end]
        if one.kind != "item" or not _OR.search(said) or _NOT.search(text[: one.start]):
            continue
        pieces = [piece for part in _OR.split(said) for piece in _LISTED.split(part) if piece]
        found = [items_in(piece, brief) for piece in pieces]
        if len(found) > 1 and all(len(rows) == 1 for rows in found):
            return tuple({rows[0]["state_id"]: rows[0] for rows in found}.values()), said
    return (), ""
