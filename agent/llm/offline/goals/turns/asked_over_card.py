"""Questions and remarks over an open card that change nothing of it: they are answered from the plan as the card would
make it, and the card comes back; whether what was wanted is done may be asked without one.

The answer ends with words by which the next goal knows that these turns are answered: no state of a card outlives its
goal.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from agent.llm.offline.goals.classes.corrected_class import is_new, read_card, spell_left
from agent.llm.offline.goals.decisions import NOT_USED, WRITES, Decision, give_up
from agent.llm.offline.goals.in_turn import is_answered, tool_requests
from agent.llm.offline.goals.items.item_request import keeps_hours
from agent.llm.offline.goals.questions.answers import tell_how_it_holds
from agent.llm.offline.goals.turns.card_answers import (
    CARD_ANSWERS,
    FIRST_THEN,
    asks_for_same_hours,
    find_limited,
    tell_as_it_is,
    tell_why,
)
from agent.llm.offline.goals.turns.effects import (
    OpenCard,
    list_things,
    spell_card_time,
    spell_effect,
    spell_places,
    suppose_card,
    swap_on_card,
)
from agent.llm.offline.goals.turns.over_card import asks_beside, spell_added
from agent.llm.offline.goals.wishes import tell_same_every_day
from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.dialogue.answers import consents, declines, takes_back
from agent.llm.offline.language.dialogue.entities import name_listed_items
from agent.llm.offline.language.dialogue.offers import choice_in
from agent.llm.offline.language.dialogue.revision.open_after_all import open_after_all
from agent.llm.offline.language.dialogue.rewriting import LOOKING, adds_more
from agent.llm.offline.language.dialogue.slots import find_bare_count, find_spans
from agent.llm.offline.language.dialogue.tracking import completes_request
from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.meaning.ellipsis import form_of, leaves_it_open, says_it, wants_it_done
from agent.llm.offline.language.meaning.features import Features
from agent.llm.offline.language.meaning.intents import intent_of
from agent.llm.offline.language.meaning.requests import APART, requests_in
from agent.llm.offline.language.meaning.whether import asks_whether_done
from agent.llm.offline.language.normalize import fold_text
from agent.llm.offline.language.spans.classes.class_sentence import read_class
from agent.llm.offline.language.spans.classes.new_class import read_new_class
from agent.llm.offline.language.spans.conditions.suppositions import read_supposition
from agent.llm.offline.language.spans.happenings import progress_in
from agent.llm.offline.language.spans.items.mention_signs import find_mentioned
from agent.llm.offline.language.spans.items.spoken import named_items
from agent.llm.offline.language.spans.mentions import all_items, classes_in, items_in
from agent.llm.offline.language.spans.targets import avoided_in, shift_in, target_in
from agent.llm.offline.language.texts import (
    ANSWER_FIRST,
    CARD_AGAIN,
    CARD_BECOMES,
    FIND_STEP_LEFT,
    STEP_LEFT,
    comes_back,
)
from agent.loop.nodes.enter import SAME_REQUEST
from agent.loop.view_document import CallView, DialogueTurnView, TaskView

_LONGEST = 80


def answer_over_card(brief: Brief) -> Decision | None:
    """Answers what is asked over a card about what it would do, or says that a condition holds; another question is
    answered before the card comes again. None for other words."""
    answer = brief.last_answer("tool", "reject")
    if answer is None or answer["call"] is None or not answer["message"] or len(brief.turns) < 2:
        return None
    opened = open_after_all(brief.last_said, brief.request, brief)
    left = None if opened and opened.touched else _find_left(brief, answer["call"], answer["question"])
    if left is None:
        return None
    card = _find_card(brief, answer["call"], answer["question"])
    again = brief.say(*STEP_LEFT, request=left) if left else ""
    if card and intent_of(brief.request, brief) != "swap" and (whole := swap_on_card(card)):
        return give_up(SAME_REQUEST, brief.say(*CARD_BECOMES, request=whole))
    if card and (told := tell_as_it_is(card)):
        return give_up(SAME_REQUEST, f"{told}\n{again or brief.say(*CARD_AGAIN)}")
    if card and not card.moved and (effect := spell_effect(card.call, card.said, brief, left)):
        return give_up(SAME_REQUEST, "\n".join(filter(None, (brief.say(*ANSWER_FIRST), effect, again))))
    answers = (tell_why,) if card and says("why_asked", fold_text(card.said)) else CARD_ANSWERS
    told = next((text for find in answers if (text := find(card))), "") if card else ""
    typed = brief.spoken.get(brief.last_said, brief.last_said)
    told = told or ("" if card and card.named else tell_same_every_day(answer["call"]["arguments"], typed, brief))
    if not told and asks_beside(brief.last_said, brief.turns[0], brief):
        spelled = spell_card_time(card.call, card.moved, card.said, brief) if card else ""
        changes = card and (card.moved or find_limited(card)) and not says("lesson_asked", fold_text(card.said))
        without = brief.say(*_WITHOUT_CARD) if changes else ""
        return give_up(SAME_REQUEST, "\n".join(filter(None, (brief.say(*ANSWER_FIRST) + without, spelled, again))))
    picks = card and len(list_things(card)) < _SEVERAL and choice_in(typed, _MOST_LISTED)
    picks = picks and not find_bare_count(fold_text(typed))
    stays = keeps_hours(typed) and not asks_for_same_hours(fold_text(typed))  # a card of one move has its hours
    stays = stays and intent_of(brief.request, brief) not in ("move", "place")
    if not told and (picks or stays or _asks_unclearly(brief.turns[-1], brief) or _tells_nothing(brief)):
        told = brief.say(*NOT_USED, said=typed)
    return give_up(SAME_REQUEST, f"{told}\n{again or brief.say(*CARD_AGAIN)}") if told else None


_WITHOUT_CARD = ("下面是现在的样子，卡片的改动还不算。", " It is told as it stands now, without the card.")
_MOST_LISTED, _SEVERAL = 9, 2


def find_item_meant(brief: Brief) -> str:
    """Answers the name of the one item that a card would move, where words over it want that elsewhere and the request
    names none: 挪到第五周去, or tell its place in the class that just got it: 放最前面; empty for other words."""
    turn, row = brief.turns[-1], _find_moved(brief)
    if row is None or says("asking", fold_text(turn)):
        return ""
    if not target_in(turn, brief).said:
        return row["name"] if brief.done(*WRITES) and spell_added(row, turn, brief) else ""
    elsewhere = says("move", fold_text(turn)) or says("place", fold_text(turn))
    added = brief.done(*WRITES) and fold_text(row["name"]) in fold_text(brief.request)  # beside what it names
    named = named_items(turn, brief) or ([] if added else find_mentioned(brief.request, brief))
    return row["name"] if elsewhere and not (named or classes_in(turn, brief.classes)) else ""


def tells_place_again(brief: Brief) -> bool:
    """Whether words over a card only tell once more the day or the week to which its one item goes."""
    turn, answer = brief.turns[-1], brief.last_answer("tool", "reject")
    if answer is None or answer["call"] is None or form_of(turn, brief) != "time" or shift_in(turn) is not None:
        return False
    moved = OpenCard(brief, answer["call"], "", tuple(suppose_card(brief, answer["call"], answer["question"]))).moved
    there, text = target_in(turn, brief), fold_text(turn)
    again = not (says("correction", text) or says("asking", text) or avoided_in(turn, brief.term).said)
    slot = moved[0]["slot"] if again and len(moved) == 1 else None
    return slot is not None and there.dated and there.covers(slot)


def _find_moved(brief: Brief) -> TaskView | None:
    """The one item that the planner's card would move."""
    answer = brief.last_answer("tool", "reject")
    if answer is None or answer["call"] is None or answer["call"]["name"] != "replan":
        return None
    moved = OpenCard(brief, answer["call"], "", tuple(suppose_card(brief, answer["call"], answer["question"]))).moved
    return moved[0] if len(moved) == 1 else None


