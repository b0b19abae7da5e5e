"""What is said of one item, as the turns of the goal describe it: the operation, the item, where it is to go.

The turns are read in order: the first names the operation and usually the item; answers fill what was missing; words
typed over a card change the target.
"""

from __future__ import annotations

import re
from copy import copy
from dataclasses import dataclass, field, replace

from agent.llm.offline.goals.items.exact_shift import count_day, find_shifted_place, is_firm
from agent.llm.offline.goals.items.offers import (
    find_offered_places,
)
from agent.llm.offline.language.brief import Brief, Json
from agent.llm.offline.language.dialogue.offers import choice_in
from agent.llm.offline.language.dialogue.rewriting import corrects_request
from agent.llm.offline.language.dialogue.slots import find_bare_count
from agent.llm.offline.language.dialogue.tracking import NOT_DONE_TOPIC
from agent.llm.offline.language.lexicon import pattern, says
from agent.llm.offline.language.meaning.aims import aims_of
from agent.llm.offline.language.meaning.ellipsis import affirms, form_of, leaves_it_open, wants_it_done
from agent.llm.offline.language.meaning.intents import OPERATIONS, Intent, intent_of
from agent.llm.offline.language.normalize import fold_numbers, fold_text
from agent.llm.offline.language.spans.alternatives import (
    Condition,
    Relation,
    alternatives_in,
    condition_in,
    is_chain,
    proviso_in,
    relation_in,
    without_proviso,
)
from agent.llm.offline.language.spans.items.arrangements import read_arrangement
from agent.llm.offline.language.spans.items.groups import find_group, is_exception, without_exceptions
from agent.llm.offline.language.spans.items.mention_signs import fold_mentions, sign_mentions
from agent.llm.offline.language.spans.items.references import meant_items, without_origin
from agent.llm.offline.language.spans.items.spoken import spell_out_ordinals
from agent.llm.offline.language.spans.mentions import classes_in, items_in, without_refusals
from agent.llm.offline.language.spans.revert import find_former_place
from agent.llm.offline.language.spans.targets import (
    SHIFT,
    PlaceTarget,
    Shift,
    avoided_in,
    choose_week,
    day_at,
    shift_in,
    target_from,
    target_in,
    way_in,
    way_to,
)
from agent.loop.view_document import SlotView, TaskView

_SIDES = 2


def find_pair(turn: str, brief: Brief) -> list[list[TaskView]]:
    """The items of the only two mentions of a turn, each of them of one item; empty for others."""
    text, said = sign_mentions(fold_mentions(turn), brief)
    told = [said[char][2] for char in text if char in said and said[char][1] == "item"]
    sides = [rows for at, rows in enumerate(told) if not at or rows != told[at - 1]]  # 第一章随机事件 is one
    sure = len(sides) == _SIDES and all(len(rows) == 1 for rows in sides) and sides[0] != sides[1]
    return sides if sure else []


_BOTH = re.compile(r"[和与跟同]|\bwith\b|\band\b|\bfor\b")
_THERE = re.compile(r"过去|那天|那里|那儿|那个时间|那会儿|\b(?:there|that day|that time|then)\b")


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
    then: PlaceTarget = field(default_factory=PlaceTarget)
    """What is tried where the target has no room."""
    further: tuple[PlaceTarget, ...] = ()
    """What is tried behind that, one after the other."""
    out: bool = False
    """Whether it is to be taken out where none has room."""
    leave: bool = False
    """Whether nothing is to change where neither has room."""
    room: bool = False
    """Whether others may make room for it."""
    avoided: list[PlaceTarget] = field(default_factory=list)
    told: list[PlaceTarget] = field(default_factory=list)
    """Where the turns wanted it so far: a day that is named once more keeps the time that was said of it."""
    other_day: bool = False
    way: int = 0
    """Earlier (-1) or later (1), without by how much."""
    same_day: bool = False
    shift: Shift | None = None
    """By how much it goes from where it is: it has one place to go to."""
    relation: Relation | None = None
    condition: Condition | None = None
    place: Json | None = None
    kept: bool = False


def operation_of(brief: Brief) -> Intent | None:
    """What the first turn that says so wants done with an item."""
    for turn in brief.turns:
        intent = intent_of(turn, brief)
        if intent in OPERATIONS:
            return intent
    return None


