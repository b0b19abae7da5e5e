"""Which items a message means that does not name them one by one: pronouns, and several items in one sentence."""

from __future__ import annotations

import re
from dataclasses import replace

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.meaning.ellipsis import names_something, says_it, unknown_name
from agent.llm.offline.language.meaning.intents import intent_of
from agent.llm.offline.language.normalize import fold_numbers, fold_text
from agent.llm.offline.language.spans.alternatives import relation_in
from agent.llm.offline.language.spans.items.groups import EXCEPTION, find_group
from agent.llm.offline.language.spans.items.spoken import UNIT, named_items, spell_out_ordinals, spoken_of
from agent.llm.offline.language.spans.mentions import STATE_ID, classes_in, items_in, without_refusals
from agent.llm.offline.language.spans.targets import (
    THAT_WEEK,
    PlaceTarget,
    join_times,
    place_of,
    shift_in,
    target_in,
    way_in,
)
from agent.llm.offline.language.spans.times.spelling import spell_out_lists
from agent.loop.view_document import TaskView

_CLAUSE = re.compile(r"[,，;；。\n]|然后|接着|再把|\b(?:and then|then)\b|\.(?:\s|$)")
_AND_ALSO = re.compile(r"和|与|跟|以及|\band\b")
_FOR_ALL = re.compile(r"\s*(?:都|全|一律|\ball\b|\bboth\b|\beach\b)")
"""What is said of all items that were named before."""
_MOST_PARTS = 12


def meant_items(message: str, brief: Brief) -> list[TaskView]:
    """The items a message names, or those its pronoun stands for. Several = ambiguous."""
    found = items_in(message, brief)
    if found:
        return found
    group = find_group(message, brief)
    if group is not None and group.items:
        return group.items
    if classes_in(message, brief.classes):
        return []
    spoken = spoken_of(brief)
    if unknown_name(message):
        return []
    pointed = says_it(message) or way_in(message) != 0
    return (
        spoken
        if pointed or (len(spoken) == 1 and not (_asks_to_move(message) and names_something(message, brief)))
        else []
    )


def _asks_to_move(message: str) -> bool:
    """Whether a message has a verb that wants an object."""
    return any(says(verb, fold_text(message)) for verb in ("move", "place", "swap", "remove"))


def without_origin(message: str, brief: Brief) -> str:
    """A message without the time by which it names its item."""
    group = find_group(message, brief)
    return group.rest if group else message


def leaves_some_out(brief: Brief) -> bool:
    """Whether a request about several items names what it leaves out."""
    return find_group(brief.request, brief) is not None and EXCEPTION.search(fold_text(brief.request)) is not None


def parts_of(request: str, brief: Brief) -> list[tuple[TaskView, str]]:
    """A request about several items as one request for each: the item, and what is to be done with it."""
    told = EXCEPTION.sub(" ", fold_text(request)) if EXCEPTION.search(fold_text(request)) else request
    intent = intent_of(told, brief)
    intent = intent_of(request, brief) if intent == "other" else intent
    if relation_in(request, brief) is not None:
        return []
    request = without_refusals(fold_numbers(EXCEPTION.sub(" ", fold_text(request))))
    if intent == "swap":
        return [] if items_in(request, brief) else _days_swapped(request, brief)
    if not _several(request, brief):
        return []
    if _RESPECTIVELY.search(request) and (parts := _one_by_one(request, brief)):
        return parts
    groups: list[tuple[list[TaskView], str]] = []
    for clause in _clauses(request, brief):
        if groups and (week := target_in(groups[-1][1], brief).week):
            clause = THAT_WEEK.sub(brief.say(f"第{week}周", f"week {week}"), clause)
        found = named_items(clause, brief) or items_in(clause, brief)
        if groups and not found and _FOR_ALL.match(clause):
            groups = [(items, f"{text} {_bare(clause, found)}") for items, text in groups]
        elif groups and (not found or not _tells(groups[-1][1], brief)):
            items, text = groups[-1]
            groups[-1] = ([*items, *(row for row in found if row not in items)], f"{text} {_bare(clause, found)}")
        elif found:
            groups.append((found, _bare(clause, found)))
    parts = [(row, f"[{row['state_id']}] {text}") for items, text in groups for row in items]
    return parts if 1 < len(parts) <= _MOST_PARTS else []