MEANS_ITEM = ("好的，改{name}。", "All right: {name}.")
"""What tells the next goal which item its first words are about."""


def _asks_unclearly(turn: str, brief: Brief) -> bool:
    """Whether words over a card are a question of which nothing is understood: it changes nothing of the card."""
    asks = Features(turn, brief).has("asking") and intent_of(turn, brief) in ("other", "undo")
    named = target_in(turn, brief).said or classes_in(turn, brief.classes) or items_in(turn, brief)
    return asks and not named and not says("correction", fold_text(turn))


def keep_card(brief: Brief) -> Decision | None:
    """Leaves a card as it is over which nothing was said that is understood; None for other words."""
    if brief.last_answer("tool", "reject") is None or not _tells_nothing(brief):
        return None
    typed = brief.spoken.get(brief.last_said, brief.last_said)
    return give_up(SAME_REQUEST, f"{brief.say(*NOT_USED, said=typed)}\n{brief.say(*CARD_AGAIN)}")


def _tells_nothing(brief: Brief) -> bool:
    """Whether nothing of the words over a card is understood: they neither name anything nor want it otherwise."""
    turn, text = brief.turns[-1], fold_text(brief.spoken.get(brief.last_said, brief.last_said))
    intent = intent_of(turn, brief)
    meant = "other" if intent == "plan_first" and not says("plan_first", text) else intent
    if meant != "other" or brief.frames.get(brief.last_said) or brief.last_said in brief.anew:
        return False
    row = _find_moved(brief)
    if row is not None and spell_added(row, turn, brief):
        return False
    if find_spans(text, brief) or find_spans(fold_text(turn), brief) or any(says(one, text) for one in _DECIDES):
        return False
    decides = any(decide(turn, brief.request, brief) for decide in (consents, declines, takes_back))
    told = (
        choice_in(turn, _MOST_LISTED)
        or find_bare_count(text)
        or progress_in(text)
        or shift_in(text) is not None
        or says_it(text)
    )
    told = told or leaves_it_open(turn) or wants_it_done(turn) or read_class(turn, brief.term).said_anything
    told = told or len(read_new_class(turn, brief.term, expect=("items",)).items) > 1
    return not (decides or told or completes_request(brief))


