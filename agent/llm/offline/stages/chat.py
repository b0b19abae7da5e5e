"""The chat stage: which way a message goes."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from agent.llm.offline.goals.classes.class_dates import first_of, other_dates, rest_of, tell_left_unplanned
from agent.llm.offline.goals.classes.class_deletion import tell_of_cancelled
from agent.llm.offline.goals.classes.described_class import resumes_class, unwritten
from agent.llm.offline.goals.classes.new_lessons import tell_lesson_elsewhere
from agent.llm.offline.goals.explain import (
    class_facts,
    due_text,
    end_text,
    explanation,
    keep_text,
    last_changes,
    next_text,
    past_text,
    size_text,
)
from agent.llm.offline.goals.happenings.happening import scope_of_happening
from agent.llm.offline.goals.happenings.lesson_moves import find_lesson_move
from agent.llm.offline.goals.happenings.lessons_off import COURSES_FIXED, tells_lesson_off
from agent.llm.offline.goals.in_turn import PLANNED, asked_after, is_answered
from agent.llm.offline.goals.items.extreme_day import find_extreme_day
from agent.llm.offline.goals.items.lesson_days import find_lesson_days
from agent.llm.offline.goals.limits import conditions_of, not_saved_text
from agent.llm.offline.goals.negotiation import find_chosen_way
from agent.llm.offline.goals.questions.answers import answer_by_form, opinion_text, put_off_text
from agent.llm.offline.goals.questions.checks import answer_check
from agent.llm.offline.goals.questions.if_so import if_so_text
from agent.llm.offline.goals.questions.lessons.hours import asks_lesson_hours
from agent.llm.offline.goals.questions.lessons.lesson_questions import asks_about_lessons
from agent.llm.offline.goals.questions.nothing_there import answer_next, tell_unknown_item, why_nothing_text
from agent.llm.offline.goals.questions.one_item import answer_of_one
from agent.llm.offline.goals.questions.query_answers import answer_query
from agent.llm.offline.goals.questions.term_weeks import answer_term
from agent.llm.offline.goals.turns.asked_over_card import tell_whether_done
from agent.llm.offline.goals.turns.released import release_text, tell_still_noted
from agent.llm.offline.goals.undo import undo_text
from agent.llm.offline.goals.unsettled.between_lessons import ask_for_possible_time, no_such_time
from agent.llm.offline.goals.unsettled.loose_words import find_loose_words
from agent.llm.offline.goals.unsettled.unclear import can_be_asked, is_doubted
from agent.llm.offline.goals.wishes import rules_text, wishes_of_plan
from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.lexicon import says as has_word
from agent.llm.offline.language.meaning.aims import aims_of
from agent.llm.offline.language.meaning.clauses import divide_questions
from agent.llm.offline.language.meaning.ellipsis import agrees_again, form_of, says_it
from agent.llm.offline.language.meaning.facts import find_spoken_classes
from agent.llm.offline.language.meaning.features import Features
from agent.llm.offline.language.meaning.grammar import WRITES
from agent.llm.offline.language.meaning.intents import OPERATIONS, Intent, edits, intent_of, wants_build
from agent.llm.offline.language.meaning.planned_classes import (
    find_planned_classes,
    unknown_class,
    wants_waiting_classes,
)
from agent.llm.offline.language.meaning.requests import APART, frees_all, question_before, requests_in
from agent.llm.offline.language.spans.classes.exam_days import read_exam_ahead
from agent.llm.offline.language.spans.conditions.suppositions import asks_opinion, only_supposes, read_supposition
from agent.llm.offline.language.spans.lesson_moves import uses_skipped_lesson
from agent.llm.offline.language.spans.mentions import all_items, classes_in, find_elsewhere, items_in
from agent.llm.offline.language.texts import BESIDE_DRAFT, find_written, keeps_time_noted, limits
from agent.loop.phrases import ACCEPT_PARTIAL, DRAFT_ONLY, SECOND_BUILD, fold_text, says

Decision = dict[str, Any]
TASKCLASS = {"domain": "taskclass", "packs": [], "reason": ""}
LOCAL = {"domain": "schedule", "packs": ["mutation", "detail_read"], "reason": ""}
READ = {"domain": "schedule", "packs": ["detail_read"], "reason": ""}
HAPPENED = {"domain": "schedule", "packs": ["progress", "mutation", "detail_read"], "reason": ""}
DIAGNOSE = {"domain": "schedule", "packs": ["analyze", "mutation"], "reason": ""}
TALK = frozenset({"agree", "refuse", "chat", "help", "button", "offtopic"})
SURE_OF_TALK = 0.6
SUPPOSED = (
    "你问的是「如果」，这个我算不出来，什么都没有改。可以问：如果空出几天会怎样、截止日期提前还够不够、每天学几项几号学完。",
    "You ask what would be; that I cannot work out, and nothing was changed. You can ask what happens if some days "
    "stay free, a deadline moves, or so many items are done a day.",
)
WHICH_DAY = (
    "「有课的那天」我没法换成日期，什么都没有改。请直接说星期或日期，例如「周一下午的都移出」。",
    'I cannot turn "the days of a lesson" into dates; nothing was changed. Please name a weekday or a date, for '
    'example "take Monday afternoon out".',
)
LESSON_STAYS = (
    "那节课在课表里还占着时间，什么都没有改。请先在课表页面的「调课、假期与考试」里停掉它，再说要放到那天第几节；也可以说别的时间。",
    "That lesson still holds its time in the timetable, so nothing was changed. Please cancel it on the timetable page "
    "first, then say the day and the sections; another time can be named at once.",
)
_FREED = re.compile(
    r"[空腾]出|那[节门个]课?的?(?:时间|位置)|\b(?:freed|free|empty|that|its|lesson's) (?:up )?(?:slot|time|hour|gap)"
)
_OTHER_ONE = re.compile(r"^[那把]?(?:另|第[二2]个)|^(?:and |also |then |move |put )*the (?:other|second)(?: one)?\b")
YOURS_TO_JUDGE = (
    "好不好要你自己判断，我只能说它会改什么、放不放得下、和什么冲突。可以问「放得下吗」「会和什么冲突」。",
    "Whether it is a good idea is yours to judge; I can only tell what it changes, whether it fits and what it clashes "
    'with. You can ask "does it fit?" or "what does it clash with?".',
)
_LESSON_DAY = re.compile(
    r"课的?那[一几1]?[天日]|有[^,，。;；]{1,8}课的(?:那?[一几1]?[天日]|日子)"
    r"|\b(?:class|lecture|lesson) days?\b|\bdays? (?:i have|with) [^,.;]{1,24}\b(?:class|lecture|lesson)\b"
)
CLASS_WRITE = "upsert_task_class"
_OF_CLASS: tuple[Intent, ...] = ("build", "due", "show", "mark", "class_facts")
GOES_ON = (
    "好的，那之后的安排照旧，没有改动。",
    "All right; what is planned after that stays as it is.",
)
ONE_AT_A_TIME = (
    "我一次做一件：先排，「{rest}」请排好后再说一次。",
    'One thing at a time: I plan first; please say "{rest}" again once that is done.',
)
STAYS_WRITTEN = (
    "刚才已经写下的那一次还在，我没有撤回；不要它的话，请再说一声。",
    "What was written a moment ago stays, I did not take it back; tell me if it should go.",
)
STAYS_FREE = (
    "刚才空出的时间已经写下，还在，我没有撤回；不要它的话，请在课表的「调课、假期与考试」里删掉那一条。",
    "The time that was written a moment ago stays kept free, I did not take it back; to drop it, delete the note on "
    'the timetable page under "Changes, days off and exams".',
)
HOOKS: dict[Intent, dict[str, Any]] = {
    "optimise": DIAGNOSE,
    "remove": LOCAL,
    "swap": LOCAL,
    "place": LOCAL,
    "move": LOCAL,
    "try": LOCAL,
    "show": READ,
    "free": READ,
    "load": READ,
    "fits": READ,
    "reasons": LOCAL,
    "limit": HAPPENED,
    "wish": {"domain": "schedule", "packs": [], "reason": ""},
}

TOLD: dict[Intent, Callable[[Brief], str]] = {
    "explain": explanation,
    "changes": last_changes,
    "end_asked": end_text,
    "class_facts": class_facts,
    "classes": class_facts,
    "next": next_text,
    "past": past_text,
    "due": due_text,
    "rules": rules_text,
}
"""What is answered at once from what is known."""


def chat(brief: Brief) -> Decision:
    """A ChatDecision for the student's message; of several requests in it one road for all."""
    noted, decision = tell_still_noted(brief), _choose_road(brief)
    return {**decision, "speak": "\n".join(filter(None, (noted, decision.get("speak", ""))))} if noted else decision