_RESPECTIVELY = re.compile(r"分别|各自|\brespectively\b")


def _one_by_one(request: str, brief: Brief) -> list[tuple[TaskView, str]]:
    """第3章和实验三分别放到周五和周六: the first item at the first time, the second at the second."""
    rows, text = named_items(request, brief), spell_out_lists(fold_text(request))
    times = [text[first:last] for first, last, _ in join_times(text, brief)]
    if len(rows) != len(times):
        return []
    return [(row, f"[{row['state_id']}] 移到{time}") for row, time in zip(rows, times, strict=True)]


def _days_swapped(request: str, brief: Brief) -> list[tuple[TaskView, str]]:
    """周三和周四对调, swap next week with the week after: what is on either goes to the other, at its own time."""
    text = spell_out_lists(fold_text(request))
    places = [place_of(times, brief.term) for _, _, times in join_times(text, brief)]
    if len(places) != 2:
        return []
    named = classes_in(request, brief.classes)
    today = (brief.now["week"], brief.now["day_of_week"])
    if not any(place.week or place.run for place in places) and all(place.days for place in places):
        week = today[0] + any(place.days[0] < today[1] for place in places)
        places = [replace(place, week=week) for place in places]
    ends = [_first_day(place, brief) for place in places]
    found = []
    for number, place in enumerate(places):
        here, there = ends[number], ends[1 - number]
        for row in brief.tasks:
            slot = row["slot"]
            if (
                slot is None
                or not replace(place, week=here[0]).covers(slot)
                or (named and row["class_id"] not in named)
            ):
                continue
            day = 7 * (slot["week"] + there[0] - here[0] - 1) + slot["day_of_week"] - 1 + there[1] - here[1]
            goes = f"第{day // 7 + 1}周周{'一二三四五六日'[day % 7]}"
            at = f"{slot['slot_start']}-{slot['slot_end']}节"
            found.append((row, f"[{row['state_id']}] 移到{goes} {at}，放不下就{goes}"))
    return found


def _first_day(place: PlaceTarget, brief: Brief) -> tuple[int, int]:
    """Week and weekday on which a day or a week begins, the coming one where no week is said."""
    if place.run:
        return place.run[0]
    day = place.days[0] if place.days else 1
    return place.week or brief.now["week"] + (bool(place.days) and day < brief.now["day_of_week"]), day


def _clauses(request: str, brief: Brief) -> list[str]:
    """The sentence divided; also at "and" where each side has an item and a time of its own."""
    divided: list[str] = []
    for clause in _CLAUSE.split(spell_out_ordinals(request)):
        sides = _AND_ALSO.split(clause)
        whole = all(items_in(side, brief) and (target_in(side, brief).said or shift_in(side)) for side in sides)
        divided += sides if len(sides) > 1 and whole else [clause]
    return divided


def _several(request: str, brief: Brief) -> bool:
    return bool(named_items(request, brief)) or (says_it(request) and "它们" in request)


def _tells(text: str, brief: Brief) -> bool:
    """Whether these words say what is to be done or where."""
    told = target_in(text, brief).said or shift_in(text) is not None or way_in(text) != 0
    return told or intent_of(text, brief) in ("remove", "swap")


def _bare(clause: str, items: list[TaskView]) -> str:
    """The clause without the names of its items."""
    text = STATE_ID.sub(" ", clause)
    for row in items:
        text = text.replace(fold_numbers(row["name"]), " ")
    return re.sub(
        rf"第\s*\d{{1,3}}\s*(?:{UNIT})|\b(?:chapter|ch|item|part|unit|lecture|lesson|lab|list)\s*\d{{1,3}}", " ", text
    )
