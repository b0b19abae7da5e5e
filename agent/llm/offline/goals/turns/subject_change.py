"""A later turn that is no answer: the student has changed the subject, and the goal is handed over to it."""

from __future__ import annotations

import re

from agent.llm.offline.goals.classes.class_request import NOT_UNDERSTOOD_TOPIC, is_class_goal
from agent.llm.offline.goals.classes.told_changes import NEW_ONE
from agent.llm.offline.goals.decisions import WRITES, Decision, ask_readings, give_up
from agent.llm.offline.goals.happenings.marks import find_done, find_marked, read_made_up, wants_it_made_up
from agent.llm.offline.goals.in_turn import tool_requests
from agent.llm.offline.goals.items.item_request import keeps_hours, says_span
from agent.llm.offline.goals.items.item_texts import change_lines
from agent.llm.offline.goals.items.many_items import amends_request
from agent.llm.offline.goals.items.unplaced import read_answer
from agent.llm.offline.goals.limits import PLAN_WITHIN
from agent.llm.offline.goals.negotiation import find_chosen_way
from agent.llm.offline.goals.questions.lessons.lesson_questions import asks_about_lessons
from agent.llm.offline.goals.turns.asked_over_card import (
    MEANS_ITEM,
    answer_over_card,
    find_item_meant,
    tells_place_again,
)
from agent.llm.offline.goals.turns.over_card import (
    adds_content,
    asks_beside,
    asks_otherwise,
    goes_by_card,
    limits_more,
    plans_another,
    replaces_item,
    stands_beside,
)
from agent.llm.offline.goals.turns.own_goals import stands_apart
from agent.llm.offline.language.brief import PLACES, Brief
from agent.llm.offline.language.dialogue.answers import consents, declines, leaves_as_it_was, takes_back
from agent.llm.offline.language.dialogue.divided_answers import divide_answer
from agent.llm.offline.language.dialogue.entities import find_others
from agent.llm.offline.language.dialogue.offers import choice_in, choose_reading
from agent.llm.offline.language.dialogue.pointing.subjects import narrow_to_class
from agent.llm.offline.language.dialogue.references import points_back
from agent.llm.offline.language.dialogue.revision.corrections import add_to_class, correct_request, put_other
from agent.llm.offline.language.dialogue.revision.hours_anew import tell_day_anew
from agent.llm.offline.language.dialogue.revision.open_after_all import open_after_all, tells_once_more
from agent.llm.offline.language.dialogue.revision.taken_back import find_numbered
from agent.llm.offline.language.dialogue.rewriting import CHANGING, adds_more, corrects_request, find_items
from agent.llm.offline.language.dialogue.rewriting import LOOKING as LOOKING_UP
from agent.llm.offline.language.dialogue.slots import find_bare_count
from agent.llm.offline.language.dialogue.tracking import REFUSED_TOPICS, completes_request, corrects_wholly
from agent.llm.offline.language.lexicon import says as has_word
from agent.llm.offline.language.meaning.ellipsis import (
    affirms,
    agrees_again,
    form_of,
    leaves_it_open,
    only_tells_time,
    says_it,
    wants_it_done,
)
from agent.llm.offline.language.meaning.features import Features
from agent.llm.offline.language.meaning.intents import OPERATIONS, Intent, intent_of
from agent.llm.offline.language.spans.classes.class_changes import read_content_changes
from agent.llm.offline.language.spans.classes.class_sentence import ClassSlots, read_class
from agent.llm.offline.language.spans.classes.new_class import read_new_class
from agent.llm.offline.language.spans.conditions.wishes import drops_said_limit
from agent.llm.offline.language.spans.dates import weekdays_in
from agent.llm.offline.language.spans.happenings import progress_in
from agent.llm.offline.language.spans.items.groups import selects_by_time
from agent.llm.offline.language.spans.items.references import parts_of
from agent.llm.offline.language.spans.items.spoken import named_items
from agent.llm.offline.language.spans.mentions import all_items, classes_in, items_by_name, items_in
from agent.llm.offline.language.spans.targets import avoided_in, shift_in, target_in
from agent.llm.offline.language.texts import AS_IT_WAS, CONSENT_TYPED, DONE_SO_FAR, STEP_LEFT, comes_back
from agent.llm.offline.language.words.over_cards import OF_ALL
from agent.loop.nodes.enter import NEW_REQUEST, REQUEST_BESIDE, SAME_REQUEST
from agent.loop.phrases import ACCEPT_PARTIAL, fold_text, says

