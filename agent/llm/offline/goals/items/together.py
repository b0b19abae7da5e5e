"""Several items that go together: each gets a free place of those it may have, in class order, within limits.

What stands at the end is found before anything is written: every place meets the request, or its item is told to stay.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import timedelta
from typing import Any

from agent.llm.offline.goals.decisions import Decision, call, finish, give_up, say_after_that
from agent.llm.offline.goals.items.assigned_places import (
    Cell,
    Limits,
    Wanted,
    assign,
    at_sections,
    cell_of,
    pack,
    spread,
)
from agent.llm.offline.goals.items.exact_shift import (
    find_shifted_place,
    is_firm,
    offer_less,
    tell_other_hours,
)
from agent.llm.offline.goals.items.item_request import ItemRequest, is_close, is_possible, keeps_hours, with_own_hours
from agent.llm.offline.goals.items.item_texts import no_place_yet, stays_there, tell_nothing_then
from agent.llm.offline.goals.items.offers import find_looked_up_places, pages_of, was_rejected
from agent.llm.offline.goals.items.one_item import FIRST_OUT, offer
from agent.llm.offline.goals.items.told_again import tell_again
from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.normalize import fold_text
from agent.llm.offline.language.spans.alternatives import Relation
from agent.llm.offline.language.spans.items.arrangements import Arrangement
from agent.llm.offline.language.spans.targets import PlaceTarget, choose_week, day_at, index_of
from agent.llm.offline.language.spans.times.reading import find_recurrences
from agent.llm.offline.language.texts import AS_IT_WAS, place_text, slot_text
from agent.loop.nodes.enter import SAME_REQUEST
from agent.loop.view_document import SlotView, TaskView

MOST_MOVES = 10
"""What `batch_move` takes."""
MOST_ANSWERED = 3
"""So many refused items are told with the places that they could have."""
_LOOK_UP = "query_available_slots"
_MOST_PLACES = 60
_MOST_LOOK_UPS = 4
_WEEK, _RUN = 7, 5
"""So many days side by side are looked up whole; of more only the best places of each."""


def arrange(brief: Brief, wanted: Arrangement, *, remove: bool, asks: bool, done: set[int]) -> Decision:
    """The next step of a request about items as a whole. `done`: the items that it has written."""
    rows = [row for row in wanted.items if row["state_id"] not in done]
    if not rows and done:
        return finish(brief, "done")
    if not wanted.items:
        group = wanted.group
        none = brief.say("没有别的要动的，什么都没有改。", "Nothing else is left to change; nothing was changed.")
        if group is None or wanted.spared:
            return give_up("nothing_left", none)
        return tell_nothing_then(brief, group)
    if wanted.beside is not None and wanted.beside[1]["slot"] is None:
        return give_up("unplaced", no_place_yet(brief, wanted.beside[1]))
    if remove:
        return _take_out(brief, [row for row in rows if row["slot"]], rows)
    requests = [(row, request_for(row, wanted, brief)) for row in rows]
    away = [(row, request) for row, request in requests if not stands_there(row, request)]
    if not away and not _keeps_to(wanted, rows):
        away = requests
    if not away:
        return (
            finish(brief, "done")
            if done
            else give_up("there_already", "\n".join(stays_there(brief, row) for row in rows))
        )
    if not asks and wanted.shift and (less := offer_less(brief, rows, wanted.shift)):
        return less
    return _carry_out(brief, away, requests, Limits(wanted.a_day, wanted.a_week), wanted.items, asks=asks)


def _keeps_to(wanted: Arrangement, rows: list[TaskView]) -> bool:
    """Whether the items as they stand are no more a day and a week than is wanted."""
    slots = [slot for row in rows if (slot := row["slot"])]
    days = Counter((slot["week"], slot["day_of_week"]) for slot in slots)
    weeks = Counter(slot["week"] for slot in slots)
    return not (wanted.a_day and max(days.values(), default=0) > wanted.a_day) and not (
        wanted.a_week and max(weeks.values(), default=0) > wanted.a_week
    )


def _take_out(brief: Brief, rows: list[TaskView], meant: list[TaskView]) -> Decision:
    if not rows:
        return give_up("unplaced", "\n".join(no_place_yet(brief, row) for row in meant))
    ids = [row["state_id"] for row in rows]
    write: tuple[str, dict[str, Any]] = (
        ("batch_unplace", {"task_ids": ids}) if len(ids) > 1 else ("unplace", {"task_id": ids[0]})
    )
    if was_rejected(brief, *write):
        return give_up(SAME_REQUEST, brief.say(*AS_IT_WAS))
    return call(brief, *write)


def request_for(row: TaskView, wanted: Arrangement, brief: Brief) -> ItemRequest:
    """What is wanted of one item: on its own day where no other is said, so many days from where it stands."""
    before = (one["slot"] for one in brief.tasks_before if one["state_id"] == row["state_id"])
    slot = row["slot"] or next(before, None)
    target, shift, avoided, relation = wanted.target, wanted.shift, list(wanted.avoided), None
    close = wanted.beside is not None and wanted.beside[0] in ("next", "ahead")
    if wanted.beside is not None and (there := wanted.beside[1]["slot"]) is not None:
        side, other, days = wanted.beside
        day = (
            7 * (there["week"] - 1)
            + there["day_of_week"]
            - 1
            + (days if side == "day+" else -days if side == "day-" else 0)
        )
        then = PlaceTarget(week=day // 7 + 1, days=(day % 7 + 1,))
        if side in ("day", "day+", "day-"):
            target = replace(then, part=target.part, sections=target.sections)
        elif side == "apart":
            avoided.append(then)
        elif side in ("before", "after", "next", "ahead", "gap"):
            relation = Relation(row, side, other, days)
        if close and not target.said:
            target = then if wanted.own_day else replace(target, run=_run_beside(brief, row, there, side))
    if slot is not None and shift is not None:
        moved = find_shifted_place(slot, shift, brief)
        target = replace(moved, sections=moved.sections if is_firm(shift, brief) else None, part=target.part)
    elif slot is not None and wanted.weeks_on and not target.dated:
        target = replace(target, week=slot["week"] + wanted.weeks_on)
    elif slot is not None and ((wanted.own_day and not close) or (target.said and not target.dated)):
        stays = not any(where.days and not where.part and where.covers(slot) for where in avoided)
        target = replace(target, week=slot["week"], days=(slot["day_of_week"],) if stays else (), run=None)
    then = wanted.then
    if shift is not None and shift.days % _WEEK == 0 and target.week and not target.sections:
        then = PlaceTarget(week=target.week, part=target.part)  # the day matters less than that it is the week
    if slot is not None and target.days and not (target.week or target.run):
        own = replace(target, week=slot["week"])
        target, then = (
            choose_week(target, slot, wanted.way_to, brief) if wanted.way_to else (own, then if then.said else target)
        )
    if keeps_hours(brief.request):
        target, then = with_own_hours(target, then, slot, brief)
    return ItemRequest(
        "move",
        item=row,
        target=target,
        then=then,
        avoided=avoided,
        relation=relation,
        other_day=(wanted.leaves and wanted.group is None) or _wants_other_day(brief),
        way=wanted.way,
        same_day=wanted.own_day,
        shift=shift,
    )


def _wants_other_day(brief: Brief) -> bool:
    """Whether what is said on the request wants another day than the item has."""
    return any(says("other_day", fold_text(turn)) for turn in brief.turns[1:])


_NEAR_DAYS = 6
"""So many days from an item the place right beside it is looked for."""


def _run_beside(brief: Brief, row: TaskView, there: SlotView, side: str) -> tuple[tuple[int, int], tuple[int, int]]:
    """The days from an item on, or up to it, as far as the other one stands that is to be beside it."""
    day, here = (brief.day_of(one) for one in (there, row["slot"] or there))
    near = timedelta(days=_NEAR_DAYS)
    first, last = (day, max(here, day + near)) if side == "next" else (min(here, day - near), day)
    return brief.term.week_day(first), brief.term.week_day(last)


def stands_there(row: TaskView, request: ItemRequest) -> bool:
    """Whether an item stands already where it is to go."""
    slot, target = row["slot"], request.target
    if slot is None or request.way or request.other_day or not (target.said or request.avoided or request.relation):
        return False
    if request.relation is not None and not (is_possible(request, slot) and is_close(request, slot)):
        return False
    avoided = any(where.covers(slot) for where in request.avoided)
    return not avoided and target.covers(slot) and at_sections(target, slot["slot_start"])


def _carry_out(
    brief: Brief, wanted: Wanted, every: Wanted, limits: Limits, meant: list[TaskView], *, asks: bool
) -> Decision:
    """The write of the items that are to go, of `every` one where those that stand there already are in the way."""
    found = _find_places(brief, wanted, limits, meant)
    if isinstance(found, dict):
        return found
    if found[1] and len(every) > len(wanted):
        others = _find_places(brief, every, limits, meant)
        if isinstance(others, dict):
            return others
        found, wanted = (others, every) if len(others[1]) < len(found[1]) else (found, wanted)
    if found[1] and wanted[0][1].then.said:
        wanted = [(row, replace(one, target=one.then) if row["state_id"] in found[1] else one) for row, one in wanted]
        found = _find_places(brief, wanted, limits, meant)
        if isinstance(found, dict):
            return found
    moves, reasons = found
    left = [(row, request) for row, request in wanted if row["state_id"] in reasons]
    if asks:
        return give_up("asked", _tell_possible(brief, wanted, moves, reasons))
    if not moves and not reasons:
        lines = [_tell_apart(brief, row, row["slot"], one) or stays_there(brief, row) for row, one in wanted]
        return give_up("there_already", "\n".join(lines))
    if not moves and len(wanted) == 1 and not brief.done("move", "batch_move", "place"):
        return offer(brief, wanted[0][1], "no_room", next(iter(reasons.values())))
    if not moves:
        return _refuse(brief, left, reasons) if not brief.done("move", "batch_move", "place") else finish(brief, "done")
    apart = [
        _tell_apart(brief, row, _slot(brief, moves[row["state_id"]]), one)
        for row, one in wanted
        if row["state_id"] in moves
    ]
    apart += [
        tell_other_hours(brief, row, one.shift, row["slot"], _slot(brief, moves[row["state_id"]]))
        for row, one in wanted
        if row["state_id"] in moves and not one.target.part
    ]
    told = "\n".join(filter(None, [*(_name_stay(brief, row) + reasons[row["state_id"]] for row, _ in left), *apart]))
    return _write(brief, wanted, moves, told)


def _tell_apart(brief: Brief, row: TaskView, slot: SlotView | None, request: ItemRequest) -> str:
    """That an item gets the nearest place to another one, or has it already, where it was to be right beside it; empty
    where it is."""
    relation = request.relation
    if relation is None or slot is None or is_close(request, slot):
        return ""
    moved = ("紧挨着{other}{side}没有可以放的位置，这是离它最近的。",
             "There is no place for it right {side} {other}; this is the nearest one.")  # fmt: skip
    stays = ("{name}在{where}，已经是{other}{side}最近的可用位置，没有改动。",
             "{name} is at {where}: the nearest place {side} {other} already. Nothing was changed.")  # fmt: skip
    side = brief.say(*(("后面", "behind") if relation.side == "next" else ("前面", "before")))
    values = {"name": row["name"], "where": slot_text(brief, slot), "other": relation.other["name"], "side": side}
    ends = sorted((row["order"], relation.other["order"])) if row["class_id"] == relation.other["class_id"] else (0, 0)
    own = [
        one["name"] for one in brief.tasks if one["class_id"] == row["class_id"] and ends[0] < one["order"] < ends[1]
    ]
    why = ("任务类里它们之间还有{own}。", " Between them in the order of the class: {own}.") if own else ("", "")
    values["own"] = brief.say("、", ", ").join(own)
    return brief.say(*(stays if slot is row["slot"] else moved), **values) + brief.say(*why, **values)


def _write(brief: Brief, wanted: Wanted, moves: dict[int, Cell], told: str) -> Decision:
    """The write of what stands, at most ten in one; then what has no place yet, the first of its class first."""
    going = [row for row, _ in wanted if row["state_id"] in moves]
    written = [row for row in going if row["status"] == "existing"]
    if written:
        names = brief.say("、", ", ").join(row["name"] for row in written)
        ids = [row["state_id"] for row in written]
        out: tuple[str, dict[str, Any]] = (
            ("unplace", {"task_id": ids[0]}) if len(ids) == 1 else ("batch_unplace", {"task_ids": ids})
        )
        if was_rejected(brief, *out):
            return give_up(SAME_REQUEST, brief.say(*AS_IT_WAS))
        return call(brief, *out, speak="\n".join(filter(None, [told, brief.say(*FIRST_OUT, name=names)])))
    standing = [row for row, _ in wanted if row["state_id"] in moves and row["slot"]]
    waiting = [row for row, _ in wanted if row["state_id"] in moves and not row["slot"]]
    if not standing:
        first = min(waiting, key=lambda row: moves[row["state_id"]])
        day, start, _ = moves[first["state_id"]]
        write: tuple[str, dict[str, Any]] = ("place", {"task_id": first["state_id"], "day": day, "slot_start": start})
        rest = [row["name"] for row in waiting if row is not first]
        told = "\n".join(filter(None, [told, say_after_that(brief, rest) if rest else ""]))
    else:
        later = sum(1 if moves[row["state_id"]][0] >= cell_of(brief, row)[0] else -1 for row in standing)
        ids = sorted((row["state_id"] for row in standing), key=lambda number: moves[number], reverse=later > 0)
        given = [
            {"task_id": one, "new_day": moves[one][0], "new_slot_start": moves[one][1]} for one in ids[:MOST_MOVES]
        ]
        write = ("move", given[0]) if len(given) == 1 else ("batch_move", {"moves": given})
    if was_rejected(brief, *write):
        so = any(one.relation or one.target.said for _, one in wanted)  # words over the card want what it has
        slots = [slot for row in going if (slot := _slot(brief, moves[row["state_id"]]))]
        return give_up(SAME_REQUEST, tell_again(brief, slots, so=so and not told))
    return call(brief, *write, speak=told)


def move_together(brief: Brief, wanted: Wanted, *, whole: bool) -> Decision | None:
    """One write for all items that can go, or the look-up that it still needs. `whole`: all or none."""
    if any(row["status"] == "existing" for row, _ in wanted) or not all(_may_go(*one) for one in wanted):
        return None
    found = _find_places(brief, wanted, Limits(), [row for row, _ in wanted])
    if isinstance(found, dict):
        return found
    moves, reasons = found
    if not moves and not whole:
        return None
    if not moves or (whole and reasons):
        return _refuse(brief, [(row, one) for row, one in wanted if row["state_id"] in reasons], reasons)
    left = [row for row, _ in wanted if row["state_id"] in reasons]
    return _write(brief, wanted, moves, "\n".join(_name_stay(brief, row) + reasons[row["state_id"]] for row in left))


def _may_go(row: TaskView, request: ItemRequest) -> bool:
    wanted = request.target.said or request.way or request.other_day
    known = request.place is None and request.relation is None
    return bool(row["slot"] and request.operation in ("move", "place") and wanted and known)


def tell_left(brief: Brief, wanted: Arrangement, done: set[int]) -> list[str]:
    """The items of a request that stay as they are, with the reason as far as it was looked up."""
    rows = [row for row in wanted.items if row["state_id"] not in done]
    requests = [(row, request_for(row, wanted, brief)) for row in rows]
    away = [(row, request) for row, request in requests if not stands_there(row, request)]
    found = _find_places(brief, away, Limits(wanted.a_day, wanted.a_week), wanted.items) if away else ({}, {})
    reasons = {} if isinstance(found, dict) else found[1]
    return [_name_stay(brief, row) + reasons.get(row["state_id"], "") for row, _ in away]


def _name_stay(brief: Brief, row: TaskView) -> str:
    return brief.say("没有动：{name}。", "Not changed: {name}. ", name=row["name"])


def _tell_possible(brief: Brief, wanted: Wanted, moves: dict[int, Cell], reasons: dict[int, str]) -> str:
    """Where each item could go, or why not; nothing is written."""
    lines = [brief.say("可以" if moves else "不行", "Yes" if moves else "No") if not (moves and reasons)
             else brief.say("只有一部分可以", "Only some of them can")]  # fmt: skip
    lines[0] += brief.say("。现在什么都没有改。", ". Nothing is changed yet.")
    for row, _ in wanted:
        if (cell := moves.get(row["state_id"])) is not None:
            where = place_text(brief, *day_at(brief, cell[0]), cell[1], cell[2])
            lines.append(
                brief.say("{name} 可以放在{where}。", "{name} could go to {where}.", name=row["name"], where=where)
            )
        else:
            told = brief.say("{name} 不行：", "{name} cannot: ", name=row["name"])
            lines.append(told + reasons.get(row["state_id"], ""))
    return "\n".join(lines)


def _refuse(brief: Brief, left: Wanted, reasons: dict[int, str]) -> Decision:
    """That the items stay, why, and for the first of them where they could go as the others stand."""
    unknown = [row for row, _ in left[:MOST_ANSWERED] if find_looked_up_places(brief, row) is None]
    if unknown:
        return call(brief, _LOOK_UP, {"for_task_id": unknown[0]["state_id"]})
    told = [_refusal(brief, row, request, reasons[row["state_id"]]) for row, request in left]
    return give_up("no_room", "\n".join(told))


def _refusal(brief: Brief, row: TaskView, request: ItemRequest, reason: str) -> str:
    told = _name_stay(brief, row) + reason
    found, days = find_looked_up_places(brief, row), request.target.days
    if found is None:
        return told
    week = request.target.week or (row["slot"]["week"] if row["slot"] else None)
    near = index_of(brief, week, days[0]) if week and days else None
    places = next(iter(pages_of(brief, row, found, near=near)), [])
    where = [place_text(brief, one["week"], one["day_of_week"], one["slot_start"], one["slot_end"]) for one in places]
    if not where:
        return told + brief.say("目前没有别的合规位置。", " There is no other legal place at the moment.")
    listed = brief.say("、", ", ").join(where)
    return f"{told}\n" + brief.say("可以放在：{where}。", "Possible places: {where}.", where=listed)


def _find_places(
    brief: Brief, wanted: Wanted, limits: Limits, meant: list[TaskView]
) -> tuple[dict[int, Cell], dict[int, str]] | Decision:
    """A place for each item that can have one and why the others have none, or the look-up that is still needed."""
    free = dict[int, list[Cell]]()
    for row, request in wanted:
        cells = _free_cells(brief, row, request, wanted)
        if isinstance(cells, dict):
            return cells
        free[row["state_id"]] = cells
    best: tuple[dict[int, Cell], dict[int, str]] | None = None
    for prefer in (pack,) if _is_one_day(brief, wanted) else (spread, pack):
        found = assign(brief, wanted, free, limits, meant, prefer)
        if best is None or len(found[1]) < len(best[1]):
            best = found
        if not best[1]:
            break
    assert best is not None
    return best


def _is_one_day(brief: Brief, wanted: Wanted) -> bool:
    """Whether items without a place are to go to one coming day: put all labs on saturday."""
    targets = [request.target for row, request in wanted if not row["slot"]]
    return (
        len(targets) == len(wanted)
        and all(len(target.days) == 1 and not target.run for target in targets)
        and not find_recurrences(brief.request, brief.term)
    )


def _days_wanted(brief: Brief, target: PlaceTarget) -> list[int]:
    """The days of the window that lie in a target."""
    total = brief.draft["window"]["total_days"] if brief.draft else 0
    return [day for day in range(1, total + 1) if target.covers(_slot(brief, (day, (target.part or (1, 1))[0], 1)))]


def _slot(brief: Brief, cell: Cell) -> SlotView:
    week, day = day_at(brief, cell[0])
    return {
        "day": cell[0],
        "week": week,
        "day_of_week": day,
        "slot_start": cell[1],
        "slot_end": cell[2],
        "host_event_id": None,
    }


def _free_cells(brief: Brief, row: TaskView, request: ItemRequest, wanted: Wanted) -> list[Cell] | Decision:
    """The free places in the target of an item, those of the others that go as well; or the look-up of them: one for
    all that go to the same part of the day, since there are only so many places in an answer."""
    part = request.target.part
    days = sorted({day for _, one in wanted if one.target.part == part for day in _days_wanted(brief, one.target)})
    runs: list[list[int]] = []
    for day in days:
        if runs and day == runs[-1][-1] + 1 and len(runs[-1]) < _RUN:
            runs[-1].append(day)
        else:
            runs.append([day])
    hours = {"section_from": part[0], "section_to": part[1]} if part else {}
    if len(runs) > _MOST_LOOK_UPS:
        runs = [[days[0], days[-1]]]
    cells: list[Cell] = []
    fresh = brief.results[_last_write(brief) :]
    for run in runs:
        query = {"span": row["duration"], "allow_embed": False, "limit": _MOST_PLACES, "day_start": run[0],
                 "day_end": run[-1], **hours}  # fmt: skip
        found = next((one for one in fresh if (one["tool"], one["arguments"]) == (_LOOK_UP, query)), None)
        if found is None:
            return call(brief, _LOOK_UP, query)
        cells += [(one["day"], one["slot_start"], one["slot_end"]) for one in (found["data"] or {}).get("slots") or ()]
    cells += [cell_of(brief, other) for other, _ in wanted if other["slot"] and other["duration"] == row["duration"]]
    target, now = request.target, brief.now
    return [
        cell
        for cell in dict.fromkeys(cells)
        if (slot := _slot(brief, cell))
        and target.covers(slot)
        and at_sections(target, cell[1])
        and (target.part is None or cell[2] <= target.part[1])
        and is_possible(request, slot)
        and (slot["week"], slot["day_of_week"], slot["slot_start"]) > (now["week"], now["day_of_week"], now["section"])
        and not _outside_class(brief, row, slot)
    ]


def _last_write(brief: Brief) -> int:
    writes = ("move", "batch_move", "place", "unplace", "batch_unplace")
    made = [at for at, row in enumerate(brief.results, 1) if row["tool"] in writes and row["status"] == "done"]
    return made[-1] if made else 0


def _outside_class(brief: Brief, row: TaskView, slot: SlotView) -> bool:
    """Whether the class of an item may not use a place: outside its dates, or in times it leaves free."""
    own = brief.class_of(row["class_id"])
    if own is None:
        return False
    day, week_day = brief.day_of(slot).isoformat(), slot["day_of_week"]
    dated = bool(own["start_date"] and own["end_date"])
    blocks = {(section + 1) // 2 for section in range(slot["slot_start"], slot["slot_end"] + 1)}
    return (
        (dated and not own["start_date"] <= day <= own["end_date"])
        or week_day in own["excluded_days"]
        or bool(blocks & set(own["excluded_blocks"]))
        or any([week_day, block] in own["excluded_cells"] for block in blocks)
    )
