"""A free place for each of several items, in the order in which they stand, and why one has none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from agent.llm.offline.goals.items.exact_shift import (
    tell_outside,
)
from agent.llm.offline.goals.items.item_request import ItemRequest
from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.spans.targets import PlaceTarget, day_at, index_of
from agent.llm.offline.language.texts import place_text
from agent.loop.view_document import TaskView

Cell = tuple[int, int, int]
"""Day of the window, first and last section."""
Wanted = list[tuple[TaskView, ItemRequest]]


@dataclass(frozen=True)
class Limits:
    """The most items of a request on one day and in one week; none where it is 0."""

    a_day: int = 0
    a_week: int = 0


Prefer = Callable[[Brief, TaskView, ItemRequest, Cell, Counter[int]], tuple[Any, ...]]


def spread(brief: Brief, row: TaskView, request: ItemRequest, cell: Cell, busy: Counter[int]) -> tuple[Any, ...]:
    """Of one week or some days each as evenly as can be, on the weekday it has; else near where the item stands."""
    target, here, slot = request.target, cell_of(brief, row), row["slot"]
    near = abs(cell[0] - here[0]) if here[0] else cell[0]
    own = abs(cell[1] - here[1]) if slot else cell[1]
    if target.week or target.run:
        other_day = bool(slot) and target.week is not None and day_at(brief, cell[0])[1] != slot["day_of_week"]  # type: ignore[index]
        kept = (other_day, not other_day and own) if request.shift else ()
        return *kept, busy[cell[0]], other_day, cell[0], cell[1] % 2 == 0, own
    return (near if slot else busy[cell[0]]), busy[cell[0]], cell[0], own != 0, cell[1] % 2 == 0, own


def pack(brief: Brief, row: TaskView, request: ItemRequest, cell: Cell, busy: Counter[int]) -> tuple[Any, ...]:
    """As early as can be, so that all find room."""
    return cell[0], cell[1] % 2 == 0, cell[1]


def assign(
    brief: Brief, wanted: Wanted, free: dict[int, list[Cell]], limits: Limits, meant: list[TaskView], prefer: Prefer
) -> tuple[dict[int, Cell], dict[int, str]]:
    """A place for each item that can have one, and why the others have none: who stays binds those of its class."""
    staying: dict[int, str] = {}
    owners = {row["class_id"] for row in meant}
    while True:
        given: dict[int, Cell] = {}
        left = None
        for row, request in sorted(wanted, key=lambda one: (one[0]["class_id"], one[0]["order"])):
            if row["state_id"] in staying:
                continue
            moving = {other["state_id"] for other, _ in wanted} - set(staying)
            held = [cell_of(brief, one) for one in brief.tasks
                    if one["slot"] and one["class_id"] in owners and one["state_id"] not in moving]  # fmt: skip
            place = _choose(brief, row, request, free[row["state_id"]], given, moving, limits, held, prefer)
            if isinstance(place, str):
                left = row["state_id"]
                staying[left] = place
                break
            given[row["state_id"]] = place
        if left is None:
            return {one: cell for one, cell in given.items() if cell != cell_of(brief, brief.task(one))}, staying


def _choose(
    brief: Brief, row: TaskView, request: ItemRequest, free: list[Cell], given: dict[int, Cell], moving: set[int],
    limits: Limits, held: list[Cell], prefer: Prefer,
) -> Cell | str:  # fmt: skip
    """Why not, or the best free place behind the items before it and in front of those that stay behind it."""
    own = [one for one in brief.tasks if one["class_id"] == row["class_id"] and one["slot"] and one is not row]
    stands = {one["state_id"]: cell_of(brief, one) for one in brief.tasks if one["slot"]}
    taken = [*given.values(), *(cell for number, cell in stands.items() if number not in moving)]
    mine = [one for one in brief.tasks if one["class_id"] == row["class_id"] and one["order"] < row["order"]]
    before = [
        (cell, one)
        for one in mine
        if (
            cell := given.get(one["state_id"])
            or (stands.get(one["state_id"]) if one["state_id"] not in moving else None)
        )
    ]
    behind = [(stands[one["state_id"]], one) for one in own
              if one["order"] > row["order"] and one["state_id"] not in moving]  # fmt: skip
    busy = Counter(cell[0] for cell in (*given.values(), *held))
    weeks = Counter(day_at(brief, cell[0])[0] for cell in (*given.values(), *held))
    cells = [cell for cell in free if not any(_overlap(cell, one) for one in taken)]
    limited = [
        cell for cell in cells
        if not (limits.a_day and busy[cell[0]] >= limits.a_day)
        and not (limits.a_week and weeks[day_at(brief, cell[0])[0]] >= limits.a_week)
    ]  # fmt: skip
    fitting = [cell for cell in limited if all(cell[:2] > one[0][:2] for one in before)
               and all(cell[:2] < one[0][:2] for one in behind)]  # fmt: skip
    if fitting and request.relation is not None and request.relation.side in ("next", "ahead"):
        return (min if request.relation.side == "next" else max)(fitting)
    if fitting:
        return min(fitting, key=lambda cell: prefer(brief, row, request, cell, busy))
    if cells and not limited:
        return brief.say("按你说的数量放不下了。", "No room is left within your limit.")
    return tell_outside(brief, row, request.target) or _why_not(brief, row, limited, before, behind)


def _why_not(
    brief: Brief,
    row: TaskView,
    cells: list[Cell],
    before: list[tuple[Cell, TaskView]],
    behind: list[tuple[Cell, TaskView]],
) -> str:
    """The item before or behind which the free places lie, or that none is free."""
    late = [one for one in before if cells and all(cell[:2] <= one[0][:2] for cell in cells)]
    early = [one for one in behind if cells and all(cell[:2] >= one[0][:2] for cell in cells)]
    if not cells:
        return brief.say("那个时间没有空位。", "There is no free place then.")
    if not (late or early):
        return brief.say("那个时间没有合规的位置。", "There is no legal place then.")
    (cell, other), word = (
        (max(late, key=lambda one: one[0]), ("之后", "after"))
        if late
        else (min(early, key=lambda one: one[0]), ("之前", "before"))
    )
    where = place_text(brief, *day_at(brief, cell[0]), cell[1], cell[2])
    return brief.say(
        "{item}必须排在{name}（{where}）{side}。", "{item} has to come {side} {name} ({where}).",
        item=row["name"], name=other["name"], where=where, side=brief.say(*word),
    )  # fmt: skip


def _overlap(cell: Cell, other: Cell) -> bool:
    return cell[0] == other[0] and cell[1] <= other[2] and other[1] <= cell[2]


def cell_of(brief: Brief, row: TaskView | None) -> Cell:
    """Where an item stands, (0, 0, 0) for nowhere."""
    slot = row["slot"] if row else None
    if slot is None:
        return (0, 0, 0)
    return index_of(brief, slot["week"], slot["day_of_week"]) or 0, slot["slot_start"], slot["slot_end"]


def at_sections(target: PlaceTarget, first: int) -> bool:
    return not target.sections or target.sections[0] == first
