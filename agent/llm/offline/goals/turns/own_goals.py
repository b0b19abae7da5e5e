"""The end of a message that is a goal of its own: what stands before it is done first, as if it had been said alone.

A message divides where a sentence ends, or where words such as also and 另外 begin another one, and where both sides
are whole requests: each wants something, names what it is about, and leans on nothing that the other says. Clauses of
one sentence divide as well where they want different things of different classes.
"""

from __future__ import annotations

import re

from agent.llm.offline.goals.decisions import WRITES, Decision, give_up, say_after_that
from agent.llm.offline.goals.turns.alone import (
    OBJECTS,
    WANTED,
    asks_of_all,
    goes_back,
    is_whole,
    kind_of,
    leans,
    read_alone,
)
from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.dialogue.revision.corrections import correct_request
from agent.llm.offline.language.dialogue.tracking import completes_request
from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.meaning.features import Features
from agent.llm.offline.language.meaning.intents import intent_of
from agent.llm.offline.language.meaning.pieces import (
    LONGEST,
    QUOTED,
    gives_reason,
)
from agent.llm.offline.language.meaning.planned_classes import WAITING_SAID
from agent.llm.offline.language.meaning.requests import LEADS, frees_all
from agent.llm.offline.language.normalize import fold_text
from agent.llm.offline.language.plain.classes.new_classes import find_untold, spell_out_class
from agent.llm.offline.language.spans.classes.class_changes import read_content_changes
from agent.llm.offline.language.spans.classes.class_times import find_owners
from agent.llm.offline.language.spans.conditions.rates import read_rate
from agent.llm.offline.language.spans.items.groups import find_group
from agent.llm.offline.language.spans.mentions import all_items, classes_in, items_in
from agent.llm.offline.language.spans.targets import target_in
from agent.llm.offline.language.spans.times.reading import read_times
from agent.loop.nodes.rest import ALL_LEFT
from agent.loop.view_document import View

_SENTENCE = re.compile(r"(?<=[。！？；;!?\n])\s*|(?<=[a-z0-9”\"'）)]\.)\s+(?=\S)", re.IGNORECASE)
_WORD = re.compile(
    r"[,，]\s*(?=另外|顺[便带]|还有(?![几多哪什])|此外|同时|然后|再帮我|再就是|对了)"
    r"|,?\s+(?:and\s+)?(?=(?:also|then|plus|oh|btw|by the way)\b)",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"[,，;；]\s*|\s+(?=and )|(?<=[一-鿿])\s+(?=[一-鿿])")
MOST_READ = 16
"""Joints of a message at which both sides are read: one with more of them is a list, and each takes time."""
_PLANS = frozenset({"build", "class", "limit", "wish"})
"""What is wanted of whole classes: limits without a class of their own go with it."""
_ALL_LEFT = re.compile(
    r"[都全](?:部|都)?(?:不[要用改做]|算了|别|取消)|(?:两个|哪个)[也都]?不"
    r"|\b(?:forget|drop|cancel|leave|skip) (?:it all|all|everything|both|(?:the )?whole)|\bnone of (?:it|that|them)\b"
    r"|\bneither\b"
)
"""That nothing of several things is wanted."""


def find_rest(view: View) -> tuple[str, str]:
    """A request at the beginning of the message and the goal of its own at its end; both empty where it is one, and
    where it goes on about the goal before it."""
    message = view["message"]
    if len(message) > LONGEST or len(view["turns"]) != 1 or view["resumes"]:
        return "", ""
    read, brief = 0, Brief(view)
    untold = find_untold(brief.message, brief)
    if untold == () and spell_out_class(brief.message, brief):
        return "", ""
    masked = _mask_names(message, brief)
    for joints, whole in ((_SENTENCE, _are_goals), (_WORD, _are_unlike_goals), (_CLAUSE, _are_clauses_apart)):
        for joint in joints.finditer(masked):
            first, said = message[: joint.start()].rstrip(" ,，;；、\n"), message[joint.end() :].strip()
            rest = LEADS.sub("", said)
            if not first or not rest or leans(rest, brief) or (untold and not rest.startswith(untold)):
                continue
            read += 1
            if read > MOST_READ:
                return "", ""
            one, two = read_alone(first, view), read_alone(rest, view)
            explains = said == rest and _explains(one, two)
            if not explains and whole(one, two) and not _rewrite_classes(one, two):
                return first, rest
    return "", ""