_SUPPOSED: tuple[Intent, ...] = ("replan", "mark", "changes")


def _choose_road(brief: Brief) -> Decision:
    if brief.correction:
        return _reply(limits(brief))
    if unknown := _findunknown_class(brief):
        return _reply(_tellunknown_class(brief, unknown))
    if read_exam_ahead(brief.request, brief) is not None:
        return _execute(context_hook=HAPPENED, reason="exam_ahead")
    if told := tell_of_cancelled(brief) or tell_lesson_elsewhere(brief) or tell_whether_done(brief):
        return _reply(told)
    if told := tell_left_unplanned(brief) or release_text(brief):
        return _reply(told)
    fixed = brief.earlier and brief.say(*COURSES_FIXED) in str(brief.earlier[-1]["text"])
    if fixed and items_in(brief.message, brief) and _FREED.search(brief.message.lower()):
        return _reply(brief.say(*LESSON_STAYS))
    if uses_skipped_lesson(brief.own_words):
        return _reply(brief.say(*COURSES_FIXED))
    if fixed and _OTHER_ONE.search(fold_text(brief.last_said)) and not items_in(brief.last_said, brief):
        return _reply(_tell_listed(brief, ()))
    if find_lesson_move(brief) is not None:
        return _execute(context_hook=HAPPENED, reason="lesson_moves")
    if find_loose_words(brief) is not None:
        return _execute(context_hook=READ, reason="loose_words")
    if asks_lesson_hours(brief) or asks_about_lessons(brief):
        return _execute(context_hook=READ, reason="lessons")
    if told := answer_of_one(brief) or if_so_text(brief) or put_off_text(brief):
        return _reply(told)
    if is_doubted(brief):
        return _execute(context_hook=READ, reason="unclear")
    if APART in brief.message:
        return _answer_each(brief, requests_in(brief.message, brief))
    if asked := divide_questions(brief.message, brief):
        return _answer_each(brief, asked)
    if brief.unlisted is not None:
        return _reply(_tell_listed(brief, brief.unlisted))
    if _is_done_already(brief):
        return _reply(brief.say("好的，已经按这个改好了。", "All right, it is changed like that already."))
    if read_supposition(brief.request, brief) is not None:
        return _execute(context_hook=READ, reason="what_if")
    if only_supposes(brief.request, brief) and intent_of(brief.request, brief) in (*_SUPPOSED, *WRITES):
        return _reply(brief.say(*SUPPOSED))
    if told := answer_term(brief, answer_by_form) or why_nothing_text(brief):
        return _reply(told)
    if find_extreme_day(brief) is not None:
        return _execute(context_hook=LOCAL, reason="extreme_day", task_class_ids=_scope_for(brief, "move"))
    if find_lesson_days(brief) is not None:
        return _execute(context_hook=HAPPENED, reason="lesson_days")
    told = not_saved_text(brief) or opinion_text(brief) or answer_next(brief) or tell_unknown_item(brief)
    told = told or answer_check(brief)
    if told := told or size_text(brief) or ("" if conditions_of(brief).said else answer_query(brief)):
        return _reply(told)
    asks = question_before(brief.message)
    if asks and (told := answer_by_form(brief.part([asks], brief.results))):
        decision = answer_one(brief, asked=True)
        return {**decision, "speak": "\n".join(filter(None, (told, str(decision.get("speak", "")))))}
    said = requests_in(brief.message, brief)
    decision = _answer_each(brief, said) if said != [brief.message] else answer_one(brief)
    stays = STAYS_FREE if keeps_time_noted(brief) else STAYS_WRITTEN
    left = brief.say(*stays) if _leaves_mistake(brief) else ""
    return {**decision, "speak": "\n".join(text for text in (left, decision.get("speak", "")) if text)}


