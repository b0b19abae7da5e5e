"""A class that was described in earlier goals and is not written yet."""

from __future__ import annotations

import re

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.meaning.features import Features
from agent.llm.offline.language.meaning.intents import intent_of
from agent.llm.offline.language.normalize import fold_text
from agent.llm.offline.language.spans.classes.class_sentence import ClassSlots, read_class
from agent.llm.offline.language.spans.classes.new_class import read_new_class
from agent.llm.offline.language.spans.mentions import classes_in

REMEMBERED = 4


_GOES_ON = re.compile(
    r"^(?:那就?|好[的吧啊]?|行[吧啊]?|可以|嗯+|ok|就这[么样]|建[吧了]|加[吧上]|[,，\s])+(?:建|加|做|弄|这[么样])?(?:吧|了|上)?(?=$|[,，。!])"
    r"|^(?:(?:ok(?:ay)?|yes|yeah|yep|alright|all right|sure|fine|great|cool|then|well),? )*(?:(?:let's )?(?:do"
    r"|make|add|create|go for|set up) (?:it|that|with it)"
    r"|go ahead)\b"
)


def resumes_class(brief: Brief) -> bool:
    """Whether the request goes on with a class that was described before and is not written: ok do it, by the end of
    april."""
    return _GOES_ON.search(fold_text(brief.request)) is not None and bool(unwritten(brief))


def described_class(brief: Brief) -> ClassSlots:
    """What was said before of a class that is not written yet; nothing where none was."""
    slots = ClassSlots()
    for turn in unwritten(brief):
        slots = slots.then(read_new_class(turn, brief.term))
    return slots.completed(unnamed=True)


def unwritten(brief: Brief) -> list[str]:
    """The words of earlier goals about a class that was described but never saved, while nothing else is named."""
    term, said = brief.term, [str(turn["text"]) for turn in brief.earlier if turn["role"] == "user"]
    if classes_in(brief.request, brief.classes):
        return []
    for at in range(len(said) - 1, max(-1, len(said) - 1 - REMEMBERED), -1):
        if says("never_mind", fold_text(said[at])):
            return []
        slots = read_class(said[at], term)
        opened = Features(said[at], brief).opens_class
        slots = read_new_class(said[at], term) if opened else slots
        if slots.described or ((slots.name or opened) and intent_of(said[at], brief) == "class"):
            known = {row["name"] for row in brief.classes}
            return [] if slots.name in known else said[at:]
    return []
