"""Room for items that are supposed: more of them, longer ones, so many a day, fewer, one at another time; how early or
late a class could end."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, timedelta
from typing import cast

from agent.llm.offline.goals.questions.inquiry import Inquiry, asked_in
from agent.llm.offline.goals.questions.reads import item_lines, rows_in_time, span_text
from agent.llm.offline.goals.questions.suppositions.supposed import (
    PLACES,
    TIMETABLE,
    Answer,
    bound_in,
    dated_day,
    find_unplanned,
    items_ahead,
    items_text,
    last_day_of,
    look_up,
    named_classes,
    tell_unplanned,
)
from agent.llm.offline.goals.questions.timetable import entries_of, free_stretches, tell_late_start
from agent.llm.offline.language.brief import Brief, Json
from agent.llm.offline.language.spans.conditions.suppositions import CLASS_RANGE, FITS, Supposition, untimed
from agent.llm.offline.language.spans.mentions import items_in
from agent.llm.offline.language.texts import date_text, dated_slot_text, place_text, run_text
from agent.loop.view_document import ClassView, SlotView

MOST_WEEKS, MOST_PLACES = 20, 60
_TOMORROW = re.compile(r"明天(?:开始|起)|从明天|\b(?:starting|from|beginning) tomorrow\b")
WEEKENDS = re.compile(r"周末|\bweekends?\b")
_WORKDAYS = re.compile(r"工作日|\b(?:weekdays?|working days?)\b")


def _weeks(brief: Brief, last: date) -> dict[str, int]:
    first = brief.term.week
    return {
        "week_from": first,
        "week_to": max(first, min(brief.term.week_day(last)[0], first + MOST_WEEKS, brief.term.weeks)),
    }


def _openings(brief: Brief, data: Json, last: date, *, first: date | None = None, lessons_only: bool = False,
              without: Inquiry | None = None) -> dict[date, int]:  # fmt: skip
    """How many items of two sections each day from today has room for."""
    found = {}
    for row in data["days"]:
        day = brief.day_of(row)
        if not (first or brief.term.today) <= day <= last:
            continue
        begun = brief.now["section"] if day == brief.term.today else 0
        entries = [one for one in entries_of(brief, row) if one["status"] == "fixed" or not lessons_only]
        busy = {section for one in entries for section in range(one["slot_start"], one["slot_end"] + 1)}
        if without is not None and without.has_day(day):
            shut = without.hours or ((1, brief.term.sections),)
            busy |= {section for begin, end in shut for section in range(begin, end + 1)}
        found[day] = sum((end - begin + 1) // 2 for begin, end in free_stretches(busy, brief.term.sections, begun))
    return found


def room_until(brief: Brief, ids: Sequence[int], last: date, without: Inquiry | None = None, items: int = 0) -> Answer:
    """Whether so many items, or classes of which nothing is planned, fit until a day."""
    data, decision = look_up(brief, TIMETABLE, _weeks(brief, last))
    if data is None:
        return decision or brief.say("读不到课表。", "The timetable cannot be read.")
    unplanned = find_unplanned(brief, ids)
    starts = [row["start_date"] for row in brief.classes if row["id"] in unplanned and row["start_date"]]
    first = max(brief.term.today, date.fromisoformat(min(starts))) if starts else brief.term.today
    last = min(last, last_day_of(brief, ids)) if unplanned else last
    if told := tell_late_start(brief, [row for row in brief.classes if row["id"] in unplanned], last):
        return told
    items = items or sum(row["item_count"] for row in brief.classes if not ids or row["id"] in ids)
    room = _openings(brief, data, last, first=first, without=without)
    told = _tell_room(brief, items, sum(room.values()), run_text(brief, first, last))
    lead = tell_unplanned(brief, unplanned) + brief.say("", " ") if unplanned else ""
    return lead + told


def _tell_room(brief: Brief, items: int, room: int, when: str) -> str:
    told = ("放得下", "It fits") if room >= items else ("放不下", "It does not fit")
    return brief.say(*told) + brief.say(
        "：{when}还有 {room} 个两节的空位，{n} 项要 {n} 个。",
        ": {when} has room for {room} items of two sections, {n} are needed.",
        when=when, room=room, n=items,
    )  # fmt: skip


def add_items(brief: Brief, supposed: Supposition) -> Answer:
    """Whether so many more items find room, those of a known class behind its last one."""
    rows = [] if supposed.new_class else named_classes(brief, supposed.said, supposed.question)
    last = bound_in(brief, supposed.question, supposed.said) or last_day_of(brief, [row["id"] for row in rows])
    data, decision = look_up(brief, TIMETABLE, _weeks(brief, last))
    if data is None:
        return decision or brief.say("读不到课表。", "The timetable cannot be read.")
    room = _openings(brief, data, last)
    waiting = [row for row in brief.tasks if not row["slot"]]
    if not supposed.number:
        asked = asked_in(supposed.question, brief)
        free = sum(n for day, n in room.items() if asked.has_day(day))
        when = span_text(brief, asked) if asked.runs else run_text(brief, brief.term.today, last)
        return brief.say(
            "{when}还能放 {n} 项（每项两节）。", "{n} items of two sections would fit ({when}).", when=when, n=free
        )
    items = supposed.number + len(waiting)
    asked = asked_in(f"{supposed.said}, {supposed.question}", brief)
    if asked.runs:
        there = sum(n for day, n in room.items() if asked.has_day(day))
        return _tell_room(brief, supposed.number, there, span_text(brief, asked))
    told = [_tell_room(brief, items, sum(room.values()), run_text(brief, brief.term.today, last))]
    if waiting:
        told.append(
            brief.say(
                "其中 {n} 项是现在没有位置的。", "{n} of these are the items that have no place now.", n=len(waiting)
            )
        )
    own = [row for row in rows_in_time(brief.tasks) if row["slot"] and row["class_id"] in [one["id"] for one in rows]]
    if len(rows) == 1 and own and own[-1]["slot"]:
        final = brief.day_of(own[-1]["slot"])
        after = sum(count for day, count in room.items() if day > final)
        told.append(brief.say(
            "加在「{name}」末尾的话，要排在{day}之后，那里还有 {n} 个空位{enough}。",
            'Added at the end of "{name}" they come after {day}; there is room for {n} behind it{enough}.',
            name=rows[0]["name"], day=dated_day(brief, final), n=after,
            enough=brief.say("，够了", ", which is enough") if after >= supposed.number else brief.say(
                "，不够，前面的要往前挪", ", which is not enough: the ones before would have to move up"),
        ))  # fmt: skip
    return "\n".join(told)


def lengthen_items(brief: Brief, supposed: Supposition) -> Answer:
    """How many sections more are needed, and how many are free."""
    rows = named_classes(brief, supposed.said, supposed.question)
    ids = [row["id"] for row in rows]
    last = last_day_of(brief, ids)
    data, decision = look_up(brief, TIMETABLE, _weeks(brief, last))
    if data is None:
        return decision or brief.say("读不到课表。", "The timetable cannot be read.")
    count = len(items_ahead(brief, ids)) if brief.tasks else sum(row["item_count"] for row in rows or brief.classes)
    free = sum(row["free"] for row in data["days"] if brief.term.today <= brief.day_of(row) <= last)
    needed = count * supposed.number
    told = ("够", "Yes, there is enough") if free >= needed else ("不够", "No, that is not enough")
    return brief.say(*told) + brief.say(
        "：{n} 项每项多 {m} 节，一共多 {needed} 节；{when}还有 {free} 节空闲。",
        ": {n} items with {m} more each are {needed} sections more; {free} are free ({when}).",
        n=count, m=supposed.number, needed=needed, free=free, when=run_text(brief, brief.term.today, last),
    )  # fmt: skip


def keep_pace(brief: Brief, supposed: Supposition) -> Answer:
    """On which day all would be done at so many a day, and whether that is in time."""
    rows = named_classes(brief, supposed.said, supposed.question)
    ids = [row["id"] for row in rows]
    items = len(items_ahead(brief, ids)) if brief.tasks else sum(row["item_count"] for row in rows or brief.classes)
    data, decision = look_up(brief, TIMETABLE, _weeks(brief, brief.term.last_day))
    if data is None:
        return decision or brief.say("读不到课表。", "The timetable cannot be read.")
    text = f"{supposed.said} {supposed.question}"
    first = brief.term.today + timedelta(days=_TOMORROW.search(text) is not None)
    first = max(first, _first_day_of(brief, ids))
    room = _openings(brief, data, brief.term.last_day, first=first, lessons_only=True)
    if WEEKENDS.search(text) or supposed.a_weekend:
        room = {day: n for day, n in room.items() if day.isoweekday() > 5}
    elif _WORKDAYS.search(text):
        room = {day: n for day, n in room.items() if day.isoweekday() < 6}
    used = _spend(room, items, supposed)
    limit = bound_in(brief, supposed.question, supposed.said)
    many = brief.say("每个周末" if supposed.a_weekend else "每天", "a weekend" if supposed.a_weekend else "a day")
    if sum(used.values()) < items:
        return brief.say("学期内做不完：还有 {n} 项，{many} {k} 项。", "Not within the term: {n} items at {k} {many}.",
                         n=items, many=many, k=supposed.number)  # fmt: skip
    end, last = max(used), limit or last_day_of(brief, ids)
    fits = ("放得下。", "It fits. ") if end <= last else ("放不下。", "It does not fit. ")
    lead = brief.say(*fits) if limit or FITS.search(supposed.question) else ""
    told = brief.say(
        "还有 {n} 项，{many} {k} 项，从{first}开始，要学 {d} 天，{end}全部学完。",
        "{n} items at {k} {many} from {first} take {d} days and are all done on {end}.",
        n=items, many=many, k=supposed.number, first=dated_day(brief, min(used)), d=len(used),
        end=dated_day(brief, end),
    )  # fmt: skip
    days = (last - end).days
    spare = brief.say("比{last}早 {d} 天。", " That is {d} days before {last}.") if days >= 0 else brief.say(
        "比{last}晚 {d} 天。", " That is {d} days after {last}.")  # fmt: skip
    return lead + told + spare.format(last=dated_day(brief, last), d=abs(days))


def _first_day_of(brief: Brief, ids: Sequence[int]) -> date:
    """The first day of the classes of which something is still to be studied."""
    owners = {row["class_id"] for row in items_ahead(brief, ids)}
    starts = [row["start_date"] for row in brief.classes if row["id"] in owners and row["start_date"]]
    return date.fromisoformat(min(starts)) if starts else brief.term.today


def _spend(room: dict[date, int], items: int, supposed: Supposition) -> dict[date, int]:
    """The days that are used for so many items, with the number on each."""
    used: dict[date, int] = {}
    weekly: dict[date, int] = {}
    for day, free in sorted(room.items()):
        monday = day - timedelta(days=day.weekday())
        most = supposed.number - weekly.get(monday, 0) if supposed.a_weekend else supposed.number
        taken = min(most, free, items - sum(used.values()))
        if taken > 0:
            used[day], weekly[monday] = taken, weekly.get(monday, 0) + taken
    return used


def drop_items(brief: Brief, supposed: Supposition) -> Answer:
    """How much time it frees to give up a class or items."""
    rows, classes = items_in(supposed.said, brief), [row["id"] for row in named_classes(brief, supposed.said)]
    if not rows and classes and find_unplanned(brief, classes):
        return tell_unplanned(brief, classes) + brief.say("不学它也不会多出时间。", " Giving it up frees no time.")
    if not rows:
        rows = items_ahead(brief, classes)
    rows = [row for row in rows if row in items_ahead(brief)]
    placed = [row for row in rows if row["slot"]]
    kept = {brief.day_of(row["slot"]) for row in brief.tasks if row["slot"] and row not in rows}
    days = sorted({brief.day_of(row["slot"]) for row in placed if row["slot"]} - kept)
    head = brief.say(
        "会空出 {m} 节（{n} 项），其中 {d} 天就没有任务了：",
        "It would free {m} sections ({items}); days left without study: {d}.",
        m=sum(row["duration"] for row in placed), n=len(placed), items=items_text(len(placed)), d=len(days),
    )  # fmt: skip
    rest = len(items_ahead(brief)) - len(rows)
    return "\n".join([head, *item_lines(brief, placed), brief.say("剩下 {n} 项。", "{n} items would be left.", n=rest)])


def reach_places(brief: Brief, supposed: Supposition) -> Answer:
    """The first and the last place that an item, or the last one of a class, could have with everything else as it
    is; how late or early a class could end."""
    if ends := CLASS_RANGE.fullmatch(supposed.said):
        return reach_end(brief, named_classes(brief, supposed.question), early=bool(ends["early"] or ends["early_en"]))
    named = items_in(untimed(supposed.said, brief), brief)
    ids = [row["id"] for row in named_classes(brief, supposed.said)]
    if not named and find_unplanned(brief, ids):
        return tell_unplanned(brief, ids)
    row = named[0] if named else max(items_ahead(brief, ids), key=lambda one: one["order"])
    found, decision = look_up(brief, PLACES, {"for_task_id": row["state_id"], "limit": MOST_PLACES})
    if decision is not None:
        return decision
    places = list((found or {}).get("slots", ()))
    if (
        len(places) == MOST_PLACES and brief.draft
    ):  # more than one look-up tells: the last ones are looked up from the last known day
        days = {"day_start": places[-1]["day"], "day_end": brief.draft["window"]["total_days"]}
        wanted = {"for_task_id": row["state_id"], "limit": MOST_PLACES, **days}
        found, decision = look_up(brief, PLACES, wanted)
        if decision is not None:
            return decision
        places += (found or {}).get("slots", ())
    if not places:
        told = (
            "别的都不动的话，{name} 没有别的合规位置。",
            "With everything else as it is, there is no other place for {name}.",
        )
        return brief.say(*told, name=row["name"])
    first, last = (dated_slot_text(brief, cast("SlotView", one)) for one in (places[0], places[-1]))
    told = (
        "别的都不动，{name} 最早可以放在{first}，最晚可以放在{last}。",
        "With everything else as it is, {name} could go to {first} at the earliest and {last} at the latest.",
    )
    return brief.say(*told, name=row["name"], first=first, last=last)


def _before_followers(places: list[Json], followers: int) -> list[Json]:
    """The places behind which so many others are left."""
    for _ in range(followers):
        last = places[-1:]
        places = [one for one in places if (one["day"], one["slot_end"]) < (last[0]["day"], last[0]["slot_start"])]
    return places


def skip_item(brief: Brief, supposed: Supposition) -> Answer:
    """What comes after an item that is skipped, and where it could be made up."""
    row = items_in(supposed.said, brief)[0]
    found, decision = look_up(brief, PLACES, {"for_task_id": row["state_id"], "limit": MOST_PLACES})
    if decision is not None:
        return decision
    after = [one for one in brief.tasks if one["class_id"] == row["class_id"] and one["order"] > row["order"]]
    name = row["name"]
    lines = [
        brief.say("{name} 之后按顺序的是：", "After {name} in its order come:", name=name),
        *item_lines(brief, after),
    ]
    if not after:
        lines = [
            brief.say(
                "{name} 后面没有别的内容，不影响别的。",
                "Nothing comes after {name}; nothing else is affected.",
                name=name,
            )
        ]
    lines.append(brief.say("别的任务类不受影响。", "Other classes are not affected."))
    places = _before_followers(list((found or {}).get("slots", ())), sum(not one["slot"] for one in after))
    if row["slot"]:
        here = (row["slot"]["week"], row["slot"]["day_of_week"], row["slot"]["slot_start"])
        places = [one for one in places if (one["week"], one["day_of_week"], one["slot_start"]) > here]
    if places:
        told = (
            "不动别的，还可以补在 {first} 到 {last} 之间。",
            "It could be made up between {first} and {last} without moving anything else.",
        )
        first, last = (dated_slot_text(brief, cast("SlotView", one)) for one in (places[0], places[-1]))
        lines.append(brief.say(*told, first=first, last=last))
    else:
        told = ("要补上它，后面的就得往后挪。", "To make it up, what comes after it would have to move.")
        lines.append(brief.say(*told))
    return "\n".join(lines)


_BLOCK = 2


def reach_end(brief: Brief, classes: Sequence[ClassView], *, early: bool) -> Answer:
    """When a class could end at the latest or at the earliest."""
    row = classes[0] if classes else None
    own = [task for task in brief.tasks if row and task["class_id"] == row["id"] and task["mark"] != "done"]
    if row is None or not own or find_unplanned(brief, [row["id"]]):
        return tell_unplanned(brief, [row["id"]] if row else [])
    return _reach_earliest(brief, row, len(own)) if early else _reach_latest(brief, row)


def _reach_latest(brief: Brief, row: ClassView) -> Answer:
    """The last place that the last item could have."""
    last = max((task for task in brief.tasks if task["class_id"] == row["id"]), key=lambda task: task["order"])
    found, decision = look_up(brief, PLACES, {"for_task_id": last["state_id"], "limit": MOST_PLACES})
    if decision is not None:
        return decision
    places = [cast("SlotView", one) for one in (found or {}).get("slots", ())]
    places += [last["slot"]] if last["slot"] else []
    at = max(places, key=lambda one: (one["week"], one["day_of_week"], one["slot_start"]))
    told = (
        "「{name}」最晚可以在{where}学完：那是最后一项{item}能放的最晚位置，任务类{end}截止。",
        '"{name}" could end on {where} at the latest: the last place that its last item, {item}, could have; the class '
        "ends on {end}.",
    )
    end = date_text(brief, date.fromisoformat(row["end_date"])) if row["end_date"] else "-"
    return brief.say(*told, name=row["name"], where=dated_slot_text(brief, at), item=last["name"], end=end)


def _reach_earliest(brief: Brief, row: ClassView, number: int) -> Answer:
    """The place of the last item if all of them follow each other closely."""
    first = max(brief.term.today, date.fromisoformat(row["start_date"]) if row["start_date"] else brief.term.today)
    end = date.fromisoformat(row["end_date"]) if row["end_date"] else brief.term.last_day
    weeks = {
        "week_from": max(1, brief.term.week_day(first)[0]),
        "week_to": min(brief.term.weeks, brief.term.week_day(end)[0]),
    }
    data, decision = look_up(brief, TIMETABLE, weeks)
    if data is None:
        return decision or brief.say("读不到课表。", "The timetable cannot be read.")
    free = [one for day in data["days"] if first <= brief.day_of(day) <= end for one in _free_blocks(brief, day, row)]
    if len(free) < number:
        return brief.say("「{name}」在它的日期里排不下。", '"{name}" does not fit within its dates.', name=row["name"])
    week, weekday, block = free[number - 1]
    where = place_text(brief, week, weekday, _BLOCK * block - 1, _BLOCK * block)
    told = (
        "「{name}」剩下的 {n} 项一项接一项地排，最早可以在{where}（{day}）学完；任务类从{first}开始。",
        'Put as close together as its times allow, the {n} items of "{name}" could be done by {where} ({day}) at the '
        "earliest; the class begins on {first}.",
    )
    day = date_text(brief, brief.term.day(week, weekday))
    return brief.say(*told, name=row["name"], n=number, where=where, day=day, first=date_text(brief, first))


def _free_blocks(brief: Brief, day: Json, row: ClassView) -> list[tuple[int, int, int]]:
    """The blocks of a day that neither a lesson nor another class takes, and that the class does not leave free."""
    own = {task["name"] for task in brief.tasks if task["class_id"] == row["id"]}
    busy = {
        section
        for one in entries_of(brief, day) if one["name"] not in own
        for section in range(one["slot_start"], one["slot_end"] + 1)
    }  # fmt: skip
    weekday, cells = day["day_of_week"], {(cell[0], cell[1]) for cell in row["excluded_cells"]}
    begun = brief.now["section"] if brief.day_of(day) == brief.term.today else 0
    return [
        (day["week"], weekday, block)
        for block in range(1, brief.term.sections // _BLOCK + 1)
        if weekday not in row["excluded_days"] and block not in row["excluded_blocks"] and (weekday, block) not in cells
        and _BLOCK * block - 1 > begun and not busy & {_BLOCK * block - 1, _BLOCK * block}
    ]  # fmt: skip