def _findunknown_class(brief: Brief) -> str:
    """What the message calls a class that there is not; empty where it makes it, or names one that there is."""
    if classes_in(brief.message, brief.classes) or Features(brief.message, brief).opens_class:
        return ""
    other = find_elsewhere(fold_text(brief.message), [row["name"] for row in brief.classes])
    wanted = other and not brief.unknown_class and intent_of(brief.message, brief) in (*OPERATIONS, *_OF_CLASS)
    return other[0] if wanted and not items_in(brief.message, brief) else brief.unknown_class


def _tellunknown_class(brief: Brief, name: str) -> str:
    """That there is no class of the name that was said, which there are, and how to make it."""
    return brief.say(
        "没有叫「{name}」的任务类，什么都没有改。现有：{names}。要新建，请说「新建任务类{name}」，并说有哪些内容、什么时候截止。",
        'There is no task class "{name}", so nothing was changed. There is: {names}. To make it, say "create a task '
        'class {name}" with its items and its last day.',
        name=name,
        names=brief.names_of([row["id"] for row in brief.classes]),
    )


_SECTIONS = re.compile(r"\d-\d")
"""What stands on a list of a day that has nothing to study: lessons."""


def _tell_listed(brief: Brief, listed: tuple[str, ...]) -> str:
    """That the list told last has no such item, and which it has."""
    if not listed:
        return brief.say(
            "刚才列出的内容里没有任务，什么都没有改。要改哪一项，请说它的名字。",
            "There was nothing to study on that list, so nothing was changed. Please give the name of the item.",
        ) + (f"\n{brief.say(*COURSES_FIXED)}" if _SECTIONS.search(str(brief.earlier[-1]["text"])) else "")
    return brief.say(
        "刚才列出的只有{names}，没有你说的那一项，什么都没有改。",
        "The list only had {names}, not the one you mean; nothing was changed.",
        names=brief.say("、", ", ").join(listed),
    )


