"""Which items a message means that does not name them one by one: pronouns, and several items in one sentence."""

from __future__ import annotations

import re

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.meaning.ellipsis import names_something, says_it
from agent.llm.offline.language.meaning.intents import intent_of
from agent.llm.offline.language.normalize import fold_numbers, fold_text
from agent.llm.offline.language.spans.alternatives import relation_in
from agent.llm.offline.language.spans.groups import EXCEPTION, find_group, find_place_for_one, stands_there
from agent.llm.offline.language.spans.mentions import STATE_ID, classes_in, items_in, without_refusals
from agent.llm.offline.language.spans.spoken import UNIT, named_items, spell_out_ordinals, spoken_of
from agent.llm.offline.language.spans.targets import shift_in, target_in
from agent.loop.view_document import TaskView

_CLAUSE = re.compile(r"[,，;；。\n]|然后|接着|再把|\b(?:and then|then)\b|\.(?:\s|$)")
_AND_ALSO = re.compile(r"和|与|跟|以及|\band\b")
_FOR_ALL = re.compile(r"\s*(?:都|全|一律|\ball\b|\bboth\b|\beach\b)")
"""What is said of all items that were named before."""
_MOST_PARTS, _MOST_OF_A_CLASS, _MOST_OF_ALL = 12, 20, 60
_REMOVED = {"zh": "移出", "en": "unplace"}


def meant_items(message: str, brief: Brief) -> list[TaskView]:
    """The items a message names, or those its pronoun stands for. Several = ambiguous."""
    found = items_in(message, brief)
    if found:
        return found
    group = find_group(message, brief)
    if group is not None and group.items:
        return group.items
    if classes_in(message, brief.classes):
        return []
    spoken = spoken_of(brief)
    pointed = says_it(message) or says("nudge", fold_text(message))
    return spoken if pointed or (len(spoken) == 1 and not names_something(message, brief)) else []


def without_origin(message: str, brief: Brief) -> str:
    """A message without the time by which it names its item."""
    group = find_group(message, brief)
    return group.rest if group else message


def leaves_some_out(brief: Brief) -> bool:
    """Whether a request about several items names what it leaves out."""
    return find_group(brief.request, brief) is not None and EXCEPTION.search(fold_text(brief.request)) is not None


def parts_of(request: str, brief: Brief) -> list[tuple[TaskView, str]]:
    """A request about several items as one request for each: the item, and what is to be done with it."""
    told = EXCEPTION.sub(" ", fold_text(request)) if EXCEPTION.search(fold_text(request)) else request
    intent, group = intent_of(told, brief), find_group(request, brief)
    if relation_in(request, brief) is not None:
        return []
    left_out = EXCEPTION.search(fold_text(request)) is not None
    request = without_refusals(fold_numbers(EXCEPTION.sub(" ", fold_text(request))))
    group = group if intent in ("remove", "move", "place") and not says_it(request) else None
    if group is not None and intent == "remove" and 0 < len(group.items) <= _MOST_OF_ALL:
        return [(row, f"[{row['state_id']}] {_REMOVED[brief.language]}") for row in group.items]
    if group is not None and group.every and (len(group.items) > 1 or brief.changes):
        away = [row for row in group.items if not stands_there(row, group, brief)]
        return [(row, f"[{row['state_id']}] 移到{find_place_for_one(row, group, brief)}") for row in away]
    if (
        intent == "remove"
        and group is None
        and not left_out
        and not items_in(spell_out_ordinals(request), brief)
        and not says_it(request)
    ):
        return [(row, f"[{row['state_id']}] {_REMOVED[brief.language]}") for row in _whole_class(request, brief)]
    if intent == "swap" or not _several(request, brief):
        return []
    groups: list[tuple[list[TaskView], str]] = []
    for clause in _clauses(request, brief):
        found = named_items(clause, brief) or items_in(clause, brief)
        if groups and not found and _FOR_ALL.match(clause):
            groups = [(items, f"{text} {_bare(clause, found)}") for items, text in groups]
        elif groups and (not found or not _tells(groups[-1][1], brief)):
            items, text = groups[-1]
            groups[-1] = ([*items, *(row for row in found if row not in items)], f"{text} {_bare(clause, found)}")
        elif found:
            groups.append((found, _bare(clause, found)))
    parts = [(row, f"[{row['state_id']}] {text}") for items, text in groups for row in items]
    return parts if 1 < len(parts) <= _MOST_PARTS else []


def _clauses(request: str, brief: Brief) -> list[str]:
    """The sentence divided; also at "and" where each side has an item and a time of its own."""
    divided: list[str] = []
    for clause in _CLAUSE.split(spell_out_ordinals(request)):
        sides = _AND_ALSO.split(clause)
        whole = all(items_in(side, brief) and target_in(side, brief).said for side in sides)
        divided += sides if len(sides) > 1 and whole else [clause]
    return divided


def _whole_class(request: str, brief: Brief) -> list[TaskView]:
    """The placed items of the one class that a removal names."""
    named = classes_in(request, brief.classes)
    done = [row["arguments"] for row in brief.results if row["tool"] in ("unplace", "batch_unplace")]
    gone = {number for given in done for number in (given.get("task_id"), *given.get("task_ids", ()))}
    own = [row for row in brief.tasks if named == [row["class_id"]]]
    rows = [row for row in own if row["slot"] or row["state_id"] in gone]
    return rows if 1 < len(rows) <= _MOST_OF_A_CLASS else []


def _several(request: str, brief: Brief) -> bool:
    return bool(named_items(request, brief)) or (says_it(request) and "它们" in request)


def _tells(text: str, brief: Brief) -> bool:
    """Whether these words say what is to be done or where."""
    told = target_in(text, brief).said or shift_in(text) is not None
    return told or intent_of(text, brief) in ("remove", "swap")


def _bare(clause: str, items: list[TaskView]) -> str:
    """The clause without the names of its items."""
    text = STATE_ID.sub(" ", clause)
    for row in items:
        text = text.replace(fold_numbers(row["name"]), " ")
    return re.sub(rf"第\s*\d{{1,3}}\s*(?:{UNIT})|\b(?:chapter|item|part|unit|lecture|lesson)\s*\d{{1,3}}", " ", text)
