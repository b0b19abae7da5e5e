"""The execute stage: rules in order, the first that has an answer decides."""

from __future__ import annotations

import re
from collections.abc import Callable

from agent.llm.offline.goals.classes.class_deletion import delete_classes
from agent.llm.offline.goals.classes.class_request import class_request, has_more_classes, is_class_goal
from agent.llm.offline.goals.classes.corrected_class import answer_correction
from agent.llm.offline.goals.decisions import (
    WRITES,
    Decision,
    ask,
    ask_which,
    call,
    finish,
    give_up,
    stuck,
)
from agent.llm.offline.goals.happenings.happening import carry_out_happening
from agent.llm.offline.goals.happenings.lesson_moves import find_lesson_move, move_lesson
from agent.llm.offline.goals.in_turn import (
    LEFT,
    PLANS_BY,
    asked_after,
    carry_out_in_turn,
    spell_changed_day,
    tool_requests,
)
from agent.llm.offline.goals.items.extreme_day import look_up_extreme_day
from agent.llm.offline.goals.items.item_texts import ask_which_of, change_lines, tell_stayers
from agent.llm.offline.goals.items.lesson_days import look_up_lesson_days
from agent.llm.offline.goals.items.many_items import has_more_left, several
from agent.llm.offline.goals.items.one_item import local
from agent.llm.offline.goals.items.reasons import look_up_reasons, reasons_text
from agent.llm.offline.goals.items.unless_taken import move_unless_taken
from agent.llm.offline.goals.items.unplaced import ask_about_unplaced, place_unplaced
from agent.llm.offline.goals.limits import keep_limits
from agent.llm.offline.goals.negotiation import find_chosen_way, listed_ways, ways
from agent.llm.offline.goals.new_plan import offer_new_plan
from agent.llm.offline.goals.questions.lessons.answers import answer_lessons
from agent.llm.offline.goals.questions.lessons.hours import answer_lesson_hours
from agent.llm.offline.goals.questions.reads import facts, perform_read
from agent.llm.offline.goals.questions.suppositions.before_exam import answer_exam_ahead
from agent.llm.offline.goals.questions.suppositions.what_if import answer_supposition
from agent.llm.offline.goals.turns.subject_change import hand_over_goal, keep_as_it_was, leave_to_undo
from agent.llm.offline.goals.undo import undo_changes
from agent.llm.offline.goals.unsettled.between_lessons import ask_for_possible_time
from agent.llm.offline.goals.unsettled.contradictions import ask_about_contradiction, settle_contradiction
from agent.llm.offline.goals.unsettled.loose_words import ask_loosely
from agent.llm.offline.goals.unsettled.unclear import ask_by_readings, ask_what_is_doubted, ask_what_is_meant
from agent.llm.offline.goals.unsettled.unused import ask_about_unused
from agent.llm.offline.goals.wishes import set_wishes
from agent.llm.offline.language.brief import Brief, Json
from agent.llm.offline.language.dialogue.rewriting import CHANGING
from agent.llm.offline.language.dialogue.tracking import NOT_DONE_TOPIC, NOT_SAVED_TOPIC
from agent.llm.offline.language.meaning.clauses import find_stayers
from agent.llm.offline.language.meaning.features import Features
from agent.llm.offline.language.meaning.intents import OPERATIONS, Intent, intent_of
from agent.llm.offline.language.meaning.requests import APART, requests_in
from agent.llm.offline.language.spans.classes.class_changes import read_content_changes
from agent.llm.offline.language.spans.classes.class_times import find_owners
from agent.llm.offline.language.spans.targets import day_at
from agent.llm.offline.language.texts import DONE_SO_FAR, place_text
from agent.llm.offline.stages.chat import answer_one
from agent.loop.capacity.gate import SHORTAGE
from agent.loop.view_document import ResultView

