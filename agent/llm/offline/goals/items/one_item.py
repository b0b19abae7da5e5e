"""One task item to be placed, moved, swapped or taken out, as the turns of the goal describe it.

The turns are read in order: the first names the operation and usually the item; answers fill what was missing; words
typed over a card change the target. What has been looked up is found in the results, so nothing is asked for twice.
"""

from __future__ import annotations

import re
from copy import copy
from dataclasses import dataclass, field
from typing import Any

from agent.llm.offline.goals.decisions import Decision, ask, call, finish, give_up
from agent.llm.offline.goals.items.item_texts import already_at, explain_applied, for_which, item_text, no_place_yet
from agent.llm.offline.goals.items.obstacles import obstacles, refusal
from agent.llm.offline.goals.items.offers import (
    PLACES,
    describe_offer,
    find_aligned_place,
    find_looked_up_places,
    find_offered_places,
    listed_places,
    pages_of,
    was_rejected,
    write_of,
)
from agent.llm.offline.language.brief import Brief, Json
from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.meaning.ellipsis import form_of, leaves_it_open, unknown_name
from agent.llm.offline.language.meaning.intents import OPERATIONS, Intent, intent_of
from agent.llm.offline.language.normalize import fold_text
from agent.llm.offline.language.spans.groups import find_group
from agent.llm.offline.language.spans.mentions import choice_in, classes_in, items_in
from agent.llm.offline.language.spans.references import meant_items, without_origin
from agent.llm.offline.language.spans.revert import find_former_place
from agent.llm.offline.language.spans.spoken import spell_out_ordinals
from agent.llm.offline.language.spans.targets import PlaceTarget, day_at, days_to_avoid, index_of, shift_in, target_in
from agent.llm.offline.language.texts import NOTHING_THEN, place_text
from agent.loop.view_document import AskedView, ResultView, SlotView, TaskView

_BOTH = re.compile(r"[和与跟同]|\bwith\b|\band\b|\bfor\b")
_THERE = re.compile(r"过去|那天|那里|那儿|那个时间|那会儿|\b(?:there|that day|that time|then)\b")
_COURSE = re.compile(r"课(?![表件后本题时]|程设计)|\b(?:lessons?|lectures?|courses?|classes)\b")
"""A course rather than an item of a task class."""
_LATER = re.compile(r"[晚后]一?[点些]|\blater\b")
MOST_CHOICES = 5


@dataclass
class ItemRequest:
    """What the turns add up to. `choices`: items that fit equally well. `kept`: the student wants nothing changed."""

    operation: Intent
    item: TaskView | None = None
    other: TaskView | None = None
    choices: list[TaskView] = field(default_factory=list)
    sides: list[list[TaskView]] = field(default_factory=list)
    """What each side of a swap may mean."""
    target: PlaceTarget = field(default_factory=PlaceTarget)
    place: Json | None = None
    kept: bool = False


def local(brief: Brief) -> Decision | None:
    """The next step of a local request, None when the goal is none."""
    operation = operation_of(brief)
    if operation is None:
        return None
    return carry_out_request(brief, understand_request(brief, operation))


def carry_out_request(brief: Brief, request: ItemRequest) -> Decision:
    """The next step of a request as far as it is understood."""
    if request.kept:
        return finish(brief, brief.say("按你的决定保持不变", "kept as it is, as decided"))
    if request.item is None:
        return _which_item(brief, request)
    if request.operation == "swap":
        return _swap(brief, request)
    if request.operation == "remove":
        return _end_refused_write(brief) or _remove(brief, request.item)
    return _to_target(brief, request)


def operation_of(brief: Brief) -> Intent | None:
    """What the first turn that says so wants done with an item."""
    for turn in brief.turns:
        intent = intent_of(turn, brief)
        if intent in OPERATIONS:
            return intent
    return None


