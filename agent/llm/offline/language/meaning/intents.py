"""What a message wants: the heaviest line of the grammar that holds."""

from __future__ import annotations

import re

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.classifier.classify import classify
from agent.llm.offline.language.classifier.kinds import read_tokens
from agent.llm.offline.language.classifier.labels import CHANGES_CLASS, GOES_ON, INTENTS, SAME
from agent.llm.offline.language.lexicon import pattern, says
from agent.llm.offline.language.meaning.ellipsis import adds_nothing, form_of, says_it
from agent.llm.offline.language.meaning.features import Features
from agent.llm.offline.language.meaning.grammar import GRAMMAR, OPERATIONS, WRITES, Intent, Line
from agent.llm.offline.language.normalize import fold_text, words
from agent.llm.offline.language.spans.mentions import without_refusals

__all__ = ["OPERATIONS", "Intent", "edits", "intent_of", "told_intent", "wants_build"]
_REPEATED: tuple[Intent, ...] = ("place", "move", "show", "free", "load")
"""What a time alone asks for once more."""
_BEGUN: dict[str, Intent] = {"upsert_task_class": "class", "delete_task_class": "delete_class", "mark_items": "mark"}
_LONG = 600
_CODE = re.compile(r"```|[{};]\s*$|^\s*(?:def|class|import|from|public|#include|SELECT)\s", re.MULTILINE)
_BY_WEIGHT = sorted(GRAMMAR, key=lambda line: -line.weight)


LIKELY, SURER, SURE, THINKABLE = 0.4, 0.6, 0.9, 0.05
"""Probabilities of a label: enough where the grammar tells nothing, against a line that the classifier does not think
of, and against one that it thinks of with the least."""


def aims_of(message: str, brief: Brief) -> tuple[tuple[str, float], ...]:
    """What a message may be meant for: the likeliest labels of the classifier with their probabilities."""
    classes = tuple(row["name"] for row in brief.classes)
    items = tuple(item["content"] for row in brief.classes for item in row["items"])
    context: tuple[str, ...] = ()
    if message in brief.turns[1:]:
        context = ("later", "asked")
    elif message == brief.request and brief.earlier:
        context = ("later", "told")
    return classify(read_tokens(message, classes, items), context)


def _settle(told: Intent, message: str, brief: Brief) -> Intent:
    """The intent that the grammar told, unless the classifier is surer of another one."""
    found = Features(message, brief)
    if found.has("button") or found.has("declines") or _is_text(message):
        return told
    aims = aims_of(message, brief)
    for label, chance in aims:
        meant = INTENTS[label]
        if label in GOES_ON or told in SAME.get(label, ()):
            return told
        if found.asks and meant in WRITES:
            if meant != "move":
                continue
            meant = "try"
        if told != "other" and chance < SURE and told in [INTENTS[other] for other, odds in aims if odds > THINKABLE]:
            return told
        if chance < (LIKELY if told == "other" else SURER):
            return told
        return meant if _is_told(label, found) else told
    return told


def label_of(message: str, brief: Brief) -> str:
    """What of the settled intent a message is meant for: the likeliest of its labels; empty when none is thought of."""
    intent = intent_of(message, brief)
    return next(
        (label for label, chance in aims_of(message, brief) if INTENTS[label] == intent and chance > THINKABLE), ""
    )


def _is_told(label: str, found: Features) -> bool:
    """Whether a message says what a goal of this label needs."""
    if label == "build":
        return not pattern("not_build").search(found.folded)
    if label == "wish":
        return found.has("plan_wishes") or found.has("unwishes")
    return True


def intent_of(message: str, brief: Brief) -> Intent:
    """The intent of a message: what the grammar tells, or what the classifier is surer of."""
    known: dict[str, Intent] = brief.__dict__.setdefault("_intents", {})
    if message not in known:
        told = told_intent(message, brief)
        meant = _settle(told, message, brief)
        begun = _begun(brief) if message == brief.request and meant not in ("optimise", "build", "plan_first") else None
        known[message] = begun or meant
    return known[message]


def _begun(brief: Brief) -> Intent | None:
    """What the goal has begun to do: its first write names it, whatever the words would mean after it."""
    done = (row["tool"] for row in brief.results if row["status"] == "done")
    return next((_BEGUN[tool] for tool in done if tool in _BEGUN), None)


def told_intent(message: str, brief: Brief) -> Intent:
    """The intent that a line of the grammar or a bare span gives. A question, code and an essay open no write."""
    known: dict[str, Intent] = brief.__dict__.setdefault("_told", {})
    if message not in known:
        found = Features(message, brief)
        if found.has("negates_move") and found.has("wanted_after") and not found.has("held_class"):
            found = Features(without_refusals(found.folded), brief)
        unsafe = found.asks or (_is_text(message) and not found.slots.described)
        lines = (line for line in _BY_WEIGHT if not (unsafe and line.intent in WRITES) and _holds(line, found))
        line = next(lines, None)
        known[message] = line.intent if line else "other" if unsafe else _short(message, brief)
    return known[message]


def _is_text(message: str) -> bool:
    return len(message) > _LONG or _CODE.search(message) is not None


def _holds(line: Line, found: Features) -> bool:
    return all(map(found.has, line.all_of)) and not any(map(found.has, line.none_of))


def _short(message: str, brief: Brief) -> Intent:
    """A sentence without a verb: an item with a time is to go there, an item is asked about, and a time alone means
    what was asked before: 周六下午 after a move is another time for the same item."""
    form = form_of(message, brief)
    if form == "both":
        return "move"
    if message != brief.request or not form:
        return "other"
    said = [str(turn["text"]) for turn in brief.earlier if turn["role"] == "user"]
    if form == "time" and said and form_of(said[-1], brief) == "item":
        return "move"
    full = [turn for turn in reversed(said) if not adds_nothing(turn, brief)]
    before = next(iter(full), "")
    if before and form == "time" and intent_of(before, brief) == "replan":
        if says("correction", fold_text(message)):
            return "replan"
        before = next((turn for turn in full[1:3] if intent_of(turn, brief) in _REPEATED), "")
    intent = intent_of(before, brief) if before else "other"
    if form == "item" or (form != "class" and says_it(message)):
        return "explain" if intent == "explain" else "show"
    if form == "class" and before and says("start_with", fold_text(before)):
        return "build"
    if form == "class":
        return "end_asked" if intent == "end_asked" else "class_facts"
    return intent if intent in _REPEATED else "other"


def wants_build(message: str) -> bool:
    """Whether the message also asks for a timetable (or only for the task class)."""
    text = pattern("not_build").sub(" ", fold_text(message))
    return says("build", text) or words(text, "安排", "schedule", "arrange", "fit", "plan it")


def edits(message: str, brief: Brief) -> bool:
    """Whether a task class is to be changed rather than created."""
    found = Features(message, brief)
    if found.has("creates_listed"):
        return False
    wanted = (
        "edits_named",
        "plans_with_wishes",
        "edit",
        "wishes",
        "weekly_off",
        "changes_end",
        "changes_items",
        "filler",
        "length",
        "strategy_said",
        "earlier_end",
        "starts_later",
        "open_up",
        "ends_all",
    )
    total = all(map(found.has, ("total_said", "class", "sections_said"))) and not found.slots.described
    told = bool(brief.classes) and not found.slots.described and label_of(message, brief) in CHANGES_CLASS
    return told or total or any(map(found.has, wanted))
