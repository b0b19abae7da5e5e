"""Consent in words to what was just refused: the goal is taken up again from what was said before.

A sentence typed over a card refuses it, whatever it says, and a goal never asks twice for what was refused. So consent
ends the goal, and the next one begins with the words of the last.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from agent.llm.offline.goals.classes.meant_classes import is_for_all
from agent.llm.offline.goals.decisions import WRITES
from agent.llm.offline.goals.in_turn import is_answered, tell_made_up
from agent.llm.offline.goals.items.item_request import keeps_hours
from agent.llm.offline.goals.items.item_texts import choose_one_of
from agent.llm.offline.goals.turns.asked_over_card import MEANS_ITEM, find_answer, without_answered
from agent.llm.offline.goals.turns.effects import read_effect
from agent.llm.offline.goals.turns.over_card import (
    goes_by_card,
    join_requests,
    spell_added,
    spell_marked,
    stands_beside,
)
from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.dialogue.answers import consents
from agent.llm.offline.language.dialogue.divided_answers import divide_answer
from agent.llm.offline.language.dialogue.offers import TAKES, find_offered
from agent.llm.offline.language.dialogue.pointing.distances import SAME_TIME
from agent.llm.offline.language.dialogue.pointing.pointed_times import spell_other_day, spell_weekday_after
from agent.llm.offline.language.dialogue.pointing.subjects import narrow_to_class
from agent.llm.offline.language.dialogue.revision.corrections import correct_request, select_otherwise
from agent.llm.offline.language.dialogue.revision.open_after_all import leave_out_exceptions, open_after_all
from agent.llm.offline.language.dialogue.rewriting import CHANGING, adds_more, find_items
from agent.llm.offline.language.dialogue.slots import OF_DAY
from agent.llm.offline.language.dialogue.tracking import DialogueState
from agent.llm.offline.language.lexicon import pattern, says
from agent.llm.offline.language.meaning.ellipsis import adds_nothing, affirms, says_it, wants_it_done
from agent.llm.offline.language.meaning.features import Features
from agent.llm.offline.language.meaning.intents import intent_of
from agent.llm.offline.language.meaning.requests import APART, requests_in
from agent.llm.offline.language.normalize import fold_text
from agent.llm.offline.language.spans.conditions.suppositions import asks_opinion
from agent.llm.offline.language.spans.happenings import progress_in
from agent.llm.offline.language.spans.mentions import classes_in, items_in
from agent.llm.offline.language.spans.targets import THAT_WEEK, target_in, tells_time
from agent.llm.offline.language.spans.times.reading import read_times
from agent.llm.offline.language.texts import FIND_ASKED, FIND_STEP_LEFT
from agent.loop.view_document import DialogueTurnView, GoalTurnView, View

REMEMBERED, _PAIR = 6, 2


def read_in_context(brief: Brief) -> Brief:
    """The brief with its words as they are meant after what was said before: fragments are completed, what is pointed
    to is named."""
    brief = _leave_out_skips(choose_one_of(resume_goal(brief)))
    turns = brief.view["turns"]
    own = brief.read_words(brief.spoken.get(brief.view["request"], brief.view["request"]))
    if turns and turns[0]["option"] is None and (whole := leave_out_exceptions(own, brief)):
        return replace(brief, completed=whole)
    if not turns or turns[0]["option"] is not None or not brief.earlier:
        return _spell_out_later(brief) if len(turns) > 1 else brief
    if offered := _find_offer(brief):
        return replace(brief, completed=offered)
    said = [one["text"] for one in brief.earlier if one["role"] == "user"][-1:]
    if said and brief.earlier[-1]["wrote"] and (made_up := _tell_made_up(brief.request, said[0], brief)):
        return replace(brief, completed=made_up)
    if brief.request in brief.anew:
        return _spell_out_later(brief)
    asked = [one["asks"]["about"].get("readings", ()) for one in brief.earlier if one["asks"]]
    if own in (asked or [()])[-1]:
        return brief  # which was offered as a request of its own
    state = DialogueState(brief.before_goal)
    said = [one["text"] for one in brief.view["dialogue"][len(brief.earlier) + 1 :][:1]]
    if meant := [row for row in brief.tasks if said == [brief.say(*MEANS_ITEM, name=row["name"])]]:
        if ordered := spell_added(meant[0], brief.request, brief):
            return replace(brief, completed=ordered)
        if says_it(brief.request) and (named := pattern("pronoun").sub(meant[0]["name"], brief.request, count=1)):
            return replace(brief, completed=named)
        state.request, state.named, state.listed = "", meant, []  # of the card that the words were typed over
    if state.points_nowhere(brief.request):
        return replace(brief, unlisted=tuple(row["name"] for row in state.listed))
    whole = state.read(brief.request)
    return _spell_out_later(brief if whole == brief.request else replace(brief, completed=whole))


def _leave_out_skips(brief: Brief) -> Brief:
    """The brief without what only refuses one card of a row of classes: 线性代数不用, skip this one."""
    refused = [row["arguments"].get("id") for row in brief.view["rejected"] if row["name"] == "upsert_task_class"]
    if not refused or not is_for_all(brief):
        return brief
    turns = [turn for at, turn in enumerate(brief.view["turns"]) if not at or not _skips(turn["text"], refused, brief)]
    return replace(brief, view={**brief.view, "turns": turns, "message": turns[-1]["text"]})


def _skips(text: str, refused: list[Any], brief: Brief) -> bool:
    named, told = {*classes_in(text, brief.classes)}, read_times(text, brief.term) or items_in(text, brief)
    points = bool(named) or says("pronoun", fold_text(text))
    return says("skips_card", fold_text(text)) and points and named <= {*refused} and not told


def _find_offer(brief: Brief) -> str:
    """The request that the last answer offered, where the student wants it done."""
    last = brief.earlier[-1]
    agrees = affirms(brief.request) or TAKES.fullmatch(fold_text(brief.request)) is not None
    return find_offered(last["text"]) if last["role"] != "user" and agrees else ""


def _spell_out_later(brief: Brief) -> Brief:
    """The brief with what its last words point to said in full."""
    last = brief.view["turns"][-1]
    if (
        len(brief.view["turns"]) < 2
        or last["option"] is not None
        or narrow_to_class(last["text"], brief.request, brief)
        or select_otherwise(last["text"], brief.request, brief)
    ):
        return brief
    state = DialogueState(brief)
    state.hear(brief.request)
    if brief.asked and brief.asked[-1]["about"].keys() & {"places", "items", "readings"}:
        state.listed = []
    typed = brief.spoken.get(last["text"], last["text"])
    said = spell_weekday_after(typed, brief) or spell_other_day(state.resolve(last["text"]), brief)
    turns = [*brief.view["turns"][:-1], GoalTurnView(text=said, via=last["via"], option=None)]
    return brief if said == last["text"] else replace(brief, view={**brief.view, "turns": turns, "message": said})


def resume_goal(brief: Brief) -> Brief:
    """The brief of a goal that begins with consent, with the words of the goal that it is consent to."""
    words = _find_unfinished_request(brief) if brief.view["resumes"] else []
    own = brief.view["turns"][:1]
    told = find_answer(own[0]["text"], brief.view["dialogue"]) if own and brief.view["resumes"] else ""
    left, asked = FIND_STEP_LEFT.search(told), FIND_ASKED.search(told)
    asks, effect = asked is not None, read_effect(asked["asked"] or "", brief) if asked else ""
    words = [left["request"]] if left else words
    if len(words) == _PAIR and (made_up := _tell_made_up(words[1], words[0], brief)):
        words = [APART.join((words[0], made_up))]
    if not words:
        return brief
    own = [] if told and not asks else own
    if whole := _correct_several(own, words, brief):
        words, own = [whole], []
    hours = len(own) == len(words) == 1 and keeps_hours(own[0]["text"]) and not items_in(own[0]["text"], brief)
    if hours and intent_of(words[0], brief) in ("move", "place"):
        words, own = [words[0] + brief.say("，时间段不变", ", at the same time of day")], []
    anew = _tell_made_up(own[0]["text"], words[-1], brief) if own else ""
    again = bool(own) and not (asks or anew)
    again = again and (_agrees(own[0]["text"]) or _only_wants_new_time(own[0]["text"], words[-1], brief))
    by_card = bool(own) and goes_by_card(own[0]["text"], words[0], brief)
    beside = own and (
        asks
        or anew
        or by_card
        or stands_beside(own[0]["text"], words, brief)
        or _stood_beside(own[0]["text"], words, brief)
    )
    typed = brief.spoken.get(own[0]["text"], own[0]["text"]) if own else ""
    timed = bool(own) and tells_time(typed, brief) and intent_of(words[-1], brief) == "mark"
    if timed and not anew and says("makes_up", fold_text(typed)):
        own = [GoalTurnView(text=typed, via="message", option=None)]
    elif beside and not again:
        said = effect or (own[0]["text"] if asks else spell_marked(own[0]["text"], brief))
        text = (_name_asked if asks else _spell_hours)(said, words[0], brief)
        named = DialogueState(brief).named if by_card and says_it(words[0]) else []
        before = _IT.sub(named[0]["name"], words[0], count=1) if len(named) == 1 else words[0]
        joined = join_requests(text, before, brief.before_goal, asks=asks)
        joined = APART.join((words[-1], anew)) if anew and not asks else joined
        first = GoalTurnView(text=joined, via="message", option=None)
        amended = [GoalTurnView(text=word, via="message", option=None) for word in (words[1:] if by_card else ())]
        turns = [first, *amended, *brief.view["turns"][1:]]
        message = brief.view["turns"][-1]["text"] if len(brief.view["turns"]) > 1 else joined
        view: View = {**brief.view, "request": joined, "turns": turns, "message": message}
        kept = [words[0], *([text] if effect or not asks or is_answered(text, brief) else [])]
        return replace(brief, view=view, written=(*brief.written, *((one, brief.spoken.get(one, one)) for one in kept)))
    agrees = again or (bool(own) and consents(typed, " ".join(words), brief))
    later = [*(() if agrees else own), *brief.view["turns"][1:]]
    turns = [*(GoalTurnView(text=word, via="message", option=None) for word in words), *later]
    message = later[-1]["text"] if later else words[0]
    written = brief.written if own and not agrees else tuple((one, brief.spoken.get(one, one)) for one in words)
    view = {**brief.view, "request": words[0], "turns": turns, "message": message}
    return replace(brief, view=view, written=written)


def _spell_hours(text: str, request: str, brief: Brief) -> str:
    """Words over a card with the hours of its request for "the same time"."""
    before = fold_text(request)
    hours = [before[one.start : one.end] for one in read_times(before, brief.term) if one.kind in OF_DAY]
    return SAME_TIME.sub(lambda _: brief.say("", ", ") + hours[-1], text, count=1) if hours else text


_IT = re.compile(r"\b(?:it|they|them)\b|它们?")


def _name_asked(text: str, request: str, brief: Brief) -> str:
    """A question over a card with what it points to by its name; over a rule for weekdays one of them is every one."""
    text, week = _name_it(text, request, brief), target_in(request, brief).week
    text = THAT_WEEK.sub(brief.say(f"第{week}周", f"week {week}"), fold_text(text)) if week else text
    every = [[*read_times(said, brief.term)] for said in (text, request)]
    asked, rule = ([one for one in found if one.kind == "weekday" and not (one.first or one.week)] for found in every)
    if len(asked) != 1 or not {*asked[0].weekdays} <= {day for one in rule for day in one.weekdays}:
        return text
    at, end, text = asked[0].start, asked[0].end, fold_text(text)
    return text if text[:end].endswith("s") else text[:at] + brief.say("每", "every ") + text[at:]


def _name_it(text: str, request: str, brief: Brief) -> str:
    """A question over a card with the only item, or class, of its request for what points to it."""
    ids = classes_in(request, brief.classes)
    names = [row["name"] for row in brief.classes if row["id"] in ids]
    names = names or [row["name"] for row in find_items(request, brief)]
    known = items_in(text, brief) or classes_in(text, brief.classes) or asks_opinion(text)
    return _IT.sub(lambda _: names[0], text, count=1) if len(names) == 1 and not known else text


def _correct_several(own: Sequence[GoalTurnView], words: Sequence[str], brief: Brief) -> str:
    """Several requests as a correction of them all makes them anew; empty where it is about one of them."""
    if not len(own) == len(words) == 1:
        return ""
    said = brief.spoken.get(own[0]["text"], own[0]["text"])
    several = len(requests_in(words[0], brief)) > 1
    return divide_answer(said, words[0], brief) or (
        correct_request(own[0]["text"], words[0], brief, refused=False) if several else ""
    )


def _agrees(text: str) -> bool:
    return affirms(text) or wants_it_done(text)


def _stood_beside(message: str, words: list[str], brief: Brief) -> bool:
    """Whether the words that began a goal which has written something were more than consent or a place: what they
    name may be gone by it."""
    wrote = bool(brief.done(*WRITES))
    if not wrote or len(words) != 1 or consents(message, words[0], brief):
        return False
    return not target_in(message, brief).said and not _only_wants_new_time(message, words[0], brief)


def _find_unfinished_request(brief: Brief) -> list[str]:
    """What the student said from the last request on."""
    dialogue = without_answered(brief.earlier)
    places = [at for at, turn in enumerate(dialogue) if turn["role"] == "user"][-REMEMBERED:]
    said = [str(dialogue[at]["text"]) for at in places]
    for at in range(len(said) - 1, -1, -1):
        asks = intent_of(said[at], brief) in (*CHANGING, "undo", "limit", "build")
        whole = Features(said[at], brief).slots.excludes or not adds_nothing(said[at], brief)
        whole = whole and not (at and _tell_made_up(said[at], said[at - 1], brief))
        if asks and whole and not _agrees(said[at]):
            words = [word for word in said[at:] if not _agrees(word)]
            queue = [dialogue[one : places[number + 1]] for number, one in enumerate(places[:at])] + [
                dialogue[places[at] :]
            ]
            words[0] = _join_queue(queue, brief)
            added = len(words) == 1 and adds_more(words[0]) and not Features(words[0], brief).opens_class
            added = added and words[0] == said[at]
            reopened = any(open_after_all(later, words[0], brief) for later in words[1:])
            return [DialogueState(brief).request or words[0]] if added or reopened else words
    return []


def _join_queue(exchanges: Sequence[Sequence[DialogueTurnView]], brief: Brief) -> str:
    """The last of these exchanges as a request with those in front of it that wait beside it, each with a card."""
    told, text = exchanges[-1][1:], str(exchanges[-1][0]["text"])
    before = str(exchanges[-2][0]["text"]) if len(exchanges) > 1 else ""
    waits = [one["text"] for one in told[:1]] == [brief.say("好的。", "All right.")] and len(told) > 1
    waits = waits and any(
        line.startswith(brief.say("接下来：", "After that: ")) for line in told[1]["text"].split("\n")
    )
    if not (before and waits) or any(one["wrote"] for one in (*exchanges[-2], *told)):
        return text
    if not (goes_by_card(text, before, brief) or stands_beside(text, [before], brief)):
        return text
    first = _join_queue(exchanges[:-1], brief)
    return join_requests(_spell_hours(text, first, brief), first, brief.before_goal, asks=False)


def _tell_made_up(text: str, before: str, brief: Brief) -> str:
    """Tells the move that words want of what was told to be missed right before and still lies ahead: no other one
    follows that mark by itself; empty for other words."""
    rows, now = find_items(before, brief), (brief.now["week"], brief.now["day_of_week"])
    ahead = all((slot := row["slot"]) and (slot["week"], slot["day_of_week"]) > now for row in rows)
    marks = intent_of(before, brief) == "mark" and progress_in(before) == "missed"
    points = tells_time(text, brief) and not read_times(text, brief.term)  # to its own week: later that week
    return tell_made_up(text, before, brief) if rows and ahead and marks and not points else ""


def _only_wants_new_time(message: str, before: str, brief: Brief) -> bool:
    """Whether a message asks for another time of what was told to be missed right before, and for nothing else: that
    follows the mark anyway."""
    if not says("makes_up", fold_text(message)) or items_in(message, brief):
        return False
    return intent_of(before, brief) == "mark" and not tells_time(message, brief)