def understand_request(brief: Brief, operation: Intent) -> ItemRequest:
    """Reads the turns one after the other."""
    request, term = ItemRequest(operation), brief.term
    wanted = [target_in(turn, brief) for turn in brief.turns]
    avoided = [  # but what is wanted after all: no, I said tuesday or thursday
        where for at, turn in enumerate(brief.turns)
        if (where := avoided_in(turn, term)).said and where not in wanted[at + 1 :] and not is_chain(turn, brief)
    ]  # fmt: skip
    for number, turn in enumerate(brief.turns):
        left = says("keep", fold_text(turn)) or (brief.view["rejected"] and _takes_back(turn, brief))
        if number and is_exception(turn):
            continue
        if number and keeps_hours(turn):
            continue
        if number and left and not target_in(turn, brief).said and not says_span(turn):
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
    if request.item is not None and not (request.target.dated or request.place or request.relation):
        for turn in brief.turns[:-1]:  # said before it was known of which item
            if request.target.said or shift_in(turn) is not None:
                _read_target(brief, request, turn, request.item)
    request.avoided += avoided
    if proviso := proviso_in((brief.whole or brief).request):
        request.leave, request.room = request.leave or proviso.leave, proviso.room
    turns = [without_origin(_without_name(turn, request.item), brief) for turn in brief.turns]
    request.way = next((way for turn in reversed(turns) if (way := way_in(turn))), 0)
    request.same_day = request.way != 0 and any(_on_same_day(turn) for turn in turns)
    request.other_day = any(says("other_day", fold_text(turn)) for turn in brief.turns) or _leaves_day(brief, request)
    if any(map(keeps_hours, brief.turns)) and request.item is not None:
        request.target, request.then = with_own_hours(
            request.target, request.then, find_former_slot(brief, request.item), brief
        )
    return request


def _leaves_day(brief: Brief, request: ItemRequest) -> bool:
    """Whether an item is picked by the day it is on, and goes anywhere: 周四的随便挪到哪天."""
    text = fold_text(brief.turns[0])
    group = find_group(text, brief) if says("anywhere", text) and not request.target.dated else None
    return group is not None and group.timed and bool(group.there.days)


_SAME_HOURS = re.compile(
    r"(?:时间段?|时段|节次|时间点|钟点|几点)(?:都|也|要|得|和原来)*(?:保持|维持)?(?:不变|不动|别[变动]|不要变|一样|照旧)"
    r"|(?:同样|相同|一样|原来|原)的(?:时间段?|时段|节次|时间点|钟点)(?!对调)|同一(?:个?时间段?|时段|节次)"
    r"|^(?:(?:and|but|the|just|still) )*same time(?: of day)?\W*(?:please|though)?\W*$"
    r"|\b(?:keep(?:ing)?|at|in|with) (?:the |its |their )?same (?:time(?: of (?:the )?day)?|hours?|sections?|slot)\b"
    r"(?! as (?!now))"
    r"|\bkeep(?:ing)? (?:the |its |their )(?:time(?: of (?:the )?day)?\b(?! free)|hours?|sections?)\b"
)


def keeps_hours(message: str) -> bool:
    """Whether only the day is to be another one: 时段不变, keep the time of day."""
    return _SAME_HOURS.search(fold_text(message)) is not None


def with_own_hours(
    target: PlaceTarget, then: PlaceTarget, slot: SlotView | None, brief: Brief
) -> tuple[PlaceTarget, PlaceTarget]:
    """A target on the sections of a place, and on its part of the day where these are taken."""
    if slot is None or not target.dated or target.sections or target.part:
        return target, then
    part = next((one for one in brief.term.day_parts if one[0] <= slot["slot_start"] <= one[1]), None)
    return replace(target, sections=(slot["slot_start"], slot["slot_end"])), replace(target, part=part)


_NOT_WITH = re.compile(r"(?:别|不|\b(?:not|never|avoid)\b|n't\b)[^,，。;；.]*?$")


def _on_same_day(turn: str) -> bool:
    """Whether an item is to stay on its day; not where it is to be on another day than something else."""
    text = fold_text(turn)
    found = pattern("same_day").search(text)
    return found is not None and _NOT_WITH.search(text[: found.start()]) is None