Rule = Callable[[Brief], Decision | None]
UNCHANGED = re.compile(
    r"[,，;；。]?[^,，;；。]*(?:什么都没有改|没有改动|草稿没有变|保持不变)[^,，;；。]*"
    r"|[,;.]?[^,;.]*\b(?:nothing was changed|the draft (?:stays|is) as it was|it stays as it is)\b[^,;.]*",
    re.IGNORECASE,
)
"""The words that tell of no change."""
DIAGNOSING = ("first_full", "global_reopt")
STEP_TOOLS = {"check": "analyze_health", "sum_up": "get_overview"}
CHECKED_ONLY = (
    "体检完成：没有一步就能变好的改动，什么都没有改。要整个重新排，请说「重新粗排」。",
    "The plan was checked: no single change makes it better, so nothing was changed. To plan it all anew, say "
    '"rebuild".',
)
VERDICTS = {
    "continue": ("建议继续微调", "worth a small change"),
    "close": ("这样就挺好", "this works"),
    "ask_user": ("需要你决定", "needs your decision"),
    "infeasible": ("放不下", "does not fit"),
}


_SECOND = 2


def execute(brief: Brief) -> Decision:
    """An ExecuteDecision."""
    if (corrected := answer_correction(brief)) is not None:
        return corrected
    if (left := leave_to_undo(brief)) is not None:
        return left
    if (kept := keep_as_it_was(brief)) is not None:
        return _tell_made(brief, kept)
    if (settled := settle_contradiction(brief)) is not None:
        return _tell_made(brief, settled)
    if (told := answer_exam_ahead(brief)) is not None:
        return told
    if (asked := ask_loosely(brief)) is not None:
        return asked
    first = len(brief.view["turns"]) < _SECOND
    if first and (told := answer_lesson_hours(brief) or answer_lessons(brief)) is not None:
        return told
    if find_lesson_move(brief) is None and (doubt := ask_what_is_doubted(brief)):
        return doubt
    looked_up = None if APART in brief.request else _look_up(brief)
    decision = looked_up or _tell_made(brief, carry_out_in_turn(brief, decide) or decide(brief))
    decision = _tell_asked(brief, ask_about_contradiction(brief, ask_by_readings(brief, decision)))
    return _tell_day(brief, decision) if brief.found_day else decision


def _tell_asked(brief: Brief, decision: Decision) -> Decision:
    """An end in words with the answers to what was asked behind it."""
    abort = decision.get("abort") or {}
    if decision["action"] != "abort" or abort["code"] in LEFT or not (told := answer_asked_after(brief)):
        return decision
    return {**decision, "abort": {**abort, "user_message": "\n".join((abort["user_message"], *told))}}


def answer_asked_after(brief: Brief) -> list[str]:
    """The answers to the questions that stand behind what was wanted, from the plan as it is now."""
    asked = [spell_changed_day(_spell_end(text, brief), brief) for text in asked_after(brief)]
    return [answer_one(brief.part([text], [])).get("speak", "") for text in asked]


def _spell_end(text: str, brief: Brief) -> str:
    """The question when all is done as one about the class that is planned before it."""
    before = find_owners(requests_in(brief.request, brief)[0], brief)
    if intent_of(text, brief) != "end_asked" or len(before) != 1 or find_owners(text, brief):
        return text
    return brief.say("{name}什么时候学完", "when do I finish {name}", name=brief.name_of(before[0]))


def _look_up(brief: Brief) -> Decision | None:
    """What is looked up before anything is decided, and the answer that it gives."""
    return look_up_extreme_day(brief) or look_up_lesson_days(brief) or answer_supposition(brief)


def _tell_day(brief: Brief, decision: Decision) -> Decision:
    """What was found of the day that was described, before what is made of it."""
    if abort := decision.get("abort"):
        return {**decision, "abort": {**abort, "user_message": f"{brief.found_day}\n{abort['user_message']}"}}
    speaks = decision.get("asks") or (decision.get("tool_call") or {}).get("name") in WRITES
    return {**decision, "speak": f"{brief.found_day}\n{decision['speak']}".strip()} if speaks else decision