def _mask_names(message: str, brief: Brief) -> str:
    """A message with as many letters in the place of what is quoted and of known names: in them it does not divide."""
    names = sorted({name for name in brief.names if " " in name or "," in name or "，" in name}, key=len, reverse=True)
    known = re.compile("|".join(map(re.escape, names)) or "(?!)", re.IGNORECASE)
    masked = QUOTED.sub(lambda quoted: "x" * len(quoted.group()), message)
    return known.sub(lambda name: "x" * len(name.group()), masked)


def stands_apart(brief: Brief) -> bool:
    """Whether the first words over a card are a goal of their own beside what it is for, as if one message wanted both:
    each is whole by itself, and they want different things of different ones."""
    view, turns, answer = brief.view, brief.view["turns"], brief.last_answer("tool", "reject")
    begun = bool(brief.changes or brief.done(*WRITES) or view["resumes"] or brief.completed)
    if len(turns) != _FIRST_ANSWER or begun or any(turn["option"] is not None for turn in turns):
        return False
    said = LEADS.sub("", _AGREES.sub("", answer["message"] if answer else ""))
    if not said or goes_back(said) or leans(said, brief):
        return False
    if completes_request(brief) or correct_request(brief.turns[-1], brief.request, brief, refused=False):
        return False
    start: View = {**brief.before_goal.view, "dialogue": [], "last_results": [], "interaction": None, "rejected": []}
    one, two = read_alone(view["request"], start), read_alone(said, start)
    wants = intent_of(two.request, two) in WANTED and not (asks_of_all(two) or Features(two.request, two).asks)
    rules = kind_of(one) in _PLANS and _owners_of(one) & _owners_of(two)  # what is told of some of a class is not apart
    return wants and not rules and _are_unlike_goals(one, two)


_AGREES = re.compile(
    r"^(?:(?:yes|yeah|yep|ok(?:ay)?|sure|fine|good|好的?|可以|行|嗯|没问题)(?:[,，.。!！\s]+|(?=另外|顺[便带]|还有|再)))+",
    re.IGNORECASE,
)
"""Consent in front of another request, which only the button of a card gives."""
_FIRST_ANSWER = 2
"""Turns of a goal of which the second is the first one over its card."""


def tell_rest(brief: Brief, decision: Decision) -> Decision:
    """A card with the goal that comes after it, so that it does not seem forgotten; the end of both where the student
    wants neither."""
    if brief.view["rest"] and len(brief.view["turns"]) > 1 and _ALL_LEFT.search(fold_text(brief.last_said)):
        if decision.get("action") == "abort":
            return {**decision, "abort": {**decision["abort"], "code": ALL_LEFT}}
        if decision.get("action") == "done" and not brief.changes and not brief.done(*WRITES):
            return give_up(ALL_LEFT, brief.say("好的，都没有改。", "All right, neither was changed."))
    writes = (decision.get("tool_call") or {}).get("name") in WRITES
    if not brief.view["rest"] or not (writes or (decision.get("action") == "ask_user" and brief.interaction is None)):
        return decision
    rest = brief.view["rest"]
    told = say_after_that(brief, [brief.say(f"「{rest}」", f'"{rest}"')])
    return {**decision, "speak": f"{decision['speak']}\n{told}".strip()}


def _are_goals(one: Brief, two: Brief) -> bool:
    """Whether two sentences are requests that have nothing to do with each other."""
    return is_whole(one) and is_whole(two) and not _shares(one, two)


def _are_unlike_goals(one: Brief, two: Brief) -> bool:
    """Whether two such requests of one sentence want different things: of like ones one card is made."""
    alike = _kind_of(one) == _kind_of(two) and (kind_of(one) not in _PLANS or _owners_of(one) & _owners_of(two))
    return not alike and _are_goals(one, two)


def _kind_of(brief: Brief) -> str:
    """What a text wants, days that are kept free apart from what became of an item."""
    text = brief.request
    free = kind_of(brief) == "happened" and frees_all(text, brief) and says("keep_free", fold_text(text))
    return "free" if free else kind_of(brief)


def _are_clauses_apart(one: Brief, two: Brief) -> bool:
    """Whether two clauses are such requests about other classes, and the second begins with its own. A question about
    all of the plan is of no class, nor are days that are kept free; what is deleted is no part of the other request."""
    rates = [rate for half in (one, two) if (rate := read_rate(half.request, half))]
    if any(rate.owner for rate in rates) and _are_rate_and_change(one, two):
        return True
    if not _are_unlike_goals(one, two) or (kind_of(one) not in OBJECTS and leans(one.request, one)):
        return False
    begins = read_alone(_CLAUSE.split(two.request)[0], two.view)
    if asks_of_all(two) or "delete_class" in (kind_of(one), kind_of(two)) or _are_free_days_and_change(one, two):
        return is_whole(begins)
    owners = _owners_of(one), _owners_of(two)
    if not all(owners) or owners[0] & owners[1]:
        return False
    said = Features(begins.request, begins)
    changes = bool(read_content_changes(begins.request, begins).told) or said.changes_end
    marks = intent_of(begins.request, begins) == "mark"
    plans = said.has("build") and not WAITING_SAID.search(said.folded.replace("n't", " not"))
    wants = {"class": changes, "build": plans, "happened": marks}.get(kind_of(begins), kind_of(begins) in OBJECTS)
    return wants and is_whole(begins)