MOST_CHARS = 60
_FIRST_ANSWER = 2
"""Turns of a goal of which the second is the first one over its card."""
SAY_WHOLE = (
    "没有保存，也没有排。要换成别的时间，请把任务类和时间一起再说一次。",
    "Nothing was saved and nothing planned. Please say the class and its other times together once more.",
)
FOR_THIS_PLAN = (
    "好的。每周的规则管所有日期、所有任务，所以这次只改现在的计划：",
    "All right. A rule of every week holds on all dates and for all items, so this is for the plan as it is:",
)
LOST = (
    "现在没有位置的：{names}；要排，请说「把{names}排进去」。",
    ' Without a place now: {names}. To have that placed, say "place {names}".',
)
NOTHING_CHANGED = ("好的，什么都没有改。", "All right, nothing was changed.")
NOTHING_DONE = ("好的，什么都没有改，还在原来的地方。", "All right, nothing was changed; it is where it was.")
_OTHERS = re.compile(
    r"别的|其[他它]|另外|都不|换一[批组些]|还有[^,，]{0,3}[吗没呢]"
    r"|\b(?:others?|none|neither|another|different|else|more options)\b"
)
_ANY_THEN = re.compile(
    r"有[^,，。;；]{0,10}的[吗么没]|有没有[^,，。;；]{1,10}的|\b(?:any(?:thing)?|something|is there)\b"
)
"""Asks for one of those offered at another time."""
ANSWERED_FIRST: tuple[Intent, ...] = (*LOOKING_UP, "changes", "explain")
"""What is asked over a card before anything is decided."""
LOOKING: tuple[Intent, ...] = ("explain", "optimise", "show", "free", "changes")


def keep_as_it_was(brief: Brief) -> Decision | None:
    """Ends a goal whose last words want all of it to stay as it was; of several requests these have to tell of all."""
    turn = brief.view["turns"][-1]
    typed = brief.spoken.get(brief.last_said, brief.last_said)
    answers = len(brief.view["turns"]) > 1 and turn["option"] is None and turn["via"] in ("reply", "reject")
    if not answers or brief.last_answer("tool", "approve") or not leaves_as_it_was(typed, brief.request, brief):
        return None
    if not OF_ALL.search(fold_text(typed)) and len(tool_requests(brief)) > 1:
        return None
    moves = intent_of(brief.request, brief) in OPERATIONS
    if moves and brief.changes and brief.whole is None and not tool_requests(brief):
        return None  # of several items it is told which moved and which did not
    return give_up("kept", brief.say(*(NOTHING_DONE if moves else NOTHING_CHANGED)))


def hand_over_goal(brief: Brief) -> Decision | None:
    """Hands the goal over when its last turn asks for something of another kind."""
    turns = brief.view["turns"]
    if brief.last_answer("tool", "approve"):
        return None  # what was said before the card that was approved is done by it
    if (kept := keep_as_it_was(brief)) is not None:
        return kept
    if len(turns) == _FIRST_ANSWER and _over_a_card(brief) and divide_answer(brief.last_said, brief.request, brief):
        return give_up(SAME_REQUEST, brief.say("好的。", "All right."))
    if len(turns) > 1 and _over_a_card(brief) and brief.last_said in brief.anew:
        return give_up(NEW_REQUEST, brief.say("好的。", "All right."))
    if stands_apart(brief):
        return give_up(REQUEST_BESIDE, brief.say("好的。", "All right."))
    if len(turns) > 1 and wants_it_made_up(brief):
        then = ("好的，确认没做之后再排那个时间。", "All right; it is put there once the mark is confirmed.")
        new = ("好的，确认没做之后给它找新的时间。", "All right; it gets a new time once the mark is confirmed.")
        return give_up(SAME_REQUEST, brief.say(*(then if target_in(turns[-1]["text"], brief).said else new)))
    if len(turns) > 1 and read_made_up(brief) is not None:
        return None
    opened = open_after_all(brief.last_said, brief.request, brief) if len(turns) > 1 else None
    narrows = len(turns) > 1 and not opened and narrow_to_class(turns[-1]["text"], brief.request, brief)
    narrows = narrows or (len(turns) > 1 and add_to_class(turns[-1]["text"], brief.request, brief))
    if _picks_reading(brief) or narrows or _tells_anew(brief):
        return give_up(NEW_REQUEST, brief.say("好的。", "All right."))
    if len(turns) > 1 and (over_card := _decide_over_card(brief)):
        return over_card
    if len(turns) < 2 or turns[-1]["via"] not in ("reply", "reject") or not _leads_away(brief, brief.turns[-1]):
        return None
    if _consents(brief, brief.turns[-1]):
        if brief.asked and brief.asked[-1]["topic"] == PLAN_WITHIN:
            return give_up(NEW_REQUEST, brief.say("好的。", "All right."))
        told = brief.say(*(CONSENT_TYPED if _over_a_card(brief) else AS_IT_WAS))
        whole = brief.completed and intent_of(turns[0]["text"], brief) == "other"  # the next goal would not see why
        return give_up(SAME_REQUEST, f"{told}\n{brief.say(*STEP_LEFT, request=brief.completed)}" if whole else told)
    return give_up(NEW_REQUEST, _done_so_far(brief))


