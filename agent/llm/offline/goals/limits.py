"""Conditions on places, carried out: what breaks one is placed anew in one card, what cannot be is told.

They follow the plan that was just built, the class or the wish that was just written, or hold for the plan that stands.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from difflib import SequenceMatcher
from itertools import chain
from typing import Any

from agent.llm.offline.goals.classes.class_request import has_more_classes
from agent.llm.offline.goals.classes.meant_classes import is_for_all
from agent.llm.offline.goals.decisions import NOT_USED, Decision, ask_readings, call, finish, give_up
from agent.llm.offline.goals.explain import tell_spread
from agent.llm.offline.goals.items.offers import was_rejected
from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.dialogue.tracking import REFUSED_TOPICS
from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.meaning.condition_intents import PUTS
from agent.llm.offline.language.meaning.ellipsis import says_it
from agent.llm.offline.language.meaning.facts import find_spoken_classes
from agent.llm.offline.language.meaning.features import Features
from agent.llm.offline.language.meaning.intents import intent_of
from agent.llm.offline.language.meaning.planned_classes import find_planned_classes
from agent.llm.offline.language.meaning.requests import APART
from agent.llm.offline.language.normalize import fold_numbers, fold_text
from agent.llm.offline.language.spans.classes.class_times import excludes, find_owners
from agent.llm.offline.language.spans.conditions.limit_forms import CLAUSE_BREAK, EVERYTHING
from agent.llm.offline.language.spans.conditions.limits import read_conditions, rows_of
from agent.llm.offline.language.spans.conditions.rates import read_rate
from agent.llm.offline.language.spans.conditions.said import Conditions, Said, holds
from agent.llm.offline.language.spans.conditions.wishes import taken_back_in
from agent.llm.offline.language.spans.items.groups import takes_waiting
from agent.llm.offline.language.spans.items.mention_signs import find_mentioned
from agent.llm.offline.language.spans.mentions import all_items, classes_in, items_in
from agent.llm.offline.language.spans.revert import find_last_place
from agent.llm.offline.language.texts import AS_IT_WAS
from agent.loop.nodes.enter import SAME_REQUEST
from agent.loop.view_document import ClassView, PlaceView, ResultView, TaskView, WishView

REPLAN, KIND = "replan", "limits"
PLAN_WITHIN = "plan_within"
"""The question whether a class is to be planned by a condition that was told of it."""
_MOST, _TURNS, _SHORT = 30, 5, 30
"""Conditions of one call; turns of the student whose conditions go on."""
_ALIKE = 0.3
"""From how alike they are a clause is what a condition was read from."""
_OTHERS_TOO = re.compile(
    r"也(?:都)?(?:挪|移|换|调)|一概|原来(?:排)?在|\b(?:move|shift) (?:whatever|what|everything|the others)\b|\btoo\b"
)
_WRITTEN_BY = {"wish": "set_preferences", "class": "upsert_task_class", "build": "smart_planning"}


def conditions_of(brief: Brief) -> Conditions:
    """The conditions that a request puts on places, whichever else it wants; none of a question or a note."""
    intent = intent_of(brief.request, brief)
    said = Features(brief.request, brief)
    if intent in ("class", "build") and (said.has("describes_class") or said.slots.described or said.opens_class):
        return Conditions()
    if any((row["data"] or {}).get("created") for row in brief.results if row["tool"] == "upsert_task_class"):
        return Conditions()  # what was said of a class that this goal made is in it
    if intent not in ("limit", *_WRITTEN_BY) or (intent == "wish" and taken_back_in(brief.request, brief)):
        return Conditions()
    found = read_conditions(brief.request, brief)
    if said.builds:  # what a plan is only to try is a wish of it
        hard = (one for one in found.said if not (says("softly", one.words) or says("fallback", one.words)))
        found = replace(found, said=tuple(hard))
    refused = {row["arguments"].get("id") for row in brief.view["rejected"] if row["name"] == "upsert_task_class"}
    refused -= {row["arguments"].get("id") for row in brief.results if row["tool"] == "upsert_task_class"}
    kept = {row["state_id"] for row in brief.tasks if row["class_id"] in refused}
    return replace(_of_named_class(brief, found), spared=found.spared | kept)


def _of_named_class(brief: Brief, found: Conditions) -> Conditions:
    """The conditions of a request in which one class alone is named as its own: what names nothing is not of all."""
    items = [row for row in find_mentioned(brief.request, brief) if row["state_id"] not in found.spared]
    named = {*find_owners(brief.request, brief)} | {row["class_id"] for row in items}
    named = named or {row["class_id"] for row in items_in(brief.request, brief, among=all_items(brief))}
    if len(named) != 1 or EVERYTHING.search(fold_text(brief.request)):
        return found
    loose = [one for one in found.said if not (one.owners or one.items or one.pair)]
    return replace(found, said=tuple(replace(one, owners=(*named,)) if one in loose else one for one in found.said))


def keep_limits(brief: Brief) -> Decision | None:
    """The next step for the conditions of a request, once what it writes beside them is written."""
    every = conditions_of(brief)
    if not every.said or brief.view["plan"] or not _is_due(brief):
        return None
    found = _without_impossible(brief, every)
    waiting = _waiting(brief)
    arguments = _arguments(brief, found, waiting)
    asked = _not_planned(brief, found) if intent_of(brief.request, brief) == "limit" else None
    if arguments is None or asked is not None:
        return asked
    done = _tried(brief)
    if done is not None and found != every and done["arguments"] != arguments:
        done = None  # what is possible of it is still to be done
    others = [row for row in brief.results if row["status"] == "done" and row["tool"] != "context_tools_add"]
    if done is not None and done["status"] == "done":
        return finish(brief, f"{REPLAN}: done")
    if done is not None and waiting and intent_of(brief.request, brief) == "class":
        return None  # what lost its place to the class gets another one without them
    if done is not None:
        return finish(brief, f"{REPLAN}: {done['error_code']}") if others else give_up(
            done["error_code"] or "not_written", limits_text(brief))  # fmt: skip
    if was_rejected(brief, REPLAN, arguments):
        refused = brief.last_answer("tool", "reject")
        return None if refused and not refused["message"] else give_up(SAME_REQUEST, brief.say(*AS_IT_WAS))
    return call(brief, REPLAN, arguments)


def _without_impossible(brief: Brief, found: Conditions) -> Conditions:
    """The conditions without a number that was found to be impossible, where others are left."""
    tried = [row for row in brief.results if row["tool"] == REPLAN and row["error_code"] == "no_place"]
    names = {possible[0] for row in tried if (possible := (row["data"] or {}).get("possible"))}
    left = tuple(one for one in found.said if not names & {*one.values})
    return replace(found, said=left) if left else found


def _not_planned(brief: Brief, found: Conditions) -> Decision | None:
    """That a condition is about classes without a plan; None where another one is."""
    placed = {row["class_id"] for row in brief.tasks if row["slot"]}
    pairs = [classes_in(one.words, brief.classes) for one in found.said if one.pair]
    owners = dict.fromkeys(owner for one in found.said for owner in one.owners if not one.pair)
    lacking = [one for one in dict.fromkeys([*owners, *chain(*pairs)]) if one not in placed]
    if not lacking or placed & {*owners}:
        return None
    names, whole = brief.names_of(lacking), (brief.whole or brief).request
    form = ("把{name}排好{apart}{said}", "plan {name}{apart}{said}")
    said = [one.words for one in found.said if one.pair] or whole.split(APART)
    words = brief.say("，", ", ").join(said).strip(" .。")
    reading = brief.say(*form, name=names.replace("「", "").replace("」", ""),
                        apart=APART if pairs else brief.say("，", ", "), said=words)  # fmt: skip
    told = (
        "{names}还没有排，什么都没有改。要现在按这个条件排吗：「{said}」？",
        'Not planned yet: {names}; nothing was changed. Shall I plan it now and keep to that: "{said}"?',
    )
    words = words.removeprefix("这次").removeprefix("just this once ")
    return ask_readings(brief, PLAN_WITHIN, brief.say(*told, names=names, said=words), [reading])


def _is_due(brief: Brief) -> bool:
    """Whether what the request writes beside its conditions was written, or tried."""
    intent = intent_of(brief.request, brief)
    if intent == "limit":
        return True
    built = bool(brief.done("smart_planning"))
    placed, planned = {row["class_id"] for row in brief.tasks}, find_planned_classes(brief.request, brief)
    if built or (Features(brief.request, brief).builds and not (planned and {*planned} <= placed)):
        return built and not has_more_classes(brief)
    tried = any(row["tool"] == _WRITTEN_BY[intent] for row in brief.results)
    return (tried or _is_rule_of_all(brief)) and (intent == "wish" or not has_more_classes(brief))


def _is_rule_of_all(brief: Brief) -> bool:
    """Whether a request gives a rule to all classes; where nothing of it is left to write they have it."""
    return intent_of(brief.request, brief) == "class" and is_for_all(brief) and not has_more_classes(brief)


def _tried(brief: Brief) -> ResultView | None:
    rows = [row for row in brief.results if row["tool"] == REPLAN and row["arguments"].get("kind") == KIND]
    return rows[-1] if rows else None


def _arguments(brief: Brief, found: Conditions, waiting: list[TaskView]) -> dict[str, Any] | None:
    """The conditions as the tool takes them, each with its items; None where no item is theirs."""
    limits: list[dict[str, Any]] = []
    planned = _planned_by(brief.request, found, brief)
    for one in found.said:
        of_plan = _is_of_plan(one, planned)
        rows = _rows_under(one, found, planned, brief)
        if waiting and one.items and {"days_between", "sections_between"} & one.values.keys():
            owners = {row["class_id"] for row in rows}  # what gets a place keeps the distance to what has one
            rows = [row for row in brief.tasks if row["class_id"] in owners]
        standing = [row for row in rows if row["slot"] or row in waiting]
        limits += [_with_items(one, found, part, every=not of_plan) for part in _in_parts(one, standing)]
    if not limits:
        return None
    limits += _held_before(brief, found)
    alone = waiting and intent_of(brief.request, brief) == "limit" and not _OTHERS_TOO.search(brief.request.lower())
    ids = {"task_ids": [row["state_id"] for row in waiting]} if waiting else {}
    return {"kind": KIND, "limits": limits[:_MOST], **ids, **({"others_stay": True} if alone else {})}


def _planned_by(request: str, found: Conditions, brief: Brief) -> list[int]:
    """The classes that a request plans, whose alone its conditions are; none where it plans nothing."""
    said = Features(request, brief)
    builds = (intent_of(request, brief) == "build" or said.plans_with_limits) and not found.relates
    spoken = find_spoken_classes(brief) if builds and request == brief.request and says_it(request) else []
    return (find_planned_classes(request, brief) or spoken) if builds else []


def _is_of_plan(one: Said, planned: list[int]) -> bool:
    return bool(planned) and not one.items and EVERYTHING.search(one.words) is None


def _rows_under(one: Said, found: Conditions, planned: list[int], brief: Brief) -> list[TaskView]:
    """The items of a condition; of what is planned those alone, unless it is about everything."""
    rows = rows_of(one, found, brief)
    return [row for row in rows if row["class_id"] in planned] if _is_of_plan(one, planned) else rows


def _in_parts(one: Said, rows: list[TaskView]) -> list[list[TaskView]]:
    """The rows of a condition; those of each class apart where an order is wanted of no items in particular."""
    if "in_order" not in one.values:
        return [rows] if rows else []
    if one.items:
        return [sorted(rows, key=lambda row: one.items.index(row["state_id"]))] if rows else []
    owners = dict.fromkeys(row["class_id"] for row in rows)
    return [[row for row in rows if row["class_id"] == owner] for owner in owners]


def _held_before(brief: Brief, found: Conditions) -> list[dict[str, Any]]:
    """What was asked for before, by wishes or in this conversation: it goes on where it holds, unless told anew;
    the last day of a class is written in it."""
    new = {key for one in found.said for key in one.values}
    before = [_limit_of_wish(wish, brief) for wish in brief.wishes]
    turns = _words_that_stand(brief)[-_TURNS:]
    for turn in turns:
        told = read_conditions(turn, brief)
        if intent_of(turn, brief) in ("limit", *_WRITTEN_BY):
            planned = _planned_by(turn, told, brief)
            written = intent_of(turn, brief) == "class" and Features(turn, brief).changes_end
            goes_on = [one for one in told.said if not (written and any("to_date" in row for row in one.times))]
            rows = [(one, _rows_under(one, told, planned, brief)) for one in goes_on]
            before += [
                {
                    **_with_items(one, told, own, every=not _is_of_plan(one, planned)),
                    **({} if turn == turns[-1] and not _is_of_others(one, found) else {"held": True}),
                }
                for one, own in rows
                if own and not _is_told_anew(one, found)
            ]
    before = [values for values in before if values and not (new & set(values) - {"within", "without", "during"})]
    # The same once more, for others than before, takes the place of what was said first: 我说的是六级那几个.
    again = [told for one in found.said for told in (one.values, _undated(one.values))]
    return [values for values in before if {key: values[key] for key in values if key not in _WHOSE} not in again]


def _undated(values: dict[str, Any]) -> dict[str, Any]:
    """Times that stay free on some dates as those of every week: only in week 4 takes the place of always."""
    rows = []
    for row in values.get("without") or ():
        first, last = (date.fromisoformat(row.get(one) or "9999-12-31") for one in ("from_date", "to_date"))
        days = {"weekdays": [first.isoweekday()]} if first == last else {}
        rows.append(days | {key: row[key] for key in row if key not in _DATES})
    return {**values, "without": rows} if rows else {}


_DATES = frozenset(["from_date", "to_date"])
_WHOSE = frozenset(["task_ids", "held"])


def _words_that_stand(brief: Brief) -> list[str]:
    """What the student said before, without what was refused with the button, what was only asked about, and what the
    request corrects."""
    said = list[str]()
    done = True
    for turn in brief.earlier:
        if turn["role"] == "user":
            said.append(turn["text"])
            done = False
        elif turn["asks"] and turn["asks"]["topic"] in (*REFUSED_TOPICS, PLAN_WITHIN):
            said = said[:-1]
        done = done or bool(turn["wrote"])
    return said[:-1] if brief.completed and not done else said


def _is_told_anew(one: Said, found: Conditions) -> bool:
    """Whether the days to which something was to keep are other ones now: spread it over weeks 4 to 6."""
    anew = [told for told in found.said if _is_dated(told) and told.owners == one.owners and not told.items]
    return _is_dated(one) and bool(anew)


def _is_dated(one: Said) -> bool:
    return any({"from_date", "to_date"} & {*row} for row in one.values.get("within", ()))


def _is_of_others(one: Said, found: Conditions) -> bool:
    """Whether a condition that was told before is of other classes than the ones of this request."""
    owners = {owner for wanted in found.said for owner in wanted.owners}
    return bool(owners and one.owners) and not owners & {*one.owners}


def _with_items(one: Said, found: Conditions, rows: list[TaskView], *, every: bool = True) -> dict[str, Any]:
    """A condition as the tool takes it: of these items, of none in particular where it is about all of them."""
    ordered = "in_order" in one.values
    if every and not (one.items or one.owners or found.spared or ordered):
        return dict(one.values)
    return {**one.values, "task_ids": [row["state_id"] for row in rows]}


def _limit_of_wish(wish: WishView, brief: Brief) -> dict[str, Any]:
    """A wish as a condition that holds or not; nothing for one that only weighs."""
    kind, value = wish["kind"], wish["value"]
    rows = [row["state_id"] for row in brief.tasks if wish["class_id"] in (None, row["class_id"])]
    if wish["hard_only"] or not rows:
        return {}
    whose = {} if wish["class_id"] is None else {"task_ids": rows}
    if kind == "blocks_a_day":
        return {"sections_a_day": 2 * value, **whose, "held": True}
    ends = {"latest_section": (1, value), "earliest_section": (value, brief.term.sections)}.get(kind)
    return {"within": [{"section_from": ends[0], "section_to": ends[1]}], **whose, "held": True} if ends else {}


def _waiting(brief: Brief) -> list[TaskView]:
    """The items that get a place beside the conditions: those the request names so, what just lost its place, and what
    a plan that was just built left over."""
    rows = (brief.whole or brief).results
    made = [row for row in rows if row["tool"] == "smart_planning" and row["status"] == "done"]
    planned = find_planned_classes(brief.request, brief) if made and brief.whole is None else []
    planned += [one for row in made if brief.whole for one in row["arguments"].get("task_class_ids") or ()]
    lost = {row["task_item_id"] for row in brief.changes if row["before"] and not row["after"]}
    lost |= _lost_to_classes(brief)
    named = find_mentioned(brief.request, brief) if PUTS.search(brief.request.lower()) else []
    asked = [*(takes_waiting(brief.request, brief) if PUTS.search(brief.request.lower()) else []), *named]
    left = [row for row in brief.tasks if not row["slot"]]
    return [row for row in left if row["item_id"] in lost or row in asked or row["class_id"] in planned]


def _lost_to_classes(brief: Brief) -> set[int]:
    """The items whose last place lies where their classes allow none any more: what a card took before it was left for
    a question."""
    places = {row["item_id"]: find_last_place(brief, row["item_id"]) for row in brief.tasks if not row["slot"]}
    owners = {row["item_id"]: brief.class_of(row["class_id"]) for row in brief.tasks}
    return {item for item, place in places.items() if place and (owner := owners[item]) and _excludes(owner, place)}


def _excludes(owner: ClassView, place: PlaceView) -> bool:
    """Whether a class leaves a place free."""
    day, blocks = place["day_of_week"], range((place["section_from"] + 1) // 2, (place["section_to"] + 1) // 2 + 1)
    return day in owner["excluded_days"] or any(
        block in owner["excluded_blocks"] or [day, block] in owner["excluded_cells"] for block in blocks
    )


_NOT_NOTED = (
    "没有记为以后的要求；要记下，请在前面加上「以后」再说一次。",
    ' It is not noted for later plans; to have it noted, say it again with "from now on".',
)


_ONLY_LOOKED = ("以后重新排的时候不一定照这样。", " It is not noted for later plans.")


def _tell_not_noted(brief: Brief, found: Conditions) -> str:
    """That what this plan keeps to is not noted for later ones, and how times that stay free are; empty where it is."""
    noted = ("upsert_task_class", "set_preferences")
    written = bool((brief.whole or brief).done(*noted)) or _is_rule_of_all(brief)
    return "" if written else brief.say(*_NOT_NOTED) if found.leaves_free else brief.say(*_ONLY_LOOKED)


def limits_text(brief: Brief) -> str:
    """What became of the conditions: kept by moves, kept already, or which of the items cannot keep them and why."""
    done, every = _tried(brief), conditions_of(brief)
    if done is None or not every.said:
        return ""
    found = _without_impossible(brief, every)
    if found != every and (done["data"] or {}).get("possible") is None:
        failed = next(row for row in brief.results if row["tool"] == REPLAN and (row["data"] or {}).get("possible"))
        rest = tuple(one for one in every.said if one not in found.said)
        told = _tell_possible(brief, _quote_all(brief, rest), *failed["data"]["possible"], alone=False)
        return "\n".join([told, _tell_kept(brief, done, found)])
    return _tell_kept(brief, done, every)


def tell_not_kept(part: Brief) -> str:
    """That a plan was made for another one of several requests, and breaks the conditions of this one; else empty."""
    planned = part.whole is not None and bool(part.whole.done("smart_planning"))
    found = conditions_of(part) if planned and intent_of(part.request, part) == "build" else Conditions()
    broken = _tried(part) is None and any(not holds(one, _standing(part, one, found), part) for one in found.said)
    return part.say(*NOT_USED, said=part.request) if broken else ""


def _tell_whose(brief: Brief, found: Conditions) -> str:
    """What conditions are kept by: the one class that they are of, else the plan."""
    owners = {owner for one in found.said for owner in one.owners}
    alone = len(owners) == 1 and all(one.owners for one in found.said)
    return brief.names_of([*owners]) if alone else brief.say("现在的计划", "The plan")


def _tell_kept(brief: Brief, done: ResultView, found: Conditions) -> str:
    if done["error_code"] == "no_place":
        kept = tuple(one for one in found.said if holds(one, _standing(brief, one, found), brief))
        if kept == found.said:
            told_kept = ("现在的计划符合{quoted}。", "The plan as it stands keeps to {quoted}.")
            return brief.say(*told_kept, quoted=_quote_all(brief, kept))
        found = replace(found, said=tuple(one for one in found.said if one not in kept))
    quoted = _quote_all(brief, found.said)
    if done["status"] == "done":
        told = brief.say("已按{quoted}调整。", "The plan now keeps to {quoted}.", quoted=quoted)
        left = (done["data"] or {}).get("left") or []
        if left:
            told = brief.say("按{quoted}调整了能调整的。", "What could be moved now keeps to {quoted}.", quoted=quoted)
        return "\n".join([told, *_tell_left(brief, [str(row["name"]) for row in left]), *_tell_unplanned(brief, found)])
    if done["error_code"] == "no_change":
        return brief.say(
            "{whose}已经符合{quoted}{most}，不用移动任何任务。",
            "{whose} keeps to {quoted} already{most}; nothing had to move.",
            whose=_tell_whose(brief, found), quoted=quoted, most=_most(brief, found),
        ) + _tell_not_noted(brief, found) + _tell_shape(brief, found)  # fmt: skip
    if done["error_code"] == "no_place" and (possible := (done["data"] or {}).get("possible")):
        return _tell_possible(brief, quoted, *possible)
    if done["error_code"] == "no_place":
        if brief.changes:
            return brief.say("没法全部做到{quoted}。", "{quoted} cannot be kept in full.", quoted=quoted)
        lines = (done["observation"] or "").partition("：")[2].strip()  # without its code
        head = brief.say(
            "没法全部做到{quoted}，什么都没有移动。",
            "{quoted} cannot be kept in full; nothing was moved. ",
            quoted=quoted,
        )
        return head + (
            lines
            if brief.language == "zh"
            else brief.say("", "Without room within it: {n} items.", n=len(_breaking(brief)))
        )
    return brief.say("{quoted}这次没有调整成。", "The plan could not be adjusted to {quoted}.", quoted=quoted)


def _tell_shape(brief: Brief, found: Conditions) -> str:
    """How the classes lie whose items are to be spread, or fewer a day, and how they could have less at a time."""
    if not all({"even", "a_day"} & {*one.values} for one in found.said) or Features(brief.request, brief).builds:
        return ""
    rows = [row for one in found.said for row in _standing(brief, one, found) if row["slot"]]
    lines = [tell_spread(brief, owner) for owner in dict.fromkeys(row["class_id"] for row in rows)]
    weeks = Counter(slot["week"] for row in brief.tasks if row in rows and (slot := row["slot"]))
    told = (
        "想一次少一些，可以说「每周最多 {n} 项」「周日不排」，把截止日期往后改，或者先移出几项。",
        'For less at a time you can say "at most {n} a week" or "nothing on Sundays", move an end date back, or '
        "take items out.",
    )
    return "\n".join(["", *filter(None, lines), brief.say(*told, n=max(1, max(weeks.values(), default=2) - 1))])


def _tell_unplanned(brief: Brief, found: Conditions) -> list[str]:
    """That classes which are planned later do not know of days that were only taken from this plan."""
    free = any("without" in one.values and not (one.owners or one.items) for one in found.said)
    planned = {row["class_id"] for row in brief.tasks}
    left = [row["id"] for row in brief.classes if row["id"] not in planned]
    if not free or not left or intent_of(brief.request, brief) not in ("wish", "limit"):
        return []
    told = ("不排的时间只用在现在的计划上，还没有排的不在内：{names}。",
            "The days off hold for the plan as it is; not planned yet, so not in it: {names}.")  # fmt: skip
    return [brief.say(*told, names=brief.names_of(left))]


def _quote_all(brief: Brief, said: Sequence[Said]) -> str:
    """The student's own clauses that conditions were read from."""
    if len(said) == 1 and read_rate(brief.own_words, brief):
        return brief.say("「{said}」", '"{said}"', said=brief.own_words.strip(" .。!！"))
    told = dict.fromkeys(filter(None, (_quote(brief, one) for one in said)))
    if told and not any(says(one, fold_text(brief.own_words)) for one in ("too_much", "worn_out")):
        return brief.say("、", ", ").join(told)
    last = brief.request.split(APART)[-1].removeprefix("这次").removeprefix("just this once ")
    return brief.say("「{said}」", '"{said}"', said=last)