def _leaves_mistake(brief: Brief) -> bool:
    """Whether the message corrects what was written already, and no draft takes that back."""
    corrects = brief.completed != "" and has_word("correction", fold_text(brief.view["request"]))
    wrote = {*find_written(brief)} & {"replan", *BESIDE_DRAFT}
    again, named = intent_of(brief.completed, brief), items_in(brief.view["request"], brief)
    noted = "replan" in wrote and CLASS_WRITE not in wrote  # else what a class has moved them
    replaced = (again == "class" and not noted) or (again == "mark" and not named)
    return corrects and bool(wrote) and not replaced


def _is_done_already(brief: Brief) -> bool:
    """Whether the message only agrees once more to a change of a class that was just made."""
    said = [turn["text"] for turn in brief.earlier if turn["role"] == "user"]
    return CLASS_WRITE in find_written(brief) and bool(said) and agrees_again(brief.message, said[-1])


_BUILD = ("needs_rough_build", "needs_refine_after_rough_build")
"""What tells that a plan is to follow what is written of its classes."""


def _answer_each(brief: Brief, said: list[str]) -> Decision:
    """What can be answered at once is said; the rest is executed in turn, a plan of its own being told of."""
    parts = {text: brief.part([text], brief.results) for text in said}
    intents = {text: intent_of(text, brief) for text in said}
    answered = [text for text in said if is_answered(text, brief)]
    later = asked_after(brief)
    told = [answer_one(parts[text]).get("speak", "") for text in answered if text not in later]
    planned = [text for text in said if intents[text] in PLANNED and text not in answered]
    others = [text for text in said if text not in (*answered, *planned)]
    if planned:
        decision = answer_one(parts[planned[0]])
        before = [text for text in said[: said.index(planned[0])] if not frees_all(text, brief)]
        changed = [text for text in before if intents[text] == "class"]
        if decision.get("needs_rough_build") and changed:  # the class is planned as it is to be
            ids = sorted({*_placed_classes(brief), *decision.get("task_class_ids", ())})
            decision = {**decision, "context_hook": TASKCLASS, "task_class_ids": ids, "speak": ""}
        # What stands beside a plan follows it where it is made at once and checked; else nothing does.
        goes_on = decision.get("needs_rough_build") and not says(brief.own_words, DRAFT_ONLY)
        left = planned[1:] if goes_on else [*others, *planned[1:]]
        told += [brief.say(*ONE_AT_A_TIME, rest=text) for text in left]
    elif others:
        decisions = [answer_one(parts[text]) for text in others]
        packs = sorted({pack for one in decisions for pack in (one.get("context_hook") or {}).get("packs", ())})
        ids = sorted({class_id for one in decisions for class_id in one.get("task_class_ids") or ()})
        builds = [one for one in decisions if one.get("needs_rough_build")]
        writes = any(intents[text] == "class" for text in others)
        of_class = builds or (writes and len(others) == 1)
        hook = TASKCLASS if of_class else {"domain": "schedule", "packs": packs, "reason": ""}
        then = {key: value for one in builds for key, value in one.items() if key in _BUILD}
        decision = _execute(context_hook=hook, reason="in_turn", task_class_ids=ids, **then)
    else:
        decision = _reply("")
    speak = "\n".join(text for text in (*told, decision.get("speak", "")) if text)
    return {**decision, "speak": speak}


