"""One task item to be placed, moved, swapped or taken out: the next step of the request as it is understood.

What has been looked up is found in the results, so nothing is asked for twice.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from agent.llm.offline.goals.decisions import Decision, ask, ask_readings, ask_which, call, finish, give_up
from agent.llm.offline.goals.items.exact_shift import (
    tell_no_such_hour,
    tell_other_hours,
    tell_outside,
    tell_where_to,
)
from agent.llm.offline.goals.items.item_request import (
    ItemRequest,
    asked_day,
    find_former_slot,
    hour_of,
    is_possible,
    operation_of,
    spoke_of_hours,
    stands_as_wanted,
    understand_request,
)
from agent.llm.offline.goals.items.item_texts import (
    already_at,
    ask_which_item,
    for_which,
    no_place_yet,
    stays_there,
    tell_nothing_then,
)
from agent.llm.offline.goals.items.lesson_days import find_course
from agent.llm.offline.goals.items.obstacles import find_holder, obstacles, refusal
from agent.llm.offline.goals.items.offers import (
    MOST_PLACES,
    describe_offer,
    find_aligned_place,
    find_looked_up_places,
    find_starts,
    listed_places,
    overlaps,
    pages_of,
    say_places,
    was_any_rejected,
    was_rejected,
    whole_place,
    write_of,
)
from agent.llm.offline.goals.items.told_again import names_it_again, shifts_as_on_card
from agent.llm.offline.language.brief import PLACES, Brief, Json
from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.meaning.clauses import clauses_of
from agent.llm.offline.language.meaning.ellipsis import unknown_name
from agent.llm.offline.language.meaning.grammar import OPERATIONS
from agent.llm.offline.language.meaning.intents import intent_of
from agent.llm.offline.language.normalize import fold_text
from agent.llm.offline.language.spans.items.groups import find_group
from agent.llm.offline.language.spans.targets import (
    PlaceTarget,
    day_at,
    index_of,
    is_farthest,
    target_in,
    window_of,
)
from agent.llm.offline.language.spans.times.bounds import BOUNDS
from agent.llm.offline.language.texts import AS_IT_WAS, CARD_AGAIN, CONSENT_TYPED, SO_ON_CARD, place_text, slot_text
from agent.loop.nodes.enter import SAME_REQUEST
from agent.loop.view_document import AskedView, ResultView, SlotView, TaskView

_COURSE = re.compile(r"课(?![表件后本题时]|程设计)|\b(?:lessons?|lectures?|courses?|classes)\b")
"""A course rather than an item of a task class."""
NEARBY = 60
"""Places that are looked up where the nearest one is wanted."""
AS_IT_IS = ("好的，保持不变，什么都没有改。", "All right, it stays as it is; nothing was changed.")
IN_ORDER = (
    "{one}和{other}在同一个任务类里，要按先后顺序做，不能互换位置，什么都没有改。",
    "{one} and {other} belong to one class and are done in its order: they cannot change places. Nothing was changed.",
)
SWAP_BY_STEPS = (
    "{one}和{other}已经写入课表，我不能一步交换，什么都没有改。可以分几步：先说「把{other}移出」，再把{one}放到{there}，"
    "最后把{other}放到{here}。",
    "{one} and {other} are in the timetable already and cannot change places in one step; nothing was changed. "
    'By steps: say "take {other} out", then move {one} to {there}, then put {other} at {here}.',
)
FIRST_OUT = (
    "{name}已经写入课表：先移出来，再放到新的位置。",
    "{name} is in the timetable already: it comes out first and then goes to its new place.",
)


def local(brief: Brief) -> Decision | None:
    """The next step of a local request, None when the goal is none."""
    operation = operation_of(brief)
    if operation is None:
        return None
    return carry_out_request(brief, understand_request(brief, operation))


def carry_out_request(brief: Brief, request: ItemRequest) -> Decision:
    """The next step of a request as far as it is understood."""
    if request.kept and not brief.proofs:
        return give_up("kept", brief.say(*AS_IT_IS))
    if request.kept:
        return finish(brief, brief.say("按你的决定保持不变", "kept as it is, as decided"))
    if request.item is None:
        return _which_item(brief, request)
    here, held = request.item["slot"], request.condition
    if held is not None and here is not None and not held.where.covers(here):
        told = ("{name}在{where}，不是你说的时间，所以没有移动。", "{name} is on {where}, so nothing was moved.")
        return give_up("settled", brief.say(*told, name=request.item["name"], where=slot_text(brief, here)))
    if request.operation == "swap":
        return _swap(brief, request)
    if request.operation == "remove":
        return _end_refused_write(brief) or _remove(brief, request.item)
    return _to_target(brief, request)


def _which_item(brief: Brief, request: ItemRequest) -> Decision:
    turn = brief.turns[-1]
    wanted = [one for one in clauses_of(turn) if intent_of(one, brief) in OPERATIONS]  # others only tell why
    if not request.choices and _COURSE.search(fold_text(" ".join(wanted) or turn)):
        return give_up(
            "fixed_entry",
            brief.say(
                "课程是固定的，删除或改整门课请在课表页面做，这里什么都没有改。只调某一次课的话，请说哪天的哪门课调到哪天第几节。",
                "Courses are fixed: remove or change one as a whole on the timetable page; nothing was changed here. "
                "To move a single lesson, say which lesson of which day goes to which day and sections.",
            ),
        )
    if not request.choices and (course := find_course(brief)) is not None:
        return course
    if not brief.tasks:
        return give_up(
            "no_items",
            brief.say("草稿里还没有可以调整的任务，请先排一次。", "The draft has no items yet; plan something first."),
        )
    group = find_group(brief.turns[-1], brief)
    if group is not None and not group.items and brief.changes:
        return finish(brief, "done")
    if group is not None and not group.items:
        return tell_nothing_then(brief, group)
    if not request.choices:
        name = unknown_name(brief.turns[-1])
        missing = brief.say("没有{name}。", "There is no {name}. ", name=name) if len(name) > 1 else ""
        told = missing + brief.say(
            "要调整哪一项？请说它的名字或编号，例如 {name}。",
            "Which item? Please give its name or number, for example {name}.",
            name=brief.tasks[0]["name"],
        )
        return ask(brief, "item", told)
    return ask_which_item(brief, "item_of_several", request.choices)


def _swap(brief: Brief, request: ItemRequest) -> Decision:
    assert request.item is not None
    if request.other is None:
        return ask(brief, "other_item", brief.say("和哪一项交换？", "Swap it with which item?"))
    for row in (request.item, request.other):
        if row["status"] == "pending":
            return give_up("unplaced", no_place_yet(brief, row))
    if "existing" in (request.item["status"], request.other["status"]):
        here, there = (slot_text(brief, row["slot"]) for row in (request.item, request.other))
        names = {"one": request.item["name"], "other": request.other["name"]}
        if request.item["class_id"] == request.other["class_id"]:
            return give_up("order", brief.say(*IN_ORDER, **names))
        return give_up("applied", brief.say(*SWAP_BY_STEPS, **names, here=here, there=there))
    failed = _end_refused_write(brief)
    return failed or call(brief, "swap", {"task_a": request.item["state_id"], "task_b": request.other["state_id"]})


def _remove(brief: Brief, item: TaskView) -> Decision:
    owner = brief.class_of(item["class_id"])
    if item["status"] == "pending" and (
        owner is None or not any(says(one, fold_text(brief.own_words)) for one in ("remove", "delete"))
    ):
        return give_up("unplaced", no_place_yet(brief, item))
    if item["status"] == "pending" and owner is not None:
        names = {"name": item["name"], "owner": owner["name"]}
        drop = brief.say("把{name}从{owner}里删掉", "delete {name} from {owner}", **names)
        done = brief.say("{name}已经做完了", "mark {name} as done", **names)
        readings = [done, drop] if says("finished", fold_text(brief.own_words)) else [drop, done]
        told = (
            "{name} 还没有排进草稿，没有可移出的。要的是「{first}」，还是「{second}」？",
            '{name} has no place in the draft yet, so there is nothing to take out. Do you want "{first}" or '
            '"{second}"?',
        )
        question = brief.say(*told, name=item["name"], first=readings[0], second=readings[1])
        return ask_readings(brief, "unplaced", question, readings)
    return call(brief, "unplace", {"task_id": item["state_id"]})


def _end_refused_write(brief: Brief) -> Decision | None:
    """A swap or a removal that was refused ends the goal with the reason."""
    last = brief.results[-1] if brief.results else None
    if last is None or last["tool"] not in ("swap", "unplace") or last["status"] == "done":
        return None
    return give_up("refused", refusal(brief, last))


def _to_target(brief: Brief, request: ItemRequest) -> Decision:
    """place and move: an exact place is tried as it is, a vague one is looked up first."""
    item = request.item
    assert item is not None
    settled = None if request.place or request.target.said else _settled(brief, request, item)
    if settled:
        return give_up("settled", settled)
    place = request.place or _find_exact(brief, request, item)
    here = find_former_slot(brief, item)
    if request.place is None and (decision := _refuse_hours(brief, request, item, here)):
        return decision
    if request.place is None and intent_of(brief.request, brief) == "try":
        return _tell_possible(brief, request, place)
    if request.other_day and here and request.target.week and not request.target.days:
        days = tuple(day for day in range(1, 8) if (request.target.week, day) != (here["week"], here["day_of_week"]))
        request.target = replace(request.target, days=days)
    if place is None and request.target.said and _there_already(item, request.target):
        return _tell_there_already(brief, request, item)
    found: dict[str, Any] = {**(place or _choose_place(brief, request, item))}
    if "action" in found:
        return found
    if request.place is None and _is_avoided(brief, request, found):
        lead = brief.say("那正好是你不要的时间。", "That is just the time that you do not want. ")
        return give_up("avoided", lead) if brief.whole is not None else offer(brief, request, "avoided", lead)
    return _write_place(brief, request, found, here)


def _find_exact(brief: Brief, request: ItemRequest, item: TaskView) -> Json | None:
    """The place that a request tells exactly; None where it is vague, or another one may be tried after it."""
    if item["status"] == "existing" or (request.then.said and brief.whole is not None):
        return None
    exact = _exact(brief, request.target)
    retried = exact and request.then.said and request.place is None
    return None if exact and retried and _find_refusal(brief, *write_of(item, exact)) else exact


def _refuse_hours(brief: Brief, request: ItemRequest, item: TaskView, here: SlotView | None) -> Decision | None:
    """Other places where the hours that are told have no section, or not as many as the item takes."""
    if _has_no_hour(request) and here and request.shift:
        return offer(brief, request, "no_hour", tell_no_such_hour(brief, here, request.shift))
    first, last = request.target.sections or (0, None)
    if last is None or not last - first + 1 == item["duration"] + 1 > 2:
        return None
    told = brief.say(
        "{name} 长 {n} 节，和你说的节数不一样。",
        "{name} takes {n} sections, not as many as you named. ",
        name=item["name"], n=item["duration"],
    )  # fmt: skip
    return offer(brief, request, "length", told)


def _tell_there_already(brief: Brief, request: ItemRequest, item: TaskView) -> Decision:
    """That an item stands where it is to go, with other places where it is not to stay."""
    told = brief.turns[-1]
    bounds = BOUNDS.search(fold_text(told)) is not None and not target_in(told, brief).dated
    if request.leave or bounds or brief.whole is not None:
        return give_up("there_already", stays_there(brief, item))
    if _is_only_told(brief) and item["slot"]:  # what is only told of the day of an item is why it is to leave it
        request.avoided.append(PlaceTarget(days=(item["slot"]["day_of_week"],)))
    return offer(brief, request, "there_already", already_at(brief, item))


def _choose_place(brief: Brief, request: ItemRequest, item: TaskView) -> Any:
    """The place that is looked up for a vague time; a decision where it has to be looked up, chosen or asked for."""
    is_open = brief.whole is not None or says("anywhere", fold_text(brief.turns[-1]))
    anywhere = is_open and item["status"] == "pending" and not request.avoided
    if (request.target.said or anywhere) and (place := _look_up_place(brief, request)) is not None:
        return place
    if request.way and not request.relation:
        return _nudge(brief, request)
    if _leaves_its_time(brief, request) or (is_open and brief.whole is None and item["slot"]):
        return _nudge(brief, request)
    open_ = not (request.avoided or request.relation or request.other_day)
    return offer(brief, request, "no_time", brief.say("要放到什么时候？", "When should it be?") if open_ else "")


def _write_place(brief: Brief, request: ItemRequest, place: Json, here: SlotView | None) -> Decision:
    """The card of a place; others where it was refused or breaks a rule."""
    item = request.item
    assert item is not None
    wanted = write_of(item, place)
    if was_rejected(brief, *wanted):
        if _taken_up_again(brief, wanted):
            return give_up(SAME_REQUEST, brief.say(*AS_IT_WAS))
        if shifts_as_on_card(brief, wanted):
            return give_up(SAME_REQUEST, "\n".join((brief.say(*SO_ON_CARD), brief.say(*CARD_AGAIN))))
        if names_it_again(brief, place):
            return give_up(SAME_REQUEST, brief.say(*CONSENT_TYPED))
        return offer(brief, request, "rejected", brief.say("那就换个时间。", "Another time then."))
    refused = _find_refusal(brief, *wanted)
    if refused is not None:
        told = tell_where_to(brief, item, place) if request.shift and request.place is None else ""
        return offer(
            brief, request, f"refused:{refused['rule'] or refused['error_code']}", told + refusal(brief, refused)
        )
    if item["status"] == "existing":
        if was_rejected(brief, "unplace", {"task_id": item["state_id"]}):
            return give_up(SAME_REQUEST, brief.say(*AS_IT_WAS))
        return call(brief, "unplace", {"task_id": item["state_id"]}, speak=brief.say(*FIRST_OUT, name=item["name"]))
    shift = None if request.place or request.target.part else request.shift
    told = tell_other_hours(brief, item, shift, here, whole_place(brief, item, place))
    return call(brief, *wanted, speak=told)


def _is_only_told(brief: Brief) -> bool:
    """Whether the student's own words name no change: chapter 5 on Saturday is a nightmare."""
    said = fold_text(brief.own_words)
    return not any(says(verb, said) for verb in ("move", "place", "place_bare", "has_room"))


