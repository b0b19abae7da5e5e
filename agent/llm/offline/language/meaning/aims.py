"""What a message may be meant for, by the classifier alone."""

from __future__ import annotations

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.classifier.classify import classify
from agent.llm.offline.language.classifier.kinds import read_tokens


def aims_of(message: str, brief: Brief, *, later: bool = False) -> tuple[tuple[str, float], ...]:
    """What a message may be meant for: the likeliest labels of the classifier with their probabilities. `later`: it
    follows what was said before."""
    classes = tuple(row["name"] for row in brief.classes)
    items = tuple(item["content"] for row in brief.classes for item in row["items"])
    context: tuple[str, ...] = ()
    if message in brief.turns[1:]:
        context = ("later", "asked")
    elif later or (message == brief.request and brief.earlier):
        context = ("later", "told")
    return classify(read_tokens(message, classes, items), context)
