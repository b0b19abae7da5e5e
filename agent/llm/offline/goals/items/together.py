"""Several items that go in one write: each gets a free place of those it may have, in the order of its class."""

from __future__ import annotations

from collections import Counter
from typing import Any

from agent.llm.offline.goals.decisions import Decision, call, give_up
from agent.llm.offline.goals.items.item_request import ItemRequest
from agent.llm.offline.goals.items.offers import find_looked_up_places, pages_of, was_rejected
from agent.llm.offline.goals.items.one_item import find_filters, is_possible
from agent.llm.offline.language.brief import Brief, Json
from agent.llm.offline.language.spans.targets import PlaceTarget, day_at, index_of
from agent.llm.offline.language.texts import AS_IT_WAS, place_text
from agent.loop.nodes.enter import SAME_REQUEST
from agent.loop.view_document import TaskView

MOST_MOVES = 10
"""What `batch_move` takes."""
MOST_ANSWERED = 3
"""So many refused items are told with the places that they could have."""
_LOOK_UP = "query_available_slots"
_MOST_PLACES = 60
_Cell = tuple[int, int, int]
"""Day of the window, first and last section."""


def move_together(
    brief: Brief, requests: list[tuple[TaskView, ItemRequest]], *, whole: bool, every: bool, least: int = 2
) -> Decision | None:
    """One write for all items that can go, or the look-up that it still needs; None where they cannot go in one.
    `whole`: all or none; `every`: none was named alone, so that what cannot go is told without a question."""
    if len(requests) < least or not all(_may_go(row, request) for row, request in requests):
        return None
    if any(row["status"] == "existing" for row, _ in requests):
        return None
    moves, reasons = dict[int, _Cell](), dict[int, str]()
    away = [one for one in requests if not _stands_there(*one)]
    for number, going in enumerate((away, requests) if 0 < len(away) < len(requests) else (away,)):
        free, look_up = _look_up(brief, going)
        if look_up is not None:
            return look_up
        found, left = _assign(brief, going, free)
        found = {one: cell for one, cell in found.items() if cell != _cell_of(brief, brief.task(one))}
        if number == 0 or len(left) < len(reasons):
            moves, reasons, requests = found, left, going
        if not reasons:
            break
    if not moves and not (whole or every):
        return None
    if not moves or (whole and reasons):
        left_out = [(row, request) for row, request in requests if row["state_id"] in reasons]
        unknown = [row for row, _ in left_out[:MOST_ANSWERED] if find_looked_up_places(brief, row) is None]
        if unknown:
            return call(brief, _LOOK_UP, {"for_task_id": unknown[0]["state_id"]})
        told = [_refusal(brief, row, request, reasons[row["state_id"]]) for row, request in left_out]
        return give_up("no_room", "\n".join(told)) if told else None
    later = sum(
        1 if moves[number][0] >= _cell_of(brief, row)[0] else -1
        for row, number in _numbers(requests)
        if number in moves
    )
    ordered = sorted(moves, key=lambda number: moves[number], reverse=later > 0)[:MOST_MOVES]
    given = [{"task_id": number, "new_day": moves[number][0], "new_slot_start": moves[number][1]} for number in ordered]
    write: tuple[str, dict[str, Any]] = ("move", given[0]) if len(given) == 1 else ("batch_move", {"moves": given})
    if was_rejected(brief, *write):
        return give_up(SAME_REQUEST, brief.say(*AS_IT_WAS))
    return call(brief, *write)


def _refusal(brief: Brief, row: TaskView, request: ItemRequest, reason: str) -> str:
    """That an item stays, why, and the nearest places it could have as the others stand."""
    told = brief.say("没有动：{name}。", "Not changed: {name}. ", name=row["name"]) + reason
    found, days = find_looked_up_places(brief, row), request.target.days
    if found is None:
        return told
    week = request.target.week or (row["slot"]["week"] if row["slot"] else None)
    near = index_of(brief, week, days[0]) if week and days else None
    places = next(iter(pages_of(brief, row, found, near=near)), [])
    where = [place_text(brief, one["week"], one["day_of_week"], one["slot_start"], one["slot_end"]) for one in places]
    if not where:
        return told + brief.say("目前没有别的合规位置。", " There is no other legal place at the moment.")
    return (
        f"{told}\n"
        + brief.say("可以放在：", "Possible places: ")
        + brief.say("、", ", ").join(where)
        + brief.say("。", ".")
    )


def _look_up(
    brief: Brief, requests: list[tuple[TaskView, ItemRequest]]
) -> tuple[dict[int, list[list[Json]]], Decision | None]:
    """The free places of each item, those of the others that go as well; and the look-up that is still needed."""
    made = [
        at for at, row in enumerate(brief.results, start=1) if row["tool"] == "batch_move" and row["status"] == "done"
    ]
    fresh, free = brief.results[made[-1] if made else 0 :], dict[int, list[list[Json]]]()
    for row, request in requests:
        free[row["state_id"]] = []
        for target in (request.target, request.then) if request.then.said else (request.target,):
            filters = find_filters(brief, target)
            if filters is None:
                continue
            wanted = {"span": row["duration"], "allow_embed": False, "limit": _MOST_PLACES, **filters}
            found = next((one for one in fresh if (one["tool"], one["arguments"]) == (_LOOK_UP, wanted)), None)
            if found is None:
                return free, call(brief, _LOOK_UP, wanted)
            own = [_as_slot(brief, other) for other, _ in requests if _same_length(row, other)]
            held = [slot for slot in own if target.covers(slot) and _at_sections(target, slot)]  # type: ignore[arg-type]
            free[row["state_id"]].append([*((found["data"] or {}).get("slots") or ()), *held])
    return free, None