def _has_no_hour(request: ItemRequest) -> bool:
    """Whether an item is shifted to an hour at which no section begins."""
    by = request.shift
    return by is not None and bool(by.sections or by.minutes) and not request.target.sections


def _leaves_its_time(brief: Brief, request: ItemRequest) -> bool:
    """Whether only the time at which an item stands is refused, at once and without a word of another one."""
    here = request.item["slot"] if request.item else None
    alone = len(brief.turns) == 1 and not (request.relation or request.way or request.other_day)
    return alone and here is not None and any(where.days and where.covers(here) for where in request.avoided)


def _nudge(brief: Brief, request: ItemRequest) -> Decision:
    """The nearest legal place earlier or later, or outside of what is refused, else the others; where there is none
    that is told."""
    item, later = request.item, request.way > 0
    assert item is not None
    found = find_looked_up_places(brief, item)
    if found is None:
        return call(brief, "query_available_slots", {"for_task_id": item["state_id"], "limit": NEARBY})
    slots = [slot for slot in (found["data"] or {}).get("slots") or () if is_possible(request, slot)]
    slots = [slot for slot in slots if not was_rejected(brief, *write_of(item, slot))]
    if not slots and not request.way:
        return offer(brief, request, "avoided", "")
    if not slots:
        named = {"name": item["name"], "where": slot_text(brief, item["slot"])}
        none = brief.say(
            "{name}现在在{where}，没法再往后了" if later else "{name}现在在{where}，没法再往前了",
            "{name} is at {where} and cannot go any later"
            if later
            else "{name} is at {where} and cannot go any earlier",
            **named,
        )
        rule = "order_after" if later else "order_before"
        return give_up("no_place", none + obstacles(brief, item, {**found, "data": {"blocked_by": {rule: 1}}}, most=1))
    if item["status"] == "existing" or was_any_rejected(brief, item):
        return offer(brief, request, "nudged", "")
    here = item["slot"]
    if any(map(is_farthest, brief.turns)):
        return call(brief, *write_of(item, (max if later else min)(slots, key=hour_of)))
    own, start = (here["day"], here["slot_start"]) if here else (0, 0)
    if request.way and not spoke_of_hours(brief):  # other hours of its day would be no clear change
        slots = [slot for slot in slots if slot["day"] != own] or slots
    near = min(slots, key=lambda slot: (abs(slot["day"] - own), slot["slot_start"] % 2 == 0,
                                        abs(slot["slot_start"] - start)))  # fmt: skip
    return call(brief, *write_of(item, near))