def _standing(brief: Brief, one: Said, found: Conditions) -> list[TaskView]:
    """The items of a condition, with their places in the plan as it is now."""
    return _rows_under(one, found, _planned_by(brief.request, found, brief), brief)


POSSIBLE = {
    "a_day": ("最满的一天至少要放 {n} 项", "the fullest day needs at least {n} items",
              "每天最多 {n} 项", "at most {n} a day"),
    "a_week": ("最满的一周至少要放 {n} 项", "the fullest week needs at least {n} items",
               "每周最多 {n} 项", "at most {n} a week"),
    "sections_a_day": ("最满的一天至少要放 {n} 节", "the fullest day needs at least {n} sections",
                       "每天最多 {n} 节", "at most {n} sections a day"),
    "days_between": ("两项之间最多只能隔 {n} 天", "no more than {n} free days fit between two items",
                     "两项之间至少隔 {n} 天", "at least {n} days between two items"),
}  # fmt: skip
"""What number there is room for in the place of one that cannot be kept, and how that is asked for."""


def _tell_possible(brief: Brief, quoted: str, name: str, number: int, *, alone: bool = True) -> str:
    """That a number cannot be kept, and the nearest one that can."""
    zh, en, ask_zh, ask_en = POSSIBLE[name]
    return brief.say(
        "没法做到{quoted}：在任务类的起止日期里，{possible}。{none}可以改说「{ask}」。",
        '{quoted} cannot be kept: within the dates of the classes {possible}. {none}You can say "{ask}" instead.',
        none=brief.say("什么都没有移动。", "Nothing was moved. ") * alone,
        quoted=quoted, possible=brief.say(zh, en, n=number), ask=brief.say(ask_zh, ask_en, n=number),
    )  # fmt: skip