def answer_one(brief: Brief, *, asked: bool = False) -> Decision:
    """A ChatDecision for a message that is one request; `asked`: its question is answered already."""
    intent = intent_of(brief.message, brief)
    if decision := next((one for answer in _BEFORE_INTENT if (one := answer(brief, intent))), None):
        return decision
    if not asked and intent != "limit" and (told := answer_by_form(brief)):
        return _reply(told)
    if intent in TOLD:
        return _reply(TOLD[intent](brief))
    answer_intent = _BY_INTENT.get(intent)
    if answer_intent is not None:
        return answer_intent(brief)
    return _execute(context_hook=HOOKS[intent], reason=intent, task_class_ids=_scope_for(brief, intent))


def _take_way(brief: Brief, intent: Intent) -> Decision | None:
    """What a way out of a plan without room leads to, where one is chosen."""
    way = find_chosen_way(brief)
    if way == "accept_risk":
        return _execute(needs_rough_build=True)
    return _execute(context_hook=TASKCLASS, reason=way) if way is not None else None


def _resume_class(brief: Brief, intent: Intent) -> Decision | None:
    return _execute(context_hook=TASKCLASS, reason="class") if resumes_class(brief) else None


def _ask_for_time(brief: Brief, intent: Intent) -> Decision | None:
    """The question for another time, where the one that is told cannot be."""
    plans = intent in ("build", "plan_first", "wish")
    if plans and (impossible := ask_for_possible_time(brief)):
        return _reply(str(impossible["speak"]))
    told = (intent == "other" or intent in TOLD) and no_such_time(brief, brief.message)[1]
    return _execute(context_hook=READ, reason="no_such_time") if told else None


def _answer_lesson(brief: Brief, intent: Intent) -> Decision | None:
    """What becomes of a lesson that is off or elsewhere, which no tool changes."""
    if find_lesson_move(brief) is not None:
        return _execute(context_hook=HAPPENED, reason="lesson_moves")
    if tells_lesson_off(brief.message, brief):
        return _reply(brief.say(*COURSES_FIXED))
    moves = intent in (*OPERATIONS, "class", "optimise", "replan")
    return _reply(brief.say(*WHICH_DAY)) if moves and _LESSON_DAY.search(fold_text(brief.message)) else None


_BEFORE_INTENT: tuple[Callable[[Brief, Intent], Decision | None], ...] = (
    _take_way,
    _resume_class,
    _ask_for_time,
    _answer_lesson,
)
"""What answers a message before its intent does; the first that has an answer."""


def _answer_other(brief: Brief) -> Decision:
    if asks_opinion(brief.message):
        return _reply(brief.say(*YOURS_TO_JUDGE))
    talk = _find_talk(brief)
    unclear = not talk and can_be_asked(brief)
    return _execute(context_hook=READ, reason="unclear") if unclear else _reply(limits(brief, talk))


def _answer_undo(brief: Brief) -> Decision:
    told = undo_text(brief)
    return _reply(told) if told else _execute(context_hook=LOCAL, reason="undo")