def leave_to_undo(brief: Brief) -> Decision | None:
    """Hands the goal over to words over a card, or to a question, that take back what was written already, in this
    goal or before a question over the card, or drop the limit of the card; None for other words."""
    answer = brief.interaction
    turn = answer["message"] if answer and answer["action"] in ("reject", "reply") else ""
    drops = drops_said_limit(fold_text(turn)) or has_word("as_before", fold_text(turn))
    back = drops or (has_word("back", fold_text(turn)) and not Features(turn, brief).has("asking"))
    if answer is None or not back or target_in(turn, brief).said or (items_in(turn, brief) and not drops):
        return None
    told = [one for one in brief.view["dialogue"][-_LATELY:] if one["role"] != "user" and one["wrote"]]
    before = brief.view["resumes"] and any(comes_back(one["text"]) for one in told)
    if answer["call"] and intent_of(brief.request, brief) == "undo" and not drops:
        agreed = ("好的。", "All right.") if classes_in(turn, brief.classes) else CONSENT_TYPED
        return give_up(NEW_REQUEST, brief.say(*agreed))
    if before or brief.done(*WRITES):
        return give_up(NEW_REQUEST, brief.say("好的，不再往下做。", "All right, that goes no further."))
    if not drops or not answer["call"] or answer["call"]["name"] not in _LIMITS:
        return None
    return give_up("kept", brief.say("好的，什么都没有改。", "All right, nothing was changed."))


_LIMITS = ("set_preferences", "replan", "upsert_task_class")
"""Tools that limits are kept by."""
_LATELY = 8
"""Turns among which those of the card are that what is asked comes before."""


def _picks_reading(brief: Brief) -> bool:
    """Whether the last words pick one of the readings that were offered, by its number: it is a request of its own, as
    if its button was pressed."""
    readings = brief.asked[-1]["about"].get("readings", ()) if brief.asked and len(brief.view["turns"]) > 1 else ()
    said = brief.view["turns"][-1]["text"]
    return choose_reading(said, readings) != ""


def _tells_anew(brief: Brief) -> bool:
    """Whether the last words tell otherwise when a class is to be planned, where that was asked: or no, thursdays."""
    offered = bool(brief.asked) and brief.asked[-1]["topic"] == PLAN_WITHIN and len(brief.view["turns"]) > 1
    return offered and target_in(brief.turns[-1], brief).said and completes_request(brief)


