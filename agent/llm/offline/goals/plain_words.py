"""The student's requests in plain words, but for those that the readers know as they were said."""

from __future__ import annotations

import re
from dataclasses import replace

from agent.llm.offline.goals.negotiation import find_chosen_way
from agent.llm.offline.goals.questions.answers import answer_by_form
from agent.llm.offline.goals.questions.checks import answer_check
from agent.llm.offline.goals.questions.next_item import answer_next
from agent.llm.offline.goals.questions.query_answers import answer_query
from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.meaning.features import Features
from agent.llm.offline.language.meaning.intents import Intent, intent_of
from agent.llm.offline.language.meaning.whether import asks_whether
from agent.llm.offline.language.normalize import fold_numbers, fold_text
from agent.llm.offline.language.paraphrase.frames import Frame
from agent.llm.offline.language.paraphrase.paraphrase import AS_SAID, CERTAIN, Paraphrase
from agent.llm.offline.language.paraphrase.refinement import EVERY_WEEK, recurs_for_reason
from agent.llm.offline.language.plain.dialogue import read_plainly
from agent.llm.offline.language.spans.classes.class_changes import read_content_changes, tells_only_contents
from agent.llm.offline.language.spans.classes.new_class import read_new_class
from agent.llm.offline.language.spans.conditions.exams_ahead import read_exam_ahead
from agent.llm.offline.language.spans.conditions.limits import read_conditions
from agent.llm.offline.language.spans.conditions.suppositions import only_supposes, read_supposition
from agent.llm.offline.language.spans.happenings import ROUND_TRIP, days_in, is_absence_ahead
from agent.loop.view_document import View

_KNOWN_BETTER = frozenset(
    [
        "most_a_day",
        "most_a_day_of",
        "most_a_week",
        "most_a_week_of",
        "nothing_on_of",
        "only_on",
        "only_on_of",
        "days_between",
        "days_between_of",
        "never_on",
        "always_on",
        "wish_nothing_on",
        "wish_only_on",
        "wish_most_a_day",
        "use_fillers",
        "no_fillers",
    ]
)
"""Forms of which the readers know more than a frame holds: for which class, once or for good, whether it is asked."""
_PLANS = frozenset(["plan", "plan_from", "plan_from_to", "plan_until"])
_PUTS = _PLANS | {"plan_all", "plan_anew", "put_in", "put_in_on", "put_in_waiting", "move_to"}
"""Forms of what gets a place, which hold few of the limits that are told beside it."""
_ONCE_AS_FRAMES = frozenset(["nothing_on", "most_a_day", "not_two_a_day"])
"""Forms that are said again as conditions of this plan alone."""
_FREES = frozenset(["nothing_on", "away", EVERY_WEEK, "leave_time", "move_all_away", "take_all_out"])
_OF_CLASSES = frozenset(
    [
        "deadline",
        "deadline_later",
        "deadline_earlier",
        "exam",
        "exam_later",
        "exam_earlier",
        "finish_by",
        "begins",
        "create",
        "create_from",
        "create_from_to",
        "create_until",
        "add_item",
        "add_item_after",
        "add_item_before",
        "rename_item",
        "rename_class",
        "remove",
        "remove_of",
        "order",
        "order_in",
        "each_takes",
    ]
)
"""Changes of classes, of which the readers carry out several at once."""
_CREATES = frozenset(["create", "create_from", "create_from_to", "create_until"])
_ADDS = frozenset(["add_item", "add_item_after", "add_item_before"])
"""New contents, of whose list a frame holds one name where there are several."""
_OTHER_DAYS = re.compile(r"病|发烧|感冒|还有|以及|\b(?:ill|sick|fever|flu|and also)\b", re.IGNORECASE)
"""Of somebody who is away: that days behind may count too, as with an illness, or that there are further days."""
_READ_AS: tuple[Intent, ...] = ("build", "class", "wish", "limit", "replan", "plan_first", "optimise")


def read_as_meant(view: View) -> Brief:
    """The brief of a view with the student's requests in plain words, where these tell more than his own."""
    return read_plainly(view, _is_read_already, _keep_known)


def _keep_known(said: Paraphrase, brief: Brief) -> Paraphrase:
    """Several requests, those in the student's own words that the readers know better as they were said."""
    if len(said.frames) < 2:
        return said
    told = tuple(
        own if _knows_better(own, Paraphrase((plain,), (own,), (frame,)), brief) else plain
        for plain, own, frame in zip(said.said, said.own, said.frames, strict=True)
    )
    return replace(said, said=told)


def _knows_better(own: str, said: Paraphrase, brief: Brief) -> bool:
    """Whether the readers know one of several requests better in the student's own words."""
    if said.frame.form in _PUTS and _leaves_out_limits(own, said, brief.part([own], [])):
        return True
    return said.frame.form in _KNOWN_BETTER and _is_read_already(own, said, brief)