def _tell_made(brief: Brief, decision: Decision) -> Decision:
    """An end in words without the claim that nothing was changed, where something was changed in this goal."""
    told = str((decision.get("abort") or {}).get("user_message", ""))
    made = bool(brief.done(*WRITES))
    if not (brief.changes or made) or not UNCHANGED.search(told) or brief.say(*DONE_SO_FAR) in told:
        return decision
    lines = [brief.say(*DONE_SO_FAR), *change_lines(brief, brief.changes)] if brief.changes else []
    lines = lines or [brief.say("已经写下的都还在。", "What was written stays.")]
    rest = UNCHANGED.sub("", told).strip(" ,，;；。.")
    told = "\n".join([*lines, *([rest + brief.say("。", ".")] if rest else [])])
    return {**decision, "abort": {**decision["abort"], "user_message": told}}


def decide(brief: Brief) -> Decision:
    """The decision of the first rule that has one."""
    for rule in RULES:
        decision = rule(brief)
        if decision is not None:
            return decision
    return _no_answer(brief)


def _answer_correction(brief: Brief) -> Decision | None:
    """What was looked up is told where the loop takes its end for none."""
    if not brief.correction:
        return None
    told = reasons_text(brief) or facts(brief)
    return give_up("looked_up", told) if told else _no_answer(brief)


def _no_answer(brief: Brief) -> Decision:
    """The end of the rules; to a question, that the plan does not tell the answer."""
    if brief.changes or not Features(brief.request, brief).has("asking"):
        return stuck(brief)
    told = brief.say(
        "这个从计划里查不出来，什么都没有改。可以问「这周有什么安排」「周五有空吗」「第2章在哪天」。",
        'The plan does not tell me that; nothing was changed. You can ask "What is on this week?", "Am I free on '
        'Friday?", "When is chapter 2?".',
    )
    return give_up("no_answer", told)


def _rejected_silently(brief: Brief) -> Decision | None:
    refused = brief.last_answer("tool", "reject")
    if refused is None or refused["message"]:
        return None
    said = tool_requests(brief.whole) if brief.whole is not None else []
    rest = said[said.index(brief.request) + 1 :] if brief.request in said else []
    if brief.view["rest"] or (rest and not any(intent_of(one, brief) in CHANGING for one in rest)):
        told = brief.say("没有改：「{said}」。", 'Not changed: "{said}".', said=brief.quote(brief.request))
        return give_up("kept", told)  # what is only asked after it, or a goal of its own, is not refused
    if refused["call"] and refused["call"]["name"] == "upsert_task_class":
        told = brief.say(
            "没有保存。要改哪里？不建了请说「算了」。", 'Not saved. What should change? Or say "never mind".'
        )
        return ask(brief, NOT_SAVED_TOPIC, told)
    return ask(brief, NOT_DONE_TOPIC, brief.say("换个时间，还是保持不变？", "Another time, or keep it as it is?"))


def _finish_after_write(brief: Brief) -> Decision | None:
    """A write that was made, with or without a card, ends the step, unless the plan is being improved."""
    beside = ("context_tools_add", *(PLANS_BY if brief.whole is not None else ()))
    done = [row for row in brief.results if row["tool"] not in beside]
    last = done[-1] if done else None
    if last is None or last["tool"] not in WRITES or last["status"] != "done" or brief.view["active_optimize_only"]:
        return None
    if has_more_left(brief) or has_more_classes(brief) or _is_on_its_way(brief, last):
        return None
    if last["tool"] == "set_preferences" and intent_of(brief.request, brief) == "class" and _is_unwritten(brief):
        return None
    beside_plan = brief.whole is not None and not Features(brief.request, brief).builds
    if last["tool"] in ("move", "swap") and brief.verdict is None and brief.view["mode"] in DIAGNOSING:
        return finish(brief, f"{last['tool']}: done") if beside_plan else None
    return finish(brief, f"{last['tool']}: {last['status']}")


def _is_unwritten(brief: Brief) -> bool:
    """Whether no class was written yet, of those that are to have other contents."""
    tried = any(row["tool"] == "upsert_task_class" for row in brief.results)
    return not tried and bool(read_content_changes(brief.request, brief).told)


