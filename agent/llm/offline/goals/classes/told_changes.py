"""What the turns of a goal tell of a class together, and the arguments by which they change it."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from agent.llm.offline.goals.classes.class_dates import end_said_later, tell_no_later
from agent.llm.offline.goals.classes.class_edit import (
    divide_changes,
    edited_dates,
    edited_items,
    with_items,
)
from agent.llm.offline.goals.classes.described_class import unwritten
from agent.llm.offline.goals.classes.meant_classes import (
    add_exclusions,
    changed_classes,
    find_limits_to_write,
    lift_exclusions,
    own_clauses,
)
from agent.llm.offline.goals.classes.named_contents import leave_out_heard, name_added
from agent.llm.offline.goals.negotiation import find_chosen_way
from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.meaning.clauses import aim_of, clauses_of
from agent.llm.offline.language.meaning.features import Features
from agent.llm.offline.language.meaning.intents import label_of
from agent.llm.offline.language.normalize import fold_text
from agent.llm.offline.language.spans.classes.class_changes import read_content_changes
from agent.llm.offline.language.spans.classes.class_corrections import change_contents, take_name
from agent.llm.offline.language.spans.classes.class_sentence import ClassSlots, read_class
from agent.llm.offline.language.spans.classes.class_times import (
    excludes,
    find_owners,
    is_kept_to,
    read_exclusions,
)
from agent.llm.offline.language.spans.classes.new_class import read_new_class
from agent.llm.offline.language.spans.dates import dates_in, weekdays_in
from agent.llm.offline.language.spans.items.spoken import spoken_of
from agent.llm.offline.language.spans.mentions import all_items, classes_in, items_in
from agent.loop.view_document import ClassView

_NAMES = re.compile(r"课名|课程名|改名|重命名|更名|名称|名字|改叫|\bcall\b|\brename\b|\bname\b", re.IGNORECASE)
NEW_ONE = ("新建一个", "新建", "新的", "A new one", "Create a new one", "new one", "new")
"""How the student takes the option "a new class" when asked which one to plan."""
_IN_NAME = r"(?<![叫为成])(?<!\bit )(?<!\bto )(?<!\bas )"
"""What does not stand before a name that begins a new one: call it Sailing theory."""


def collect_slots(brief: Brief, *, new: bool) -> ClassSlots:
    """What all turns of the goal say together; later words win. Of a `new` class a bare answer may be the name."""
    term = brief.term
    slots = ClassSlots()
    asked = [turn["topic"] for turn in brief.asked] + [brief.interaction["topic"] if brief.interaction else ""]
    turns = [*(unwritten(brief) if new else ()), *brief.turns]
    for number, turn in enumerate(turn for turn in turns if turn not in NEW_ONE):
        made = slots.completed(unnamed=True)
        listing = new or find_chosen_way(brief) is not None or "change_of_class" in asked
        expected = [key for key in made.missing if new or key != "name"] if number and listing else []
        expected += ["items"] if made.placeholders else []
        read = read_new_class if new else read_class
        if new and number:
            turn = leave_out_heard(turn) if "name" in expected else turn
            name, left = take_name(turn, slots)
            slots, left = change_contents(replace(slots, name=name or slots.name), left)
            turn = left if left.strip(" ,，") else ""
        for row in () if new else brief.classes:  # what a name says is no setting: reading Moby Dick
            called = _IN_NAME if _NAMES.search(turn) else ""
            it = brief.say("它", "it")
            turn = re.sub(called + re.escape(row["name"]), it, turn, count=bool(called), flags=re.IGNORECASE)
        slots = slots.then(read(turn, term, expect=expected)) if turn else slots
        if "which_weekday" in asked and weekdays_in(turn):
            slots = replace(slots, excluded_days=tuple(weekdays_in(turn)))
    return slots


def find_changes(brief: Brief, class_id: int) -> dict[str, Any] | str | None:
    """The arguments of the change, a word for an item that is not there, None when nothing changes."""
    said = Features(brief.request, brief)
    if said.plans_with_limits or said.limits_each or said.standing:
        limits, row = find_limits_to_write(brief, class_id), brief.class_of(class_id)
        if row and limits and (ends := _find_ends_beside(brief, row, said)):
            limits = {**limits, "task_class": {**ends.arguments(class_id)["task_class"], **limits["task_class"]}}
        order = edited_items(brief, row, brief.request, sole=True) if row and said.orders_only else None
        listed = (
            [{key: value for key, value in one.items() if value} for one in order] if isinstance(order, list) else []
        )
        return {**(limits or {"id": class_id}), "items": listed} if listed else limits
    row, slots = brief.class_of(class_id), collect_slots(brief, new=False)
    name = row["name"] if row else ""
    read = read_content_changes(brief.request, brief.before_goal).told
    told = (one for one in read if one.kind == "rename" and not one.items)
    renamed = next((one.names[0] for one in told if class_id in one.classes and one.names), "")
    for turn in name_added(brief.turns, brief):
        if row is None:
            break
        lifted = Features(turn, brief).lifted_from
        changed = _changes_of(brief, row, _of_class(brief, row, turn)) if not lifted else None
        if changed is not None:
            return _with_name(changed, renamed)
    if renamed and len(changed_classes(brief)) > 1:
        return _with_name({"id": class_id}, renamed)  # what else is told is of another class
    of_items = label_of(brief.request, brief) == "class_items" and not Features(brief.request, brief).lifted_from
    if of_items and not (slots.name not in ("", name) and _NAMES.search(brief.request) and not spoken_of(brief)):
        return None
    slots = replace(slots, name=renamed or slots.name)
    if slots.name == name or not any(_NAMES.search(turn) for turn in brief.turns):
        slots = replace(slots, name="")
    if slots.parts and not slots.items:
        slots = replace(slots, items=tuple(f"{slots.name or name} {n}" for n in range(1, slots.parts + 1)))
    if slots.each and row and not slots.items and not slots.total:
        return _set_lengths(brief, row, slots)
    if slots.items and not slots.total:
        slots = replace(slots, total=2 * len(slots.items))
    slots = lift_exclusions(brief, slots, row)
    slots = _shorten_items(slots, row) if row else slots
    arguments = slots.arguments(class_id)
    return arguments if arguments.get("task_class") or arguments.get("items") else None


def _find_ends_beside(brief: Brief, row: ClassView, said: Features) -> ClassSlots | None:
    """The other dates of a class that are told beside the times it leaves free, or its plan: by how much later alone,
    for a plan holds those that are told by a day."""
    if said.standing:
        return edited_dates(brief, row, brief.request)
    own = [one for one in clauses_of(brief.request) if row["id"] in find_owners(one, brief)]
    ends = [one for one in own if Features(one, brief).changes_end]
    return edited_dates(brief, row, ends[0]) if ends else None


def _set_lengths(brief: Brief, row: ClassView, slots: ClassSlots) -> dict[str, Any]:
    """A change that gives all items of a class one length: a total alone would change none that has its own."""
    items = [{"id": item["id"], "content": item["content"], "duration": slots.each} for item in row["items"]]
    total = (slots.each or 0) * len(items)
    return {**replace(slots, total=total, name="").arguments(row["id"]), "items": items}


def _with_name(changed: dict[str, Any] | str, name: str) -> dict[str, Any] | str:
    if isinstance(changed, str) or not name:
        return changed
    return {**changed, "task_class": {**changed.get("task_class", {}), "name": name}}


def _of_class(brief: Brief, row: ClassView, turn: str) -> str:
    """The clauses of a turn about several classes that are about this one: each its own date."""
    clauses = clauses_of(turn) if len(classes_in(turn, brief.classes)) > 1 else []
    owners, own = list[int](), list[str]()
    for clause in clauses:
        owners = classes_in(clause, brief.classes) or owners
        own += [clause] if row["id"] in owners else []
    told = ", ".join(own)
    dated = label_of(turn, brief) == "class_dates" and not read_content_changes(turn, brief).told
    return told if dated and own and edited_dates(brief, row, told, dated=True) is not None else turn


def _sets_more(clause: str, brief: Brief) -> bool:
    """Whether a clause beside other contents sets something of the class as well."""
    settings = ("class_times", "class_rules", "class_dates", "wish")
    return aim_of(clause, brief) in settings and not Features(clause, brief).has("length")


def _changes_of(brief: Brief, row: ClassView, turn: str) -> dict[str, Any] | str | None:
    """What a turn changes of the contents and the dates of a class, with what other clauses set beside that; a word
    for what is not there, None where it changes neither."""
    rules = aim_of(turn, brief) == "class_rules" and not items_in(turn, brief, among=all_items(brief))
    made = None if rules else edited_items(brief, row, turn, sole=len(changed_classes(brief)) < 2)
    if isinstance(made, str):
        return made
    dates, rest = ClassSlots(), ClassSlots()
    read = read_content_changes(turn, brief.before_goal)
    several = turn == brief.request and len(changed_classes(brief)) > 1
    clauses = [one for one, owner in own_clauses(brief, read.left) if not several or owner in (0, row["id"])]
    left = turn if made is None and not several else ", ".join(clauses)
    pieces = divide_changes(left, brief) if left else []
    for piece in pieces:
        if (ends := edited_dates(brief, row, piece, dated=several or turn not in brief.turns)) is not None:
            if told := tell_no_later(brief, row, piece, ends.end):
                if (answer := end_said_later(brief, row)) is None:
                    return told
                ends = replace(ends, end=answer)
            bare = [one for one in clauses_of(piece) if not dates_in(one, brief.term)]
            free = [one for one in bare if excludes(fold_text(one)) or is_kept_to(fold_text(one), brief)]
            dates = dates.then(ends).then(ClassSlots(**read_exclusions("，".join(free), brief.term)))
        elif _sets_more(piece, brief) if made else len(pieces) > 1:
            said = read_class(piece, brief.term)
            rest = rest.then(said if _NAMES.search(piece) else replace(said, name=""))
    if not made and dates == ClassSlots():
        return None
    listed = [{key: value for key, value in one.items() if value} for one in made or ()]
    rest = replace(rest, total=None) if any(one.lengths for one in read.told) else rest
    total, listed = with_items(dates.then(rest), row, listed, brief.tasks) if made else (dates.then(rest), [])
    total = add_exclusions(total, row)
    total = replace(total, total=rest.each * len(listed)) if rest.each and made else total
    return {**total.arguments(row["id"]), **({"items": listed} if made else {})}


def _shorten_items(slots: ClassSlots, row: ClassView) -> ClassSlots:
    """A total below the number of items keeps as many of the first items as it has room for at their length."""
    known, before = row["items"], row["sections"]
    if slots.items or not slots.total or not before or slots.total >= len(known):
        return slots
    kept = known[: max(1, slots.total * len(known) // before)]
    return replace(slots, items=tuple(item["content"] for item in kept))
