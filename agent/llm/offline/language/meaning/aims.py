"""What a message may be meant for, by the classifier alone."""

from __future__ import annotations

import re

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.classifier.classify import classify
from agent.llm.offline.language.classifier.kinds import read_tokens

_LONG = 600
_CODE = re.compile(
    r"```|[{};]\s*$|^\s*(?:(?:def|import|public|#include|SELECT)\s|from\s+[\w.]+\s+import\b|class\s+\w+\s*[({:])",
    re.MULTILINE,
)
LIKELY, SURER, SURE, THINKABLE = 0.4, 0.6, 0.9, 0.05
"""Probabilities of a label: enough where the grammar tells nothing, against a line that the classifier does not think
of, and against one that it thinks of with the least."""


def aims_of(message: str, brief: Brief, *, later: bool = False) -> tuple[tuple[str, float], ...]:
    """What a message may be meant for: the likeliest labels of the classifier with their probabilities. `later`: it
    follows what was said before."""
    known: dict[tuple[str, bool], tuple[tuple[str, float], ...]] = brief.found.setdefault("aims", {})
    if (message, later) not in known:
        known[message, later] = _classify(message, brief, later)
    return known[message, later]


def _classify(message: str, brief: Brief, later: bool) -> tuple[tuple[str, float], ...]:
    classes = tuple(row["name"] for row in brief.classes)
    items = tuple(item["content"] for row in brief.classes for item in row["items"])
    context: tuple[str, ...] = ()
    if message in brief.turns[1:]:
        context = ("later", "asked")
    elif later or (message == brief.request and brief.earlier):
        context = ("later", "told")
    return classify(read_tokens(message, classes, items), context)


def is_text(message: str) -> bool:
    """Whether a message is a text or code that was put in, and asks for nothing."""
    return len(message) > _LONG or _CODE.search(message) is not None