def _is_on_its_way(brief: Brief, last: ResultView) -> bool:
    """Whether an item was taken out of the timetable only to be put elsewhere."""
    return last["tool"] == "unplace" and intent_of(brief.request, brief) in ("move", "place", "try")


def _nothing_planned(brief: Brief) -> Decision | None:
    """A check-up of a draft without a single item would find nothing wrong with it."""
    if brief.tasks or brief.view["plan"] or intent_of(brief.request, brief) != "optimise":
        return None
    return give_up(
        "no_items",
        brief.say(
            "草稿里还没有安排，没有可以体检的内容。请先排一次，例如「把某个任务类排好」。",
            'Nothing is planned yet, so there is nothing to check. Plan something first, for example "plan my" and the '
            "name of a task class.",
        ),
    )


def _verdict(brief: Brief) -> Decision | None:
    verdict = brief.verdict
    if verdict is None or not _is_checked(brief):
        return None
    kind = verdict["verdict"]
    if kind == "continue":
        return _candidate(brief, verdict) or _finish_check_up(brief, kind)
    if kind == "infeasible" and not brief.view["accepted_risk"]:
        return None if find_chosen_way(brief) else _does_not_fit(brief, verdict)
    if kind == "ask_user" and not brief.view["accepted_risk"]:
        return ask_about_unplaced(brief)
    return _finish_check_up(brief, kind)


_WANTS_OTHER: tuple[Intent, ...] = ("class", "wish", "replan", "load", *OPERATIONS)
"""What words of too much may want that is no check-up of the whole plan."""


def _is_checked(brief: Brief) -> bool:
    """Whether the plan is to be checked: asked for, or by the mode; words of being tired alone ask for nothing more."""
    intent, mode = intent_of(brief.request, brief), brief.view["mode"]
    wanted = mode in DIAGNOSING and not (mode == "global_reopt" and intent in _WANTS_OTHER)
    if mode == "first_full" and brief.whole is not None and not Features(brief.request, brief).builds:
        wanted = False  # the plan of another one of several requests
    return (intent == "optimise" or wanted) and not has_more_classes(brief)


def _candidate(brief: Brief, verdict: Json) -> Decision | None:
    """The best candidate that the student has not rejected and that moves nothing that is to stay; each one improves
    the plan by definition."""
    rejected = [(row["name"], row["arguments"]) for row in brief.view["rejected"]]
    stayers = {row["state_id"] for row in find_stayers(brief)}
    for number, candidate in enumerate(verdict["decision"]["candidates"], start=1):
        chosen = (candidate["tool"], candidate["arguments"])
        moved = {candidate["arguments"].get(key) for key in ("task_id", "task_a", "task_b")}
        if candidate["tool"] and chosen not in rejected and not moved & stayers:
            speak = brief.say(
                "采用候选 {n}：{summary}",
                "Taking option {n}: {summary}",
                n=number,
                summary=_summary(brief, candidate),
            )
            return call(brief, *chosen, speak=speak)
    return None


def _summary(brief: Brief, candidate: Json) -> str:
    """What a candidate does, with names and dates where the tool's own words have ids and days of the window."""
    arguments, names = candidate["arguments"], {row["state_id"]: row["name"] for row in brief.tasks}
    if candidate["tool"] == "swap":
        first, second = arguments["task_a"], arguments["task_b"]
        values = {"first": names.get(first, ""), "second": names.get(second, "")}
        return brief.say("交换{first}与{second}", "swap {first} and {second}", **values)
    task_id, first = arguments["task_id"], arguments["new_slot_start"]
    item = brief.task(task_id)
    last = first + (item["duration"] if item else 1) - 1
    where = place_text(brief, *day_at(brief, arguments["new_day"]), first, last)
    return brief.say("把{name}移到{where}", "move {name} to {where}", name=names.get(task_id, ""), where=where)