def _taken_up_again(brief: Brief, wanted: tuple[str, dict[str, Any]]) -> bool:
    """Whether the student comes back to what an earlier card showed: only a new goal may ask for that again."""
    last = brief.view["rejected"][-1]
    return (last["name"], last["arguments"]) != wanted and target_in(brief.turns[-1], brief).said


def _without_avoided(turn: str) -> str:
    """A turn without its clauses that refuse something: 把第6章挪一下，但是别放晚上 also asks for another place."""
    return ",".join(
        one
        for one in re.split(r"[,，。;；]|\bbut\b", turn)
        if not (says("unwanted", fold_text(one)) or says("wish_nothing", fold_text(one)))
    )


def _settled(brief: Brief, request: ItemRequest, item: TaskView) -> str:
    """Why nothing has to change: the item stands to the other one as is wanted, or not at the time to be avoided."""
    here, relation = item["slot"], request.relation
    named = {"name": item["name"], "where": slot_text(brief, here)}
    if here is None or request.other_day:
        return ""
    if relation is not None:
        other = relation.other
        named |= {"other": other["name"], "there": slot_text(brief, other["slot"])}
        if other["slot"] is None:
            return no_place_yet(brief, other)
        told = ("本来就是这样：{name}在{where}，{other}在{there}。没有改动。",
                "That is so already: {name} is at {where}, {other} at {there}. Nothing was changed.")  # fmt: skip
        return brief.say(*told, **named) if stands_as_wanted(here, relation) else ""
    moves = any(
        says(verb, fold_text(turn)) for verb in ("move", "relocate") for turn in map(_without_avoided, brief.turns)
    )
    if moves or not request.avoided or any(where.covers(here) for where in request.avoided):
        return ""
    told = ("{name}不在那个时间，它在{where}。没有改动。", "{name} is not then, it is at {where}. Nothing was changed.")
    return brief.say(*told, **named)