def understand_request(brief: Brief, operation: Intent) -> ItemRequest:
    """Reads the turns one after the other."""
    request = ItemRequest(operation)
    for number, turn in enumerate(brief.turns):
        left = says("keep", fold_text(turn)) or (says("back", fold_text(turn)) and brief.view["rejected"])
        if number and left and not target_in(turn, brief).said:
            request.kept = number == len(brief.turns) - 1
        elif number and _other_item_alone(brief, request, turn):
            request.item = request.place = None
            _read_item(brief, request, turn)
        elif number and request.item is not None and not _another(brief, request, turn):
            _read_change(brief, request, turn)
        else:
            intent = intent_of(turn, brief)
            if number and request.item is not None:
                request = ItemRequest(intent)
            elif number and intent in OPERATIONS:
                request.operation = intent
            _read_item(brief, request, turn)
    if not request.target.said and request.place is None and _THERE.search(fold_text(brief.turns[0])):
        request.target = _spoken_target(brief)
    return request


def _spoken_target(brief: Brief) -> PlaceTarget:
    """The time the student asked about before: 周五有空吗, then 那把第2章放过去."""
    said = [target_in(turn["text"], brief) for turn in brief.earlier if turn["role"] == "user"]
    return next((target for target in reversed(said) if target.said), PlaceTarget())


def _of_class(brief: Brief, request: ItemRequest, turn: str) -> list[TaskView]:
    """The listed items of the class that an answer names."""
    named = classes_in(turn, brief.classes) if request.choices else []
    return [row for row in request.choices if row["class_id"] in named]


def _other_item_alone(brief: Brief, request: ItemRequest, turn: str) -> bool:
    """不对，第3章: the same is wanted for another item."""
    if request.item is None or request.operation == "swap" or form_of(turn, brief) != "item":
        return False
    found = items_in(turn, brief)
    return len(found) == 1 and found[0]["state_id"] != request.item["state_id"]


def _another(brief: Brief, request: ItemRequest, turn: str) -> bool:
    """Whether a later turn is a whole request of its own, about another item."""
    known = [row["state_id"] for row in (request.item, request.other) if row]
    intent, found = intent_of(turn, brief), items_in(turn, brief)
    if intent not in OPERATIONS or len(found) != 1 or found[0]["state_id"] in known:
        return False
    return intent != "swap"


def _read_item(brief: Brief, request: ItemRequest, turn: str) -> None:
    """A turn that names the item, or picks it from the list."""
    number = choice_in(turn, len(request.choices)) if request.choices else None
    if number is not None:
        request.item = request.choices[number - 1]
        request.other = _other_side(request)
    elif request.operation == "swap" and request.other is None and len(_BOTH.split(turn)) > 1:
        sides = [
            rows for part in _BOTH.split(spell_out_ordinals(turn).replace(",", "和")) if (rows := items_in(part, brief))
        ]
        if len(sides) >= 2:
            request.sides = sides[:2]
            if len(sides[0]) == 1:
                request.item = sides[0][0]
            else:
                request.choices = sides[0]
            request.other = _other_side(request)
            return
    before = None
    if says("back", fold_text(turn)) and not target_in(turn, brief).said:
        before = find_former_place(brief)
    if request.item is None and before is not None and items_in(turn, brief) in ([], [before.item]):
        request.item, request.target = before.item, before.target or PlaceTarget()
        return
    if request.item is None:
        found = items_in(turn, brief, among=request.choices or None) or _of_class(brief, request, turn)
        found = found or ([] if request.choices else meant_items(turn, brief))
        request.item = found[0] if len(found) == 1 else None
        request.choices = found if len(found) > 1 else request.choices
    request.target = request.target.then(_target(brief, turn, request.item))


def _other_side(request: ItemRequest) -> TaskView | None:
    """What a swap was asked with; of several the one in the class of the first item."""
    item = request.item
    if item is None or len(request.sides) < 2:
        return None
    found = [row for row in request.sides[1] if row["state_id"] != item["state_id"]]
    return _of_same_class(found, item)


def _of_same_class(found: list[TaskView], item: TaskView) -> TaskView | None:
    near = found if len(found) == 1 else [row for row in found if row["class_id"] == item["class_id"]]
    return near[0] if len(near) == 1 else None