def _answer_class(brief: Brief) -> Decision:
    """A class that is written, with the plan that follows it where one is wanted too."""
    said = Features(brief.message, brief)
    plans_alone = said.has("plans_new") or said.starts_daily or said.plans_unplanned
    first_the_class = bool(brief.scope) and edits(brief.message, brief) and not plans_alone
    wanted = wants_build(" ".join(brief.turns)) or said.plans_with_limits
    wanted = wanted or (said.plans_unplanned and said.orders_only)
    build = wanted and not first_the_class
    ids = find_planned_classes(brief.message, brief) if build and not said.opens_class else []
    ids = ids or (brief.class_ids if said.plans_with_limits and build and not said.opens_class else [])
    if ids and not says(brief.message, SECOND_BUILD):
        build = not set(ids) <= set(brief.view["already_built"])
        ids = sorted({*_placed_classes(brief), *ids})
    refine = _refine(brief.message, build=build)
    return _execute(context_hook=TASKCLASS, needs_rough_build=build, task_class_ids=ids, **refine)


def _happen(brief: Brief, intent: Intent) -> Decision:
    return _execute(context_hook=HAPPENED, reason=intent, task_class_ids=scope_of_happening(brief))


def _plan_first(brief: Brief) -> Decision:
    ids = find_planned_classes(brief.message, brief)
    return {"route": "plan", "speak": "", "task_class_ids": ids, "reason": "plan_first"}


def _find_talk(brief: Brief) -> str:
    """The label of a message that asks for nothing of the trade; empty for one that may."""
    label, chance = aims_of(brief.message, brief)[0]
    return label if label in TALK and chance >= SURE_OF_TALK else ""


def _placed_classes(brief: Brief) -> list[int]:
    """The classes of the scope that have a place already: one that only was changed is not planned with another."""
    placed = {row["class_id"] for row in brief.tasks if row["slot"]}
    return [one for one in brief.scope if one in placed]


def _spoken_of(brief: Brief) -> list[int]:
    """The classes of the student's last words before this message, for 按原来的日期排 and 把它排好."""
    if not (says_it(brief.message) or has_word("own_dates", fold_text(brief.message))):
        return []
    return find_spoken_classes(brief)


def _scope_for(brief: Brief, intent: Intent) -> list[int]:
    """The classes a local request needs besides those of the scope: named, or owning an item that is meant."""
    if intent not in OPERATIONS:
        return []
    found, beside = items_in(brief.message, brief), _owners_beside(brief)
    if found:
        owners = {row["class_id"] for row in found} if len(found) == 1 else set[int]()
        owners |= beside
        return sorted({*brief.scope, *owners}) if owners - set(brief.scope) else []
    ids = set(classes_in(brief.message, brief.classes)) or {
        row["class_id"] for row in items_in(brief.message, brief, among=all_items(brief))
    }
    ids |= beside
    return sorted({*brief.scope, *ids}) if ids - set(brief.scope) else []


_NAMES = re.compile(r"[,，、;；和与]|\band\b")
"""Between the names of a message."""


def _owners_beside(brief: Brief) -> set[int]:
    """The classes of the items that are named one by one, of which the draft has none yet."""
    owners = set[int]()
    for clause in _NAMES.split(brief.message):
        rows = [] if items_in(clause, brief) else items_in(clause, brief, among=all_items(brief))
        owners |= {row["class_id"] for row in rows} if len(rows) == 1 else set()
    return owners