def _tell_possible(brief: Brief, request: ItemRequest, place: Json | None) -> Decision:
    """Where the item could go, or why not where it was asked for; nothing is written before a place is chosen."""
    item = request.item
    assert item is not None
    if not request.target.said:
        return offer(brief, request, "asked", "")
    found = place or _look_up_place(brief, request)
    if isinstance(found, dict) and "action" in found:
        return found
    if place is not None:
        return offer(brief, request, "asked", "")
    first = whole_place(brief, item, found)
    where = place_text(brief, first["week"], first["day_of_week"], first["slot_start"], first["slot_end"])
    told = brief.say(
        "{name} 可以放在{where}，别的内容不受影响。现在还没有改动。",
        "{name} could go to {where} without touching anything else. Nothing is changed yet. ",
        name=item["name"], where=where,
    )  # fmt: skip
    return offer(brief, request, "asked", told, first)


def _is_avoided(brief: Brief, request: ItemRequest, place: Json) -> bool:
    """Whether a place lies in a time that is not wanted."""
    week, day = day_at(brief, place["day"])
    last = place.get("slot_end") or place["slot_start"] + (request.item["duration"] if request.item else 1) - 1
    there = {**place, "week": week, "day_of_week": day, "slot_end": last}
    return any(where.meets(there) for where in request.avoided)  # type: ignore[arg-type]