def _numbers(requests: list[tuple[TaskView, ItemRequest]]) -> list[tuple[TaskView, int]]:
    return [(row, row["state_id"]) for row, _ in requests]


def _may_go(row: TaskView, request: ItemRequest) -> bool:
    wanted = request.target.said or request.way or request.other_day
    return bool(
        row["slot"] and request.operation in ("move", "place") and wanted
        and request.place is None and request.relation is None
    )  # fmt: skip


def _stands_there(row: TaskView, request: ItemRequest) -> bool:
    slot = row["slot"]
    return slot is not None and request.target.said and not request.target.sections and request.target.covers(slot)


def _assign(
    brief: Brief, requests: list[tuple[TaskView, ItemRequest]], free: dict[int, list[list[Json]]]
) -> tuple[dict[int, _Cell], dict[int, str]]:
    """A place for each item that can have one, and why the others have none: who stays binds those of its class."""
    staying: dict[int, str] = {}
    while True:
        given: dict[int, _Cell] = {}
        left = None
        for row, request in sorted(requests, key=lambda one: (one[0]["class_id"], one[0]["order"])):
            if row["state_id"] in staying:
                continue
            moving = {other["state_id"] for other, _ in requests} - set(staying)
            place = _choose(brief, row, request, free[row["state_id"]], given, moving)
            if isinstance(place, str):
                left = row["state_id"]
                staying[left] = place
                break
            given[row["state_id"]] = place
        if left is None:
            return given, staying


def _choose(
    brief: Brief, row: TaskView, request: ItemRequest, free: list[list[Json]], given: dict[int, _Cell], moving: set[int]
) -> _Cell | str:
    """Why not, or the best free place behind the items before it and in front of those that stay behind it."""
    own = [
        other for other in brief.tasks if other["class_id"] == row["class_id"] and other["slot"] and other is not row
    ]
    stands = {other["state_id"]: _cell_of(brief, other) for other in brief.tasks if other["slot"]}
    taken = [*given.values(), *(cell for number, cell in stands.items() if number not in moving)]
    before = [(given.get(one["state_id"], stands[one["state_id"]]), one) for one in own
              if one["order"] < row["order"] and one["state_id"] not in moving - set(given)]  # fmt: skip
    behind = [(stands[other["state_id"]], other) for other in own
              if other["order"] > row["order"] and other["state_id"] not in moving]  # fmt: skip
    here, busy = stands[row["state_id"]], Counter(cell[0] for cell in given.values())
    ahead: list[_Cell] = []
    for slots in free:
        cells = [(slot["day"], slot["slot_start"], slot["slot_end"]) for slot in slots if is_possible(request, slot)]
        cells = [cell for cell in cells if not any(_overlap(cell, one) for one in taken)]
        fitting = [cell for cell in cells if all(cell[:2] > one[0][:2] for one in before)
                   and all(cell[:2] < one[0][:2] for one in behind)]  # fmt: skip
        ahead += cells
        if fitting:
            near = here[0] if (request.way or request.other_day) and not request.target.said else 0
            return min(fitting, key=lambda cell: (busy[cell[0]], abs(cell[0] - near), cell[1] % 2 == 0, cell[1]))
    outside = _outside_class(brief, row, [request.target, request.then])
    return outside or _why_not(brief, row, ahead, before, behind)


def _outside_class(brief: Brief, row: TaskView, targets: list[PlaceTarget]) -> str:
    """That every day asked for lies outside the dates of the class; empty where one does not."""
    own = next((one for one in brief.classes if one["id"] == row["class_id"]), None)
    said = [target for target in targets if target.said]
    days = [brief.term.day(target.week, day) for target in said if target.week for day in target.days]
    if own is None or not days or not all(target.week and target.days for target in said):
        return ""
    if any(own["start_date"] <= day.isoformat() <= own["end_date"] for day in days):
        return ""
    told = ("那个时间不在「{name}」的起止日期内（{first} 到 {last}）。",
            "That is outside the dates of {name} ({first} to {last}).")  # fmt: skip
    return brief.say(*told, name=own["name"], first=own["start_date"], last=own["end_date"])


def _why_not(
    brief: Brief,
    row: TaskView,
    cells: list[_Cell],
    before: list[tuple[_Cell, TaskView]],
    behind: list[tuple[_Cell, TaskView]],
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


def _overlap(cell: _Cell, other: _Cell) -> bool:
    return cell[0] == other[0] and cell[1] <= other[2] and other[1] <= cell[2]


def _cell_of(brief: Brief, row: TaskView | None) -> _Cell:
    slot = row["slot"] if row else None
    if slot is None:
        return (0, 0, 0)
    return index_of(brief, slot["week"], slot["day_of_week"]) or 0, slot["slot_start"], slot["slot_end"]


def _as_slot(brief: Brief, row: TaskView) -> Json:
    return {**(row["slot"] or {}), "day": _cell_of(brief, row)[0]}


def _same_length(row: TaskView, other: TaskView) -> bool:
    return row["duration"] == other["duration"]


def _at_sections(target: PlaceTarget, slot: Json) -> bool:
    return not target.sections or target.sections[0] == slot["slot_start"]