def _decide_over_card(brief: Brief) -> Decision | None:
    """What words over a card, or to the question after its refusal, lead to: nothing is wanted any more, the same with
    another item, or something beside it."""
    if _over_a_card(brief) and (told := _ask_which_other(brief) or answer_over_card(brief)):
        return told
    if (_over_a_card(brief) or _was_asked_after_refusal(brief)) and _gives_up(brief, brief.turns[-1]):
        return give_up("kept", _done_so_far(brief) if brief.done("upsert_task_class") else brief.say(*NOTHING_CHANGED))
    if not _over_a_card(brief):
        return _answer_after_refusal(brief) if _was_asked_after_refusal(brief) else None
    if goes_by_card(brief.last_said, brief.turns[0], brief):
        return give_up(SAME_REQUEST, brief.say("好的。", "All right."))
    if keeps_hours(brief.turns[-1]) and intent_of(brief.request, brief) in ("move", "place"):
        return give_up(SAME_REQUEST, brief.say("好的。", "All right."))
    if (name := find_item_meant(brief)) and not tell_day_anew(brief.last_said, brief.request, brief):
        return give_up(NEW_REQUEST, brief.say(*MEANS_ITEM, name=name))
    if len(brief.turns) == _FIRST_ANSWER and adds_content(brief.last_said, brief.request, brief):
        return give_up(SAME_REQUEST, brief.say("好的。", "All right."))
    begun = bool(brief.changes) or brief.done(*WRITES)
    if begun and len(brief.turns) == _FIRST_ANSWER and limits_more(brief.last_said, brief.request, brief):
        return give_up(SAME_REQUEST, brief.say("好的。", "All right."))
    opened = open_after_all(brief.last_said, brief.request, brief)
    if opened and opened.dated and opened.whole:
        return give_up(NEW_REQUEST, brief.say(*FOR_THIS_PLAN))
    if replaces_item(brief) or (len(brief.turns) == _FIRST_ANSWER and corrects_wholly(brief)):
        return give_up(NEW_REQUEST, brief.say("好的。", "All right.") + _tell_lost(brief))
    if _wants_card_done(brief):
        return None  # what "there" stands for is on the card
    if not begun and not amends_request(brief) and stands_beside(brief.last_said, brief.turns[:-1], brief):
        return give_up(SAME_REQUEST, brief.say("好的。", "All right."))
    return give_up(NEW_REQUEST, _done_so_far(brief)) if plans_another(brief) else None


def _ask_which_other(brief: Brief) -> Decision | None:
    """Asks which item is meant where words over a card deny its only one and may mean several others of its class."""
    request, typed = brief.request, brief.spoken.get(brief.last_said, brief.last_said)
    changed = read_content_changes(request, brief).told
    own = [row for one in changed for row in one.items] or items_in(request, brief, among=all_items(brief))
    changes = intent_of(request, brief) in CHANGING and not brief.changes
    others = find_others(typed, own[0], brief) if changes and len(own) == 1 else []
    readings = [whole for row in others if (whole := put_other(row, own[0], request, brief))]
    if len(numbered := find_numbered(typed, request, brief) if changes else []) > 1:
        readings = numbered
    if not readings or (len(readings) == 1 and intent_of(request, brief) != "class"):
        return None
    if len(readings) == 1:
        return give_up(NEW_REQUEST, brief.say("好的。", "All right."))
    listed = "\n".join(f"{at}. {one}" for at, one in enumerate(readings, start=1))
    told = (
        brief.say("是哪个意思？", "Which do you mean?")
        if numbered
        else brief.say("那是哪一项？", "Which one is it then?")
    )
    return ask_readings(brief, "which_other", f"{told}\n{listed}", readings)


def _done_so_far(brief: Brief) -> str:
    """What of the goal was done before it was left."""
    intent = intent_of(brief.request, brief)
    if intent == "other" or (not brief.tasks and intent == "build"):
        return brief.say("好的。", "All right.")
    if brief.done("upsert_task_class") and not any(row["after"] for row in brief.changes):
        told = brief.say("已经写下的都还在，其余的先不改。", "What was written stays; nothing else was changed.")
        return told + _tell_lost(brief)
    if not brief.changes and _over_a_card(brief):
        return brief.say("好的。", "All right.") if _takes_its_place(brief) else _tell_not_done(brief)
    if not brief.changes:
        return brief.say("好的，这件事先保持不变。", "All right, that stays as it is.")
    rest = brief.say("其余的先保持不变。", "The rest stays as it is.")
    return "\n".join([brief.say(*DONE_SO_FAR), *change_lines(brief, brief.changes), rest])


def _tell_lost(brief: Brief) -> str:
    """The items that have lost their places to what the goal wrote, and how they get others."""
    lost = {row["task_item_id"] for row in brief.changes if not row["after"]}
    names = [row["name"] for row in brief.tasks if row["item_id"] in lost and not row["slot"]]
    return brief.say(*LOST, names=brief.say("、", ", ").join(names)) if names else ""