def _is_read_already(message: str, said: Paraphrase, brief: Brief) -> bool:
    """Whether the readers understand a message as it was said: a question or a supposition that they can answer, a
    condition, a plan or a change of a class; what asks something is no change, whatever it is likeliest meant for."""
    own = brief.part([message], [])
    if find_chosen_way(own) is not None or read_exam_ahead(message, own) is not None:
        return True
    message = own.request
    intent, chance = intent_of(message, own), min(frame.chance for frame in said.frames)
    changes = any(frame.changes for frame in said.frames)
    if intent == "plan_first" or (intent != "other" and not changes and chance < CERTAIN):
        return True
    if intent == "class" and tells_only_contents(message, own):
        return True
    asks = Features(message, own).asks or (asks_whether(message) and not Features(message, own).has("polite_form"))
    if changes and len(said.frames) == 1 and asks:
        return True
    forms = {frame.form for frame in said.frames} - {AS_SAID}
    narrowed = any("but_not_on" in frame.slots for frame in said.frames)
    if forms <= _PLANS and (intent == "build" or narrowed) and not said.shortens:
        return True
    if forms == {"put_in_waiting"} and intent in ("build", "class") and Features(message, own).plans_unplanned:
        return True
    plans = intent in ("build", "class", "limit", "wish") or "move_to" not in forms
    if forms <= _PUTS and plans and _leaves_out_limits(message, said, own):
        return True
    if forms <= {"catch_up", "catch_up_on", "away"} and intent == "replan" and is_absence_ahead(message, own.term):
        return True
    if forms <= _CREATES and intent == "class" and _tells_class_wholly(said.frame, own):
        return True
    if len(said.frames) == 1 and forms <= _ADDS and _adds_names(message, own, beside=forms != {"add_item"}):
        return True
    if intent == "class" and Features(message, own).lifted_from:
        return True
    if forms <= _ONCE_AS_FRAMES and intent in ("class", "wish"):
        return True  # what holds every week is no matter of this plan alone
    if forms <= _FREES and Features(message, own).standing:
        return True
    if intent == "optimise" and forms <= {"leave_items", "leave_time"}:
        return True
    if forms == {"away"} and _knows_days_better(message, said, own):
        return True
    if forms == {"away"} and _OTHER_DAYS.search(message):
        return True
    if intent in ("limit", "class", "wish") and _is_of_nothing(said) and _is_of_some(message, own):
        return True  # whose a condition is belongs to it, and is no part of a reason
    if not said.frames[0].is_whole or said.shortens or (changes and said.leaves_out):
        return False
    if read_supposition(message, own) is not None or only_supposes(message, own):
        return True
    if not changes:
        return any(answer(own) for answer in (answer_next, answer_query, answer_check, answer_by_form))
    if intent == "limit" and forms == {"finish_by"}:
        return True
    if forms == {EVERY_WEEK} and recurs_for_reason(message, EVERY_WEEK):
        return False
    known_better = forms <= (_KNOWN_BETTER | _PLANS | _OF_CLASSES if len(said.frames) > 1 else _KNOWN_BETTER)
    return known_better and intent in _READ_AS


def _leaves_out_limits(message: str, said: Paraphrase, own: Brief) -> bool:
    """Whether a plan is to keep to more than its frame holds."""
    told, held = read_conditions(message, own).said, read_conditions(said.text, own).said
    if len(told) > len(held):
        return True
    mine, theirs = Features(message, own), Features(said.text, own)
    return mine.builds and not mine.any_items and bool(mine.limits) and not theirs.limits


def _is_of_nothing(said: Paraphrase) -> bool:
    """Whether requests name neither a class nor an item."""
    return not any({"class", "item", "items"} & frame.slots.keys() for frame in said.frames)


def _is_of_some(message: str, brief: Brief) -> bool:
    """Whether a condition that the readers find is one of some class or item."""
    return any(one.owners or one.items for one in read_conditions(message, brief).said)


def _knows_days_better(message: str, said: Paraphrase, own: Brief) -> bool:
    """Whether the readers know the days somebody is away where a frame leaves one out: some of those that it holds, or
    from the day of leaving to that of coming back."""
    days, held = days_in(message, own.term), days_in(said.text, own.term)
    if not days or not held or days == held:
        return False
    narrower = all(any(run.first <= day.first and day.last <= run.last for run in held) for day in days)
    return (narrower and said.leaves_out) or ROUND_TRIP.search(fold_text(message)) is not None


def _tells_class_wholly(frame: Frame, own: Brief) -> bool:
    """Whether a new class has its name, its contents and its last day for the readers too: they know of more than a
    frame holds, as of the length of its items and of days that it leaves free."""
    slots, name, listed = read_new_class(own.request, own.term), frame.slots["text"], frame.slots.get("text2", ())
    known = all(fold_numbers(item) in fold_numbers("、".join(listed)) for item in slots.items)
    same = [fold_numbers(slots.name)] == [fold_numbers(one) for one in name]
    return same and known and slots.end is not None and bool(slots.items or slots.parts)


def _adds_names(message: str, own: Brief, *, beside: bool) -> bool:
    """Whether the readers know of a message which new contents a class is to have, and beside what."""
    told = read_content_changes(message, own).told
    if len(told) != 1 or told[0].kind != "add" or not told[0].names or not told[0].classes:
        return False
    return told[0].beside is not None or not beside
