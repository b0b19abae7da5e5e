"""What a sentence of no known form wants: each intent weighs the concepts and the kinds of spans that the sentence has.

A row is an intent with what speaks for it and what speaks against it. The heaviest intent wins when it reaches
`ENOUGH`; a sentence that says too little is asked about instead.
"""

from __future__ import annotations

from collections.abc import Mapping

from agent.llm.offline.language.meaning.features import Features
from agent.llm.offline.language.meaning.grammar import WRITES, Intent

ENOUGH = 4
NEVER = -9
ITEMS = {"things": 2}
"""What a write of items is about."""
_NO_ITEMS = {"item": NEVER, "asking": NEVER}
EVIDENCE: Mapping[Intent, Mapping[str, int]] = {
    "move": ITEMS | {"relocate": 2, "time_ahead": 2, "shift": 2, "nudge": 2, "deadline": -2, "class_noun": -4,
                     "asking": NEVER, "refuses": -3, "extract": -2, "past": -1, "lesson": -3, "describes_class": NEVER,
                     "create": -3},
    "remove": ITEMS | {"extract": 3, "refuses": 1, "time_ahead": -2, "shift": -3, "asking": NEVER, "class_noun": -4,
                       "create": -3, "lesson": -3, "describes_class": NEVER},
    "show": ITEMS | { "asking": 1, "when_asked": 2, "time": 2, "what_asked": 2,
             "plan_noun": 1, "left_to_do": 3, "relocate": -2, "extract": -3, "refuses": -3, "why_asked": -4,
             "class": -1,
             "create": -3},
    "try": {"item": 2, "asking": 1, "relocate": 1, "time_ahead": 1, "can_asked": 1, "when_asked": -3,
        "why_asked": NEVER,
            "extract": -3, "refuses": -2},
    "free": {"time": 2, "asking": 1, "free": 3, "item": -3, "refuses": -3, "keep_free": -2, "class": -1},
    "explain": {"why_asked": 4, "item": 1, "class": 1, "plan_noun": 1, "away": -2, "busy_then": -2},
    "replan": {"undated": NEVER, "dated": 2, "keep_free": 2, "busy_then": 2, "away": 2, "refuses": 1, "named_class": -2,
               "describes_class": NEVER, "create": NEVER, "deadline": -3} | _NO_ITEMS,
    "build": {"class": 2, "plan_noun": 1, "arrange": 2, "whole": 1, "dated": -2, "refuses": -2, "create": NEVER,
              "relocate": -1, "extract": -3, "deadline": -3, "keep_free": -2, "finished": -3, "missed": -3} | _NO_ITEMS,
    "class_facts": {"class": 2, "asking": 1, "what_asked": 1, "how_many": 2, "item": NEVER, "arrange": -2,
                    "relocate": -2, "refuses": -2, "time": -1},
    "classes": {"classes_said": 3, "asking": 1, "what_asked": 1, "item": NEVER, "time": -2, "create": -4},
    "optimise": {"plan_noun": 2, "better": 2, "item": -3, "class": -1},
    "mark": ITEMS | { "finished": 2, "missed": 2, "partly": 2, "asking": NEVER, "time_ahead": -1,
             "class_noun": -4, "describes_class": NEVER},
}  # fmt: skip


def weigh(found: Features) -> Intent | None:
    """The intent that the sentence speaks for most; None when nothing speaks for one clearly enough."""
    scores = {intent: _score(found, rows) for intent, rows in EVIDENCE.items()}
    best = max(scores, key=lambda intent: scores[intent])
    if scores[best] < ENOUGH or (best in WRITES and found.has("asks_only")):
        return None
    return best


def _score(found: Features, rows: Mapping[str, int]) -> int:
    return sum(weight for names, weight in rows.items() if all(map(found.has, names.split())))