def not_saved_text(brief: Brief) -> str:
    """That a condition was for this plan alone, where a message only says so; empty for any other."""
    found = read_conditions(brief.message, brief)
    if not found.once or found.said or len(found.left) > _SHORT or not brief.draft or excludes(found.left):
        return ""
    if brief.wishes:
        return brief.say(
            "记着的愿望还在「设置」的「排程愿望」里；不要的话请说「取消每天的上限」之类。",
            'What is noted as a wish stands in the settings under "Wishes for plans"; to drop it, say "forget the '
            'daily limit".',
        )
    return brief.say(
        "好的，只用于这份计划，没有记为以后的愿望。",
        "All right, it holds for this plan alone; nothing is saved as a wish.",
    )


def _breaking(brief: Brief) -> list[TaskView]:
    return [row for row in brief.tasks if row["slot"]]


def _tell_left(brief: Brief, names: list[str]) -> list[str]:
    if not names:
        return []
    told = ("没有位置能同时满足的：{names}，留在原处。", "No place meets it for: {names}; they stay where they are.")
    return [brief.say(*told, names=brief.say("、", ", ").join(names))]


def _quote(brief: Brief, one: Said) -> str:
    """The student's own clause that a condition was read from; empty where it was read from other words."""
    whole = brief.request if (brief.whole or brief).completed else brief.own_words
    clauses = [piece.strip(" ,，。.;；:") for piece in CLAUSE_BREAK.split(whole) if piece.strip(" ,，。.;；:")]
    alike = [(SequenceMatcher(None, fold_numbers(piece), one.words).ratio(), piece) for piece in clauses]
    ratio, said = max(alike, default=(1.0, whole))
    return brief.say(f"「{said}」", f'"{said}"') if ratio >= _ALIKE else ""


def _most(brief: Brief, found: Conditions) -> str:
    """How many there are at most on a day or in a week, where that is limited."""
    now, planned = (brief.now["week"], brief.now["day_of_week"]), _planned_by(brief.request, found, brief)
    for one in found.said:
        slots = [slot for row in _rows_under(one, found, planned, brief) if (slot := row["slot"])]
        slots = [slot for slot in slots if (slot["week"], slot["day_of_week"]) >= now]
        if "during" in one.values:
            continue  # the other days do not count
        if {"a_day", "even"} & {*one.values} and slots:
            most = max(Counter((slot["week"], slot["day_of_week"]) for slot in slots).values())
            return brief.say("（最多的一天 {n} 项）", " (at most {n} on a day)", n=most)
        if "a_week" in one.values and slots:
            most = max(Counter(slot["week"] for slot in slots).values())
            return brief.say("（最多的一周 {n} 项）", " (at most {n} in a week)", n=most)
    return ""