def _there_already(item: TaskView, target: PlaceTarget) -> bool:
    """Whether the item stands inside a target that names no sections."""
    return item["slot"] is not None and not target.sections and target.covers(item["slot"])


def _exact(brief: Brief, target: PlaceTarget) -> Json | None:
    """The cell of a target with week, one weekday and a first section; None when something is open."""
    if not (target.week and len(target.days) == 1 and target.sections):
        return None
    day = index_of(brief, target.week, target.days[0])
    return {"day": day, "slot_start": target.sections[0]} if day else None


def _look_up_place(brief: Brief, request: ItemRequest) -> Any:
    """The first free place inside the target, or the decision that has to come before it is known."""
    filters = find_filters(brief, request.target)
    assert request.item is not None
    if filters is None:
        window = brief.say("那个时间不在当前计划范围内。", "That time is outside the planning window. ")
        return offer(brief, request, "outside", tell_outside(brief, request.item, request.target) or window)
    wanted = {"for_task_id": request.item["state_id"], **filters}
    for row in brief.results:
        if row["tool"] == "find_first_free" and row["arguments"] == wanted:
            slot = (row["data"] or {}).get("place") if row["status"] == "done" else None
            held = find_holder(brief, request.item, request.target)
            why = obstacles(brief, request.item, row, most=1, held=held)
            lead = brief.say("那个时间放不下", "Nothing fits there") + why
            if slot is None and request.then.said:
                then, *further = (*request.further, PlaceTarget())
                return _look_up_place(brief, replace(request, target=request.then, then=then, further=tuple(further)))
            if slot is None and request.out:
                return (
                    {**_remove(brief, request.item), "speak": lead}
                    if request.item["slot"]
                    else give_up("no_room", lead)
                )
            return _usual(brief, request, slot, row["data"]) if slot else offer(brief, request, "no_room", lead)
    return call(brief, "find_first_free", wanted)