def _tell_not_done(brief: Brief) -> str:
    """That what the card was for is not done, and how to get it."""
    if marked := find_marked(brief):
        return brief.say(
            "{names}已经记下；新的时间先没有改。",
            "The mark is kept: {names}. No new time was written.",
            names=brief.say("、", ", ").join(marked),
        )
    if find_done(brief, "set_preferences"):
        return brief.say(
            "愿望已经记下。卡片上的移动没有照着做；接下来排的时候会按愿望来，可能也会移动它们。",
            "The wish is noted. The moves of the card were not made; what is planned next heeds the wish, and may "
            "move them too.",
        )
    said = brief.request if brief.completed else brief.own_words
    for row in brief.tasks:
        said = said.replace(f"[{row['state_id']}]", row["name"])
    given = ((brief.interaction and brief.interaction["call"]) or {"arguments": {}})["arguments"]
    ids = {given.get("task_id"), *given.get("task_ids", ()), *(one["task_id"] for one in given.get("moves", ()))}
    shown = (brief.interaction or {"question": ""})["question"]
    rows = [] if find_items(brief.request, brief) else brief.tasks
    if names := [row["name"] for row in rows if row["state_id"] in ids or row["name"] in shown]:
        said += brief.say("：", ": ") + brief.say("、", ", ").join(names)
    return brief.say(
        "「{said}」先没有改；还要的话，请再说一次。",
        'Not done: "{said}". Say it again if you still want it.',
        said=said.strip(" 。.!"),
    )


def _takes_its_place(brief: Brief) -> bool:
    """Whether the words over a card change what it was for: they complete its request, or are about its items."""
    turn = brief.turns[-1]
    if completes_request(brief) or open_after_all(brief.last_said, brief.request, brief):
        return True
    if adds_more(turn) and {intent_of(turn, brief), intent_of(brief.request, brief)} <= {*CHANGING}:
        return True
    own = {row["item_id"] for row in find_items(brief.request, brief)}
    heard = {name for one in brief.frames.get(brief.last_said, ()) for name in one.slots.get("items", ())}
    if own and {row["name"] for row in brief.tasks if row["item_id"] in own} <= heard:
        return True  # the models heard them in it
    changes = {intent_of(turn, brief), intent_of(brief.request, brief)} <= {*OPERATIONS, "mark"}
    return changes and bool(own & {row["item_id"] for row in find_items(turn, brief)})


def _is_request_of_its_own(brief: Brief, turn: str) -> bool:
    """Whether words over a card ask for a change of other items, or add some to those of the card."""
    own, found = (find_items(text, brief) for text in (brief.request, turn))
    others = [row for row in found if row not in own]
    whole = form_of(turn, brief) == "both" and not has_word("correction", fold_text(turn))
    if not others or (corrects_request(turn, brief) and not (adds_more(turn) or whole)):
        return False
    return adds_more(turn) or (
        (whole or intent_of(turn, brief) in OPERATIONS) and form_of(turn, brief) not in ("item", "class")
    )


def _consents(brief: Brief, turn: str) -> bool:
    """Consent typed over a card, or to what was refused and then not understood: only a new goal may ask again."""
    if agrees_again(turn, brief.request) and _over_a_card(brief):
        return True
    not_understood = brief.interaction is not None and brief.interaction["topic"] == NOT_UNDERSTOOD_TOPIC
    if _over_a_card(brief):
        agrees = consents(turn, brief.turns[0], brief) and not _goes_back(brief, turn)
        again = tells_place_again(brief) or tells_once_more(turn, brief.request, brief)
        return agrees or again or _wants_card_done(brief)
    offered = bool(brief.asked) and brief.asked[-1]["topic"] == PLAN_WITHIN
    return (affirms(turn) or agrees_again(turn, brief.request)) and (not_understood or offered)


def _wants_card_done(brief: Brief) -> bool:
    """Whether the last words tell to do what the card under them asks for: also to plan what it gives a place to."""
    call = (brief.interaction or {"call": None})["call"]
    waits = any(not row["slot"] for row in brief.tasks)
    placing = call is not None and (call["name"] == "place" or (call["name"] == "replan" and waits))
    return wants_it_done(brief.spoken.get(brief.last_said, brief.last_said), placing=placing)


def _goes_back(brief: Brief, turn: str) -> bool:
    """Whether words over a card that was changed by others want another day than these."""
    told = next((one for one in reversed(brief.turns[1:-1]) if weekdays_in(one)), "")
    return told != "" and not {*weekdays_in(turn)} <= {*weekdays_in(told)}


_MISSED = re.compile(r"错过|落下|\b(?:missed|skipped)\b")
"""What tells more than that something is not done."""