def _read_change(brief: Brief, request: ItemRequest, turn: str) -> None:
    """A turn after the item is known: a number from the offered places, the other item, or a new target."""
    if intent_of(turn, brief) == "remove":
        request.operation = "remove"
        return
    found = find_offered_places(brief, request.item) if request.item else []
    number = choice_in(turn, len(found)) if found else None
    if found and number is None and leaves_it_open(turn) and not target_in(turn, brief).said:
        number = 1
    if number is not None:
        request.place = found[number - 1]
        return
    if request.operation == "swap":
        assert request.item is not None
        others = [row for row in items_in(turn, brief) if row != request.item]
        request.other = _of_same_class(others, request.item) or request.other
        return
    target = _target(brief, turn, _where_it_was_to_go(brief, request.item))
    if target.said:
        request.place, request.target = None, request.target.then(target)


def _where_it_was_to_go(brief: Brief, item: TaskView | None) -> TaskView | None:
    """The item as it would stand after the write that was just refused: words over a card shift from there."""
    if item is None or not brief.view["rejected"] or not item["slot"]:
        return item
    given = brief.view["rejected"][-1]["arguments"]
    if given.get("task_id") != item["state_id"] or not given.get("new_day"):
        return item
    (week, day), first = day_at(brief, given["new_day"]), given["new_slot_start"]
    last = first + item["slot"]["slot_end"] - item["slot"]["slot_start"]
    slot, moved = copy(item["slot"]), copy(item)
    slot["week"], slot["day_of_week"], slot["slot_start"], slot["slot_end"] = week, day, first, last
    moved["slot"] = slot
    return moved


