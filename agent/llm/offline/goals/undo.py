"""Changes that are wished back, in the draft and beside it: the last one, the last few, or all of them."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

from agent.llm.offline.goals.decisions import (
    WRITES,
    Decision,
    call,
    finish,
    give_up,
    say_after_that,
    within,
)
from agent.llm.offline.goals.items.obstacles import refusal
from agent.llm.offline.goals.wishes import NO_LIMIT
from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.class_batches import WRITE, WRITE_ALL
from agent.llm.offline.language.meaning.ellipsis import says_it
from agent.llm.offline.language.meaning.intents import intent_of
from agent.llm.offline.language.normalize import fold_numbers, fold_text
from agent.llm.offline.language.spans.conditions.wishes import drops_said_limit
from agent.llm.offline.language.spans.items.wished_back import COUNTS, read_wished_back
from agent.llm.offline.language.spans.mentions import items_in
from agent.llm.offline.language.spans.revert import (
    MOVES,
    Step,
    Value,
    find_limit,
    find_named_step,
    find_steps,
    is_plan,
    was_kept_free,
)
from agent.llm.offline.language.spans.targets import index_of, target_in
from agent.llm.offline.language.texts import find_written
from agent.loop.view_document import PlaceView, TaskView
from agent.tools.arguments.task_class import CLASSES_MAX
from taskclasses.fields import CLASS_FIELDS

Json = dict[str, Any]
CLASS_WRITE, DELETE = WRITE, "delete_task_class"
NOTHING = (
    "这次对话里草稿没有改动过，没有可以撤销的。课表里的改动，请在课表页点「撤销上次应用」。",
    "The draft has not been changed in this conversation, so there is nothing to undo. What is in the timetable "
    'already is taken back with "Undo last apply" on the timetable page.',
)
BUILT = (
    "排出计划之后草稿没有再改动过。要把整个计划撤掉，请说「把{name}全部移出」；课表里的改动，请在课表页点「撤销上次应用」。",
    'Nothing has been changed since the plan was made. To take all of it away, say "take all of {name} out"; what '
    'is in the timetable already is taken back with "Undo last apply" on the timetable page.',
)
APPLIED = (
    "应用到课表的，请在课表页点「撤销上次应用」，会回到应用之前；草稿我没有动。",
    'What was applied is taken back with "Undo last apply" on the timetable page: it is then as before. I left the '
    "draft as it is.",
)
DELETED = (
    "任务类已经删掉了，我不能恢复；要找回来，请在课表页点「撤销上次应用」。",
    'The task class is deleted, which I cannot take back; press "Undo last apply" on the timetable page to have it '
    "again.",
)
CHANGED_SINCE = (
    "{name}在那之后又改过，没法直接恢复成原来的，什么都没有改。要改成什么，请直接说。",
    "{name} was changed otherwise since then, so it cannot simply be put back; nothing was changed. Please say how it "
    "should be.",
)
NOT_CHANGED = (
    "{name}这次没有改动过，还在原来的位置，什么都没有改。",
    "{name} has not been changed in this conversation and is where it was; nothing was changed.",
)
NOT_SO_MANY = (
    "这次对话里还算数的改动只有 {count} 次，没有你说的那一次，什么都没有改。要撤销哪一次，请说它改的是哪一项。",
    "Changes of this conversation that still hold: {count}. The one that you count is none of them, and nothing was "
    "changed. To undo one, say which item it changed.",
)
AS_BEFORE = ("恢复成改动之前的样子，请确认。", "Back to how it was before; please approve.")
NOT_POSSIBLE = (
    "现在没法恢复成原来的样子了，没有改动。要改成什么，请直接说。",
    "It cannot be put back as it was any more; nothing was changed. Please say how it should be.",
)
KEPT_FREE = (
    "好的，草稿没有改动。那天要是记过「空出时间」，请在课表的「调课、假期与考试」里删掉那一条，再说「从头排」就会用上它。",
    "All right; the draft is as it was. If that time was noted as kept free, delete the note on the timetable page "
    'under "Changes, days off and exams"; "rebuild" then uses it again.',
)
STILL_FREE = (
    "刚才空出的时间我在这里放不开，什么都没有改。请在课表的「调课、假期与考试」里删掉那一条，再说为它移过的项移回哪里，或说「从头排」。",
    "I cannot take back here that this time is kept free; nothing was changed. Please delete the note on the timetable "
    'page under "Changes, days off and exams"; then say where the items that moved for it go, or "rebuild".',
)
MOST = 10
"""Moves of one card."""
_APPLY = re.compile(r"应用|写[入进]|课表|\bappl(?:y|ied)\b|\btimetable\b")
_ALL = re.compile(
    r"(?:全部|所有|一切)(?!放|移|挪)|都(?:撤|恢复|还原)|最(?:初|开始|早)(?!的[名截日长顺])"
    r"|\b(?:all (?:of )?(?:the |my |your |these |those )?(?:changes|edits|moves|steps)|(?:undo|revert) (?:it )?all"
    r"(?! of (?:that|it|this|them)\b)"
    r"|everything|original(?:ly)?(?! (?:name|deadline|end|dates?|length|order|total|strategy))|the start)\b"
)
_COUNT = re.compile(
    r"(\d{1,2})\s*(?:次|步|个(?:改动|修改|操作)|处)|\b(?:last|previous) (\d{1,2})\b"
    r"|\b(\d{1,2}) (?:changes|steps|moves)\b"
)


def undo_text(brief: Brief) -> str:
    """Why nothing is taken back here, and the way there; empty when something can be."""
    if _APPLY.search(fold_numbers(brief.request)):
        return brief.say(*APPLIED)
    if "delete_task_class" in find_written(brief):
        return brief.say(*DELETED)
    if drops_said_limit(fold_text(brief.own_words)) and find_limit(brief) is None and not _was_limited(brief):
        return brief.say(*NO_LIMIT)
    chosen = read_wished_back(brief.own_words, brief)
    if chosen is not None and (told := _refuse_chosen(brief, chosen)):
        return told
    newest = not chosen or chosen[-1] == find_steps(brief)[-1]
    if newest and not items_in(brief.own_words, brief) and was_kept_free(brief):
        return brief.say(*STILL_FREE)
    former, last, values = _find_former_places(brief), brief.view["last_change"], _find_former_values(brief)
    if values:
        changed = next((key for key, one in values.items() if not one.stands), None)
        return brief.say(*CHANGED_SINCE, name=_name_owner(brief, *changed)) if changed else ""
    if chosen is not None:
        return ""
    if _is_of_other_days(brief, former):
        return brief.say(*KEPT_FREE)
    built = last is not None and last["kind"] == "build" and any(place for _, place in former)
    built = built or not _find_former_places(brief, plans=False)
    if former and built and not _ALL.search(fold_numbers(brief.request)):
        planned = dict.fromkeys(row["class_id"] for row in brief.tasks if row["slot"])
        return brief.say(*BUILT, name=brief.say("和", " and ").join(brief.name_of(one) for one in planned))
    return "" if former else brief.say(*NOTHING)


def _refuse_chosen(brief: Brief, chosen: list[Step]) -> str:
    """Why changes that were chosen are not taken back: there is none, or one of their items was moved otherwise
    since."""
    if not chosen:
        made = [one for at, one in enumerate(find_steps(brief)) if at or not is_plan(one)]
        if made and COUNTS.search(fold_numbers(brief.own_words)):
            return brief.say(*NOT_SO_MANY, count=len(made))
        named = items_in(brief.own_words, brief)
        return brief.say(
            *(NOT_CHANGED if named else NOTHING), name=brief.say("、", ", ").join(r["name"] for r in named)
        )
    stands = {item: after for step in chosen for item, (_, after) in step.places.items()}
    changed = [row for row in brief.tasks if row["item_id"] in stands and not _is_where(row, stands[row["item_id"]])]
    return brief.say(*CHANGED_SINCE, name=changed[0]["name"]) if changed else ""


def _was_limited(brief: Brief) -> bool:
    """Whether the last thing that was written was moved for a limit."""
    turns = [(one, two) for one, two in pairwise(brief.earlier) if one["role"] == "user" and two["wrote"]]
    return bool(turns) and intent_of(turns[-1][0]["text"], brief) in ("limit", "wish", "replan")


def _is_of_other_days(brief: Brief, former: list[tuple[TaskView, PlaceView | None]]) -> bool:
    """Whether a day is to be as before, and no change that is to be taken back took anything from it."""
    target = target_in(brief.request, brief)
    days = [(place["week"], place["day_of_week"]) for _, place in former if place]
    there = [day for week, day in days if target.week in (None, week)]
    if not target.dated or says_it(brief.request):
        return False
    return not (set(there) & set(target.days) if target.days else there)


def undo_changes(brief: Brief) -> Decision | None:
    """The next step of a goal that takes changes back; None when the goal is another."""
    if intent_of(brief.request, brief) != "undo":
        return None
    refused = brief.last_answer("tool", "reject")
    if refused is not None:
        return give_up("kept", brief.say("好的，保持现在的样子。", "All right, it stays as it is."))
    last = brief.results[-1] if brief.results else None
    if last is not None and last["tool"] in MOVES and last["status"] != "done":
        timed = target_in(brief.request, brief).dated
        return give_up("refused", brief.say(*KEPT_FREE) if timed else refusal(brief, last))
    if brief.whole is not None and last is not None and last["tool"] in MOVES:
        return finish(brief, "undo: done")
    left = _join_classes([one for one in _list_calls(brief) if not _is_done(brief, *one)])
    tried = CLASS_WRITE if left and left[0][0] == WRITE_ALL else left[0][0] if left else ""
    if left and last is not None and last["tool"] == tried and last["status"] != "done":
        return give_up("refused", brief.say(*NOT_POSSIBLE))
    if not left:
        return _put_places_back(brief)
    after = [brief.names_of([one["id"]]) for _, one in left[1:] if "id" in one]
    moved = any(before for step in _find_wished(brief) for before, _ in step.places.values())
    after += [brief.say("各项回到原来的时间", "the items go back to their times")] if moved else []
    told = brief.say(*AS_BEFORE) + (brief.say("", " ") + say_after_that(brief, after) if after else "")
    return call(brief, *left[0], speak=told)


def _join_classes(calls: list[tuple[str, Json]]) -> list[tuple[str, Json]]:
    """The calls with one in place of several that change classes and no contents: one card asks for all of them."""
    alike = [one for one in calls if one[0] == CLASS_WRITE and one[1].keys() == {"id", "task_class"}][:CLASSES_MAX]
    if len(alike) < 2:
        return calls
    return [(WRITE_ALL, {"classes": [given for _, given in alike]}), *(one for one in calls if one not in alike)]


def _put_places_back(brief: Brief) -> Decision:
    """The next step of items going back to where they were."""
    out, moved, placed = _steps(brief)
    if out:
        return (
            call(brief, "batch_unplace", {"task_ids": out})
            if len(out) > 1
            else call(brief, "unplace", {"task_id": out[0]})
        )
    if len(moved) > 1:
        return call(brief, "batch_move", {"moves": [_move(*one) for one in moved[:MOST]]})
    if moved:
        return call(brief, "move", _move(*moved[0]))
    if placed:
        task_id, day, first = placed[0]
        return call(brief, "place", {"task_id": task_id, "day": day, "slot_start": first})
    made = brief.changes or brief.done(*WRITES)
    return finish(brief, "undo: done") if made else give_up("nothing_to_undo", brief.say(*NOTHING))


def _is_done(brief: Brief, name: str, arguments: Json) -> bool:
    done = (row for row in brief.results if row["tool"] == name and row["status"] == "done")
    return any(_is_for(arguments, row["arguments"]) for row in done)


def _is_for(arguments: Json, other: Json) -> bool:
    """Whether two calls of a tool are for the same: what a class has now is told by other ids once it is written."""
    return "id" in arguments and arguments["id"] == other.get("id") if "id" in arguments else within(arguments, other)


def _list_calls(brief: Brief) -> list[tuple[str, Json]]:
    """The calls that give what was written beside the draft its former values."""
    values = {key: one.before for key, one in _find_former_values(brief).items()}
    calls = list[tuple[str, Json]]()
    for owner in dict.fromkeys(owner for tool, owner, _ in values if tool == CLASS_WRITE):
        own = {field: before for (tool, of, field), before in values.items() if (tool, of) == (CLASS_WRITE, owner)}
        calls.append((DELETE, {"task_class_id": owner}) if "" in own else (CLASS_WRITE, _class_call(brief, owner, own)))
    said = [(owner, before) for (tool, owner, _), before in values.items() if tool == "mark_items"]
    for mark in [one for at, (_, one) in enumerate(said) if one not in [two for _, two in said[:at]]]:
        ids = [owner for owner, one in said if one == mark]
        calls.append(("mark_items", {"task_item_ids": ids, **mark}))
    wishes = list[Json]()
    for (tool, owner, kind), before in values.items():
        if tool == "set_preferences":
            of = {"kind": kind, **({"task_class_id": owner} if owner else {})}
            wishes += [of, *({**of, **one} for one in before)]  # the first of them takes back what holds now
    return [*calls, *([("set_preferences", {"wishes": wishes})] if wishes else [])]


def _class_call(brief: Brief, class_id: int, fields: Json) -> Json:
    """A class with the former values of these fields; an item that was removed is added again."""
    row, config = brief.class_of(class_id), {one.name for one in CLASS_FIELDS if one.config}
    free = {item["id"]: item["content"] for item in row["items"]} if row else {}
    items = list[Json]()
    for item in fields.get("items", ()):
        again = next((one for one, name in free.items() if name == item["content"]), None)
        item_id = item["id"] if item["id"] in free else again
        items.append({key: one for key, one in {**item, "id": item_id}.items() if one is not None})
        free.pop(item_id or 0, None)
    lists = {one.name for one in CLASS_FIELDS if one.is_list}
    plain = {key: one or [] if key in lists else one for key, one in fields.items() if key != "items"}
    plain = {key: one for key, one in plain.items() if one is not None}
    told: Json = {key: one for key, one in plain.items() if key not in config}
    told |= {"config": rest} if (rest := {key: one for key, one in plain.items() if key in config}) else {}
    return {"id": class_id, **({"task_class": told} if told else {}), **({"items": items} if items else {})}


def _name_owner(brief: Brief, tool: str, owner: int, _field: str) -> str:
    names = {row["item_id"]: row["name"] for row in brief.tasks} if tool == "mark_items" else {}
    row = brief.class_of(owner)
    name = names.get(owner) or (row["name"] if row else "")
    return brief.say("「{name}」", '"{name}"', name=name) if name else brief.say("那里", "That")


def _move(task_id: int, day: int, first: int) -> dict[str, int]:
    return {"task_id": task_id, "new_day": day, "new_slot_start": first}


def _steps(brief: Brief) -> tuple[list[int], list[tuple[int, int, int]], list[tuple[int, int, int]]]:
    """The items to take out, to move and to place, each with its former day and section."""
    out: list[int] = []
    moved: list[tuple[int, int, int]] = []
    placed: list[tuple[int, int, int]] = []
    for item, place in _find_former_places(brief, plans=False):
        if place is None:
            out += [item["state_id"]] if item["slot"] else []
            continue
        day = index_of(brief, place["week"], place["day_of_week"])
        if day is None or _is_at(item, place):
            continue
        (moved if item["slot"] else placed).append((item["state_id"], day, place["section_from"]))
    return out, moved, placed


def _is_where(item: TaskView, place: PlaceView | None) -> bool:
    return item["slot"] is None if place is None else _is_at(item, place)


def _is_at(item: TaskView, place: PlaceView) -> bool:
    slot = item["slot"]
    return slot is not None and (slot["week"], slot["day_of_week"], slot["slot_start"]) == (
        place["week"], place["day_of_week"], place["section_from"],
    )  # fmt: skip


def _is_whole_plan(step: Step, brief: Brief) -> bool:
    """Whether a turn only made the plan of all that has a place: it is taken away by name."""
    placed = {row["item_id"] for row in brief.tasks if row["slot"]}
    return is_plan(step) and placed <= {*step.places}


def _find_wished(brief: Brief) -> list[Step]:
    """The turns that are wished back, oldest first."""
    if (chosen := read_wished_back(brief.own_words, brief)) is not None:
        return chosen
    stack, text = find_steps(brief), fold_numbers(brief.request)
    if drops_said_limit(fold_text(brief.own_words)) and (limit := find_limit(brief)):
        return [limit]
    named = find_named_step(fold_text(brief.own_words), stack)
    if named is not None and not _ALL.search(text):
        return [named]
    count = _COUNT.search(text)
    if _ALL.search(text):
        return stack[1:] if len(stack) > 1 and is_plan(stack[0]) else stack  # the plan that was changed stays
    many = int(next(filter(None, count.groups()))) if count else 1
    return stack[len(stack) - min(many, len(stack)) :]


def _find_former_values(brief: Brief) -> dict[tuple[str, int, str], Value]:
    """The values beside the draft that are wished back, with whether they are still as they became last."""
    found: dict[tuple[str, int, str], Value] = {}
    for step in reversed(_find_wished(brief)):
        found |= {key: one._replace(stands=found.get(key, one).stands) for key, one in step.values.items()}
    return found


def _find_former_places(brief: Brief, *, plans: bool = True) -> list[tuple[TaskView, PlaceView | None]]:
    """Where the items of the turns that are wished back stood before them; of a whole plan only with `plans`."""
    text, former = fold_numbers(brief.request), dict[int, PlaceView | None]()
    for step in reversed(_find_wished(brief)):
        if plans or _ALL.search(text) or not _is_whole_plan(step, brief):
            former |= {item: before for item, (before, _) in step.places.items()}
    # A class that is written takes the places that do not suit the lengths it had: these are given back as well.
    changes = brief.changes if any(row["tool"] == CLASS_WRITE for row in brief.results) else ()
    lost = {one["task_item_id"]: one["before"] for one in changes if one["before"] and not one["after"]}
    former = {**lost, **former}
    chosen = read_wished_back(brief.own_words, brief) is not None
    named = set() if chosen else {row["item_id"] for row in items_in(brief.request, brief)} & set(former)
    rows = {row["item_id"]: row for row in brief.tasks if not named or row["item_id"] in named}
    return [(rows[item_id], place) for item_id, place in former.items() if item_id in rows]
