"""Answers to what would happen if: worked out on a copy of the plan, told with its figures, then offered."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any, cast

from agent.llm.offline.goals.decisions import Decision, call, give_up
from agent.llm.offline.goals.questions.inquiry import Inquiry, asked_in
from agent.llm.offline.goals.questions.query import find_owners
from agent.llm.offline.goals.questions.reads import item_lines, rows_in_time, span_text
from agent.llm.offline.goals.questions.timetable import day_of, entries_of, free_stretches
from agent.llm.offline.language.brief import Brief, Json
from agent.llm.offline.language.normalize import fold_numbers
from agent.llm.offline.language.spans.mentions import classes_in, items_in
from agent.llm.offline.language.spans.suppositions import FINISHES, FITS, Supposition, read_supposition, untimed
from agent.llm.offline.language.spans.targets import shift_in, target_in
from agent.llm.offline.language.spans.times.pieces import COUNT, number_of
from agent.llm.offline.language.spans.times.reading import read_times
from agent.llm.offline.language.texts import date_text, dated_slot_text, dated_text, run_text
from agent.loop.view_document import ClassView, SlotView, TaskView

PREVIEW, TIMETABLE, PLACES = "preview_replan", "query_timetable", "query_available_slots"
WHAT_IF = "what_if"
MOST_WEEKS, MOST_PLACES, MOST_DATES = 20, 60, 150
_TOMORROW = re.compile(r"明天(?:开始|起)|从明天|\b(?:starting|from|beginning) tomorrow\b")
_WEEKENDS = re.compile(r"周末|\bweekends?\b")
_WORKDAYS = re.compile(r"工作日|\b(?:weekdays?|working days?)\b")
_THOSE_DAYS = re.compile(r"那([2-9二三四五六七])天")
_PAST_FORM = re.compile(r"\b(?:was|were|did|had)\b")
_SO_MANY_DAYS = re.compile(rf"(?<![第月\d])(\d{{1,2}})\s*天|\b({COUNT}) days\b")
_WAITING = re.compile(r"没(?:有)?(?:地方|位置|排)|\b(?:no place|unplaced|without a place|unscheduled)\b")
_MADE = ("什么都没有改。", "Nothing was changed.")


def answer_supposition(brief: Brief) -> Decision | None:
    """The next look-up that the answer needs, or the answer; None where nothing is supposed."""
    supposed = read_supposition(brief.request, brief)
    if supposed is None or not (brief.tasks or brief.classes):
        return None
    found = {
        "free": _keep_free, "deadline": _end_earlier, "pace": _keep_pace, "added": _add, "dropped": _drop,
        "longer": _lengthen, "skipped": _skip, "range": _reach, "moved": _try_place, "only": _keep_only,
    }[supposed.kind](brief, supposed)  # fmt: skip
    return found if isinstance(found, dict) else give_up(WHAT_IF, f"{found}\n{brief.say(*_MADE)}")


Answer = str | Decision


def _look_up(brief: Brief, tool: str, arguments: dict[str, Any]) -> tuple[Json | None, Decision | None]:
    """What a tool found, None where it failed; or the call that is still to be made."""
    done = next((row for row in brief.results if row["tool"] == tool and _same(row["arguments"], arguments)), None)
    if done is None:
        return None, call(brief, tool, arguments)
    return (done["data"] if done["status"] == "done" else None), None


def _same(given: Any, wanted: dict[str, Any]) -> bool:
    return all(given.get(key) == value for key, value in wanted.items())


def _date(brief: Brief, day: date) -> str:
    return dated_text(brief, *brief.term.week_day(day))


def _slot_day(brief: Brief, slot: SlotView) -> date:
    return brief.term.day(slot["week"], slot["day_of_week"])


def _ahead(brief: Brief, ids: Sequence[int] = ()) -> list[TaskView]:
    """The items that are still to be studied, those without a place too."""
    now = (brief.now["week"], brief.now["day_of_week"], brief.now["section"])
    return [
        row for row in rows_in_time(brief.tasks)
        if (not ids or row["class_id"] in ids) and row["mark"] != "done"
        and (not (s := row["slot"]) or (s["week"], s["day_of_week"], s["slot_start"]) > now)
    ]  # fmt: skip


def _last_day(brief: Brief, ids: Sequence[int] = ()) -> date:
    """The last day of the classes that are meant, of the term where none is known."""
    ends = [date.fromisoformat(row["end_date"]) for row in brief.classes
            if row["end_date"] and (not ids or row["id"] in ids)]  # fmt: skip
    return min(max(ends, default=brief.term.last_day), brief.term.last_day)


def _named(brief: Brief, *texts: str) -> list[ClassView]:
    """The classes that are named, first in what is supposed, then in the question."""
    for text in texts:
        ids = classes_in(text, brief.classes) or find_owners(text, brief)[0]
        if ids and len(ids) < max(2, len(brief.classes)):
            return [row for row in brief.classes if row["id"] in ids]
    return []


def _bound(brief: Brief, *texts: str) -> date | None:
    """The day by which something is to be done."""
    for text in texts:
        for one in read_times(text, brief.term):
            if one.weekdays and one.side in ("until", "before") and not one.last:
                ahead = (one.weekdays[-1] - brief.term.today.isoweekday()) % 7
                return brief.term.today + timedelta(days=ahead - (one.strict and brief.language == "en"))
            if one.last and (one.side in ("until", "before") or not one.first):
                return one.last - timedelta(days=one.strict and brief.language == "en")
    return None


def _when(brief: Brief, supposed: Supposition) -> Inquiry:
    """The days and hours that are meant; hours alone are those of every day that is left."""
    asked, today = asked_in(_PAST_FORM.sub("are", supposed.said), brief), brief.term.today
    told = tuple((one.first, one.last) for one in read_times(supposed.said, brief.term) if one.first and one.last)
    runs = asked.runs or told
    if (match := _THOSE_DAYS.search(supposed.said)) and runs:
        count = "一二三四五六七".find(match[1]) + 1 or int(match[1])
        runs = tuple((first, min(last, first + timedelta(days=count - 1))) for first, last in runs)
    if (match := _SO_MANY_DAYS.search(fold_numbers(supposed.said))) and len(runs) == 1 and len(supposed.said) < 60:
        runs = ((runs[0][0], runs[0][0] + timedelta(days=number_of(match[1] or match[2]) - 1)),)
    if not runs and asked.hours:
        runs = ((today, _last_day(brief)),)
    if _WEEKENDS.search(supposed.said) and not re.search(
        r"[这下上本]个?周末|\b(?:this|next|the) weekend\b", supposed.said
    ):
        days = [today + timedelta(days=n) for n in range((_last_day(brief) - today).days + 1)]
        runs = tuple((day, day) for day in days if day.isoweekday() > 5)
    return Inquiry(tuple(run for run in runs if run[1] >= today), asked.hours)


def _days_in(brief: Brief, asked: Inquiry) -> list[date]:
    today, last = brief.term.today, brief.term.last_day
    days = (first + timedelta(days=n) for first, end in asked.runs for n in range((end - first).days + 1))
    return sorted({day for day in days if today <= day <= last})[:MOST_DATES]


# time that stays free


def _keep_free(brief: Brief, supposed: Supposition) -> Answer:
    """Which items lie then, where they would go, and what would find no place."""
    asked = _when(brief, supposed)
    if not asked.runs:
        return brief.say("那段时间已经过去了。", "That time has passed.")
    owners = [row["id"] for row in _named(brief, supposed.said, supposed.question)]
    whose = brief.names_of(owners)
    when = _when_text(brief, asked)
    last = _bound(brief, supposed.question)
    if last and (FINISHES.search(supposed.question) or FITS.search(supposed.question)):
        return _end_earlier(brief, supposed, asked, last)
    if not brief.tasks:
        return _room_until(brief, owners, _last_day(brief, owners), asked)
    rows = [row for row in _ahead(brief, owners) if (s := row["slot"]) and asked.covers(s, brief)]
    if not rows:
        told = ("没有影响：{when}没有排{what}，计划不用动。", "It changes nothing: no {what} is planned then ({when}).")
        return brief.say(*told, when=when, what=brief.say(whose or "任务", f"item of {whose}" if whose else "item"))
    told = ("{when}有 {n} 项会受影响：", "{items} would be affected ({when}):")
    head = brief.say(*told, when=when, n=len(rows), items=_items(len(rows)))
    lines = [head, *item_lines(brief, rows)]
    return _tell_preview(brief, {"kind": "keep_free", "dates": [day.isoformat() for day in _days_in(brief, asked)],
                                 **_of_class(owners), **_hours(asked)}, lines, _offer_free(brief, asked))  # fmt: skip


def _items(number: int) -> str:
    return f"{number} item{'' if number == 1 else 's'}"


def _when_text(brief: Brief, asked: Inquiry) -> str:
    """The days that are meant: 每个周五, 4月15日–4月17日."""
    if len(asked.runs) < 3 or any(first != last for first, last in asked.runs):
        return span_text(brief, Inquiry(asked.runs)) + _part_text(brief, asked)
    english = ("Mondays", "Tuesdays", "Wednesdays", "Thursdays", "Fridays", "Saturdays", "Sundays")
    weekdays = sorted({first.isoweekday() for first, _ in asked.runs})
    told = [brief.say(f"周{'一二三四五六日'[day - 1]}", english[day - 1]) for day in weekdays]
    return brief.say("每个", "") + brief.say("、", " and ").join(told) + _part_text(brief, asked)


def _part_text(brief: Brief, asked: Inquiry) -> str:
    """上午, 9-12节."""
    parts = {tuple(part): at for at, part in enumerate(brief.term.day_parts)}
    names = (("上午", " mornings"), ("下午", " afternoons"), ("晚上", " evenings"))
    told = [
        brief.say(*names[parts[one]]) if one in parts else span_text(brief, Inquiry((), (one,))) for one in asked.hours
    ]
    return brief.say("、", " and").join(told)


def _of_class(ids: Sequence[int]) -> dict[str, int]:
    return {"task_class_id": ids[0]} if len(ids) == 1 else {}


def _keep_only(brief: Brief, supposed: Supposition) -> Answer:
    """Whether all fits in some days of the week or some hours alone: everything else stays free."""
    asked, last = asked_in(_PAST_FORM.sub("are", supposed.said), brief), _last_day(brief)
    today = brief.term.today
    every = [today + timedelta(days=n) for n in range((last - today).days + 1)]
    times = read_times(supposed.said, brief.term)
    weekdays = {day for one in times for day in one.weekdays}
    closed = [(day, day) for day in every if weekdays and day.isoweekday() not in weekdays]
    owners = [row["id"] for row in _named(brief, supposed.said, supposed.question)]
    if asked.hours and not weekdays:
        first, end = asked.hours[0]
        shut = [one for one in ((1, first - 1), (end + 1, brief.term.sections)) if one[0] <= one[1]]
        away = Inquiry(((today, last),), tuple(shut))
    else:
        away = Inquiry(tuple(closed))
    if not away.runs:
        return brief.say("这个我算不出来。", "I cannot work that out.")
    if not brief.tasks or len(away.hours) > 1:
        return _room_until(brief, owners, last, away)
    rows = [row for row in _ahead(brief, owners) if (s := row["slot"]) and away.covers(s, brief)]
    if not rows:
        return brief.say("是的，现在就是这样排的，不用改。", "Yes: it is planned like that already.")
    head = brief.say("{n} 项不在那些时间里：", "{items} not at those times:", n=len(rows), items=_items(len(rows)))
    days = [day.isoformat() for day in _days_in(brief, away)]
    asks = {"kind": "keep_free", "dates": days, **_of_class(owners), **_hours(away)}
    return _tell_preview(brief, asks, [head, *item_lines(brief, rows)], "")


def _hours(asked: Inquiry) -> dict[str, int]:
    if not asked.hours:
        return {}
    return {"section_from": min(first for first, _ in asked.hours), "section_to": max(last for _, last in asked.hours)}


def _offer_free(brief: Brief, asked: Inquiry) -> str:
    when = _when_text(brief, asked)
    if len(asked.runs) > 2 or (asked.hours and len(_days_in(brief, asked)) > 7):
        wish = _part_text(brief, asked).strip() if asked.hours else when.removeprefix("每个")
        return brief.say(
            "要一直这样，请说「{when}不排任务」。", 'To keep to it always, say "no study on {when}".', when=wish
        )
    told = (
        "要照这样做，请说「把{when}空出来」，会先出确认卡片。",
        'To do it, say "keep {when} free"; a card comes first.',
    )
    days = [date_text(brief, one) for run in asked.runs for one in dict.fromkeys(run)]
    return brief.say(
        *told, when=brief.say("到", " to ").join(days) + (brief.say("晚上", " evening") if asked.hours else "")
    )


def _tell_preview(brief: Brief, arguments: dict[str, Any], lines: Sequence[str], offer: str) -> Answer:
    """What re-planning would move, after the lines that are told already."""
    found, decision = _look_up(brief, PREVIEW, arguments)
    if decision is not None:
        return decision
    if found is None:
        return "\n".join([*lines, brief.say("不够：有内容放不下。", "There is no room for all of it.")])
    moves, left = found["changes"], [row["name"] for row in found["left"]]
    lost = [one["name"] for one in moves if not one["after"]]
    left += [name for name in lost if name not in left]
    if left:
        told = ("时间不够：{names} 放不下。", "Not enough time: no place is left for {names}.")
        lines = [*lines, brief.say(*told, names=brief.say("、", ", ").join(left))]
    else:
        lines = [
            *lines,
            brief.say("时间够，挪动之后都放得下。", "There is time enough: with some moves everything fits."),
        ]
    moved = [one for one in moves if one["after"]]
    if moved:
        lines.append(brief.say("会动 {n} 项，其余 {m} 项不动：", "{n} would move, {m} stay:", n=len(moved),
                               m=len([row for row in brief.tasks if row["slot"]]) - len(moves)))  # fmt: skip
        lines += [_move_line(brief, one) for one in moved]
    return "\n".join(filter(None, [*lines, offer]))


def _move_line(brief: Brief, one: Json) -> str:
    before = dated_slot_text(brief, _slot(one["before"])) if one["before"] else brief.say("待安排", "unplaced")
    told = ("{name} 可以从{before}移到{after}", "{name} could go from {before} to {after}")
    return brief.say(*told, name=one["name"], before=before, after=dated_slot_text(brief, _slot(one["after"])))


def _slot(place: Json) -> SlotView:
    return {"day": place["day"], "week": place["week"], "day_of_week": place["day_of_week"], "host_event_id": None,
            "slot_start": place["section_from"], "slot_end": place["section_to"]}  # fmt: skip


# another last day


def _end_earlier(
    brief: Brief, supposed: Supposition, closed: Inquiry | None = None, last: date | None = None
) -> Answer:
    """What lies after a last day, or at times that are to stay free, and whether it would fit before it."""
    rows = _named(brief, supposed.said, supposed.question)
    ids = [row["id"] for row in rows]
    last = last or _supposed_end(brief, supposed, rows)
    if last is None:
        return brief.say(
            "要改到哪一天？请说出日期，我再算。", "Which day do you mean? Give me the date and I work it out."
        )
    if not brief.tasks:
        return _room_until(brief, ids, last, closed)
    items = items_in(untimed(supposed.question, brief), brief)
    meant = items or [row for row in brief.tasks if not ids or row["class_id"] in ids]
    if _WAITING.search(supposed.question) and any(not row["slot"] for row in meant):
        meant = [row for row in meant if not row["slot"]]
    late = [
        row for row in rows_in_time(meant) if (s := row["slot"])
        and (_slot_day(brief, s) > last or (closed is not None and closed.covers(s, brief)))
    ]  # fmt: skip
    waiting = [row for row in meant if not row["slot"]]
    until = _date(brief, last)
    if not late and not waiting:
        final = item_lines(brief, rows_in_time(meant)[-1:])[0]
        told = (
            "可以，{until}之前都能完成，最后一项是 {line}",
            "Yes, all of it is done by {until}; the last item is {line}",
        )
        return brief.say(*told, until=until, line=final)
    lines = [brief.say("照现在的安排不行：", "Not as it stands:")]
    if late:
        after = ("{n} 项排在{until}之后：", "After {until}: {items}.")
        told = ("这些不合：", "These do not keep to it:") if closed else after
        lines += [brief.say(*told, n=len(late), items=_items(len(late)), until=until), *item_lines(brief, late)]
    if waiting:
        names = brief.say("、", ", ").join(row["name"] for row in waiting)
        lines.append(brief.say("没有位置的：{names}。", "Without a place: {names}.", names=names))
    if waiting and not late and not items:
        room = _room_until(brief, ids, last, closed, len(waiting))
        return room if isinstance(room, dict) else "\n".join([*lines[1:], room])
    if items:
        found = _reach(brief, supposed) if len(items) == 1 else ""
        return found if isinstance(found, dict) else "\n".join([*lines, *filter(None, [found])])
    return _preview_end(brief, rows, last, closed, lines) if late else "\n".join(lines)


def _preview_end(
    brief: Brief, rows: Sequence[ClassView], last: date, closed: Inquiry | None, lines: Sequence[str]
) -> Answer:
    """What would move for a last day to hold, of one class or of the whole plan."""
    values = {"name": rows[0]["name"] if rows else "", "day": date_text(brief, last)}
    if len(rows) == 1:
        told = ("要改，请说「把{name}的截止日期改到{day}」，会先出确认卡片。",
                'To do it, say "move the deadline of {name} to {day}"; a card comes first.')  # fmt: skip
    else:
        told = ("要照这样做，请说「整个计划{day}之前结束」，会先出确认卡片。",
                'To do it, say "the whole plan ends by {day}"; a card comes first.')  # fmt: skip
    if len(rows) == 1 and not closed:
        asked = {"kind": "deadline", "task_class_id": rows[0]["id"], "date": last.isoformat()}
        return _tell_preview(brief, asked, lines, brief.say(*told, **values))
    places = [_slot_day(brief, slot) for row in brief.tasks if (slot := row["slot"])]
    end = max(*places, _last_day(brief), last)
    days = {last + timedelta(days=n) for n in range(1, (end - last).days + 1)}
    dates = sorted(day.isoformat() for day in days.union(_days_in(brief, closed) if closed else ()))[:MOST_DATES]
    asked = {"kind": "keep_free", "dates": dates, **_of_class([row["id"] for row in rows])}
    return _tell_preview(brief, asked, lines, brief.say(*told, **values))


def _supposed_end(brief: Brief, supposed: Supposition, rows: Sequence[ClassView]) -> date | None:
    """The last day that is supposed: a date, or that of the class moved by so many days."""
    text = supposed.said
    times = [one for one in read_times(text, brief.term) if (one.first or one.last) and not one.impossible]
    shift = shift_in(text)
    if times:
        day = times[-1].last or times[-1].first
        return day - timedelta(days=1) if day and times[-1].strict and brief.language == "en" else day
    if shift is None:
        return _bound(brief, text, supposed.question)
    return _last_day(brief, [row["id"] for row in rows]) + timedelta(days=shift.days)


# room


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
        day = day_of(brief, row)
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


def _room_until(brief: Brief, ids: Sequence[int], last: date, without: Inquiry | None = None, items: int = 0) -> Answer:
    """Whether so many items, or classes of which nothing is planned, fit until a day."""
    data, decision = _look_up(brief, TIMETABLE, _weeks(brief, last))
    if data is None:
        return decision or brief.say("读不到课表。", "The timetable cannot be read.")
    items = items or sum(row["item_count"] for row in brief.classes if not ids or row["id"] in ids)
    room = _openings(brief, data, last, without=without)
    return _tell_room(brief, items, sum(room.values()), run_text(brief, brief.term.today, last))


def _tell_room(brief: Brief, items: int, room: int, when: str) -> str:
    told = ("放得下", "It fits") if room >= items else ("放不下", "It does not fit")
    return brief.say(*told) + brief.say(
        "：{when}还有 {room} 个两节的空位，{n} 项要 {n} 个。",
        ": {when} has room for {room} items of two sections, {n} are needed.",
        when=when, room=room, n=items,
    )  # fmt: skip


def _add(brief: Brief, supposed: Supposition) -> Answer:
    """Whether so many more items find room, those of a known class behind its last one."""
    rows = [] if supposed.new_class else _named(brief, supposed.said, supposed.question)
    last = _bound(brief, supposed.question, supposed.said) or _last_day(brief, [row["id"] for row in rows])
    data, decision = _look_up(brief, TIMETABLE, _weeks(brief, last))
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
    told = [_tell_room(brief, items, sum(room.values()), run_text(brief, brief.term.today, last))]
    if waiting:
        told.append(
            brief.say(
                "其中 {n} 项是现在没有位置的。", "{n} of these are the items that have no place now.", n=len(waiting)
            )
        )
    own = [row for row in rows_in_time(brief.tasks) if row["slot"] and row["class_id"] in [one["id"] for one in rows]]
    if len(rows) == 1 and own and own[-1]["slot"]:
        final = _slot_day(brief, own[-1]["slot"])
        after = sum(count for day, count in room.items() if day > final)
        told.append(brief.say(
            "加在「{name}」末尾的话，要排在{day}之后，那里还有 {n} 个空位{enough}。",
            'Added at the end of "{name}" they come after {day}; there is room for {n} behind it{enough}.',
            name=rows[0]["name"], day=_date(brief, final), n=after,
            enough=brief.say("，够了", ", which is enough") if after >= supposed.number else brief.say(
                "，不够，前面的要往前挪", ", which is not enough: the ones before would have to move up"),
        ))  # fmt: skip
    return "\n".join(told)


def _lengthen(brief: Brief, supposed: Supposition) -> Answer:
    """How many sections more are needed, and how many are free."""
    rows = _named(brief, supposed.said, supposed.question)
    ids = [row["id"] for row in rows]
    last = _last_day(brief, ids)
    data, decision = _look_up(brief, TIMETABLE, _weeks(brief, last))
    if data is None:
        return decision or brief.say("读不到课表。", "The timetable cannot be read.")
    count = len(_ahead(brief, ids)) if brief.tasks else sum(row["item_count"] for row in rows or brief.classes)
    free = sum(row["free"] for row in data["days"] if brief.term.today <= day_of(brief, row) <= last)
    needed = count * supposed.number
    told = ("够", "Yes, there is enough") if free >= needed else ("不够", "No, that is not enough")
    return brief.say(*told) + brief.say(
        "：{n} 项每项多 {m} 节，一共多 {needed} 节；{when}还有 {free} 节空闲。",
        ": {n} items with {m} more each are {needed} sections more; {free} are free ({when}).",
        n=count, m=supposed.number, needed=needed, free=free, when=run_text(brief, brief.term.today, last),
    )  # fmt: skip


# so many a day


def _keep_pace(brief: Brief, supposed: Supposition) -> Answer:
    """On which day all would be done at so many a day, and whether that is in time."""
    rows = _named(brief, supposed.said, supposed.question)
    ids = [row["id"] for row in rows]
    items = len(_ahead(brief, ids)) if brief.tasks else sum(row["item_count"] for row in rows or brief.classes)
    data, decision = _look_up(brief, TIMETABLE, _weeks(brief, brief.term.last_day))
    if data is None:
        return decision or brief.say("读不到课表。", "The timetable cannot be read.")
    text = f"{supposed.said} {supposed.question}"
    first = brief.term.today + timedelta(days=_TOMORROW.search(text) is not None)
    room = _openings(brief, data, brief.term.last_day, first=first, lessons_only=True)
    if _WEEKENDS.search(text) or supposed.a_weekend:
        room = {day: n for day, n in room.items() if day.isoweekday() > 5}
    elif _WORKDAYS.search(text):
        room = {day: n for day, n in room.items() if day.isoweekday() < 6}
    used = _spend(room, items, supposed)
    limit = _bound(brief, supposed.question, supposed.said)
    many = brief.say("每个周末" if supposed.a_weekend else "每天", "a weekend" if supposed.a_weekend else "a day")
    if sum(used.values()) < items:
        return brief.say("学期内做不完：还有 {n} 项，{many} {k} 项。", "Not within the term: {n} items at {k} {many}.",
                         n=items, many=many, k=supposed.number)  # fmt: skip
    end, last = max(used), limit or _last_day(brief, ids)
    fits = ("放得下。", "It fits. ") if end <= last else ("放不下。", "It does not fit. ")
    lead = brief.say(*fits) if limit or FITS.search(supposed.question) else ""
    told = brief.say(
        "还有 {n} 项，{many} {k} 项，从{first}开始，要学 {d} 天，{end}全部学完。",
        "{n} items at {k} {many} from {first} take {d} days and are all done on {end}.",
        n=items, many=many, k=supposed.number, first=_date(brief, min(used)), d=len(used), end=_date(brief, end),
    )  # fmt: skip
    days = (last - end).days
    spare = brief.say("比{last}早 {d} 天。", " That is {d} days before {last}.") if days >= 0 else brief.say(
        "比{last}晚 {d} 天。", " That is {d} days after {last}.")  # fmt: skip
    return lead + told + spare.format(last=_date(brief, last), d=abs(days))


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


# less to do


def _drop(brief: Brief, supposed: Supposition) -> Answer:
    """How much time it frees to give up a class or items."""
    rows = items_in(supposed.said, brief)
    if not rows:
        rows = _ahead(brief, [row["id"] for row in _named(brief, supposed.said)])
    rows = [row for row in rows if row in _ahead(brief)]
    placed = [row for row in rows if row["slot"]]
    kept = {_slot_day(brief, row["slot"]) for row in brief.tasks if row["slot"] and row not in rows}
    days = sorted({_slot_day(brief, row["slot"]) for row in placed if row["slot"]} - kept)
    head = brief.say(
        "会空出 {m} 节（{n} 项），其中 {d} 天就没有任务了：",
        "It would free {m} sections ({items}); days left without study: {d}.",
        m=sum(row["duration"] for row in placed), n=len(placed), items=_items(len(placed)), d=len(days),
    )  # fmt: skip
    rest = len(_ahead(brief)) - len(rows)
    return "\n".join([head, *item_lines(brief, placed), brief.say("剩下 {n} 项。", "{n} items would be left.", n=rest)])


def _reach(brief: Brief, supposed: Supposition) -> Answer:
    """The first and the last place that an item could have with everything else as it is."""
    row = items_in(untimed(supposed.said, brief), brief)[0]
    found, decision = _look_up(brief, PLACES, {"for_task_id": row["state_id"], "limit": MOST_PLACES})
    if decision is not None:
        return decision
    places = list((found or {}).get("slots", ()))
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


def _try_place(brief: Brief, supposed: Supposition) -> Answer:
    """Whether an item could stand at a time with everything else as it is, and where the others in question are."""
    row = items_in(untimed(supposed.said, brief), brief)[0]
    found, decision = _look_up(brief, PLACES, {"for_task_id": row["state_id"], "limit": MOST_PLACES})
    if decision is not None:
        return decision
    target = target_in(supposed.said, brief)
    places = [cast("SlotView", one) for one in (found or {}).get("slots", ())]
    fitting = [one for one in places if target.covers(one)]
    if fitting:
        told = (
            "可以：{name} 可以放在{where}，别的都不用动。",
            "Yes: {name} could go to {where}; nothing else would move.",
        )
        lines = [brief.say(*told, name=row["name"], where=dated_slot_text(brief, fitting[0]))]
    else:
        told = (
            "别的都不动的话不行：那时候没有 {name} 可以用的位置。",
            "Not with all else as it is: {name} could have no place then.",
        )
        lines = [brief.say(*told, name=row["name"])]
    others = [one for one in items_in(untimed(supposed.question, brief), brief) if one is not row]
    return "\n".join([*lines, *item_lines(brief, others)])


def _before_followers(places: list[Json], followers: int) -> list[Json]:
    """The places behind which so many others are left."""
    for _ in range(followers):
        last = places[-1:]
        places = [one for one in places if (one["day"], one["slot_end"]) < (last[0]["day"], last[0]["slot_start"])]
    return places


def _skip(brief: Brief, supposed: Supposition) -> Answer:
    """What comes after an item that is skipped, and where it could be made up."""
    row = items_in(supposed.said, brief)[0]
    found, decision = _look_up(brief, PLACES, {"for_task_id": row["state_id"], "limit": MOST_PLACES})
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