def _takes_back(turn: str, brief: Brief) -> bool:
    """Whether words over a card say no and nothing else, or that all is to be as before."""
    return says("back", fold_text(turn)) or aims_of(turn, brief)[0][0] == "refuse"


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
    if request.item is None or request.operation == "swap":
        return False
    if form_of(turn, brief) != "item" and not corrects_request(turn, brief):
        return False
    found = items_in(without_refusals(fold_text(turn)), brief)
    other = len(found) == 1 and found[0]["state_id"] != request.item["state_id"]
    return other and _beside_in(brief, request.item, turn) is None


def _another(brief: Brief, request: ItemRequest, turn: str) -> bool:
    """Whether a later turn is a whole request of its own, about another item."""
    known = [row["state_id"] for row in (request.item, request.other) if row]
    intent, found = intent_of(turn, brief), items_in(turn, brief)
    if intent not in OPERATIONS or len(found) != 1 or found[0]["state_id"] in known:
        return False
    return intent != "swap"


def _read_item(brief: Brief, request: ItemRequest, turn: str) -> None:
    """A turn that names the item, or picks it from the list."""
    request.condition = condition_in(turn, brief) or request.condition
    if request.condition and request.condition.said in fold_text(turn):
        request.item = request.condition.item
        _read_target(brief, request, fold_text(turn).replace(request.condition.said, " "), request.item)
        return
    number = choice_in(turn, len(request.choices)) if request.choices else None
    if number is not None:
        request.item = request.choices[number - 1]
        request.other = _other_side(request)
    elif request.operation == "swap" and request.other is None and len(_BOTH.split(turn)) > 1:
        sides = find_pair(turn, brief) or [
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
    if request.item is None and (relation := relation_in(turn, brief)) is not None:
        request.item, request.relation = relation.item, relation
        return
    if request.item is None:
        named = without_exceptions(turn)
        found = items_in(named, brief, among=request.choices or None) or _of_class(brief, request, turn)
        found = found or ([] if request.choices else meant_items(named, brief))
        request.item = found[0] if len(found) == 1 else None
        request.choices = found if len(found) > 1 else request.choices
    _read_target(brief, request, turn, request.item)


def _read_target(brief: Brief, request: ItemRequest, turn: str, item: TaskView | None) -> bool:
    """Takes over where a turn wants the item, and what then where there is no room; whether it says so."""
    choice = alternatives_in(_without_name(turn, item), brief)
    if choice is not None:
        before = replace(_target(brief, fold_text(turn).partition(choice.said[0])[0], item), sections=None)
        request.target = request.target.then(choice.first if choice.first.said else before)
        request.then, request.leave = choice.then, choice.leave
        request.further, request.out = choice.further, choice.out
        return True
    turn, complaint = _without_complaints(without_proviso(turn), brief)
    target = _target(brief, turn, item)
    if turn != brief.turns[0] and target.days and not (target.week or target.run):
        target = replace(target, week=target_in(brief.turns[0], brief).week)
    here = find_former_slot(brief, item) if item else None
    if complaint.said and target.said and not target.dated:
        target = complaint.then(target)
    elif complaint.said:
        request.avoided.append(complaint)
    way = way_to(turn) or way_to(brief.turns[0])
    if here and target.days and not (target.week or target.run):
        own = replace(target, week=request.target.week or here["week"])
        target, request.then = choose_week(target, here, way, brief) if way else (own, target)
    elif turn != brief.turns[0] and target.days and target.week:
        request.then = PlaceTarget()  # the day is told after all
    again = next((one for one in request.told if one.days == target.days and target.days), None)
    request.target = again.then(target) if again else request.target.then(target)
    if target.said and not target.dated and request.then.said:
        request.then = request.then.then(target)  # the hours hold for that day too
    request.told += [request.target] if target.days else []
    here = find_former_slot(brief, item) if item else None
    narrows = not request.target.dated or (item is not request.item and not (target.dated or request.target.days))
    if target.said and here is not None and narrows:  # a time alone keeps the day, that of the card over it
        anywhere = request.target
        request.target = replace(anywhere, week=here["week"], days=(here["day_of_week"],))
        request.then = PlaceTarget() if _on_same_day(turn) else anywhere
    if item and (shift := _find_shift(brief, turn, item)) is not None and request.target.dated:
        request.shift = shift
        if request.target.sections and not (is_firm(shift, brief) or request.then.said):
            request.then = replace(request.target, sections=None)
    return target.said


_COMPLAINT = re.compile(
    r"来不及|太[赶紧挤满]|加班|出差|聚会|赶不[上及]|撞|冲突|起不来|没空|没时间|有事|忙|有[^,，。;；]{0,7}(?:聚餐|课|会|约|社团|考试|比赛|活动|兼职|面试|饭)"
    r"|[累困]|学不进|看不进|转不动|没精神|不方便|不行|上不了|去不了|做不了|顾不上|排?满了|受不了"
    r"|\b(?:can't|cannot|can not|won't|couldn't|clash\w*|conflict\w*|busy|taken|tired|exhausted|not happening|no good"
    r"|doesn't work|not going to (?:work|make)|never awake|half asleep"
    r"|too (?:late|early|much|tight|full)|i(?: have|'ve got|'ve) (?:an?|my)\b)"
)


def _without_complaints(turn: str, brief: Brief) -> tuple[str, PlaceTarget]:
    """A turn without the time that it tells to be wrong, and that time: 第3章周三来不及了，周五吧."""
    clauses = re.split(r"(?<=[,，。;；!])|(?<=[.])\s|(?=\b(?:but|so)\b)", turn)
    wrong = [
        clause for clause in clauses
        if _COMPLAINT.search(fold_text(clause)) and target_in(clause, brief).said
        and not any(says(one, fold_text(clause)) for one in ("move", "place", "has_room", "polite"))
    ]  # fmt: skip
    if not wrong or (len(wrong) == len(clauses) > 1):
        return turn, PlaceTarget()
    return "".join(clause for clause in clauses if clause not in wrong), target_in(wrong[0], brief)


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
    if request.place is not None and affirms(turn):
        return  # consent to what was chosen chooses nothing else
    avoided = avoided_in(turn, brief.term)
    found = find_offered_places(brief, request.item) if request.item else []
    found = [slot for slot in found if not (avoided.said and avoided.covers(slot))]  # type: ignore[arg-type]
    number = choice_in(turn, len(found)) if found else None
    if found and number is None and (leaves_it_open(turn) or wants_it_done(turn)) and not target_in(turn, brief).said:
        number = 1
    said = target_in(turn, brief)
    there, where = _where_it_was_to_go(brief, request.item), said
    card = there["slot"] if there is not None and there is not request.item else None
    if card is not None and not said.dated:  # what is left open stays as it is on the card
        where = replace(said, week=card["week"], days=(card["day_of_week"],))
    elif not said.dated and request.target.days and _ASKS_OTHER.search(fold_text(turn)):
        where = request.target.then(said)  # other hours of the day at hand
    meant = [slot for slot in found if said.said and where.covers(slot) and not said.sections]  # type: ignore[arg-type]
    if number is not None or len(meant) == 1 or (meant and leaves_it_open(turn)):
        request.place = meant[0] if number is None else found[number - 1]
        return
    if request.operation == "swap":
        assert request.item is not None
        others = [row for row in items_in(turn, brief) if row != request.item]
        request.other = _of_same_class(others, request.item) or request.other
        return
    if request.item is not None and (relation := _beside_in(brief, request.item, turn)) is not None:
        request.relation, request.place, request.target = relation, None, PlaceTarget()
        return
    if says("other_day", fold_text(turn)):
        request.target = request.then = PlaceTarget()
    item = request.item if _shifts_otherwise(brief, request, turn) else there
    if request.shift and _find_shift(brief, turn, request.item) is not None:
        request.then = PlaceTarget()  # that of the span before
    if _read_target(brief, request, turn, item):
        request.place = None


def _shifts_otherwise(brief: Brief, request: ItemRequest, turn: str) -> bool:
    """Whether a turn tells by how much the item goes in the place of the span before: no, two days later; counted from
    the card is what is told as more, or the other way."""
    text = fold_text(turn)
    before, now = request.shift, _find_shift(brief, turn, request.item)
    if says("counts_on", text):
        return False
    if now is not None and brief.asked and brief.asked[-1]["topic"] == NOT_DONE_TOPIC:
        return True  # its card was refused with the button
    if says_span(turn) or before is None or now is None or not before.days * now.days:
        return says_span(turn) != ""
    anew = before.days * now.days > 0 and before != now
    return anew or says("correction", text) or _INSTEAD.search(text) is not None


_INSTEAD = re.compile(r"还是|改成|换成|\b(?:instead|rather|actually)\b")


_ASKS_OTHER = re.compile(r"呢\W*$|\b(?:what|how) about\b|^(?:and )?(?:in|at) [^,.]{1,20}\?")


def _beside_in(brief: Brief, item: TaskView, turn: str) -> Relation | None:
    """Where an answer wants the item as another one tells, which it names alone: next to matrices, same day."""
    whole = brief.say(f"把[{item['state_id']}]放到{turn}", f"move [{item['state_id']}] {turn}")
    wanted = read_arrangement(whole, brief)
    if wanted is None or wanted.beside is None or wanted.beside[1] == item:
        return None
    side, other, days = wanted.beside
    if side == "day+" or side == "day-":
        return None  # a day beside that of another item is a time
    if side == "day" or (side in ("next", "ahead") and wanted.own_day):
        return Relation(item, "same_day", other)
    return Relation(item, side, other, days)


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
    moved = SHIFT.search(fold_numbers(text))
    told = fold_numbers(text).replace(moved.group(), " ") if moved and moved["zh_n"] else text
    slot, shift = find_former_slot(brief, item) if item else None, _find_shift(brief, turn, item)
    said = target_from(told, slot, brief) if slot else target_in(told, brief)
    if shift is not None and said.week and len(said.days) == 1 and _BESIDE_DAY.search(text):
        day = 7 * (said.week - 1) + said.days[0] - 1 + shift.days
        return replace(said, week=day // 7 + 1, days=(day % 7 + 1,))
    if shift is None or slot is None or said.days or (said.week and not (shift.sections or shift.minutes)):
        return said
    exact = find_shifted_place(slot, shift, brief)
    return exact if shift.sections or shift.minutes else exact.then(said)


def _find_shift(brief: Brief, turn: str, item: TaskView | None) -> Shift | None:
    """By how much a turn moves the item, in the way that was told before where it tells a span alone."""
    text = without_origin(_without_name(turn, item), brief)
    return shift_in(text) or _shift_so_far(brief, text)


_BESIDE_DAY = re.compile(r"\d\s*[日号]?的\s*(?:[后前][一1]|第[二2])天")
"""The day beside one that is named: 4月28日的后一天."""
_MOVED_BY = re.compile(r"大概|差不多|只要?|[推挪移延拖]|\b(?:like|about|maybe|just|only|by|or so)\b")


def says_span(turn: str) -> str:
    """The span of days that a clause of a turn alone tells: 一周吧, no not that early, just a day."""
    clauses = re.split(r"[,，。;]", fold_numbers(turn).strip(" .。!"))
    found = [one for clause in clauses if (one := find_bare_count(_MOVED_BY.sub(" ", clause)))]
    return found[-1].group() if found and (found[-1]["unit"] or "").rstrip("s") in _OF_DAYS else ""


_OF_DAYS = ("天", "周", "星期", "day", "week")


_TURNED = re.compile(r"不是|不对|错了|反了|而是|\b(?:not|other way|i meant?)\b")
"""What was said of the way is turned round: 不是推迟，是提前."""
_DENIED = re.compile(r"不是(?:要|说)?\s*\S{2}|\bnot (?:a \w+ |\w+ )?(?:later|earlier|back|forward)\b")


def _shift_so_far(brief: Brief, turn: str) -> Shift | None:
    """一周吧, a week or so: a span alone goes the way that was said before."""
    said, span = [fold_text(one) for one in brief.turns], says_span(turn)
    before = next((shift for one in reversed(said) if (shift := shift_in(one))), None)
    turned = way_in(_DENIED.sub(" ", fold_text(turn))) if _TURNED.search(fold_text(turn)) else 0
    if before and turned:
        return Shift(*(turned * abs(by) for by in (before.days, before.sections, before.minutes)))
    way = next((one for one in reversed(said) if way_in(one) or says("move", one)), "")
    if not span and before and before.days and (bare := find_bare_count(fold_text(turn))):
        unit = ("周", " weeks") if before.days % 7 == 0 else ("天", " days")
        span = f"{bare.group()}{brief.say(*unit)}"
    if not span or not way:
        return None
    earlier = re.search(r"前|早|\b(?:earlier|sooner|forward)\b", way) is not None
    if span.isascii():
        return shift_in(f"{span} {'earlier' if earlier else 'later'}")
    return shift_in(f"{'提前' if earlier else '推迟'}{span}")


def find_former_slot(brief: Brief, item: TaskView) -> SlotView | None:
    """Where an item is, or was before this goal took it out of the timetable."""
    before = next((row["before"] for row in brief.changes if row["task_item_id"] == item["item_id"]), None)
    if item["slot"] is not None or before is None:
        return item["slot"]
    first, last = before["section_from"], before["section_to"]
    return SlotView(
        day=0,
        week=before["week"],
        day_of_week=before["day_of_week"],
        slot_start=first,
        slot_end=last,
        host_event_id=None,
    )


def _without_name(turn: str, item: TaskView | None) -> str:
    """第3章 in the item's own name is no section, week or date."""
    return turn.replace(str(item["name"]), " ") if item else turn


def spoke_of_hours(brief: Brief) -> bool:
    """Whether the student's words before these tell a time of the day, so that later is later on that day."""
    said = next((turn["text"] for turn in reversed(brief.earlier) if turn["role"] == "user"), "")
    target = target_in(said, brief)
    return bool(target.part or target.sections)


def is_possible(request: ItemRequest, slot: Json) -> bool:
    """Whether a place is none that the student cannot take, and stands to the other item as is wanted."""
    here = request.item["slot"] if request.item else None
    if request.way and here and (request.same_day or not request.target.said):
        ahead = hour_of(slot) > hour_of(here) if request.way > 0 else hour_of(slot) < hour_of(here)
        if not ahead or (request.same_day and hour_of(slot)[:2] != hour_of(here)[:2]):
            return False
    if any(where.meets(slot) for where in request.avoided):  # type: ignore[arg-type]
        return False
    if request.other_day and here and slot["day"] == here["day"]:
        return False
    return request.relation is None or stands_as_wanted(slot, request.relation)


def hour_of(slot: Json) -> tuple[int, int, int]:
    """Week, day and section of a place, to compare by."""
    return slot["week"], slot["day_of_week"], slot["slot_start"]


def stands_as_wanted(slot: Json, relation: Relation) -> bool:
    """Whether a place stands to the other item of a relation as is wanted."""
    there = relation.other["slot"]
    if there is None:
        return True
    if relation.side == "gap":
        days = 7 * (slot["week"] - there["week"]) + slot["day_of_week"] - there["day_of_week"]
        return bool(abs(days) >= relation.days)
    if relation.side in ("same_day", "apart"):
        return (slot["day"] == there["day"]) is (relation.side == "same_day")
    where, other = (slot["day"], slot["slot_start"]), (there["day"], there["slot_start"])
    return where < other if relation.side in ("before", "ahead") else where > other


def is_close(request: ItemRequest, slot: Json) -> bool:
    """Whether nothing is between a place and the other item, where it is to be right behind or in front of that."""
    relation = request.relation
    there = relation.other["slot"] if relation else None
    if relation is None or there is None or relation.side not in ("next", "ahead"):
        return True
    first, then = (there, slot) if relation.side == "next" else (slot, there)
    return bool(slot["day"] == there["day"] and first["slot_end"] + 1 == then["slot_start"])


def asked_day(brief: Brief, request: ItemRequest) -> int | None:
    """The day of the window on which the item was wanted: of the write that was refused, else the one that is said."""
    assert request.item is not None
    tried = [row["arguments"] for row in brief.results if row["tool"] in ("move", "place") and row["status"] != "done"]
    own = [given for given in tried if given.get("task_id") == request.item["state_id"]]
    if own:
        return own[-1].get("new_day", own[-1].get("day"))
    return count_day(brief, request.target, request.item["slot"])