_DECIDES = ("correction", "keep", "never_mind", "unwanted", "taken_back", "not_so", "back", "as_before", "left_alone")
"""What tells that a card is not to be as it is, or that all is to stay as it was."""


def _find_left(brief: Brief, call: CallView, shown: str) -> str | None:
    """The request for what is left of a goal that has written something, from the card on, or that began with words
    which what was said before made whole; empty where that is what was said, None where no words ask for just that."""
    whole = brief.whole or brief
    if is_new(call) and (left := spell_left(read_card(call), whole)):
        return left
    if not whole.done(*WRITES):
        if APART in whole.request and (unasked := _find_unasked(whole)) is not None:
            return unasked
        between = brief.say("；", "; ") + APART
        joined = re.sub(rf"[;；\s]*{APART}", between, whole.request) if APART in whole.request else ""
        dates = re.compile(r"\d{4}-(\d\d)-(\d\d)")
        return dates.sub(lambda day: brief.say(f"{int(day[1])}月{int(day[2])}日", day[0]), joined or whole.completed)
    said = tool_requests(whole)
    rest = said[said.index(brief.request) + 1 :] if brief.request in said else []
    if call["name"] == "upsert_task_class" or (brief.whole and not brief.done(*WRITES)):
        own: str | None = brief.request if brief.whole else ""
    else:
        own = _spell_moves(brief, call, shown)
    return None if own is None else (brief.say("；", "; ") + APART).join([own, *rest])