def _usual(brief: Brief, request: ItemRequest, slot: Json, data: Json) -> Json:
    """The place found, the sections that the item has where only its day changes and they are free, or a later place
    of the day that begins where lessons do; none of them where it was refused."""
    same = _same_sections(request, slot, data) or _nearest_hours(brief, request, slot, data)
    if same and request.item is not None:
        write = write_of(request.item, same)
        if not was_rejected(brief, *write) and _find_refusal(brief, *write) is None:
            return same
    refused = request.item is not None and was_rejected(brief, *write_of(request.item, slot))
    if not refused and (slot["slot_start"] % 2 or request.target.sections):
        return slot
    other = find_aligned_place(brief, slot, data, request.target)
    if other is None or request.item is None or _find_refusal(brief, *write_of(request.item, other)):
        return slot
    return other


def _nearest_hours(brief: Brief, request: ItemRequest, slot: Json, data: Json) -> Json | None:
    """Of the day to which an item is shifted the free sections nearest to its own."""
    here = find_former_slot(brief, request.item) if request.item and request.shift else None
    if here is None or request.target.part or request.target.sections:
        return None
    starts = find_starts(brief, slot, data)
    if not starts:
        return None
    best = min(starts, key=lambda first: abs(first - here["slot_start"]))
    return {**slot, "slot_start": best, "slot_end": best + slot["slot_end"] - slot["slot_start"]}


def _same_sections(request: ItemRequest, slot: Json, data: Json) -> Json | None:
    """The sections of the item on another day, where nothing is said of them and they are free then."""
    here, target = request.item and request.item["slot"], request.target
    way = request.way and not target.dated
    said = target.part or target.sections or request.avoided or request.relation or way or request.same_day
    if not here or said or slot["day"] == here["day"] or slot.get("host_event_id") or here["host_event_id"]:
        return None
    first, last = here["slot_start"], here["slot_end"]
    fits = last - first == slot["slot_end"] - slot["slot_start"]
    free = any(begin <= first and last <= end for begin, end in data.get("free_ranges") or ())
    return {**slot, "slot_start": first, "slot_end": last} if fits and free else None


