"""What words typed over a card answer to it: consent, that it is not wanted, or neither.

The classifier tells which of them a message is likeliest; what it says of a time, a thing or a number beside those of
the request makes it more than an answer.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.classifier.classify import classify
from agent.llm.offline.language.classifier.kinds import read_tokens
from agent.llm.offline.language.dialogue.filling import CLAUSE
from agent.llm.offline.language.dialogue.offers import choice_in
from agent.llm.offline.language.dialogue.rewriting import find_items
from agent.llm.offline.language.dialogue.slots import COUNT, find_spans
from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.meaning.ellipsis import affirms
from agent.llm.offline.language.meaning.features import Features
from agent.llm.offline.language.meaning.grammar import Intent
from agent.llm.offline.language.meaning.intents import intent_of
from agent.llm.offline.language.meaning.whether import asks_whether
from agent.llm.offline.language.normalize import fold_numbers, fold_text
from agent.llm.offline.language.spans.happenings import progress_in
from agent.llm.offline.language.spans.mentions import all_items, items_in
from agent.llm.offline.language.spans.targets import shift_in
from agent.llm.offline.language.words.over_cards import AS_IT_WAS

_AGREEING = ("agree", "chat", "button", "pick")
"""Labels of what keeps a card open: consent, thanks, a button of the page, this one."""
_REFUSING = ("refuse", "keep", "undo")
_AGREES, _REFUSES = 0.55, 0.7
"""The chance of all labels of one kind that is enough: a card that stays open loses nothing."""
_LESS = re.compile(r"只|不(?!错)|别|\b(?:only|just|not(?! bad)|without|except)\b")
"""What takes a part of what was said alone, or leaves one out."""
_ONLY = re.compile(r"[只就]|\b(?:only|just)\b")
LONGEST = 60
"""Characters of an answer; longer ones tell more."""


def consents(message: str, request: str, brief: Brief) -> bool:
    """Whether words over a card for this request agree to it, or thank for it, and want nothing else."""
    agreed, *reasons = [one.strip() for one in CLAUSE.split(fold_text(message)) if one.strip()] or [""]
    if affirms(message) or (affirms(agreed) and reasons and says("begins_reason", reasons[0])):
        return True
    if says("begins_reason", agreed) and not reasons and intent_of(request, brief) == "wish":
        return True  # a reason for what was wished changes nothing of it
    return not says("correction", fold_text(message)) and _weigh(message, request, brief, _AGREEING) >= _AGREES


def declines(message: str, request: str, brief: Brief) -> bool:
    """Whether words over a card for this request only say that it is not wanted."""
    return not says("not_so", fold_text(message)) and _weigh(message, request, brief, _REFUSING) >= _REFUSES


_NO_WISH: tuple[Intent, ...] = ("other", "keep", "undo")
_TELLS: tuple[Intent, ...] = ("mark", "replan", "delete_class")
"""What tells of something, or ends it: where that was wrong nothing is left to be put right."""
_DENIES = re.compile(r"[没未别]|\b(?:not|never)\b|n't\b")
_ANOTHER = re.compile(r"[另别]的?[一1]|\b(?:ones?|others?|another|instead|rather)\b|[这那]个")


def takes_back(message: str, request: str, brief: Brief) -> bool:
    """Whether words over a card drop what was said, and put nothing in its place: 是下周的，当我没说."""
    text, intent = fold_text(message), intent_of(message, brief)
    if Features(message, brief).asks or says("all", text):
        return False
    clauses = [one for one in CLAUSE.split(text) if one.strip()]
    if dropped := [at for at, one in enumerate(clauses) if says("taken_back", one)]:
        at, rest = clauses[dropped[-1]], clauses[dropped[-1] + 1 :]
        return not _says_more(at, request, _find_told(at, brief)) and not any(
            _find_told(one, brief) or intent_of(one, brief) not in _NO_WISH for one in rest
        )
    if _ANOTHER.search(text) or (_ONLY.search(text) and _find_told(message, brief)):
        return False
    denies = says("correction", text) or _DENIES.search(text)
    told = intent_of(request, brief) in _TELLS and intent in (*_NO_WISH, *_TELLS) and denies
    done = ("done", "mark_done") if progress_in(request) == "missed" else ()
    named, own = (items_in(one, brief, among=all_items(brief)) for one in (message, request))
    if any(row not in own for row in named):  # another one is meant
        return False
    if not told or not (progress_in(message) in ("", "open", *done) or says("not_yet", text)):
        return False
    return says("not_yet", text) or _weigh(message, request, brief, (*_REFUSING, "unmark", "amend", *done)) >= _REFUSES


def leaves_as_it_was(message: str, request: str, brief: Brief) -> bool:
    """Whether words over a card or a question want what was asked for to stay as it was: 都恢复原样, forget both."""
    text = fold_text(message).strip()
    for one in reversed([one for one in find_spans(text, brief) if one.kind == "item"]):
        text = f"{text[: one.start]}{brief.say('它', 'it')}{text[one.end :]}"
    rows = (items_in(message, brief, among=all_items(brief)), find_items(request, brief))
    named, meant = ({row["item_id"] for row in one} for one in rows)
    matches = len(text) <= LONGEST and AS_IT_WAS.fullmatch(text) is not None
    return matches and (not named or (bool(meant) and meant <= named))


def _weigh(message: str, request: str, brief: Brief, labels: Sequence[str]) -> float:
    """The chance that words over a card are of these kinds; none where they ask, or say more than the request."""
    if len(message) > LONGEST or choice_in(message, 99) or Features(message, brief).asks or asks_whether(message):
        return 0.0
    spans, every = _find_told(message, brief), all_items(brief)
    others = [row for row in items_in(message, brief, among=every) if row not in items_in(request, brief, among=every)]
    if others or _says_more(message, request, spans):
        return 0.0
    if spans and "agree" in labels and _LESS.search(fold_text(message)):
        return 0.0
    if spans and "agree" in labels:
        labels = (*labels, "amend")  # the same once more amends nothing
    classes = tuple(row["name"] for row in brief.classes)
    items = tuple(item["content"] for row in brief.classes for item in row["items"])
    chances = classify(read_tokens(message, classes, items), ("later", "asked"))
    return sum(chance for label, chance in chances if label in labels)


def _find_told(message: str, brief: Brief) -> list[str]:
    """The words of a message for times, things and numbers."""
    text = fold_text(message)
    told = ((one.kind, fold_numbers(text[one.start : one.end])) for one in find_spans(text, brief))
    return [words for kind, words in told if kind != "count" or _counts(words)]


def _says_more(message: str, request: str, told: Sequence[str]) -> bool:
    """Whether a message names a time, a thing or a number that its request does not."""
    if (shift := shift_in(message)) is not None and (shift != shift_in(request) or says("counts_on", message)):
        return True
    known = fold_numbers(request)
    return any(words not in known for words in told)


def _counts(said: str) -> bool:
    """Whether a number has what it counts beside it: that of 换一下 and "that one" has not."""
    found = COUNT.match(said)
    return found is not None and bool(found["unit"])