def _build(brief: Brief) -> Decision:
    if not brief.classes or unwritten(brief):
        return _execute(context_hook=TASKCLASS, needs_rough_build=True)
    ids = find_planned_classes(brief.message, brief) or _spoken_of(brief)
    planned = {row["class_id"] for row in brief.tasks if row["slot"]}
    ids = [] if conditions_of(brief).relates and planned & {*ids} else ids
    known = classes_in(brief.message, brief.classes) or wants_waiting_classes(fold_text(brief.message), brief)
    unknown = "" if known else unknown_class(brief.message)
    if unknown and not says_it(brief.message):
        return _reply(
            brief.say(
                "没有叫「{name}」的任务类。要排别的任务类，请说它的名字：{names}。",
                'There is no task class "{name}". To plan another class, say its name: {names}.',
                name=unknown,
                names=brief.names_of([row["id"] for row in brief.classes]),
            )
        )
    chosen = brief.meant(ids)
    built = set(brief.view["already_built"])
    if (
        chosen
        and not says(brief.message, SECOND_BUILD)
        and set(chosen) <= built
        and brief.draft
        and brief.draft["suggested"]
    ):
        return _reply(_built_already(brief, chosen) + ("" if ids else _others(brief, chosen)))
    if not chosen and conditions_of(brief).said:
        ids = chosen = brief.class_ids
    if wishes_of_plan(brief):
        return _execute(context_hook=TASKCLASS, needs_rough_build=True, task_class_ids=chosen or brief.class_ids)
    bounded = Features(brief.message, brief).plan_dates
    elsewhere = "" if bounded else other_dates(brief, ids or chosen, first_of(brief.message))
    if elsewhere and not conditions_of(brief).said:
        return _reply(elsewhere)
    refine = _refine(brief.message, build=True)
    if not refine and set(chosen) & built:
        refine = {"needs_refine_after_rough_build": True}
    decision = _execute(needs_rough_build=True, task_class_ids=ids, **refine)
    if brief.scope and chosen and not says(brief.message, ACCEPT_PARTIAL):
        fresh = [one for one in chosen if one not in built or says(brief.message, SECOND_BUILD)]
        decision["speak"] = _announce_build(brief, fresh or chosen)
    rest = rest_of(brief.message)
    rest = "" if form_of(rest, brief) == "class" and {*classes_in(rest, brief.classes)} <= {*chosen} else rest
    if rest and not conditions_of(brief).said and intent_of(rest, brief) not in ("other", "build"):
        decision["speak"] = brief.say(*ONE_AT_A_TIME, rest=rest)
    return decision


_BY_INTENT: dict[Intent, Callable[[Brief], Decision]] = {
    "other": _answer_other,
    "undo": _answer_undo,
    "recovery": lambda brief: _reply(brief.say(*GOES_ON)),
    "keep": lambda brief: _reply(keep_text(brief)),
    "delete_class": lambda brief: _execute(context_hook=TASKCLASS, reason="delete_class"),
    "mark": lambda brief: _happen(brief, "mark"),
    "replan": lambda brief: _happen(brief, "replan"),
    "class": _answer_class,
    "plan_first": _plan_first,
    "build": _build,
}
"""How the intents are answered that are more than one step of the execute stage."""


def _refine(message: str, *, build: bool) -> Decision:
    return {"needs_refine_after_rough_build": False} if build and says(message, DRAFT_ONLY) else {}


def _announce_build(brief: Brief, ids: list[int]) -> str:
    names = brief.names_of(ids)
    if any(not (row["start_date"] and row["end_date"]) for row in brief.classes if row["id"] in ids):
        return ""  # that dates are missing is all there is to tell
    if says(brief.message, DRAFT_ONLY):
        return brief.say("好的，先为{names}生成初稿。", "All right, a first plan for {names}.", names=names)
    return brief.say(
        "好的，先为{names}生成初稿，再体检一遍。",
        "All right, a first plan for {names}, then a check-up.",
        names=names,
    )


def _built_already(brief: Brief, ids: list[int]) -> str:
    return brief.say(
        "{names}已经排过初稿了。要从头再排，请说「重新粗排」；要改进现有安排，请说「体检」；要调整某一项，请说移到哪里。",
        '{names} already has a first plan. Say "rebuild" to plan it again, "check my plan" to improve it, or tell me '
        "what to move where.",
        names=brief.names_of(ids),
    )


def _others(brief: Brief, ids: list[int]) -> str:
    """The classes that may have been meant by a name that is none of theirs."""
    others = [row["id"] for row in brief.classes if row["id"] not in ids]
    if not others:
        return ""
    return brief.say(
        "要排别的任务类，请说它的名字：{names}。",
        " To plan another class, say its name: {names}.",
        names=brief.names_of(others),
    )


def _reply(speak: str) -> Decision:
    return {"route": "direct_reply", "speak": speak, "reason": "fixed_rules"}


def _execute(**fields: Any) -> Decision:
    decision = {"route": "execute", "speak": "", **fields}
    return {key: value for key, value in decision.items() if value not in (None, [])}
