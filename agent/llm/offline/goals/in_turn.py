"""Several requests in one message: carried out one after the other, each as if it had been said alone.

A request is done by its own kind of result. What could not be done ends its request, not the others; what each came to
is told at the end.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from itertools import takewhile

from agent.llm.offline.goals.classes.class_request import has_more_classes
from agent.llm.offline.goals.decisions import WRITES, Decision, finish, say_after_that
from agent.llm.offline.goals.happenings.marks import tells_new_time
from agent.llm.offline.goals.items.many_items import has_more_left
from agent.llm.offline.goals.items.reasons import reasons_text
from agent.llm.offline.goals.questions.answers import answer_by_form
from agent.llm.offline.goals.questions.lessons.answers import tell_lessons
from agent.llm.offline.goals.questions.lessons.lesson_questions import asks_about_lessons
from agent.llm.offline.goals.questions.reads import READS, facts
from agent.llm.offline.goals.wishes import wishes_of_plan
from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.dialogue.entities import join_names
from agent.llm.offline.language.dialogue.memory import Memory
from agent.llm.offline.language.dialogue.pointing.pointed_times import spell_in_week
from agent.llm.offline.language.dialogue.pointing.pointers import spell_pointers
from agent.llm.offline.language.dialogue.references import resolve_references, resolve_step
from agent.llm.offline.language.dialogue.rewriting import CHANGING, LOOKING
from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.meaning.ellipsis import says_it
from agent.llm.offline.language.meaning.features import Features
from agent.llm.offline.language.meaning.grammar import OPERATIONS, Intent
from agent.llm.offline.language.meaning.intents import intent_of
from agent.llm.offline.language.meaning.requests import frees_all, requests_in
from agent.llm.offline.language.normalize import fold_text
from agent.llm.offline.language.spans.classes.exam_days import read_exam_ahead
from agent.llm.offline.language.spans.conditions.limits import read_conditions
from agent.llm.offline.language.spans.conditions.suppositions import asks_opinion, read_supposition
from agent.llm.offline.language.spans.dates import weekdays_in
from agent.llm.offline.language.spans.happenings import progress_in
from agent.llm.offline.language.spans.mentions import classes_in, items_in
from agent.llm.offline.language.spans.revert import MOVES, find_steps
from agent.llm.offline.language.spans.targets import list_standing, target_in
from agent.llm.offline.language.spans.times.reading import read_times
from agent.loop.nodes.enter import NEW_REQUEST, REQUEST_BESIDE, SAME_REQUEST
from agent.loop.view_document import ResultView

ANSWERED: tuple[Intent, ...] = (
    "explain", "changes", "end_asked", "class_facts", "classes", "next", "past", "due", "rules", "keep", "recovery",
)  # fmt: skip
"""What is answered at once, without a tool."""
PLANNED: tuple[Intent, ...] = ("build", "plan_first", "optimise")
"""What the loop carries out on a road of its own."""


def is_answered(text: str, brief: Brief) -> bool:
    """Whether a request is a question that is answered at once."""
    intent, part = intent_of(text, brief), brief.part([text], [])
    if asks_about_lessons(part):
        return False
    return intent in ANSWERED or (intent == "other" and asks_opinion(text)) or bool(answer_by_form(part))


def asked_after(brief: Brief) -> list[str]:
    """The questions of a message that stand behind what is wanted of it: they are about the plan as it is then."""
    said = [] if read_supposition(brief.request, brief) else requests_in(brief.request, brief)
    first = next((at for at, text in enumerate(said) if intent_of(text, brief) in _MAKING), len(said))
    asked = [text for text in said[first + 1 :] if intent_of(text, brief) not in ("keep", "recovery")]
    return [text for text in asked if is_answered(text, brief)]


_OF_WHAT_IS_LEFT = re.compile(r"还|别的|其[他它余]|剩|\b(?:else|left|then|still)\b")


def spell_changed_day(text: str, brief: Brief) -> str:
    """A question behind a change with the day that it points to, or the week of a weekday: where the items went, or
    were to go."""
    changed = {row["task_item_id"] for row in brief.changes}
    days = sorted(brief.day_of(slot) for row in brief.tasks if row["item_id"] in changed and (slot := row["slot"]))
    last = None if days else Memory.after(requests_in(brief.request, brief)[0], [], brief).last
    days = [last.heading[1]] if last and last.heading else days
    weeks = {brief.term.week_day(day)[0] for day in days}
    own = {day.isoweekday() for day in days} & {*weekdays_in(fold_text(text))}
    if len(weeks) == 1 and (own or _OF_WHAT_IS_LEFT.search(fold_text(text))):
        text = spell_in_week(text, min(weeks), brief)
    return resolve_references(text, brief, "", days, []) if days else text


_MAKING: tuple[Intent, ...] = (*CHANGING, "limit", *PLANNED)
Decide = Callable[[Brief], Decision]
LEFT = (NEW_REQUEST, SAME_REQUEST, REQUEST_BESIDE)
"""How a goal ends that another one follows at once."""
_ENDED = ("done", "next_plan", "abort")
PLANS_BY = ("smart_planning", "analyze_health")
"""The plan that follows what was written of its class, and its check."""
_OF_THEIR_OWN = ("keep_free", "ill", "lesson_moved", "exam_moved")
"""Re-plannings that follow no other write."""
_WRITES = {
    "class": ("upsert_task_class",), "mark": ("mark_items", "move", "batch_move"),
    "replan": ("replan", "move", "batch_move"), "wish": ("set_preferences",), "limit": ("replan",),
    "build": ("replan",),
    "delete_class": ("delete_task_class",), "reasons": ("query_available_slots",),
}  # fmt: skip


def tool_requests(brief: Brief) -> list[str]:
    """The requests of the goal that need tools, in order; one or none where the message is one request. A first
    plan with limits comes first: the loop plans as soon as a class is written."""
    if brief.whole is not None or brief.view["plan"] or read_exam_ahead(brief.request, brief) is not None:
        return []
    said = requests_in(brief.request, brief)
    if said == [brief.request]:
        return []
    left = [text for text in said if not _is_done_by_loop(text, brief) and not is_answered(text, brief)]
    asked = [*takewhile(lambda text: intent_of(text, brief) in LOOKING, left)]
    tools = [row["tool"] for row in brief.results if row["tool"] != "context_tools_add"]
    freed = [target_in(text, brief) for text in left if frees_all(text, brief)]  # nothing may go there
    there = [row for one in freed if one.dated for row in list_standing(one, brief.tasks_before)]
    frees = bool(freed) and not any(row in there for text in left for row in items_in(text, brief))
    writes = any(intent_of(text, brief) == "class" for text in left)  # its class gives places to all that has none
    intents = {text: intent_of(text, brief) for text in left}
    moved = {text for text, one in intents.items() if one in OPERATIONS and not target_in(text, brief).days}
    late = {text: (frees and text in moved) or (writes and one == "remove") for text, one in intents.items()}
    rest = left[len(asked) :]
    plans = [
        text for at, text in enumerate(rest) if _plans_anew(text, brief) and not _is_changed(text, rest[:at], brief)
    ]
    rest = sorted(rest, key=lambda text: (text not in plans, late[text]))
    # What was asked first was answered at once, from the plan as it was.
    return rest if tools and tools[0] in WRITES else [*asked, *rest]


def _plans_anew(text: str, brief: Brief) -> bool:
    """Whether a request is for a plan, and not of a class that stands there already."""
    plans, ids = intent_of(text, brief) in ("class", "build"), classes_in(text, brief.classes)
    stands = any(row["slot"] and row["class_id"] in ids for row in brief.tasks_before)
    return plans and not stands and Features(text, brief).builds


def _is_changed(text: str, before: list[str], brief: Brief) -> bool:
    """Whether the class of a plan is changed by one of the requests in front of it, which its plan follows at once."""
    ids, changes = {*classes_in(text, brief.classes)}, [one for one in before if intent_of(one, brief) == "class"]
    return intent_of(text, brief) == "build" and any(ids & {*classes_in(one, brief.classes)} for one in changes)


def _is_done_by_loop(text: str, brief: Brief) -> bool:
    """Whether a request is a plan without conditions and wishes, of which nothing is left once the loop has made it."""
    intent = intent_of(text, brief)
    return intent in PLANNED and not (intent == "build" and (read_conditions(text, brief).said or _wishes(text, brief)))


def _wishes(text: str, brief: Brief) -> bool:
    return bool(wishes_of_plan(brief.part([text], [])))


def parts_in_turn(brief: Brief, decide: Decide) -> list[Brief]:
    """Each request as a goal of its own, with the results that are its own; empty for a single request."""
    parts: list[Brief] = []
    said = tool_requests(brief)
    start = 0 if said and Features(said[0], brief).builds else _find_planned(brief)
    heard = _find_answered(brief)
    if said == requests_in(brief.request, brief) and len(said) == 1:
        return [brief.part([*said, *brief.turns[1:]], brief.results)]
    for text in said:
        before = parts[-1].request if parts and says_it(text) else ""
        text = _tell_in_full(text, parts[-1], brief) if parts else text
        if parts and intent_of(text, brief) not in _MAKING:
            text = spell_changed_day(text, brief)
        looks = intent_of(text, brief) in LOOKING  # it may be looked up twice: lessons first, then the plan
        plans = _is_changed("".join(said[len(parts) + 1 :][:1]), [text], brief)
        end = None if looks else _find_end(brief, text, start, plans_next=plans)
        hears = start <= heard and (end is None or heard < end)
        turns = [text, *(brief.turns[1:] if hears else ())]
        if end is None:
            end = _find_failure(brief, turns, before, start, decide, hears=hears)
            hears = hears and (end is None or heard <= end)
        parts.append(_cut_out(brief, turns, before, start, end, hears=hears))
        heard = -1 if hears and brief.last_answer("tool", "reject") else heard
        start = len(brief.results) if end is None else end
    return parts


def _tell_in_full(text: str, before: Brief, brief: Brief) -> str:
    """A request with what it points to in the one before it said in full, as the next turn of a talk is read."""
    if made_up := tell_made_up(text, before.request, brief):
        return made_up
    step = resolve_step(text, before.request, brief)
    rows = items_in(before.request, brief)
    if len(rows) == 1 and intent_of(step, brief) == "class" and not items_in(step, brief):
        step = _IT.sub(lambda _: rows[0]["name"], step, count=1)
    if says_it(step) or intent_of(before.request, brief) in LOOKING:
        return step
    return spell_pointers(step, Memory.after(before.request, before.results, brief)).text


_IT = re.compile(r"它(?!们)|\b(?:it|that one)\b", re.IGNORECASE)


def tell_made_up(text: str, before: str, brief: Brief) -> str:
    """Tells the move of what was just marked as missed to when it is to be made up; empty for other words."""
    folded, rows = fold_text(text), items_in(before, brief)
    times = read_times(folded, brief.term)
    missed = progress_in(before) == "missed" and (says("makes_up", folded) or tells_new_time(text, rows, brief))
    if not (missed and rows) or items_in(text, brief):
        return ""
    when = folded[times[0].start : times[-1].end] if times else ""
    if not any(one.role for one in times) and when:
        return brief.say("把{names}移到{when}", "move {names} to {when}", names=join_names(rows, brief), when=when)
    other = brief.say("把{names}换个时间", "move {names} to another time", names=join_names(rows, brief))
    return other + (brief.say(f"，不要{when}", f", not {when}") if when else "")


def _find_planned(brief: Brief, start: int = 0) -> int:
    """Where the results begin behind a plan that was made first, of those from a place on."""
    planned = [*takewhile(lambda row: row["tool"] in PLANS_BY, brief.results[start:])]
    return start + len(planned) if any(row["tool"] == "smart_planning" for row in planned) else start


def _find_failure(
    brief: Brief, turns: list[str], before: str, start: int, decide: Decide, *, hears: bool
) -> int | None:
    """Where the results of a request end that could not be carried out; None while it still can."""
    made = _find_planned(brief, start) if intent_of(turns[0], brief) == "build" else start
    ends = [*range(made, len(brief.results) + 1)]
    if intent_of(turns[0], brief) == "undo" and any(step.places for step in find_steps(brief)[-1:]):
        ends = [end for end in ends if not any(row["tool"] in MOVES for row in brief.results[end : end + 1])]
    parts = ((end, _cut_out(brief, turns, before, start, end, hears=hears)) for end in ends)
    return next((end for end, part in parts if decide(part)["action"] in _ENDED), None)


def _find_answered(brief: Brief) -> int:
    """How many results there were when the student answered last; -1 before that. Refused cards leave no result; what a
    goal begins with amends its first request."""
    if brief.interaction is None and len(brief.turns) > 1:
        return 0
    refused = len(brief.view["rejected"]) - (brief.last_answer("tool", "reject") is not None)
    return brief.interaction["results_at"] - refused if brief.interaction else -1


def _cut_out(brief: Brief, turns: list[str], before: str, start: int, end: int | None, *, hears: bool) -> Brief:
    """A request as a goal of its own; the refusal of a card of another one is none of it."""
    rows = brief.results[start:end]
    if not brief.last_answer("tool", "reject") or (hears and (end is None or _find_answered(brief) <= end)):
        return brief.part(turns, rows, before)
    part = brief.part(turns[:1], rows, before)
    return replace(part, view={**part.view, "interaction": None})


def _find_end(brief: Brief, text: str, start: int, *, plans_next: bool) -> int | None:
    """Where the results of a request end: behind the one that carried it out; None while none did. `plans_next`: the
    plan that follows is that of the next request."""
    intent, supposes = intent_of(text, brief), read_supposition(text, brief) is not None
    if intent == "undo":
        return None  # by more than one tool
    for at in range(start + 1, len(brief.results) + 1):
        row = brief.results[at - 1]
        wanted = (
            ("move", "place", "swap", "unplace", "batch_move", "batch_unplace")
            if intent in OPERATIONS
            else _WRITES.get(intent, READS)
        )
        wanted = (*READS, "preview_replan") if supposes else wanted
        wanted = _WRITES["wish"] if intent == "build" and _wishes(text, brief) else wanted
        only_out = row["tool"] in ("unplace", "batch_unplace") and intent in ("move", "place", "try")
        done = row["status"] == "done" and row["tool"] in wanted and not only_out
        part = brief.part([text], brief.results[start:at])
        more = (intent in OPERATIONS and has_more_left(part)) or (
            intent == "class" and (has_more_classes(part) or _goes_on(row, brief.results[at:]))
        )
        if done and not more:
            return at if plans_next else at + _count_follow_ups(intent, brief.results[at:])
    return None


def _goes_on(row: ResultView, rows: list[ResultView]) -> bool:
    """Whether the same is written of another class right behind."""
    changes = [one["arguments"].get("task_class") for one in rows[:1] if one["tool"] == row["tool"]]
    return row["tool"] == "upsert_task_class" and changes == [row["arguments"].get("task_class")] != [None]


def _count_follow_ups(intent: Intent, rows: list[ResultView]) -> int:
    """How many of the results behind a write belong to it: the plan of a class that was written and its check, and the
    re-planning that lines up what stands."""
    planned = len([*takewhile(lambda row: row["tool"] in PLANS_BY, rows)]) if intent == "class" else 0
    added = len([*takewhile(lambda row: row["tool"] == "context_tools_add", rows[planned:])])
    behind = rows[planned + added : planned + added + 1]
    mends = [row for row in behind if row["tool"] == "replan" and row["arguments"].get("kind") not in _OF_THEIR_OWN]
    return planned + added + 1 if intent in ("class", "mark", "wish") and mends else planned


def carry_out_in_turn(brief: Brief, decide: Decide) -> Decision | None:
    """The next step of the first request that is not done; None when the message is one request."""
    parts = parts_in_turn(brief, decide)
    if not parts:
        return None
    decision: Decision | None = None
    told = list[str]()
    for number, part in enumerate(parts, start=1):
        decision = decide(part)
        if decision["action"] not in _ENDED or (decision.get("abort") or {}).get("code") in LEFT:
            return _tell_found(_tell_rest(brief, decision, number), parts[:number], told)
        told.append(_tell_supposed(part, decision) or (tell_looked_up(part) if part.results else ""))
    changed = bool(brief.changes) or any(row["status"] == "done" for row in brief.results)
    if decision is not None and decision["action"] == "abort" and brief.last_answer("tool", "reject"):
        return decision  # what was looked up is told before the card that was refused
    return finish(brief, "done") if changed or decision is None else decision


def _tell_rest(brief: Brief, decision: Decision, number: int) -> Decision:
    """A card for one of several requests with those that come after it, so that none seems forgotten."""
    said = [*tool_requests(brief), *asked_after(brief)]
    writes = (decision.get("tool_call") or {}).get("name") in WRITES
    if not (writes or (decision["action"] == "ask_user" and brief.interaction is None)) or number >= len(said):
        return decision
    own = dict(brief.written)
    now = own.get(said[number - 1])
    rest = [plain if own.get(plain) in (None, now) else own[plain] for plain in said[number:]]
    quoted = [brief.say(f"「{one}」", f'"{one}"') for one in rest]
    return {**decision, "speak": f"{decision['speak']}\n{say_after_that(brief, quoted)}".strip()}


def tell_looked_up(brief: Brief) -> str:
    """What a goal that only looked has found."""
    looked = intent_of(brief.request, brief) not in OPERATIONS
    if told := tell_lessons(brief):
        return told
    return reasons_text(brief) or ((answer_by_form(brief) or facts(brief)) if looked else "")


def _tell_supposed(part: Brief, decision: Decision) -> str:
    """The answer to what one of several requests only supposes, or what keeps it from being done."""
    abort = decision["abort"] if decision["action"] == "abort" else {"code": "", "user_message": ""}
    supposed = abort["code"] == "settled" or (abort["code"] and read_supposition(part.request, part) is not None)
    return str(abort["user_message"]) if supposed else ""


def _tell_found(decision: Decision, parts: list[Brief], told: list[str]) -> Decision:
    """The first card of several requests with what was looked up for those before it: the answer comes before it."""
    first = len(parts[-1].turns) == 1 and not any(map(_has_written, parts))
    if (decision.get("tool_call") or {}).get("name") not in WRITES or not first:
        return decision
    return {**decision, "speak": "\n".join(filter(None, (*told, decision["speak"])))}


def _has_written(part: Brief) -> bool:
    return any(row["tool"] in WRITES for row in part.results)


def tell_of_each(brief: Brief, decide: Decide, tell: Callable[[Brief], str]) -> list[str]:
    """What each request came to besides what it changed: what was looked up, or why it could not be done."""
    told = []
    parts = parts_in_turn(brief, decide)
    first = next((at for at, part in enumerate(parts) if _has_written(part)), 0)
    for part in (one for at, one in enumerate(parts) if at >= first or not one.results):
        if first and read_supposition(part.request, part) is not None:
            continue  # told before the card
        decision = decide(part)
        reason = (decision.get("abort") or {}).get("user_message") if decision["action"] == "abort" else ""
        told.append(tell(part) or str(reason or ""))
    return [text for text in told if text]