def _find_refusal(brief: Brief, name: str, arguments: dict[str, Any]) -> ResultView | None:
    """The result of this very write, when it was refused by a rule."""
    done = (row for row in brief.results if (row["tool"], row["arguments"]) == (name, arguments))
    return next((row for row in done if row["status"] != "done"), None)


def find_filters(brief: Brief, target: PlaceTarget) -> dict[str, Any] | None:
    """The calendar filters of `find_first_free`; None when the target lies outside the window."""
    filters: dict[str, Any] = {}
    reach = window_of(brief, target)
    if target.run and reach is None:
        return None
    if reach is not None:
        filters |= {"day_start": reach[0], "day_end": reach[1]}
        filters |= {"day_of_week": list(target.days)} if target.days else {}
    elif target.week and len(target.days) == 1:
        day = index_of(brief, target.week, target.days[0])
        if day is None:
            return None
        filters["day"] = day
    else:
        if target.week:
            if not any(index_of(brief, target.week, day) for day in range(1, 8)):
                return None
            filters["week"] = target.week
        if target.days:
            filters["day_of_week"] = list(target.days)
    if target.sections:
        first, last = target.sections
        duration = 2 if last is None else last - first + 1
        filters |= {"section_from": first, "section_to": first + max(1, duration) - 1}
    elif target.part:
        filters |= {"section_from": target.part[0], "section_to": target.part[1]}
    return filters


def offer(brief: Brief, request: ItemRequest, why: str, lead: str, first: Json | None = None) -> Decision:
    """Three legal places to choose from, looked up once per state of the draft; `lead` says why, `first` is told
    already and heads them."""
    assert request.item is not None
    found = find_looked_up_places(brief, request.item)
    if found is None:
        return call(brief, "query_available_slots", {"for_task_id": request.item["state_id"]})
    near = asked_day(brief, request)
    every = pages_of(brief, request.item, found, lambda slot: is_possible(request, slot), near)
    if not every and request.avoided:  # the rules leave other places, so they are not what is in the way
        spared = replace(request, avoided=[])
        every = pages_of(brief, request.item, found, lambda slot: is_possible(spared, slot), near)
        lead += (
            brief.say("只剩下你不要的时间还放得下。", " That leaves only times that you ruled out.") if every else ""
        )
    then = [slot for page in every for slot in page if request.target.covers(slot)]  # type: ignore[arg-type]
    meant = then if (why == "asked" or request.other_day) and request.target.said else []
    pages = [meant[at : at + MOST_PLACES] for at in range(0, len(meant), MOST_PLACES)] or every
    if first:
        others = [slot for slot in (pages or [[]])[0] if not overlaps(slot, first)]
        pages = [[first, *others][:MOST_PLACES], *pages[1:]]
    if request.leave or not pages:
        if request.leave:
            return give_up("no_room", lead + brief.say("按你说的保持不变。", " It stays as it is, as you said."))
        none = brief.say("目前没有合规的位置", " There is no legal place at the moment")
        return give_up("no_place", lead + none + obstacles(brief, request.item, found, most=2, known=lead))
    if brief.whole is not None and request.other_day:
        return call(brief, *write_of(request.item, pages[0][0]))
    anew = len(brief.turns) > 1 and why != "asked" and target_in(brief.turns[-1], brief).dated  # nearest again
    for places in pages:
        about = describe_offer(request.item, places, why)
        if anew or AskedView(topic=PLACES, about=about) not in brief.asked:
            question = lead + for_which(brief, request.item) + listed_places(brief, places)
            return ask_which(brief, PLACES, question, say_places(brief, places), **about)
    return give_up("no_place", lead + brief.say("没有别的位置了，先保持不变。", " There is no other place; it stays."))