def _are_free_days_and_change(one: Brief, two: Brief) -> bool:
    """Whether a clause keeps certain days free and the other changes what it names, which is not what is on then."""
    free = [half for half in (one, two) if kind_of(half) == "happened" and frees_all(half.request, half)]
    other = two if free == [one] else one
    if len(free) != 1 or not says("keep_free", fold_text(free[0].request)) or not _owners_of(other):
        return False
    reason = gives_reason(("happened", free[0].request), ("items", other.request), other)
    return kind_of(other) in _CHANGES and not reason


_CHANGES = frozenset({"items", "items:out", "swap", "happened"})
"""What is wanted of what has a place, or became of it."""


def _are_rate_and_change(one: Brief, two: Brief) -> bool:
    """Whether a clause is a rate and the other wants something of a single item, of which there cannot be so many."""
    rate, other = (one, two) if read_rate(one.request, one) else (two, one)
    rows = items_in(other.request, other, among=all_items(other))
    wants = kind_of(other) in ("items", "items:out", "happened") and is_whole(other)
    return read_rate(rate.request, rate) is not None and len(rows) == 1 and wants


def _rewrite_classes(one: Brief, two: Brief) -> bool:
    """Whether both pieces of a message tell what a class is to contain, or its last day: that is read as a whole."""
    owners = _owners_of(one), _owners_of(two)
    apart = all(owners) and not owners[0] & owners[1]
    return not apart and all(
        kind_of(half) == "class"
        and (read_content_changes(half.request, half).told or Features(half.request, half).changes_end)
        for half in (one, two)
    )


def _explains(one: Brief, two: Brief) -> bool:
    """Whether a question is followed by what tells why it is asked."""
    asks = Features(one.request, one).asks or one.request.rstrip().endswith(("?", "？"))
    return asks and kind_of(two) in ("class", "limit", "wish", "happened")


def _shares(one: Brief, two: Brief) -> bool:
    """Whether both are about one item or one class, or one goes on about the other: limits of a plan, a place for what
    was missed."""
    if _are_rate_and_change(one, two):
        return False
    items = [{row["item_id"] for row in items_in(brief.request, brief, among=all_items(brief))} for brief in (one, two)]
    named = [{*classes_in(brief.request, brief.classes)} for brief in (one, two)]
    owners, kinds = (_owners_of(one), _owners_of(two)), (_kind_of(one), _kind_of(two))
    if items[0] & items[1] or named[0] & named[1] or _follows_absence(one, two):
        return True
    if _DAY_BEHIND.search(fold_text(two.request)) and read_times(fold_text(one.request), one.term):
        return True
    follows = not owners[1] and ({*kinds} <= _PLANS or kinds[0] == kinds[1])
    return follows or (kinds[1] == "build" and not owners[0])


_DAY_BEHIND = re.compile(
    r"(?<![天周月号日课考])(?:之后|以后|后)的?(?:那个?|[一1]个?)?(?:周|星期|礼拜)[一二三四五六日天]"
    r"|\bthe (?:\w+day|day|week) (?:after|before|following)(?=$|[ ,.!?]+(?:please|pls|that|then|in)\b|[,.!?])"
)
"""A day told by its distance alone: from the one that was told before it."""


def _follows_absence(one: Brief, two: Brief) -> bool:
    """Whether what is asked is what an absence is told for, or what moves beside it has no day: that goes by it."""
    free = [half for half in (one, two) if frees_all(half.request, half)]
    other = two if free == [one] else one
    moves = kind_of(other) == "items" and not target_in(other.request, other).days
    return len(free) == 1 and (moves or (other is two and asks_of_all(two) and kind_of(one) == "happened"))


def _owners_of(brief: Brief) -> set[int]:
    group = find_group(brief.request, brief)
    rows = [*items_in(brief.request, brief, among=all_items(brief)), *(group.items if group else ())]
    return {*find_owners(brief.request, brief), *(row["class_id"] for row in rows)}
