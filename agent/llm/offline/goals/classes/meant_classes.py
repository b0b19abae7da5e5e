"""Which classes a change is meant for: one, several with changes of their own, or all; and what times they leave."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import Any, Literal

from agent.llm.offline.goals.negotiation import find_chosen_way
from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.meaning.clauses import aim_of, clauses_of
from agent.llm.offline.language.meaning.facts import find_spoken_classes
from agent.llm.offline.language.meaning.features import Features, owners_of_exclusion
from agent.llm.offline.language.meaning.intents import label_of
from agent.llm.offline.language.meaning.standing_rules import Opened, cells_of, read_opened
from agent.llm.offline.language.normalize import fold_text
from agent.llm.offline.language.spans.classes.class_changes import read_content_changes
from agent.llm.offline.language.spans.classes.class_sentence import ClassSlots
from agent.llm.offline.language.spans.classes.class_times import find_owners
from agent.llm.offline.language.spans.classes.item_lengths import read_lengths
from agent.llm.offline.language.spans.dates import dates_in, part_in, sections_in, weekdays_in
from agent.llm.offline.language.spans.items.counted import find_counted_items
from agent.llm.offline.language.spans.items.groups import EXCEPTION
from agent.llm.offline.language.spans.items.mention_signs import find_mentioned
from agent.llm.offline.language.spans.items.spoken import named_items, spoken_of
from agent.llm.offline.language.spans.mentions import all_items, classes_in, items_in, said_names
from agent.llm.offline.language.spans.times.semester import WEEKDAYS, SemesterDates
from agent.loop.view_document import ClassView, TaskView

WHAT_TO_CHANGE = {
    "expand_window": ("新的起止日期是哪天到哪天？", "What are the new start and end dates?"),
    "relax_constraints": (
        "放宽哪一项？例如「周日可以排」「晚上可以排」「可嵌入」。",
        'What may be relaxed? For example "Sundays may be used", "evenings may be used", "may embed".',
    ),
    "reduce_scope": (
        "缩小到多少？例如「共8节」，或列出要保留的内容：内容：第1章、第2章。",
        'How much should stay? For example "8 sections", or list what to keep: "items: chapter 1, chapter 2".',
    ),
}


def is_for_all(brief: Brief) -> bool:
    """Whether times are to be kept free in every plan, so that each class is changed."""
    said = Features(brief.request, brief)
    if said.plans_with_limits or said.limits_each or said.plan_dates or said.standing:
        return True
    dated = changes_dates(brief) and (len(said.classes) > 1 or bool(_find_excepted(brief)))
    if said.lifted_from or len(changed_classes(brief)) > 1:
        return True
    return len(all_classes(brief)) > 1 and (said.weekly_off or said.ends_all or dated)


def _find_excepted(brief: Brief) -> list[int]:
    """The classes that a change of all others leaves out: 除了线代，其他的, everything except linear algebra."""
    said = EXCEPTION.finditer(fold_text(brief.request))
    return [one for found in said for one in classes_in(found.group(), brief.classes)]


def changes_dates(brief: Brief) -> bool:
    return label_of(brief.request, brief) == "class_dates" or Features(brief.request, brief).changes_end


def all_classes(brief: Brief) -> list[int]:
    """The classes that a change of all is about, of them those alone whose items the request names."""
    found = _find_all_classes(brief)
    return found if found == changed_classes(brief) else keep_named(found, brief)


def _find_all_classes(brief: Brief) -> list[int]:
    """The classes that a change of all is about: of the plan, or of the student for a last day of everything."""
    said = Features(brief.request, brief)
    if said.lifted_from:
        return said.lifted_from
    if said.plans_with_limits or said.limits_each or said.plan_dates:
        return [one for one in said.limits if find_limits_to_write(brief, one) is not None]
    if said.standing:
        return [one for one in said.standing if find_limits_to_write(brief, one) is not None]
    if len(changed := changed_classes(brief)) > 1:
        return changed
    if changes_dates(brief) and (out := _find_excepted(brief)):
        return [row["id"] for row in brief.classes if row["id"] not in out]
    if changes_dates(brief) and len(said.classes) > 1:
        kept = _kept_classes(brief)
        return [one for one in said.classes if one not in kept] or list(said.classes)
    every = said.ends_all or said.weekly_off or not brief.scope
    return [row["id"] for row in brief.classes] if every else list(brief.scope)


def changed_classes(brief: Brief) -> list[int]:
    """The classes whose contents the request changes, with those whose dates other clauses of it change."""
    read = read_content_changes(brief.request, brief.before_goal)
    written = [row["arguments"] for row in brief.results if row["tool"] == "upsert_task_class"]
    told = [one.classes[0] for one in read.told if len(one.classes) == 1]
    longer = dict.fromkeys(row["class_id"] for rows, _ in read_lengths(brief.request, brief) for row in rows)
    told += longer if len(longer) > 1 else ()
    beside = (read_lengths(clause, brief) for clause in read.left) if read.told else ()
    told += [row["class_id"] for sized in beside for rows, _ in sized for row in rows]
    tried = [one.get("id") for one in written]
    if not told and not any(one.get("items") for one in written):
        return []
    told += [owner for clause, owner in own_clauses(brief, read.left) if owner and _dates_class(clause, brief)]
    return list(dict.fromkeys([*(one for one in tried if one), *told]))


def _dates_class(clause: str, brief: Brief) -> bool:
    """Whether a clause gives a class another first or last day."""
    said = Features(clause, brief)
    return said.changes_end or said.starts_later or (bool(said.slots.start) and aim_of(clause, brief) == "class_dates")


def own_clauses(brief: Brief, clauses: tuple[str, ...]) -> list[tuple[str, int]]:
    """Each clause with the class that it names, or that the one before it names; 0 where none does."""
    owned, owner = list[tuple[str, int]](), 0
    for clause in clauses:
        ids = classes_in(clause, brief.classes)
        owner = ids[0] if len(ids) == 1 else owner
        owned.append((clause, owner))
    return owned


_KEEPS = re.compile(r"不变|照旧|保持|不动|别动|\b(?:keep|leave|as (?:it|they) (?:is|are)|unchanged|don't change)\b")


def _kept_classes(brief: Brief) -> list[int]:
    """The classes whose dates are to stay, named where it is said and in what follows it without a date."""
    kept, keeps = list[int](), False
    for clause in clauses_of(brief.request):
        keeps = _KEEPS.search(fold_text(clause)) is not None or (keeps and not dates_in(clause, brief.term))
        kept += classes_in(clause, brief.classes) if keeps else []
    return kept


def find_class_meant(brief: Brief) -> int | None:
    if len(lifted := Features(brief.request, brief).lifted_from) == 1:
        return lifted[0]
    kept = _kept_classes(brief)
    for turn in brief.turns:
        ids = owners_of_exclusion(turn, brief) or classes_in(turn, brief.classes)
        ids = [one for one in ids if one not in kept] or ids
        if len(ids) == 1:
            return ids[0]
        named = items_in(turn, brief, among=all_items(brief)) or find_counted_items(turn, brief)
        owners = {item["class_id"] for item in named}
        if len(owners) == 1:
            return int(owners.pop())
    again = [one.classes for one in read_content_changes(brief.request, brief).told if one.back and one.classes]
    if again and len(again[0]) == 1:
        return again[0][0]
    if len(spoken := find_spoken_classes(brief)) == 1:
        return spoken[0]
    if len(owners := {row["class_id"] for row in spoken_of(brief)}) == 1:
        return int(owners.pop())
    if len(owners_said := find_owners(brief.request, brief)) == 1:
        return owners_said[0]
    if len(brief.scope) == 1:
        return brief.scope[0]
    short = {row["class_id"] for row in brief.tasks if row["status"] == "pending" and row["class_id"] in brief.scope}
    if len(short) == 1 and find_chosen_way(brief) in WHAT_TO_CHANGE:
        return int(short.pop())
    return int(brief.classes[0]["id"]) if len(brief.classes) == 1 else None


def keep_named(ids: Sequence[int], brief: Brief) -> list[int]:
    """Those of the classes whose items the request names; all where it names none."""
    owners = _find_owners(brief)
    return [one for one in ids if one in owners] or [*ids]


def _find_owners(brief: Brief) -> list[int]:
    """The classes of the items that the request names, where it names no class."""
    text = fold_text(brief.request)
    named = said_names(text, brief) or says("all", text)
    return [] if named else sorted({row["class_id"] for row in _find_items(brief)})


def _find_items(brief: Brief) -> list[TaskView]:
    named = named_items(brief.request, brief) or items_in(brief.request, brief, among=all_items(brief))
    return named or find_mentioned(brief.request, brief)


def tell_whole_class(class_id: int, brief: Brief) -> str:
    """That times kept free are those of all items of a class, where the request only names some of them."""
    row = brief.class_of(class_id)
    if row is None or class_id not in _find_owners(brief) or len(_find_items(brief)) >= row["item_count"]:
        return ""
    return brief.say(
        "这样的时间限制只能给整个任务类设，「{name}」的每一项都会照它排。",
        ' Such times can only be set for a whole class: they hold for every item of "{name}".',
        name=row["name"],
    )


def find_limits_to_write(brief: Brief, class_id: int) -> dict[str, Any] | None:
    """The arguments by which a class keeps to what its plan is limited to; None where it does so already."""
    said, row = Features(brief.request, brief), brief.class_of(class_id)
    slots = (said.standing or said.limits).get(class_id)
    if slots is None or row is None:
        return None
    slots = add_exclusions(slots, row)
    known = ClassSlots(
        start=date.fromisoformat(row["start_date"]) if slots.start and row["start_date"] else None,
        end=date.fromisoformat(row["end_date"]) if slots.end and row["end_date"] else None,
        excluded_days=tuple(row["excluded_days"]) if slots.excluded_days is not None else None,
        excluded_blocks=tuple(row["excluded_blocks"]) if slots.excluded_blocks is not None else None,
        excluded_cells=tuple((day, block) for day, block in row["excluded_cells"])
        if slots.excluded_cells is not None
        else None,
    )
    return None if slots == known else slots.arguments(class_id)


def lift_exclusions(brief: Brief, slots: ClassSlots, row: ClassView | None) -> ClassSlots:
    """周日可以排 takes back an exclusion; what is excluded now joins what was."""
    slots = add_exclusions(slots, row) if row else slots
    if row and (allowed := read_opened("\n".join(brief.turns), brief)):
        return _open_times(slots, row, allowed, brief.term)
    clauses = re.split(r"[,，。;；!\n.]|\bbut\b", fold_text(" ".join(brief.turns)))
    opened = " ".join(clause for clause in clauses if says("open_up", clause))
    opened = opened or (clauses[0] if Features(brief.request, brief).lifted_from else "")
    if not opened or not row:
        return slots
    days, cells = (
        set(weekdays_in(opened)),
        {(day, block) for day, block in slots.excluded_cells or row["excluded_cells"]},
    )
    sections = part_in(opened, brief.term) or sections_in(opened, brief.term)
    first, last = sections or (1, brief.term.sections)
    blocks = set(range((first + 1) // 2, ((last or first) + 1) // 2 + 1))
    every = not days and not sections and not slots.excludes
    said: dict[str, Any] = {}
    if days or every:
        said["excluded_days"] = set(slots.excluded_days or row["excluded_days"]) - (days or set(range(1, 8)))
    if sections or every:
        said["excluded_blocks"] = set(slots.excluded_blocks or row["excluded_blocks"]) - blocks
    left = {(day, block) for day, block in cells if (days and day not in days) or block not in blocks}
    said |= {"excluded_cells": left} if left != cells else {}
    changed: dict[str, Any] = {name: tuple(sorted(one)) for name, one in said.items()}
    return replace(slots, **changed)


def _open_times(slots: ClassSlots, row: ClassView, opened: Opened, term: SemesterDates) -> ClassSlots:
    """The slots with what a class leaves free still, of what changes by times that are allowed again."""
    known: dict[str, Any] = {
        name: tuple(tuple(one) if isinstance(one, list) else one for one in row[name]) for name in _EXCLUSIONS
    }
    told = [getattr(slots, name) if getattr(slots, name) is not None else known[name] for name in _EXCLUSIONS]
    left = opened.left_of(cells_of(told[0], told[1], told[2], term), term)
    changed: dict[str, Any] = {name: cells if cells != known[name] else None for name, cells in left.items()}
    return replace(slots, **changed)


_EXCLUSIONS: tuple[Literal["excluded_days", "excluded_blocks", "excluded_cells"], ...] = (
    "excluded_days", "excluded_blocks", "excluded_cells",
)  # fmt: skip


def add_exclusions(slots: ClassSlots, row: ClassView) -> ClassSlots:
    """What is to be kept free besides what the class keeps free already; alone where both leave no day at all: weekends
    only takes the place of Tuesdays only."""
    known: dict[str, Any] = {"excluded_days": row["excluded_days"], "excluded_blocks": row["excluded_blocks"],
             "excluded_cells": [(day, block) for day, block in row["excluded_cells"]]}  # fmt: skip
    said = {name: getattr(slots, name) for name in known if getattr(slots, name) is not None}
    joined: dict[str, Any] = {name: tuple(sorted({*known[name], *values})) for name, values in said.items()}
    if len(joined.get("excluded_days", ())) == len(WEEKDAYS):
        joined["excluded_days"] = tuple(said["excluded_days"])
    return replace(slots, **joined)
