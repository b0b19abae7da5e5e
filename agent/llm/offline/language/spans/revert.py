"""What was changed before the goal, in the draft and beside it, and where the item that was moved last goes back to."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.normalize import fold_text
from agent.llm.offline.language.spans.targets import PlaceTarget
from agent.loop.view_document import LogChangeView, PlaceView, TaskView
from schedules.planner.soft_limits import KINDS

MOVES = ("unplace", "batch_unplace", "move", "batch_move", "place")
"""Tools that change where items are."""


@dataclass(frozen=True)
class FormerPlace:
    """An item and where it was before the last change; no place at all when `target` is None."""

    item: TaskView
    target: PlaceTarget | None


def find_former_place(brief: Brief, text: str = "") -> FormerPlace | None:
    """What would take the last change back, when that was one item moved, placed or taken out, and a text names no
    other change."""
    said = [turn["text"] for turn in brief.earlier if turn["role"] == "user"]
    if said and says("back", fold_text(said[-1])):
        return None
    if was_kept_free(brief):
        return None
    change, steps = brief.view["last_change"], find_steps(brief)
    if steps and (steps[-1].values or len(steps[-1].places) > 1 or find_named_step(text, steps)):
        return None
    item = next((row for row in brief.tasks if change and row["item_id"] == change["item_id"]), None)
    if change is None or item is None:
        return None
    before = change["before"]
    if before is None:
        return FormerPlace(item, None)
    sections = (before["section_from"], before["section_to"])
    return FormerPlace(item, PlaceTarget(week=before["week"], days=(before["day_of_week"],), sections=sections))


def was_kept_free(brief: Brief) -> bool:
    """Whether the last thing that was written is a time that is kept free, which stands on the timetable page."""
    last = next((one for one in reversed(brief.earlier) if one["role"] != "user" and one["wrote"]), None)
    return last is not None and "replan" in last["wrote"] and _KEPT_TIME.search(last["text"]) is not None


_KEPT_TIME = re.compile(r"留空|空出来|\b(?:is|are) kept free\b")
"""What is told once a time is noted as kept free."""


def find_changes(brief: Brief) -> list[list[LogChangeView]]:
    """The changes of the draft before the goal that still hold, oldest first."""
    made = sum(row["tool"] in MOVES and row["status"] == "done" for row in brief.results)
    log = brief.view["draft_log"]
    return _without_undone(log[: len(log) - made])


def find_last_place(brief: Brief, item_id: int) -> PlaceView | None:
    """Where an item stood last, by the changes of the draft."""
    own = (one for entry in reversed(brief.view["draft_log"]) for one in entry if one["item_id"] == item_id)
    last = next(own, None)
    return last and (last["after"] or last["before"])


def _without_undone(log: list[list[LogChangeView]]) -> list[list[LogChangeView]]:
    """The changes that still hold: one that takes the change before it back is no change, nor is what it takes back."""
    stack: list[list[LogChangeView]] = []
    for entry in log:
        if (
            stack
            and _sides(entry, "before") == _sides(stack[-1], "after")
            and _sides(entry, "after") == _sides(stack[-1], "before")
        ):
            stack.pop()
        else:
            stack.append(entry)
    return stack


def _sides(entry: list[LogChangeView], side: str) -> dict[int, tuple[int, int, int] | None]:
    found: dict[int, tuple[int, int, int] | None] = {}
    for change in entry:
        place = change["before"] if side == "before" else change["after"]
        found[change["item_id"]] = _at(place)
    return found


class Value(NamedTuple):
    """A value beside the draft before and after a turn, and whether it still is as it became."""

    before: Any
    after: Any
    stands: bool


Places = dict[int, tuple[PlaceView | None, PlaceView | None]]
"""The places of items before and after a turn."""


@dataclass(frozen=True)
class Step:
    """What one turn changed: by tool, owner and field the values beside the draft, and the places of items."""

    values: dict[tuple[str, int, str], Value]
    places: Places


def find_steps(brief: Brief) -> list[Step]:
    """What each turn before the goal changed that still holds, oldest first; what the student moved on the page is a
    turn too. What takes a turn back is none, nor is what it takes back."""
    turns: dict[tuple[int, int], Step] = {}
    ids = {(row["class_id"], row["name"]): row["item_id"] for row in brief.tasks}
    held, goal = {*ids.values()}, 0
    for number, entry in enumerate(brief.view["draft_log"], start=1):
        goal = entry[0]["goal"] or goal
        step = turns.setdefault((goal, 0 if entry[0]["goal"] else number), Step({}, {}))
        for one in entry:
            known = one["item_id"] in held
            item = one["item_id"] if known else ids.get((one["class_id"], one["name"]), one["item_id"])
            step.places[item] = (step.places.get(item, (one["before"],))[0], one["after"])
    for value in brief.view["past_values"]:
        step = turns.setdefault((value["goal"], 0), Step({}, {}))
        key = (value["tool"], value["owner"], value["field"])
        before = step.values[key].before if key in step.values else value["before"]
        step.values[key] = Value(before, value["after"], value["stands"])
    before_goal = [turns[key] for key in sorted(turns) if key[0] < brief.view["goal"]["number"] or not key[0]]
    return _without_taken_back(list(map(_keep_changed, before_goal)))


def is_plan(step: Step) -> bool:
    """Whether a turn only gave several items their first places."""
    fresh = len(step.places) > 1 and all(before is None for before, _ in step.places.values())
    return fresh and not step.values


def find_limit(brief: Brief) -> Step | None:
    """The last turn that set a limit: a wish of every plan, or times that classes leave free."""
    limits = (one for one in reversed(find_steps(brief)) if any(map(_is_limit, one.values)))
    return next(limits, None)


def find_named_step(text: str, steps: Sequence[Step]) -> Step | None:
    """The last turn that changed what a text names: the name, the deadline; None where it names nothing of that."""
    fields = {field for words, own in _FIELDS if words.search(text) for field in own}
    return next((one for one in reversed(steps) if fields & {field for _, _, field in one.values}), None)


_FIELDS = tuple(
    (re.compile(words), fields)
    for words, fields in (
        (r"名[字称]|改名|\b(?:re)?nam(?:e|ed|ing)\b", ("name", "items")),
        (r"截止|结束|\b(?:deadline|end date)\b", ("end_date",)),
        (r"开始|\bstart\b", ("start_date",)),
        (r"长度|时长|节数|\b(?:length|as long)\b", ("items", "total_slots")),
        (r"顺序|\border\b", ("items",)),
        (r"策略|方式|\bstrategy\b", ("strategy",)),
        (r"标记|\bmark(?:ed)?\b", ("progress",)),
    )
)
"""Words by which it is told what is to be as it was."""


def _is_limit(key: tuple[str, int, str]) -> bool:
    return key[2] in KINDS or key[2].startswith("excluded")


def _keep_changed(step: Step) -> Step:
    values = {key: one for key, one in step.values.items() if not is_same(one.before, one.after)}
    return Step(values, {item: sides for item, sides in step.places.items() if _at(sides[0]) != _at(sides[1])})


def _without_taken_back(steps: list[Step]) -> list[Step]:
    stack: list[Step] = []
    for step in steps:
        # A class that was made and is gone since leaves nothing to take back.
        gone = any(field == "" and not one.stands for (_, _, field), one in step.values.items())
        # A plan that is taken out is taken out as anything else: it may be wished back.
        known = (one for one in reversed(stack[-1:] if not step.values else stack) if not is_plan(one))
        back = next((one for one in known if _reverses(step, one)), None)
        if back is not None:
            stack.remove(back)
        elif (step.values or step.places) and not gone:
            stack.append(step)
    return stack


def _reverses(step: Step, other: Step) -> bool:
    if step.values or other.values:
        pairs = [(step.values[key], other.values.get(key)) for key in step.values]
        same = (two and is_same(one.before, two.after) and is_same(one.after, two.before) for one, two in pairs)
        return step.values.keys() == other.values.keys() and all(same)
    return {item: (_at(before), _at(after)) for item, (before, after) in step.places.items()} == {
        item: (_at(before), _at(after)) for item, (after, before) in other.places.items()
    }


def _at(place: PlaceView | None) -> tuple[int, int, int] | None:
    return place and (place["week"], place["day_of_week"], place["section_from"])


def is_same(one: Any, other: Any) -> bool:
    """Whether two values are the same; items are by their names, and their lengths where both are known."""
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(is_same, one, other))
    if isinstance(one, Mapping) and isinstance(other, Mapping) and "content" in one:
        lengths = {row.get("duration") for row in (one, other)} - {None}
        return bool(one["content"] == other.get("content")) and len(lengths) < 2
    return bool((one or None) == (other or None))