def _find_unasked(whole: Brief) -> str | None:
    """What is left of a request behind questions that are answered, empty where just that was said before; None where
    nothing was asked."""
    said = requests_in(whole.request, whole)
    left = [one for one in said if not (is_answered(one, whole) or read_supposition(one, whole))]
    left = [one for one in left if intent_of(one, whole) not in LOOKING]
    known = {turn["text"] for turn in whole.view["dialogue"] if turn["role"] == "user"}
    if len(left) == len(said) or not left:
        return None
    own = [dict(whole.written).get(one, one) for one in left]
    return "" if {*left} <= known or {*own} <= known else (whole.say("；", "; ") + APART).join(own)


def _spell_moves(brief: Brief, call: CallView, shown: str) -> str | None:
    """The places of a card as a request; None where it gives none."""
    moved = OpenCard(brief, call, "", tuple(suppose_card(brief, call, shown))).moved
    return spell_places(moved, brief, brief.say("；", "; ") + APART) or None


_PLANNED = re.compile(r"排[好完]")


def tell_whether_done(brief: Brief) -> str:
    """What was written last; empty where something else is asked, or a card was asked about."""
    typed = brief.last_said
    said = brief.spoken.get(typed, typed)
    named = items_in(said, brief, among=all_items(brief)) or classes_in(said, brief.classes)
    if not asks_whether_done(said) or named or target_in(said, brief).said:
        return ""
    dialogue = brief.view["dialogue"][-2:]
    if any(find_answer(text, dialogue) for text in (said, typed)):
        return ""
    wrote = [turn["text"] for turn in brief.earlier if turn["wrote"]]
    if not wrote and _PLANNED.search(fold_text(said)) and any(row["slot"] for row in brief.tasks):
        return tell_how_it_holds(brief)
    if not wrote:
        return brief.say("还没有：最近的对话里什么都没有写下。", "No: nothing was written in what we said lately.")
    return "\n".join([brief.say("最近写下的是：", "This was written last:"), wrote[-1]])


def find_answer(text: str, dialogue: Sequence[DialogueTurnView]) -> str:
    """What the student was told to words over a card that comes back behind their answer; empty for other words."""
    told = (two["text"] for one, two in pairwise(dialogue) if (one["role"], one["text"]) == ("user", text))
    return next(filter(comes_back, told), "")


def without_answered(dialogue: Sequence[DialogueTurnView]) -> list[DialogueTurnView]:
    """A dialogue without what was only asked over a card that came back; what was left to do then stands for it."""
    kept = list[DialogueTurnView]()
    for turn, told in zip(dialogue, [*(one["text"] for one in dialogue[1:]), ""], strict=False):
        if (left := FIND_STEP_LEFT.search(told)) is not None:
            kept.append({**turn, "text": left["request"]})
        elif not comes_back(told):
            kept.append(turn)
    return kept


def _find_card(brief: Brief, call: CallView, shown: str) -> OpenCard | None:
    rows = tuple(suppose_card(brief, call, shown))
    pool = list_things(OpenCard(brief, call, "", rows))
    typed = name_listed_items(brief.spoken.get(brief.last_said, brief.last_said), pool, pool, brief)
    said = brief.read_words(typed)  # what it points to is the card
    clauses = [one for one in re.split(r"(?<=[?？])", said) if one.strip()]
    said = " ".join(one for one in clauses if not says("why_asked", fold_text(one))) or said
    own, named = find_mentioned(brief.request, brief), find_mentioned(said, brief)
    other = any(row not in own for row in named)  # in the place of its own
    other = other and (says("correction", fold_text(said)) or any(row in own for row in named))
    other = other and not FIRST_THEN.search(fold_text(said))
    changes = not says("asking", fold_text(said)) and (shift_in(said) is not None or adds_more(said) or other)
    if len(said) > _LONGEST or changes:
        return None
    return OpenCard(brief, call, said, rows)