def _target(brief: Brief, turn: str, item: TaskView | None) -> PlaceTarget:
    """What the turn names, or a shift from where the item is now: 往后挪一天, two days earlier."""
    text = without_origin(_without_name(turn, item), brief)
    said = target_in(text, brief)
    slot, shift = item["slot"] if item else None, shift_in(text)
    if slot is not None and shift is None and not said.said and says("nudge", fold_text(text)):
        return _nudged(brief, slot, fold_text(text))
    if shift is None or slot is None or said.days or (said.week and not shift.sections):
        return said
    offset = 7 * (slot["week"] - 1) + slot["day_of_week"] - 1 + shift.days
    sections = (slot["slot_start"] + shift.sections, slot["slot_end"] + shift.sections)
    exact = PlaceTarget(week=offset // 7 + 1, days=(offset % 7 + 1,), sections=sections)
    return exact if shift.sections else exact.then(said)


def _nudged(brief: Brief, slot: SlotView, text: str) -> PlaceTarget:
    """同一天晚一点, a bit earlier: before or after where it is, on its day if that is said, else in its week."""
    later = _LATER.search(text) is not None
    week, day = slot["week"], slot["day_of_week"]
    if says("same_day", text):
        part = (slot["slot_end"] + 1, brief.term.sections) if later else (1, slot["slot_start"] - 1)
        return PlaceTarget(week=week, days=(day,), part=part)
    days = tuple(range(day + 1, 8) if later else range(1, day))
    return PlaceTarget(week=week, days=days or (day,))


def _without_name(turn: str, item: TaskView | None) -> str:
    """第3章 in the item's own name is no section, week or date."""
    return turn.replace(str(item["name"]), " ") if item else turn


def _which_item(brief: Brief, request: ItemRequest) -> Decision:
    if not request.choices and _COURSE.search(fold_text(brief.turns[-1])):
        return give_up(
            "fixed_entry",
            brief.say(
                "课程是固定的，我不能移动或删除；我只调整任务类里的内容。课程请在课表页面导入或修改。",
                "Courses are fixed and I cannot move or remove them; I only arrange the items of task classes.",
            ),
        )
    if not brief.tasks:
        return give_up(
            "no_items",
            brief.say("草稿里还没有可以调整的任务，请先排一次。", "The draft has no tasks yet; plan something first."),
        )
    group = find_group(brief.turns[-1], brief)
    if group is not None and not group.items:
        return give_up(
            "nothing_then",
            brief.say(*NOTHING_THEN),
        )
    if not request.choices:
        name = unknown_name(brief.turns[-1], brief)
        missing = brief.say("没有{name}。", "There is no {name}. ", name=name) if len(name) > 1 else ""
        told = missing + brief.say(
            "要调整哪一项？请说它的名字或编号，例如 {name}。",
            "Which item? Please give its name or number, for example {name}.",
            name=brief.tasks[0]["name"],
        )
        return ask(brief, "item", told)
    lines = [f"{n}. {item_text(brief, row)}" for n, row in enumerate(request.choices[:MOST_CHOICES], start=1)]
    left = len(request.choices) - MOST_CHOICES
    if left > 0:
        lines.append(brief.say("…另有 {n} 项，也可以说名字", "... and {n} more; a name will do as well", n=left))
    told = brief.say("是哪一项？\n", "Which one?\n") + "\n".join(lines)
    return ask(brief, "item_of_several", told, items=[row["item_id"] for row in request.choices])


def _swap(brief: Brief, request: ItemRequest) -> Decision:
    assert request.item is not None
    if request.other is None:
        return ask(brief, "other_item", brief.say("和哪一项交换？", "Swap it with which item?"))
    for row in (request.item, request.other):
        if row["status"] == "pending":
            return give_up("unplaced", no_place_yet(brief, row))
    failed = _end_refused_write(brief)
    return failed or call(brief, "swap", {"task_a": request.item["state_id"], "task_b": request.other["state_id"]})


def _remove(brief: Brief, item: TaskView) -> Decision:
    if item["status"] == "pending":
        return give_up("unplaced", no_place_yet(brief, item))
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
    if item["status"] == "existing":
        return give_up("applied", explain_applied(brief, item))
    place = request.place or _exact(brief, request.target)
    first, last = request.target.sections or (0, None)
    if request.place is None and last and last - first + 1 == item["duration"] + 1 > 2:
        told = brief.say(
            "{name} 长 {n} 节，和你说的节数不一样。",
            "{name} takes {n} sections, not as many as you named. ",
            name=item["name"], n=item["duration"],
        )  # fmt: skip
        return _offer(brief, request, "length", told)
    if request.place is None and intent_of(brief.request, brief) == "try":
        return _tell_possible(brief, request, place)
    if place is None and request.target.said and _there_already(item, request.target):
        return _offer(brief, request, "there_already", already_at(brief, item))
    if place is None and request.target.said:
        place = _look_up_place(brief, request)
        if isinstance(place, dict) and "action" in place:
            return place
    if place is None:
        return _offer(brief, request, "no_time", brief.say("要放到什么时候？", "When should it be?"))
    wanted = write_of(item, place)
    if was_rejected(brief, *wanted):
        return _offer(brief, request, "rejected", brief.say("那就换个时间。", "Another time then."))
    refused = _find_refusal(brief, *wanted)
    if refused is not None:
        return _offer(brief, request, f"refused:{refused['rule'] or refused['error_code']}", refusal(brief, refused))
    return call(brief, *wanted)


def _tell_possible(brief: Brief, request: ItemRequest, place: Json | None) -> Decision:
    """Where the item could go, or why not where it was asked for; nothing is written before a place is chosen."""
    item = request.item
    assert item is not None
    if not request.target.said:
        return _offer(brief, request, "asked", "")
    found = place or _look_up_place(brief, request)
    if isinstance(found, dict) and "action" in found:
        return found
    if place is not None:
        return _offer(brief, request, "asked", "")
    where = place_text(
        brief, *day_at(brief, found["day"]), found["slot_start"], found["slot_start"] + item["duration"] - 1
    )
    told = brief.say(
        "{name} 可以放在{where}，别的内容不受影响。现在还没有改动。",
        "{name} could go to {where} without touching anything else. Nothing is changed yet. ",
        name=item["name"], where=where,
    )  # fmt: skip
    return _offer(brief, request, "asked", told)


def _there_already(item: TaskView, target: PlaceTarget) -> bool:
    """Whether the item stands inside a target that names no sections."""
    slot = item["slot"]
    if not slot or target.sections:
        return False
    in_part = target.part is None or target.part[0] <= slot["slot_start"] <= slot["slot_end"] <= target.part[1]
    in_week = target.week is None or target.week == slot["week"]
    return in_part and in_week and (not target.days or slot["day_of_week"] in target.days)


def _exact(brief: Brief, target: PlaceTarget) -> Json | None:
    """The cell of a target with week, one weekday and a first section; None when something is open."""
    if not (target.week and len(target.days) == 1 and target.sections):
        return None
    day = index_of(brief, target.week, target.days[0])
    return {"day": day, "slot_start": target.sections[0]} if day else None


def _look_up_place(brief: Brief, request: ItemRequest) -> Any:
    """The first free place inside the target, or the decision that has to come before it is known."""
    filters = _filters(brief, request.target)
    if filters is None:
        window = brief.say("那个时间不在当前计划范围内。", "That time is outside the planning window.")
        return _offer(brief, request, "outside", window)
    assert request.item is not None
    wanted = {"for_task_id": request.item["state_id"], **filters}
    for row in brief.results:
        if row["tool"] == "find_first_free" and row["arguments"] == wanted:
            slot = (row["data"] or {}).get("place") if row["status"] == "done" else None
            lead = brief.say("那个时间放不下", "Nothing fits there") + obstacles(brief, request.item, row, most=1)
            return _usual(brief, request, slot, row["data"]) if slot else _offer(brief, request, "no_room", lead)
    return call(brief, "find_first_free", wanted)


def _usual(brief: Brief, request: ItemRequest, slot: Json, data: Json) -> Json:
    """The place found, or a later one of the day that begins where lessons do, unless that was refused."""
    refused = request.item is not None and was_rejected(brief, *write_of(request.item, slot))
    if not refused and (slot["slot_start"] % 2 or request.target.sections):
        return slot
    other = find_aligned_place(brief, slot, data, request.target)
    if other is None or request.item is None or _find_refusal(brief, *write_of(request.item, other)):
        return slot
    return other


def _find_refusal(brief: Brief, name: str, arguments: dict[str, Any]) -> ResultView | None:
    """The result of this very write, when it was refused by a rule."""
    done = (row for row in brief.results if (row["tool"], row["arguments"]) == (name, arguments))
    return next((row for row in done if row["status"] != "done"), None)


def _filters(brief: Brief, target: PlaceTarget) -> dict[str, Any] | None:
    """The calendar filters of `find_first_free`; None when the target lies outside the window."""
    filters: dict[str, Any] = {}
    if target.week and len(target.days) == 1:
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


def _without_days(pages: list[list[Json]], days: list[int]) -> list[list[Json]]:
    """The pages without places on weekdays that the student cannot take."""
    left = [[slot for slot in page if slot["day_of_week"] not in days] for page in pages]
    return [page for page in left if page]


def _offer(brief: Brief, request: ItemRequest, why: str, lead: str) -> Decision:
    """Three legal places to choose from, looked up once per state of the draft; `lead` says why."""
    assert request.item is not None
    found = find_looked_up_places(brief, request.item)
    if found is None:
        return call(brief, "query_available_slots", {"for_task_id": request.item["state_id"]})
    pages = _without_days(
        pages_of(brief, request.item, found), [d for turn in brief.turns for d in days_to_avoid(turn)]
    )
    if not pages:
        none = brief.say("目前没有合规的位置", " There is no legal place at the moment")
        return give_up("no_place", lead + none + obstacles(brief, request.item, found, most=2, known=lead))
    for places in pages:
        about = describe_offer(request.item, places, why)
        if AskedView(topic=PLACES, about=about) not in brief.asked:
            question = lead + for_which(brief, request.item) + listed_places(brief, places)
            return ask(brief, PLACES, question, **about)
    return give_up("no_place", lead + brief.say("没有别的位置了，先保持不变。", " There is no other place; it stays."))
