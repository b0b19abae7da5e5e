"""What an open card tells, asked by words typed over it: where its items would stand, in which order, at which hours,
what it leaves alone and why it is there."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import date
from itertools import pairwise

from agent.llm.offline.goals.classes.class_request import find_outside
from agent.llm.offline.goals.classes.corrected_class import is_new
from agent.llm.offline.goals.classes.meant_classes import all_classes, is_for_all
from agent.llm.offline.goals.decisions import WRITES
from agent.llm.offline.goals.happenings.marks import MARK
from agent.llm.offline.goals.questions.if_so import NOTHING_THERE
from agent.llm.offline.goals.questions.reads import rows_in_time
from agent.llm.offline.goals.turns.effects import (
    OpenCard,
    tell_as_it_would_be,
    tell_contents,
    tell_count,
)
from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.dialogue.pointing.follow_ups import BEHIND
from agent.llm.offline.language.dialogue.references import IF_ANY
from agent.llm.offline.language.dialogue.revision.corrections import correct_request
from agent.llm.offline.language.dialogue.revision.open_after_all import (
    NOT_THAT,
    holds_every_week,
    open_after_all,
    spell_once,
)
from agent.llm.offline.language.dialogue.rewriting import LOOKING
from agent.llm.offline.language.lexicon import pattern, says
from agent.llm.offline.language.meaning.ellipsis import only_tells_time, strip_known
from agent.llm.offline.language.meaning.features import Features
from agent.llm.offline.language.meaning.intents import intent_of
from agent.llm.offline.language.meaning.standing_rules import read_closed, read_weekly
from agent.llm.offline.language.meaning.whether import asks_what_follows, asks_whether, asks_whether_done
from agent.llm.offline.language.normalize import fold_text
from agent.llm.offline.language.spans.classes.item_lengths import read_length_of_new
from agent.llm.offline.language.spans.items.arrangements import read_spared
from agent.llm.offline.language.spans.items.mention_signs import find_mentioned
from agent.llm.offline.language.spans.mentions import all_items, classes_in, items_in
from agent.llm.offline.language.spans.targets import avoided_in, shift_in, target_in
from agent.llm.offline.language.texts import (
    date_text,
    dated_slot_text,
    dated_text,
)
from agent.loop.view_document import SlotView, TaskView

_MOST_LEFT = 1
"""Letters of a question that may stay without its known words."""


_OLD_ONE = re.compile(
    r"^(?:那|它|这个?)*(?:原来|本来|原先|之前)(?:是|在|都)*(?:几号|哪[天1一]|什么时候|周几|多少)"
    r"|^(?:那|这样?)?多[出给了]?[来了]?(?:几|多少)天"
    r"|\bhow (?:many|much) (?:more |extra )?(?:days|time|longer) (?:more |extra )?is (?:that|it)\b"
    r"|\b(?:what|when|where|which day)\b.{0,24}\b(?:before|originally|until now|previously)\W*$"
)
_MOVED_YET = re.compile(
    r"[你都]?[^,，。会要]{0,3}(?:[动挪移改][动]?了)(?:哪些?|什么|啥|几)|\bwhat (?:did|have) you (?:moved?|changed?)\b"
)

_NOTHING_YET = ("还什么都没有动：这张卡片还没有确认。", "Nothing was moved: this card is not approved yet.")


def tell_as_it_is(card: OpenCard) -> str:
    """What is so until the card is approved: what it would change as that was, that nothing has moved yet, or where an
    item stands that it leaves alone."""
    text, brief, given = fold_text(card.said), card.brief, card.call["arguments"]
    owner, changed = brief.class_of(given.get("id")), given.get("task_class") or {}
    if _OLD_ONE.search(text) and not card.named:
        ends = [(owner[key], changed[key]) for key in ("start_date", "end_date") if owner and changed.get(key)]
        told = ("现在是{old}；按卡片改是{new}，相差 {n} 天。", "Now {old}; with this card {new}, {n} days apart.")
        days = [[date.fromisoformat(str(day)) for day in pair] for pair in ends if all(pair)]
        lines = [
            brief.say(*told, old=date_text(brief, old), new=date_text(brief, new), n=abs((new - old).days))
            for old, new in days
        ]  # fmt: skip
        return "\n".join([*lines, *(_tell_place(card, row) for row in rows_in_time(card.moved))])
    if _MOVED_YET.search(text) and not brief.done(*WRITES):
        return "\n".join([brief.say(*_NOTHING_YET), *(_tell_place(card, row) for row in rows_in_time(card.moved))])
    limited = {row["state_id"] for row in find_limited(card)}
    alone = card.call["name"] == "upsert_task_class" and not limited & {row["state_id"] for row in card.named}
    alone = alone and says("when_asked", text) and not says("polite_form", text) and not target_in(text, brief).said
    return "\n".join(_tell_place(card, row) for row in card.named) if alone else ""


def _tell_left_alone(card: OpenCard) -> str:
    """That the card leaves alone what is to stay as it is: 好的，但第一章别动; 其他照旧; the other two whenever."""
    brief, given, said = card.brief, card.call["arguments"], card.brief.turns[-1]
    text, left = fold_text(said), read_spared(said, brief)
    others = says("others_asked", text) or says("others_wanted", text)
    about = {row["item_id"]: row["class_id"] for row in card.about}
    same = [row for row in all_items(brief) if row["class_id"] in about.values() and row["item_id"] not in about]
    named = same if others else left or find_mentioned(said, brief) or items_in(said, brief, among=all_items(brief))
    owners = [] if others else classes_in(said, brief.classes)
    alone = says("left_alone", text) or (owners and NOT_THAT.search(text))
    told = (left or alone) and not (says("asking", text) or target_in(said, brief).said)
    acts = any(says(one, text) for one in ("move", "place", "build", "build_timed", "swap", "remove", "compares_order"))
    wants = (acts and (others or not left)) or correct_request(said, brief.request, brief, refused=False)
    if not told or not (named or owners or others) or wants:
        return ""
    changed = {given.get("id")} if card.call["name"] == "upsert_task_class" else {row["class_id"] for row in card.about}
    changed |= {*all_classes(brief)} if is_for_all(brief) else set()
    if card.call["name"] == "delete_task_class" and intent_of(brief.request, brief) == "delete_class":
        return ""  # what stays of it is none of the card
    ids = {row["item_id"] for row in named}
    outside = find_outside(brief, int(given["id"]), given.get("task_class") or {}) if given.get("id") else []
    if changed & {*owners} or any(row["item_id"] in ids for row in card.moved):
        return ""
    if owners:
        stays = ("{names}不在卡片里，不动。", "{names}: not on the card, it stays as it is.")
        return brief.say(*stays, names=brief.names_of(owners))
    lines = [_tell_outside_of(card, row) for row in outside if row["item_id"] in ids]
    lines = lines or [_tell_place(card, row) for row in card.rows if row["item_id"] in ids and row["slot"]]
    stays = ("好的，卡片上没有的都不动。", "All right: what is not on the card stays as it is.")
    return ("\n".join([] if others else lines) or brief.say(*stays)) + _tell_waiting(card, named)


def _tell_waiting(card: OpenCard, rows: Sequence[TaskView]) -> str:
    """How those items get a place that are named beside the card and have none."""
    held = {row["item_id"] for row in card.brief.tasks if row["slot"]}
    waiting = [row for row in rows if row["item_id"] not in held]
    owners = card.brief.names_of(sorted({row["class_id"] for row in waiting}))
    told = ("还没有位置的：{names}；要排，确认后请说「排好{owners}」。",
            ' Without a place: {names}; to plan them say "plan {owners}" after the card.')  # fmt: skip
    names = card.brief.say("、", ", ").join(row["name"] for row in waiting)
    return card.brief.say(*told, names=names, owners=owners.strip("「」")) if waiting else ""


def _tell_outside_of(card: OpenCard, row: TaskView) -> str:
    told = ("{name}（{at}）在这之外，确认后要另找位置。",
            "{name} ({at}) is outside of that and needs another place once you approve.")  # fmt: skip
    return card.brief.say(*told, name=row["name"], at=_place_text(card.brief, row["slot"]))


def _tell_places(card: OpenCard) -> str:
    """Where items stand, and would stand: which friday is that, 第一章会在哪天; what is told of it holds."""
    text, target = fold_text(card.said), target_in(card.said, card.brief)
    avoided, slots = avoided_in(card.said, card.brief.term), [row["slot"] for row in card.moved]
    kept = all(slot and target.covers(slot) and not (avoided.said and avoided.meets(slot)) for slot in slots)
    kept = kept and (not target.sections or all(slot and slot["slot_start"] == target.sections[0] for slot in slots))
    other = says("correction", text) or says("shifts", text) or intent_of(card.said, card.brief) in LOOKING
    other = other or _POINTS_ON.search(text) is not None
    if slots and kept and only_tells_time(text, card.brief) and not other:
        return "\n".join(_tell_place(card, row) for row in rows_in_time(card.moved))
    alone = not card.named and len(strip_plain(card)) <= _MOST_LEFT
    which = alone and _IS_THAT.search(text) is not None  # whether it is that day or another one
    if (
        says("polite_form", text)
        or read_spared(text, card.brief)
        or not (which or (says("when_asked", text) and _fits_card(card)))
    ):
        return ""
    alone = alone or (not card.named and _EACH.search(text) is not None)
    rows = card.named or (card.about if alone or says("pronoun", text) else [])
    return "\n".join(_tell_place(card, row) for row in rows_in_time(rows))


_POINTS_ON = re.compile(
    r"不是|下[一1]?个(?:周|星期|礼拜)|再下|后面?[那一1]个"
    r"|\bnot (?:that|this)\b|\b(?:the )?(?:one|\w+day|week) after\b"
)
"""What denies a day, or points from it to a later one."""
_IS_THAT = re.compile(r"^(?:那|这|它)?(?:就|就?说)?是(?=.*(?:[吗么]|还是))|\b(?:is|was) (?:it|that|this)\b")
_EACH = re.compile(r"分别|各自|换完|改完|\b(?:they|those|both|these)\b")


def _tell_not_planned(card: OpenCard) -> str:
    """That what a card is to be planned by has no places yet: 有落在周末的吗, over the wish for a plan."""
    text, brief = fold_text(card.said), card.brief
    owners = classes_in(brief.request, brief.classes) if not classes_in(text, brief.classes) else []
    builds = intent_of(brief.request, brief) == "build" or Features(brief.request, brief).plans_with_limits
    asks = (says("asking", text) or asks_whether(card.said)) and _OF_PLAN.search(text) and not _OF_OTHERS.search(text)
    planned = {row["class_id"] for row in brief.tasks if row["slot"]}
    if not (asks and builds and owners) or planned & {*owners} or card.named or says("polite_form", text):
        return ""
    return brief.say(*PLANNED_THEN, name=brief.names_of(owners))


PLANNED_THEN = ("{name}：还没有排；确认后就会排。", "{name}: not planned yet; it is planned once you approve.")
_OF_PLAN = re.compile(
    r"落|都|分别|会|排|有[^,，]{0,8}的[吗么]|哪[1一]?[天周]|什么时候|\b(?:any|it|they|them|those|will|would|when|which)\b"
)
_OF_OTHERS = re.compile(r"课|空|安排|任务|别的|其他|\b(?:free|lessons?|lectures?|plan|tasks?|else|other|my)\b")


def strip_plain(card: OpenCard) -> str:
    """The letters of a question without those that every question has."""
    text = pattern("when_asked").sub(" ", fold_text(card.said))
    return "".join(filter(str.isalnum, pattern("plain_question").sub(" ", strip_known(text, card.brief))))


def _fits_card(card: OpenCard) -> bool:
    """Whether the words name no other time than that of an item of the card."""
    target = target_in(card.said, card.brief)
    return not target.said or any(target.covers(row["slot"]) for row in card.moved if row["slot"])


def _tell_place(card: OpenCard, row: TaskView) -> str:
    """An item with its place, and the one that it would have."""
    brief, now = card.brief, card.brief.task(row["state_id"])
    here = _place_text(brief, now["slot"] if now else None)
    if row not in card.moved and not row["slot"]:
        plans = card.call["arguments"].get("id") == row["class_id"] and Features(brief.request, brief).plans_with_limits
        waits = ("{name}：还没有排，这张卡片也不排它。", "{name}: not planned yet, and this card does not plan it.")
        return brief.say(*(PLANNED_THEN if plans else waits), name=row["name"])
    if row not in card.moved:
        return brief.say("{name}：{here}，不会动。", "{name}: {here}; it stays there.", name=row["name"], here=here)
    return brief.say(
        "{name}：现在{here}；按卡片改是{there}。",
        "{name}: now {here}; with this card {there}.",
        name=row["name"],
        here=here,
        there=_place_text(brief, row["slot"]),
    )


def _place_text(brief: Brief, slot: SlotView | None) -> str:
    return dated_slot_text(brief, slot) if slot else brief.say("没有位置", "unplaced")


def _tell_order(card: OpenCard) -> str:
    """Which of two items comes first: is that before or after matrices?"""
    text, moved = fold_text(card.said), card.moved
    others = [row for row in card.named if row not in moved]
    if not says("compares_order", text) or len(moved) != 1 or len(others) != 1 or not _fits_card(card):
        return ""
    mine, other = moved[0]["slot"], others[0]["slot"]
    if not (mine and other) or (says("asking", text) and (says("move", text) or says("place", text))):
        return ""
    first, second = rows_in_time((moved[0], others[0]))
    own = [row for row in card.rows if row["class_id"] in (first["class_id"], second["class_id"])]
    between = [row for row in own if _order(first["slot"]) < _order(row["slot"]) < _order(second["slot"])]
    if not says("asking", text) and (between or (BEHIND.search(text) is not None) is not (moved[0] is second)):
        return ""  # it is wanted elsewhere
    told = card.brief.say(
        "{first}在前，{second}在后。", "{first} comes first, {second} after it.",
        first=first["name"], second=second["name"],
    )  # fmt: skip
    return "\n".join((told, *(_tell_place(card, row) for row in (first, second))))


def _tell_in_order(card: OpenCard) -> str:
    """That an item would stand in the order of its class, where it is to: 顺序别反; nothing where it would not."""
    text, brief = fold_text(card.said), card.brief
    wanted = FIRST_THEN.search(text) if card.named else _IN_ORDER.search(text)
    if not wanted or len(card.moved) != 1 or not card.moved[0]["slot"] or target_in(text, brief).said:
        return ""
    own = rows_in_time([row for row in card.rows if row["class_id"] == card.moved[0]["class_id"] and row["slot"]])
    named, at = [row for row in own if row in card.named], own.index(card.moved[0])
    turned = any(one["order"] > other["order"] for one, other in pairwise(named or own))
    if turned or len(named) != len(card.named):
        return ""
    told = brief.say("、", ", ").join(
        f"{row['name']} {_place_text(brief, row['slot'])}" for row in own[max(0, at - 1) : at + 2]
    )
    return brief.say("顺序没有反：{told}。", "They keep their order: {told}.", told=told)


FIRST_THEN = re.compile(r"先.*[再后]|\bfirst\b.*\bthen\b")
_IN_ORDER = re.compile(
    r"(?:顺序|次序|先后)[^,，。]{0,3}(?:[别不]|保持|照)|(?:[别不]|按|照)[^,，。]{0,4}(?:顺序|次序|先后|[反乱颠])"
    r"|\b(?:in|keep|same|right|their) (?:the |their )?(?:right |same )?order\b"
)


def _order(slot: SlotView | None) -> tuple[int, int, int]:
    return (slot["week"], slot["day_of_week"], slot["slot_start"]) if slot else (0, 0, 0)


def _tell_hours(card: OpenCard) -> str:
    """Whether the items of a card keep their time of the day: 时间段没变吧, is it still the same time?"""
    text, moved = fold_text(card.said), [row for row in rows_in_time(card.moved) if row["slot"]]
    if not asks_for_same_hours(text) or not moved or card.named or target_in(card.said, card.brief).said:
        return ""
    now = {row["state_id"]: row["slot"] for row in card.brief.tasks}
    pairs = [(now[row["state_id"]], row["slot"]) for row in moved]
    same = all(a and b and a["slot_start"] == b["slot_start"] for a, b in pairs)
    head = ("时间段没变。", "The time of the day stays.") if same else ("时间段会变。", "The time of the day changes.")
    return "\n".join((card.brief.say(*head), *(_tell_place(card, row) for row in moved)))


def asks_for_same_hours(text: str) -> bool:
    """Whether it is asked if something stays at its time of the day."""
    return _SAME_HOURS.search(text) is not None and (asks_whether(text) or _CHECKS.search(text) is not None)


_HOURS = r"(?:时间段?|时段|节次|钟点|几点)"
_SAME_HOURS = re.compile(
    rf"{_HOURS}[^,，。]{{0,3}}(?:[没不]变|没[动改]|变|一样|相同|照旧)|(?:是|在)(?:同[1一]个|同样的?|一样的?|原来的?){_HOURS}"
    r"|\b(?:same|unchanged)\b[^,.]*\b(?:time|hours?|sections?|slot)\b"
    r"|\b(?:time|hours?|sections?)\b[^,.]*\b(?:same|unchanged|change)\b"
)
_CHECKS = re.compile(
    r"[,\s]*(?:(?:吧|吗|么|呢|对吧|是吧|对吗|行吗|\b(?:right|yes|yeah|no|correct|isn't it|aren't they)\b)\W*|[?？]\W*)$"
)
_IS_IT = re.compile(r"^(?:so|but|and|then|\W)*\b(?:are|is|can|will|could)\b(?: (?:i|we|you|there|the))*( .*)")


def _tell_last(card: OpenCard) -> str:
    """That an item would stand behind all others of its class: 放最后就行; nothing where it would not."""
    text = fold_text(card.said)
    if not says("at_the_end", text) or len(card.moved) != 1 or not card.moved[0]["slot"] or not _fits_card(card):
        return ""
    row = card.moved[0]
    others = [one for one in card.rows if one["class_id"] == row["class_id"] and one["slot"] and one is not row]
    meant = not card.named or card.named == [row]
    if not meant or not others or any(_order(one["slot"]) > _order(row["slot"]) for one in others):
        return ""
    return card.brief.say(
        "按卡片改，它排在{owner}的最后：{name} {at}",
        "With this card it comes last in {owner}: {name} {at}",
        owner=card.brief.names_of([row["class_id"]]),
        name=row["name"],
        at=_place_text(card.brief, row["slot"]),
    )


def _tell_no_clash(card: OpenCard) -> str:
    """That nothing else stands where the card would put its items: 别和英语课撞了; no item is ever put on a lesson that
    its class may not use."""
    placed = [row for row in card.moved if row["slot"]]
    if not says("clash", fold_text(card.said)) or not placed or not _fits_card(card):
        return ""
    owners = (card.brief.class_of(row["class_id"]) for row in placed)
    if not all(own and not own["filler"] for own in owners) or any(_find_beside(card, row) for row in placed):
        return ""
    where = card.brief.say("、", ", ").join(
        f"{row['name']} {_place_text(card.brief, row['slot'])}" for row in rows_in_time(placed)
    )
    return card.brief.say(
        "不冲突：{where}，那时没有课，也没有别的任务。",
        "No clash: {where}; there is no lesson and no other item at that time.",
        where=where,
    )


def _find_beside(card: OpenCard, row: TaskView) -> list[TaskView]:
    """The other items at the time of an item."""
    mine = row["slot"]
    return [
        other for other in card.rows
        if mine and (slot := other["slot"]) and other is not row and _order(slot)[:2] == _order(mine)[:2]
        and slot["slot_start"] <= mine["slot_end"] and mine["slot_start"] <= slot["slot_end"]
    ]  # fmt: skip


def _tell_same_day(card: OpenCard) -> str:
    """What else of the plan stands on the day of the card: 那天还有别的任务吗."""
    text, placed = fold_text(card.said), [row for row in card.moved if row["slot"]]
    asks = asks_whether(card.said) or (says("asking", text) and not says("polite_form", text))
    beside = says("others_asked", text) or _ALREADY.search(text)
    there = says("same_day", text) or (beside and _THERE.search(text))
    wanted = asks and there and not says("lesson_asked", text) and not card.named
    if not wanted or not placed or says("move", text):
        return ""
    lines = list[str]()
    for day in sorted({_order(row["slot"])[:2] for row in placed}):
        others = [row for row in card.rows if _order(row["slot"])[:2] == day and row not in placed]
        told = card.brief.say("、", ", ").join(
            f"{row['name']} {row['slot']['slot_start']}-{row['slot']['slot_end']}" for row in others if row["slot"]
        )
        none = card.brief.say("没有别的任务", "no other item")
        lines.append(f"{dated_text(card.brief, *day)}{card.brief.say('：', ': ')}{told or none}")
    return "\n".join(lines)


_ALREADY = re.compile(r"已经|原来|本来|\balready\b")
_THERE = re.compile(r"\bthere\W*$|那[里儿边]")


def _tell_outside(card: OpenCard) -> str:
    """Which items the new rules of a class leave where they are, and which need another place: 那特征值还在范围里吗."""
    given, text, brief = card.call["arguments"], fold_text(card.said), card.brief
    changed = given.get("task_class") or {}
    if card.call["name"] != "upsert_task_class" or not {"start_date", "end_date", "config"} & changed.keys():
        return ""
    fits, moves = intent_of(card.said, brief) == "fits", _HAS_MOVED.search(text) is not None
    asked = says("within_asked", text) or moves
    if not fits and (not (says("asking", text) or asks_whether(card.said)) or not asked):
        return ""
    if target_in(card.said, brief).said:
        return ""
    outside = find_limited(card)
    if card.named:
        outside = [row for row in outside if row["state_id"] in {one["state_id"] for one in card.named}]
    lines = [_tell_outside_of(card, row) for row in outside]
    inside = [row for row in card.named if row["slot"] and row["state_id"] not in {one["state_id"] for one in outside}]
    lines += [
        brief.say("{name}（{at}）在范围里，不用动。", "{name} ({at}) is within it and stays.",
                  name=row["name"], at=_place_text(brief, row["slot"]))
        for row in inside
    ]  # fmt: skip
    if lines and moves and not brief.done(*WRITES):
        lines = [brief.say("还没有移动任何任务。", "Nothing has moved yet."), *lines]
    none = ("放得下：排好的都在范围里。", "It fits: everything that is planned is within it.") if fits else (
        "没有：排好的都在范围里。", "No: everything that is planned is within it."
    )  # fmt: skip
    return "\n".join(lines or [brief.say(*none)])


def find_limited(card: OpenCard) -> list[TaskView]:
    """The items that the new rules of a class rule out, or of each class where they go for all."""
    given, brief = card.call["arguments"], card.brief
    if card.call["name"] != "upsert_task_class" or is_new(card.call):
        return []
    ids = all_classes(brief) if is_for_all(brief) and not classes_in(card.said, brief.classes) else []
    changed = given.get("task_class") or {}
    return [row for one in dict.fromkeys([int(given["id"]), *ids]) for row in find_outside(brief, one, changed)]


_NEXT = re.compile(r"下[1一]|接下来|\bnext\b")
_HAS_MOVED = re.compile(
    r"(?:什么|任务|哪些|东西)[^,，。?？]{0,4}(?:被|要|会|有)?(?:移|挪|动|搬)|\b(?:did|does|do|will|has|have)\b[^,.?]*\bmoved?\b"
)


def _tell_unkept(card: OpenCard) -> str:
    """That a place or a reason told beside a time cannot be kept with it: 地点是三教201, it's a dentist appointment; or
    that nothing is there which would have to go: 有的话往后挪."""
    text, brief = fold_text(card.said), card.brief
    if IF_ANY.match(text) and card.call["name"] == "replan" and not card.moved:
        return brief.say(*NOTHING_THERE)
    told = says("venue", text) or (card.call["name"] == "replan" and says("told_reason", text))
    more = says("asking", text) or says("correction", text) or classes_in(card.said, brief.classes)
    if not told or more or card.named or read_length_of_new(text):
        return ""
    return brief.say(
        "「{said}」记不下来：我只记时间，不记地点和事由。",
        '"{said}" cannot be kept: I only note times, no places and no reasons.',
        said=card.said.strip(" 。.!"),
    )


def _tell_every_week(card: OpenCard) -> str:
    """That a card for times of every week is for each of them up to the end of the term: 每周都有，到期末."""
    brief, given = card.brief, card.call["arguments"]
    changed = (given.get("task_class") or {}).get("config") or {}
    weekly = bool({"excluded_cells", "excluded_days_of_week", "excluded_slots"} & changed.keys())
    named = card.named or classes_in(card.said, brief.classes) or shift_in(card.said) is not None
    if not weekly or named or not holds_every_week(fold_text(card.said), brief.request, brief):
        return ""
    return brief.say("对，卡片管的就是每一周，到学期结束。", "Yes, the card is for every week, to the end of the term.")


def _tell_whether_done(card: OpenCard) -> str:
    """That the card still waits, and whether anything of its goal is written."""
    brief = card.brief
    if not asks_whether_done(card.said) or card.named or target_in(card.said, brief).said:
        return ""
    if brief.done(*WRITES):
        return brief.say(
            "前面的已经写下了，这一步还等你确认。", "What came before is written; this step waits for you."
        )
    return brief.say("还没有，等你确认。", "Not yet, it waits for you to approve.")


def _tell_left_open(card: OpenCard) -> str:
    """That times which are told to be possible are none of those that the card leaves free, 上午可以的, or that what
    holds every week leaves no certain day and no single item out."""
    if one := _tell_no_item_out(card) or _tell_included(card):
        return one
    opened = open_after_all(card.said, card.brief.request, card.brief)
    if not opened and _CHECKS.search(fold_text(card.said)):  # is it left open, as one thinks?
        asked = _IS_IT.sub(r"\1 ", _CHECKS.sub("", fold_text(card.said)))
        opened = open_after_all(asked, card.brief.request, card.brief)
        opened = None if opened and opened.touched else opened
    if not opened and (once := spell_once(card.said, card.brief.request, card.brief)):
        told = (
            "卡片说的是每一周，没法只把某一天除外。只要现在的计划这样，可以说「{once}」。",
            "The card is for every week; no single day can be left out of it. For the plan as it is alone say "
            '"{once}".',
        )
        return card.brief.say(*told, once=once)
    if opened is None or opened.touched:
        return ""
    return card.brief.say(*_LEFT_OPEN)


_LEFT_OPEN = ("这张卡片不占那些时间，照样可以排。", "The card leaves that time open; it can be used as before.")
_INCLUDED = re.compile(
    r"包[括含]|算(?:上|在内|进)|\b(?:includ\w+|includes?|cover\w*|appl(?:y|ies) (?:to|on)|goes? for)\b"
)


def _tell_included(card: OpenCard) -> str:
    """Whether times of every week that are asked about are among those which a card leaves free: 包括周五晚上吗."""
    text, brief = fold_text(card.said), card.brief
    if not _INCLUDED.search(text) or not asks_whether(card.said) or card.named:
        return ""
    closed, asked = read_closed(brief.request, brief), read_weekly(text, brief.term)
    if not (closed and asked) or (closed & asked and {day for day, _ in asked} - {day for day, _ in closed}):
        return ""
    free = ("对，卡片也把那些时间空出来。", "Yes, the card keeps that time free too.")
    some = ("对，那几天在卡片上的时段也空出来。", "Yes, on those days too, at the hours of the card.")
    return brief.say(*(_LEFT_OPEN if not closed & asked else free if asked <= closed else some))


def _tell_no_item_out(card: OpenCard) -> str:
    """That an item cannot go to weekdays which the card leaves free for its class as a whole."""
    brief, given = card.brief, card.call["arguments"]
    free = {*((given.get("task_class") or {}).get("config") or {}).get("excluded_days_of_week", ())}
    row, days = brief.class_of(given.get("id") or 0), {*target_in(card.said, brief).days}
    named = items_in(card.said, brief, among=all_items(brief))
    alone = (
        row is not None and 0 < len(named) < len(row["items"]) and all(one["class_id"] == row["id"] for one in named)
    )
    if not (alone and days and days <= free) or says("asking", fold_text(card.said)):
        return ""
    told = (
        "不排的星期管整个任务类，没法只让{names}例外。想让它们在不同的日子，请不要确认：先把任务类排好，再说每一项放到哪天。",
        "Excluded weekdays are for the task as a whole; {names} cannot be left out of them. To have its items on "
        "different days, do not approve this: have it planned first, then say the day of each.",
    )
    return brief.say(*told, names=brief.say("、", ", ").join(one["name"] for one in named))


def _tell_moves(card: OpenCard) -> str:
    """That nothing moves but what the card shows: does anything else move, which ones change?"""
    text, brief = fold_text(card.said), card.brief
    asks = asks_what_follows(text) and not _NEXT.search(text) and not target_in(card.said, brief).said
    if card.call["name"] == MARK and asks:
        still = ("标记本身不移动别的任务。", "The mark itself moves no other item.")
        places = [_tell_place(card, row) for row in rows_in_time(card.named)]
        return "\n".join(places if places and says("when_asked", text) else [brief.say(*still), *places])
    last, named = brief.view["last_change"], card.named or target_in(card.said, brief).said
    if (
        intent_of(card.said, brief) == "changes"
        and not (card.moved or named or brief.changes)
        and (not last or last["kind"] == "build")
    ):
        return brief.say(*_NOTHING_YET)
    moves = says("within_asked", text) or says("move", text) or asks_what_follows(text) or _FITS.search(text)
    if not (says("asking", text) or asks_whether(card.said)) or not moves or says("polite_form", text):
        return ""
    others = says("others_asked", text)
    if card.call["name"] == "delete_task_class" and card.named and _FITS.search(text):
        owners, told = classes_in(brief.request, brief.classes), ("{name}会一起删掉。", "{name}: deleted with it.")
        return "\n".join(
            brief.say(*told, name=row["name"]) if row["class_id"] in owners else _tell_place(card, row)
            for row in card.named
        )
    if card.moved and card.named and _FITS.search(text) and all(row not in card.moved for row in card.named):
        return "\n".join(_tell_place(card, row) for row in rows_in_time([*card.moved, *card.named]))
    if card.named or not card.moved or target_in(card.said, brief).said or not (others or _WHICH.search(text)):
        return ""
    if not others:
        return "\n".join(_tell_place(card, row) for row in rows_in_time(card.moved))
    names = brief.say("、", ", ").join(row["name"] for row in rows_in_time(card.moved))
    return brief.say("只有{names}会动，别的都不动。", "Only {names} would move; all else stays.", names=names)


_FITS = re.compile(
    r"来得及|影响|放得下|够|怎么[样办]|\b(?:time|room|fits?|affect\w*|in the way|okay|ok|happens?|becomes? of)\b"
)
_WHICH = re.compile(
    r"哪些?[1一几]?[个项章]?(?![天周里儿])|什么(?!时候)|\b(?:what|which|anything)\b(?! (?:day|week|time))"
)


def tell_why(card: OpenCard) -> str:
    """What was said that the card follows, with what it does or leaves to do."""
    text, brief, call = fold_text(card.said), card.brief, card.call
    limits = call["name"] in ("upsert_task_class", "replan", "set_preferences")
    told = card.moved or find_limited(card)
    others = [row for row in card.named if row not in told]
    if not says("why_asked", text) or others or target_in(card.said, brief).said or not (told or limits):
        return ""
    said = brief.own_words if not brief.completed else brief.request
    head = brief.say(
        "因为你说了「{said}」；只在这个范围里找了位置。" if card.moved else "因为你说了「{said}」。",
        'Because you said "{said}"; only places within that were looked at.' if card.moved
        else 'Because you said "{said}".',
        said=said.strip(" 。.!"),
    )  # fmt: skip
    tell = _tell_place if card.moved else _tell_outside_of
    return "\n".join((head, *(tell(card, row) for row in rows_in_time(told))))


CARD_ANSWERS: tuple[Callable[[OpenCard], str], ...] = (
    _tell_whether_done,
    _tell_every_week,
    _tell_not_planned,
    _tell_hours,
    _tell_unkept,
    _tell_left_alone,
    _tell_left_open,
    _tell_last,
    _tell_no_clash,
    _tell_in_order,
    _tell_order,
    _tell_outside,
    _tell_same_day,
    _tell_moves,
    tell_contents,
    tell_count,
    _tell_places,
    tell_as_it_would_be,
)