def _gives_up(brief: Brief, turn: str) -> bool:
    """Whether words over a card end its goal: they want nothing of it. Over a place another one may be wanted, and what
    is wrong may be put right, unless they say that they drop it."""
    named, of_card = (items_by_name(one, all_items(brief), brief) for one in (turn, brief.request))
    if named and any(row not in named for row in of_card):
        return False  # only some of them are not wanted
    text = fold_text(turn)
    done = intent_of(brief.request, brief) == "mark" and progress_in(brief.request) == "done"
    alone = all(row in of_card for row in named)
    if done and alone and has_word("correction", text) and has_word("not_done", text) and not _MISSED.search(text):
        return not (target_in(turn, brief).said or has_word("partly", text) or has_word("makes_up", text))
    opened = open_after_all(turn, brief.request, brief)
    if opened and opened.touched:
        return not opened.whole
    if correct_request(turn, brief.request, brief, refused=False):
        return False
    if takes_back(turn, brief.request, brief):
        return True
    asks_anew = intent_of(brief.request, brief) in OPERATIONS or has_word("correction", text)
    return not asks_anew and declines(turn, " ".join(brief.turns[:-1]), brief)


def _answer_after_refusal(brief: Brief) -> Decision | None:
    """What the answer to the question after a refusal leads to, where it is no answer: something else, or other limits
    of a plan, which is never made without any."""
    limits = Features(brief.request, brief).plans_with_limits and target_in(brief.turns[-1], brief).said
    corrects = is_class_goal(brief) and has_word("correction", fold_text(brief.turns[-1]))
    anew = correct_request(brief.turns[-1], brief.request, brief, refused=True)
    asks = asks_beside(brief.last_said, brief.turns[0], brief)
    if anew or asks or asks_otherwise(brief) or ((limits or corrects) and completes_request(brief)):
        return give_up(NEW_REQUEST, brief.say("好的。", "All right."))
    return give_up("not_saved", brief.say(*SAY_WHOLE)) if limits else None


def _was_asked_after_refusal(brief: Brief) -> bool:
    """Whether the last words answer what was asked when a card was refused with its button."""
    return bool(brief.asked) and brief.asked[-1]["topic"] in REFUSED_TOPICS


def _over_a_card(brief: Brief) -> bool:
    return brief.last_answer("tool", "reject") is not None


def _leads_away(brief: Brief, turn: str) -> bool:
    if _consents(brief, turn) or asks_about_lessons(brief):
        return True
    others = _wants_other_places(brief, turn) and not target_in(turn, brief).said
    others = others and intent_of(turn, brief) not in ("changes", "explain")
    places = bool(brief.asked) and brief.asked[-1]["topic"] == PLACES
    if places and not others and asks_beside(brief.last_said, brief.turns[0], brief):
        return True
    listed = choice_in(turn, 9) and not _over_a_card(brief)
    if listed or turn in NEW_ONE or find_chosen_way(brief) or read_answer(brief):
        return False
    intent, first = intent_of(turn, brief), intent_of(brief.request, brief)
    missing = bool(brief.asked) and brief.asked[-1]["topic"] == "missing"
    if missing and has_word("unknown_yet", fold_text(brief.last_said)):
        return False
    if (
        first == "class"
        and (missing or Features(brief.request, brief).opens_class)
        and not has_word("never_mind", fold_text(turn))
    ):
        asked = intent in (*LOOKING, "fits", "load", "due", "classes", "class_facts", "end_asked", "next", "try")
        listed = missing and _lists_new_contents(turn, brief)
        expect = ("items",) if intent == "other" or listed else ()
        told = read_new_class(turn, brief.term, expect=expect) != ClassSlots() and not turn.rstrip().endswith(
            ("?", "？", "吗")
        )
        asking = has_word("show", fold_text(turn)) or Features(turn, brief).has("asking")
        told = told and not (asked and asking)
        if not told and (asked or (classes_in(turn, brief.classes) and intent != "class")):
            return True
        if told and (intent != "build" or listed):
            return False
    if _over_a_card(brief) and _tells_more(brief, turn, intent, first):
        return True
    if has_word("never_mind", fold_text(turn)) and len(turn) < 12:
        return False
    if first not in OPERATIONS and (first == "other" or _over_a_card(brief)) and corrects_request(turn, brief):
        return True
    if _wants_other_places(brief, turn):
        return False
    if first in OPERATIONS and _goes_on(brief, turn) and not items_in(turn, brief):
        return False
    if first == "delete_class" and classes_in(turn, brief.classes) and intent in ("other", "class_facts", first):
        return False
    if intent == "class" and first in (*OPERATIONS, *LOOKING):
        return True
    if is_class_goal(brief):
        return _from_class(brief, turn, intent)
    if first in OPERATIONS:
        return _from_local(brief, turn, intent)
    return intent not in ("other", "build", first) or (intent in OPERATIONS and bool(items_in(turn, brief)))