def _finish_check_up(brief: Brief, kind: str) -> Decision | None:
    if brief.view["plan"] and not brief.proofs:
        return None
    asked = intent_of(brief.request, brief) == "optimise" and not brief.view["plan"]
    as_it_is = find_stayers(brief) or brief.under_exams or brief.misfits
    offered = offer_new_plan(brief) if asked and kind == "close" and not as_it_is else None
    if offered is not None:
        return offered
    if asked and kind == "close" and not brief.changes and (stayers := find_stayers(brief)):
        return give_up("nothing_better", "\n".join((brief.say(*CHECKED_ONLY), tell_stayers(brief, stayers))))
    if kind == "ask_user" or brief.view["accepted_risk"]:
        kind = "close"
    return finish(brief, brief.say("综合体检：", "Check-up: ") + brief.say(*VERDICTS[kind]))


def _does_not_fit(brief: Brief, verdict: Json) -> Decision:
    gap = verdict["metrics"]["feasibility"]["capacity_gap"]
    question = brief.say(
        "时间不够，还缺 {gap} 节。{why}可以：\n{ways}",
        "There is not enough room, {gap} sections are missing. {why}You can:\n{ways}",
        gap=gap,
        why="".join(line + brief.say("", " ") for line in brief.view["shortage"]),
        ways=listed_ways(brief),
    )
    labels = [brief.say(zh, en) for _, zh, en in ways(brief)]
    return ask_which(brief, SHORTAGE, question, labels, gap=gap, ways=[way for way, _, _ in ways(brief)])


def _suppose(brief: Brief) -> Decision | None:
    """What one of several requests only supposes, or asks whether it would be."""
    return answer_supposition(brief) if brief.whole is not None else None


def _class(brief: Brief) -> Decision | None:
    return class_request(brief) if is_class_goal(brief) else None


def _step(brief: Brief) -> Decision | None:
    """The fixed steps of a plan: each asks for its proof once, then the step ends."""
    plan = brief.view["plan"]
    if not plan:
        return None
    kind = plan["steps"][plan["current"]]["kind"]
    if kind not in ("build", *STEP_TOOLS):
        return None
    if brief.proofs:
        return finish(brief, f"{brief.proofs[-1]['name']}: {brief.proofs[-1]['summary']}")
    return give_up("fixed_rules", _no_first_plan(brief)) if kind == "build" else call(brief, STEP_TOOLS[kind], {})


def _dropped_build(brief: Brief) -> Decision | None:
    if not brief.noted("already_built") or intent_of(brief.request, brief) != "build":
        return None
    return give_up("already_built", _no_first_plan(brief))


def _unknown_class(brief: Brief) -> Decision | None:
    """A build for a class that is not there: the answer to the question which one named none."""
    if intent_of(brief.request, brief) != "build" or brief.scope or not brief.classes or len(brief.turns) == 1:
        return None
    names = brief.names_of([row["id"] for row in brief.classes])
    return give_up(
        "unknown_class",
        brief.say(
            "没有找到这个任务类。现有：{names}。请说「把其中一个排好」，或者「新建任务类」。",
            'There is no such task class. There is: {names}. Say "plan my" with one of them, or "create a task class".',
            names=names,
        ),
    )


def _no_first_plan(brief: Brief) -> str:
    return brief.say(
        "这个任务类已经排过初稿了。要从头再排，请说「重新粗排」。",
        'This task class already has a first plan. Say "rebuild" to plan it again.',
    )


def _check(brief: Brief) -> Decision | None:
    """A check-up that the backend did not start by itself."""
    if not _is_checked(brief) or brief.verdict is not None:
        return None
    return call(brief, "analyze_health", {})


RULES: tuple[Rule, ...] = (
    _answer_correction,
    move_lesson,
    hand_over_goal,
    answer_lessons,
    ask_for_possible_time,
    _suppose,
    keep_limits,
    ask_which_of,
    carry_out_happening,
    set_wishes,
    delete_classes,
    undo_changes,
    _rejected_silently,
    move_unless_taken,
    ask_about_unused,
    place_unplaced,
    _finish_after_write,
    _nothing_planned,
    _verdict,
    _class,
    _step,
    _dropped_build,
    _unknown_class,
    _check,
    several,
    local,
    look_up_reasons,
    perform_read,
    ask_what_is_meant,
)