def _lists_new_contents(turn: str, brief: Brief) -> bool:
    """Whether an answer to what is missing of a new class lists several things of which none is known."""
    known = items_in(turn, brief, among=all_items(brief)) or classes_in(turn, brief.classes)
    return len(read_new_class(turn, brief.term, expect=("items",)).items) > 1 and not known


def _tells_more(brief: Brief, turn: str, intent: Intent, first: Intent) -> bool:
    """Whether words over a card ask something, tell otherwise what the card is for, or ask for something else."""
    if amends_request(brief) or (first in OPERATIONS and leaves_it_open(turn)):
        return False
    if _is_request_of_its_own(brief, turn) or (intent in ANSWERED_FIRST and Features(turn, brief).has("asking")):
        return True
    others = {*avoided_in(turn, brief.term).days} - {*target_in(brief.request, brief).days}
    if first in ("move", "place") and others and only_tells_time(turn, brief):
        return True  # at the hours that were told
    alone = first in ("move", "place", "try", "remove") and len(parts_of(brief.request, brief)) < 2
    if alone:
        return first == "remove" and (
            completes_request(brief) or (intent in ("move", "place") and target_in(turn, brief).said)
        )
    return completes_request(brief)


def _goes_on(brief: Brief, turn: str) -> bool:
    """Whether a turn goes on about a place: whichever, one of those offered, or another time, with a reason or not."""
    found = Features(turn, brief)
    if found.slots.name or found.has("create"):
        return False
    offered = bool(brief.asked) and brief.asked[-1]["topic"] == PLACES
    timed = target_in(turn, brief).said and len(turn) < MOST_CHARS
    asks = found.has("asking") and not (offered and _ANY_THEN.search(fold_text(turn)))
    counted = says_span(turn) or (shift_in(brief.request) and find_bare_count(fold_text(turn)))
    if _over_a_card(brief) and counted and not asks:
        return True
    card = _over_a_card(brief) and not found.has("keep_free") and not found.classes
    taken = leaves_it_open(turn) or (offered and wants_it_done(turn))
    return taken or (timed and (offered or avoided_in(turn, brief.term).said or card) and not asks)


def _wants_other_places(brief: Brief, turn: str) -> bool:
    """Whether none of the places that were offered is wanted: the next ones are."""
    offered = bool(brief.asked) and brief.asked[-1]["topic"] == PLACES
    return offered and len(turn) < MOST_CHARS and _OTHERS.search(fold_text(turn)) is not None


def _from_local(brief: Brief, turn: str, intent: Intent) -> bool:
    others = [row for row in find_items(turn, brief) if row not in find_items(brief.request, brief)]
    others = [] if points_back(brief.last_said) else others
    several = intent != "swap" and (named_items(turn, brief) or selects_by_time(turn, brief) or others)
    if intent in OPERATIONS and several:
        return True
    if intent in OPERATIONS or intent == "other" or items_in(turn, brief):
        return intent in ("explain", "show", "free", "changes") and not target_in(turn, brief).said
    return intent != "build" or not target_in(turn, brief).said


def _from_class(brief: Brief, turn: str, intent: Intent) -> bool:
    """Words about a class go on describing it; a build that says nothing more of it is another request."""
    if intent in LOOKING or (_over_a_card(brief) and (intent == "try" or Features(turn, brief).has("asking"))):
        return True
    if intent in OPERATIONS:
        return bool(items_in(turn, brief) or (says_it(turn) and items_in(brief.request, brief)))
    if intent != "build" or not has_word("build", fold_text(turn)) or says(turn, ACCEPT_PARTIAL):
        return False
    if classes_in(turn, brief.classes):
        return True
    over_a_card = brief.interaction is not None and brief.interaction["subject"] == "tool"
    return over_a_card and not read_class(turn, brief.term).said_anything
